"""Forces, accelerations, energies and momenta of a system."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.evaluate.call_options import CallOptions, LoadOptions
from poinsot.evaluate.request import request_for
from poinsot.front.description import Description, Values
from poinsot.front.parameter_numbers import with_numbers
from poinsot.model import BaseMotion
from poinsot.spatial import Array


class Dynamics(Description):
    """The methods of ``System`` that relate forces, accelerations and energies."""

    def inverse_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        *,
        joints: Sequence[str] | None = None,
        t: ArrayLike = 0.0,
        method: str = "recursive",
        **how: Unpack[LoadOptions],
    ) -> Array:
        """Return the joint forces that produce the acceleration ``a``, shape (..., nv).

            tau = M(q) a + bias(q, v)

        Recursive Newton-Euler algorithm [RBDA, Table 5.1].

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv).
            joints: Names of the joints that are driven, all by default.  With loops or where not
                all joints are driven, the forces are the shortest that come nearest to ``a``;
                ``actuation`` says what is not determined.
            t: Time [s], shape (...); only matters if a force element depends on it.
            method: Which formulation.
            how: ``wrenches``, ``base``, ``drives``, ``parameters``, ``out`` and ``backend``
                (``LoadOptions``).
        """
        request = request_for("inverse_dynamics", method)
        if joints is not None or self._mechanism.closures:
            driven = self._velocities("inverse_dynamics", joints)
            request = request_for("driven_dynamics", method, joints=driven)
        return self._loaded(request, (q, v, a), t, how, "inverse_dynamics")

    def forward_dynamics(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike | None = None,
        *,
        t: ArrayLike = 0.0,
        method: str = "recursive",
        **how: Unpack[LoadOptions],
    ) -> Array:
        """Return the acceleration dv/dt under the joint forces ``tau``, shape (..., nv).

            a = M(q)⁻¹ (tau - bias(q, v))

        Articulated bodies [RBDA, Table 7.1] or the factored mass matrix [RBDA, section 6.5],
        whichever takes fewer operations.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            tau: Joint forces [N or N m], shape (..., nv); none by default.
            t: Time [s], shape (...); only matters if a force element depends on it.
            method: Which formulation.
            how: ``wrenches``, ``base``, ``drives``, ``parameters``, ``out`` and ``backend``
                (``LoadOptions``).
        """
        tau = np.zeros(self.nv) if tau is None else tau
        request = request_for("forward_dynamics", method)
        return self._loaded(request, (q, v, tau), t, how)

    def state_rates(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike | None = None, *, t: ArrayLike = 0.0,
        **how: Unpack[LoadOptions],
    ) -> dict[str, Array]:  # fmt: skip
        """Return the rates of the further states by name, shapes (...); 0 of sampled ones.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            tau: Joint forces [N or N m], shape (..., nv); none by default.
            t: Time [s], shape (...).
            how: ``states``, ``parameters`` and ``backend`` (``LoadOptions``).

        >>> import poinsot as ps
        >>> cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)
        >>> lag = ps.State("lag", rate="(v.cart - lag) / 0.5")
        >>> system = ps.System("cart", [cart], states=[lag])
        >>> system.state_rates([0.0], [3.0], states={"lag": 1.0})
        {'lag': np.float64(4.0)}
        """
        return self._of_states("state_rates", self._mechanism.state_values, (q, v, tau), t, how)

    def state_updates(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike | None = None, *, t: ArrayLike = 0.0,
        **how: Unpack[LoadOptions],
    ) -> dict[str, Array]:  # fmt: skip
        """Return what sampled states are set to where they are sampled, by name, shapes (...).

        A state with a delay takes this value that much later.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            tau: Joint forces [N or N m], shape (..., nv); none by default.
            t: Time [s], shape (...).
            how: ``states``, ``parameters`` and ``backend`` (``LoadOptions``).

        >>> import poinsot as ps
        >>> cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)
        >>> force = ps.SampledState("force", update="0.5*force - 4*cart", every=0.01)
        >>> ps.System("cart", [cart], states=[force]).state_updates(
        ...     [0.5], [0.0], states={"force": 3.0})
        {'force': np.float64(-0.5)}
        """
        return self._of_states("state_updates", self._mechanism.sampled_states, (q, v, tau), t, how)

    def _of_states(
        self, quantity: str, names: Iterable[str], state: tuple[Any, Any, Any], t: ArrayLike,
        how: LoadOptions,
    ) -> dict[str, Array]:  # fmt: skip
        """Return the rates or updates of states by name."""
        if not names:
            kind = "states" if quantity == "state_rates" else "sampled states"
            raise ModelError(f"{self.name!r} has no {kind}; give some: System(..., states=[...])")
        if how.get("backend") == "floats":
            raise ModelError(f"{quantity}: formulas are not run on floats; choose 'interpreter'")
        q, v, tau = state
        forces = np.zeros(self.nv) if tau is None else tau
        values = self._loaded(request_for(quantity), (q, v, forces), t, how)
        return {name: values[..., k][()] for k, name in enumerate(names)}

    def mass_matrix(
        self, q: ArrayLike, *, method: str = "recursive", **how: Unpack[CallOptions]
    ) -> Array:
        """Return M(q), symmetric, armature included, shape (..., nv, nv).

        Composite rigid bodies [RBDA, Table 6.2].

        Args:
            q: Configuration [m or rad], shape (..., nq).
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
            method: Which formulation.
        """
        return self._evaluate(request_for("mass_matrix", method), (q,), **how)

    def bias(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        t: ArrayLike = 0.0,
        method: str = "recursive",
        **how: Unpack[LoadOptions],
    ) -> Array:
        """Return Coriolis, centrifugal, gravity and passive forces, shape (..., nv).

        They stand on the left-hand side, M a + bias = tau, as do the force elements and what acts
        from outside.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            t: Time [s], shape (...); only matters if a force element depends on it.
            method: Which formulation.
            how: ``wrenches``, ``base``, ``drives``, ``parameters``, ``out`` and ``backend``
                (``LoadOptions``).
        """
        return self._loaded(request_for("bias", method), (q, v), t, how)

    def coriolis_matrix(self, q: ArrayLike, v: ArrayLike, **how: Unpack[CallOptions]) -> Array:
        """Return C(q, v) with dM/dt - 2 C skew, shape (..., nv, nv); C v are the Coriolis forces.

        That of the Christoffel symbols where v are rates of coordinates; it holds for every joint.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        return self._evaluate("coriolis_matrix", (q, v), **how)

    def gravity_force(
        self, q: ArrayLike, *, base: BaseMotion | None = None, **how: Unpack[CallOptions]
    ) -> Array:
        """Return the gravity part of the bias [N or N m], shape (..., nv).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            base: Motion of the world body, of which only the rotation matters here; at rest and not
                turned by default.
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        if base is None:
            return self._evaluate("gravity_force", (q,), **how)
        numbers = self._evaluation.loads.base_numbers("gravity_force", base, how.get("parameters"))
        gravity = numbers[..., :3]
        return self._evaluate("tilted_gravity_force", (q, gravity), **how)

    def position_rate(self, q: ArrayLike, v: ArrayLike, **how: Unpack[CallOptions]) -> Array:
        """Return qdot = N(q) v, shape (..., nq).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        return self._evaluate("position_rate", (q, v), **how)

    def kinetic_energy(
        self, q: ArrayLike, v: ArrayLike, *, base: BaseMotion | None = None,
        **how: Unpack[CallOptions],
    ) -> Any:  # fmt: skip # noqa: ANN401
        """Return the kinetic energy vᵀ M v / 2 [J], armature included, shape (...).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            base: Motion of the world body: then the energy is that in inertial space.
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        if base is not None:
            whole, (q, v) = self._inertial("kinetic_energy", base, q, v)
            return whole.kinetic_energy(q, v, **how)
        return self._evaluate("kinetic_energy", (q, v), **how)

    def potential_energy(
        self, q: ArrayLike, parts: str = "all", *, base: BaseMotion | None = None,
        **how: Unpack[CallOptions],
    ) -> Any:  # fmt: skip # noqa: ANN401
        """Return the potential energy [J], shape (...).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            parts: "gravity" is -sum of m g·r from the world origin; "all" adds the springs.
            base: Motion of the world body: then r is from the origin of inertial space.
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        names = {"all": "potential_energy", "gravity": "gravity_energy"}
        if parts not in names:
            raise ModelError(f"potential_energy: parts must be 'all' or 'gravity', got {parts!r}")
        if base is not None:
            whole, (q,) = self._inertial("potential_energy", base, q)
            return whole.potential_energy(q, parts, **how)
        return self._evaluate(names[parts], (q,), **how)

    def centre_of_mass(
        self, q: ArrayLike, *, base: BaseMotion | None = None, **how: Unpack[CallOptions]
    ) -> Array:
        """Return the mass centre of all bodies in the world [m], shape (..., 3).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            base: Motion of the world body: then the centre is that in inertial space.
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        if base is not None:
            whole, (q,) = self._inertial("centre_of_mass", base, q)
            return whole.centre_of_mass(q, **how)
        return self._evaluate("centre_of_mass", (q,), **how)

    def momentum(
        self, q: ArrayLike, v: ArrayLike, *, base: BaseMotion | None = None,
        **how: Unpack[CallOptions],
    ) -> Array:  # fmt: skip
        """Return linear and angular momentum [N s, N m s], shape (..., 6).

        In world axes, the angular part about the world origin.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            base: Motion of the world body: then axes and origin are those of inertial space.
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        if base is not None:
            whole, (q, v) = self._inertial("momentum", base, q, v)
            return whole.momentum(q, v, **how)
        return self._evaluate("momentum", (q, v), **how)

    @property
    def inertial_names(self) -> tuple[str, ...]:
        """A name for each inertial parameter, ten a body.

        m [kg], mcx, mcy, mcz [kg m], and ixx, iyy, izz, ixy, ixz, iyz [kg m²] about the body's
        origin, in body axes, with the signs of the tensor (ixy = -∫ x y dm).
        """
        from poinsot.formulations.regressor import INERTIAL

        return tuple(f"{name}[{body}]" for body in self.body_names for name in INERTIAL)

    def inertial_parameters(self, *, parameters: Values = None) -> Array:
        """Return pi, the inertial parameters of all bodies, shape (10 n,).

        Args:
            parameters: Values of free parameters by name.
        """
        from poinsot.formulations.regressor import inertial_parameters

        system = with_numbers(self, "inertial_parameters", parameters)
        return np.array(inertial_parameters(system.mechanism), dtype=float)

    def regressor(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, **how: Unpack[CallOptions]
    ) -> Array:
        """Return Y of Y(q, v, a) pi = tau, shape (..., nv, 10 n).

        tau is what ``inverse_dynamics`` gives for the tree without armature, springs, dampers and
        force elements; with loops and constraints Y pi = tau + Jᵀ lam.  pi are the
        ``inertial_parameters``, of which Y does not depend.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv).
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).

        >>> import poinsot as ps
        >>> arm = ps.library.double_pendulum()
        >>> Y = arm.regressor([0.1, 0.2], [1.0, 0.0], [0.0, 2.0])
        >>> np.allclose(Y @ arm.inertial_parameters(),
        ...             arm.inverse_dynamics([0.1, 0.2], [1.0, 0.0], [0.0, 2.0]))
        True
        """
        return self._evaluate("regressor", (q, v, a), **how)

    def energy_regressor(self, q: ArrayLike, v: ArrayLike, **how: Unpack[CallOptions]) -> Array:
        """Return y with y(q, v)·pi = kinetic energy and that of gravity [J], shape (..., 10 n).

        Armature and springs are not in it.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            how: ``parameters``, ``out`` and ``backend`` (``CallOptions``).
        """
        return self._evaluate("energy_regressor", (q, v), **how)
