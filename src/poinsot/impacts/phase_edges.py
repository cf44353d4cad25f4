"""Impacts at the edge of two cases, which have one-sided derivatives only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.impacts.collision_law import CollisionLaw
from poinsot.impacts.impact_law import pushed
from poinsot.impacts.impact_phase import NEAR, ImpactPhase
from poinsot.impacts.law_names import PRINTED
from poinsot.spatial import Array

__all__ = ["WHERE", "check_edges"]

WHERE: Final = "derivatives of a collision"
"""Opens messages of errors."""
ONE_SIDED: Final = "there are one-sided derivatives only"


def check_edges(law: CollisionLaw, phases: Sequence[ImpactPhase]) -> None:
    """Raise :class:`ModelError` where a point is at the edge of two cases, in any of the phases."""
    may_pull = set(law.laws) == {PRINTED} and not law.friction.any()
    for phase in phases:
        if phase.point is not None:
            _check_order(law, phase.before, phase.point)
        elif may_pull:
            continue
        else:
            _check_pushes(law, phase)
        if not phase.is_followed:
            _check_friction(law, phase)
    if phases and phases[-1].point is not None:
        _check_end(law, phases[-1].after, phases[-1].point)


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


def _check_pushes(law: CollisionLaw, phase: ImpactPhase) -> None:
    """Reject points that neither push nor are let go, and those that rest before a rebound."""
    e = law.e if phase.kind == "velocities" else np.zeros(len(law.e))
    speed = max(float(np.abs(law.w).max()), float(np.abs(phase.after).max()))
    least = np.maximum(0.0, -e * phase.before[:, 0])
    edge = ~phase.pushes & (np.abs(phase.after[:, 0] - least) <= NEAR * speed)
    if edge.any():
        raise ModelError(
            f"{WHERE}: point {_name(law, edge)} neither pushes nor is let go; {ONE_SIDED}: leave "
            "it out, or change the state a little"
        )
    rests = phase.pushes & (e > 0.0) & (np.abs(phase.before[:, 0]) <= NEAR * speed)
    if rests.any():
        raise ModelError(
            f"{WHERE}: point {_name(law, rests)} rests before the impact, neither closing nor "
            f"opening; {ONE_SIDED}: set its restitution to 0, or change the state a little"
        )


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


def _check_end(law: CollisionLaw, after: Array, last: int) -> None:
    """Reject points that may be hit once more after the last impact of a sequence."""
    others = (np.arange(len(law.names)) != last) | (law.e[last] > 0.0)
    still = np.abs(after[:, 0]) <= NEAR * float(np.abs(law.w).max())
    edge = others & still & law.D[:, 0].any(axis=1)
    if edge.any():
        raise ModelError(
            f"{WHERE}: point {_name(law, edge)} neither closes nor opens after the last impact of "
            f"the sequence, and may be hit once more; {ONE_SIDED}: set order='simultaneous', or "
            "change the state a little"
        )


def _name(law: CollisionLaw, which: Array) -> str:
    """Return the name of the first of some points."""
    return repr(law.names[int(np.argmax(which))])
