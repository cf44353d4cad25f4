"""Impacts of two systems at many states at once: ``ps.collide_many``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from poinsot.front.collide import check_party
from poinsot.front.collisions import Collisions
from poinsot.front.many_states import ManyStates, number_of_states
from poinsot.front.moving_system import MovingSystem
from poinsot.front.touching_systems import check_apart, check_points
from poinsot.front.traced_impact import jump_kernel, rows_kernel
from poinsot.impacts.agreeing_laws import check_laws
from poinsot.impacts.impact_point import ImpactPoint
from poinsot.impacts.law_names import BY_VELOCITIES, PRINTED, UNILATERAL, check_names
from poinsot.impacts.many_impacts import many_jumps
from poinsot.impacts.sticking import sticking
from poinsot.impacts.unique_impulses import TIGHT, are_unique
from poinsot.simulation.running.contact_memory import ContactNumbers
from poinsot.simulation.stepping.contact_complementarity import CLEAR
from poinsot.spatial import Array

__all__ = ["collide_many"]

MOST: Final = 6
"""Smooth points whose sets are all tried side by side in many states; more are projected."""
OPENED: Final = 1e-9
"""Rate of opening above the wanted one that is rounding, relative to the largest wanted one."""


def collide_many(
    first: MovingSystem, second: MovingSystem | None, points: Sequence[ImpactPoint], *,
    law: str = PRINTED, order: str = "simultaneous",
) -> Collisions:  # fmt: skip
    """Return what ``collide`` does at many states, by one call of machine code.

    Every law of ``collide``, friction, and both orders, of trees and of closed systems.  Smooth
    points of trees by restitution of velocities are the fastest.  States that machine code cannot
    decide are computed one by one, with the same answers.

    Args:
        first: One system just before the impacts, with q of shape (k, nq) and v of shape (k, nv),
            or one state for all.
        second: The other one; None: bodies of the first one hit each other.
        points: Where they touch; a ``point`` and a ``normal`` may be of shape (k, 3).
        law: As in ``collide``.
        order: As in ``collide``.

    Raises:
        ModelError: What ``collide`` raises, with the number of the state.

    >>> import poinsot as ps
    >>> hit = ps.ImpactPoint("world", "bob", point=(0, 0, -1), normal=(1, 0, 0), restitution=0.5)
    >>> arms = ps.MovingSystem(ps.library.pendulum(), [[0.0], [0.0]], [[2.0], [3.0]])
    >>> print(ps.collide_many(ps.MovingSystem(), arms, [hit]).v[1])
    [[-1. ]
     [-1.5]]
    """
    check_names("collide_many", law, order)
    listed = check_points(points, "collide_many")
    both = (first,) if second is None else (first, second)
    for party in both:
        check_party(party, "collide_many")
    if second is None:
        check_apart(listed, "collide_many")
    laws = tuple(point.law or law for point in listed)
    own = [point.tangential_restitution for point in listed]
    names = tuple(point.name for point in listed)
    check_laws("collide_many", order, list(zip(names, laws, own, strict=True)))
    many = ManyStates(both, listed, laws, order, range(number_of_states(both, listed)))
    many.check_bodies()
    results = _side_by_side(many) if _is_simple(many) else _one_by_one(many)
    changes = np.split(results.pop("changes"), [first.v.shape[-1]], axis=1)
    return Collisions(
        names, ", ".join(dict.fromkeys(laws)), laws, order, first=first, second=second,
        points=listed, changes=(changes[0], changes[1]), **results,
    )  # fmt: skip


def _is_simple(many: ManyStates) -> bool:
    """Return whether impacts are straight formulas of trees."""
    by_velocities = many.laws[0] in BY_VELOCITIES and many.order == "simultaneous"
    few = len(many.points) <= MOST and not many.constraints and many.size > 0
    return by_velocities and few and not many.is_rough


def _side_by_side(many: ManyStates) -> dict[str, Any]:
    """Return what Newton's restitution does in smooth points of trees, states side by side."""
    s, count = len(many.points), many.count
    results = {
        "impulses": np.empty((count, s)), "rates_before": np.empty((count, s)),
        "rates": np.empty((count, s)), "changes": np.empty((count, many.size)),
        "pivot": np.zeros((count, 1)),
    }  # fmt: skip
    try:
        kernel = jump_kernel(many.bodies, many.laws[0])
    except np.linalg.LinAlgError:  # whatever the state, a point cannot open
        return _one_by_one(many)
    for states, inputs in many.some(np.array([point.restitution for point in many.points])):
        kernel.run(inputs, [array[states] for array in results.values()])
    doubtful = ~(results.pop("pivot")[:, 0] >= CLEAR)
    if many.laws[0] == PRINTED:  # points that open are refused there
        doubtful |= (results["rates_before"] > 0.0).any(axis=1)
    unique = np.ones(count, dtype=bool)
    if doubtful.any():
        again = _one_by_one(many.chosen(np.flatnonzero(doubtful)))
        unique[doubtful] = again["unique"]
        for name, array in results.items():
            array[doubtful] = again[name]
    works = results["impulses"] * (results["rates_before"] + results["rates"]) / 2.0
    return results | {
        "unique": unique, "works": works, "sticks": None,
        "friction_impulses": np.zeros((count, s, 3)),
    }  # fmt: skip


