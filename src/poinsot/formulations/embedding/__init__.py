"""Constraint embedding: the equations of motion in independent velocities [RBDA, chapter 8].

The constraints J a + gamma = 0 have the solutions a = Z y' + a_0, with J Z = 0: y' are the
accelerations of as many velocities as the mechanism has degrees of freedom.  Projected onto Z the
multipliers drop out,

    Zᵀ M Z y' = Zᵀ (tau - bias - M a_0).

``tree`` gives M and the bias of the tree as sums over its bodies, ``reduced`` chooses y and solves.
Without constraints Z = 1.
"""

from poinsot.formulations.embedding.reduced import forward_dynamics
from poinsot.formulations.embedding.tree import bias, inverse_dynamics, mass_matrix

__all__ = ["bias", "forward_dynamics", "inverse_dynamics", "mass_matrix"]
