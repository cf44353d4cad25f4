"""Derivatives of the dynamics by inertial parameters: through the regressor, where that is shorter.

Joint forces are linear in the inertial parameters pi of the bodies, tau = Y(q, v, a) pi(p), so

    ∂tau/∂p = Y ∂pi/∂p,        ∂a/∂p = -(∂a/∂tau) Y ∂pi/∂p

for parameters p that stand in masses, centres of mass and inertias only; under constraints too, as
their rows do not depend on them.  Nothing is differentiated but pi(p).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poinsot.evaluate.algorithms import algorithms_of, cheapest
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.request import RECURSIVE, Request
from poinsot.evaluate.trace import WORTH_TRYING, parameter_symbols, state_symbols
from poinsot.expr import jacobian
from poinsot.formulations.dynamics_derivatives import forward_dynamics_by_inertias
from poinsot.formulations.recursive.inertial_columns import (
    columns_in_link_axes,
    columns_in_one_frame,
    cost_in_link_axes,
    cost_in_one_frame,
    inertia_changes,
)
from poinsot.model import Environment, Mechanism
from poinsot.model.parameters import names_in
from poinsot.spatial import Array

FEW: Final = 10
"""Velocities up to which both routes are traced, as the shorter one is told by its count only."""

QUANTITIES: Final = frozenset({"inverse_dynamics", "bias", "gravity_force", "forward_dynamics"})


@dataclass(frozen=True)
class InertialRoute:
    """A derivative through the regressor.

    Attributes:
        cost: About how many operations it takes.
        trace: () -> the symbols of the inputs, parameters apart, and the derivative of them.
    """

    cost: float
    trace: Callable[[], tuple[dict[str, Array], Array]]


def inertial_routes(mechanism: Mechanism, request: Request) -> list[InertialRoute]:
    """Return the routes through the regressor that are worth a trace, for the last argument.

    None where it is along a direction, where its product with weights is asked for (differentiation
    backwards is short then), and where parameters stand elsewhere than in inertias.
    """
    asked = request.derivative
    if asked is None or not asked.by or asked.weighted or asked.along[-1]:
        return []
    if request.quantity not in QUANTITIES or request.method != RECURSIVE:
        return []
    free, name = parameter_symbols(mechanism), asked.by[-1]
    if not free or not (name == PARAMETERS or name in mechanism.parameter_inputs):
        return []
    names = mechanism.parameter_inputs if name == PARAMETERS else (name,)
    if not set(names).isdisjoint(outside_inertias(mechanism)):
        return []
    symbols = free[PARAMETERS][[mechanism.parameter_inputs.index(x) for x in names]]
    changes = inertia_changes(mechanism, symbols)
    routes = []
    for compute, cost in (
        (columns_in_link_axes, cost_in_link_axes), (columns_in_one_frame, cost_in_one_frame)
    ):  # fmt: skip
        columns = partial(compute, columns=changes, count=len(names))
        length = cost(mechanism, changes) + _further_cost(mechanism, request, len(names))
        traced = partial(_traced, mechanism, request, columns, is_single=name != PARAMETERS)
        routes.append(InertialRoute(length, traced))
    least = min(route.cost for route in routes)
    return [route for route in routes if route.cost <= WORTH_TRYING * least]


def outside_inertias(mechanism: Mechanism) -> set[str]:
    """Return the parameters and states that stand elsewhere than in the inertias of bodies."""
    places = [(body.pose, body.joint) for body in mechanism.bodies]
    others = (mechanism.gravity, mechanism.forces, mechanism.closures, mechanism.states)
    in_texts = (name for force in mechanism.forces for name in force.parameters)
    return {*names_in((*places, *others)), *in_texts, *mechanism.state_values}


def _traced(
    mechanism: Mechanism, request: Request, columns: Callable[..., Array], *, is_single: bool
) -> tuple[dict[str, Array], Array]:
    """Return the symbols of the inputs and the derivative."""
    name = request.quantity
    inputs, environment = state_symbols(mechanism, request.with_derivative(None))
    loads = environment or Environment.of(mechanism)
    q, still = inputs["q"], np.zeros(mechanism.nv)
    v = inputs.get("v", still)
    if name != "forward_dynamics":
        result = columns(mechanism, q, v, inputs.get("a", still), loads)
    elif mechanism.closures:
        algorithm = cheapest(mechanism, algorithms_of(mechanism, request))
        a = algorithm.compute(mechanism, q, v, inputs["tau"], loads)
        result = -jacobian(a, inputs["tau"]) @ columns(mechanism, q, v, a, loads)
    else:
        result = forward_dynamics_by_inertias(
            mechanism, q, v, inputs["tau"], loads, columns=columns
        )
    return inputs, np.asarray(result[:, 0] if is_single else result)


def _further_cost(mechanism: Mechanism, request: Request, count: int) -> float:
    """Return about how many operations forward dynamics and the solution for columns take."""
    if request.quantity != "forward_dynamics":
        return 0.0
    algorithm = cheapest(mechanism, algorithms_of(mechanism, request))
    n = mechanism.nv
    return algorithm.cost(mechanism) + n**2 * (count + (4 * n if mechanism.closures else 0))
