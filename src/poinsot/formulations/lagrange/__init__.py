"""Lagrange's equations with named partial derivatives [Huang1997], over any scalar.

Read ``derivatives`` for the recursions along the paths, ``equations`` for what is made of them.
"""

from poinsot.formulations.lagrange.equations import (
    bias,
    forward_dynamics,
    inverse_dynamics,
    mass_matrix,
)

__all__ = ["bias", "forward_dynamics", "inverse_dynamics", "mass_matrix"]