def _one_by_one(many: ManyStates) -> dict[str, Any]:
    """Return what impacts by any law do, one state after the other."""
    s, count = len(many.points), many.count
    P, w, after = (np.zeros((count, s, 3)) for _ in range(3))
    across = np.zeros((count, s, 2, 3))
    changes, unique = np.zeros((count, many.size)), np.ones(count, bool)
    left = [] if many.size else list(range(count))
    if many.size:
        for states, inputs in many.some():
            solved = _solved_together(many, states, inputs, (P, w, after, across, changes, unique))
            left += (states.start + np.flatnonzero(~solved)).tolist()
    for k in left:
        touching, done, P[k] = many.solved_alone(k)
        changes[k], unique[k] = done.change, done.unique
        w[k], across[k] = touching.w, touching.frames[:, 1:]
        after[k] = touching.w + touching.D @ done.change
    rough = np.array([point.friction for point in many.points]) > 0.0
    sticks = None
    if rough.any():
        numbers = [(point.friction, point.tangential_restitution) for point in many.points]
        sticks = sticking(P, w, after, *np.array(numbers).T)[:, rough].all(axis=1)
    return {
        "impulses": P[..., 0], "rates_before": w[..., 0], "rates": after[..., 0],
        "changes": changes, "unique": unique, "works": np.sum(P * (w + after), axis=2) / 2.0,
        "friction_impulses": np.einsum("ksi,ksij->ksj", P[..., 1:], across), "sticks": sticks,
    }  # fmt: skip


def _solved_together(
    many: ManyStates, states: slice, inputs: list[Array], results: tuple[Array, ...]
) -> Array:
    """Set results of states that are computed together; return which of them are solved.

    Args:
        many: All states.
        states: Which of them.
        inputs: Of the kernel there.
        results: Impulses, velocities before and after it, tangents, changes, and whether impulses
            are unique, of all states.
    """
    P, w, after, across, changes, unique = (array[states] for array in results)
    bodies, n, m = many.bodies, many.size, many.constraints
    length = len(P)
    kernel = rows_kernel(bodies)
    made = {port.name: np.empty((length, port.size)) for port in kernel.signature.outputs}
    kernel.run(inputs, list(made.values()))
    rows, rates = made["rows"].reshape(length, -1, n), made["rates"]
    masses, v = made["masses"].reshape(length, n, n), many.velocities(states)
    jumps = many_jumps(_contact_numbers(many), rows, rates, masses.copy(), v)
    P[:], changes[:] = jumps.impulses, jumps.changes
    ends = rates[:, m:] + np.einsum("krn,kn->kr", rows[:, m:], jumps.changes)
    rough = np.flatnonzero(bodies.rough)
    for point, row in enumerate(bodies.numbers):
        size = 3 if bodies.rough[point] else 1
        w[:, point, :size] = rates[:, m + row : m + row + size]
        after[:, point, :size] = ends[:, row : row + size]
    if rough.size:
        across[:, rough] = made["tangents"].reshape(length, -1, 2, 3)
    unique[:] = (jumps.pivots >= CLEAR) | (not many.acts_at_once)
    again = np.flatnonzero(~unique & jumps.solved)
    if again.size and not many.is_rough:
        given = rows[again], rates[again], masses[again], v[again]
        unique[again] = _only_ones(many, given, P[again, :, 0], after[again, :, 0])
    return np.asarray(jumps.solved & ~_contradicts(many, w[..., 0], after[..., 0]))


def _only_ones(
    many: ManyStates, given: tuple[Array, Array, Array, Array], P: Array, after: Array
) -> Array:
    """Return at which states impulses of smooth points at once are unique, shape (states,).

    Args:
        many: All states.
        given: What ``many_jumps`` is given, of some of them.
        P: Impulses there, shape (states, s).
        after: Rates of opening after them.
    """
    rows, rates, masses, v = given
    m = many.constraints
    J, A, u = rows[:, :m], rows[:, m:], rates[:, m:]
    if many.laws[0] == PRINTED:
        return are_unique(J, A, np.ones(u.shape, bool))
    e = np.array([point.restitution for point in many.points])
    wanted, ends, phases = np.maximum(0.0, -e * u), after, []
    if many.laws[0] == "poisson":
        contacts = replace(_contact_numbers(many), restitutions=[0.0] * len(e))
        pressed = many_jumps(contacts, rows, rates, masses.copy(), v)
        wanted, ends = 0.0 * u, u + np.einsum("krn,kn->kr", A, pressed.changes)
        more = P - (1.0 + e) * pressed.impulses[..., 0]
        holds = (more > TIGHT * P.max(axis=1, keepdims=True)).any(axis=1)
        phases.append((after, holds))
    phases.append((ends - wanted, (u < 0.0).any(axis=1)))
    least = TIGHT * np.abs(u).max(axis=1, keepdims=True)
    unique = [are_unique(J, A, slack <= least) | ~acts for slack, acts in phases]
    return np.asarray(np.all(unique, axis=0))


def _contradicts(many: ManyStates, before: Array, after: Array) -> Array:
    """Return at which states Newton's law as printed may have to be refused, shape (states,)."""
    if set(many.laws) != {PRINTED}:
        return np.zeros(len(before), bool)
    e = np.array([point.restitution for point in many.points])
    wanted = np.maximum(0.0, -e * before)
    faster = (after > wanted + OPENED * wanted.max(axis=1, keepdims=True)).any(axis=1)
    opens, closes = (before > 0.0).any(axis=1), (before < 0.0).any(axis=1)
    at_once = many.order == "simultaneous"
    refused = (opens & (at_once | ~closes)) | (faster & closes & many.acts_at_once)
    return np.asarray(refused)


def _contact_numbers(many: ManyStates) -> ContactNumbers:
    """Return what machine code knows of the points."""
    laws = {PRINTED: UNILATERAL} if many.is_rough or not many.acts_at_once else {}
    points = many.points
    return ContactNumbers(
        many.size, many.constraints, [many.constraints + row for row in many.bodies.numbers],
        [point.restitution for point in points], [point.friction for point in points],
        [point.tangential_restitution for point in points],
        [laws.get(law, law) for law in many.laws], [many.order] * len(points),
    )  # fmt: skip
