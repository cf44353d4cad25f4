"""The mechanisms that are measured: those of the library, and chains in which nothing is zero."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

import poinsot as ps
from poinsot.library import chain, humanoid, n_four_bar, stewart_platform
from tests.nets import hinge, net, pull, spring, wave

METHODS = {
    "inverse_dynamics": ("q", "v", "a"),
    "forward_dynamics": ("q", "v", "tau"),
    "mass_matrix": ("q",),
}
"""The methods that are measured and their inputs."""

INPUTS = METHODS | {
    "bias": ("q", "v"),
    "potential_energy": ("q",),
    "inverse_dynamics_derivatives": ("q", "v", "a"),
    "forward_dynamics_derivatives": ("q", "v", "tau"),
    "inverse_dynamics_second_derivatives": ("q", "v", "a"),
}
"""Those of which only the first call is measured as well."""


@dataclass(frozen=True)
class Subject:
    """A system to measure, and how much of it.

    Attributes:
        make: Makes the system.
        batch: States in a batch: fewer for long chains, so that a call takes milliseconds.
        in_pinocchio: Whether Pinocchio can hold it: its ``Data`` has 6 nv³ numbers, 48 GB for 1000
            joints and 48 TB for 10 000.
        matrix: Whether to ask for the mass matrix.
        matrices: Whether to ask for a batch of them.
    """

    make: Callable[[], ps.System]
    batch: int = 4096
    in_pinocchio: bool = True
    matrix: bool = True
    matrices: bool = True

    def methods(self) -> list[str]:
        """Return the methods to measure."""
        return [name for name in METHODS if self.matrix or name != "mass_matrix"]

    def has_batch(self, method: str) -> bool:
        """Say whether a method is measured on a batch."""
        return self.matrices or method != "mass_matrix"


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


SUBJECTS = {
    "chain of 7": Subject(lambda: chain(7)),
    "general chain of 7": Subject(lambda: general_chain(7)),
    "chain of 30": Subject(lambda: chain(30)),
    "general chain of 30": Subject(lambda: general_chain(30)),
    "humanoid": Subject(humanoid),
    "chain of 100": Subject(lambda: chain(100), batch=256),
    "chain of 1000": Subject(lambda: chain(1000), 64, in_pinocchio=False, matrices=False),
    "chain of 10000": Subject(
        lambda: chain(10_000), 16, in_pinocchio=False, matrix=False, matrices=False
    ),
}
"""Every system that is measured, by name."""

LOADED = {
    "400 hinges, 399 springs": Subject(lambda: net(400, hinge, spring)),
    "1000 hinges, 999 springs": Subject(lambda: net(1000, hinge, spring)),
    "400 hinges, 399 constant forces": Subject(lambda: net(400, hinge, pull)),
    "300 hinges, 299 formulas": Subject(lambda: net(300, hinge, wave)),
    "25 universal joints, 24 springs": Subject(lambda: net(25, _cross, spring)),
}
"""Large systems with force elements, of which the first calls are measured."""


def _cross(rng: np.random.Generator) -> ps.Universal:
    return ps.Universal(rng.normal(size=3), rng.normal(size=3))


def random_states(system: ps.System, method: str, count: int) -> dict[str, np.ndarray]:
    """Return states for a method, positions as the joints allow and all else normal."""
    rng = np.random.default_rng(7)
    return {
        name: np.array([system.random(rng) for _ in range(count)])
        if name == "q"
        else rng.normal(size=(count, system.nv))
        for name in INPUTS[method]
    }


def stewart_platforms(n: int) -> ps.System:
    """Return n platforms of Stewart and Gough side by side: 13 n bodies, 18 n rows."""
    platform = stewart_platform()
    system = platform
    for k in range(1, n):
        pose = ps.Pose((2.0 * k, 0.0, 0.0))
        system = system.attach(platform, to="world", prefix=f"{k} ", pose=pose)
    return system


def free_chain() -> ps.System:
    """Return the chain of a thousand joints whose masses have a free factor."""
    return with_free_mass(chain(1000))


def free_loops() -> ps.System:
    """Return 499 parallelograms, 999 bodies, whose masses have a free factor."""
    return with_free_mass(n_four_bar(499))


def with_free_mass(system: ps.System) -> ps.System:
    """Return a system with the masses times a parameter that is an input."""
    factor = ps.symbols("factor")
    bodies = [replace(body, mass=factor * body.mass) for body in system.bodies]
    return ps.System(system.name, bodies, gravity=system.gravity, loops=system.loops)
