"""Derivatives of quantities, of any order, by differentiation of their programs.

With e_α the unit vectors of the space of velocities and q ⊕ δ = ``integrate(q, δ)``,

    D_α f(q) = d/ds f(q ⊕ s e_α) at s = 0 = (∂f/∂q) N(q) e_α,      qdot = N(q) v

is the derivative by q; that by any other argument is the usual one.  Beyond order 1 an entry is the
iterated D_α(D_β f).  Where joints have quaternions these do not commute.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache, partial
from typing import Final

import numpy as np

from poinsot.evaluate.expected_length import MISJUDGED, expected_length, is_too_long
from poinsot.evaluate.inertial_derivative import FEW as FEW_OF_REGRESSOR
from poinsot.evaluate.inertial_derivative import InertialRoute, inertial_routes
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.motion_in_time import motion_in_time, rate_inputs
from poinsot.evaluate.quantity import Algorithm, Quantity
from poinsot.evaluate.registry import quantity_of
from poinsot.evaluate.request import RECURSIVE, Derivative, Request, request_for
from poinsot.evaluate.trace import (
    WORTH_TRYING,
    parameter_symbols,
    trace,
    trace_algorithm,
)
from poinsot.expr import (
    Program,
    Rolled,
    TooManyNodesError,
    build,
    derivatives_along,
    fresh_symbols,
    garbage_collection_paused,
    optimise,
    symbol,
    tangent,
)
from poinsot.expr.derivative import jacobian
from poinsot.expr.replay import replay, with_values
from poinsot.formulations.dynamics_derivatives import has_second_closed_form
from poinsot.formulations.position_rate import tangent_basis
from poinsot.lazy import when_called
from poinsot.model import Mechanism
from poinsot.model.environment import BASE
from poinsot.spatial import Array

_CONSTRAINED: Final = "poinsot.formulations.constrained"
_LEAST_NORM: Final = f"{_CONSTRAINED}.rolled_least_norm"

WEIGHTS = "weights"
"""Name of the input of the weights of a weighted derivative."""


SOLVED: Final = frozenset(
    {
        "actuator_forces",
        "driven_dynamics",
        "forward_dynamics",
        "mixed_dynamics",
        "motion_multipliers",
        "multipliers",
        "state_rates",
    }
)
"""Quantities for which the constraints are solved: next to a change of rank derivatives grow."""


PER_COORDINATE: Final = frozenset(
    {
        "bias",
        "driven_dynamics",
        "forward_dynamics",
        "gravity_force",
        "inverse_dynamics",
        "motion_multipliers",
        "multipliers",
    }
)
"""Quantities with few results: products with weights are as short behind their derivatives."""

BASE_AXES = "base_axes"
"""Name of the input that holds the rotation of the base and gravity in inertial axes: 9 and 3."""


def direction_name(k: int) -> str:
    """Return the name of the input of the direction for the argument of this number."""
    return f"along{k}"


_WRITTEN_OUT: Final = when_called(f"{_CONSTRAINED}.written_out:append_written_out")
DIFFERENTIATED: Final[Mapping[str, tuple[Algorithm | None, Callable[..., Rolled]]]] = {
    "constraint_jacobian": (
        Algorithm(when_called(f"{_CONSTRAINED}.constraint_rows:unmasked_jacobian")),
        when_called(f"{_LEAST_NORM}:rolled_unmasked_jacobian"),
    ),
    **{
        name: (None, partial(when_called(f"{_LEAST_NORM}:rolled_{name}"), append=_WRITTEN_OUT))
        for name in ("driven_dynamics", "motion_multipliers", "multipliers")
    },
    "mixed_dynamics": (
        None,
        partial(
            when_called(f"{_CONSTRAINED}.rolled_mixed_dynamics:rolled_mixed_dynamics"),
            append=_WRITTEN_OUT,
        ),
    ),
}
"""Quantities that have other forms where they are differentiated: straight, and rolled.

