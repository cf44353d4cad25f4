"""The phases of an impact, and in each what pushes, bounces, sticks and slips.

Newton's law at once is one phase, Poisson's has compression and restitution, points one after the
other have one for each impact.  In each the impulses P obey, of every point,

    w_n⁺ + b w_n⁻ = 0  where it pushes,        P_n = given  where it does not,
    w_t⁺ + e_t w_t⁻ = 0  where it sticks,      P_t = -μ P_n σ / |σ|,  σ = w_t⁺ + e_t w_t⁻,  else.

These are smooth while inequalities hold with a margin (``phase_edges.py``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from poinsot.impacts.collision_law import CollisionLaw
from poinsot.impacts.impact_law import Jump, pushed
from poinsot.impacts.impact_process import PROCESSES
from poinsot.impacts.law_names import PRINTED, UNILATERAL
from poinsot.impacts.sticking import sticking
from poinsot.spatial import Array

__all__ = ["NEAR", "ImpactPhase", "impact_phases"]

NEAR: Final = 1e-9
"""Part of the largest impulse, or velocity, below which it is not certain which case holds."""


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
        point: The one that is hit, of points in turn or a single one with friction; None: all are.
        is_followed: Whether that one is followed along its impulse (``impact_process.py``).
    """

    P: Array
    before: Array
    after: Array
    done: Jump
    pushes: Array
    bounces: Array
    sticks: Array
    kind: str = "velocities"
    point: int | None = None
    is_followed: bool = False


def impact_phases(law: CollisionLaw, P: Array) -> Iterator[ImpactPhase]:
    """Yield the phases of an impact.

    Args:
        law: The systems before it, and the law.
        P: The impulses that it made, shape (s, 3).
    """
    closes, rough = bool((law.u < 0.0).any()), bool(law.friction.any())
    none = np.zeros(len(P))
    if closes and (law.order == "sequential" or (rough and len(law.names) == 1)):
        yield from _in_turn(law)
    elif law.law == "poisson" and closes:
        still = replace(law, laws=(UNILATERAL,) * len(law.names), e=none)
        pressed = still.jump()[1]
        first = _phase(law, law.w, pressed, none, none)
        yield replace(first, kind="compression")
        last = _phase(law, first.after, P - pressed, none, law.e * pressed[:, 0])
        yield replace(last, kind="restitution")
    elif set(law.laws) == {PRINTED} and not rough:  # impulses may pull
        yield _made(law, law.w, P, none == 0.0, law.e, none > 0.0)
    else:
        yield _phase(law, law.w, P, law.e, none)


def _in_turn(law: CollisionLaw) -> Iterator[ImpactPhase]:
    """Yield the impacts of points one after the other."""
    s = len(law.names)
    before = law.w
    for k, impulse, change in law.in_turn():
        P, pushes = np.zeros((s, 3)), np.arange(s) == k
        P[k] = impulse
        after = before + law.D @ change
        sticks = sticking(P, before, after, law.friction, law.reversed_slip)
        phase = _made(law, before, P, pushes, np.where(pushes, law.e, 0.0), sticks)
        followed = law.laws[k] in PROCESSES and bool(law.friction[k])
        yield replace(phase, point=k, is_followed=followed)
        before = phase.after


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
    pushes = P[:, 0] - given > NEAR * float(np.abs(P).max())
    sticks = sticking(P, law.w, after, law.friction, law.reversed_slip)
    return _made(law, before, P, pushes, np.where(before[:, 0] < 0.0, e, 0.0), sticks)


def _made(
    law: CollisionLaw, before: Array, P: Array, pushes: Array, bounces: Array, sticks: Array
) -> ImpactPhase:
    """Return a phase of which it is known what pushes and sticks."""
    done = _pushed(law, P)
    return ImpactPhase(P, before, before + law.D @ done.change, done, pushes, bounces, sticks)


def _pushed(law: CollisionLaw, P: Array) -> Jump:
    """Return what impulses (s, 3) do."""
    return pushed(law.M, law.J, law.D.reshape(P.size, -1), P.ravel())
