"""The object users hold: a mechanism and everything that can be asked of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NoReturn, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.evaluate.evaluators import Evaluators
from poinsot.evaluate.quantity import QUANTITIES
from poinsot.model import AbstractForce, BaseMotion, Body, Mechanism
from poinsot.spatial import Array

ORIGIN = (0.0, 0.0, 0.0)


@final
class System:
    """A system of rigid bodies: immutable, hashable, validated when made.

        M(q) a + bias(q, v) = tau,      qdot = N(q) v

    q and v are stacked in the order in which the bodies are listed.  Every method takes one state,
    arrays of shape (n,), or any number of them, arrays of shape (..., n); leading dimensions
    broadcast.  ``out`` receives the result; ``backend`` is "auto", "llvm" or "interpreter".

    The first call of a method makes machine code for it, which takes some tenths of a second; from
    then on the method of this object is that machine code.

    Args:
        name: Name of the system.
        bodies: Its bodies, in any order.
        gravity: Acceleration of free fall in the world [m/s²], shape (3,).
        forces: Force elements: ``Spring``, ``ConstantForce``, ``FormulaForce``.

    >>> import poinsot as ps
    >>> rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -0.5))
    >>> pendulum = ps.System("pendulum", [rod])
    >>> pendulum.mass_matrix([0.0])
    array([[0.5]])
    """

    _mechanism: Mechanism
    _evaluators: Evaluators

    def __init__(
        self, name: str, bodies: Iterable[Body], *, gravity: ArrayLike = (0.0, 0.0, -9.81),
        forces: Iterable[AbstractForce] = (),
    ) -> None:  # fmt: skip
        mechanism = Mechanism(name, bodies, gravity, forces)
        self.__dict__.update(_mechanism=mechanism, _evaluators=Evaluators(mechanism))

    # What it is

    @property
    def mechanism(self) -> Mechanism:
        """The description, as the functions below ``front`` take it."""
        return self._mechanism

    @property
    def name(self) -> str:
        """Name of the system."""
        return self._mechanism.name

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies as listed."""
        return self._mechanism.bodies

    @property
    def gravity(self) -> tuple[float, float, float]:
        """Acceleration of free fall in the world [m/s²]."""
        return self._mechanism.gravity

    @property
    def forces(self) -> tuple[AbstractForce, ...]:
        """The force elements as listed."""
        return self._mechanism.forces

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return self._mechanism.nq

    @property
    def nv(self) -> int:
        """Number of velocities: the degrees of freedom."""
        return self._mechanism.nv

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies as listed."""
        return self._mechanism.body_names

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints, by body; a joint is called after its body unless it has a name."""
        return self._mechanism.joint_names

    def q_slice(self, joint: str) -> slice:
        """Return where a joint's coordinates are in q."""
        return self._mechanism.q_slice(joint)

    def v_slice(self, joint: str) -> slice:
        """Return where a joint's velocities are in v."""
        return self._mechanism.v_slice(joint)

    def neutral(self) -> Array:
        """Return the configuration in which every joint is at zero, shape (nq,)."""
        return self._mechanism.neutral()

    def random(self, rng: np.random.Generator) -> Array:
        """Return a random configuration, shape (nq,); quaternions are unit."""
        return self._mechanism.random(rng)

    def integrate(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return where q gets by moving with constant v for one unit of time, shape (..., nq).

        The exact solution of qdot = N(q) v; quaternions stay unit.

        Args:
            q: Configuration to start from [m or rad], shape (..., nq).
            v: Velocity times time [m or rad], shape (..., nv).
        """
        return self._mechanism.integrate(q, v)

    def difference(self, q0: ArrayLike, q1: ArrayLike) -> Array:
        """Return the shortest v with ``integrate(q0, v)`` = q1 [m or rad], shape (..., nv)."""
        return self._mechanism.difference(q0, q1)

    def interpolate(self, q0: ArrayLike, q1: ArrayLike, s: ArrayLike) -> Array:
        """Return the part ``s`` of the way from q0 (s = 0) to q1 (s = 1), shape (..., nq)."""
        return self._mechanism.interpolate(q0, q1, s)

    def distance(self, q0: ArrayLike, q1: ArrayLike) -> Array:
        """Return the length of ``difference(q0, q1)``, metres and radians alike, shape (...)."""
        return self._mechanism.distance(q0, q1)

    # Dynamics

    def inverse_dynamics(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *,
        t: ArrayLike = 0.0, wrenches: Mapping[str, ArrayLike] | None = None,
        base: BaseMotion | None = None, out: Array | None = None, backend: str = "auto",
        method: str = "recursive",
    ) -> Array:  # fmt: skip
        """Return the joint forces that produce the acceleration ``a``, shape (..., nv).

            tau = M(q) a + bias(q, v)

        Recursive Newton-Euler algorithm [RBDA, Table 5.1].

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv).
            t: Time [s], shape (...); only matters if a force element depends on it.
            wrenches: For some bodies the wrench [f; n] [N, N m] on them from outside, at the body's
                origin in body axes, shape (..., 6).
            base: Motion of the world body; at rest by default.
            out: Array for the result.
            backend: What computes it.
            method: Which formulation.
        """
        q = self._evaluators.over_time("inverse_dynamics", q, t)
        options, extra = self._evaluators.outside("inverse_dynamics", wrenches, base, t)
        arguments = (q, v, a, *extra)
        return self._evaluate("inverse_dynamics", arguments, out, backend, options, method)

    def forward_dynamics(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike | None = None, *,
        t: ArrayLike = 0.0, wrenches: Mapping[str, ArrayLike] | None = None,
        base: BaseMotion | None = None, out: Array | None = None, backend: str = "auto",
        method: str = "recursive",
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
            wrenches: For some bodies the wrench [f; n] [N, N m] on them from outside, at the body's
                origin in body axes, shape (..., 6).
            base: Motion of the world body; at rest by default.
            out: Array for the result.
            backend: What computes it.
            method: Which formulation.
        """
        tau = np.zeros(self.nv) if tau is None else tau
        q = self._evaluators.over_time("forward_dynamics", q, t)
        options, extra = self._evaluators.outside("forward_dynamics", wrenches, base, t)
        arguments = (q, v, tau, *extra)
        return self._evaluate("forward_dynamics", arguments, out, backend, options, method)

    def mass_matrix(
        self, q: ArrayLike, *, out: Array | None = None, backend: str = "auto",
        method: str = "recursive",
    ) -> Array:  # fmt: skip
        """Return M(q), symmetric, armature included, shape (..., nv, nv).

        Composite rigid bodies [RBDA, Table 6.2].

        Args:
            q: Configuration [m or rad], shape (..., nq).
            out: Array for the result.
            backend: What computes it.
            method: Which formulation.
        """
        return self._evaluate("mass_matrix", (q,), out, backend, (), method)

    def bias(
        self, q: ArrayLike, v: ArrayLike, *,
        t: ArrayLike = 0.0, wrenches: Mapping[str, ArrayLike] | None = None,
        base: BaseMotion | None = None, out: Array | None = None, backend: str = "auto",
        method: str = "recursive",
    ) -> Array:  # fmt: skip
        """Return Coriolis, centrifugal, gravity and passive forces, shape (..., nv).

        They stand on the left-hand side, M a + bias = tau, as do the force elements and what acts
        from outside.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            t: Time [s], shape (...); only matters if a force element depends on it.
            wrenches: For some bodies the wrench [f; n] [N, N m] on them from outside, at the body's
                origin in body axes, shape (..., 6).
            base: Motion of the world body; at rest by default.
            out: Array for the result.
            backend: What computes it.
            method: Which formulation.
        """
        q = self._evaluators.over_time("bias", q, t)
        options, extra = self._evaluators.outside("bias", wrenches, base, t)
        arguments = (q, v, *extra)
        return self._evaluate("bias", arguments, out, backend, options, method)

    def gravity_force(
        self, q: ArrayLike, *, out: Array | None = None, backend: str = "auto"
    ) -> Array:
        """Return the gravity part of the bias [N or N m], shape (..., nv).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            out: Array for the result.
            backend: What computes it.
        """
        return self._evaluate("gravity_force", (q,), out, backend)

    def position_rate(
        self, q: ArrayLike, v: ArrayLike, *, out: Array | None = None, backend: str = "auto"
    ) -> Array:
        """Return qdot = N(q) v, shape (..., nq).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            out: Array for the result.
            backend: What computes it.
        """
        return self._evaluate("position_rate", (q, v), out, backend)

    # Energy and momentum

    def kinetic_energy(
        self, q: ArrayLike, v: ArrayLike, *, out: Array | None = None, backend: str = "auto"
    ) -> Any:  # noqa: ANN401 (a number for one state, an array for several)
        """Return the kinetic energy vᵀ M v / 2 [J], armature included, shape (...).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            out: Array for the result.
            backend: What computes it.
        """
        return self._evaluate("kinetic_energy", (q, v), out, backend)

    def potential_energy(
        self, q: ArrayLike, parts: str = "all", *, out: Array | None = None, backend: str = "auto"
    ) -> Any:  # noqa: ANN401
        """Return the potential energy [J], shape (...).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            parts: "gravity" is -sum of m g·r from the world origin; "all" adds the springs.
            out: Array for the result.
            backend: What computes it.
        """
        names = {"all": "potential_energy", "gravity": "gravity_energy"}
        if parts not in names:
            raise ModelError(f"potential_energy: parts must be 'all' or 'gravity', got {parts!r}")
        return self._evaluate(names[parts], (q,), out, backend)

    def centre_of_mass(
        self, q: ArrayLike, *, out: Array | None = None, backend: str = "auto"
    ) -> Array:
        """Return the mass centre of all bodies in the world [m], shape (..., 3).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            out: Array for the result.
            backend: What computes it.
        """
        return self._evaluate("centre_of_mass", (q,), out, backend)

    def momentum(
        self, q: ArrayLike, v: ArrayLike, *, out: Array | None = None, backend: str = "auto"
    ) -> Array:
        """Return linear and angular momentum [N s, N m s], shape (..., 6).

        In world axes, the angular part about the world origin.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            out: Array for the result.
            backend: What computes it.
        """
        return self._evaluate("momentum", (q, v), out, backend)

    # Motion of a body

    def pose(
        self, body: str, q: ArrayLike, *, out: Array | None = None, backend: str = "auto"
    ) -> Array:
        """Return the pose of a body, body to world, shape (..., 4, 4).

        Args:
            body: Name of the body.
            q: Configuration [m or rad], shape (..., nq).
            out: Array for the result.
            backend: What computes it.
        """
        return self._evaluate("pose", (q,), out, backend, (self._mechanism.index(body),))

    def velocity(
        self, body: str, q: ArrayLike, v: ArrayLike, point: ArrayLike = ORIGIN, *,
        axes: str = "body", out: Array | None = None, backend: str = "auto",
    ) -> Array:  # fmt: skip
        """Return the velocity [v; w] of a body [m/s, rad/s], shape (..., 6).

        Args:
            body: Name of the body.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            point: Whose velocity, in body coordinates [m], shape (..., 3).
            axes: "body" or "world".
            out: Array for the result.
            backend: What computes it.
        """
        options = self._evaluators.body_options("velocity", body, axes)
        return self._evaluate("velocity", (q, v, point), out, backend, options)

    def acceleration(
        self, body: str, q: ArrayLike, v: ArrayLike, a: ArrayLike, point: ArrayLike = ORIGIN, *,
        axes: str = "body", out: Array | None = None, backend: str = "auto",
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
            out: Array for the result.
            backend: What computes it.
        """
        options = self._evaluators.body_options("acceleration", body, axes)
        return self._evaluate("acceleration", (q, v, a, point), out, backend, options)

    def jacobian(
        self, body: str, q: ArrayLike, point: ArrayLike | None = None, *, axes: str = "body",
        out: Array | None = None, backend: str = "auto",
    ) -> Array:  # fmt: skip
        """Return J with velocity = J v, linear part first, shape (..., 6, nv).

        Args:
            body: Name of the body.
            q: Configuration [m or rad], shape (..., nq).
            point: Point in body coordinates [m], shape (..., 3); its origin by default.
            axes: "body" or "world".
            out: Array for the result.
            backend: What computes it.
        """
        point = ORIGIN if point is None else point
        options = self._evaluators.body_options("jacobian", body, axes)
        return self._evaluate("jacobian", (q, point), out, backend, options)

    def jacobian_rate(
        self, body: str, q: ArrayLike, v: ArrayLike, point: ArrayLike | None = None, *,
        axes: str = "body", out: Array | None = None, backend: str = "auto",
    ) -> Array:  # fmt: skip
        """Return dJ/dt with acceleration = J a + dJ/dt v, shape (..., 6, nv).

        Args:
            body: Name of the body.
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            point: Point in body coordinates [m], shape (..., 3); its origin by default.
            axes: "body" or "world".
            out: Array for the result.
            backend: What computes it.
        """
        point = ORIGIN if point is None else point
        options = self._evaluators.body_options("jacobian_rate", body, axes)
        return self._evaluate("jacobian_rate", (q, v, point), out, backend, options)

    # How it works

    def _evaluate(
        self, name: str, arguments: tuple[ArrayLike, ...], out: Array | None, backend: str,
        options: tuple[Any, ...] = (), method: str = "recursive",
    ) -> Array:  # fmt: skip
        return self._evaluators.evaluate(self, name, arguments, out, backend, options, method)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a System is immutable; make a new one to change {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a System is immutable")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, System) and self._mechanism == other._mechanism

    def __hash__(self) -> int:
        return hash(self._mechanism)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        make = partial(System, gravity=self.gravity, forces=self.forces)
        return make, (self.name, self.bodies)

    def __copy__(self) -> System:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> System:
        return self

    def __repr__(self) -> str:
        bodies = f"{len(self.bodies)} bod{'y' if len(self.bodies) == 1 else 'ies'}"
        return f"System({self.name!r}, {bodies}, nq={self.nq}, nv={self.nv})"


assert all(hasattr(System, name) for name in QUANTITIES if name != "gravity_energy")