A row of J that vanishes at a singular configuration is a zero there, and its derivative is not.
Least-norm solutions by loops over rows have no derivative; written out they have one."""


def symmetric_part(second: Array) -> Array:
    """Return the symmetric part of second derivatives in their last two axes, in their shape.

    With e_α and e_β in turn it is d²/dδ_α dδ_β f(q ⊕ δ) at δ = 0, whose order does not count.
    """
    return np.asarray(0.5 * (second + np.swapaxes(second, -1, -2)))


FEW = 6
"""Velocities up to which differentiation may be shorter than a closed form: both are traced."""

SECOND = {
    ("q", "q"): (0, (0, 1, 2)),
    ("v", "v"): (1, (0, 1, 2)),
    ("q", "v"): (2, (0, 1, 2)),
    ("v", "q"): (2, (0, 2, 1)),
    ("a", "q"): (3, (0, 1, 2)),
    ("q", "a"): (3, (0, 2, 1)),
}
"""By what inverse dynamics has second derivatives in closed form: their number, and axes."""


@garbage_collection_paused()
def trace_derivative(mechanism: Mechanism, request: Request, longest: float = math.inf) -> Program:
    """Return the program of a derivative; for few joints the shorter one of two.

    Its inputs are those of the quantity, the weights, the directions, and the parameters.

    Args:
        mechanism: The bodies; its parameters are inputs, all of them free.
        request: The quantity with its derivative.
        longest: Operations beyond which it is of no use.

    Raises:
        TooManyNodesError: If differentiation would certainly take more of them.
    """
    routes = inertial_routes(mechanism, request)
    if routes:
        return _through_regressor(mechanism, request, longest, routes)
    closed = _closed_form(mechanism, request)
    if closed is None:
        return _trace_graph(mechanism, request, longest)
    if mechanism.nv > FEW:
        return closed
    return _shortest([_trace_graph(mechanism, request, longest), closed])


def _shortest(programs: list[Program]) -> Program:
    return min(programs, key=lambda program: program.n_operations)


def _through_regressor(
    mechanism: Mechanism, request: Request, longest: float, routes: list[InertialRoute]
) -> Program:
    """Return a derivative by inertial parameters, through the regressor unless that is longer."""
    asked = request.derivative
    assert asked is not None
    least = min(route.cost for route in routes)
    graph = expected_length(mechanism, asked, trace(mechanism, request.with_derivative(None)))
    programs = []
    is_unknown = graph == 0 and request.quantity == "forward_dynamics"
    if mechanism.nv <= FEW_OF_REGRESSOR or is_unknown or 0 < graph <= WORTH_TRYING * least:
        with suppress(TooManyNodesError):
            programs.append(_trace_graph(mechanism, request, longest))
    if mechanism.nv <= FEW_OF_REGRESSOR or not 0 < WORTH_TRYING * graph < least:
        if least > MISJUDGED * longest and not programs:
            raise TooManyNodesError(f"{request.quantity}: this derivative is too long")
        for route in routes:
            inputs, first = route.trace()
            programs.append(_finished(mechanism, request, inputs, first, done=1))
    return _shortest(programs)


def _closed_form(mechanism: Mechanism, request: Request) -> Program | None:
    """Return a second derivative of inverse dynamics from its closed form, where there is one."""
    asked = request.derivative
    assert asked is not None
    is_dense = not (any(asked.along) or asked.weighted or asked.rate)
    known = request.quantity == "inverse_dynamics" and request.method == RECURSIVE
    if not (known and is_dense and asked.by in SECOND) or not has_second_closed_form(mechanism):
        return None
    name, (index, axes) = "inverse_dynamics_second_derivatives", SECOND[asked.by]
    inputs, tensors = _replayed(mechanism, trace(mechanism, request_for(name, loads=request.loads)))
    result = np.transpose(tensors[index], axes)
    result = symmetric_part(result) if asked.symmetric else result
    return optimise(build(inputs | parameter_symbols(mechanism), {request.quantity: result}))


def _replayed(mechanism: Mechanism, program: Program) -> tuple[dict[str, Array], Array]:
    """Return symbols for the inputs of a quantity, parameters apart, and the quantity of them."""
    inputs = {
        port.name: fresh_symbols(port.name, port.size)
        for port in program.inputs
        if port.name != PARAMETERS
    }
    (result,) = replay(program, *(inputs | parameter_symbols(mechanism)).values())
    return inputs, np.asarray(result)


def _trace_graph(mechanism: Mechanism, request: Request, longest: float) -> Program:
    """Return the program of a derivative by differentiation of that of the quantity."""
    asked = request.derivative
    assert asked is not None
    program = _differentiable(
        mechanism, request.with_derivative(None), quantity_of(request.quantity)
    )
    if is_too_long(mechanism, asked, program, longest):
        raise TooManyNodesError(f"{request.quantity}: this derivative is too long")
    return _finished(mechanism, request, *_replayed(mechanism, program), done=0)


@lru_cache(maxsize=1)
def _differentiable(mechanism: Mechanism, request: Request, quantity: Quantity) -> Program:
    """Return the program that is differentiated; what is too long as a whole is asked for again.

    Args:
        mechanism: The bodies.
        request: The quantity, without its derivative.
        quantity: What is registered under its name.
    """
    algorithm, _ = DIFFERENTIATED.get(quantity.name, (None, None))
    return (
        trace_algorithm(mechanism, request, algorithm) if algorithm else trace(mechanism, request)
    )


def _finished(
    mechanism: Mechanism, request: Request, inputs: dict[str, Array], result: Array, *, done: int
) -> Program:
    """Return the program of a derivative, by differentiation of a result.

    Args:
        mechanism: The bodies.
        request: The quantity with its derivative.
        inputs: Symbols of the inputs, parameters apart.
        result: The quantity, or its derivative by the last arguments.
        done: By how many of them.
    """
    asked = request.derivative
    assert asked is not None
    free = parameter_symbols(mechanism)
    further = further_inputs(mechanism, request, inputs)
    if asked.turned:
        base = base_of_parameters(mechanism, inputs[BASE], further[BASE_AXES])
        result = with_values(result, inputs[BASE], base)
    if asked.weighted:
        weights = fresh_symbols(WEIGHTS, result.size)
        further = {WEIGHTS: weights} | further
        result = np.asarray(np.dot(weights, np.ravel(result)))
    if all(asked.along):
        for symbols, rates in motions_of(mechanism, request, inputs, further):
            result = np.asarray(tangent(result, symbols, rates))
    else:
        result = _differentiated(mechanism, result, asked, inputs, further, done=done)
    return optimise(build(inputs | further | free, {request.quantity: result}))


def further_inputs(
    mechanism: Mechanism, request: Request, inputs: dict[str, Array]
) -> dict[str, Array]:
    """Return symbols for what a derivative depends on besides: rates, directions, base axes."""
    asked = request.derivative
    assert asked is not None
    further = rate_inputs(mechanism, request)
    for k, (name, along) in enumerate(zip(asked.by, asked.along, strict=True)):
        if along:
            size = size_of(mechanism, name, inputs)
            further[direction_name(k)] = fresh_symbols(direction_name(k), size)
    if asked.turned:
        further[BASE_AXES] = fresh_symbols(BASE_AXES, 12)
    return further


def base_of_parameters(mechanism: Mechanism, base: Array, axes: Array) -> Array:
    """Return the motion of a base whose gravity changes with the parameters p, shape (15,).

        g_B = g_B' + Rᵀ (g(p) - g'),        g_B' and g' being its values

    Args:
        mechanism: The bodies, and g(p) in inertial axes.
        base: The motion of the base, g_B' first, shape (15,).
        axes: The rotation R of the base, by rows, and g', shape (12,).
    """
    change = axes[:9].reshape(3, 3).T @ (np.array(mechanism.gravity) - axes[9:])
    return np.concatenate([base[:3] + change, base[3:]])


def motions_of(
    mechanism: Mechanism, request: Request, inputs: dict[str, Array], further: dict[str, Array]
) -> list[tuple[Array, Array]]:
    """Return what moves and how fast for each derivative of one along directions or by time.

    The first is that to be taken first.
    """
    asked = request.derivative
    assert asked is not None
    if asked.rate:
        return [motion_in_time(mechanism, request, inputs, further)] * asked.rate
    motions = []
    for k in reversed(range(len(asked.by))):
        symbols, basis = _argument(mechanism, asked.by[k], inputs)
        motions.append((symbols, _rates(symbols, basis, further[direction_name(k)])))
    return motions


def _rates(symbols: Array, basis: Array | None, direction: Array) -> Array:
    """Return how fast the symbols of an argument change along a direction."""
    return np.reshape(direction if basis is None else basis @ direction, symbols.shape)


def _differentiated(
    mechanism: Mechanism, result: Array, asked: Derivative, inputs: dict[str, Array],
    further: dict[str, Array], *, done: int,
) -> Array:  # fmt: skip
    """Return the derivatives of a result, the last argument first, with an axis for each.

    Of ``done`` arguments it has been taken already.
    """
    todo = len(asked.by) - done
    dense = asked.by[todo:].count(PARAMETERS)
    for k in reversed(range(todo)):
        symbols, basis = _argument(mechanism, asked.by[k], inputs)
        if asked.along[k]:
            rates = _rates(symbols, basis, further[direction_name(k)])
            result = np.asarray(tangent(result, symbols, rates))
        elif basis is None:
            result = np.asarray(jacobian(result, symbols))
            dense += symbols.ndim
        else:
            result = derivatives_along(result, symbols, basis)
            dense += 1
    first = result.ndim - dense
    result = np.transpose(result, (*range(first), *reversed(range(first, result.ndim))))
    return symmetric_part(result) if asked.symmetric else result


def _argument(
    mechanism: Mechanism, name: str, inputs: dict[str, Array]
) -> tuple[Array, Array | None]:
    """Return the symbols of an argument, and for q the directions in which it is varied."""
    if name == "q":
        return inputs["q"], tangent_basis(mechanism, inputs["q"])
    if name == PARAMETERS:
        return parameter_symbols(mechanism)[PARAMETERS], None
    if name in inputs and name != "t":
        return inputs[name], None
    alone = np.empty((), dtype=object)  # the time, a parameter or a state: no axis
    alone[()] = inputs["t"][0] if name == "t" and "t" in inputs else symbol(name)
    return alone, None


def size_of(mechanism: Mechanism, name: str, inputs: dict[str, Array]) -> int:
    """Return how many numbers a direction has for one argument."""
    if name == "q":
        return mechanism.nv
    if name == PARAMETERS:
        return len(mechanism.parameter_inputs)
    return len(inputs[name]) if name in inputs else 1
