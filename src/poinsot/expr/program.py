"""A program: expressions as a straight-line list of steps with named inputs and outputs.

Values are numbered: the entries of the inputs first, then the constants, then one per step.
A step names an operation and the numbers of its operands, all smaller than its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from operator import attrgetter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import ProgramError
from poinsot.expr.node import Expr, as_expr, fresh_symbol, symbol
from poinsot.expr.ops import Op

Step: TypeAlias = tuple[Op, tuple[int, ...]]

ARITHMETIC = frozenset({Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.SQRT})


@dataclass(frozen=True)
class Port:
    """A named array that goes into or comes out of a program."""

    name: str
    shape: tuple[int, ...]

    @cached_property
    def size(self) -> int:
        """How many scalars it holds."""
        return prod(self.shape)


@dataclass(frozen=True)
class Program:
    """Straight-line code over float64 scalars.

    ``results`` lists the value numbers of all output entries, port after port, in C order.
    """

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    constants: tuple[float, ...]
    steps: tuple[Step, ...] = field(repr=False)
    results: tuple[int, ...] = field(repr=False)

    @cached_property
    def n_inputs(self) -> int:
        """How many scalars go in."""
        return sum(port.size for port in self.inputs)

    @property
    def first_step(self) -> int:
        """The value number of the first step."""
        return self.n_inputs + len(self.constants)

    @cached_property
    def counts(self) -> Mapping[Op, int]:
        """How often each operation occurs."""
        return Counter(op for op, _ in self.steps)

    @property
    def n_operations(self) -> int:
        """All steps: additions, products, ... and each sine or cosine as one."""
        return len(self.steps)


def fresh_symbols(name: str, shape: int | tuple[int, ...]) -> NDArray[Any]:
    """Return an array of symbols that are equal to no others."""
    array = np.empty(shape, dtype=object)
    array.flat[:] = [fresh_symbol(f"{name}[{k}]") for k in range(array.size)]
    return array


def symbol_array(name: str, shape: int | tuple[int, ...]) -> NDArray[Any]:
    """Return an array of the symbols ``name[0]``, ``name[1]``, ... (C order).

    >>> symbol_array("q", 2)
    array([q[0], q[1]], dtype=object)
    """
    array = np.empty(shape, dtype=object)
    array.flat[:] = [symbol(f"{name}[{k}]") for k in range(array.size)]
    return array


def build(inputs: Mapping[str, NDArray[Any]], outputs: Mapping[str, Any]) -> Program:
    """Lay out the expressions in ``outputs`` as a program of the symbols in ``inputs``.

    Steps stand in the order in which their nodes were made: a sweep stays a sweep.  With symbols
    that nobody else uses (``fresh_symbols``), equal formulas give equal programs.

    Args:
        inputs: For each input its array of distinct symbols, as ``symbol_array`` gives them.
        outputs: For each output an array (or scalar) of expressions and numbers.

    >>> x = symbol_array("x", 2)
    >>> build({"x": x}, {"y": x[0] * x[1] + 1}).n_operations
    2
    """
    ports_in = tuple(Port(name, np.shape(array)) for name, array in inputs.items())
    arrays = {name: np.asarray(array) for name, array in outputs.items()}
    ports_out = tuple(Port(name, array.shape) for name, array in arrays.items())
    leaves = [leaf for array in inputs.values() for leaf in np.ravel(array)]
    roots = [as_expr(root) for array in arrays.values() for root in array.ravel()]

    number = {leaf.serial: k for k, leaf in enumerate(leaves)}
    if len(number) != len(leaves):
        raise ProgramError("the inputs of a program must be distinct symbols")
    order = _reachable(roots, leaves)
    constants = sorted((node for node in order if node.op is Op.CONSTANT), key=_by_value)
    number.update((node.serial, len(leaves) + k) for k, node in enumerate(constants))
    first = len(leaves) + len(constants)
    inner = [node for node in order if node.op is not Op.CONSTANT]
    number.update((node.serial, first + k) for k, node in enumerate(inner))
    return Program(
        ports_in,
        ports_out,
        tuple(float(node.value) for node in constants),
        tuple((node.op, tuple([number[a.serial] for a in node.args])) for node in inner),
        tuple(number[root.serial] for root in roots),
    )


def _reachable(roots: Sequence[Expr], inputs: Sequence[Expr]) -> list[Expr]:
    """Return every node below the roots, operands before users, without recursion."""
    nodes: list[Expr] = []
    seen = {leaf.serial for leaf in inputs}
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node.serial in seen:
            continue
        seen.add(node.serial)
        if node.op is Op.SYMBOL:
            names = ", ".join(sorted({str(leaf.value) for leaf in inputs})[:8])
            raise ProgramError(
                f"symbol {node.value!r} is not an input of the program (inputs: {names}, ...); "
                "add it to the inputs or give it a number"
            )
        nodes.append(node)
        stack.extend(node.args)
    nodes.sort(key=_by_serial)
    return nodes


_by_serial = attrgetter("serial")
_by_value = attrgetter("value")
