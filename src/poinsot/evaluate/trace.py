"""From a request to a program: run algorithms on symbols, keep the shortest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

import numpy as np

from poinsot.errors import PoinsotError, ProgramError
from poinsot.evaluate.algorithms import algorithms_of, cheapest, rolled_form
from poinsot.evaluate.inputs import PARAMETERS, input_size
from poinsot.evaluate.quantity import Algorithm
from poinsot.evaluate.registry import quantity_of
from poinsot.evaluate.request import RECURSIVE, Request
from poinsot.expr import (
    Port,
    Program,
    Rolled,
    TooManyNodesError,
    build,
    fresh_symbols,
    garbage_collection_paused,
    nodes_at_most,
    optimise,
    symbol,
)
from poinsot.expr.rolled_parameters import with_parameters
from poinsot.kernels.kernel import Signature
from poinsot.model import Environment, LoadInputs, Mechanism
from poinsot.spatial import Array

WORTH_TRYING = 1.5
"""Algorithms whose estimated cost is within this factor of the least are traced and counted."""

FEW = 40
"""Bodies, velocities and force elements up to which a system is not rolled.

Programs of so small a system compile in about a second, but for those with a length of their own
(``Quantity.length``).
"""

ROLLED_ABOVE = 20_000
"""Operations above which a quantity is rolled; a number that is read or stored counts as two.

A straight program of this length takes about 1.2 s from the trace to the code for one state; rolled
it is up to 1.7 times slower to run (30 joints), and as fast from about 100 joints on.  Rows of
loops and constraints are traced with the whole of J, whose entries count too.
"""

WORTH_A_TRACE = 2.0
"""Operations of a rolled program of loops and constraints, in terms of the longest straight one, up
to which the straight one is traced.

