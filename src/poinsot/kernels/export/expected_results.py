"""Expected results of routines for their test states, by the interpreter."""

from __future__ import annotations

import numpy as np

from poinsot.kernels.export.routine import Routine
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.spatial import Array


def expected(routine: Routine) -> list[Array]:
    """Return one array (states, size) for each output."""
    n_states = len(routine.states[0]) if routine.states else 1
    outputs = [np.empty((n_states, port.size)) for port in routine.program.outputs]
    InterpreterKernel(routine.program).run(routine.states, outputs)
    return outputs
