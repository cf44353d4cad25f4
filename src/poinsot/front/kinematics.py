"""How the bodies of a system move."""

from __future__ import annotations

from numpy.typing import ArrayLike

from poinsot.front.description import Description, Values
from poinsot.spatial import Array

ORIGIN = (0.0, 0.0, 0.0)


class Kinematics(Description):
    """The methods of ``System`` about where bodies are and how they move."""

    def pose(
        self,
        body: str,
        q: ArrayLike,
        *,
        parameters: Values = None,
        out: Array | None = None,
        backend: str = "auto",
    ) -> Array:
        """Return the pose of a body, body to world, shape (..., 4, 4).

        Args:
            body: Name of the body.
            q: Configuration [m or rad], shape (..., nq).
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
        """
        request = self._of_body("pose", body, "body")
        return self._evaluate(request, (q,), out, backend, parameters)

    def velocity(
        self, body: str, q: ArrayLike, v: ArrayLike, point: ArrayLike = ORIGIN, *,
        axes: str = "body", parameters: Values = None, out: Array | None = None,
        backend: str = "auto",
    ) -> Array:  # fmt: skip
        """Return the velocity [v; w] of a body [m/s, rad/s], shape (..., 6).

        Args:
            body: Name of the body.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            point: Whose velocity, in body coordinates [m], shape (..., 3).
            axes: "body" or "world".
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
        """
        request = self._of_body("velocity", body, axes)
        return self._evaluate(request, (q, v, point), out, backend, parameters)

    def acceleration(
        self, body: str, q: ArrayLike, v: ArrayLike, a: ArrayLike, point: ArrayLike = ORIGIN, *,
        axes: str = "body", parameters: Values = None, out: Array | None = None,
        backend: str = "auto",
    ) -> Array:  # fmt: skip
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
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
        """
        request = self._of_body("acceleration", body, axes)
        return self._evaluate(request, (q, v, a, point), out, backend, parameters)

    def jacobian(
        self, body: str, q: ArrayLike, point: ArrayLike | None = None, *, axes: str = "body",
        parameters: Values = None, out: Array | None = None, backend: str = "auto",
    ) -> Array:  # fmt: skip
        """Return J with velocity = J v, linear part first, shape (..., 6, nv).

        Args:
            body: Name of the body.
            q: Configuration [m or rad], shape (..., nq).
            point: Point in body coordinates [m], shape (..., 3); its origin by default.
            axes: "body" or "world".
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
        """
        point = ORIGIN if point is None else point
        request = self._of_body("jacobian", body, axes)
        return self._evaluate(request, (q, point), out, backend, parameters)

    def jacobian_rate(
        self, body: str, q: ArrayLike, v: ArrayLike, point: ArrayLike | None = None, *,
        axes: str = "body", parameters: Values = None, out: Array | None = None,
        backend: str = "auto",
    ) -> Array:  # fmt: skip
        """Return dJ/dt with acceleration = J a + dJ/dt v, shape (..., 6, nv).

        Args:
            body: Name of the body.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            point: Point in body coordinates [m], shape (..., 3); its origin by default.
            axes: "body" or "world".
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
        """
        point = ORIGIN if point is None else point
        request = self._of_body("jacobian_rate", body, axes)
        return self._evaluate(request, (q, v, point), out, backend, parameters)
