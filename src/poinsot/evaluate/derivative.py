"""Derivatives of quantities, of any order, by differentiation of their programs.

With e_α the unit vectors of the space of velocities and q ⊕ δ = ``integrate(q, δ)``,

    D_α f(q) = d/ds f(q ⊕ s e_α) at s = 0 = (∂f/∂q) N(q) e_α,      qdot = N(q) v

is the derivative by q; that by any other argument is the usual one.  Beyond order 1 an entry is the
iterated D_α(D_β f).  Where joints have quaternions these do not commute.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.algorithms import rolled_form
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.quantity import Algorithm
from poinsot.evaluate.registry import quantity_of
from poinsot.evaluate.request import RECURSIVE, Derivative, Request, request_for
from poinsot.evaluate.trace import (
    LONGEST_STRAIGHT,
    NODES_PER_OPERATION,
    parameter_symbols,
    trace,
    trace_algorithm,
    trace_rolled,
)
from poinsot.expr import (
    Program,
    Rolled,
    TooManyNodesError,
    build,
    derivatives_along,
    fresh_symbols,
    garbage_collection_paused,
    nodes_at_most,
    optimise,
    symbol,
    tangent,
)
from poinsot.expr.derivative import jacobian
from poinsot.expr.replay import replay
from poinsot.expr.rolled_tangent import DIRECTION, with_tangents
from poinsot.expr.staged_program import QuantityStage, rolled_program_of
from poinsot.formulations.dynamics_derivatives import has_second_closed_form
from poinsot.formulations.position_rate import position_rate, tangent_basis
from poinsot.kernels.kernel import AbstractKernel, Recipe
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.lazy import when_called
from poinsot.model import Mechanism
from poinsot.spatial import Array

WEIGHTS = "weights"
"""Name of the input of the weights of a weighted derivative."""


def direction_name(k: int) -> str:
    """Return the name of the input of the direction for the argument of this number."""
    return f"along{k}"


def rate_name(k: int) -> str:
    """Return the name of the input of the k-th rate behind those that a quantity depends on."""
    return f"rate{k}"


def motion_arguments(asked: str, quantity: str, inputs: tuple[str, ...]) -> int:
    """Return on how many of q, v and a a quantity depends, that is differentiated along a motion.

    Args:
        asked: Opens the message of an error.
        quantity: Its name.
        inputs: Names of its inputs.

    Raises:
        ModelError: If it depends on anything else.
    """
    if not inputs or inputs != ("q", "v", "a")[: len(inputs)]:
        raise ModelError(
            f"{asked}: {quantity} is a function of {', '.join(inputs)}; for a derivative along a "
            "motion it must be one of q, of q and v, or of q, v and a"
        )
    return len(inputs)


UNMASKED: Final = {
    "constraint_jacobian": (
        Algorithm(
            when_called("poinsot.formulations.constrained.constraint_rows:unmasked_jacobian")
        ),
        when_called("poinsot.formulations.constrained.rolled_least_norm:rolled_unmasked_jacobian"),
    )
}
"""Quantities of which less is a zero where they are differentiated: straight and rolled.

