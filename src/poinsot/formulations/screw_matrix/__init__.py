"""The screw-matrix method [Liu1988]: A q'' = B by incidence, path and joint-axis matrices.

``symbols`` holds the matrices of the paper, ``equations`` the equations of motion; ``blocks`` is
the arithmetic of sparse block matrices.
"""

from poinsot.formulations.screw_matrix.equations import (
    bias,
    forward_dynamics,
    inverse_dynamics,
    mass_matrix,
)

__all__ = ["bias", "forward_dynamics", "inverse_dynamics", "mass_matrix"]