It is shorter where loops are planar, up to four times: it has no operation on zeros.  Its length
is known when it has been traced, at 0.1 s per 10 000 nodes.
"""

NODES_PER_OPERATION = 2.5
"""Nodes of a graph for each operation of its program, at most: a longer trace is given up."""


LONGEST_STRAIGHT = 100_000
"""Operations above which a quantity without a rolled form is not compiled; 10 s of compilation."""


PER_VELOCITY: Final = frozenset({"bias", "forward_dynamics", "inverse_dynamics"})
"""Quantities with one number per velocity, which take no environment where nothing acts."""
PER_ROW: Final = frozenset({"motion_multipliers"})
"""Quantities with one number for each row of the constraints."""


def trace(mechanism: Mechanism, request: Request) -> Program:
    """Return the program of a quantity, that of its algorithm with the fewest operations.

    Args:
        mechanism: The bodies; its parameters are inputs, all of them free.
        request: The quantity and its options.
    """
    algorithms = algorithms_of(mechanism, request)
    costs = (
        [algorithm.cost(mechanism) for algorithm in algorithms] if len(algorithms) > 1 else [0.0]
    )
    return min(
        (
            trace_algorithm(mechanism, request, algorithm)
            for algorithm, cost in zip(algorithms, costs, strict=True)
            if cost <= WORTH_TRYING * min(costs)
        ),
        key=lambda program: program.n_operations,
    )


@garbage_collection_paused()
def trace_algorithm(mechanism: Mechanism, request: Request, algorithm: Algorithm) -> Program:
    """Return the program of a quantity by one given algorithm."""
    name = request.quantity
    inputs, environment = state_symbols(mechanism, request)
    state: list[Any] = [inputs[key] for key in quantity_of(name).inputs]
    state += [] if environment is None else [environment]
    result = algorithm.compute(mechanism, *request.options, *state)
    return optimise(build(inputs | parameter_symbols(mechanism), {name: result}))


def state_symbols(
    mechanism: Mechanism, request: Request
) -> tuple[dict[str, Array], Environment | None]:
    """Return symbols for the inputs of a quantity, parameters apart, and its environment.

    The environment is None where the algorithms do without (:func:`takes_loads`).
    """
    inputs = {
        key: fresh_symbols(key, input_size(mechanism, key))
        for key in quantity_of(request.quantity).inputs
    }
    if not takes_loads(mechanism, request):
        return inputs, None
    sizes = request.loads.inputs(mechanism)
    inputs |= {key: fresh_symbols(key, size) for key, size in sizes.items()}
    return inputs, loaded_environment(mechanism, request.loads, inputs)


def parameter_symbols(mechanism: Mechanism) -> dict[str, Array]:
    """Return the input of free parameters by name, if there are some: the symbols themselves."""
    if not mechanism.parameter_inputs:
        return {}
    return {
        PARAMETERS: np.array([symbol(name) for name in mechanism.parameter_inputs], dtype=object)
    }


def on_floats(mechanism: Mechanism, request: Request) -> tuple[Callable[..., Array], Signature]:
    """Return a quantity as a function on the floats of one state, and its signature."""
    name = request.quantity
    algorithm = cheapest(mechanism, algorithms_of(mechanism, request))
    keys = quantity_of(name).inputs
    sizes = {key: input_size(mechanism, key) for key in keys}
    loaded = takes_loads(mechanism, request)
    if loaded:
        sizes |= request.loads.inputs(mechanism)
    if mechanism.parameter_inputs:
        sizes[PARAMETERS] = len(mechanism.parameter_inputs)

    def compute(*arrays: Array) -> Array:
        given = dict(zip(sizes, arrays, strict=True))
        values = given.pop(PARAMETERS, np.empty(0)).tolist()
        numeric = mechanism.at(dict(zip(mechanism.parameter_inputs, values, strict=True)))
        environment = (loaded_environment(numeric, request.loads, given),) if loaded else ()
        state = (given[key] for key in keys)
        return np.array(algorithm.compute(numeric, *request.options, *state, *environment), float)

    def function(*arrays: Array) -> Array:
        return compute(*arrays).ravel()

    if name in PER_VELOCITY:
        shape: tuple[int, ...] = (mechanism.nv,)
    elif name in PER_ROW:
        shape = (len(mechanism.row_names),)
    else:
        still = [np.zeros(size) for size in sizes.values()][1:]  # the first input is q
        shape = compute(mechanism.neutral(), *still).shape
    ports = tuple(Port(key, (size,)) for key, size in sizes.items())
    return function, Signature(ports, (Port(name, shape),), 0)


def takes_loads(mechanism: Mechanism, request: Request) -> bool:
    """Say whether an algorithm takes the environment; without loads a shorter form may do."""
    quantity = quantity_of(request.quantity)
    if not quantity.loaded:
        return False
    if request.method != RECURSIVE or request.loads != LoadInputs():
        return True
    is_loaded = bool(mechanism.forces or mechanism.closures or mechanism.depends_on_time)
    return is_loaded or quantity.name not in PER_VELOCITY


def is_too_long(mechanism: Mechanism, name: str) -> bool:
    """Say whether a straight program would be too long to compile, and there is no other."""
    if quantity_of(name).length(mechanism) <= LONGEST_STRAIGHT or mechanism.free_parameters:
        return False
    return rolled_form(mechanism, name) is None


def loaded_environment(
    mechanism: Mechanism, load_inputs: LoadInputs, given: Mapping[str, Array]
) -> Environment:
    """Return the environment with all external loads and force elements."""
    from poinsot.formulations.constrained.constraint_rows import with_closures
    from poinsot.formulations.forces import with_elements

    environment = load_inputs.environment(mechanism, given)
    q, v = given["q"], given.get("v", np.zeros(mechanism.nv))
    environment = with_elements(mechanism, q, v, environment)
    return with_closures(mechanism, q, v, environment)


@garbage_collection_paused()
def trace_rolled(
    mechanism: Mechanism, request: Request, form: Callable[..., Rolled] | None = None
) -> Rolled:
    """Return the rolled program of a quantity; ``form`` makes it, by default the quantity's own."""
    name = request.quantity
    rolled = form or rolled_form(mechanism, name)
    if rolled is None:
        scope = " with loops and constraints like these" if mechanism.closures else ""
        raise PoinsotError(
            f"{name}: {mechanism.name!r}: this quantity{scope} has no rolled form; "
            "choose backend='auto'"
        )
    loads = (request.loads,) if request.loads != LoadInputs() else ()
    try:
        program = rolled(mechanism, *request.options, *loads)
    except ProgramError as error:
        if not mechanism.parameter_inputs:
            raise
        raise ProgramError(
            f"{name}: {mechanism.name!r}: parameters in constraints like these "
            "have no rolled form; choose backend='auto'"
        ) from error
    for key, symbols in parameter_symbols(mechanism).items():
        program = with_parameters(program, key, symbols)
    return program


def trace_best(mechanism: Mechanism, request: Request) -> Program | Rolled:
    """Return the straight program of a quantity, or the rolled one where that would be long."""
    name, quantity = request.quantity, quantity_of(request.quantity)
    if rolled_form(mechanism, name) is None:
        return trace(mechanism, request)
    tried, longest = float(ROLLED_ABOVE), LONGEST_STRAIGHT
    if mechanism.closures:
        longest = quantity.longest
        tried = WORTH_A_TRACE * longest
    try:
        rolled = None if is_small(mechanism, name) else trace_rolled(mechanism, request)
        rows = len(mechanism.row_names) * mechanism.nv if quantity.rolled is None else 0
        if rolled is None or _length(rolled) + rows <= tried:
            most = int(NODES_PER_OPERATION * longest)
            with suppress(TooManyNodesError), nodes_at_most(most):
                straight = trace(mechanism, request)
                if _length(straight) + rows <= longest:
                    return straight
        return rolled or trace_rolled(mechanism, request)
    except ProgramError:
        return trace(mechanism, request)


def _length(program: Program | Rolled) -> int:
    moved = sum(port.size for port in (*program.inputs, *program.outputs))
    return program.n_operations + 2 * moved


def is_small(mechanism: Mechanism, name: str) -> bool:
    """Say whether a quantity of a mechanism of few bodies is certainly short: straight."""
    n_parts = mechanism.n_bodies + mechanism.nv + len(mechanism.forces)
    return n_parts <= FEW and quantity_of(name).length(mechanism) <= ROLLED_ABOVE