A row of J that vanishes at a singular configuration is a zero there, and its derivative is not."""


def symmetric_part(second: Array) -> Array:
    """Return the symmetric part of second derivatives in their last two axes, in their shape.

    With e_α and e_β in turn it is d²/dδ_α dδ_β f(q ⊕ δ) at δ = 0, whose order does not count.
    """
    return np.asarray(0.5 * (second + np.swapaxes(second, -1, -2)))


LONGEST_DENSE = 20_000
"""Operations up to which a derivative is one straight program."""

LONGEST_ROLLABLE = 15_000
"""The same along one direction, where it can be rolled: 20 000 take 2 s to compile."""

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


def derivative_kernel(mechanism: Mechanism, request: Request, key: str | None) -> AbstractKernel:
    """Return the kernel of a derivative.

    Straight where that is short; else, of a first derivative along a direction, the tangent of the
    rolled program, whose direction of q is a rate of the coordinates.

    Args:
        mechanism: The bodies.
        request: The quantity with its derivative.
        key: Of the disk cache; None: nothing is kept.

    Raises:
        TooManyNodesError: If it would be too long, and there is no rolled form.
    """
    straight = LlvmKernel(Recipe(lambda: trace_derivative(mechanism, request), key))
    if straight.is_cached:
        return straight
    asked = request.derivative
    assert asked is not None
    is_tangent = asked.along == (True,) and not asked.weighted and not asked.rate
    may_roll = is_tangent and rolled_form(mechanism, request.quantity) is not None
    longest = LONGEST_STRAIGHT if all(asked.along) else LONGEST_DENSE
    longest = LONGEST_ROLLABLE if may_roll else longest
    try:
        if quantity_of(request.quantity).length(mechanism) > longest:
            raise TooManyNodesError(f"{request.quantity} is too long, its derivatives are longer")
        with nodes_at_most(int(NODES_PER_OPERATION * longest)):
            program = trace_derivative(mechanism, request)
        return LlvmKernel(Recipe(lambda: program, key))
    except TooManyNodesError:
        if not may_roll:
            raise
        return RolledKernel(_rolled_tangent(mechanism, request, asked.by[0]))


def _rolled_tangent(mechanism: Mechanism, request: Request, by: str) -> Rolled:
    """Return the rolled program of a first derivative along a direction.

    The direction is the input before the parameters; that of q is a rate of the coordinates.
    """
    _, form = UNMASKED.get(request.quantity, (None, None))
    rolled = trace_rolled(mechanism, request.with_derivative(None), form)
    inputs = {port.name: fresh_symbols(port.name, port.size) for port in rolled.inputs}
    name = by if by in inputs else PARAMETERS
    along = fresh_symbols(direction_name(0), inputs[name].size if name == by else 1)
    direction = along
    if name != by:  # one of the parameters
        direction = np.array([along[0] if x == by else 0.0 for x in mechanism.parameter_inputs])
    tangents = with_tangents(rolled, [name])
    known = inputs | {f"{DIRECTION}{name}": direction}
    results = fresh_symbols("tangent", rolled.outputs[0].size)
    stage = QuantityStage(tangents, tuple(known[port.name] for port in tangents.inputs), results)
    free = {key: inputs.pop(key) for key in (PARAMETERS,) if key in inputs}
    outputs = {request.quantity: results.reshape(rolled.outputs[0].shape)}
    return rolled_program_of(inputs | {direction_name(0): along} | free, outputs, [stage])


@garbage_collection_paused()
def trace_derivative(mechanism: Mechanism, request: Request) -> Program:
    """Return the program of a derivative; for few joints the shorter one of two.

    Its inputs are those of the quantity, the weights, the directions, and the parameters.

    Args:
        mechanism: The bodies; its parameters are inputs, all of them free.
        request: The quantity with its derivative.
    """
    closed = _closed_form(mechanism, request)
    if closed is None:
        return _trace_graph(mechanism, request)
    if mechanism.nv > FEW:
        return closed
    return min(_trace_graph(mechanism, request), closed, key=lambda program: program.n_operations)


def _closed_form(mechanism: Mechanism, request: Request) -> Program | None:
    """Return a second derivative of inverse dynamics from its closed form, where there is one."""
    asked = request.derivative
    assert asked is not None
    is_dense = not (any(asked.along) or asked.weighted or asked.rate)
    known = request.quantity == "inverse_dynamics" and request.method == RECURSIVE
    if not (known and is_dense and asked.by in SECOND) or not has_second_closed_form(mechanism):
        return None
    name, (index, axes) = "inverse_dynamics_second_derivatives", SECOND[asked.by]
    inputs, tensors = _replayed(mechanism, request_for(name, loads=request.loads))
    result = np.transpose(tensors[index], axes)
    result = symmetric_part(result) if asked.symmetric else result
    return optimise(build(inputs | parameter_symbols(mechanism), {request.quantity: result}))


def _replayed(mechanism: Mechanism, request: Request) -> tuple[dict[str, Array], Array]:
    """Return symbols for the inputs of a quantity, parameters apart, and the quantity of them."""
    algorithm, _ = UNMASKED.get(request.quantity, (None, None))
    program = (
        trace_algorithm(mechanism, request, algorithm) if algorithm else trace(mechanism, request)
    )
    inputs = {
        port.name: fresh_symbols(port.name, port.size)
        for port in program.inputs
        if port.name != PARAMETERS
    }
    (result,) = replay(program, *(inputs | parameter_symbols(mechanism)).values())
    return inputs, np.asarray(result)


def _trace_graph(mechanism: Mechanism, request: Request) -> Program:
    """Return the program of a derivative by differentiation of that of the quantity."""
    asked = request.derivative
    assert asked is not None
    inputs, result = _replayed(mechanism, request.with_derivative(None))
    free = parameter_symbols(mechanism)
    if asked.rate:
        higher = [fresh_symbols(rate_name(k), mechanism.nv) for k in range(1, asked.rate + 1)]
        inputs |= {rate_name(k): rates for k, rates in enumerate(higher, 1)}
        result = _time_derivative(mechanism, result, inputs, asked.rate)
    further: dict[str, Array] = {}
    if asked.weighted:
        weights = fresh_symbols(WEIGHTS, result.size)
        further[WEIGHTS] = weights
        result = np.asarray(np.dot(weights, np.ravel(result)))
    result = _differentiated(mechanism, result, asked, inputs, further)
    return optimise(build(inputs | further | free, {request.quantity: result}))


def _differentiated(
    mechanism: Mechanism, result: Array, asked: Derivative, inputs: dict[str, Array],
    further: dict[str, Array],
) -> Array:  # fmt: skip
    """Return the derivatives of a result, the last argument first; directions join the inputs."""
    directions = {
        k: fresh_symbols(direction_name(k), size_of(mechanism, name, inputs))
        for k, (name, along) in enumerate(zip(asked.by, asked.along, strict=True))
        if along
    }
    further |= {direction_name(k): along for k, along in directions.items()}
    dense = 0
    for k in reversed(range(len(asked.by))):
        symbols, basis = _argument(mechanism, asked.by[k], inputs)
        if k in directions:
            rates = directions[k] if basis is None else basis @ directions[k]
            result = np.asarray(tangent(result, symbols, np.reshape(rates, symbols.shape)))
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


def _time_derivative(
    mechanism: Mechanism, result: Array, inputs: dict[str, Array], order: int
) -> Array:
    """Return a total derivative by time, of q, v, a, ... that are each other's rates.

    What comes behind the last one that the quantity depends on is ``rate1``, ``rate2``, ...
    """
    chain = [inputs[name] for name in ("q", "v", "a") if name in inputs]
    chain += [inputs[rate_name(k)] for k in range(1, order + 1)]
    rates = [position_rate(mechanism, chain[0], chain[1]), *chain[2:]]
    symbols = np.concatenate(chain[:-1])
    along = np.concatenate(rates)
    if "t" in inputs:
        symbols, along = np.append(symbols, inputs["t"]), np.append(along, 1.0)
    for _ in range(order):
        result = np.asarray(tangent(result, symbols, along))
    return result
