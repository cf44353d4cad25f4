"""A step of the variational midpoint rule, as kernels.

From q0 an increment d leads to q1, halfway lies q (``configuration_increments.py``).  With

    L_d(q0, q1) = h T(q, d / h),      forces f(t + h / 2, q, d / h) times h over the shift of q,

the discrete Lagrange-d'Alembert principle gives the momenta at both ends,

    p0 = -D1 L_d - f0,      p1 = D2 L_d + f1,

the first of which is solved for d.  Where all forces have a potential that keeps the symplectic
form, and without external loads it keeps the momenta, as L_d is invariant under motions of the
whole system [MarsdenWest2001].

Loops and constraints phi(q1, t1) = 0 add J(q0)ᵀ lam to p0, as in RATTLE [Andersen1983]; the
velocities are projected onto them after the step.  Rank deficiency of the rows would make the
matrix singular: a small multiple of the change of lam is added to the rows, which alters the
iterates and not the solution.
"""

from __future__ import annotations

from functools import cache, lru_cache, partial

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.regular_mass_matrix import singular_weight
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import trace
from poinsot.expr import (
    Program,
    build,
    fresh_symbols,
    gradient,
    jacobian,
    ltdl,
    ltdl_solve,
    optimise,
    sqrt,
)
from poinsot.formulations.passive_forces import passive_force
from poinsot.formulations.recursive.inverse import bias
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.model import Environment
from poinsot.model.environment import BASE
from poinsot.simulation.laws.equations import RATES, STATES
from poinsot.simulation.stepping.configuration_increments import (
    end_momenta,
    gyroscopic_armature_force,
    middle,
    moved,
    rates,
    velocities,
)
from poinsot.simulation.stepping.motion_graph import Graph, Vectors, cached_kernel, joined
from poinsot.spatial import Array, Scalar

SOFTNESS = 1e-10
"""Part of J M⁻¹ Jᵀ that is added to it."""


@lru_cache(maxsize=16)
def step_kernels(graph: Graph, integrator: str) -> tuple[LlvmKernel, LlvmKernel, LlvmKernel]:
    """Return the kernels of a step: its start, an iteration of Newton's, its end.

    With N = nv + rows of constraints + further states:

    - start: q, v, a0, step -> momentum (nv,), unknown (N,), a first guess, and scale (1,);
    - iteration: t, q, momentum, unknown, step, ... -> residual (N,) and system (N, N);
    - end: t, q, unknown, step, ... -> state [q, v, states].

    Further states advance by the midpoint rule, s1 = s0 + h rate((s0 + s1) / 2, ...).

    Args:
        graph: The equations of motion.
        integrator: Its name, for errors.
    """
    step = cache(partial(_Step, graph))  # made if the code of a kernel is not cached
    kernels = (
        cached_kernel(graph, "start of a step", lambda: step().start()),
        cached_kernel(graph, "iteration of a step", lambda: step().iteration()),
        cached_kernel(graph, "end of a step", lambda: step().end()),
    )
    if not all(kernel.is_cached for kernel in kernels):
        _check(graph, integrator)
    return kernels


def _check(graph: Graph, integrator: str) -> None:
    mechanism = graph.mechanism
    if mechanism.at_positions is not mechanism:
        free = sorted(set(range(len(mechanism.row_names))) - set(mechanism.position_rows))
        raise ModelError(
            f"simulate: integrator {integrator!r} varies positions, and "
            f"{mechanism.row_names[free[0]]!r} of {mechanism.name!r} constrains velocities only "
            "(non-holonomic): its motions make no action stationary; choose integrator 'dp8'"
        )
    if mechanism.closures and not mechanism.free_parameters and singular_weight(mechanism) > 0.0:
        raise ModelError(
            f"simulate: integrator {integrator!r} needs masses that every joint of "
            f"{mechanism.name!r} "
            "feels without its loops; choose integrator 'dp8'"
        )
    weights = {"kinetic_energy": 4, "bias": 2}
    operations = sum(
        n * trace(mechanism, Request(name)).n_operations for name, n in weights.items()
    )
    graph.check_size(integrator, operations * mechanism.nv / 2)


