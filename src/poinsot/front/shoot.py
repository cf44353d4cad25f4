"""Periodic orbits and boundary-value problems by multiple shooting: ``ps.shoot``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Unpack, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import ModelError, ShapeError
from poinsot.front.run import Run
from poinsot.front.shooting_problem import (
    DURATION,
    Conditions,
    ShootingError,
    ShootingProblem,
)
from poinsot.front.simulation_options import Settings
from poinsot.front.system import System
from poinsot.front.varied_run import bounds_of
from poinsot.model import Signal
from poinsot.model.checks import finite_number, real_array
from poinsot.simulation.laws.event import Event
from poinsot.simulation.laws.load_laws import Law
from poinsot.spatial import Array

__all__ = ["Shooting", "ShootingError", "shoot"]

MET: Final = 1e-8
"""Residual at which a condition holds, in its own unit; runs are no more exact than that."""
SHORTEST: Final = 1e-3
"""Least duration, in that of the guess, where no bound is given."""


@final
@dataclass(frozen=True, eq=False)
class Shooting:
    """A motion that meets conditions at its ends.

    Attributes:
        q: Configuration at the start, shape (nq,).
        v: Velocity at the start, shape (nv,).
        duration: How long it takes [s]; the period of an orbit.
        unknowns: What was found, by name: parameters and the duration, and by how much entries of
            the start differ from the guess.
        runs: The motion, one run per segment.
        residual: Largest residual of a condition, continuity included, in its own unit.
        multipliers: Eigenvalues of the derivative of the end by the start, on what is periodic, the
            largest first (Floquet multipliers; of a Poincaré map where there is a section): an
            orbit is stable if all are within the unit circle, one that is 1 along the orbit itself
            and those of conserved quantities aside.  Empty where nothing is periodic.
        evaluations: How many times the motion was simulated.
    """

    q: Array
    v: Array
    duration: float
    unknowns: dict[str, float]
    runs: tuple[Run, ...]
    residual: float
    multipliers: NDArray[np.complex128]
    evaluations: int

    def __str__(self) -> str:
        """Return what was found as a table; entries of the start as changes of the guess."""
        width = max(map(len, self.unknowns), default=0)
        free = self.runs[0].system.free
        rows = [
            f"  {name:<{width}}  {value:.10g}"
            + ("" if name in free or name == DURATION else " more than the guess")
            for name, value in self.unknowns.items()
        ]
        head = f"{self.duration:.6g} s, {len(self.runs)} segment(s), residual {self.residual:.1e}"
        return "\n".join([head, *rows])


def shoot(
    system: System, q: ArrayLike, v: ArrayLike, duration: float, *, unknown: Sequence[str],
    periodic: Sequence[str] = (), end: Sequence[str] = (), start: Sequence[str] = (),
    section: Event | None = None, segments: int = 1,
    nodes: tuple[ArrayLike, ArrayLike] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    parameters: Mapping[str, float] | None = None, tau: ArrayLike | Law | Signal | None = None,
    **options: Unpack[Settings],
) -> Shooting:  # fmt: skip
    """Return a motion that meets conditions at its start and its end, near a guess.

    With y the state at the end of each segment, as a function of where it starts, parameters and
    the duration,

        y_k(x) - x_(k+1) = 0,     periodic: y_K(x) - x_1 = 0,     end(y_K) = 0,     start(x_1) = 0

    by ``scipy.optimize.least_squares`` with exact derivatives of the runs (``run.sensitivity``)
    [StoerBulirsch2002, section 7.3].  docs/shooting.md.

    Args:
        system: What moves.
        q: Configuration at the start, or a guess of it, shape (nq,).
        v: Velocity at the start, or a guess, shape (nv,).
        duration: Time [s], or a guess; with a section the time within which it must be reached.
        unknown: What is to be found: "q" and "v", or single entries of the start ("q.elbow",
            "v.elbow", further states), free parameters, and "duration".  No more of them than
            conditions.
        periodic: What returns to its value at the start: "q", "v", "states", or single entries.
        end: Formulas (docs/formulas.md) that vanish at the end, such as ``"elbow - 1.2"``.
        start: Formulas that vanish at the start.
        section: Event that ends the motion in place of a duration; what it resets (an impact, the
            exchange of legs) is done before conditions are looked at.
        segments: Number of runs; more of them where motions are unstable or long.
        nodes: Guesses of q and v where the second and later segments start, shapes
            (segments - 1, nq) and (segments - 1, nv); those along the first run by default.
        bounds: Least and largest values of unknowns by name.
        parameters: Values of free parameters, first guesses of unknown ones, by name.
        tau: Joint forces, as for ``simulate``.
        options: Further keywords of ``simulate``: ``rtol``, ``integrator``, ``events``, ...

    Raises:
        ModelError: If a name is unknown, or there are more unknowns than conditions.
        ShootingError: If no motion near the guess meets them; it names the residual that is left.

    >>> import poinsot as ps
    >>> swing = ps.library.pendulum()
    >>> orbit = ps.shoot(swing, [1.0], [0.0], 2.0, unknown=["duration"], periodic=["q", "v"])
    >>> again = ps.simulate(swing, [1.0], [0.0], orbit.duration)
    >>> bool(abs(again.q[-1, 0] - 1.0) < 1e-7)
    True
    """
    lists = {"unknown": unknown, "periodic": periodic, "end": end, "start": start}
    named, returning, final, initial = (_texts(name, given) for name, given in lists.items())
    if not named:
        raise ModelError("shoot: unknown= is empty: name what is to be found, e.g. ['duration']")
    time = finite_number(duration, "shoot: duration")
    if time <= 0.0:
        raise ModelError(f"shoot: duration must be positive, got {duration!r} s")
    problem = ShootingProblem(
        system, _state(system, q, v), time, (named, returning),
        Conditions(final, initial, section, segments),
        {"tau": tau, "parameters": dict(parameters or {}), **options}, nodes,
    )  # fmt: skip
    return _solved(system, problem, dict(bounds or {}))


def _solved(
    system: System, problem: ShootingProblem, limits: dict[str, tuple[float, float]]
) -> Shooting:
    """Return what SciPy finds.

    Args:
        system: What moves.
        problem: What is to vanish.
        limits: Bounds of unknowns by name.
    """
    from scipy.optimize import least_squares

    count, conditions = problem.guess.size, len(problem.conditions)
    if count > conditions:
        raise ModelError(
            f"shoot: {count} unknowns ({_listed(problem.names)}) and only {conditions} conditions: "
            "add some (end=, start=, periodic=, section=), or keep an unknown; of an orbit, whose "
            "start may lie anywhere along it, keep one entry of the start"
        )
    if DURATION in problem.names:
        limits.setdefault(DURATION, (SHORTEST * problem.duration, np.inf))
    ranges = bounds_of(problem.names, problem.guess, limits, "shoot")
    solution = least_squares(
        problem.residuals, problem.guess, problem.jacobian, bounds=ranges, x_scale="jac",
        xtol=1e-15, ftol=1e-15, gtol=1e-15,
    )  # fmt: skip
    residual = problem.residuals(solution.x)
    worst = int(np.argmax(np.abs(residual)))
    if not abs(residual[worst]) <= MET:
        few = f"{count} unknowns for {conditions} conditions; " if count < conditions else ""
        raise ShootingError(
            f"shoot: no motion of {system.name!r} near this guess meets all conditions: "
            f"{problem.conditions[worst]} is {residual[worst]:.3g} off after "
            f"{problem.count} simulations; {few}give a nearer guess, more segments with nodes=, or "
            "other unknowns"
        )
    runs = problem.runs(solution.x)
    return Shooting(
        runs[0].q[0], runs[0].v[0], float(runs[-1].t[-1] - runs[0].t[0]),
        dict(zip(problem.names[: problem.n_named], solution.x.tolist(), strict=False)), runs,
        float(abs(residual[worst])), problem.multipliers(solution.x), problem.count,
    )  # fmt: skip


def _state(system: System, q: ArrayLike, v: ArrayLike) -> tuple[Array, Array]:
    state = real_array(q, "shoot: q"), real_array(v, "shoot: v")
    if (state[0].shape, state[1].shape) != ((system.nq,), (system.nv,)):
        raise ShapeError(
            f"shoot: q and v must have shapes ({system.nq},) and ({system.nv},), got "
            f"{state[0].shape} and {state[1].shape}"
        )
    return state


def _texts(name: str, given: Sequence[str]) -> tuple[str, ...]:
    """Return one name or formula, or several."""
    if isinstance(given, str):
        return (given,)
    if not isinstance(given, (list, tuple)):
        raise ModelError(
            f"shoot: {name}= must be a list of names or formulas that vanish, such as "
            f"['elbow - 1.2'], got {given!r}"
        )
    return tuple(given)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
