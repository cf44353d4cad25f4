"""States that constraints allow, from a few given numbers."""

import numpy as np

CLOSED = 1e-9
"""Largest residual of positions and rates that counts as closed [m or rad, per s]."""


def velocity(system, q, known):
    """Return the velocities with those of some numbers given that the constraints allow.

    Args:
        system: The system.
        q: A closed configuration.
        known: Velocities by number.

    Raises:
        ValueError: If q is not closed, or the given velocities do not determine the others.
    """
    missed = np.abs(system.constraint_residual(q)).max(initial=0.0)
    if missed > CLOSED:
        raise ValueError(f"the loops are not closed: {missed:.1e}")
    still = np.zeros(system.nv)
    J = np.concatenate([system.constraint_jacobian(q), np.eye(system.nv)[list(known)]])
    demand = np.concatenate([-system.constraint_rate(q, still), list(known.values())])
    v, _, rank, _ = np.linalg.lstsq(J, demand, rcond=None)
    if rank < system.nv or np.abs(J @ v - demand).max() > CLOSED:
        raise ValueError(f"velocities {known} do not determine the others")
    return v
