"""The screw-matrix method [Liu1988]: A q'' = B by incidence, path and joint-axis matrices.

Read ``symbols`` for the matrices of the paper, ``equations`` for what is made of them; ``blocks``
is the arithmetic of matrices of blocks, most of which are zero.
"""

from poinsot.formulations.screw_matrix.equations import (
    bias,
    forward_dynamics,
    inverse_dynamics,
    mass_matrix,
)

__all__ = ["bias", "forward_dynamics", "inverse_dynamics", "mass_matrix"]
