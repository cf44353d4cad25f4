"""Loops and constraints of a system: residuals, multipliers, reactions, mobility."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack, cast

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.call_options import CallOptions, LoadOptions, SolveOptions, check_keywords
from poinsot.evaluate.loads import driven_loop
from poinsot.evaluate.request import request_for
from poinsot.expr.rank_tolerances import DETERMINED
from poinsot.front.description import Values
from poinsot.front.dynamics_derivatives import DynamicsDerivatives
from poinsot.front.kinematics import Kinematics
from poinsot.front.named_joints import actuated_velocities
from poinsot.front.named_quantity import REACTION_AXES, checked_axes
from poinsot.front.reaction_frames import Point, shown_wrenches
from poinsot.model import AbstractConstraint, Loop
from poinsot.spatial import Array


@dataclass(frozen=True, eq=False)
class Multipliers:
    """The multipliers of all rows of the constraints.

    Attributes:
        names: A name for each row.
        values: The multipliers [N or N m], of least norm where they are not determined, (..., m).
        determined: Which of them are the same in every solution, shape (..., m).
    """

    names: tuple[str, ...]
    values: Array
    determined: Array


class Constraints(DynamicsDerivatives, Kinematics):
    """The methods of ``System`` about loops and constraints."""

    @property
    def loops(self) -> tuple[Loop, ...]:
        """The joints that close loops, as listed."""
        return self._mechanism.loops

    @property
    def constraints(self) -> tuple[AbstractConstraint, ...]:
        """All other constraints, as listed."""
        return self._mechanism.constraints

    @property
    def row_names(self) -> tuple[str, ...]:
        """A name for each row of loops and constraints: its constraint, and what it locks."""
        return self._mechanism.row_names

    def constraint_residual(
        self, q: ArrayLike, *, t: ArrayLike = 0.0, **how: Unpack[CallOptions]
    ) -> Array:
        """Return the residual of the positions, phi(q, t) [m or rad], shape (..., m).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            t: Time [s], shape (...).
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        return self._loaded(
            request_for("constraint_residual"), (q,), t, _load_options("constraint_residual", how)
        )

    def constraint_rate(
        self, q: ArrayLike, v: ArrayLike, *, t: ArrayLike = 0.0, **how: Unpack[CallOptions]
    ) -> Array:
        """Return the residual of the velocities, J v + dphi/dt [m/s or rad/s], shape (..., m).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            t: Time [s], shape (...).
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        return self._loaded(
            request_for("constraint_rate"), (q, v), t, _load_options("constraint_rate", how)
        )

    def constraint_bias(
        self, q: ArrayLike, v: ArrayLike, *, t: ArrayLike = 0.0, **how: Unpack[CallOptions]
    ) -> Array:
        """Return gamma of J a + gamma = 0, shape (..., m).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            t: Time [s], shape (...).
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        return self._loaded(
            request_for("constraint_bias"), (q, v), t, _load_options("constraint_bias", how)
        )

    def constraint_jacobian(
        self, q: ArrayLike, *, t: ArrayLike = 0.0, **how: Unpack[CallOptions]
    ) -> Array:
        """Return J of M a + bias = tau + Jᵀ lam, shape (..., m, nv).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            t: Time [s], shape (...).
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        return self._loaded(
            request_for("constraint_jacobian"), (q,), t, _load_options("constraint_jacobian", how)
        )

    def multipliers(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike | None = None, *,
        t: ArrayLike = 0.0, **how: Unpack[SolveOptions],
    ) -> Multipliers:  # fmt: skip
        """Return lam of M a + bias = tau + Jᵀ lam, J a + gamma = 0.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            tau: Joint forces [N or N m], shape (..., nv); none by default.
            t: Time [s], shape (...).
            how: External loads, ``parameters`` and ``backend`` (``SolveOptions``).
        """
        tau = np.zeros(self.nv) if tau is None else tau
        request = request_for("multipliers")
        both = self._loaded(request, (q, v, tau), t, _solve_options("multipliers", how))
        return Multipliers(self.row_names, both[..., 0, :], both[..., 1, :] > 0.5)

    def mixed_dynamics(
        self, q: ArrayLike, v: ArrayLike, *, a: ArrayLike, tau: ArrayLike, joints: Sequence[str],
        t: ArrayLike = 0.0, **how: Unpack[SolveOptions],
    ) -> tuple[Array, Array]:  # fmt: skip
        """Return all accelerations and all joint forces where some of each are given.

        These ``joints`` move as ``a`` says, and the forces that this takes are found; all others
        feel ``tau``, and their accelerations are found.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Accelerations, shape (..., nv); only those of ``joints`` are looked at.
            tau: Joint forces [N or N m], shape (..., nv); those of ``joints`` are not looked at.
            joints: Names of the joints whose accelerations are given.  Where these contradict the
                constraints, which come first, or each other, not all are met: compare the result.
            t: Time [s], shape (...).
            how: External loads, ``parameters`` and ``backend`` (``SolveOptions``).

        Returns:
            Accelerations and joint forces, both (..., nv).
        """
        moved = self._velocities("mixed_dynamics", joints)
        request = request_for("mixed_dynamics", joints=moved)
        both = self._loaded(request, (q, v, a, tau), t, _solve_options("mixed_dynamics", how))
        return both[..., 0, :], both[..., 1, :]

    def actuator_forces(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, joints: Sequence[str],
        t: ArrayLike = 0.0, **how: Unpack[SolveOptions],
    ) -> dict[str, Array]:  # fmt: skip
        """Return the forces of actuated joints, which may close loops, that produce ``a``.

            M a + bias = sum of Bᵀ f + Jᵀ lam

        with u = B v the velocities of an actuated joint.  The shortest where they are not
        determined, those that come nearest where ``a`` is not possible (``actuation``).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv).
            joints: Names of the actuated joints.
            t: Time [s], shape (...).
            how: External loads, ``parameters`` and ``backend`` (``SolveOptions``).

        Returns:
            By name, along the velocities of the joint [N or N m], shape (..., nv of the joint).
        """
        places = actuated_velocities(self._mechanism, "actuator_forces", joints)
        numbers = tuple(k for place in places.values() for k in place)
        request = request_for("actuator_forces", joints=numbers)
        stacked = self._loaded(request, (q, v, a), t, _solve_options("actuator_forces", how))
        ends = np.cumsum([len(place) for place in places.values()])[:-1]
        return dict(zip(places, np.split(stacked, ends, axis=-1), strict=True))

    def reactions(
        self, q: ArrayLike, v: ArrayLike, *, a: ArrayLike | None = None,
        tau: ArrayLike | None = None, axes: str = "body", point: Point = "second",
        on: str = "second", joints: Sequence[str] | None = None, t: ArrayLike = 0.0,
        method: str = "recursive", **how: Unpack[SolveOptions],
    ) -> dict[str, Array]:  # fmt: skip
        """Return the total wrench [f; n] [N, N m] in every joint, loop and constraint, (..., 6).

        Of the parent on the body, at the body's origin; of ``first`` on ``second``, at the origin
        of the second frame, in loops, constraints and all connections of ``from_graph``:
        constraint, drive, spring and damper together.  The motion is that
        under ``tau``, or ``a`` where it is given, under the forces of ``inverse_dynamics``.
        Where constraints are redundant some wrenches are not determined
        (``determined_reactions``); they are those of the multipliers of least norm.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv); that under ``tau`` by default.
            tau: Joint forces [N or N m], shape (..., nv); none by default.
            axes: "body": of the body or second frame, "joint": of the frame on the other side of
                the joint, the parent's or the first, "world", or the name of a body.
            point: About which moments are: the origin of the "second" frame or of the "first",
                or ``(body, point)``, a point of a body or of "world" in its coordinates [m].
            on: Which of the two feels the wrench: "second", the body, or "first", its parent.
            joints: With ``a``: the joints that are driven, as in ``inverse_dynamics``.
            t: Time [s], shape (...).
            method: Which formulation gives accelerations and multipliers; "composable" for those of
                units of systems in a plane.
            how: External loads, ``parameters`` and ``backend`` (``SolveOptions``).

        Returns:
            By the name of the joint, loop or constraint.  Constraints between coordinates act
            inside joints and are left out; their forces are in ``multipliers``.
        """
        from poinsot.formulations.constrained.reactions import named_wrenches

        given = _solve_options("reactions", how)
        a, lam = self._motion("reactions", (q, v, a, tau), joints, t, given, method)

        def wrenches(axes: str) -> dict[str, Array]:
            request = request_for("reactions", axes=axes)
            return named_wrenches(self._mechanism, self._loaded(request, (q, v, a, lam), t, given))

        return shown_wrenches(self, wrenches, q, axes, point, on, how.get("parameters"))

    def determined_reactions(
        self, q: ArrayLike, *, axes: str = "body", t: ArrayLike = 0.0, parameters: Values = None
    ) -> dict[str, Array]:
        """Return which components of ``reactions`` are determined at one configuration, shape (6,).

        Where constraints are redundant, multipliers with Jᵀ lam = 0 may be added without changing
        the motion; what they change is not determined by rigid bodies alone.

        Args:
            q: Configuration [m or rad], shape (nq,).
            axes: As in ``reactions``.
            t: Time [s].
            parameters: Values of free parameters by name, as in ``forward_dynamics``.
        """
        from poinsot.expr.rank import left_null_space
        from poinsot.formulations.constrained.reactions import named_wrenches

        checked_axes("determined_reactions", axes, REACTION_AXES)
        free = left_null_space(self._one_jacobian("determined_reactions", q, t, parameters))
        request = request_for("multiplier_reactions", axes=axes)
        changes = self._loaded(
            request, (q, free), t, {"parameters": parameters}, "determined_reactions"
        )
        return named_wrenches(self._mechanism, np.all(np.abs(changes) <= DETERMINED, axis=0))

    def loop_position(
        self, name: str, q: ArrayLike, *, t: ArrayLike = 0.0, parameters: Values = None
    ) -> Array:
        """Return the coordinates of the joint of a loop, or the parameter of a curve.

        Args:
            name: Name of the loop, or of the point on a curve.
            q: Configuration [m or rad], shape (..., nq).
            t: Time [s], shape (...).
            parameters: Values of free parameters by name, as in ``forward_dynamics``.
        """
        return self._closure("loop_position", "closure_position", name, (q,), t, parameters)

    def loop_velocity(
        self,
        name: str,
        q: ArrayLike,
        v: ArrayLike,
        *,
        t: ArrayLike = 0.0,
        parameters: Values = None,
    ) -> Array:
        """Return the velocities of the joint of a loop, or the rate of a curve's parameter.

        Args:
            name: Name of the loop, or of the point on a curve.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            t: Time [s], shape (...).
            parameters: Values of free parameters by name, as in ``forward_dynamics``.
        """
        return self._closure("loop_velocity", "closure_velocity", name, (q, v), t, parameters)

    def loop_acceleration(
        self,
        name: str,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        t: ArrayLike = 0.0,
        parameters: Values = None,
    ) -> Array:
        """Return the accelerations of the joint of a loop, or of a curve's parameter.

        Args:
            name: Name of the loop, or of the point on a curve.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv).
            t: Time [s], shape (...).
            parameters: Values of free parameters by name, as in ``forward_dynamics``.
        """
        return self._closure(
            "loop_acceleration", "closure_acceleration", name, (q, v, a), t, parameters
        )

    # How it works

    def _motion(
        self, asked: str, state: tuple[Any, ...], joints: Sequence[str] | None, t: ArrayLike,
        given: LoadOptions, method: str = "recursive",
    ) -> tuple[Any, Array]:  # fmt: skip
        """Return accelerations and multipliers of q, v, a, tau; adds forces of drives to loads."""
        q, v, a, tau = state
        if a is not None and tau is not None:
            raise ModelError(f"{asked}: give a or tau, not both: one follows from the other")
        if a is None and method == "recursive":
            a = self.forward_dynamics(q, v, tau, t=t, **given)
            return a, self.multipliers(q, v, tau, t=t, **cast(Any, given)).values
        if a is None:
            tau = np.zeros(self.nv) if tau is None else tau
            a = self.forward_dynamics(q, v, tau, t=t, method=method, **given)
        else:
            tau = self._joint_forces((q, v, a), joints, t, given)
        request = request_for("motion_multipliers", method)
        return a, self._loaded(request, (q, v, a, tau), t, given, asked)

    def _joint_forces(
        self, motion: tuple[ArrayLike, ...], joints: Sequence[str] | None, t: ArrayLike,
        given: LoadOptions,
    ) -> Array:  # fmt: skip
        """Return the joint forces of a motion; those of cut joints are put into the loads."""
        cut = [joint for joint in joints or () if joint in self._mechanism.cut_joints]
        q, v, a = motion
        if not cut:
            return self.inverse_dynamics(q, v, a, joints=joints, t=t, **given)
        forces = self.actuator_forces(q, v, a, joints=joints or (), t=t, **cast(Any, given))
        given["drives"] = {**(given.get("drives") or {}), **{x: forces.pop(x) for x in cut}}
        places = actuated_velocities(self._mechanism, "reactions", list(forces))
        tau = np.zeros((*np.broadcast_shapes(*(np.shape(x)[:-1] for x in motion)), self.nv))
        for joint, force in forces.items():
            tau[..., places[joint]] = force
        return tau

    def _one_jacobian(self, name: str, q: ArrayLike, t: ArrayLike, parameters: Values) -> Array:
        if np.ndim(q) != 1:
            raise ShapeError(
                f"{name}: q must be one configuration of shape ({self.nq},), got {np.shape(q)}"
            )
        if np.ndim(t) != 0:
            raise ShapeError(f"{name}: t must be one time, got {t!r}")
        return self.constraint_jacobian(q, t=t, parameters=parameters)

    def _closure(
        self,
        asked: str,
        name: str,
        loop: str,
        state: tuple[ArrayLike, ...],
        t: ArrayLike,
        parameters: Values,
    ) -> Array:
        request = request_for(name, loop=driven_loop(self._mechanism, asked, loop).number)
        return self._loaded(request, state, t, {"parameters": parameters}, asked)


def _load_options(name: str, how: CallOptions) -> LoadOptions:
    """Return keywords of a quantity that does not depend on external loads."""
    check_keywords(name, how, CallOptions)
    return cast(LoadOptions, how)


def _solve_options(name: str, how: SolveOptions) -> LoadOptions:
    """Return keywords of a quantity whose result is not the array itself."""
    check_keywords(name, how, SolveOptions)
    return cast(LoadOptions, how)
