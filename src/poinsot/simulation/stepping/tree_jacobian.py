"""The Jacobian of the equations of motion of a large tree, from closed forms.

    E = diag(1, M),      slopes = [[0, 1, 0], [-∂τ/∂q, -∂τ/∂v, 0]]

with the derivatives of inverse dynamics at the acceleration of the state, a rolled program
(``formulations/recursive/rolled_derivatives.py``): a few evaluations of inverse dynamics long,
where derivatives along directions take one of forward dynamics for every eight columns.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import trace_rolled
from poinsot.expr import Rolled, RolledBuilder, garbage_collection_paused
from poinsot.expr.rolled_code import STATE
from poinsot.formulations.recursive.rolled_derivatives import LARGEST
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.model import LoadInputs, Mechanism
from poinsot.simulation.laws.equations import MotionEquations

NAME = "inverse_dynamics_derivatives"
FEW = 10
"""Velocities up to which straight code is as fast, and compiled as soon."""
MOTION = {"qdot", "a"}
"""What kernels write where joint forces and loads do not depend on the state."""


def tree_jacobian(equations: MotionEquations) -> RolledKernel | None:
    """Return the kernel of ``slopes``, shape (n, n + 1), and ``mass``, M, shape (nv, nv).

    None for few joints, loops, force elements, laws, further states, loads and quaternions.

    Args:
        equations: What is integrated.
    """
    mechanism = equations.mechanism
    depends = mechanism.forces or mechanism.closures or mechanism.states
    is_plain = not depends and mechanism.nq == mechanism.nv
    is_large = FEW < mechanism.nv <= LARGEST[NAME]
    written = {use.writes for use in equations.uses}
    if not (is_plain and is_large) or written != MOTION or equations.load_inputs != LoadInputs():
        return None
    return _kernel(mechanism)


@lru_cache(maxsize=16)
@garbage_collection_paused()
def _kernel(mechanism: Mechanism) -> RolledKernel:
    return RolledKernel(_program(mechanism))


def _program(mechanism: Mechanism) -> Rolled:
    n = mechanism.nv
    derivatives = trace_rolled(mechanism, Request(NAME))
    sizes = {port.name: port.size for port in derivatives.inputs if port.name != "a"}
    builder = RolledBuilder({**sizes, "a0": n}, {"slopes": (2 * n, 2 * n + 1), "mass": (n, n)})
    a, numbers, forces = (builder.state(size) for size in (n, 2, 2 * n * n))
    builder.item(
        "copied", lambda x: {"y": x}, {"x": ("a0", np.arange(n), 1)}, {"y": a + np.arange(n)}
    )
    builder.item("numbers", lambda: {"y": np.array([0.0, 1.0])}, {}, {"y": numbers})
    (places,) = builder.embed(NAME, derivatives, {"a": a})
    goals = forces + np.arange(2 * n * n)
    negated = {"x": (STATE, places[: 2 * n * n], 1)}
    builder.item("negated", lambda x: {"y": -x}, negated, {"y": goals})
    slopes = np.full((2 * n, 2 * n + 1), numbers)
    slopes[np.arange(n), n + np.arange(n)] = numbers + 1
    slopes[n:, : 2 * n] = np.concatenate(np.split(goals.reshape(2 * n, n), 2), axis=1)
    builder.show("slopes", slopes)
    builder.show("mass", places[2 * n * n :].reshape(n, n))
    return builder.finish()
