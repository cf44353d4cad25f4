"""The contract of a joint: how a body may move relative to its parent.

J is the joint frame on the parent's side (the body's ``pose``), B the frame that moves with the
body; at the neutral configuration they coincide. A joint gives

    X_JB(q),   V_JB = S(q) v,   A_JB = S(q) a + dS/dt v,   qdot = N(q) v,

with V_JB the velocity of B in J, linear part first, in B's axes at B's origin, and A_JB the
derivative of its components. As a cut joint, one that closes a loop of bodies and has no q of its
own, it gives the inverse maps, from a pose and a motion that may violate it slightly,

    q of X_JB,   v = P(q) V_JB,   wrenches T(q) λ that it transmits,   Tᵀ S = 0,   P S = 1,

with the constraint Tᵀ V_JB = 0 [RBDA, section 3.5]. No method branches on q or v: each one runs on
floats and on symbols.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.expr import build, fresh_symbols, tangent
from poinsot.expr.replay import replay
from poinsot.model.fields import Declared, Instance, Name, Stored, Truth, declared, field
from poinsot.model.joints.coefficients import Coefficients, coefficient_matrix
from poinsot.model.joints.limits import Limits
from poinsot.model.joints.mimic import Mimic
from poinsot.model.joints.passive import Armature, Damping, Friction, Rest, Stiffness
from poinsot.model.joints.reactions import locked_motion
from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Array, Scalar, Transform

__all__ = ["JOINT", "AbstractJoint"]


@declared
class AbstractJoint(Declared, ABC):
    """Interface of a joint; immutable, hashable, equal by value.

    The passive force of the joint is ``-damping v - stiffness (q - rest)``; ``armature`` adds to
    the joint's block of the mass matrix. Units below are those of a joint that turns; for one that
    slides, read m for rad and N for N·m.

    A class says how many coordinates (``nq``) and velocities (``nv``) its joints have, the unit of
    each (``q_units``, ``v_units``), and may have a word for each (``q_parts``, ``v_parts``), for
    names like ``"hip.x"``; they are numbers by default.
    """

    family: ClassVar[str] = "joint"
    nq: ClassVar[int]
    nv: ClassVar[int]
    q_units: ClassVar[tuple[str, ...]]
    v_units: ClassVar[tuple[str, ...]]
    q_parts: ClassVar[tuple[str, ...]] = ()
    v_parts: ClassVar[tuple[str, ...]] = ()

    name: str | None = field(
        Name(), "Name of the joint; None: it is called after its body", default=None, kw_only=True
    )
    damping: Stored[Coefficients, ArrayLike] = field(
        Damping(), "Damping: a number, one per velocity, or an (nv, nv) matrix",
        unit="N·m·s/rad", default=0.0, kw_only=True,
    )  # fmt: skip
    stiffness: Stored[Coefficients, ArrayLike] = field(
        Stiffness(), "Stiffness, alike; none where q has a quaternion",
        unit="N·m/rad", default=0.0, kw_only=True,
    )  # fmt: skip
    rest: Stored[tuple[Scalar, ...], ArrayLike] = field(
        Rest(), "Coordinates at which the spring is relaxed: a number or one per coordinate",
        unit="rad", default=0.0, kw_only=True,
    )  # fmt: skip
    armature: Stored[Coefficients, ArrayLike] = field(
        Armature(), "Inertia of the drive, given as damping is",
        unit="kg·m²", default=0.0, kw_only=True,
    )  # fmt: skip
    friction: Stored[tuple[Scalar, ...], ArrayLike] = field(
        Friction(),
        "Coulomb friction: a number or one per velocity, of which ps.simulate warns; data that "
        "the dynamics do not use, until System.with_friction makes elements of it",
        unit="N·m", default=0.0, kw_only=True,
    )  # fmt: skip
    limits: Limits | None = field(
        Instance(Limits, "Limits((-1.0, 1.0))", "Limits"),
        "Ranges of coordinates, speeds and forces; data that the dynamics do not use, until "
        "System.with_stops makes elements of those of coordinates",
        default=None, kw_only=True, in_digest=False,
    )  # fmt: skip
    mimic: Mimic | None = field(
        Instance(Mimic, "Mimic('elbow')"),
        "Which joint it should follow, for joints of one velocity; data that the dynamics do not "
        "use",
        default=None, kw_only=True, in_digest=False,
    )  # fmt: skip
    backwards: bool = field(
        Truth(),
        "Whether the joint was described from the body to its parent, as from_graph says of those "
        "it uses the other way round; its reaction is then that of the body on the parent, at the "
        "joint frame J",
        default=False, kw_only=True,
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        if self.limits is not None:
            self.limits.check(self.nq, self.nv, self.label)
        if self.mimic is not None and self.nv != 1:
            raise ModelError(
                f"{self.label}: a {self.kind} joint cannot mimic {self.mimic.joint!r}: it has "
                f"{self.nv} velocities, not one; leave it out"
            )

    @abstractmethod
    def transform(self, q: Array) -> Transform:
        """Return X_JB(q) for q of shape (nq,); quaternions in q are taken as unit ones."""

    @abstractmethod
    def motion_subspace(self, q: Array) -> Array:
        """Return S(q), shape (6, nv): V_JB = S v, linear first, in B's axes at B's origin."""

    @abstractmethod
    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt, shape (6, nv), while the joint moves with v; zero where S is constant."""

    def position_rate(self, q: Array, v: Array) -> Array:
        """Return qdot = N(q) v, shape (nq,); here N = 1, coordinates being plain numbers."""
        self._check_plain("position_rate")
        return np.array(v)

    def position_bias(self, q: Array, v: Array) -> Array:
        """Return d/dt (N(q) v) while the joint moves with constant v, shape (nq,)."""
        if self.nq == self.nv:  # coordinates are plain numbers, N = 1
            return np.zeros(self.nq)
        x, u = fresh_symbols("q", self.nq), fresh_symbols("v", self.nv)
        rate = self.position_rate(x, u)
        second = tangent(rate, x, rate)
        return replay(build({"q": x, "v": u}, {"second": second}), q, v)[0]

    @abstractmethod
    def reaction_subspace(self, q: Array) -> Array:
        """Return T(q), shape (6, 6 - nv): a basis of the wrenches [f; n] [1] it transmits.

        In B's axes at B's origin, forces before moments; Tᵀ S = 0, of full rank at every q.
        """

    def reaction_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dT/dt, shape (6, 6 - nv), while the joint moves with v; here T is constant."""
        return np.zeros((6, 6 - self.nv))

    @property
    def locked(self) -> tuple[str, ...]:
        """What each column of T prevents, e.g. ``"rotation x"``, in B's axes at neutral q."""
        return tuple(map(locked_motion, self.reaction_subspace(self.neutral()).T))

    @abstractmethod
    def coordinates(self, X_JB: Transform) -> Array:
        """Return the q of a pose, shape (nq,): ``transform`` of it is X_JB if the joint allows it.

        Near such poses it is smooth and gives a q of a pose nearby. Angles are within ±π.
        """

    def rate_map(self, q: Array) -> Array:
        """Return P(q), shape (nv, 6): v = P V_JB, P S = 1; here Sᵀ, S having orthonormal columns.

        What V_JB has beyond S v does not change v.
        """
        return self.motion_subspace(q).T

    def neutral(self) -> Array:
        """Return the q at which B coincides with J, shape (nq,); here 0."""
        self._check_plain("neutral")
        return np.zeros(self.nq)

    def random(self, rng: "np.random.Generator") -> Array:
        """Return a random q, shape (nq,): angles in (-pi, pi), offsets in (-1, 1) m."""
        self._check_plain("random")
        bound = np.where(np.array(self.q_units) == "rad", np.pi, 1.0)
        return rng.uniform(-bound, bound)

    @staticmethod
    def integrate(q: Array, v: Array) -> Array:
        """Return q after motion with constant ``v`` for one unit of time, shape (..., nq).

        The exact solution of qdot = N(q) v for constant v. This and the next three work on
        numbers, and are the same for all joints of a type; leading dimensions broadcast.

        Args:
            q: Where to start, shape (..., nq).
            v: Velocity times time, shape (..., nv).
        """
        return q + v

    @staticmethod
    def difference(q0: Array, q1: Array) -> Array:
        """Return the shortest v with ``integrate(q0, v)`` = q1, shape (..., nv).

        Angles are plain numbers: those that differ by whole turns differ. Quaternions q and -q are
        the same orientation.
        """
        return q1 - q0

    def interpolate(self, q0: Array, q1: Array, s: Array | float) -> Array:
        """Return the interpolation from q0 (s = 0) to q1 (s = 1), shape (..., nq)."""
        return self.integrate(q0, np.asarray(s)[..., None] * self.difference(q0, q1))

    def distance(self, q0: Array, q1: Array) -> Array:
        """Return the length of ``difference(q0, q1)``, metres and radians alike, shape (...)."""
        return np.asarray(np.linalg.norm(self.difference(q0, q1), axis=-1))

    def mirror(self) -> "AbstractJoint":
        """Return the joint of the same motions seen from B, which gives X_BJ, with the same name.

        ``System.from_graph`` needs it where the tree traverses a connection from its second body to
        its first. Joints of other packages have none unless they define it.

        Raises:
            ModelError: If it has none.
        """
        raise ModelError(
            f"{self.label}: a {self.kind} joint cannot be used from its outer to its inner body; "
            "exchange first and second, or give its class a method mirror"
        )

    def chain(self) -> "tuple[AbstractJoint, ...]":
        """Return joints in a row, of one velocity each, that move alike; the joint if it has none.

        They take the coordinates in order, X_JB(q) = X_1(q[0]) X_2(q[1]) ..., so v is that of all.
        """
        return (self,)

    def damping_matrix(self) -> Array:
        """Return the damping as a matrix, shape (nv, nv)."""
        return coefficient_matrix(self.damping, self.nv, "damping")

    def stiffness_matrix(self) -> Array:
        """Return the stiffness as a symmetric matrix, shape (nv, nv)."""
        return coefficient_matrix(self.stiffness, self.nv, "stiffness")

    def armature_matrix(self) -> Array:
        """Return the armature as a symmetric matrix, shape (nv, nv)."""
        return coefficient_matrix(self.armature, self.nv, "armature")

    def rest_position(self) -> Array:
        """Return the q at which the spring is relaxed, shape (nq,); neutral without a spring."""
        return np.array(self.rest) if self.rest else self.neutral()

    @classmethod
    def called(cls, name: str | None) -> str:
        """Return what messages call this joint, e.g. ``"joint 'elbow'"`` or ``"free joint"``."""
        return f"{cls.kind} joint" if name is None else f"joint {name!r}"

    def _check_plain(self, member: str) -> None:
        """Reject what holds for plain coordinates only; joints with others define it."""
        if self.nq != self.nv:
            raise NotImplementedError(f"{self.label}: nq is not nv, so it must define {member}")

    def __repr__(self) -> str:
        """Show what differs from the default."""
        values = ((f.name, getattr(self, f.name)) for f in fields(self))
        shown = [f"{name}={value!r}" for name, value in values if _is_set(value)]
        return f"{type(self).__name__}({', '.join(shown)})"


def _is_set(value: object) -> bool:
    if isinstance(value, str | float):
        return True
    return isinstance(value, Limits) or (value is not None and nonzero(value))


JOINT: Final = Instance(AbstractJoint, "Revolute('z')", "a joint")
"""What a field holds that is a joint."""
