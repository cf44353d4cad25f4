"""A rolled program without loops."""

from __future__ import annotations

import numpy as np

from poinsot.errors import ProgramError
from poinsot.expr.passes import optimise
from poinsot.expr.program import Program, build, fresh_symbols
from poinsot.expr.replay import replay
from poinsot.expr.rolled import Rolled
from poinsot.expr.rolled_code import CONSTANTS, STATE, Code


def straightened(rolled: Rolled) -> Program:
    """Return a rolled program without loops, its items written out.

    Raises:
        ProgramError: If routines are part of it.
    """
    inputs = {port.name: fresh_symbols(port.name, port.size) for port in rolled.inputs}
    state = np.zeros(rolled.n_state, object)
    memories = {**inputs, STATE: state, CONSTANTS: rolled.constants.astype(object)}
    for number, *offsets in rolled.items.tolist():
        code = rolled.codes[number]
        if not isinstance(code, Code):
            raise ProgramError(f"the routine {code.name!r} has no straight program")
        ports = (*code.program.inputs, *code.program.outputs)
        slices = [slice(k, k + port.size) for k, port in zip(offsets, ports, strict=False)]
        n = len(code.program.inputs)
        read = (memories[name][s] for name, s in zip(code.memories, slices[:n], strict=False))
        for goal, values in zip(slices[n:], replay(code.program, *read), strict=True):
            state[goal] = values.ravel()
    outputs = {
        port.name: state[shown].reshape(port.shape)
        for port, shown in zip(rolled.outputs, rolled.shows, strict=True)
    }
    return optimise(build(inputs, outputs))
