"""Derivatives of rolled programs along a direction: every code with its tangent beside it.

The tangent of an entry of the state lies as far behind it as the state is long.  Comparisons are
those of the program itself, so that ranks, once decided, are the same for every direction.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from poinsot.errors import ProgramError
from poinsot.expr.derivative import tangent
from poinsot.expr.passes import optimise
from poinsot.expr.program import build, fresh_symbols
from poinsot.expr.replay import replay
from poinsot.expr.rolled import Rolled
from poinsot.expr.rolled_code import STATE, Code

DIRECTION = "direction:"
"""Opens the names of the inputs that say how fast other inputs change."""


def with_tangents(rolled: Rolled, by: Collection[str], opening: str = DIRECTION) -> Rolled:
    """Return the program of the derivatives of all outputs, under their names.

        tangent = sum over inputs x in ``by`` of (d output / d x) direction

    Its inputs are those of the program, then the direction of each input in ``by``.

    Args:
        rolled: The program, without routines and free parameters in its constants.
        by: Names of the inputs that change; all others stay.
        opening: Opens the names of the inputs that say how fast they change.
    """
    codes, columns = [], []
    for code in rolled.codes:
        if not isinstance(code, Code):
            raise ProgramError(f"the routine {code.name!r} has no derivative")
        n_reads = len(code.program.inputs)
        moving = [k for k, memory in enumerate(code.memories[:n_reads]) if memory in {STATE, *by}]
        codes.append(_tangent_code(code, moving, opening))
        writes = range(n_reads, len(code.memories))
        columns.append([*range(n_reads), *moving, *writes, *writes])
    width = 1 + max(map(len, columns), default=0)
    items = np.zeros((len(rolled.items), width), np.int32)
    items[:, 0] = rolled.items[:, 0]
    for k, (code, sources) in enumerate(zip(rolled.codes, columns, strict=True)):
        rows = np.flatnonzero(items[:, 0] == k)
        seen = set[int]()
        for goal, source in enumerate(sources, start=1):
            is_tangent = source in seen
            seen.add(source)
            shift = rolled.n_state if is_tangent and code.memories[source] == STATE else 0
            items[rows, goal] = rolled.items[rows, source + 1] + shift
    directions = [
        replace(port, name=opening + port.name) for port in rolled.inputs if port.name in by
    ]
    return replace(
        rolled,
        inputs=(*rolled.inputs, *directions),
        codes=tuple(codes),
        items=items,
        shows=tuple(shown + rolled.n_state for shown in rolled.shows),
        n_state=2 * rolled.n_state,
    )


def _tangent_code(code: Code, moving: list[int], opening: str) -> Code:
    """Return a code that reads the tangents of these inputs too, and writes those of outputs."""
    program = code.program
    values = [fresh_symbols(f"x{k}", port.size) for k, port in enumerate(program.inputs)]
    rates = {k: fresh_symbols(f"dx{k}", values[k].size) for k in moving}
    results = replay(
        program, *(x.reshape(port.shape) for x, port in zip(values, program.inputs, strict=True))
    )
    outputs = {f"y{k}": np.ravel(y) for k, y in enumerate(results)}
    symbols = np.concatenate([values[k] for k in moving]) if moving else np.zeros(0, object)
    along = np.concatenate(list(rates.values())) if moving else np.zeros(0, object)
    outputs |= {f"dy{k}": tangent(np.ravel(y), symbols, along) for k, y in enumerate(results)}
    inputs = {f"x{k}": x for k, x in enumerate(values)} | {f"dx{k}": x for k, x in rates.items()}
    n_reads = len(program.inputs)
    reads = code.memories[:n_reads]
    tangents = [m if m == STATE else opening + m for m in (reads[k] for k in moving)]
    n_writes = len(program.outputs)
    return Code(optimise(build(inputs, outputs)), (*reads, *tangents, *[STATE] * 2 * n_writes))
