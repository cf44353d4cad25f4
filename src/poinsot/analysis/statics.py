"""The forces at rest and how they change with the configuration: exact derivatives of the graph.

    f(q) = bias(q, 0) - tau(t, q, 0),       K δ = d/dε [f - J(q)ᵀ lam] at q moved by ε δ

K is asked for one direction after the other, all in one batch: its program is a small multiple of
the forces' own, however many velocities there are.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, Final

import numpy as np

from poinsot.errors import ShapeError
from poinsot.evaluate.expression import Function, trace_function
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.trace import loaded_environment, parameter_symbols
from poinsot.expr import Program, build, fresh_symbols, optimise, tangent
from poinsot.formulations.constrained.constraint_rows import constraint_jacobian
from poinsot.formulations.position_rate import position_rate
from poinsot.formulations.recursive.inverse import bias
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.kernels.kernel import AbstractKernel
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.model import LoadInputs, Mechanism
from poinsot.spatial import Array

__all__ = ["Statics"]

NO_PARAMETERS: Final = np.zeros(0)
COMPILED: Final = 20_000
"""Operations above which NumPy runs the program: it is evaluated a few times only."""


class Statics:
    """The forces of one mechanism at rest.

    Args:
        mechanism: The bodies.
        t: Time at which it rests [s].
        law: Joint forces as a function of t, q and v, traced; none by default.
        parameters: Values of its free parameters, shape (number of them,).
    """

    def __init__(
        self,
        mechanism: Mechanism,
        t: float = 0.0,
        law: Function | None = None,
        parameters: Array = NO_PARAMETERS,
    ) -> None:
        self.mechanism, self.t, self.parameters = mechanism, t, parameters
        self.program = program = _traced(mechanism, t, law)
        small = program.n_operations <= COMPILED
        self._kernel: AbstractKernel = LlvmKernel(program) if small else InterpreterKernel(program)

    def at(self, parameters: Array) -> Statics:
        """Return the same forces at other values of the free parameters; nothing is compiled."""
        other = copy(self)
        other.parameters = parameters
        return other

    def force(self, q: Array) -> Array:
        """Return f: the joint forces that balance the loads [N or N m], shape (nv,)."""
        still = np.zeros((1, self.mechanism.nv))
        forces, _ = self._run(q, still, np.zeros(len(self.mechanism.row_names)))
        return forces.reshape(self.mechanism.nv)

    def stiffness(self, q: Array, lam: Array) -> Array:
        """Return K, shape (nv, nv): column k is the change along velocity k.

        Args:
            q: Configuration, shape (nq,).
            lam: Multipliers of loops and constraints, shape (m,).
        """
        return self._run(q, np.eye(self.mechanism.nv), lam)[1].T

    def forces(self, q: Array) -> Array:
        """Return f of many states, shape (n, nv).

        Args:
            q: Configurations, shape (n, nq); as many as there are rows of parameters, or these one.
        """
        still = np.zeros((len(q), self.mechanism.nv))
        return self._run(q, still, np.zeros(len(self.mechanism.row_names)))[0]

    def stiffnesses(self, q: Array, lam: Array) -> Array:
        """Return K of many states, shape (n, nv, nv).

        Args:
            q: Configurations, shape (n, nq).
            lam: Multipliers of loops and constraints, shape (n, m).
        """
        nv = self.mechanism.nv
        q_each, lam_each = np.repeat(q, nv, axis=0), np.repeat(lam, nv, axis=0)
        change = self._run(q_each, np.tile(np.eye(nv), (len(q), 1)), lam_each)[1]
        return np.swapaxes(change.reshape(len(q), nv, nv), -2, -1)

    def _run(self, q: Array, along: Array, lam: Array) -> tuple[Array, Array]:
        values = self.parameters
        if values.ndim > 1 and len(values) < len(along):  # several directions of each state
            values = np.repeat(values, len(along) // len(values), axis=0)
        given = {"q": q, "along": along, "lam": lam, PARAMETERS: values}
        inputs = [
            np.ascontiguousarray(np.broadcast_to(given[port.name], (len(along), port.size)))
            for port in self._kernel.signature.inputs
        ]
        force, change = np.empty((2, len(along), self.mechanism.nv))
        self._kernel.run(inputs, [force, change])
        return force, change


def _traced(mechanism: Mechanism, time: float, law: Callable[..., Any] | None) -> Program:
    sizes = {"q": mechanism.nq, "along": mechanism.nv, "lam": len(mechanism.row_names)}
    given = {name: fresh_symbols(name, size) for name, size in sizes.items() if size}
    q, t = given["q"], np.array([time])
    still = np.zeros(mechanism.nv)
    environment = loaded_environment(mechanism, LoadInputs(), {"q": q, "v": still, "t": t})
    force = bias(mechanism, q, still, environment)
    if law is not None:
        tau = trace_function("equilibrium: tau", law, {"t": t, "q": q, "v": still})
        if tau.shape not in ((mechanism.nv,), () if mechanism.nv == 1 else (mechanism.nv,)):
            raise ShapeError(
                f"equilibrium: tau(t, q, v) must return {mechanism.nv} joint forces, shape "
                f"({mechanism.nv},), got {tau.shape}"
            )
        force = force - tau.ravel()
    balance = force
    if "lam" in given:
        balance = force - constraint_jacobian(mechanism, q, environment).T @ given["lam"]
    moved = position_rate(mechanism, q, given["along"])
    given |= parameter_symbols(mechanism)
    return optimise(build(given, {"force": force, "change": tangent(balance, q, moved)}))
