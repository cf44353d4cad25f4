"""The motion that constraints alone determine, and the way to a configuration that closes.

Where drives leave no degree of freedom, velocity and acceleration follow from the configuration:

    J v = -drift,       J a = -gamma(q, v),         J step = -phi

All three have the same rows, which are factored once.  Masses take no part: lengths of motions are
those of their entries [m, rad].
"""

from __future__ import annotations

import numpy as np

from poinsot.expr.rank_tolerances import WELL_CONDITIONED
from poinsot.formulations.constrained.closed_quantities import Tree
from poinsot.formulations.constrained.constraint_rows import all_rows
from poinsot.formulations.constrained.dynamics import Factor, held_by, row_error
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array


def driven_state(mechanism: Mechanism, q: Array, environment: Environment, *, tree: Tree) -> Array:
    """Return [phi, step, v, a] of the constraints at q, shape (m + 3 nv,).

    The shortest ``step`` of Newton's method towards phi = 0, and the shortest velocity and
    acceleration that the constraints allow; of rows that depend on others nothing is asked.

    Args:
        mechanism: The bodies, loops, constraints and drives.
        q: Configuration [m or rad], shape (nq,).
        environment: Its time counts.
        tree: The dynamics of the tree, which takes no part.
    """
    del tree
    nv, t = mechanism.nv, environment.t
    still = np.zeros(nv)
    rows = all_rows(mechanism, q, still, t)
    plain = Factor(np.eye(nv), np.ones(nv), list(range(nv)), is_tree=False)
    off = row_error(rows.phi, rows.J)
    on = held_by(plain, rows.J, mechanism.row_slices, off, clear=WELL_CONDITIONED)
    v = on.solution(still, -rows.drift).a
    gamma = all_rows(mechanism, q, v, t).gamma
    return np.concatenate([rows.phi, on.shortest(-rows.phi), v, on.solution(still, -gamma).a])
