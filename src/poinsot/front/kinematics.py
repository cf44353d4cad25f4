"""How the bodies of a system move."""

from __future__ import annotations

from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from poinsot.evaluate.call_options import CallOptions
from poinsot.evaluate.request import NO_LOADS, RECURSIVE, request_for
from poinsot.front.description import Description
from poinsot.front.named_quantity import BODY_AXES, checked_axes
from poinsot.model import BaseMotion
from poinsot.spatial import Array

N_BASE = 6
"""Velocities of a moving base."""
ORIGIN = np.zeros(3)
ORIGIN.flags.writeable = False


class Kinematics(Description):
    """The methods of ``System`` for poses, velocities and accelerations of bodies."""

    def pose(
        self,
        body: str,
        q: ArrayLike,
        *,
        base: BaseMotion | None = None,
        **how: Unpack[CallOptions],
    ) -> Array:
        """Return the pose of a body, body to world, shape (..., 4, 4).

        Args:
            body: Name of the body.
            q: Configuration [m or rad], shape (..., nq).
            base: Motion of the world body: then the pose is that in inertial space.
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        if base is not None:
            whole, (q,) = self._inertial("pose", base, q)
            return whole.pose(body, q, **how)
        return self._of_body("pose", body, "body", (q,), how)

    def velocity(
        self,
        body: str,
        q: ArrayLike,
        v: ArrayLike,
        point: ArrayLike = ORIGIN,
        *,
        axes: str = "body",
        base: BaseMotion | None = None,
        **how: Unpack[CallOptions],
    ) -> Array:
        """Return the velocity [v; w] of a body [m/s, rad/s], shape (..., 6).

        Args:
            body: Name of the body.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            point: Whose velocity, in body coordinates [m], shape (..., 3).
            axes: "body" or "world".
            base: Motion of the world body: then the motion is that in inertial space, whose axes
                are those of the world.
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        if base is not None:
            whole, (q, v) = self._inertial("velocity", base, q, v)
            return whole.velocity(body, q, v, point, axes=axes, **how)
        return self._of_body("velocity", body, axes, (q, v, point), how)

    def acceleration(
        self,
        body: str,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        point: ArrayLike = ORIGIN,
        *,
        axes: str = "body",
        base: BaseMotion | None = None,
        **how: Unpack[CallOptions],
    ) -> Array:
        """Return the rate of the components of ``velocity``, shape (..., 6).

        In world axes its linear part is the acceleration of the point [m/s²]; in body axes it is
        that less w × v.

        Args:
            body: Name of the body.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv).
            point: Whose acceleration, in body coordinates [m], shape (..., 3).
            axes: "body" or "world".
            base: Motion of the world body: then the motion is that in inertial space, whose axes
                are those of the world.
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        if base is not None:
            whole, (q, v, a) = self._inertial("acceleration", base, q, v, a)
            return whole.acceleration(body, q, v, a, point, axes=axes, **how)
        return self._of_body("acceleration", body, axes, (q, v, a, point), how)

    def jacobian(
        self,
        body: str,
        q: ArrayLike,
        point: ArrayLike | None = None,
        *,
        axes: str = "body",
        base: BaseMotion | None = None,
        **how: Unpack[CallOptions],
    ) -> Array:
        """Return J with velocity = J v, linear part first, shape (..., 6, nv).

        Args:
            body: Name of the body.
            q: Configuration [m or rad], shape (..., nq).
            point: Point in body coordinates [m], shape (..., 3); its origin by default.
            axes: "body" or "world".
            base: Motion of the world body: then the motion is that in inertial space, whose axes
                are those of the world.
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        point = ORIGIN if point is None else point
        if base is not None:
            whole, (q,) = self._inertial("jacobian", base, q)
            return whole.jacobian(body, q, point, axes=axes, **how)[..., N_BASE:]
        return self._of_body("jacobian", body, axes, (q, point), how)

    def jacobian_rate(
        self,
        body: str,
        q: ArrayLike,
        v: ArrayLike,
        point: ArrayLike | None = None,
        *,
        axes: str = "body",
        base: BaseMotion | None = None,
        **how: Unpack[CallOptions],
    ) -> Array:
        """Return dJ/dt with acceleration = J a + dJ/dt v, shape (..., 6, nv).

        Args:
            body: Name of the body.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            point: Point in body coordinates [m], shape (..., 3); its origin by default.
            axes: "body" or "world".
            base: Motion of the world body: then the motion is that in inertial space, whose axes
                are those of the world.
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        point = ORIGIN if point is None else point
        if base is not None:
            whole, (q, v) = self._inertial("jacobian_rate", base, q, v)
            return whole.jacobian_rate(body, q, v, point, axes=axes, **how)[..., N_BASE:]
        return self._of_body("jacobian_rate", body, axes, (q, v, point), how)

    def _of_body(
        self, quantity: str, body: str, axes: str, state: tuple[ArrayLike, ...], how: CallOptions
    ) -> Array:
        """Return a quantity of one body, by machine code where the body was asked for before."""
        names = quantity, body, axes
        native = self._evaluation.shortcuts.find(names)
        if native is not None:
            return native(*state, **how)
        checked_axes(quantity, axes, BODY_AXES)
        request = request_for(quantity, RECURSIVE, NO_LOADS, self._mechanism.index(body), axes)

        def plain(*state: ArrayLike, **how: Unpack[CallOptions]) -> Array:
            return self._evaluate(request, state, **how)

        result = plain(*state, **how)
        self._evaluation.shorten(names, request, plain, state, how)
        return result
