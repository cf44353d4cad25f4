"""Programs on columns by their definition: stage by stage, with rows in an array."""

import numpy as np

from poinsot.expr.column_program import (
    COLUMNS,
    CONSTANTS,
    ROWS,
    SPREAD,
    Alike,
    Combined,
    Inverted,
    Mirrored,
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
            case Alike():
                _run(stage, memories)
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
            case Mirrored():
                for i, to in enumerate(stage.to):
                    row = np.zeros(COLUMNS)
                    for k in stage.kept[i] if stage.rows[i] >= 0 else ():
                        row[k] = rows[stage.rows[i], k]
                    for k in stage.turned[i]:
                        row[k] = rows[stage.across[k], i] if stage.across[k] >= 0 else 0.0
                    if stage.is_output:
                        output[to : to + columns.n_used] = row[: columns.n_used]
                    elif to >= 0:
                        rows[to] = row
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


def _block(memories, memory, place, size):
    if memory == SPREAD:
        row, column = divmod(place, COLUMNS)
        return np.repeat(memories[ROWS][row : row + size, column], COLUMNS).reshape(size, -1)
    return memories[memory][place : place + size]


def _picked(rows, lanes, otherwise):
    lanes = np.array(lanes)
    return np.where(lanes >= 0, rows[:, lanes], otherwise)


def _run(stage, memories):
    """Run a program whose ports have an entry per row: each column is a state."""
    program, n_in = stage.program, len(stage.program.inputs)
    blocks = [
        _block(memories, memory, place, port.size)
        for port, (memory, place) in zip(
            (*program.inputs, *program.outputs), stage.ports, strict=True
        )
    ]
    inputs = [np.ascontiguousarray(block.T) for block in blocks[:n_in]]
    outputs = [np.zeros((COLUMNS, len(block))) for block in blocks[n_in:]]
    InterpreterKernel(program).run(inputs, outputs)
    for block, result in zip(blocks[n_in:], outputs, strict=True):
        block[...] = result.T
