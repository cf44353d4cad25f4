"""What drives what: the dynamics of a system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from poinsot.evaluate.loads import Loads
from poinsot.evaluate.request import Request
from poinsot.front.described import Described, Values
from poinsot.model import BaseMotion
from poinsot.spatial import Array


class Dynamics(Described):
    """The methods of ``System`` that relate forces and accelerations."""

    def inverse_dynamics(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *,
        actuated: Sequence[str] | None = None, t: ArrayLike = 0.0, parameters: Values = None,
        out: Array | None = None, backend: str = "auto", method: str = "recursive",
        **loads: Unpack[Loads],
    ) -> Array:  # fmt: skip
        """Return the joint forces that produce the acceleration ``a``, shape (..., nv).

            tau = M(q) a + bias(q, v)

        Recursive Newton-Euler algorithm [RBDA, Table 5.1].

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv).
            actuated: Names of the joints that are driven, all by default.  With loops or where not
                all joints are driven, the forces are the shortest that come nearest to ``a``;
                ``actuation`` says what is not determined.
            t: Time [s], shape (...); only matters if a force element depends on it.
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
            method: Which formulation.
            loads: External loads by keyword: ``wrenches``, ``base``, ``drives`` (``Loads``).
        """
        request = Request("inverse_dynamics", method)
        if actuated is not None or self._mechanism.closures:
            driven = self._velocities("inverse_dynamics", "actuated", actuated)
            request = Request("driven_dynamics", method, joints=driven)
        return self._loaded(
            request, (q, v, a), t, parameters, loads, out, backend, "inverse_dynamics"
        )

    def forward_dynamics(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike | None = None, *,
        t: ArrayLike = 0.0, parameters: Values = None, out: Array | None = None,
        backend: str = "auto", method: str = "recursive", **loads: Unpack[Loads],
    ) -> Array:  # fmt: skip
        """Return the acceleration dv/dt under the joint forces ``tau``, shape (..., nv).

            a = M(q)⁻¹ (tau - bias(q, v))

        Articulated bodies [RBDA, Table 7.1] or the factored mass matrix [RBDA, section 6.5],
        whichever takes fewer operations.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            tau: Joint forces [N or N m], shape (..., nv); none by default.
            t: Time [s], shape (...); only matters if a force element depends on it.
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
            method: Which formulation.
            loads: External loads by keyword: ``wrenches``, ``base``, ``drives`` (``Loads``).
        """
        tau = np.zeros(self.nv) if tau is None else tau
        request = Request("forward_dynamics", method)
        return self._loaded(request, (q, v, tau), t, parameters, loads, out, backend)

    def mass_matrix(
        self, q: ArrayLike, *, parameters: Values = None, out: Array | None = None,
        backend: str = "auto", method: str = "recursive",
    ) -> Array:  # fmt: skip
        """Return M(q), symmetric, armature included, shape (..., nv, nv).

        Composite rigid bodies [RBDA, Table 6.2].

        Args:
            q: Configuration [m or rad], shape (..., nq).
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
            method: Which formulation.
        """
        return self._evaluate(Request("mass_matrix", method), (q,), out, backend, parameters)

    def bias(
        self, q: ArrayLike, v: ArrayLike, *,
        t: ArrayLike = 0.0, parameters: Values = None, out: Array | None = None,
        backend: str = "auto", method: str = "recursive", **loads: Unpack[Loads],
    ) -> Array:  # fmt: skip
        """Return Coriolis, centrifugal, gravity and passive forces, shape (..., nv).

        They stand on the left-hand side, M a + bias = tau, as do the force elements and what acts
        from outside.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            t: Time [s], shape (...); only matters if a force element depends on it.
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
            method: Which formulation.
            loads: External loads by keyword: ``wrenches``, ``base``, ``drives`` (``Loads``).
        """
        return self._loaded(Request("bias", method), (q, v), t, parameters, loads, out, backend)

    def gravity_force(
        self, q: ArrayLike, *, base: BaseMotion | None = None, parameters: Values = None,
        out: Array | None = None, backend: str = "auto",
    ) -> Array:  # fmt: skip
        """Return the gravity part of the bias [N or N m], shape (..., nv).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            base: Motion of the world body, of which only the rotation matters here; at rest and not
                turned by default.
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
        """
        if base is None:
            return self._evaluate("gravity_force", (q,), out, backend, parameters=parameters)
        numbers = self._evaluation.loads.base_numbers("gravity_force", base, parameters)
        gravity = numbers[..., :3]
        return self._evaluate(
            "tilted_gravity_force", (q, gravity), out, backend, parameters=parameters
        )

    def position_rate(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        parameters: Values = None,
        out: Array | None = None,
        backend: str = "auto",
    ) -> Array:
        """Return qdot = N(q) v, shape (..., nq).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
        """
        return self._evaluate("position_rate", (q, v), out, backend, parameters=parameters)
