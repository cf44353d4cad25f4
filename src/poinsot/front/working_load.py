"""Working resistances and gas forces by tables, over the driver's coordinate or the stroke."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.expr import Scalar, select
from poinsot.expr.functions import floor
from poinsot.front.joint_strokes import output_joint, rate_of, stroke_of
from poinsot.model.checks import finite_array, finite_number
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array

OVER: Final = ("driver", "stroke")
MOTIONS: Final = ("both", "forward", "backward")
"""Directions of motion in which a force acts."""
ATMOSPHERE: Final = 101325.0
"""[Pa]"""
FOUR_STROKES: Final = 4.0 * np.pi
"""Of an engine: angle of the crank after which the pressures repeat [rad]."""


class MovedOutputs(Protocol):
    """What a table needs of a turn: coordinates of the driver, outputs of links and their rates."""

    @property
    def x(self) -> Array:
        """Coordinates of the driver, shape (n,)."""

    def output(self, link: str) -> Array:
        """Return the angle or stroke of a link, shape (n,)."""

    def output_rate(self, link: str) -> Array:
        """Return its rate, shape (n,)."""


@final
@dataclass(frozen=True, eq=False)
class WorkingLoad:
    """A force on a link by a table, for ``loads`` of turns, runs and all other methods.

    It acts at the mass centre along one direction.  Between the points it is linear; beyond them it
    keeps the value of the last one, unless it is periodic.

    Attributes:
        link: The link on which it acts.
        x: Coordinates, increasing [rad or m], shape (n,).
        force: Forces there [N], shape (n,).
        over: "driver": x are coordinates of the first driver; "stroke": of the link, as
            ``turn.output``.
        direction: Of the force, from the x axis of the ground [rad].
        motion: "forward" or "backward": only while the link's coordinate grows, or falls.
        period: After which the table repeats; None: never.

    Examples:
        >>> cut = WorkingLoad("ram", x=[0.0, 0.1], force=[0.0, -800.0], over="stroke")
        >>> cut.motion
        'both'
    """

    link: str
    x: ArrayLike
    force: ArrayLike
    over: str = "driver"
    direction: float = 0.0
    motion: str = "both"
    period: float | None = None

    def __post_init__(self) -> None:
        where = f"working load on {self.link!r}"
        if self.over not in OVER:
            raise ModelError(f"{where}: over must be one of {', '.join(OVER)}, got {self.over!r}")
        if self.motion not in MOTIONS:
            raise ModelError(
                f"{where}: motion must be one of {', '.join(MOTIONS)}, got {self.motion!r}"
            )
        x, force = (finite_array(values, where) for values in (self.x, self.force))
        if x.ndim != 1 or x.shape != force.shape or len(x) < 2:
            raise ModelError(
                f"{where}: x and force must be lists of as many numbers, two or more, got "
                f"{x.shape} and {force.shape}"
            )
        if np.any(np.diff(x) <= 0.0):
            raise ModelError(f"{where}: x must increase")
        finite_number(self.direction, f"{where}: direction")
        if self.period is not None and not (self.period >= float(x[-1] - x[0])):
            raise ModelError(f"{where}: the table is longer than its period {self.period:g}")
        object.__setattr__(self, "x", x)
        object.__setattr__(self, "force", force)

    @staticmethod
    def of_gas(
        link: str,
        angles: ArrayLike,
        pressures: ArrayLike,
        *,
        bore: float,
        direction: float,
        ambient: float = ATMOSPHERE,
        period: float | None = FOUR_STROKES,
    ) -> WorkingLoad:
        """Return the force of a gas on a piston by an indicator diagram.

        Args:
            link: The piston.
            angles: Of the crank [rad], increasing.
            pressures: There, absolute [Pa].
            bore: Diameter of the piston [m].
            direction: In which the gas pushes the piston, from the x axis of the ground [rad].
            ambient: Pressure behind the piston [Pa].
            period: Angle of one cycle [rad]: 4π of four strokes, 2π of two.
        """
        where = f"gas on {link!r}"
        size = finite_number(bore, f"{where}: bore")
        if size <= 0.0:
            raise ModelError(f"{where}: bore [m] must be positive, got {size:g}")
        excess = finite_array(pressures, f"{where}: pressures") - ambient
        return WorkingLoad(
            link, angles, np.pi / 4 * size**2 * excess, direction=direction, period=period
        )

    def __call__(self, turn: MovedOutputs) -> Array:
        """Return [Fx, Fy, M] at all positions of a turn, shape (n, 3)."""
        x = turn.x if self.over == "driver" else turn.output(self.link)
        rate = None if self.motion == "both" else turn.output_rate(self.link)
        return self.at(x, rate)

    def at(self, x: Array, rate: Array | None = None) -> Array:
        """Return [Fx, Fy, M] at coordinates, shape (..., 3), floats or expressions.

        Args:
            x: Of the driver or the stroke, as ``over`` says, shape (...).
            rate: Of the link's coordinate; only matters if it acts in one direction of motion.
        """
        force = self._interpolated(x)
        if rate is not None and self.motion != "both":
            sense = 1.0 if self.motion == "forward" else -1.0
            acts = _over_entries(lambda v: select(sense * v > 0.0, 1.0, 0.0), rate)
            force = np.asarray(force * acts)
        along = np.array([np.cos(self.direction), np.sin(self.direction), 0.0])
        return np.asarray(force[..., None] * along)

    def _interpolated(self, x: Array) -> Array:
        nodes, values = np.asarray(self.x, float), np.asarray(self.force, float)
        if x.dtype != object:
            return np.asarray(np.interp(x, nodes, values, period=self.period))
        if self.period is not None:
            period, first = self.period, float(nodes[0])
            x = _over_entries(lambda y: y - period * floor((y - first) / period), x)
            if nodes[-1] - nodes[0] < period:
                nodes, values = np.append(nodes, first + period), np.append(values, values[0])
        return _over_entries(lambda y: _written_out(nodes.tolist(), values.tolist(), y), x)


def _written_out(nodes: list[float], values: list[float], x: Scalar) -> Scalar:
    """Return what a table gives at a symbol, line by line."""
    value: Scalar = values[-1]
    for k in reversed(range(len(nodes) - 1)):
        slope = (values[k + 1] - values[k]) / (nodes[k + 1] - nodes[k])
        value = select(x < nodes[k + 1], values[k] + slope * (x - nodes[k]), value)
    return select(x < nodes[0], values[0], value)


def _over_entries(function: Callable[[Scalar], Scalar], x: Array) -> Array:
    results = [function(entry) for entry in x.ravel().tolist()]
    return np.array(results, x.dtype).reshape(x.shape)


def tabulated(
    linkage: PlanarLinkage, loads: Mapping[str, Any], q: Array,
    motions: Callable[[], tuple[Mapping[str, Array], Mapping[str, Array]]],
) -> dict[str, Any]:  # fmt: skip
    """Return loads with numbers, or expressions, in place of tables.

    Args:
        linkage: On which they act; tables over the driver are over its first one.
        loads: By link.
        q: Coordinates of the drivers, shape (..., nq).
        motions: Returns poses and velocities of the links, (..., 3) each.
    """
    results = dict(loads)
    for link, load in loads.items():
        if not isinstance(load, WorkingLoad):
            continue
        if np.iscomplexobj(q):
            raise ModelError(f"working load on {link!r}: tables are of floats and expressions")
        x, rate = q[..., 0], None
        if load.over == "stroke" or load.motion != "both":
            joint = output_joint(linkage, load.link, "working load")
            poses, velocities = motions()
            rate = np.asarray(rate_of(joint, velocities, linkage.frame))
            x = stroke_of(joint, poses, linkage.frame) if load.over == "stroke" else x
        results[link] = load.at(np.asarray(x), rate)
    return results
