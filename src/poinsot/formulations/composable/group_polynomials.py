"""The equations of a group as polynomials, in two groups of unknowns.

Each link has z = exp(iφ) and the place p of its origin as a complex number, and their conjugates w
and p̄ as unknowns of their own.  Angles that slides tie together have one z.  Pins are linear,

    p_a + z_a s_a = p_b + z_b s_b      and the same with conjugate coefficients in p̄ and w,

so that x = [p, z] = N s + x_0 and [p̄, w] = N̄ t + x̄_0.  What is left is linear in s and linear in t,

    z w = 1                                    each angle that is not known
    (w_a / e) d - (e z_a) d̄ = 0                slides, e = exp(i ua), d from the guide to its block

and assemblies are the roots with t = s̄ [Wampler1999].  With n links these are n equations, one more
for each slide that closes a loop of slides; s and t have half as many unknowns each.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from poinsot.formulations.composable.plane import point_at
from poinsot.formulations.composable.searched_group import SearchedGroup
from poinsot.model.planar.linkage import PlanarJoint
from poinsot.spatial import Array

RANK: Final = 1e-10
"""Singular value, relative to the largest, below which equations of pins depend on each other."""

Poses = Mapping[str, Array]


class GroupPolynomials(NamedTuple):
    """The polynomials of a group.

    Attributes:
        Q: Coefficients, shape (2k, k + 1, k + 1).
        places: Of each link p as a row on [s, 1], over the size of the group, from ``middle``.
        turns: Of each link z as a row.
        middle: Of the group's outer joints [m], shape (2,).
        size: Of the group [m].
    """

    Q: Array
    places: Mapping[str, Array]
    turns: Mapping[str, Array]
    middle: Array
    size: float

    def poses(self, s: Array, t: Array) -> dict[str, Array]:
        """Return the poses of all links at roots, real parts of those that are not, (..., 3)."""
        x, y = _with_one(s), _with_one(t)
        poses = {}
        for body, row in self.places.items():
            place = (x @ row + (y @ row.conj()).conj()) / 2.0
            turn = x @ self.turns[body] + (y @ self.turns[body].conj()).conj()
            origin = [
                self.middle[0] + self.size * place.real,
                self.middle[1] + self.size * place.imag,
            ]
            poses[body] = np.stack([*origin, np.angle(turn)], axis=-1)
        return poses


def group_polynomials(group: SearchedGroup) -> GroupPolynomials | None:
    """Return the polynomials of a group; None: pins depend on each other in these dimensions."""
    return _Unknowns(group).polynomials()


class _Unknowns:
    """p of each link, z of each angle, of a group; and links of which they are known."""

    def __init__(self, group: SearchedGroup) -> None:
        self._group = group
        self._bodies = [str(body) for body in group.unit.bodies]
        self._joints = list(group.joints.values())
        self.middle = np.mean(group.outer_places, axis=0)
        self._tie()
        free = dict.fromkeys(self._roots[body] for body in self._bodies)
        self._angles = [root for root in free if root not in group.known]
        self.count = len(self._bodies) + len(self._angles)

    def _tie(self) -> None:
        """Find the angles that slides tie together: φ = φ of the root + offset."""
        known = self._group.known
        self._roots = {body: body for body in (*self._bodies, *known)}
        self._offsets = dict.fromkeys(self._roots, 0.0)
        for joint in self._joints:
            first, second = self._roots[joint.a], self._roots[joint.b]
            if joint.kind == "R" or first == second or {first, second} <= set(known):
                continue
            # φ_b = φ_a + β
            gone, stays = (first, second) if second in known else (second, first)
            shift = self._offsets[joint.a] + float(joint.beta) - self._offsets[joint.b]
            shift = -shift if gone == first else shift
            for body, root in self._roots.items():
                if root == gone:
                    self._roots[body] = stays
                    self._offsets[body] += shift

    def turn(self, body: str) -> tuple[Array, complex]:
        """Return z of a link: a row on the unknowns, and a constant."""
        row, root = np.zeros(self.count, complex), self._roots[body]
        factor = np.exp(1j * self._offsets[body])
        if root in self._group.known:
            return row, complex(factor * np.exp(1j * float(self._group.known[root][2])))
        row[len(self._bodies) + self._angles.index(root)] = factor
        return row, 0j

    def place(self, body: str) -> tuple[Array, complex]:
        """Return p of a link, likewise."""
        row = np.zeros(self.count, complex)
        if body in self._bodies:
            row[self._bodies.index(body)] = 1.0
            return row, 0j
        return row, self._complex(self._group.known[body][:2] - self.middle)

    def point(self, joint: PlanarJoint, body: str) -> tuple[Array, complex]:
        """Return p + z s of a joint's point, likewise."""
        if body not in self._bodies:
            place = point_at(self._group.known[body], joint.point(body))
            return np.zeros(self.count, complex), self._complex(place - self.middle)
        lever = self._complex(joint.point(body))
        (p, p_0), (z, z_0) = self.place(body), self.turn(body)
        return p + lever * z, p_0 + lever * z_0

    def _complex(self, vector: Array) -> complex:
        return complex(float(vector[0]), float(vector[1])) / self._group.size

    def apart(self, joint: PlanarJoint) -> tuple[Array, complex]:
        """Return d, from the point of a to that of b, likewise."""
        (a, a_0), (b, b_0) = self.point(joint, joint.a), self.point(joint, joint.b)
        return b - a, b_0 - a_0

    def polynomials(self) -> GroupPolynomials | None:
        """Return what is left when pins are eliminated."""
        pins = [self.apart(joint) for joint in self._joints if joint.kind == "R"]
        matrix = np.array([row for row, _ in pins]).reshape(-1, self.count)
        right = -np.array([constant for _, constant in pins])
        u, sizes, vh = np.linalg.svd(matrix)
        rank = len(pins)
        slides = [joint for joint in self._joints if joint.kind == "P"]
        k = self.count - rank
        if len(slides) + len(self._angles) != 2 * k or np.any(sizes < RANK):
            return None
        x_0 = vh[:rank].conj().T @ ((u.conj().T @ right)[:rank] / sizes)
        basis = np.hstack([vh[rank:].conj().T, x_0[:, None]])
        unit = np.eye(k + 1)[k]

        def on_s(form: tuple[Array, complex]) -> Array:
            return np.asarray(form[0] @ basis + form[1] * unit)

        equations = []
        for root in self._angles:
            z = on_s(self.turn(root))
            equations.append(np.outer(z, z.conj()) - np.outer(unit, unit))
        for joint in slides:
            d = on_s(self.apart(joint))
            u_a = on_s(self.turn(joint.a)) * np.exp(1j * float(joint.ua))
            equations.append(np.outer(d, u_a.conj()) - np.outer(u_a, d.conj()))
        return GroupPolynomials(
            np.array(equations),
            {body: on_s(self.place(body)) for body in self._bodies},
            {body: on_s(self.turn(body)) for body in self._bodies},
            self.middle,
            self._group.size,
        )


def _with_one(values: Array) -> Array:
    return np.concatenate([values, np.ones((*values.shape[:-1], 1))], axis=-1)
