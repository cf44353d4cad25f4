"""Random systems with constraints whose rows are nearly parallel, and the same without them.

Of two relations f = 0 and g = 0 between the coordinates of a random tree, f + part g = 0 follows.
Its row is parallel to that of f up to that part, and stands before that of g in some of them.
"""

from dataclasses import dataclass

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

import poinsot as ps
from tests.strategies import random_mechanism

JOINTS = ("revolute", "prismatic", "cylindrical", "universal", "translation", "planar")
"""Joints whose coordinates are as many as their velocities."""
ORDERS = (("f", "both", "g"), ("both", "f", "g"), ("f", "g", "both"), ("g", "both", "f"))
WORST_CONDITION = 1e4
"""Of the mass matrix, and of the two rows."""


@dataclass(frozen=True)
class NearlyParallel:
    """A system of three constraints, the same of two, and a state in which they hold.

    Attributes:
        system: With the constraint that follows from the others.
        plain: Without it.
        q: A configuration.
        v: A velocity that the constraints allow.
        part: How far from parallel two rows are.
    """

    system: ps.System
    plain: ps.System
    q: np.ndarray
    v: np.ndarray
    part: float


def nearly_parallel():
    """Random systems, parallel up to 1e-13 to 1e-4."""
    return st.builds(
        parallel_system,
        seed=st.integers(0, 2**32 - 1),
        n_bodies=st.integers(2, 4),
        power=st.floats(-13.0, -4.0),
        order=st.sampled_from(ORDERS),
    )


def parallel_system(seed, n_bodies, power, order):
    """Return the system that belongs to a seed.

    Args:
        seed: Of everything random.
        n_bodies: Bodies of the tree.
        power: Logarithm of how far from parallel two rows are.
        order: Names of the constraints, as listed.
    """
    rng = np.random.default_rng(seed)
    tree = random_mechanism(rng, n_bodies, kinds=JOINTS, passive=False)
    assume(tree.nv >= 3)
    q, part = tree.random(rng), 10.0**power
    weights = rng.uniform(-1, 1, (4, tree.nq))

    def relation(a, b):
        def value(x, _):
            return a @ np.sin(x) + b @ x - (a @ np.sin(q) + b @ q)

        return value

    f, g = relation(*weights[:2]), relation(*weights[2:])
    known = {"f": f, "g": g, "both": lambda x, t: f(x, t) + part * g(x, t)}
    three = [ps.Holonomic(name, known[name]) for name in order]
    gravity = tuple(tree.gravity)
    system = ps.System("three", tree.bodies, gravity=gravity, constraints=three)
    two = [one for one in three if one.name != "both"]
    plain = ps.System("two", tree.bodies, gravity=gravity, constraints=two)
    J = plain.constraint_jacobian(q)
    assume(max(np.linalg.cond(J), np.linalg.cond(plain.mass_matrix(q))) < WORST_CONDITION)
    v = rng.uniform(-1, 1, tree.nv)
    return NearlyParallel(system, plain, q, v - np.linalg.pinv(J) @ (J @ v), part)
