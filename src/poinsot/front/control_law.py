"""A law under which a system follows a programme."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ModelWarning, ShapeError
from poinsot.evaluate.expression import expression
from poinsot.expr.least_squares import least_norm, orthonormal
from poinsot.expr.linalg import cholesky, solve_lower, solve_lower_transposed
from poinsot.expr.rank_tolerances import DETERMINED, RANK
from poinsot.expr.sparse_arithmetic import total
from poinsot.front.parameter_numbers import leading_shape
from poinsot.front.programme_rank import FollowedRows, conditioning, singular_rows
from poinsot.front.system import System
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.model.checks import real_array
from poinsot.model.followed_programmes import record_programme
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from poinsot.front.run import Run

__all__ = ["AT_CALL", "ControlLaw", "ControlState", "Redundancy", "free_accelerations"]

Redundancy: TypeAlias = ArrayLike | str | Callable[[Any, Any, Any], Any] | None
"""Accelerations of the motion that a programme leaves free: numbers, (t, q, v) -> numbers, or
"call"."""

AT_CALL: Final = "call"
"""They are an argument of the law."""


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

    def __call__(self, t: Any, q: Any, v: Any, *, redundancy: Any = None) -> Any:  # noqa: ANN401
        """Return the joint forces [N or N m], shape (..., nv), of numbers or expressions.

        Args:
            t: Time [s], shape (...).
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            redundancy: Accelerations of the motion that the programme leaves free, shape (..., nv),
                in place of those of the law; a law with redundancy="call" has no others.
        """
        if any(np.asarray(x).dtype == object for x in (t, q, v, redundancy) if x is not None):
            return self._state(t, q, v, redundancy).tau
        return self.at(t, q, v, redundancy=redundancy).tau

    @property
    def poles(self) -> Array:
        """Poles of the error [1/s], shape (2 m,)."""
        m = len(self.position_gain)
        companion = np.block(
            [[np.zeros((m, m)), np.eye(m)], [-self.position_gain, -self.rate_gain]]
        )
        return np.asarray(np.linalg.eigvals(companion))

    @property
    def call_inputs(self) -> dict[str, int]:
        """Sizes of the arguments beside t, q and v that exports have as inputs, by name."""
        at_call = isinstance(self.redundancy, str)
        return {"redundancy": self.system.nv} if at_call else {}

    def at(
        self, t: ArrayLike, q: ArrayLike, v: ArrayLike, *, redundancy: ArrayLike | None = None
    ) -> ControlState:
        """Return the law at states, with all that it consists of.

        Args:
            t: Time [s], shape (...).
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            redundancy: As at a call.

        Warns:
            ModelWarning: Where rows of the programme depend on each other.
        """
        system = self.system
        given = {
            "t": real_array(t, "control: t")[..., None],
            "q": real_array(q, "control: q"),
            "v": real_array(v, "control: v"),
        }
        if redundancy is not None:
            given["redundancy"] = real_array(redundancy, "control: redundancy")
        sizes = {"t": 1, "q": system.nq, "v": system.nv, "redundancy": system.nv}
        for name, array in given.items():
            if array.shape[-1:] != (sizes[name],):
                raise ShapeError(
                    f"control: {name} must have shape (..., {sizes[name]}), got {array.shape}"
                )
        batch = leading_shape("control", given)
        n = int(np.prod(batch))
        kernel = self._kernel if redundancy is None else self._kernel_of_call
        inputs = []
        for port in kernel.signature.inputs:
            array = np.broadcast_to(given[port.name], (*batch, port.size))
            inputs.append(np.ascontiguousarray(array.reshape(n, port.size)))
        result = np.empty((n, kernel.signature.outputs[0].size))
        kernel.run(inputs, [result])
        state = self._split(result.reshape((*batch, -1)))
        self._warn_of_rank(state)
        return state

    def tool_wrench(
        self, body: str, q: ArrayLike, v: ArrayLike, *, t: ArrayLike = 0.0,
        tau: ArrayLike | None = None, point: ArrayLike = (0.0, 0.0, 0.0),
    ) -> Array:  # fmt: skip
        """Return the wrench on a tool by which an ideal constraint holds the programme, (..., 6).

            Jᵀ F = Γᵀ N,      M a + b = tau + Γᵀ N,      Γ a + γ = 0

        [f; n] at a point of the tool in world axes [N, N m]; N are ``programme.multipliers``.

        Args:
            body: Name of the body that the programme leads.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            t: Time [s], shape (...).
            tau: Joint forces [N or N m], shape (..., nv); none by default.
            point: Of the tool, in body coordinates [m], shape (3,).

        Raises:
            ModelError: If the programme leads more than this body.
        """
        rows = self.programme
        N = rows.multipliers(q, v, tau, t=t).values
        forces = np.einsum("...mv,...m->...v", rows.constraint_jacobian(q, t=t), N)
        J = np.swapaxes(rows.jacobian(body, q, point, axes="world"), -1, -2)
        wrench = (np.linalg.pinv(J, rcond=RANK) @ forces[..., None])[..., 0]
        off = np.abs((J @ wrench[..., None])[..., 0] - forces).max(initial=0.0)
        if off > DETERMINED * max(1.0, np.abs(forces).max(initial=0.0)):
            raise ModelError(
                f"tool_wrench: the programme leads more than {body!r}: no wrench on it makes up "
                f"for {off:.3g} N or N m; ask law.programme.reactions(q, v) for constraints apart"
            )
        return np.asarray(wrench)

    def plot(self, run: Run, path: str | Path | None = None) -> Figure:
        """Draw errors, their rates, joint forces and the conditioning of Γ along a run.

        Conditioning is the smallest remainder of a row of unit length after those before it, 0
        where Γ is singular.

        Args:
            run: Of ``simulate``, under this law or another.
            path: File to write: .png, .svg or .pdf; None: show it.
        """
        from poinsot.plots.figure import plot_panels
        from poinsot.plots.panels import Panel, PlottedCurve

        if not hasattr(run, "tau"):
            raise ModelError(f"control: plot takes a run first, law.plot(run, path), got {run!r}")
        programme, t, q, v = self.programme, run.t, run.q, run.v

        def panel(title: str, unit: str, names: Sequence[str], values: Array) -> Panel:
            curves = [PlottedCurve(name, values[:, k]) for k, name in enumerate(names)]
            return Panel(title, unit, t, tuple(curves))

        rows, joints = programme.row_names, self.system.velocity_names
        clear = conditioning(programme.constraint_jacobian(q, t=t))[:, None]
        errors, rates = programme.constraint_residual(q, t=t), programme.constraint_rate(q, v, t=t)
        panels = [
            (panel("Error of the programme", "m, rad", rows, errors),
             panel("Rate of the error", "m/s, rad/s", rows, rates)),
            (panel("Joint forces", "N, N m", joints, run.tau()),
             panel("Conditioning of the programme", "1", [""], clear)),
        ]  # fmt: skip
        return plot_panels(path, f"Control of {self.system.name}", panels)

    # How it works

    def _warn_of_rank(self, state: ControlState) -> None:
        least = min(len(self.position_gain), self.system.nv)
        singular = (state.rank < least) & np.isfinite(state.tau).all(axis=-1)
        if singular.any():
            J = state.jacobian[singular][0]
            dependent = singular_rows(self.programme.row_names, self.system.velocity_names, J)
            dependent = dependent._replace(rank=int(state.rank[singular][0]))
            warnings.warn(
                f"control: {self.system.name!r}: the programme's rows depend on each other: "
                f"{dependent.told(least)}; its errors do not decay as designed there",
                ModelWarning,
                stacklevel=3,
            )

    def _state(self, t: Any, q: Any, v: Any, redundancy: Any = None) -> ControlState:  # noqa: ANN401
        """Return the law as expressions."""
        record_programme(self._rows)
        rows, system = self.programme, self.system
        if np.shape(q)[-1:] != (system.nq,) or np.shape(v)[-1:] != (system.nv,):
            raise ModelError(
                f"this law is for systems like its model {system.name!r} with {system.nq} "
                f"coordinates and {system.nv} velocities, got {np.shape(q)} and {np.shape(v)}"
            )
        f, rate = rows.constraint_residual(q, t=t), rows.constraint_rate(q, v, t=t)
        Gamma, gamma = rows.constraint_jacobian(q, t=t), rows.constraint_bias(q, v, t=t)
        target = -(gamma + self.rate_gain @ rate + self.position_gain @ f)
        given = self.redundancy if redundancy is None else redundancy
        u = free_accelerations(system, given, t, q, v)
        if u is not None:
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
    def _rows(self) -> FollowedRows:
        return FollowedRows(self.programme)

    @cached_property
    def _kernel(self) -> AbstractMachineKernel:
        return expression(self.system.mechanism, self._stacked, "control")

    @cached_property
    def _kernel_of_call(self) -> AbstractMachineKernel:
        further = {"redundancy": self.system.nv}
        return expression(self.system.mechanism, self._stacked, "control", further)

    def _stacked(self, t: Any, q: Any, v: Any, redundancy: Any = None) -> Array:  # noqa: ANN401
        """Return all of a state as expressions, in the order of its fields."""
        state = self._state(t, q, v, redundancy)
        return np.concatenate([getattr(state, x.name).ravel() for x in fields(state)])

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


def free_accelerations(system: System, redundancy: Redundancy, t: Any, q: Any, v: Any) -> Any:  # noqa: ANN401
    """Return the accelerations of the motion that a programme leaves free, (nv,); None: zero."""
    if redundancy is None:
        return None
    if isinstance(redundancy, str):
        raise ModelError(
            "this law takes its redundancy at each call, law(t, q, v, redundancy=u); in a "
            "run give tau=lambda t, q, v: law(t, q, v, redundancy=...), a signal or a formula"
        )
    u = np.asarray(redundancy(t, q, v) if callable(redundancy) else redundancy)
    if u.shape != (system.nv,):
        what = f"redundancy(t, q, v) of {system.name!r}" if callable(redundancy) else "redundancy"
        raise ModelError(
            f"{what} must give {system.nv} accelerations, one for each velocity, shape "
            f"({system.nv},), got {u.shape}"
        )
    return u
