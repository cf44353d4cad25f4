"""Rows of loops that are zero in every configuration, such as those across the plane of linkages.

Straight-line code has no operations on them, since they fold to zeros.  Rolled code leaves them out
where it can: a planar loop has two rows then, not five.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from poinsot.expr.rank_tolerances import ZERO_ROW
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.model import Loop, Mechanism

MOST_LOOPS = 1000
"""Loops up to which they are looked at, at half a millisecond each."""


@lru_cache(maxsize=64)
def remaining_rows(mechanism: Mechanism) -> Mapping[int, tuple[int, ...]]:
    """Return, by number of the loop, its rows that are not always zero; of some loops only.

    Other constraints, and joints of other packages, are left alone: their functions may be flat in
    places.
    """
    loops = {c: x for c, x in enumerate(mechanism.closures) if isinstance(x, Loop)}
    if mechanism.parameter_inputs or len(loops) > MOST_LOOPS:
        return {}
    joints = [body.joint for body in mechanism.bodies] + [loop.joint for loop in loops.values()]
    if not all(type(joint).__module__.startswith("poinsot.") for joint in joints):
        return {}
    # Sums of products of sines and cosines that vanish at a random configuration always do.
    q = mechanism.random(np.random.default_rng(1))
    view, remaining = MechanismView(mechanism, q, np.zeros(mechanism.nv), 0.0), {}
    for c, loop in loops.items():
        J = np.asarray(loop.rows(view).J, float)
        rows = np.flatnonzero(np.linalg.norm(J, axis=1) > ZERO_ROW)
        if 0 < len(rows) < len(J):
            remaining[c] = tuple(rows.tolist())
    return remaining
