"""The derivatives of the rates of a run by its state and by free parameters, as kernels.

With y = [q; v; further states], dy/dt = f(t, y, p), the columns are those by y, then those by p.
Unlike in ``motion_jacobian.py`` quaternions are not normalised: f is what the integrator evaluates,
at stages whose quaternions are not of unit length.
"""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.expression import compiled_program
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.request import Request
from poinsot.expr import Program, Rolled, build, fresh_symbols, jacobian, optimise
from poinsot.expr.linalg import cholesky, cholesky_solve
from poinsot.expr.replay import replay
from poinsot.kernels.kernel import AbstractKernel
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.model import Mechanism
from poinsot.simulation.laws.equations import RATES, STATES, MotionEquations
from poinsot.simulation.laws.signals import RATE
from poinsot.simulation.running.quantities_along_run import QuantitiesAlongRun
from poinsot.simulation.sensitivities.along_directions import (
    along_directions,
    program_tangents,
    rate_tangents,
)
from poinsot.simulation.stepping.motion_graph import Graph, cached_kernel, joined
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
    columns = [along.quantity(Request("position_rate")), along.acceleration()]
    if equations.mechanism.states:
        columns.append(along.quantity(Request(RATES)))
    return np.concatenate(columns, axis=1)


def rate_jacobian(
    equations: MotionEquations, names: tuple[str, ...], t: Array, y: Array, f: Array
) -> Array:
    """Return the derivatives of f at states, shape (N, n, n + number of names).

    Args:
        equations: What is integrated, without callbacks.
        names: Free parameters to differentiate by.
        t: Times [s], shape (N,).
        y: States [q, v, states], shape (N, n).
        f: The rates there, shape (N, n).
    """
    if _is_long(equations, len(names)):
        kernel = rate_tangents(equations.mechanism, equations.uses, equations.load_inputs)
        return along_directions(equations, kernel, names, t, y)[:, :, :-1]
    first, last = equations.ends
    graph = Graph.of(equations, "stiff", sampled=True)
    along = along_states(equations, t, y, a=f[:, first:last])
    slopes = along.computed(_kernel(graph, names))
    if _is_implicit(graph.mechanism):
        slopes, inverse = np.split(slopes, [slopes.shape[2] - equations.nv], axis=2)
        slopes[:, first:last] = inverse[:, first:last] @ slopes[:, first:last]
    return slopes


def program_jacobian(
    equations: MotionEquations, program: Program | Rolled, names: tuple[str, ...], t: Array,
    y: Array,
) -> Array:  # fmt: skip
    """Return the derivatives of what a program of t, q, v, states and parameters gives.

    Shape (N, number of results, n + number of names + 1), the last column by the time; arguments
    are those of ``rate_jacobian``.
    """
    length = program.n_operations * (equations.n + len(names)) / 2
    if isinstance(program, Rolled) or length > LONGEST:
        return along_directions(equations, program_tangents(program), names, t, y)
    kernel = _differentiated(equations.mechanism, program, names)
    return along_states(equations, t, y).computed(kernel)


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


def _is_long(equations: MotionEquations, count: int) -> bool:
    """Say whether the derivatives by the state and so many parameters are too long a program."""
    mechanism = equations.mechanism
    if not Graph.exists(equations):
        return True
    name = "inverse_dynamics" if _is_implicit(mechanism) else "forward_dynamics"
    length = evaluators_of(mechanism).find(Request(name)).signature.n_operations
    return length * (equations.n + count) / 2 > LONGEST


def _is_implicit(mechanism: Mechanism) -> bool:
    """Say whether dv/dt is differentiated as M da = d(tau - inverse dynamics).

    That is a third of the operations, and the kernel has M⁻¹ behind the columns then.  Away from
    unit quaternions, and off the constraints, formulas of inverse and forward dynamics differ.
    """
    return not mechanism.closures and mechanism.nq == mechanism.nv


@lru_cache(maxsize=32)
def _kernel(graph: Graph, names: tuple[str, ...]) -> LlvmKernel:
    return cached_kernel(graph, f"tangents {names}", partial(_program, graph, names))


def _program(graph: Graph, names: tuple[str, ...]) -> Program:
    mechanism, given = graph.mechanism, graph.symbols()
    still = {"t0": given["t"]} if graph.lookups else {}  # values of signals are given at t
    still |= {f"{RATE}{writes}": np.zeros(size) for writes, size in graph.lookups}
    vectors = graph.driven({**given, **still})
    inputs = {name: x for name, x in graph.inputs(given).items() if name not in still}
    if _is_implicit(mechanism):
        inputs["a"] = fresh_symbols("a", mechanism.nv)
        given_a = {**vectors, "a": inputs["a"]}
        forces = joined(vectors["tau"]) - joined(graph.quantity("inverse_dynamics", given_a))
    else:
        forces = graph.quantity("forward_dynamics", vectors)
    further = graph.quantity(RATES, vectors) if mechanism.states else ()
    values = joined(graph.quantity("position_rate", vectors), forces, further)
    by = joined(given["q"], given["v"], given.get(STATES, ()), _chosen(mechanism, given, names))
    slopes = jacobian(values, by)
    if _is_implicit(mechanism):
        inverse = np.zeros((mechanism.n_state, mechanism.nv), dtype=object)
        factor = cholesky(graph.quantity("mass_matrix", vectors))
        rows = slice(mechanism.nq, mechanism.nq + mechanism.nv)
        inverse[rows] = cholesky_solve(factor, np.eye(mechanism.nv))
        slopes = np.concatenate([slopes, inverse], axis=1)
    return optimise(build(inputs, {"slopes": slopes}))


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
    by = joined(known["q"], known["v"], known[STATES], _chosen(mechanism, known, names), known["t"])
    slopes = jacobian(joined(np.ravel(values)), by)
    return compiled_program(optimise(build(inputs, {"slopes": slopes})))


def _chosen(mechanism: Mechanism, given: dict[str, Array], names: tuple[str, ...]) -> list[Array]:
    inputs = mechanism.parameter_inputs
    return [given[PARAMETERS][inputs.index(name)] for name in names]
