"""What the tests of the disk cache share."""

import numpy as np

import poinsot as ps
from poinsot.evaluate.evaluator import evaluators_of
from poinsot.kernels.digest import digest

KEY = digest("a key")
OTHER = digest("another key")
HEADER = {"ports": [["q", [7]]], "n": 3}
IMAGE = bytes(range(256)) * 8


def pendulum():
    """Return a pendulum that knows of no code in this process."""
    evaluators_of.cache_clear()
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -0.5))
    return ps.System("pendulum", [rod])


def is_right(system):
    """Say whether code, for one state and for many, gives the mass matrix m l² = 0.5."""
    return np.all(system.mass_matrix(np.zeros(1)) == 0.5) and np.all(
        system.mass_matrix(np.zeros((9, 1))) == 0.5
    )
