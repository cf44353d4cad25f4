"""Motions of joints as polynomials in time, piece by piece."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.expr.functions import select
from poinsot.front.motion_loads import MotionLoads
from poinsot.model import Signal
from poinsot.model.checks import finite_number, real_array, whole_number
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from poinsot.front.system import System

__all__ = ["PlannedMotion"]

MOST_TRACED: Final = 40
"""Pieces of a motion that a law may contain as formulas."""
CHECKED: Final = 10
"""Instants in each piece at which limits are checked."""


@dataclass(frozen=True, eq=False)
class PlannedMotion:
    """Coordinates q(t), polynomials of t - times[k] between times[k] and times[k + 1].

    Before its start and after its end it stands still at its ends.  The parameter need not be time:
    ``time_optimal`` takes a path q(s).

    Attributes:
        times: Where the pieces meet [s], increasing, shape (n + 1,).
        coefficients: By powers, the lowest first, shape (n, powers, coordinates).
    """

    times: Array
    coefficients: Array

    def __post_init__(self) -> None:
        n = len(self.times) - 1
        if n < 1 or self.coefficients.ndim != 3 or len(self.coefficients) != n:
            raise ShapeError(
                f"trajectory: {n} pieces need coefficients of shape ({n}, powers, coordinates), "
                f"got {self.coefficients.shape}"
            )
        if not (np.diff(self.times) > 0.0).all():
            raise ModelError("trajectory: times must increase")

    @property
    def duration(self) -> float:
        """Time from start to end [s]."""
        return float(self.times[-1] - self.times[0])

    @property
    def start(self) -> Array:
        """The first configuration [m or rad], shape (nq,)."""
        return self.position(self.times[0])

    @property
    def end(self) -> Array:
        """The last configuration [m or rad], shape (nq,)."""
        return self.position(self.times[-1])

    def __call__(self, t: Any) -> Any:  # noqa: ANN401 (a number, numbers or an expression)
        """Return q(t), shape (..., nq); in laws and constraints that are traced a formula of t."""
        if np.asarray(t).dtype != object:
            return self.position(t)
        if len(self.coefficients) > MOST_TRACED:
            raise ModelError(
                f"trajectory: {len(self.coefficients)} pieces are too many for a formula; use "
                "q, v, a = trajectory.signals() in the law"
            )
        result = _horner(self.coefficients[0], t - self.times[0])
        for start, piece in zip(self.times[1:-1], self.coefficients[1:], strict=True):
            later = _horner(piece, t - start)
            result = [select(t < start, a, b) for a, b in zip(result, later, strict=True)]
        for limit, stands in ((self.times[0], self.start), (self.times[-1], self.end)):
            is_out = t < limit if limit == self.times[0] else t > limit
            result = [select(is_out, a, b) for a, b in zip(stands, result, strict=True)]
        return np.array(result, dtype=object)

    def position(self, t: ArrayLike) -> Array:
        """Return q at times [s], shape (..., nq)."""
        return self.derivative(0, t)

    def velocity(self, t: ArrayLike) -> Array:
        """Return dq/dt [m/s or rad/s] at times [s], shape (..., nq)."""
        return self.derivative(1, t)

    def acceleration(self, t: ArrayLike) -> Array:
        """Return d²q/dt² at times [s], shape (..., nq)."""
        return self.derivative(2, t)

    def jerk(self, t: ArrayLike) -> Array:
        """Return d³q/dt³ at times [s], shape (..., nq)."""
        return self.derivative(3, t)

    def derivative(self, order: int, t: ArrayLike) -> Array:
        """Return a derivative of q at times [s], shape (..., nq), where pieces meet of the later.

        Args:
            order: Of the derivative.
            t: Times [s], shape (...).
        """
        t = real_array(t, "trajectory: times")
        order = whole_number(order, 0, "trajectory: order of a derivative")
        inside = np.clip(t, self.times[0], self.times[-1])
        k = np.clip(np.searchsorted(self.times, inside, "right") - 1, 0, len(self.times) - 2)
        local, pieces = (inside - self.times[k])[..., None], self._derivatives(order)[k]
        result = np.zeros((*t.shape, pieces.shape[-1]))
        for power in reversed(range(pieces.shape[-2])):
            result = result * local + pieces[..., power, :]
        if order:
            outside = (t < self.times[0]) | (t > self.times[-1])
            result[outside] = 0.0
        return result

    def instants(self, each: int = CHECKED) -> Array:
        """Return times dense in each piece, both ends of it inside the piece, shape (n each,)."""
        fractions = np.linspace(0.0, 1.0, each)
        fractions[-1] = 1.0 - 1e-9  # before what comes next
        return (self.times[:-1, None] + np.diff(self.times)[:, None] * fractions).ravel()

    def slower(self, factor: float) -> PlannedMotion:
        """Return the same motion in ``factor`` times the time: q(t / factor)."""
        if not real_array(factor, "trajectory: a factor of time") > 0.0:
            raise ModelError(f"trajectory: a factor of time must be positive, got {factor!r}")
        powers = float(factor) ** -np.arange(self.coefficients.shape[1])[:, None]
        return PlannedMotion(self.times * factor, self.coefficients * powers)

    def signals(self, step: float | None = None) -> tuple[Signal, Signal, Signal]:
        """Return q, v and a as signals that laws look up.

        Args:
            step: Time between samples [s]; so that each piece has four by default.  q and v are
                splines, a is linear between samples.
        """
        if step is None:
            t = np.unique(np.append(self.instants(5), self.times))
            t = t[np.append(True, np.diff(t) > 1e-7 * self.duration)]
        else:
            if not finite_number(step, "trajectory: step") > 0.0:
                raise ModelError(f"trajectory: step must be positive, got {step!r} s")
            t = np.linspace(
                self.times[0], self.times[-1], max(math.ceil(self.duration / step), 3) + 1
            )
        return (
            Signal(t, self.position(t), "cubic"), Signal(t, self.velocity(t), "cubic"),
            Signal(t, self.acceleration(t)),
        )  # fmt: skip

    def loads(self, system: System, t: ArrayLike | None = None) -> MotionLoads:
        """Return the joint forces that a system needs for this motion, by inverse dynamics.

        Args:
            system: A system whose coordinates these are, without quaternions.
            t: Times [s], shape (k,); dense ones by default.
        """
        if system.nq != system.nv or system.nq != self.coefficients.shape[-1]:
            raise ShapeError(
                f"trajectory: {system.name!r} has {system.nq} coordinates and {system.nv} "
                f"velocities, the motion {self.coefficients.shape[-1]}; both must be equal"
            )
        times = self.instants() if t is None else np.asarray(t, np.float64)
        q, v, a = (self.derivative(order, times) for order in range(3))
        return MotionLoads(system, times, q, v, a, system.inverse_dynamics(q, v, a, t=times))

    def plot(self, path: str | Path | None = None, names: tuple[str, ...] = ()) -> Figure:
        """Draw positions, velocities, accelerations and jerks; return the figure.

        Args:
            path: File to write: .png, .svg or .pdf; None: show it.
            names: Of the coordinates.
        """
        from poinsot.plots.figure import plot_panels
        from poinsot.plots.panels import Panel, PlottedCurve

        t = self.instants()
        count = self.coefficients.shape[-1]
        labels = names or tuple(f"q{k + 1}" for k in range(count))

        def panel(order: int, title: str, unit: str) -> Panel:
            values = self.derivative(order, t)
            curves = [PlottedCurve(label, values[:, k]) for k, label in enumerate(labels)]
            return Panel(title, unit, t, tuple(curves))

        rows = [
            (panel(0, "Position", "rad, m"), panel(1, "Velocity", "/s")),
            (panel(2, "Acceleration", "/s²"), panel(3, "Jerk", "/s³")),
        ]
        return plot_panels(path, f"Motion of {self.duration:.3g} s", rows)

    # How it works

    def _derivatives(self, order: int) -> Array:
        """Return the coefficients of a derivative, shape (n, powers, nq)."""
        while len(self._known) <= order:
            last = self._known[-1]
            powers = np.arange(1, max(last.shape[1], 2))[:, None]
            self._known.append(last[:, 1:] * powers if last.shape[1] > 1 else 0.0 * last)
        return self._known[order]

    @cached_property
    def _known(self) -> list[Array]:
        return [self.coefficients]


def _horner(coefficients: Array, x: Any) -> list[Any]:  # noqa: ANN401 (an expression)
    result: list[Any] = [0.0] * coefficients.shape[-1]
    for row in coefficients[::-1]:
        result = [value * x + float(c) for value, c in zip(result, row, strict=True)]
    return result
