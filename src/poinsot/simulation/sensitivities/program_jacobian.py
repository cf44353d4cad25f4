"""The derivatives of programs at states of a run, by the state, free parameters and the time.

Columns are those by y = [q; v; further states], by the parameters, and by the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from poinsot.evaluate.expression import compiled_program
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.request import Request
from poinsot.expr import Program, Rolled, build, fresh_symbols, jacobian, optimise
from poinsot.expr.replay import replay
from poinsot.formulations.position_rate import tangent_basis
from poinsot.kernels.kernel import AbstractKernel
from poinsot.model import Mechanism
from poinsot.simulation.laws.equations import RATES, STATES, MotionEquations
from poinsot.simulation.running.quantities_along_run import QuantitiesAlongRun
from poinsot.simulation.sensitivities.along_directions import along_directions, program_tangents
from poinsot.simulation.stepping.motion_graph import joined
from poinsot.spatial import Array

LONGEST = 25_000
"""Operations of a Jacobian (as estimated) above which it is computed along directions; so many
compile in two seconds."""


def rates(equations: MotionEquations, t: Array, y: Array) -> Array:
    """Return f at states, shape (N, n).

    Args:
        equations: What is integrated.
        t: Times [s], shape (N,).
        y: States [q, v, states], shape (N, n).
    """
    along = along_states(equations, t, y)
    speeds = y[:, slice(*equations.ends)]
    if not has_plain_rates(equations.mechanism):
        speeds = along.quantity(Request("position_rate"))
    columns = [speeds, along.acceleration()]
    if equations.mechanism.states:
        columns.append(along.quantity(Request(RATES)))
    return np.concatenate(columns, axis=1)


@lru_cache(maxsize=64)
def has_plain_rates(mechanism: Mechanism) -> bool:
    """Say whether velocities are the rates of the coordinates."""
    return tangent_basis(mechanism, fresh_symbols("q", mechanism.nq)) is None


def program_jacobian(
    equations: MotionEquations, program: Program | Rolled, names: tuple[str, ...], t: Array,
    y: Array, more: Mapping[str, Array] | None = None,
) -> Array:  # fmt: skip
    """Return the derivatives of what a program of t, q, v, states and parameters gives.

    Shape (N, number of results, n + number of names + 1), the last column by the time.

    Args:
        equations: What is integrated.
        program: What is differentiated.
        names: Free parameters to differentiate by.
        t: Times [s], shape (N,).
        y: States [q, v, states], shape (N, n).
        more: What else a program without loops reads, by name, shapes (N, size).
    """
    length = program.n_operations * (equations.n + len(names)) / 2
    if isinstance(program, Rolled) or length > LONGEST:
        return along_directions(equations, program_tangents(program), names, t, y)
    kernel = _differentiated(equations.mechanism, program, names)
    return along_states(equations, t, y).computed(kernel, more)


def along_states(
    equations: MotionEquations, t: Array, y: Array, a: Array | None = None
) -> QuantitiesAlongRun:
    """Return the evaluator of quantities at states [q, v, states], shape (N, n).

    Args:
        equations: What is integrated.
        t: Times [s], shape (N,).
        y: States, shape (N, n).
        a: Accelerations, if they are known, shape (N, nv).
    """
    return QuantitiesAlongRun(equations, t, y[:, : equations.nq], y[:, equations.nq :], a=a)


@lru_cache(maxsize=32)
def _differentiated(
    mechanism: Mechanism, program: Program, names: tuple[str, ...]
) -> AbstractKernel:
    inputs = {port.name: fresh_symbols(port.name, port.size) for port in program.inputs}
    (values,) = replay(program, *inputs.values())
    sizes = {"q": mechanism.nq, "v": mechanism.nv, STATES: len(mechanism.state_values)}
    known = dict(inputs)
    if STATES not in inputs and PARAMETERS in inputs and sizes[STATES]:
        known[STATES] = inputs[PARAMETERS][-sizes[STATES] :]
    sizes |= {PARAMETERS: len(mechanism.parameter_inputs), "t": 1}
    known |= {name: fresh_symbols("other", k) for name, k in sizes.items() if name not in known}
    order = mechanism.parameter_inputs
    chosen = [known[PARAMETERS][order.index(name)] for name in names]
    by = joined(known["q"], known["v"], known[STATES], chosen, known["t"])
    slopes = jacobian(joined(np.ravel(values)), by)
    return compiled_program(optimise(build(inputs, {"slopes": slopes})))
