"""Where runs of planar mechanisms end: dead points, beyond which drivers do not tell the motion.

A unit with closed form is there where the product of squared sines of its matrix is small, another
group where det K has fallen to a thousandth of what it was at the start.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, final

import numpy as np

from poinsot.errors import AssemblyError
from poinsot.evaluate.expression import compiled_program
from poinsot.expr import Op, Scalar, as_expr, build, minimum, optimise
from poinsot.expr.replay import replay
from poinsot.formulations.composable.clock_motion import clock_motion
from poinsot.formulations.composable.nearby_positions import linkage_size, nearby_positions
from poinsot.formulations.composable.positions import is_closed, positions
from poinsot.formulations.composable.unit_equations import UnitEquations
from poinsot.front.planar_quantities import PlanarQuantities
from poinsot.front.planar_states import COORDINATE, PlanarSymbols, state_symbols
from poinsot.model.parameters import symbols
from poinsot.model.planar.clock import TIME
from poinsot.model.planar.shown_coordinate import shown_coordinates
from poinsot.simulation.laws.event import Event
from poinsot.simulation.running.status import SimulationWarning
from poinsot.spatial import Array

DEAD_POINT: Final = "dead point"
DEAD: Final = 1e-6
"""Clearance of a unit, a squared sine, below which a run stops."""
FAR: Final = 2e-3
"""Clearance at ``TURN`` positions above which there is no dead point between two of them."""
TURN: Final = 1440
NEAR: Final = 1e-2
"""Nearness to a dead point that explains why a run stopped."""
LEFT: Final = 1e-3
"""Part of det K at the start at which a group without closed form is at a dead point."""


@final
@dataclass(frozen=True)
class Clearance:
    """Whether units of a mechanism are off their dead points, to be traced; equal by value.

    Attributes:
        mechanism: The mechanism.
        least: Squared sine that units with closed forms are to exceed.
        at_start: det K of the others at the start, roughly.
    """

    mechanism: PlanarQuantities
    least: float
    at_start: tuple[float, ...] = ()

    def __call__(self, t: Any, q: Any, v: Any) -> Any:  # noqa: ANN401 (symbols)
        """Return what is positive where they do; velocities do not matter."""
        state = state_symbols(self.mechanism)
        least: Any = 1.0
        for equations in _closed_equations(self.mechanism, state, t):
            least = minimum(least, equations.margin_above(self.least))
        values = determinants(self.mechanism, state, t) if self.at_start else []
        for value, start in zip(values, self.at_start, strict=True):
            least = minimum(least, value / start - LEFT)
        return least


def _closed_equations(
    mechanism: PlanarQuantities, state: PlanarSymbols, t: Scalar
) -> list[UnitEquations]:
    """Return the equations of units with closed forms that can be singular."""
    linkage, poses = mechanism.linkage, _poses(mechanism, state, t)
    return [
        UnitEquations(unit, linkage, poses)
        for unit in linkage.units
        if (len(unit.bodies) > 1 or not unit.drivers) and is_closed(unit, linkage)
    ]


def determinants(mechanism: PlanarQuantities, state: PlanarSymbols, t: Scalar) -> list[Scalar]:
    """Return det K of each group without closed form, at the poses that it remembers."""
    linkage, poses = mechanism.linkage, _poses(mechanism, state, t)
    return [
        UnitEquations(unit, linkage, poses).determinant
        for unit in linkage.units
        if not is_closed(unit, linkage)
    ]


def _poses(mechanism: PlanarQuantities, state: PlanarSymbols, t: Scalar) -> Mapping[str, Array]:
    linkage, modes = mechanism.linkage, mechanism.modes
    known = clock_motion(linkage, np.array([t], object)).poses
    if state.g is None:
        return positions(linkage, state.q, modes, known)
    size = linkage_size(linkage)
    return nearby_positions(linkage, state.q, modes, state.g, size, known, steps=0).poses


def _turns_all_round(clearance: Clearance) -> bool:
    """Say whether the only driver is a crank that comes nowhere near a dead point in a turn."""
    linkage = clearance.mechanism.linkage
    is_timed = any(TIME in getattr(pair, "coordinates", ()) for pair in linkage.pairs)
    if len(linkage.drivers) != 1 or clearance.at_start or is_timed:
        return False
    if linkage.by_name[linkage.drivers[0]].kind != "R":
        return False
    angle = np.array([symbols(COORDINATE.format(0))], object)
    outputs = {"clearance": np.array([clearance(0.0, None, None)], object)}
    kernel = compiled_program(optimise(build({"q": angle}, outputs)))
    least = np.empty((TURN, 1))
    kernel.run([np.linspace(0.0, 2.0 * np.pi, TURN)[:, None]], [least])
    return bool((least > 0.0).all())  # not for NaN


def dead_point(mechanism: PlanarQuantities, q: Array, near: Mapping[str, Array]) -> Event | None:
    """Return the event that ends a run where a unit comes to a dead point; None without such.

    Args:
        mechanism: The mechanism.
        q: Coordinates of the drivers at the start, shape (nq,).
        near: Poses that groups without closed form remember at the start.
    """
    return _event(mechanism, _at_start(mechanism, q, near) if near else ())


def _at_start(
    mechanism: PlanarQuantities, q: Array, near: Mapping[str, Array]
) -> tuple[float, ...]:
    """Return det K of groups without closed form, each as a signed power of ten."""
    state = state_symbols(mechanism)
    assert state.g is not None
    program = build(
        {"q": state.q, "g": np.concatenate(list(state.g.values()))},
        {"d": np.array(determinants(mechanism, state, 0.0), object)},
    )
    (values,) = replay(program, q, np.concatenate(list(near.values())))
    sizes = np.maximum(np.abs(values), np.finfo(float).tiny)
    signs = np.where(values < 0.0, -1.0, 1.0)
    return tuple((signs * 10.0 ** np.floor(np.log10(sizes))).tolist())


@lru_cache(maxsize=32)
def _event(mechanism: PlanarQuantities, at_start: tuple[float, ...]) -> Event | None:
    clearance = Clearance(mechanism, DEAD, at_start)
    if as_expr(clearance(0.0, None, None)).op is Op.CONSTANT:
        return None  # cranks, gears and cams alone have none
    if _turns_all_round(Clearance(mechanism, FAR, at_start)):
        return None
    return Event(DEAD_POINT, clearance, direction="down", stop=True)


def tell_dead_point(
    mechanism: PlanarQuantities, t: float, q: Array, near: Mapping[str, Array] | None
) -> None:
    """Warn with links and coordinates where a run ended next to a dead point.

    Args:
        mechanism: The mechanism.
        t: When it ended [s].
        q: Coordinates of the drivers there, shape (nq,).
        near: Poses that groups without closed form remember there.
    """
    shown = shown_coordinates(mechanism.linkage, np.asarray(q).tolist())
    try:
        nearness = mechanism.nearness(q, t=t, near=near)
    except AssemblyError:
        links: tuple[str, ...] = tuple(near or ())
    else:
        least = min(nearness.items(), key=lambda item: float(item[1]), default=None)
        if least is None or not float(least[1]) < NEAR:
            return
        links = least[0]
    warnings.warn(
        f"planar mechanism: {', '.join(links)} came to a dead point at {shown}, t = {t:.4g} s: the"
        " drivers' coordinates do not tell the motion beyond; drive another joint, or simulate its"
        " system()",
        SimulationWarning,
        stacklevel=5,
    )