class _Step:
    """The formulas of a step over fresh symbols."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.mechanism = graph, graph.mechanism
        self.given = graph.symbols()
        self.q, self.v, self.t = (self.given[name] for name in ("q", "v", "t"))
        nv, self.rows = self.mechanism.nv, len(self.mechanism.row_names)
        self.momentum, self.step = fresh_symbols("momentum", nv), fresh_symbols("step", 1)
        self.states = self.given.get(STATES, np.zeros(0))
        self.unknown = fresh_symbols("unknown", nv + self.rows + self.states.size)
        self.d, self.lam, self.gain = np.split(self.unknown, [nv, nv + self.rows])
        self.h = self.step[0]
        self.q1, self.t1 = moved(self.mechanism, self.q, self.d), self.t + self.h

    def start(self) -> Program:
        """Return the program that makes a state into momenta and a guess."""
        a0 = fresh_symbols("a0", self.mechanism.nv)
        p = rates(self.mechanism, self.q, gradient(self._kinetic_energy(self.q, self.v), self.v))
        first = rates(self.mechanism, self.q, self.h * self.v)
        second = rates(self.mechanism, self.q, (0.5 * self.h * self.h) * a0)
        scale = sqrt(np.dot(first, first)) + sqrt(np.dot(second, second))
        rates0 = fresh_symbols("rates0", self.states.size)
        outputs = {
            "momentum": p,
            "unknown": joined(first + second, np.zeros(self.rows), self.h * rates0),
            "scale": np.array([scale]),
        }
        more = {"a0": a0, "step": self.step} | ({"rates0": rates0} if rates0.size else {})
        return self._program(("q", "v"), more, outputs)

    def iteration(self) -> Program:
        """Return the program of the residual and its Jacobian by the unknowns."""
        miss = self._momenta()[0] - self.momentum
        residual, system = miss, jacobian(miss, self.d)
        if self.rows:
            J = self._constraint_jacobian(self.q, self.t)
            vectors = {**self.given, "q": self.q1, "t": self.t1}
            phi = self.graph.quantity("constraint_residual", vectors)
            weights = np.array([(row * row) @ (1.0 / np.diag(system)) for row in J])
            soft = np.diag(SOFTNESS * (weights + sum(weights) / self.rows))
            residual = joined(miss - J.T @ self.lam, phi)
            system = np.block([[system, -J.T], [jacobian(phi, self.d), soft]])
        if self.states.size:
            left = self.gain - self.h * self._rates()
            right = jacobian(residual, self.gain)
            system = np.block([[system, right], [jacobian(left, self.unknown)]])
            residual = joined(residual, left)
        more = {"momentum": self.momentum, "unknown": self.unknown, "step": self.step}
        outputs = {"residual": residual, "system": system}
        return self._program(("t", "q", "tau", BASE), more, outputs)

    def end(self) -> Program:
        """Return the program of the state at the end, velocities not yet projected."""
        p = self._momenta()[1]
        if self.rows:
            p = p + self._constraint_jacobian(self.q1, self.t1).T @ self.lam
        order, parent = self.mechanism.velocity_tree
        M = self.graph.quantity("mass_matrix", {**self.given, "q": self.q1})
        factors = ltdl(M[np.ix_(order, order)], parent)
        v1 = np.empty(self.mechanism.nv, dtype=object)
        v1[order] = ltdl_solve(*factors, parent, velocities(self.mechanism, self.q1, p)[order])
        more = {"unknown": self.unknown, "step": self.step}
        state = joined(self.q1, v1, self.states + self.gain)
        return self._program(("t", "q", "tau", BASE), more, {"state": state})

    def _momenta(self) -> tuple[Array, Array]:
        """Return the momenta at both ends of the step."""
        mechanism, h = self.mechanism, self.h
        q = middle(mechanism, self.q, self.d)
        v = velocities(mechanism, q, self.d * (1.0 / h))
        by = gradient(h * self._kinetic_energy(q, v), joined(self.q, self.d))
        slopes = by[: mechanism.nq], by[mechanism.nq :]
        impulse = h * rates(mechanism, q, self._force(q, v))
        return end_momenta(mechanism, self.q, self.d, slopes, impulse)

    def _kinetic_energy(self, q: Array, v: Array) -> Scalar:
        vectors = {**self.given, "q": q, "v": v}
        energy: Scalar = self.graph.quantity("kinetic_energy", vectors).item()
        return energy

    def _force(self, q: Array, v: Array) -> Array:
        """Return all forces but inertia on the velocities, at the midpoint of the step."""
        mechanism, vectors = self.mechanism, self._middle(q, v)
        inertial = bias(mechanism, q, v, Environment(np.zeros(3))) - passive_force(mechanism, q, v)
        force = joined(vectors["tau"]) - (self.graph.quantity("bias", vectors) - inertial)
        total: Array = force + gyroscopic_armature_force(mechanism, v)
        return total

    def _rates(self) -> Array:
        """Return the rates of further states at the midpoint of the step."""
        q = middle(self.mechanism, self.q, self.d)
        v = velocities(self.mechanism, q, self.d * (1.0 / self.h))
        return self.graph.quantity(RATES, self._middle(q, v))

    def _middle(self, q: Array, v: Array) -> Vectors:
        """Return what the equations read at the midpoint of the step, further states too."""
        given = {**self.given, "t": self.t + 0.5 * self.h, "q": q, "v": v}
        if self.states.size:
            fixed = given[PARAMETERS][: -self.states.size]
            given[PARAMETERS] = joined(fixed, self.states + 0.5 * self.gain)
        return self.graph.driven(given)

    def _constraint_jacobian(self, q: Array, t: Array) -> Array:
        """Return J by the rates, shape (rows, nv)."""
        J = self.graph.quantity("constraint_jacobian", {**self.given, "q": q, "t": t})
        return np.array([rates(self.mechanism, q, row) for row in J])

    def _program(
        self, names: tuple[str, ...], more: dict[str, Array], outputs: dict[str, Array]
    ) -> Program:
        held = self.graph.inputs(self.given)
        inputs = {name: held[name] for name in (*names, PARAMETERS, STATES) if name in held}
        return optimise(build({**inputs, **more}, outputs))
