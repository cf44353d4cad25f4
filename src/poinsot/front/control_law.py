"""A law under which a system follows a programme."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelWarning, ShapeError
from poinsot.evaluate.expression import expression
from poinsot.expr.least_squares import least_norm, orthonormal
from poinsot.expr.linalg import cholesky, solve_lower, solve_lower_transposed
from poinsot.expr.sparse_arithmetic import total
from poinsot.front.system import System
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.model.checks import real_array
from poinsot.spatial import Array

__all__ = ["ControlLaw", "ControlState", "Redundancy"]

Redundancy: TypeAlias = ArrayLike | Callable[[Any, Any, Any], Any] | None
"""Accelerations of the motion that a programme leaves free: numbers, or (t, q, v) -> numbers."""


@dataclass(frozen=True, eq=False)
class ControlState:
    """A control law at states: leading dimensions are those of the states.

    Attributes:
        f: Error of the programme [m or rad], shape (..., m).
        rate: Its rate [m/s or rad/s], shape (..., m).
        jacobian: Γ = df/dq along velocities, shape (..., m, nv).
        bias: γ of d²f/dt² = Γ a + γ, shape (..., m).
        a: Accelerations of the law, shape (..., nv).
        tau: Joint forces of the law [N or N m], shape (..., nv).
        rank: Number of independent rows of Γ, shape (...).
    """

    f: Array
    rate: Array
    jacobian: Array
    bias: Array
    a: Array
    tau: Array
    rank: Array


@dataclass(frozen=True, eq=False)
class ControlLaw:
    """Joint forces tau(t, q, v) that ``simulate`` takes; see ``control``.

    Attributes:
        system: The law's model.
        programme: The same bodies with the rows f(q, t) of the programme as constraints.
        position_gain: Γ0 [1/s²], shape (m, m).
        rate_gain: Γ1 [1/s], shape (m, m).
        redundancy: Accelerations of the motion that the programme leaves free.
        weighted: Whether Γ⁺ is that in the metric of the mass matrix.
        reactions: Wanted multipliers of the rows in the plant, shape (m,).
    """

    system: System
    programme: System
    position_gain: Array
    rate_gain: Array
    redundancy: Redundancy
    weighted: bool
    reactions: Array | None = None

    def __call__(self, t: Any, q: Any, v: Any) -> Any:  # noqa: ANN401 (numbers or expressions)
        """Return the joint forces [N or N m], shape (..., nv), of numbers or expressions."""
        if any(np.asarray(x).dtype == object for x in (t, q, v)):
            return self._state(t, q, v).tau
        return self.at(t, q, v).tau

    @property
    def poles(self) -> Array:
        """Poles of the error [1/s], shape (2 m,)."""
        m = len(self.position_gain)
        companion = np.block(
            [[np.zeros((m, m)), np.eye(m)], [-self.position_gain, -self.rate_gain]]
        )
        return np.asarray(np.linalg.eigvals(companion))

    def at(self, t: ArrayLike, q: ArrayLike, v: ArrayLike) -> ControlState:
        """Return the law at states, with all that it consists of.

        Args:
            t: Time [s], shape (...).
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).

        Warns:
            ModelWarning: Where rows of the programme depend on each other.
        """
        system = self.system
        given = {
            "t": real_array(t, "control: t")[..., None],
            "q": real_array(q, "control: q"),
            "v": real_array(v, "control: v"),
        }
        for name, size in (("q", system.nq), ("v", system.nv)):
            if given[name].shape[-1:] != (size,):
                raise ShapeError(
                    f"control: {name} must have shape (..., {size}), got {given[name].shape}"
                )
        batch = np.broadcast_shapes(*(array.shape[:-1] for array in given.values()))
        n = int(np.prod(batch))
        inputs = []
        for port in self._kernel.signature.inputs:
            array = np.broadcast_to(given[port.name], (*batch, port.size))
            inputs.append(np.ascontiguousarray(array.reshape(n, port.size)))
        result = np.empty((n, self._kernel.signature.outputs[0].size))
        self._kernel.run(inputs, [result])
        state = self._split(result.reshape((*batch, -1)))
        least = min(len(self.position_gain), system.nv)
        if (state.rank[np.isfinite(state.tau).all(axis=-1)] < least).any():
            warnings.warn(
                f"control: {system.name!r}: the programme's rows depend on each other: rank "
                f"{int(state.rank.min())}, not {least}; its errors do not decay as designed there",
                ModelWarning,
                stacklevel=2,
            )
        return state

    # How it works

    def _state(self, t: Any, q: Any, v: Any) -> ControlState:  # noqa: ANN401 (expressions)
        """Return the law as expressions."""
        rows, system = self.programme, self.system
        f, rate = rows.constraint_residual(q, t=t), rows.constraint_rate(q, v, t=t)
        Gamma, gamma = rows.constraint_jacobian(q, t=t), rows.constraint_bias(q, v, t=t)
        target = -(gamma + self.rate_gain @ rate + self.position_gain @ f)
        u: Any = self.redundancy
        if u is not None:
            u = np.asarray(u(t, q, v) if callable(u) else u)
            target = target - Gamma @ u
        L = cholesky(system.mass_matrix(q)) if self.weighted else None
        J = Gamma if L is None else solve_lower(L, Gamma.T).T
        basis = orthonormal(J.T.tolist(), blocks=[slice(0, system.nv)])
        a = least_norm(basis, target.tolist()).x
        a = a if L is None else solve_lower_transposed(L, a)
        a = a if u is None else a + u
        tau = system.inverse_dynamics(q, v, a, t=t)
        if self.reactions is not None:
            tau = tau - Gamma.T @ self.reactions
        rank = total(direction.kept for direction in basis.directions)
        return ControlState(f, rate, Gamma, gamma, a, tau, np.asarray(rank))

    @cached_property
    def _kernel(self) -> AbstractMachineKernel:
        def stacked(t: Any, q: Array, v: Array) -> Array:  # noqa: ANN401 (an expression)
            state = self._state(t, q, v)
            return np.concatenate([getattr(state, x.name).ravel() for x in fields(state)])

        return expression(self.system.mechanism, stacked, "control")

    def _split(self, stacked: Array) -> ControlState:
        """Return the numbers of a state that are stacked in the order of its fields."""
        m, n = len(self.position_gain), self.system.nv
        shapes = (m,), (m,), (m, n), (m,), (n,), (n,), ()
        ends = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]
        arrays = np.split(stacked, ends, axis=-1)
        batch = stacked.shape[:-1]
        f, rate, jacobian, bias, a, tau, rank = (
            array.reshape((*batch, *shape)) for array, shape in zip(arrays, shapes, strict=True)
        )
        return ControlState(
            f, rate, jacobian, bias, a, tau, np.rint(np.nan_to_num(rank)).astype(int)
        )
