"""What can be asked of a mechanism: which arrays go in, and the formulations that answer.

A quantity may have several ways to compute it; those that may be the cheapest are traced and the
one with the fewest operations is taken.  Each quantity has a rolled form for large systems.
Formulations are named here by module and function and imported when they are first run: what lies
in the disk cache as machine code never needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from poinsot.expr import Rolled
from poinsot.lazy import when_called
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


def _in(home: str) -> Callable[..., Any]:
    """Return a function of the formulations, ``"energy:momentum"``, imported when it is called."""
    return when_called(f"poinsot.formulations.{home}")


def _forward(mass_matrix: Callable[..., Any], matrix_cost: Cost) -> Way:
    return Way(
        partial(_in("recursive.factored:factored_forward_dynamics"), mass_matrix=mass_matrix),
        lambda mechanism: matrix_cost(mechanism) + _in("recursive.cost:solve_cost")(mechanism),
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
        "q v a",
        _in("recursive.inverse:inverse_dynamics"),
        _in("recursive.rolled:rolled_inverse_dynamics"),
        loaded=True,
    ),
    "bias": _quantity(
        "q v", _in("recursive.inverse:bias"), _in("recursive.rolled:rolled_bias"), loaded=True
    ),
    "gravity_force": _quantity(
        "q", _in("recursive.inverse:gravity_force"), _in("recursive.rolled:rolled_gravity_force")
    ),
    "tilted_gravity_force": _quantity(
        "q gravity",
        _in("recursive.inverse:gravity_force"),
        _in("recursive.rolled:rolled_tilted_gravity_force"),
    ),
    "mass_matrix": Quantity(
        ("q",),
        (
            Way(
                _in("recursive.composite:mass_matrix_along_paths"), _in("recursive.cost:paths_cost")
            ),
            Way(_in("recursive.composite:mass_matrix_in_base"), _in("recursive.cost:base_cost")),
        ),
        _in("recursive.rolled_mass:rolled_mass_matrix"),
    ),
    "forward_dynamics": Quantity(
        ("q", "v", "tau"),
        (
            _forward(
                _in("recursive.composite:mass_matrix_along_paths"), _in("recursive.cost:paths_cost")
            ),
            _forward(
                _in("recursive.composite:mass_matrix_in_base"), _in("recursive.cost:base_cost")
            ),
            Way(
                _in("recursive.articulated:articulated_forward_dynamics"),
                _in("recursive.cost:articulated_cost"),
            ),
        ),
        _in("recursive.rolled_articulated:rolled_forward_dynamics"),
        loaded=True,
    ),
    "position_rate": _quantity(
        "q v", _in("position:position_rate"), _in("rolled_kinematics:rolled_position_rate")
    ),
    "kinetic_energy": _quantity(
        "q v", _in("energy:kinetic_energy"), _in("rolled_kinematics:rolled_kinetic_energy")
    ),
    "potential_energy": _quantity(
        "q", _in("energy:potential_energy"), _in("rolled_kinematics:rolled_potential_energy")
    ),
    "gravity_energy": _quantity(
        "q", _in("energy:gravity_energy"), _in("rolled_kinematics:rolled_gravity_energy")
    ),
    "centre_of_mass": _quantity(
        "q", _in("energy:centre_of_mass"), _in("rolled_kinematics:rolled_centre_of_mass")
    ),
    "momentum": _quantity("q v", _in("energy:momentum"), _in("rolled_kinematics:rolled_momentum")),
    "regressor": Quantity(
        ("q", "v", "a"),
        (Way(_in("regressor:regressor")),),
        None,
        length=_in("regressor:regressor_cost"),
    ),
    "energy_regressor": Quantity(("q", "v"), (Way(_in("regressor:energy_regressor")),), None),
    "pose": _quantity("q", _in("kinematics:pose"), _in("rolled_kinematics:rolled_pose")),
    "velocity": _quantity(
        "q v point", _in("kinematics:velocity"), _in("rolled_kinematics:rolled_velocity")
    ),
    "acceleration": _quantity(
        "q v a point", _in("kinematics:acceleration"), _in("rolled_kinematics:rolled_acceleration")
    ),
    "jacobian": _quantity(
        "q point", _in("jacobians:jacobian"), _in("rolled_kinematics:rolled_jacobian")
    ),
    "jacobian_rate": _quantity(
        "q v point", _in("jacobians:jacobian_rate"), _in("rolled_kinematics:rolled_jacobian_rate")
    ),
}
"""Quantities that every mechanism has."""

OF_CLOSURES: Final[Mapping[str, Quantity]] = {
    "constraint_residual": _closed("q", _in("constrained.rows:constraint_residual")),
    "constraint_rate": _closed("q v", _in("constrained.rows:constraint_rate")),
    "constraint_bias": _closed("q v", _in("constrained.rows:constraint_bias")),
    "constraint_jacobian": _closed("q", _in("constrained.rows:constraint_jacobian")),
    "multipliers": _closed("q v tau"),
    "motion_multipliers": _closed("q v a tau"),
    "driven_dynamics": _closed("q v a"),
    "mixed_dynamics": _closed("q v a tau"),
    "projected_state": _closed("q v"),
    "reactions": _closed(
        "q v a lam",
        partial(_in("constrained.reactions:reactions"), tree=_in("newton_euler:reactions")),
    ),
    "multiplier_reactions": _closed("q lam", _in("constrained.reactions:multiplier_reactions")),
    "closure_position": _closed("q", _in("constrained.coordinates:closure_position")),
    "closure_velocity": _closed("q v", _in("constrained.coordinates:closure_velocity")),
    "closure_acceleration": _closed("q v a", _in("constrained.coordinates:closure_acceleration")),
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
