"""Large systems that force elements tie together, of kinds that differ in their numbers only."""

from collections.abc import Callable

import numpy as np

import poinsot as ps

Rng = np.random.Generator


def net(
    n: int, joint: Callable[[Rng], ps.Revolute | ps.Universal], force: Callable[[Rng, int], object]
) -> ps.System:
    """Return ``n`` bodies in a binary tree, each with an element to the next or on itself.

    Args:
        n: Number of bodies.
        joint: Makes a joint.
        force: Makes the element of a body, given its number.
    """
    rng = np.random.default_rng(2)
    bodies = [
        ps.Body(f"b{i}", f"b{(i - 1) // 2}" if i else "world", joint(rng),
                ps.Pose(rng.normal(size=3), quat=rng.normal(size=4)), 1.0,
                rng.normal(size=3), (0.3, 0.4, 0.5))
        for i in range(n)
    ]  # fmt: skip
    return ps.System("net", bodies, forces=[force(rng, i) for i in range(n - 1)])


def hinge(rng: Rng) -> ps.Revolute:
    """Return a hinge about any axis."""
    return ps.Revolute(rng.normal(size=3))


def spring(rng: Rng, i: int) -> ps.Spring:
    """Return a spring with a damper from a body to the next."""
    ends = (f"b{i}", rng.normal(size=3)), (f"b{i + 1}", rng.normal(size=3))
    return ps.Spring(*ends, *rng.uniform(0.1, 1.0, 3))


def pull(rng: Rng, i: int) -> ps.ConstantForce:
    """Return a constant force and couple on a body."""
    return ps.ConstantForce(f"b{i}", rng.normal(size=3), rng.normal(size=3), point=(1, 0, i))


def wave(rng: Rng, i: int) -> ps.FormulaForce:
    """Return a force that depends on time, place and velocity."""
    a, b, c = rng.uniform(0.1, 9.0, 3)
    return ps.FormulaForce(f"b{i}", (f"{a}*sin({b}*t + x)", f"-{c}*vy", 0), point=(0, i, 0))
