"""How the bodies of a system move."""

from __future__ import annotations

from typing import Unpack

from numpy.typing import ArrayLike

from poinsot.evaluate.call_options import CallOptions
from poinsot.front.description import Description
from poinsot.model import BaseMotion
from poinsot.spatial import Array

N_BASE = 6
"""Velocities of a moving base."""
ORIGIN = (0.0, 0.0, 0.0)


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
        request = self._of_body("pose", body, "body")
        return self._evaluate(request, (q,), **how)

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
        request = self._of_body("velocity", body, axes)
        return self._evaluate(request, (q, v, point), **how)

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
        request = self._of_body("acceleration", body, axes)
        return self._evaluate(request, (q, v, a, point), **how)

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
        request = self._of_body("jacobian", body, axes)
        return self._evaluate(request, (q, point), **how)

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
        request = self._of_body("jacobian_rate", body, axes)
        return self._evaluate(request, (q, v, point), **how)
