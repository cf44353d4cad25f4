"""The phases of an impact, and in each what pushes, bounces, sticks and slips.

Newton's law at once is one phase, Poisson's has compression and restitution, points one after the
other have one for each impact.  In each the impulses P obey, of every point,

    w_n⁺ + b w_n⁻ = 0  where it pushes,        P_n = given  where it does not,
    w_t⁺ + e_t w_t⁻ = 0  where it sticks,      P_t = -μ P_n σ / |σ|,  σ = w_t⁺ + e_t w_t⁻,  else.

These are smooth while inequalities hold with a margin; where one is at its edge an impact has
one-sided derivatives only, and is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.impacts.collision_law import CollisionLaw
from poinsot.impacts.impact_law import Jump, pushed
from poinsot.impacts.impact_process import PROCESSES
from poinsot.impacts.law_names import PRINTED, UNILATERAL
from poinsot.impacts.sticking import sticking
from poinsot.spatial import Array

__all__ = ["WHERE", "ImpactPhase", "impact_phases"]

WHERE: Final = "derivatives of a collision"
"""Opens messages of errors."""
NEAR: Final = 1e-9
"""Part of the largest impulse, or velocity, below which it is not certain which case holds."""
ONE_SIDED: Final = "there are one-sided derivatives only"


@final
@dataclass(frozen=True, eq=False)
class ImpactPhase:
    """One phase; s points, n velocities.

    Attributes:
        P: Impulses along normals and tangents in it, shape (s, 3) [N s].
        before: Velocities along them before it, shape (s, 3) [m/s].
        after: After it.
        done: Change of the velocities of the systems, and impulses of loops and constraints.
        pushes: Which points end with a prescribed normal velocity, shape (s,).
        bounces: What they give back of the one before, b, shape (s,).
        sticks: Which hold their slip, shape (s,).
        kind: "velocities": restitution is one of velocities; "compression", "restitution": of
            impulses, and the normal ones of the latter are at least e times those of the former.
        follows: The point with friction that is followed along its impulse
            (``impact_process.py``); None: none.
    """

    P: Array
    before: Array
    after: Array
    done: Jump
    pushes: Array
    bounces: Array
    sticks: Array
    kind: str = "velocities"
    follows: int | None = None


def impact_phases(law: CollisionLaw, P: Array) -> Iterator[ImpactPhase]:
    """Yield the phases of an impact.

    Args:
        law: The systems before it, and the law.
        P: The impulses that it made, shape (s, 3).

    Raises:
        ModelError: If a point is at the edge of two cases.
    """
    closes, rough = bool((law.u < 0.0).any()), bool(law.friction.any())
    if closes and (law.order == "sequential" or (rough and len(law.names) == 1)):
        yield from _in_turn(law)
    elif law.law == "poisson" and closes:
        still = replace(law, laws=(UNILATERAL,) * len(law.names), e=np.zeros(len(law.names)))
        pressed = still.jump()[1]
        first = _phase(law, law.w, pressed, np.zeros(len(P)), np.zeros(len(P)))
        yield replace(first, kind="compression")
        last = _phase(law, first.after, P - pressed, np.zeros(len(P)), law.e * pressed[:, 0])
        yield replace(last, kind="restitution")
    elif set(law.laws) == {PRINTED} and not rough:  # impulses may pull
        none = np.zeros(len(P), bool)
        yield _made(law, law.w, P, ~none, law.e, none)
    else:
        yield _phase(law, law.w, P, law.e, np.zeros(len(P)))


def _in_turn(law: CollisionLaw) -> Iterator[ImpactPhase]:
    """Yield the impacts of points one after the other."""
    s = len(law.names)
    before, speed = law.w, float(np.abs(law.w).max())
    for k, impulse, change in law.in_turn():
        _check_order(law, before, k)
        P, pushes = np.zeros((s, 3)), np.arange(s) == k
        P[k] = impulse
        after = before + law.D @ change
        sticks = sticking(P, before, after, law.friction, law.reversed_slip)
        phase = _made(law, before, P, pushes, np.where(pushes, law.e, 0.0), sticks)
        if law.laws[k] in PROCESSES and law.friction[k]:
            yield replace(phase, follows=k)
        else:
            _check_friction(law, phase)
            yield phase
        before, last = phase.after, k
    others = (np.arange(s) != last) | (law.e[last] > 0.0)
    edge = others & (np.abs(before[:, 0]) <= NEAR * speed) & law.D[:, 0].any(axis=1)
    if edge.any():
        raise ModelError(
            f"{WHERE}: point {_name(law, edge)} neither closes nor opens after the last impact of "
            f"the sequence, and may be hit once more; {ONE_SIDED}: set order='simultaneous', or "
            "change the state a little"
        )


def _check_order(law: CollisionLaw, before: Array, k: int) -> None:
    """Reject points that close equally fast and push each other."""
    equal = before[:, 0] <= (1.0 - NEAR) * before[k, 0]
    equal[k] = False
    if not equal.any():
        return
    pushed_too = law.D[:, 0] @ pushed(law.M, law.J, law.D[k, :1], np.ones(1)).change
    equal &= np.abs(pushed_too) > NEAR * float(np.abs(pushed_too).max())
    if equal.any():
        raise ModelError(
            f"{WHERE}: points {law.names[k]!r} and {_name(law, equal)} close equally fast, and a "
            f"change of the state says which is hit first; {ONE_SIDED}: set order='simultaneous', "
            "or change the state a little"
        )


def _phase(law: CollisionLaw, before: Array, P: Array, e: Array, given: Array) -> ImpactPhase:
    """Return a phase in which impulses push only.

    Args:
        law: The law.
        before: Velocities of the points before it, shape (s, 3).
        P: Impulses in it, shape (s, 3).
        e: What points that close give back, shape (s,).
        given: Normal impulses that act in any case, shape (s,).
    """
    after = before + law.D @ _pushed(law, P).change
    force = float(np.abs(P).max())
    speed = max(float(np.abs(law.w).max()), float(np.abs(after).max()))
    least = np.maximum(0.0, -e * before[:, 0])
    pushes = P[:, 0] - given > NEAR * force
    edge = ~pushes & (np.abs(after[:, 0] - least) <= NEAR * speed)
    if edge.any():
        raise ModelError(
            f"{WHERE}: point {_name(law, edge)} neither pushes nor is let go; {ONE_SIDED}: leave "
            "it out, or change the state a little"
        )
    rests = pushes & (e > 0.0) & (np.abs(before[:, 0]) <= NEAR * speed)
    if rests.any():
        raise ModelError(
            f"{WHERE}: point {_name(law, rests)} rests before the impact, neither closing nor "
            f"opening; {ONE_SIDED}: set its restitution to 0, or change the state a little"
        )
    sticks = sticking(P, law.w, after, law.friction, law.reversed_slip)
    phase = _made(law, before, P, pushes, np.where(before[:, 0] < 0.0, e, 0.0), sticks)
    _check_friction(law, phase)
    return phase


def _made(
    law: CollisionLaw, before: Array, P: Array, pushes: Array, bounces: Array, sticks: Array
) -> ImpactPhase:
    """Return a phase of which it is known what pushes and sticks."""
    done = _pushed(law, P)
    return ImpactPhase(P, before, before + law.D @ done.change, done, pushes, bounces, sticks)


def _pushed(law: CollisionLaw, P: Array) -> Jump:
    """Return what impulses (s, 3) do."""
    return pushed(law.M, law.J, law.D.reshape(P.size, -1), P.ravel())


def _check_friction(law: CollisionLaw, phase: ImpactPhase) -> None:
    """Reject points that stick with all the friction there is."""
    bound = law.friction * phase.P[:, 0]
    force = float(np.abs(phase.P).max())
    edge = phase.sticks & (np.hypot(*phase.P.T[1:]) >= bound - NEAR * force)
    if edge.any():
        raise ModelError(
            f"{WHERE}: point {_name(law, edge)} sticks with all the friction it has, and slips "
            f"with less; {ONE_SIDED}: change its friction a little"
        )


def _name(law: CollisionLaw, which: Array) -> str:
    """Return the name of the first of some points."""
    return repr(law.names[int(np.argmax(which))])
