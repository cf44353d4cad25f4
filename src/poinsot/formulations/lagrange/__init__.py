"""Lagrange's equations with named partial derivatives [Huang1997], over any scalar.

``derivatives`` holds the recursions along the paths, ``equations`` the equations of motion.
"""

from poinsot.formulations.lagrange.equations import (
    bias,
    forward_dynamics,
    inverse_dynamics,
    mass_matrix,
)

__all__ = ["bias", "forward_dynamics", "inverse_dynamics", "mass_matrix"]
