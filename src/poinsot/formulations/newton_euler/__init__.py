"""Newton's and Euler's equations of all bodies, the joints as constraints [Schiehlen1997].

Every body is free at first: six equations about its mass centre, in its own axes,

    M̄ A + q̄c = q̄e + q̄r,

with the block diagonal mass matrix M̄ of all bodies (6n x 6n), their accelerations A (rates of the
components of the velocities V = [v; w] at the mass centres), gyroscopic forces q̄c, applied forces
q̄e and reactions q̄r.  On a base at rest the joints allow only V = J̄ v (the explicit form of the
constraints), J̄ (6n x nv) the global Jacobian.

Two algorithms follow.  ``projected``: J̄ᵀ q̄r = 0, so that M = J̄ᵀ M̄ J̄ and so on, over any scalar.
``augmented``: the joint constraints are appended to the equations, the reactions become unknowns,
and a sparse system is solved numerically for the accelerations of all bodies and the multipliers.
``bodies`` is common to both.
"""

from poinsot.formulations.newton_euler.augmented import forward_dynamics
from poinsot.formulations.newton_euler.projected import (
    bias,
    inverse_dynamics,
    mass_matrix,
    reactions,
)

__all__ = ["bias", "forward_dynamics", "inverse_dynamics", "mass_matrix", "reactions"]
