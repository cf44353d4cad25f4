"""From a formulation to a program: run it on symbols, lay out what it leaves, take the shortest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.evaluate.closed import CLOSED, closed_way
from poinsot.evaluate.methods import METHODS
from poinsot.evaluate.quantity import OF_TREES, QUANTITIES, Way, input_size
from poinsot.evaluate.rolled import rolled_form
from poinsot.expr import (
    Port,
    Program,
    Rolled,
    build,
    collection_put_off,
    fresh_symbols,
    optimise,
    symbol,
)
from poinsot.kernels.kernel import Signature
from poinsot.model import Mechanism, Outside, Surroundings
from poinsot.spatial import Array

PARAMETERS = "parameters"
"""Name of the input that holds the free parameters, where there are some; it is the last one."""

WORTH_TRYING = 1.5
"""Ways whose estimated cost is within this factor of the least are traced and counted."""

FEW = 40
"""Bodies, velocities and force elements up to which a system is never rolled.

The longest program of so small a system compiles in about a second.
"""

ROLLED_ABOVE = 20_000
"""Operations above which a quantity is rolled; a number that is read or stored counts as two.

A straight program of this length takes about 1.2 s from the trace to the code for one state; rolled
it is up to 1.7 times slower to run (30 joints), and as fast from about 100 joints on.  Rows of
loops and constraints are traced with the whole of J, whose entries count too.
"""


LONGEST_STRAIGHT = 100_000
"""Operations above which a quantity without a rolled form is not compiled; 10 s of compilation."""


ONE_A_VELOCITY: Final = frozenset({"bias", "forward_dynamics", "inverse_dynamics"})
"""Quantities with one number for each velocity; of others a first call tells the shape."""


def trace(mechanism: Mechanism, name: str, options: tuple[Any, ...] = ()) -> Program:
    """Return the program of a quantity, in its cheapest form.

    Args:
        mechanism: The bodies; its parameters are inputs, all of them free.
        name: A key of ``QUANTITIES``.
        options: What a quantity of one body needs besides, its number and the axes; or, for
            dynamics, which parts of the outside are inputs.
    """
    ways = ways_of(mechanism, name)
    costs = [way.cost(mechanism) for way in ways] if len(ways) > 1 else [0.0]
    return min(
        (
            trace_way(mechanism, name, way, options)
            for way, cost in zip(ways, costs, strict=True)
            if cost <= WORTH_TRYING * min(costs)
        ),
        key=lambda program: program.n_operations,
    )


def ways_of(mechanism: Mechanism, name: str) -> tuple[Way, ...]:
    """Return the ways to compute a quantity of a mechanism."""
    if name in CLOSED and (mechanism.closures or not QUANTITIES[name].ways):
        return (closed_way(mechanism, name, "recursive"),)
    return QUANTITIES[name].ways


@collection_put_off()
def trace_way(mechanism: Mechanism, name: str, way: Way, options: tuple[Any, ...] = ()) -> Program:
    """Return the program of a quantity computed in one given way."""
    inputs = {
        key: fresh_symbols(key, input_size(mechanism, key)) for key in QUANTITIES[name].inputs
    }
    outside, rest = _from_outside(mechanism, name, options)
    free = parameter_symbols(mechanism)
    if outside is not None:
        sizes = outside.inputs(mechanism)
        given = inputs | {key: fresh_symbols(key, size) for key, size in sizes.items()}
        around = surroundings(mechanism, outside, given)
        result = way.compute(mechanism, *rest, *inputs.values(), around)
        return optimise(build(given | free, {name: result}))
    result = way.compute(mechanism, *rest, *inputs.values())
    return optimise(build(inputs | free, {name: result}))


def parameter_symbols(mechanism: Mechanism) -> dict[str, Array]:
    """Return the input of free parameters by name, if there are some: the symbols themselves."""
    if not mechanism.parameter_inputs:
        return {}
    return {
        PARAMETERS: np.array([symbol(name) for name in mechanism.parameter_inputs], dtype=object)
    }


def trace_method(
    mechanism: Mechanism, name: str, method: str, options: tuple[Any, ...] = ()
) -> Program:
    """Return the program of a quantity in the formulation of this name."""
    way = Way(way_of(mechanism, name, method))
    if name == "mass_matrix":
        return trace_way(mechanism, name, way, options)
    return trace_way(mechanism, name, way, options or (Outside(),))


def way_of(mechanism: Mechanism, name: str, method: str) -> Callable[..., Any]:
    """Return the function of a quantity in the formulation of this name."""
    chosen = METHODS[method]
    if name not in chosen.ways or (
        mechanism.closures and name in CLOSED and name not in chosen.on_floats
    ):
        return closed_way(mechanism, name, method).compute
    return chosen.ways[name]


def direct(
    mechanism: Mechanism, name: str, method: str, options: tuple[Any, ...] = ()
) -> tuple[Callable[..., Any], Signature]:
    """Return a quantity of a formulation as a function on numbers, and its signature."""
    way = Way(way_of(mechanism, name, method))
    given = options if name == "mass_matrix" else options or (Outside(),)
    return untraced(mechanism, name, given, way)


def untraced(
    mechanism: Mechanism, name: str, options: tuple[Any, ...] = (), way: Way | None = None
) -> tuple[Callable[..., Any], Signature]:
    """Return a quantity as a function on numbers, and its signature.

    Args:
        mechanism: The bodies.
        name: A key of ``QUANTITIES``.
        options: As ``trace`` takes them.
        way: How to compute it; the first of its ways by default.
    """
    chosen = ways_of(mechanism, name)[0] if way is None else way
    outside, rest = _from_outside(mechanism, name, options)
    keys = QUANTITIES[name].inputs
    sizes = {key: input_size(mechanism, key) for key in keys}
    if outside is not None:
        sizes |= outside.inputs(mechanism)
    if mechanism.parameter_inputs:
        sizes[PARAMETERS] = len(mechanism.parameter_inputs)

    def compute(*arrays: Array) -> Array:
        given = dict(zip(sizes, arrays, strict=True))
        values = given.pop(PARAMETERS, np.empty(0)).tolist()
        numeric = mechanism.at(dict(zip(mechanism.parameter_inputs, values, strict=True)))
        around = () if outside is None else (surroundings(numeric, outside, given),)
        return np.array(
            chosen.compute(numeric, *rest, *(given[key] for key in keys), *around), float
        )

    def function(*arrays: Array) -> Array:
        return compute(*arrays).ravel()

    if name in ONE_A_VELOCITY:
        shape: tuple[int, ...] = (mechanism.nv,)
    else:
        still = [np.zeros(size) for size in sizes.values()][1:]  # the first input is q
        shape = compute(mechanism.neutral(), *still).shape
    ports = tuple(Port(key, (size,)) for key, size in sizes.items())
    return function, Signature(ports, (Port(name, shape),), 0)


def _from_outside(
    mechanism: Mechanism, name: str, options: tuple[Any, ...]
) -> tuple[Outside | None, tuple[Any, ...]]:
    """Return what of the outside is part of a quantity, None if nothing, and the other options."""
    if options and isinstance(options[0], Outside):
        return options[0], options[1:]
    loaded = mechanism.forces or mechanism.closures or QUANTITIES[name].rolled is None
    return (Outside() if loaded and QUANTITIES[name].loaded else None), options


def is_endless(mechanism: Mechanism, name: str) -> bool:
    """Say whether a straight program would be too long to compile, and there is no other."""
    return not mechanism.parameter_inputs and QUANTITIES[name].length(mechanism) > LONGEST_STRAIGHT


def surroundings(
    mechanism: Mechanism, outside: Outside, given: Mapping[str, Array]
) -> Surroundings:
    """Return what acts on the mechanism, its force elements included."""
    from poinsot.formulations.constrained.rows import with_closures
    from poinsot.formulations.forces import with_elements

    around = outside.surroundings(mechanism, given)
    q, v = given["q"], given.get("v", np.zeros(mechanism.nv))
    around = with_elements(mechanism, q, v, around)
    return with_closures(mechanism, q, v, around)


@collection_put_off()
def trace_rolled(mechanism: Mechanism, name: str, options: tuple[Any, ...] = ()) -> Rolled:
    """Return the rolled program of a quantity."""
    if mechanism.parameter_inputs:
        raise PoinsotError(
            f"{name}: {mechanism.name!r} has free parameters, and they have no rolled form; "
            "choose backend='auto'"
        )
    rolled = rolled_form(mechanism, name)
    if rolled is None:
        of = " with loops and constraints like these" if mechanism.closures else ""
        raise PoinsotError(
            f"{name}: {mechanism.name!r}: this quantity{of} has no rolled form; "
            "choose backend='auto'"
        )
    return rolled(mechanism, *options)


def trace_best(mechanism: Mechanism, name: str, options: tuple[Any, ...] = ()) -> Program | Rolled:
    """Return the straight program of a quantity, or the rolled one where that would be long."""
    if not is_small(mechanism) and rolled_form(mechanism, name) is not None:
        rolled = trace_rolled(mechanism, name, options)
        moved = sum(port.size for port in (*rolled.inputs, *rolled.outputs))
        rows = len(mechanism.row_names) * mechanism.nv if name not in OF_TREES else 0
        if rolled.n_operations + 2 * moved + rows > ROLLED_ABOVE:
            return rolled
    return trace(mechanism, name, options)


def is_small(mechanism: Mechanism) -> bool:
    """Say whether every quantity of a mechanism is short enough to be straight."""
    return mechanism.n_bodies + mechanism.nv + len(mechanism.forces) <= FEW
