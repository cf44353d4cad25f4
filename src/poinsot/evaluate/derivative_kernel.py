"""Kernels of derivatives: straight, or tangents of rolled programs where those are long."""

from __future__ import annotations

from poinsot.errors import ProgramError
from poinsot.evaluate.algorithms import rolled_form
from poinsot.evaluate.derivative import (
    BASE_AXES,
    DIFFERENTIATED,
    PER_COORDINATE,
    base_of_parameters,
    further_inputs,
    motions_of,
    trace_derivative,
)
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.registry import quantity_of
from poinsot.evaluate.request import Derivative, Request
from poinsot.evaluate.trace import (
    LONGEST_STRAIGHT,
    NODES_PER_OPERATION,
    parameter_symbols,
    trace_rolled,
)
from poinsot.expr import Rolled, TooManyNodesError, fresh_symbols, nodes_at_most, tangent
from poinsot.expr.node import ZERO
from poinsot.expr.rolled_code import Code
from poinsot.expr.rolled_tangent import DIRECTION, with_tangents
from poinsot.expr.staged_program import QuantityStage, rolled_program_of
from poinsot.kernels.kernel import AbstractKernel, Recipe
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.model import Mechanism
from poinsot.model.environment import BASE

LONGEST_DENSE = 20_000
"""Operations up to which a derivative is one straight program."""

LONGEST_ROLLABLE = 15_000
"""The same along one direction, where it can be rolled: 20 000 take 2 s to compile."""


def derivative_kernel(mechanism: Mechanism, request: Request, key: str | None) -> AbstractKernel:
    """Return the kernel of a derivative.

    Straight where that is short; else, of one along directions or by time, the tangent of the
    rolled program, of its tangent, ...

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
    has_tangents = all(asked.along) and _has_tangents(mechanism, request)
    may_roll = has_tangents and not asked.weighted
    longest = LONGEST_STRAIGHT if all(asked.along) else LONGEST_DENSE
    if may_roll or (has_tangents and request.quantity in PER_COORDINATE):
        longest = LONGEST_ROLLABLE
    try:
        if quantity_of(request.quantity).length(mechanism) > longest:
            raise TooManyNodesError(f"{request.quantity} is too long, its derivatives are longer")
        with nodes_at_most(int(NODES_PER_OPERATION * longest)):
            program = trace_derivative(mechanism, request, longest)
        if program.n_operations > longest:
            raise TooManyNodesError(f"{request.quantity}: this derivative is too long")
        return LlvmKernel(Recipe(lambda: program, key))
    except TooManyNodesError:
        if not may_roll:
            raise
        return RolledKernel(_rolled_tangent(mechanism, request, asked))


def _has_tangents(mechanism: Mechanism, request: Request) -> bool:
    """Say whether a quantity has a rolled form that can be differentiated.

    Routines, by which some closed systems project their states, have no derivative.
    """
    if rolled_form(mechanism, request.quantity) is None:
        return False
    if not mechanism.closures and request.quantity not in DIFFERENTIATED:
        return True
    try:
        rolled = _differentiable(mechanism, request)
    except ProgramError:  # parameters where it may have none, or too many rows
        return False
    return all(isinstance(code, Code) for code in rolled.codes)


def _rolled_tangent(mechanism: Mechanism, request: Request, asked: Derivative) -> Rolled:
    """Return the rolled program of a derivative along directions, or of one by time.

    What changes besides the argument itself are the directions of derivatives before it, where they
    depend on q: rates of coordinates.
    """
    rolled = _differentiable(mechanism, request)
    (output,) = rolled.outputs
    inputs = {port.name: fresh_symbols(port.name, port.size) for port in rolled.inputs}
    inputs |= {key: x for key, x in parameter_symbols(mechanism).items() if key in inputs}
    known, further = dict(inputs), further_inputs(mechanism, request, inputs)
    if asked.turned:
        known[BASE] = base_of_parameters(mechanism, inputs[BASE], further[BASE_AXES])
    for k, (symbols, rates) in enumerate(motions_of(mechanism, request, inputs, further)):
        moved = {key: tangent(x, symbols, rates) for key, x in known.items()}
        moving = {key: x for key, x in moved.items() if any(rate is not ZERO for rate in x)}
        opening = f"{k}:{DIRECTION}"
        rolled = with_tangents(rolled, moving, opening)
        known |= {f"{opening}{key}": x for key, x in moving.items()}
    results = fresh_symbols("tangent", output.size)
    stage = QuantityStage(rolled, tuple(known[port.name] for port in rolled.inputs), results)
    free = {key: inputs.pop(key) for key in (PARAMETERS,) if key in inputs}
    outputs = {request.quantity: results.reshape(output.shape)}
    return rolled_program_of(inputs | further | free, outputs, [stage])


def _differentiable(mechanism: Mechanism, request: Request) -> Rolled:
    """Return the rolled program of the quantity that is differentiated."""
    _, form = DIFFERENTIATED.get(request.quantity, (None, None))
    return trace_rolled(mechanism, request.with_derivative(None), form)
