"""The mechanisms that are measured: those of the library, and chains in which nothing is zero."""

import numpy as np

import poinsot as ps
from poinsot.library import chain, humanoid


def general_chain(n: int, *, seed: int = 0) -> ps.System:
    """Return a chain with random axes, placements, mass centres and full inertia tensors.

    Nothing in it can be folded away but what holds for every mechanism.

    Args:
        n: Number of revolute joints.
        seed: Seed of the random numbers.
    """
    rng = np.random.default_rng(seed)
    bodies = []
    for i in range(n):
        points = rng.normal(size=(8, 3)) * 0.1  # a cloud of equal point masses is a real body
        mass = rng.uniform(0.5, 3.0)
        centred = points - points.mean(axis=0)
        second = mass / len(points) * centred.T @ centred
        bodies.append(
            ps.Body(
                f"link {i + 1}",
                parent="world" if i == 0 else f"link {i}",
                joint=ps.Revolute(rng.normal(size=3)),
                pose=ps.Pose(rng.uniform(-0.3, 0.3, 3), quat=rng.normal(size=4)),
                mass=mass,
                com=points.mean(axis=0),
                inertia=np.trace(second) * np.eye(3) - second,
            )
        )
    return ps.System(f"general chain of {n}", bodies)


def mechanisms() -> list[ps.System]:
    """Return every system that is measured."""
    return [chain(7), general_chain(7), chain(30), general_chain(30), humanoid()]
