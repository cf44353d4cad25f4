"""Zaremba's closed forms: coefficient vectors, composite inertias, and derivatives of any order.

The velocity of body k is V_k = Σ l_k^i v_i; its coefficient vectors l_k^i = L_k^iᵀ f^i are the
columns of the body's Jacobian in its own axes.  Seen from a body nearer the base the same screw is
g_k^i = L_k^iᵀ f^i.  With <a>ᵀ b = -a × b (motions) and <a> w = a ×* w (forces) [Zaremba1990, (1.6)]
every partial derivative of any order is one product (theorems 1 to 3):

    l_k^i,t1..tp = <l_k^tp>ᵀ ... <l_k^t1>ᵀ l_k^i                     t1 ≤ ... ≤ tp in (i, k]
    g_k^i,t1..tp = (-1)^p <g_k^t1>ᵀ ... <g_k^tp>ᵀ g_k^i              t1 ≤ ... ≤ tp in (k, i]
    Θ_i*,t1..tp  = D_t1[... D_tp[Θ_i^tp*]],   D_t[X] = <g_i^t> X + X <g_i^t>ᵀ      all beyond i
    a_ij,T       = f^iᵀ (Θ_i*),T_up (l_i^j),T_low

Nothing here differentiates an expression, so that derivatives of the graph can be held against it.

Differs from [Zaremba1990]: the ranges of theorem 2 and 3 exclude k and i, (1.9) has the
acceleration outside the inner sum and a minus sign backwards, (2.14) has l_i^j, l_i^s and l_s^j.
"≤" is "on the path to", so that trees are meant too.  Joints of several velocities have constant
axes f^i in their body; within one joint derivatives do not commute: D_α(D_β l) = <l^β>ᵀ <l^α>ᵀ l.
Joints whose axes move in their body (universal, Euler, planar) are chains of simple joints.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from poinsot.errors import ModelError, ShapeError
from poinsot.model import AbstractJoint, Mechanism
from poinsot.spatial import Array, Scalar, Transform, cross_force, cross_motion

__all__ = ["CoefficientVectors"]

GRAVITY = -1
"""Number of the velocity that stands for gravity, joint zero: f^0 = (g, 0)."""


class CoefficientVectors:
    """L, l, g, V, V*, Θ*, a, d and their derivatives at one configuration.

    Bodies and velocities count from 0; -1 is the base, and as a velocity gravity (joint zero).

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).

    Raises:
        ModelError: If the axes of a joint move in its body, and it has no ``chain``.
    """

    def __init__(self, mechanism: Mechanism, q: Array) -> None:
        self.mechanism = mechanism
        n = mechanism.n_bodies
        self._local = [Transform(np.eye(3), np.zeros(3))] * n
        self._parents = list(mechanism.parents)
        self._f: list[Array] = []
        self._body_of: list[int] = []
        for k, body in enumerate(mechanism.bodies):
            own, name = q[mechanism.q_slices[k]], mechanism.joint_names[k]
            placed = Transform(np.array(body.pose.matrix), np.array(body.pose.xyz))
            *inner, last = body.joint.chain()
            for number, joint in enumerate(inner):  # bodies without mass, behind all others
                self._parents.append(self._parents[k])
                self._parents[k] = len(self._local)
                self._local.append(placed)
                self._move(self._parents[k], joint, own[number : number + 1], name)
                placed = Transform(np.eye(3), np.zeros(3))
            self._local[k] = placed
            self._move(k, last, own[len(inner) :], name)
        self._path = [self._way(k) for k in range(len(self._local))]

    def _move(self, k: int, joint: AbstractJoint, q: Array, name: str) -> None:
        """Let a body move by a joint whose axes are constant in it."""
        rate = joint.motion_subspace_rate(q, np.ones(joint.nv))
        if np.any(np.asarray(rate, dtype=object) != 0):
            raise ModelError(
                f"coefficient vectors: the axes of joint {name!r} "
                f"({joint.kind}) move in its body; give its class a method chain, or replace it by "
                "joints of one degree of freedom in a row"
            )
        self._local[k] = self._local[k] @ joint.transform(q)
        columns = np.asarray(joint.motion_subspace(q)).T
        self._f += list(columns)
        self._body_of += [k] * len(columns)

    # Where things are

    def L(self, k: int, i: int) -> Array:
        """Return L_k^i, which takes wrenches from body k to body i, shape (6, 6)."""
        return self.pose(k, i).force_matrix()

    def pose(self, k: int, i: int = -1) -> Transform:
        """Return the pose of body k in body i; -1 is the base."""
        self._check_bodies("pose", k, i)
        there = Transform(np.eye(3), np.zeros(3))
        if k == i:
            return there
        if k >= 0 and (i < 0 or i in self._path[k]):
            first = 0 if i < 0 else self._path[k].index(i) + 1
            for body in self._path[k][first:]:
                there = there @ self._local[body]
            return there
        if i >= 0 and (k < 0 or k in self._path[i]):
            return self.pose(i, k).inverse()
        return self.pose(i).inverse() @ self.pose(k)

    def f(self, i: int) -> Array:
        """Return f^i, the axis of a velocity in its body, or gravity in the base, shape (6,)."""
        self._check_velocities("f", i, first=GRAVITY)
        if i == GRAVITY:
            return np.concatenate([np.array(self.mechanism.gravity), np.zeros(3)])
        return self._f[i]

    # Coefficient vectors and velocities

    def l(self, k: int, i: int, by: Sequence[int] = ()) -> Array:  # noqa: E743 (the paper's letter)
        """Return l_k^i [Zaremba1990, (1.5)], or a derivative, shape (6,).

        Args:
            k: The body.
            i: The velocity; -1 for gravity.
            by: Velocities by which to differentiate, the last derivative first [Zaremba1990,
                theorem 1, (1.16)].
        """
        self._check_bodies("l", k)
        self._check_velocities("l", i, first=GRAVITY)
        self._check_by("l", by)
        if k < 0 or not self._comes_before(self._owner(i), k):
            return np.zeros(6)
        vector = self.pose(k, self._owner(i)).inverse().motion_matrix() @ self.f(i)
        beyond = [body for body in self._path[k] if body not in self._until(self._owner(i))]
        if any(self._body_of[t] not in beyond for t in by):
            return np.zeros(6)
        for t in self._by_depth(by):
            vector = -cross_motion(self.l(k, t), vector)
        return vector

    def g(self, k: int, i: int, by: Sequence[int] = ()) -> Array:
        """Return g_k^i [Zaremba1990, (1.5)], or a derivative, shape (6,).

        Args:
            k: The body, -1 the base, on the way from the base to that of the velocity.
            i: The velocity.
            by: Velocities by which to differentiate [Zaremba1990, theorem 2, (1.22)].
        """
        self._check_bodies("g", k)
        self._check_velocities("g", i)
        self._check_by("g", by)
        owner = self._body_of[i]
        if not self._comes_before(k, owner):
            return np.zeros(6)
        vector = self.pose(owner, k).motion_matrix() @ self._f[i]
        beyond = [body for body in self._path[owner] if body not in self._until(k)]
        if any(self._body_of[t] not in beyond for t in by):
            return np.zeros(6)
        for t in reversed(self._by_depth(by)):
            vector = cross_motion(self.g(k, t), vector)
        return vector

    def V(self, k: int, j: int, v: Array) -> Array:
        """Return V_k^jk, the velocity of body k seen from body j, in axes of k [(1.9)], shape (6,).

        Args:
            k: The body; before or behind j.
            j: The other body; -1 is the base.
            v: Velocity, shape (nv,).
        """
        (v,) = self._rates("V", v=v)
        sign, columns = self._between(k, j)
        return sign * sum((x * v[i] for i, x in columns.items()), start=np.zeros(6))

    def V_star(self, k: int, j: int, v: Array, a: Array) -> Array:
        """Return V*_k^jk, the derivative of the components of ``V`` [(1.9)], shape (6,).

        Args:
            k: The body; before or behind j.
            j: The other body; -1 is the base.
            v: Velocity, shape (nv,).
            a: Acceleration dv/dt, shape (nv,).
        """
        v, a = self._rates("V_star", v=v, a=a)
        sign, columns = self._between(k, j)
        total = np.zeros(6)
        for i, x in columns.items():
            total = total + x * a[i]
            for s, y in columns.items():
                is_beyond = self._is_beyond(self._body_of[i], self._body_of[s])
                if is_beyond == (sign > 0):
                    total = total - sign * cross_motion(y, x) * (v[i] * v[s])
        return sign * total

    # Inertia and the equations of motion

    def Theta(self, i: int, by: Sequence[int] = ()) -> Array:
        """Return Θ_i*, the inertia of all bodies from i on in axes of i, or a derivative, (6, 6).

        [Zaremba1990, (2.10), (2.12); theorem 3, (2.13)].

        Args:
            i: The body.
            by: Velocities by which to differentiate.
        """
        self._check_bodies("Theta", i, first=0)
        self._check_by("Theta", by)
        order = self._by_depth(by)
        bodies = [self._body_of[t] for t in order]
        nested = all(self._comes_before(a, b) for a, b in pairwise(bodies))
        if any(b == i or not self._comes_before(i, b) for b in bodies) or not nested:
            return np.zeros((6, 6))
        matrix = self._composite[bodies[-1] if bodies else i]
        if bodies:
            moved = self.L(bodies[-1], i)
            matrix = moved @ matrix @ moved.T
        for t in reversed(order):
            screw = self.g(i, t)
            turned = np.stack([cross_force(screw, column) for column in matrix.T], axis=1)
            matrix = turned + turned.T
        return matrix

    def a(self, i: int, j: int, by: Sequence[int] = ()) -> Scalar:
        """Return a_ij, an entry of the mass matrix, or a derivative; j = -1: f_gi [(2.9), B6].

        Args:
            i: A velocity.
            j: A velocity; -1 for gravity.
            by: Velocities by which to differentiate.
        """
        self._check_velocities("a", i)
        self._check_velocities("a", j, first=GRAVITY)
        self._check_by("a", by)
        if j != GRAVITY and not self._comes_before(self._body_of[j], self._body_of[i]):
            i, j = j, i
        owner = self._body_of[i]
        if not self._comes_before(self._owner(j), owner):
            return 0.0
        up = [t for t in by if t != i and self._is_beyond(owner, self._body_of[t])]
        low = [t for t in by if t not in up]
        value: Scalar = self._f[i] @ self.Theta(owner, up) @ self.l(owner, j, low)
        return value

    def mass_matrix(self) -> Array:
        """Return A of A a + b = Q, bodies alone, shape (nv, nv)."""
        n = len(self._f)
        return np.array([[self.a(i, j) for j in range(n)] for i in range(n)])

    def f_g(self) -> Array:
        """Return the joint forces of gravity, f_gi = a_i0, shape (nv,)."""
        return np.array([self.a(i, GRAVITY) for i in range(len(self._f))])

    def f_e(self, wrenches: dict[int, Array]) -> Array:
        """Return the joint forces of wrenches on bodies, at their origins in their axes, (nv,)."""
        self._check_bodies("f_e", *wrenches, first=0)
        for k, F in wrenches.items():
            if np.shape(F) != (6,):
                raise ShapeError(
                    f"coefficient vectors: f_e: the wrench on body {k} must have shape (6,), "
                    f"got {np.shape(F)}"
                )
        n = len(self._f)
        return np.array(
            [sum(self.l(k, i) @ np.asarray(F) for k, F in wrenches.items()) for i in range(n)]
        )

    def d(self) -> Array:
        """Return the Christoffel symbols d[i, s, j] = d_sj^i [(2.14)], shape (nv, nv, nv).

        Raises:
            ModelError: If a joint has a quaternion, so that v are no rates of coordinates.
        """
        for name, body in zip(self.mechanism.joint_names, self.mechanism.bodies, strict=True):
            if body.joint.nq != body.joint.nv:
                raise ModelError(
                    f"Christoffel symbols: the velocities of joint {name!r} ({body.joint.kind}) "
                    "are no rates of coordinates, so there are none; System.coriolis_matrix gives "
                    "a C with dM/dt - 2 C skew for every joint"
                )
        n = range(len(self._f))
        rate = np.array([[[self.a(i, j, [s]) for s in n] for j in n] for i in n])  # a_ij,s
        symbols: Array = 0.5 * (
            np.einsum("ijs->isj", rate) + np.einsum("isj->isj", rate) - np.einsum("sji->isj", rate)
        )
        return symbols

    # How it works

    def _check_bodies(self, what: str, *numbers: int, first: int = -1) -> None:
        """Reject what is no number of a body, or, unless ``first`` is 0, of the base."""
        self._check("body", what, numbers, first, len(self._local))

    def _check_velocities(self, what: str, *numbers: int, first: int = 0) -> None:
        """Reject what is no number of a velocity, or, where ``first`` says so, of gravity."""
        self._check("velocity", what, numbers, first, len(self._f))

    def _check_by(self, what: str, by: Sequence[int]) -> None:
        """Reject by what nothing can be differentiated."""
        if not isinstance(by, Sequence | np.ndarray):
            raise ModelError(
                f"coefficient vectors: {what}: by must be a list of velocities, e.g. [{by!r}]"
            )
        self._check_velocities(f"{what}: by", *by)

    def _check(self, kind: str, what: str, numbers: Sequence[int], first: int, end: int) -> None:
        for number in numbers:
            if not (isinstance(number, int | np.integer) and first <= number < end):
                raise ModelError(
                    f"coefficient vectors: {what}: there is no {kind} {number!r}; "
                    f"{self.mechanism.name!r} has those from {first} to {end - 1}"
                )

    def _rates(self, what: str, **given: Array) -> list[Array]:
        """Return velocities and accelerations as arrays."""
        n = len(self._f)
        for name, values in given.items():
            if np.shape(values) != (n,):
                raise ShapeError(
                    f"coefficient vectors: {what}: {name} must have shape ({n},), "
                    f"got {np.shape(values)}"
                )
        return [np.asarray(values) for values in given.values()]

    @cached_property
    def _composite(self) -> list[Array]:
        """Θ_s^s* of every body, in its own axes."""
        total = [np.zeros((6, 6))] * len(self._local)
        for k, body in enumerate(self.mechanism.bodies):
            total[k] = np.asarray(body.spatial_inertia().matrix())
        for k in sorted(range(len(total)), key=lambda body: -len(self._path[body])):
            parent = self._parents[k]
            if parent >= 0:
                L = self._local[k].force_matrix()
                total[parent] = total[parent] + L @ total[k] @ L.T
        return total

    def _between(self, k: int, j: int) -> tuple[float, dict[int, Array]]:
        """Return a sign and the coefficient vectors of the velocities between two bodies."""
        self._check_bodies("V", k, j)
        if self._comes_before(j, k):
            bodies = [body for body in self._until(k) if body not in self._until(j)]
            return 1.0, {i: self.l(k, i) for i in self._velocities(bodies)}
        if self._comes_before(k, j):
            bodies = [body for body in self._until(j) if body not in self._until(k)]
            return -1.0, {i: self.g(k, i) for i in self._velocities(bodies)}
        raise ModelError("V: one of the bodies must be on the way from the base to the other")

    def _velocities(self, bodies: Sequence[int]) -> list[int]:
        return [i for i, body in enumerate(self._body_of) if body in bodies]

    def _owner(self, i: int) -> int:
        """Return the body of a velocity; gravity belongs to the base."""
        return -1 if i == GRAVITY else self._body_of[i]

    def _until(self, k: int) -> list[int]:
        """Return the bodies on the way from the base to body k, which is the last."""
        return [] if k < 0 else self._path[k]

    def _comes_before(self, i: int, k: int) -> bool:
        """Say whether body i is body k or on the way to it."""
        return i < 0 or i in self._until(k)

    def _is_beyond(self, i: int, k: int) -> bool:
        return i != k and self._comes_before(i, k)

    def _by_depth(self, velocities: Sequence[int]) -> list[int]:
        """Return velocities from the base on; those of one joint in the order given."""
        return sorted(velocities, key=lambda t: len(self._path[self._body_of[t]]))

    def _way(self, k: int) -> list[int]:
        way = [k]
        while self._parents[way[0]] >= 0:
            way.insert(0, self._parents[way[0]])
        return way
