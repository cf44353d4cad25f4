"""The joint that turns in every direction about one point, described by three angles."""

from typing import Any, ClassVar, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.axis import unit_axis
from poinsot.model.fields import AbstractKind, declared, field
from poinsot.model.joints.base import AbstractJoint
from poinsot.model.joints.revolute import Revolute
from poinsot.spatial import (
    Array,
    Transform,
    angle_about,
    angle_between,
    axis_angle,
    cross,
    euler_to_matrix,
    vector,
)

__all__ = ["Euler", "Sequence"]


class Sequence(AbstractKind):
    """Axes of three turns by their letters; case does not matter."""

    words = "no two neighbours equal"
    file_form: ClassVar[str] = "text"

    def stored(self, given: Any, where: str, owner: Any) -> str:  # noqa: ANN401
        """Return the letters in lower case."""
        letters = given.lower() if isinstance(given, str) else ""
        if len(letters) != 3 or not set(letters) <= set("xyz"):
            raise ModelError(
                f"{where} must be three of the letters x, y, z, such as 'zxz', got {given!r}"
            )
        if letters[0] == letters[1] or letters[1] == letters[2]:
            raise ModelError(f"{where} must not turn twice in a row about one axis, got {given!r}")
        return letters


@final
@declared
class Euler(AbstractJoint):
    """Turns about the origin by three successive (intrinsic) angles q [rad], v = qdot.

        R_JB = Rot(z, q[0]) Rot(x, q[1]) Rot(z, q[2])   for the sequence "zxz"

    S depends on the last two angles, its rate on their rates.

    The angles are singular where first and last axis coincide: at sin q[1] = 0 for sequences like
    "zxz", whose first and last letter are equal (also at q = 0), and at cos q[1] = 0 for those like
    "zyx". There v cannot describe every motion and the mass matrix is singular. A spherical joint
    has the same motions and no such singularity.

    Examples:
        >>> Euler("zyx").transform(np.array([np.pi / 2, 0.0, 0.0])).R.round(3) @ [1, 0, 0]
        array([0., 1., 0.])
    """

    kind: ClassVar[str] = "euler"
    nq: ClassVar[int] = 3
    nv: ClassVar[int] = 3
    q_units: ClassVar[tuple[str, ...]] = ("rad",) * 3
    v_units: ClassVar[tuple[str, ...]] = ("rad/s",) * 3
    q_parts: ClassVar[tuple[str, ...]] = ("1", "2", "3")
    v_parts: ClassVar[tuple[str, ...]] = ("1", "2", "3")

    sequence: str = field(
        Sequence(), 'Axes of the turns in their order: three letters, such as "zxz" or "zyx"'
    )

    def transform(self, q: Array) -> Transform:
        """Return X_JB: R of the three turns, p = 0."""
        return Transform(euler_to_matrix(self.sequence, q), np.zeros(3))

    def motion_subspace(self, q: Array) -> Array:
        """Return S = [0; (a b c)], the axes of the three turns in B, shape (6, 3)."""
        return np.concatenate([np.zeros((3, 3)), np.stack(self._axes_in_body(q), axis=1)])

    def motion_subspace_rate(self, q: Array, v: Array) -> Array:
        """Return dS/dt, shape (6, 3).

        An axis turns against the body with what turns after it: da/dt = -(v[1] b + v[2] c) × a
        and db/dt = -v[2] c × b.
        """
        a, b, c = self._axes_in_body(q)
        moving = [-cross(v[1] * b + v[2] * c, a), -v[2] * cross(c, b), np.zeros(3)]
        return np.concatenate([np.zeros((3, 3)), np.stack(moving, axis=1)])

    def reaction_subspace(self, q: Array) -> Array:
        """Return T = [1; 0]: forces x, y, z, shape (6, 3)."""
        return np.eye(6)[:, :3]

    def coordinates(self, X_JB: Transform) -> Array:
        """Return the three angles of R [rad], shape (3,).

        q[0] and q[2] are within ±π, q[1] in [0, π] for sequences like "zxz" and within ±π/2 for
        those like "zyx"; where the angles are singular, any of those with this R.
        """
        first, second, third = self._axes()
        # The last axis seen from J shows the first two turns, undoing these shows the last.
        pointed = X_JB.R @ third
        level = cross(second, first) if self.sequence[0] == self.sequence[2] else third
        q0 = angle_between(first, level, pointed)
        back = axis_angle(first, -q0)
        q1 = angle_between(second, third, back @ pointed)
        return vector(q0, q1, angle_about(third, axis_angle(second, -q1) @ back @ X_JB.R))

    def rate_map(self, q: Array) -> Array:
        """Return P with rows [0, b × c], [0, c × a] and [0, a × b] over a·(b × c), shape (3, 6).

        a, b, c are the axes of the turns in B; not finite where they lie in a plane, at the
        singular angles.
        """
        a, b, c = self._axes_in_body(q)
        rows = np.stack([cross(b, c), cross(c, a), cross(a, b)])
        return np.concatenate([np.zeros((3, 3)), rows / (a @ rows[0])], axis=1)

    def chain(self) -> tuple[AbstractJoint, ...]:
        """Return hinges about the axes of the three turns."""
        first, second, third = (Revolute(letter) for letter in self.sequence)
        return first, second, third

    def random(self, rng: "np.random.Generator") -> Array:
        """Return three angles uniform in (-pi, pi) [rad], shape (3,)."""
        return rng.uniform(-np.pi, np.pi, 3)

    def _axes(self) -> tuple[Array, Array, Array]:
        """Return the axes of the turns, each where nothing has turned yet, of shape (3,)."""
        first, second, third = (np.array(unit_axis(letter, "")) for letter in self.sequence)
        return first, second, third

    def _axes_in_body(self, q: Array) -> tuple[Array, Array, Array]:
        """Return the axes of the three turns in B, each of shape (3,)."""
        first, second, third = self._axes()
        R_last = axis_angle(third, q[2]).T
        return R_last @ (axis_angle(second, q[1]).T @ first), R_last @ second, third
