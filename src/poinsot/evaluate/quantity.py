"""What can be asked of a mechanism: which arrays go in, and the formulations that answer.

A quantity may have several ways to compute it; all are traced and the one with the fewest
operations is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from poinsot.formulations import energy, kinematics
from poinsot.formulations.position import position_rate
from poinsot.formulations.recursive import inverse
from poinsot.formulations.recursive.articulated import articulated_forward_dynamics
from poinsot.formulations.recursive.composite import (
    mass_matrix_along_paths,
    mass_matrix_in_base,
)
from poinsot.formulations.recursive.factored import factored_forward_dynamics
from poinsot.model import Mechanism

Way: TypeAlias = Callable[..., Any]
"""(mechanism, array for each input) -> array or scalar of expressions."""


@dataclass(frozen=True)
class Quantity:
    """A quantity: its inputs by name (q, v, a, tau or point) and the ways to compute it."""

    inputs: tuple[str, ...]
    ways: tuple[Way, ...]


QUANTITIES: Final[Mapping[str, Quantity]] = {
    "inverse_dynamics": Quantity(("q", "v", "a"), (inverse.inverse_dynamics,)),
    "bias": Quantity(("q", "v"), (inverse.bias,)),
    "gravity_force": Quantity(("q",), (inverse.gravity_force,)),
    "mass_matrix": Quantity(("q",), (mass_matrix_along_paths, mass_matrix_in_base)),
    "forward_dynamics": Quantity(
        ("q", "v", "tau"),
        (
            partial(factored_forward_dynamics, mass_matrix=mass_matrix_along_paths),
            partial(factored_forward_dynamics, mass_matrix=mass_matrix_in_base),
            articulated_forward_dynamics,
        ),
    ),
    "position_rate": Quantity(("q", "v"), (position_rate,)),
    "kinetic_energy": Quantity(("q", "v"), (energy.kinetic_energy,)),
    "potential_energy": Quantity(("q",), (energy.potential_energy,)),
    "gravity_energy": Quantity(("q",), (energy.gravity_energy,)),
    "centre_of_mass": Quantity(("q",), (energy.centre_of_mass,)),
    "momentum": Quantity(("q", "v"), (energy.momentum,)),
    "pose": Quantity(("q",), (kinematics.pose,)),
    "velocity": Quantity(("q", "v", "point"), (kinematics.velocity,)),
    "acceleration": Quantity(("q", "v", "a", "point"), (kinematics.acceleration,)),
    "jacobian": Quantity(("q", "point"), (kinematics.jacobian,)),
    "jacobian_rate": Quantity(("q", "v", "point"), (kinematics.jacobian_rate,)),
}


def input_size(mechanism: Mechanism, name: str) -> int:
    """Return how many numbers an input has for one state."""
    return {"q": mechanism.nq, "point": 3}.get(name, mechanism.nv)
