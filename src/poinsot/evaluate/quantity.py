"""What can be asked of a mechanism: which arrays go in, and the formulations that answer.

A quantity may have several ways to compute it; those that may be the cheapest are traced and the
one with the fewest operations is taken.  Each quantity has a rolled form for large systems.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from poinsot.expr import Rolled
from poinsot.formulations import energy, jacobians, kinematics, newton_euler, regressor
from poinsot.formulations import rolled_kinematics as rolled_bodies
from poinsot.formulations.constrained import coordinates, reactions, rows
from poinsot.formulations.position import position_rate
from poinsot.formulations.recursive import cost, inverse, rolled_articulated
from poinsot.formulations.recursive import rolled as rolled_links
from poinsot.formulations.recursive.articulated import articulated_forward_dynamics
from poinsot.formulations.recursive.composite import (
    mass_matrix_along_paths,
    mass_matrix_in_base,
)
from poinsot.formulations.recursive.factored import factored_forward_dynamics
from poinsot.formulations.recursive.rolled_mass import rolled_mass_matrix
from poinsot.model import Mechanism

Cost: TypeAlias = Callable[[Mechanism], float]


@dataclass(frozen=True)
class Way:
    """A way to compute a quantity.

    Attributes:
        compute: (mechanism, options..., array for each input) -> array or scalar of expressions.
        cost: About how many operations it takes; only asked where there are several ways.
    """

    compute: Callable[..., Any]
    cost: Cost = lambda _: 0.0


@dataclass(frozen=True)
class Quantity:
    """A quantity: its inputs by name (q, v, a, tau, point or gravity) and how to compute it.

    Attributes:
        inputs: Names of its inputs.
        ways: How to compute it.
        rolled: Its form for large systems; None: it has none.
        loaded: Whether surroundings, force elements among them, are part of it.
        length: About how many operations it takes; only asked where there is no rolled form.
    """

    inputs: tuple[str, ...]
    ways: tuple[Way, ...]
    rolled: Callable[..., Rolled] | None
    loaded: bool = False
    length: Cost = lambda _: 0.0


def _forward(mass_matrix: Callable[..., Any], matrix_cost: Cost) -> Way:
    return Way(
        partial(factored_forward_dynamics, mass_matrix=mass_matrix),
        lambda mechanism: matrix_cost(mechanism) + cost.solve_cost(mechanism),
    )


def _quantity(
    inputs: str,
    compute: Callable[..., Any],
    rolled: Callable[..., Rolled],
    *,
    loaded: bool = False,
) -> Quantity:
    return Quantity(tuple(inputs.split()), (Way(compute),), rolled, loaded)


def _closed(inputs: str, compute: Callable[..., Any] | None = None) -> Quantity:
    """Return a quantity of loops and constraints; without a function it rests on a tree's."""
    ways = (Way(compute),) if compute is not None else ()
    return Quantity(tuple(inputs.split()), ways, None, loaded=True)


OF_TREES: Final[Mapping[str, Quantity]] = {
    "inverse_dynamics": _quantity(
        "q v a", inverse.inverse_dynamics, rolled_links.rolled_inverse_dynamics, loaded=True
    ),
    "bias": _quantity("q v", inverse.bias, rolled_links.rolled_bias, loaded=True),
    "gravity_force": _quantity("q", inverse.gravity_force, rolled_links.rolled_gravity_force),
    "tilted_gravity_force": _quantity(
        "q gravity", inverse.gravity_force, rolled_links.rolled_tilted_gravity_force
    ),
    "mass_matrix": Quantity(
        ("q",),
        (
            Way(mass_matrix_along_paths, cost.paths_cost),
            Way(mass_matrix_in_base, cost.base_cost),
        ),
        rolled_mass_matrix,
    ),
    "forward_dynamics": Quantity(
        ("q", "v", "tau"),
        (
            _forward(mass_matrix_along_paths, cost.paths_cost),
            _forward(mass_matrix_in_base, cost.base_cost),
            Way(articulated_forward_dynamics, cost.articulated_cost),
        ),
        rolled_articulated.rolled_forward_dynamics,
        loaded=True,
    ),
    "position_rate": _quantity("q v", position_rate, rolled_bodies.rolled_position_rate),
    "kinetic_energy": _quantity("q v", energy.kinetic_energy, rolled_bodies.rolled_kinetic_energy),
    "potential_energy": _quantity(
        "q", energy.potential_energy, rolled_bodies.rolled_potential_energy
    ),
    "gravity_energy": _quantity("q", energy.gravity_energy, rolled_bodies.rolled_gravity_energy),
    "centre_of_mass": _quantity("q", energy.centre_of_mass, rolled_bodies.rolled_centre_of_mass),
    "momentum": _quantity("q v", energy.momentum, rolled_bodies.rolled_momentum),
    "regressor": Quantity(
        ("q", "v", "a"), (Way(regressor.regressor),), None, length=regressor.regressor_cost
    ),
    "energy_regressor": Quantity(("q", "v"), (Way(regressor.energy_regressor),), None),
    "pose": _quantity("q", kinematics.pose, rolled_bodies.rolled_pose),
    "velocity": _quantity("q v point", kinematics.velocity, rolled_bodies.rolled_velocity),
    "acceleration": _quantity(
        "q v a point", kinematics.acceleration, rolled_bodies.rolled_acceleration
    ),
    "jacobian": _quantity("q point", jacobians.jacobian, rolled_bodies.rolled_jacobian),
    "jacobian_rate": _quantity(
        "q v point", jacobians.jacobian_rate, rolled_bodies.rolled_jacobian_rate
    ),
}
"""Quantities that every mechanism has."""

OF_CLOSURES: Final[Mapping[str, Quantity]] = {
    "constraint_residual": _closed("q", rows.constraint_residual),
    "constraint_rate": _closed("q v", rows.constraint_rate),
    "constraint_bias": _closed("q v", rows.constraint_bias),
    "constraint_jacobian": _closed("q", rows.constraint_jacobian),
    "multipliers": _closed("q v tau"),
    "motion_multipliers": _closed("q v a tau"),
    "driven_dynamics": _closed("q v a"),
    "mixed_dynamics": _closed("q v a tau"),
    "projected_state": _closed("q v"),
    "reactions": _closed("q v a lam", partial(reactions.reactions, tree=newton_euler.reactions)),
    "multiplier_reactions": _closed("q lam", reactions.multiplier_reactions),
    "closure_position": _closed("q", coordinates.closure_position),
    "closure_velocity": _closed("q v", coordinates.closure_velocity),
    "closure_acceleration": _closed("q v a", coordinates.closure_acceleration),
}

"""Quantities of loops and constraints."""

QUANTITIES: Final[Mapping[str, Quantity]] = {**OF_TREES, **OF_CLOSURES}


def input_size(mechanism: Mechanism, name: str) -> int:
    """Return how many numbers an input has for one state."""
    sizes = {"q": mechanism.nq, "point": 3, "gravity": 3, "lam": len(mechanism.row_names)}
    return sizes.get(name, mechanism.nv)


UNNAMED: Final = frozenset(
    {
        *("gravity_energy", "tilted_gravity_force"),
        *("driven_dynamics", "motion_multipliers", "multiplier_reactions"),
        *("closure_position", "closure_velocity", "closure_acceleration"),
        "projected_state",
    }
)
"""Quantities that systems show under other names, or use inside."""
