"""Rows of constraints in a configuration that these allow, where symbols do not tell their rank."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.expr.rank import row_basis
from poinsot.front.drawable_system import pictured
from poinsot.front.system import System
from poinsot.spatial import Array

INSTANTS: Final = (0.0, 0.31, 0.73, 1.9)
"""Instants at which a driven system is looked at [s]: at one it may be in a dead point."""


def rows_where_allowed(system: System, q: Array | None) -> Array | None:
    """Return the Jacobian of the constraints where these hold, shape (rows, nv).

    Of several instants the one where it is best conditioned.  None where no configuration is found.

    Args:
        system: The system; parameters without a number get one.
        q: The configuration, shape (nq,); one that the constraints allow by default.
    """
    drawable = pictured(system)
    if drawable is None:
        return None
    numeric, shown = drawable
    if q is not None:
        return np.asarray(numeric.constraint_jacobian(q))
    jacobians: list[Array] = []
    for t in INSTANTS if numeric.mechanism.depends_on_time else INSTANTS[:1]:
        try:
            jacobians.append(numeric.constraint_jacobian(numeric.assemble(shown, t=t), t=t))
        except PoinsotError:
            continue
    return max(jacobians, key=_conditioning, default=None)


def _conditioning(J: Array) -> tuple[int, float]:
    basis, _ = row_basis(J)
    return basis.rank, basis.conditioning
