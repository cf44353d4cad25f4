"""The exact Jacobian of the equations of motion, as one kernel.

With y = [q; v; further states], E = diag(1, M, 1) for a tree and 1 for a closed system,

    E dy/dt = g(t, y),      slopes = [dg/dy - (dE/dy) dy/dt, dg/dt],

so that E⁻¹ slopes is the derivative of dy/dt.  For a tree the lower rows are those of tau less
inverse dynamics at the acceleration of the state: no derivative of M⁻¹ is needed, which takes a
third of the operations (15 joints: 20 000 in place of 71 000).

Quaternions are normalised in the formulas: those that are equal for unit quaternions differ
elsewhere, and so would their derivatives.
"""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.request import Request
from poinsot.expr import Program, build, fresh_symbols, jacobian, optimise
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.simulation.laws.equations import RATES, STATES, MotionEquations
from poinsot.simulation.stepping.motion_graph import (
    Graph,
    Vectors,
    cached_kernel,
    joined,
)
from poinsot.simulation.stepping.quaternions import with_unit_quaternions
from poinsot.spatial import Array

MOST_OF_TREES, MOST_OF_LOOPS = 6_000, 16_000
"""Operations (as estimated) above which it is found along directions; so many compile in 2 s."""


def jacobian_kernel(equations: MotionEquations) -> LlvmKernel | None:
    """Return the kernel of ``slopes``, shape (n, n + 1), and ``mass``, M or 1, shape (nv, nv).

    It reads t, q, v, tau, base, parameters and a0, the acceleration of the state.  None where its
    formulas would be too long (``directional_jacobian.py``).

    Args:
        equations: What is integrated, without callbacks.
    """
    if not Graph.exists(equations):
        return None
    return _kernel(Graph.of(equations, "stiff", sampled=True))


@lru_cache(maxsize=16)
def _kernel(graph: Graph) -> LlvmKernel | None:
    mechanism = graph.mechanism
    kernel = cached_kernel(graph, "slopes", partial(_program, graph))
    if not kernel.is_cached:
        name = "forward_dynamics" if mechanism.closures else "inverse_dynamics"
        length = evaluators_of(mechanism).find(Request(name)).signature.n_operations
        most = MOST_OF_LOOPS if mechanism.closures else MOST_OF_TREES
        if length * (mechanism.n_state + 1) / 2 > most:
            return None
    return kernel


def _program(graph: Graph) -> Program:
    mechanism, given = graph.mechanism, graph.symbols()
    a0 = fresh_symbols("a0", mechanism.nv)
    unit = {**given, "q": with_unit_quaternions(mechanism, given["q"])}
    vectors = {**graph.driven(unit), "a": a0}
    rates = graph.quantity("position_rate", vectors)
    if mechanism.closures:
        forces, mass = graph.quantity("forward_dynamics", vectors), np.eye(mechanism.nv)
    else:
        forces = _force_residual(graph, vectors)
        mass = graph.quantity("mass_matrix", vectors)
    further = graph.quantity(RATES, vectors) if mechanism.states else ()
    by = joined(given["q"], given["v"], given.get(STATES, ()), given["t"])
    slopes = jacobian(joined(rates, forces, further), by)
    inputs = {**graph.inputs(given), "a0": a0}
    return optimise(build(inputs, {"slopes": slopes, "mass": mass}))


def _force_residual(graph: Graph, vectors: Vectors) -> Array:
    return joined(vectors["tau"]) - joined(graph.quantity("inverse_dynamics", vectors))
