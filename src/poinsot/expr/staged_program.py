"""Functions of the user that ask for large quantities: stages before the function, all one program.

A quantity that is computed by loops (``expr/rolled.py``) need not be written out into the function
that asks for it.  Its values become symbols there, and the function a rolled program:

    arguments of the quantity      a short program of t, q, v, ..., of results before
    the quantity                   its items as they are
    ...                            further quantities, which may depend on those before
    the function                   a program of t, q, v, ... and of all results

Only those stages run that the function depends on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.node import Expr, as_expr
from poinsot.expr.ops import Op
from poinsot.expr.passes import optimise
from poinsot.expr.program import Program, build, fresh_symbols
from poinsot.expr.rolled import Rolled, RolledBuilder
from poinsot.expr.rolled_code import STATE, traced_code
from poinsot.expr.serialization import operands_first

__all__ = [
    "QuantityStage",
    "needed_stages",
    "program_of",
    "recorded_stages",
    "rolled_program_of",
    "stage_limit",
    "stage_results",
    "stage_roots",
]


@dataclass(frozen=True, eq=False)
class QuantityStage:
    """A quantity that a function asks for.

    Attributes:
        program: The quantity.
        arguments: Numbers and expressions for each of its inputs, shapes (size,).
        results: Symbols that stand for its only output, shape (size,).
    """

    program: Rolled
    arguments: tuple[NDArray[Any], ...]
    results: NDArray[Any]


Stages = list[QuantityStage]
"""In the order in which they were asked for: arguments depend on results of earlier ones only."""

_recorded: ContextVar[tuple[Stages, int] | None] = ContextVar("stages", default=None)


@contextmanager
def recorded_stages(limit: int = 0) -> Iterator[Stages]:
    """Collect the rolled quantities that functions ask for while they are traced.

    Args:
        limit: Operations up to which a quantity is better written out into the function.
    """
    stages: Stages = []
    token = _recorded.set((stages, limit))
    try:
        yield stages
    finally:
        _recorded.reset(token)


def stage_limit() -> int | None:
    """Return the operations above which a quantity becomes a stage; None: nobody records them."""
    recorded = _recorded.get()
    return None if recorded is None else recorded[1]


def stage_results(program: Rolled, arguments: Sequence[NDArray[Any]]) -> NDArray[Any] | None:
    """Return symbols for the values of a rolled quantity; None where nobody records stages.

    Args:
        program: The quantity.
        arguments: Numbers and expressions for each of its inputs, shapes (size,).
    """
    recorded = _recorded.get()
    if recorded is None:
        return None
    stages, _ = recorded
    given = tuple(np.array([as_expr(x) for x in argument], object) for argument in arguments)
    for stage in stages:
        if stage.program is program and _serials(stage.arguments) == _serials(given):
            return stage.results
    results = fresh_symbols("stage", program.outputs[0].size)
    stages.append(QuantityStage(program, given, results))
    return results


def stage_roots(values: object, stages: Sequence[QuantityStage]) -> list[Expr]:
    """Return the expressions of a function, and the arguments of the stages it depends on."""
    roots = [as_expr(value) for value in np.ravel(np.asarray(values, object))]
    return [*roots, *(x for stage in needed_stages(values, stages) for x in _arguments(stage))]


def needed_stages(values: object, stages: Sequence[QuantityStage]) -> list[QuantityStage]:
    """Return the stages that expressions depend on, by way of others too, in order."""
    needed = list[QuantityStage]()
    roots = [as_expr(value) for value in np.ravel(np.asarray(values, object))] if stages else []
    asked = _symbols(roots)
    for stage in reversed(stages):
        if not asked.isdisjoint(symbol.serial for symbol in stage.results):
            needed.append(stage)
            asked |= _symbols(_arguments(stage))
    return needed[::-1]


def _arguments(stage: QuantityStage) -> list[Expr]:
    return [as_expr(x) for argument in stage.arguments for x in argument]


def program_of(
    inputs: Mapping[str, NDArray[Any]], outputs: Mapping[str, Any], stages: Sequence[QuantityStage]
) -> Program | Rolled:
    """Return the program of expressions: straight, or rolled where they depend on stages.

    Args:
        inputs: Symbols by input.
        outputs: The expressions by output.
        stages: What was recorded when they were traced.
    """
    if not any(needed_stages(values, stages) for values in outputs.values()):
        return optimise(build(inputs, outputs))
    return rolled_program_of(inputs, outputs, stages)


def rolled_program_of(
    inputs: Mapping[str, NDArray[Any]], outputs: Mapping[str, Any], stages: Sequence[QuantityStage]
) -> Rolled:
    """Return the rolled program of expressions, one item where they depend on no stage."""
    every = [value for values in outputs.values() for value in np.ravel(np.asarray(values, object))]
    return _StagedProgram(inputs, outputs, needed_stages(every, stages)).program()


class _StagedProgram:
    """Collects the items of stages and of the function."""

    def __init__(
        self,
        inputs: Mapping[str, NDArray[Any]],
        outputs: Mapping[str, Any],
        stages: Sequence[QuantityStage],
    ) -> None:
        self._inputs, self._outputs, self._stages = inputs, outputs, stages
        sizes = {name: array.size for name, array in inputs.items()}
        shapes = {name: np.shape(array) for name, array in outputs.items()}
        self._builder = RolledBuilder(sizes, shapes)
        self._vectors = {name: (name, 0, symbols) for name, symbols in inputs.items()}
        """Memory, offset and symbols of what programs may read, by name."""
        self._places: dict[int, int] = {}
        """Where in the state results of stages are, by the serial numbers of their symbols."""

    def program(self) -> Rolled:
        """Append all stages, then the function, and return the program."""
        for k, stage in enumerate(self._stages):
            given = {}
            for port, argument in zip(stage.program.inputs, stage.arguments, strict=True):
                known = self._inputs.get(port.name)
                if known is None or _serials([known]) != _serials([argument]):
                    given[port.name] = self._computed(f"{port.name} of stage {k}", argument)
            (places,) = self._builder.embed(f"stage {k}", stage.program, given)
            self._places |= dict(zip(_serials([stage.results])[0], places.tolist(), strict=True))
        for name, values in self._outputs.items():
            flat = np.ravel(np.asarray(values, object))
            (serials,) = _serials([flat])
            if all(serial in self._places for serial in serials):  # results as they are
                self._builder.show(name, np.array([self._places[serial] for serial in serials]))
            else:
                self._builder.show(name, self._computed(name, flat) + np.arange(flat.size))
        return self._builder.finish()

    def _computed(self, name: str, values: NDArray[Any]) -> int:
        """Append a short program; return where in the state its results are."""
        leaves = _symbols([as_expr(value) for value in values])
        for stage in self._stages:
            if not leaves.isdisjoint(_serials([stage.results])[0]):
                self._gather(stage)
        reads = {
            vector: (memory, symbols)
            for vector, (memory, _, symbols) in self._vectors.items()
            if not leaves.isdisjoint(symbol.serial for symbol in symbols)
        }
        code = traced_code(reads, {"result": values.tolist()})
        goal = self._builder.state(values.size)
        starts = [self._vectors[vector][1] for vector in reads]
        self._builder.append(self._builder.code(("program", name), code), [*starts, goal])
        return goal

    def _gather(self, stage: QuantityStage) -> None:
        """Let programs read results of a stage, moved together if they are scattered."""
        name = f"stage {self._stages.index(stage)}"
        if name in self._vectors:
            return
        places = np.array([self._places[serial] for serial in _serials([stage.results])[0]])
        self._vectors[name] = (STATE, self._builder.gathered(places), stage.results)


def _symbols(roots: Sequence[Expr]) -> set[int]:
    """Return the serial numbers of the symbols in expressions."""
    return {node.serial for node in operands_first(roots) if node.op is Op.SYMBOL}


def _serials(arrays: Sequence[NDArray[Any]]) -> list[list[int]]:
    """Return what tells whether arrays hold the same expressions."""
    return [[as_expr(x).serial for x in array] for array in arrays]
