"""Programs on columns by their definition: stage by stage, with rows in an array."""

import numpy as np

from poinsot.expr.column_program import (
    COLUMNS,
    CONSTANTS,
    OUTPUT,
    ROWS,
    Alike,
    Apart,
    Combined,
    Inverted,
    Moved,
    Sums,
)
from poinsot.kernels.interpreter import InterpreterKernel


def evaluated(columns, *inputs):
    """Return the output of a program on columns."""
    memories = {ROWS: np.zeros((columns.n_rows, COLUMNS)), CONSTANTS: columns.constants}
    rows, output = memories[ROWS], np.zeros(columns.output.size)
    for k, x in enumerate(inputs):
        rows[k, : columns.n_used] = x
    for stage in columns.stages:
        match stage:
            case Alike() | Apart():
                _run(stage, memories, 1 if isinstance(stage, Alike) else COLUMNS, output)
            case Sums():
                totals = rows[list(stage.rows)].copy()
                for turn in stage.turns:
                    totals = totals + sum(_picked(totals, lanes, 0.0) for lanes in turn)
                if stage.first is not None:
                    totals += np.array(stage.first)[:, None]
                rows[stage.to : stage.to + len(totals)] = totals
            case Moved():
                otherwise = np.array(stage.otherwise)[:, None]
                moved = _picked(rows[list(stage.rows)], stage.lanes, otherwise)
                rows[stage.to : stage.to + len(moved)] = moved
            case Inverted():
                chosen = np.ix_(stage.rows, range(len(stage.rows)))
                rows[chosen] = np.linalg.inv(rows[chosen])
            case Combined():
                total = np.array(stage.added)
                for lanes, terms in stage.groups:
                    factors = [1.0 if k < 0 else rows.flat[k] for k, _ in terms]
                    whole = factors @ rows[[row for _, row in terms]]
                    total[list(lanes)] += whole[list(lanes)]
                total = -total if stage.is_negative else total
                if stage.is_output:
                    used = slice(columns.n_used)
                    output[stage.to : stage.to + columns.n_used] = total[used]
                else:
                    rows[stage.to] = total
    return output.reshape(columns.output.shape)


def _picked(rows, lanes, otherwise):
    lanes = np.array(lanes)
    return np.where(lanes >= 0, rows[:, lanes], otherwise)


def _run(stage, memories, rows_per_entry, output):
    """Run a program whose ports have an entry per row, or a row of entries each."""
    program, n_in = stage.program, len(stage.program.inputs)
    if stage.ports[-1][0] == OUTPUT:
        inputs = [memories[m][k:].reshape(1, -1)[:, : port.size].copy()
                  for port, (m, k) in zip(program.inputs, stage.ports, strict=False)]  # fmt: skip
        InterpreterKernel(program).run(inputs, [output[None]])
        return
    sizes = [port.size // rows_per_entry for port in (*program.inputs, *program.outputs)]
    blocks = [
        memories[memory][row : row + size]
        for (memory, row), size in zip(stage.ports, sizes, strict=True)
    ]
    if rows_per_entry == 1:  # each column is a state
        inputs = [np.ascontiguousarray(block.T) for block in blocks[:n_in]]
        outputs = [np.zeros((COLUMNS, size)) for size in sizes[n_in:]]
    else:
        inputs = [block.reshape(1, -1).copy() for block in blocks[:n_in]]
        outputs = [np.zeros((1, size * COLUMNS)) for size in sizes[n_in:]]
    InterpreterKernel(program).run(inputs, outputs)
    for block, result in zip(blocks[n_in:], outputs, strict=True):
        block[...] = result.T if rows_per_entry == 1 else result.reshape(block.shape)
