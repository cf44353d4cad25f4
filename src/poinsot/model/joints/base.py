"""The contract of a joint: how one body may move against its parent.

J is the joint frame on the parent's side (the body's ``pose``), B the frame that moves with the
body; at the neutral configuration they coincide. A joint gives

    X_JB(q),   V_JB = S(q) v,   A_JB = S(q) a + dS/dt v,   qdot = N(q) v,

with V_JB the velocity of B in J, linear part first, in B's axes at B's origin, and A_JB the
derivative of its components. As a cut joint, one that closes a loop of bodies and has no q of its
own, it gives the other way round, from a pose and a motion that may be a little off,

    q of X_JB,   v = P(q) V_JB,   wrenches T(q) λ that it transmits,   Tᵀ S = 0,   P S = 1,

with the constraint Tᵀ V_JB = 0 [RBDA, section 3.5]. No method branches on q or v: each one runs on
floats and on symbols.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, fields
from typing import ClassVar, Final, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.expr import build, fresh_symbols, tangent
from poinsot.expr.replay import replay
from poinsot.model.by_structure import ByStructure
from poinsot.model.checks import checked_name, scalar_array, symmetric
from poinsot.model.fields import Instance
from poinsot.model.joints.coefficients import (
    Coefficients,
    coefficient_matrix,
    stored_coefficients,
)
from poinsot.model.joints.limits import Limits
from poinsot.model.joints.mimic import Mimic
from poinsot.model.joints.reactions import locked_motion
from poinsot.model.numbers import is_symbolic, nonzero
from poinsot.spatial import Array, Scalar, Transform

__all__ = ["JOINT", "AbstractJoint", "JointOptions"]

_ROUNDING = 1e-12
"""Negative eigenvalues of an armature up to this part of its largest entry are rounding."""


class JointOptions(TypedDict, total=False):
    """Keywords that every joint takes; see :class:`AbstractJoint`."""

    name: str | None
    damping: ArrayLike
    stiffness: ArrayLike
    rest: ArrayLike
    armature: ArrayLike
    friction: ArrayLike
    limits: Limits | None
    mimic: Mimic | None
    backwards: bool


@dataclass(frozen=True, init=False, repr=False)
class AbstractJoint(ByStructure, ABC):
    """What every joint has and answers; immutable, hashable, equal by value.

    The passive force of the joint is ``-damping v - stiffness (q - rest)``; ``armature`` adds to
    the joint's block of the mass matrix. Units below are those of a joint that turns; for one that
    slides, read m for rad and N for N·m.

    Attributes:
        kind: The joint's type in files, e.g. ``"revolute"``.
        nq: Number of coordinates.
        nv: Number of velocities.
        q_units: Unit of each coordinate.
        v_units: Unit of each velocity.
        q_parts: Word for each coordinate, for names like ``"hip.x"``; numbers by default.
        v_parts: Word for each velocity.
        name: Name of the joint; None: it is called after its body.
        damping: Damping [N·m·s/rad], stored as nv numbers or an (nv, nv) matrix by rows.
        stiffness: Stiffness [N·m/rad], stored alike, symmetric.
        rest: Coordinates at which the spring is relaxed [rad], nq numbers; empty for a joint
            with a quaternion, which cannot have a spring.
        armature: Inertia of the drive [kg·m²], stored as damping, symmetric, not negative.
        friction: Coulomb friction [N·m], nv numbers; data that the dynamics do not use, until
            ``System.with_friction`` makes elements of it.
        limits: Ranges of coordinates, speeds and forces; data that the dynamics do not use, until
            ``System.with_stops`` makes elements of those of coordinates.
        mimic: Which joint it should follow; data that the dynamics do not use.
        backwards: Whether the joint was described from the body to its parent; its reaction is then
            that of the body on the parent, at the joint frame J.
    """

    kind: ClassVar[str]
    nq: ClassVar[int]
    nv: ClassVar[int]
    q_units: ClassVar[tuple[str, ...]]
    v_units: ClassVar[tuple[str, ...]]
    q_parts: ClassVar[tuple[str, ...]] = ()
    v_parts: ClassVar[tuple[str, ...]] = ()

    name: str | None
    damping: Coefficients
    stiffness: Coefficients
    rest: tuple[Scalar, ...]
    armature: Coefficients
    friction: tuple[Scalar, ...]
    limits: Limits | None = field(metadata={"in_digest": False})
    mimic: Mimic | None = field(metadata={"in_digest": False})
    backwards: bool

    def __init__(
        self,
        *,
        name: str | None = None,
        damping: ArrayLike = 0.0,
        stiffness: ArrayLike = 0.0,
        rest: ArrayLike = 0.0,
        armature: ArrayLike = 0.0,
        friction: ArrayLike = 0.0,
        limits: Limits | None = None,
        mimic: Mimic | None = None,
        backwards: bool = False,
    ) -> None:
        """Check and store what all joints have.

        Args:
            name: Name of the joint; by default it is called after its body.
            damping: A number, one per velocity, or an (nv, nv) matrix.
            stiffness: The same, symmetric; refused where q is not made of nv plain numbers.
            rest: A number or one per coordinate.
            armature: As damping, symmetric, without negative eigenvalue.
            friction: Coulomb friction, a number or one per velocity, not negative; kept as data,
                of which ``ps.simulate`` warns.
            limits: Ranges of coordinates, speeds and forces; kept as data.
            mimic: Which joint it should follow; kept as data; for joints of one velocity.
            backwards: Whether its reaction is that of the body on the parent, as ``from_graph``
                says of joints that it uses the other way round.

        Raises:
            ModelError: If one of them is not so.
        """
        where = self.where(name)
        if name is not None:
            checked_name(name, f"{self.kind} joint: name")
        C = coefficient_matrix(damping, self.nv, f"{where}: damping")
        K = symmetric(
            coefficient_matrix(stiffness, self.nv, f"{where}: stiffness"), f"{where}: stiffness"
        )
        if self.nq != self.nv and nonzero(K):
            raise ModelError(
                f"{where}: a {self.kind} joint cannot have stiffness, got {stiffness!r}: its "
                "orientation is a quaternion, not an angle; leave it out"
            )
        B = symmetric(
            coefficient_matrix(armature, self.nv, f"{where}: armature"), f"{where}: armature"
        )
        if _has_negative(B):
            raise ModelError(f"{where}: armature must not be negative, got {armature!r}")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "damping", stored_coefficients(C))
        object.__setattr__(self, "stiffness", stored_coefficients(K))
        object.__setattr__(self, "rest", self._checked_rest(rest, f"{where}: rest"))
        object.__setattr__(self, "armature", stored_coefficients(B))
        object.__setattr__(self, "friction", self._checked_friction(friction, where))
        if limits is not None:
            if not isinstance(limits, Limits):
                raise ModelError(
                    f"{where}: limits must be Limits, e.g. Limits((-1.0, 1.0)), got {limits!r}"
                )
            limits.check(self.nq, self.nv, where)
        object.__setattr__(self, "limits", limits)
        object.__setattr__(self, "mimic", self._checked_mimic(mimic, where))
        if not isinstance(backwards, bool):
            raise ModelError(f"{where}: backwards must be True or False, got {backwards!r}")
        object.__setattr__(self, "backwards", backwards)

    @abstractmethod
    def transform(self, q: Array) -> Transform:
        """Return X_JB(q) for q of shape (nq,); quaternions in q are taken as unit ones."""

    @abstractmethod
    def motion_subspace(self, q: Array) -> Array:
        """Return S(q), shape (6, nv): V_JB = S v, linear first, in B's axes at B's origin."""

    @abstractmethod
    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt, shape (6, nv), while the joint moves with v; zero where S is constant."""

    @abstractmethod
    def position_rate(self, q: Array, v: Array) -> Array:
        """Return qdot = N(q) v, shape (nq,)."""

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

    @abstractmethod
    def neutral(self) -> Array:
        """Return the q at which B coincides with J, shape (nq,)."""

    @abstractmethod
    def random(self, rng: "np.random.Generator") -> Array:
        """Return a random q, shape (nq,): angles in (-pi, pi), offsets in (-1, 1) m."""

    @staticmethod
    def integrate(q: Array, v: Array) -> Array:
        """Return where q gets by moving with ``v`` for one unit of time, shape (..., nq).

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
        """Return the part ``s`` of the way from q0 (s = 0) to q1 (s = 1), shape (..., nq)."""
        return self.integrate(q0, np.asarray(s)[..., None] * self.difference(q0, q1))

    def distance(self, q0: Array, q1: Array) -> Array:
        """Return the length of ``difference(q0, q1)``, metres and radians alike, shape (...)."""
        return np.asarray(np.linalg.norm(self.difference(q0, q1), axis=-1))

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
    def where(cls, name: str | None) -> str:
        """Return what messages call this joint, e.g. ``"joint 'elbow'"`` or ``"free joint"``."""
        return f"{cls.kind} joint" if name is None else f"joint {name!r}"

    def _checked_friction(self, friction: ArrayLike, where: str) -> tuple[Scalar, ...]:
        array = scalar_array(friction, f"{where}: friction")
        negative = not is_symbolic(array) and (array < 0).any()
        if array.ndim > 1 or (array.ndim == 1 and len(array) != self.nv) or negative:
            raise ModelError(
                f"{where}: friction must be a number or {self.nv} numbers, not negative, "
                f"got {friction!r}"
            )
        return tuple(np.broadcast_to(array, (self.nv,)).tolist())

    def _checked_mimic(self, mimic: object, where: str) -> Mimic | None:
        if mimic is not None and not isinstance(mimic, Mimic):
            raise ModelError(f"{where}: mimic must be a Mimic, e.g. Mimic('elbow'), got {mimic!r}")
        if mimic is not None and self.nv != 1:
            raise ModelError(
                f"{where}: a {self.kind} joint cannot mimic {mimic.joint!r}: it has {self.nv} "
                "velocities, not one; leave it out"
            )
        return mimic

    def _checked_rest(self, rest: ArrayLike, where: str) -> tuple[Scalar, ...]:
        array = scalar_array(rest, where)
        if self.nq != self.nv or self.nv == 0:
            if nonzero(array):
                raise ModelError(f"{where} needs a spring, which a {self.kind} joint cannot have")
            return ()
        if array.ndim == 0:
            return (array.tolist(),) * self.nq
        if array.shape != (self.nq,):
            raise ModelError(
                f"{where} must be a number or {self.nq} numbers (one per coordinate), got {rest!r}"
            )
        return tuple(array.tolist())

    def __repr__(self) -> str:
        """Show what differs from the default."""
        values = ((f.name, getattr(self, f.name)) for f in fields(self))
        shown = [f"{name}={value!r}" for name, value in values if _is_set(value)]
        return f"{type(self).__name__}({', '.join(shown)})"


def _is_set(value: object) -> bool:
    if isinstance(value, str | float):
        return True
    return isinstance(value, Limits) or (value is not None and nonzero(value))


def _has_negative(B: Array) -> bool:
    """Say whether a symmetric matrix has a negative eigenvalue; of formulas it is not known."""
    if is_symbolic(B) or not B.any():
        return False
    return bool(np.linalg.eigvalsh(B)[0] < -_ROUNDING * np.max(np.abs(B)))


JOINT: Final = Instance(AbstractJoint, "Revolute('z')", "a joint")
"""What a field holds that is a joint."""
