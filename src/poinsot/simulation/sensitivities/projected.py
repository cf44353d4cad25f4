"""States projected onto the constraints with unit quaternions, as steps end, and derivatives."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np

from poinsot.evaluate.inputs import PARAMETERS
from poinsot.expr import Program, Rolled, build, fresh_symbols, gradient, optimise
from poinsot.expr.replay import replay
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.model import Mechanism
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.sensitivities.program_jacobian import along_states, program_jacobian
from poinsot.simulation.sensitivities.rate_products import LONGEST, MULTIPLE, WEIGHTS
from poinsot.simulation.stepping.motion_graph import joined
from poinsot.simulation.stepping.projection import PROJECTIONS
from poinsot.simulation.stepping.quaternions import quaternion_starts
from poinsot.spatial import Array

Pair: TypeAlias = tuple[Array, Array]
"""States, shape (N, n), and their derivatives, shape (N, n, m)."""


def moves_ends(equations: MotionEquations) -> bool:
    """Say whether there are constraints or quaternions, so that ends of steps are moved."""
    return bool(equations.projection or quaternion_starts(equations.mechanism).size)


def projected(equations: MotionEquations, names: tuple[str, ...], t: Array, x: Array) -> Pair:
    """Return states with unit quaternions, on the constraints, and their derivatives.

    Args:
        equations: What was integrated.
        names: Free parameters to differentiate by.
        t: Times [s], shape (N,).
        x: States [q, v, states], shape (N, n).

    Returns:
        Shapes (N, n) and (N, n, n + number of names + 1), the last column by the time.
    """
    count, n = len(names) + 1, x.shape[1]
    x, by = _normalised(equations, x, np.broadcast_to(np.eye(n, n + count), (len(x), n, n + count)))
    use = equations.projection
    if use is None:
        return x, by
    program = use.kernel.program
    n_moved = equations.nq + equations.nv
    for _ in range(PROJECTIONS):
        slopes = np.broadcast_to(np.eye(n, n + count), by.shape).copy()
        slopes[:, :n_moved] = program_jacobian(equations, program, names, t, x)[:, :n_moved]
        by = chained(slopes, by, count)
        x = np.concatenate([_moved(equations, t, x)[:, :n_moved], x[:, n_moved:]], axis=1)
        x, by = _normalised(equations, x, by)
    return x, by


@lru_cache(maxsize=32)
def weighted_projection(
    mechanism: Mechanism, program: Program | Rolled, names: tuple[str, ...]
) -> LlvmKernel | None:
    """Return the kernel of uᵀ P_y and uᵀ P_p of one Newton step towards the constraints.

    By reverse accumulation; its last input are the weights u of q and v.  None where it is too long
    a program, or quaternions are normalised between the steps.

    Args:
        mechanism: The bodies.
        program: The Newton step.
        names: Free parameters to differentiate by.
    """
    if isinstance(program, Rolled) or quaternion_starts(mechanism).size:
        return None
    if program.n_operations * MULTIPLE > LONGEST:
        return None
    inputs = {port.name: fresh_symbols(port.name, port.size) for port in program.inputs}
    (values,) = replay(program, *inputs.values())
    n = mechanism.nq + mechanism.nv
    sizes = {"q": mechanism.nq, "v": mechanism.nv, PARAMETERS: len(mechanism.parameter_inputs)}
    known = {name: inputs.get(name, fresh_symbols("other", k)) for name, k in sizes.items()}
    order = mechanism.parameter_inputs
    chosen = [known[PARAMETERS][order.index(name)] for name in names]
    weights = fresh_symbols(WEIGHTS, n)
    slopes = gradient(np.dot(weights, values[:n]), joined(known["q"], known["v"], chosen))
    outputs = {"by_state": slopes[:n], "by_parameters": slopes[n:]}
    return LlvmKernel(optimise(build({**inputs, WEIGHTS: weights}, outputs)))


def newton_states(equations: MotionEquations, t: Array, x: Array) -> Array:
    """Return the states from which the Newton steps towards the constraints are taken.

    Without quaternions, shape (steps N, n), one state after the other of each step.

    Args:
        equations: What was integrated.
        t: Times [s], shape (N,).
        x: States from which the first are taken, shape (N, n).
    """
    states, n_moved = [x], equations.nq + equations.nv
    for _ in range(PROJECTIONS - 1):
        moved = _moved(equations, t, states[-1])[:, :n_moved]
        states.append(np.concatenate([moved, x[:, n_moved:]], axis=1))
    return np.concatenate(states)


def normalised(equations: MotionEquations, x: Array) -> Array:
    """Return states with unit quaternions, shape (N, n)."""
    return _normalised(equations, x, np.zeros((*x.shape, 0)))[0]


def _moved(equations: MotionEquations, t: Array, x: Array) -> Array:
    """Return states after one Newton step towards the constraints, and their conditioning."""
    assert equations.projection is not None
    return along_states(equations, t, x).computed(equations.projection.kernel)


def _normalised(equations: MotionEquations, x: Array, by: Array) -> Pair:
    """Return states with unit quaternions, and their derivatives.

    u = z / |z|,      du = (1 - u uᵀ) dz / |z|
    """
    starts = quaternion_starts(equations.mechanism).tolist()
    if starts:
        x, by = x.copy(), by.copy()
    for start in starts:
        four = slice(start, start + 4)
        length = np.linalg.norm(x[:, four], axis=1)[:, None]
        unit = x[:, four] / length
        change = (
            by[:, four] - unit[:, :, None] * np.einsum("ni,nij->nj", unit, by[:, four])[:, None]
        )
        x[:, four], by[:, four] = unit, change / length[:, :, None]
    return x, by


def chained(slopes: Array, by: Array, count: int) -> Array:
    """Return the derivatives of g(x, p), from those of g and of x by the start and parameters.

    Args:
        slopes: Those of g, shape (N, n, n + all parameters).
        by: Those of x, shape (N, n, n + count).
        count: Number of parameters, the first ones.
    """
    n = slopes.shape[1]
    result: Array = slopes[:, :, :n] @ by
    result[:, :, n:] += slopes[:, :, n : n + count]
    return result
