"""How large columns of the matrix K of a unit can be, whatever its position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.expr import Scalar
from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array


def column_scales(unit: Unit, linkage: PlanarLinkage) -> list[Scalar]:
    """Return squared scales of the columns of K, three for each body.

    1 for velocities of origins; for an angular velocity the squared distances between the joints of
    the unit on the body [m²], which are one bar's length in a dyad of pins; where they coincide,
    as in a block, the squared levers of all joints of the linkage.
    """
    scales: list[Scalar] = []
    for body in unit.bodies:
        names = [pair.name for pair in (*unit.outer, *unit.inner)]
        joints = [linkage.by_name[name] for name in names if name in linkage.by_name]
        points = [joint.point(str(body)) for joint in joints if body in (joint.a, joint.b)]
        square = _sum_of_squares([point - points[0] for point in points[1:]])
        if is_zero(square):
            square = _sum_of_squares([np.asarray(x) for j in linkage.joints for x in (j.pa, j.pb)])
        scales += [1.0, 1.0, 1.0 if is_zero(square) else square]
    return scales


def _sum_of_squares(vectors: Sequence[Array]) -> Scalar:
    entries = [entry for vector in vectors for entry in np.asarray(vector).ravel().tolist()]
    total: Scalar = 0.0
    for entry in entries:
        total = total + entry * entry
    return total
