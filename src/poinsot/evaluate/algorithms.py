"""Which algorithms answer a request, by formulation and mechanism."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.formulation import formulation_of
from poinsot.evaluate.quantity import Algorithm, Quantity
from poinsot.evaluate.registry import quantity_of
from poinsot.evaluate.regular_mass_matrix import weight_of_rows
from poinsot.evaluate.request import Request
from poinsot.expr import Rolled
from poinsot.model import Holonomic, Mechanism, Nonholonomic


def algorithms_of(mechanism: Mechanism, request: Request) -> tuple[Algorithm, ...]:
    """Return the algorithms that answer a request.

    Raises:
        ModelError: Something can move without mass, so accelerations are not determined.
    """
    quantity = quantity_of(request.quantity)
    formulation = formulation_of(request.method, quantity.name)
    if quantity.is_closed(mechanism) and quantity.name not in formulation.on_floats:
        return (_on_tree(mechanism, quantity, request.method),)
    return formulation.algorithms.get(quantity.name, quantity.algorithms)


def cheapest(mechanism: Mechanism, algorithms: tuple[Algorithm, ...]) -> Algorithm:
    """Return the algorithm that is estimated to take the fewest operations."""
    if len(algorithms) == 1:
        return algorithms[0]
    return min(algorithms, key=lambda algorithm: algorithm.cost(mechanism))


def has_own_algorithm(mechanism: Mechanism, request: Request) -> bool:
    """Say whether the formulation of a request, or a tree of it, computes the quantity."""
    name = request.quantity
    in_formulation = name in formulation_of(request.method, name).algorithms
    return in_formulation or (bool(mechanism.closures) and quantity_of(name).closed is not None)


def rolled_form(mechanism: Mechanism, name: str) -> Callable[..., Rolled] | None:
    """Return the function that makes the rolled form of a quantity; None if there is none.

    Constraints on all coordinates at once have none, forces and constraints that name a joint which
    closes a loop, and what is solved on a tree whose mass matrix is singular, or may be.
    """
    quantity = quantity_of(name)
    if (quantity.loaded or name == "potential_energy") and mechanism.names_cut_joints:
        return None
    form = quantity.rolled_closed if mechanism.closures else quantity.rolled
    if form is None or (form is quantity.rolled and not quantity.is_closed(mechanism)):
        return form
    if any(isinstance(constraint, Holonomic | Nonholonomic) for constraint in mechanism.closures):
        return None
    if quantity.solves and not _is_regular(mechanism):
        return None
    return form


def _on_tree(mechanism: Mechanism, quantity: Quantity, method: str) -> Algorithm:
    """Return the algorithm of a quantity built on a formulation of trees."""
    from poinsot.formulations.constrained.closed_quantities import Tree

    weight = weight_of_rows(mechanism) if quantity.solves else 0.0
    algorithms = formulation_of(method, quantity.name).algorithms
    mass_matrix, bias = (algorithms[name][0].compute for name in ("mass_matrix", "bias"))
    if quantity.closed is None:
        raise ValueError(f"{quantity.name} does not rest on a tree")
    return Algorithm(partial(quantity.closed, tree=Tree(mass_matrix, bias, weight)))


@lru_cache(maxsize=64)
@np.errstate(over="ignore", invalid="ignore")  # values that are not finite are rejected
def _is_regular(mechanism: Mechanism) -> bool:
    """Say whether the mass matrix is regular, without evaluating it where possible.

    Free parameters are 1 here: then it is regular for almost all values.  Where they cannot be 1 it
    is unknown.
    """
    from poinsot.formulations.recursive.resistance import every_joint_resists

    try:
        mechanism = mechanism.at(dict.fromkeys(mechanism.parameter_inputs, 1.0))
    except ModelError:
        return False
    return every_joint_resists(mechanism) or weight_of_rows(mechanism) == 0.0
