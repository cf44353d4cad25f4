"""Derivatives of long programs at states, along one unit vector after the other.

Where a Jacobian would be too long a program, its columns are computed by the tangent of the program
(``expr/rolled_tangent.py``), all states and columns in one batch.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from poinsot.evaluate.inputs import PARAMETERS
from poinsot.expr import Code, Program, Rolled, RolledBuilder, garbage_collection_paused
from poinsot.expr.rolled_code import STATE
from poinsot.expr.rolled_tangent import DIRECTION, with_tangents
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.simulation.laws.equations import STATES, MotionEquations
from poinsot.simulation.laws.signals import RATE
from poinsot.simulation.running.quantities_along_run import QuantitiesAlongRun
from poinsot.spatial import Array

BY = ("q", "v", STATES, PARAMETERS, "t")
"""Inputs by which programs are differentiated, if they read them."""


@lru_cache(maxsize=16)
@garbage_collection_paused()
def program_tangents(program: Program | Rolled) -> RolledKernel:
    """Return the kernel of the derivatives of the result of a program along a direction."""
    if isinstance(program, Rolled):
        return _tangents(program)
    (port,) = program.outputs
    sizes = {port.name: port.size for port in program.inputs}
    builder = RolledBuilder(sizes, {port.name: (port.size,)})
    goal = builder.state(port.size)
    number = builder.code("program", Code(program, (*sizes, STATE)))
    builder.append(number, [*(0 for _ in sizes), goal])
    builder.show(port.name, goal + np.arange(port.size))
    return _tangents(builder.finish())


def along_directions(
    equations: MotionEquations, kernel: RolledKernel, names: tuple[str, ...], t: Array, y: Array
) -> Array:
    """Return derivatives at states by y, parameters and time, shape (N, results, n + p + 1).

    Args:
        equations: What is integrated.
        kernel: That of ``program_tangents``.
        names: Free parameters to differentiate by.
        t: Times [s], shape (N,).
        y: States [q, v, states], shape (N, n).
    """
    mechanism, (nq, end), count = equations.mechanism, equations.ends, len(names) + 1
    sizes = {port.name: port.size for port in kernel.signature.inputs}
    inputs = mechanism.parameter_inputs
    columns = [("q", i) for i in range(nq)] + [("v", i) for i in range(end - nq)]
    for i in range(equations.n - end):
        place = (
            (STATES, i) if STATES in sizes else (PARAMETERS, len(inputs) - equations.n + end + i)
        )
        columns.append(place)
    columns += [(PARAMETERS, inputs.index(name)) for name in names] + [("t", 0)]
    m = equations.n + count
    more = {
        f"{DIRECTION}{name}": np.zeros((m, sizes[f"{DIRECTION}{name}"]))
        for name in BY
        if f"{DIRECTION}{name}" in sizes
    }
    for j, (name, i) in enumerate(columns):
        if f"{DIRECTION}{name}" in more:
            more[f"{DIRECTION}{name}"][j, i] = 1.0
    more = {name: np.tile(x, (len(t), 1)) for name, x in more.items()}
    times, states = np.repeat(t, m), np.repeat(y, m, axis=0)
    still = {name: np.zeros(size) for name, size in sizes.items() if name.startswith(RATE)}
    along = QuantitiesAlongRun(equations, times, states[:, :nq], states[:, nq:])
    result = along.computed(kernel, {**more, **still, "t0": times[:, None]})
    return np.moveaxis(result.reshape(len(t), m, -1), 1, 2)


def _tangents(program: Rolled) -> RolledKernel:
    read = {port.name for port in program.inputs}
    return RolledKernel(with_tangents(program, [name for name in BY if name in read]))
