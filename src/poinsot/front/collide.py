"""The impact of two systems in several points, each on a moving base: ``ps.collide``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.moving_system import MovingSystem
from poinsot.impacts.friction_law import friction_impulse
from poinsot.impacts.impact_law import (
    Contacts,
    HeldError,
    Jump,
    impulse_matrix,
    jump,
    printed_jump,
    pushed,
)
from poinsot.impacts.impact_point import ImpactPoint
from poinsot.spatial import Array

__all__ = ["Collision", "collide"]

LAWS: Final = ("newton", "unilateral")
ROUNDING: Final = 1e-9
"""Rate of opening that counts as none, relative to the velocities it is made of."""


@final
@dataclass(frozen=True, eq=False)
class Collision:
    """What an impact of two systems did; s points, n = n₁ + n₂ velocities.

    Attributes:
        names: Of the points.
        law: "newton" or "unilateral".
        A: Rates of opening by the velocities of both systems, shape (s, n) [Zhang1996, (3.28)].
        G: Impulse matrix A M⁻¹ Aᵀ, shape (s, s) [Zhang1996, (3.30)]; loops hold.
        rank: Its rank; where it is below s impulses are not unique.
        H: What Newton's law asks of the change of the rates [m/s], shape (s,) (3.25).
        rates_before: How fast the points open before it [m/s], shape (s,); negative: they close.
        rates: How fast they open after it [m/s], shape (s,).
        impulses: At the points [N s], + on the second body, - on the first, shape (s,).
        unique: Whether no other impulses do the same; if not, they are those of least norm.
        changes: Of the velocities of the two systems, shapes (n₁,) and (n₂,) (3.29).
        v: Velocities after it, shapes (n₁,) and (n₂,) (3.31).
        places: The points in coordinates of the two bodies [m], shapes (s, 3).
        constraint_impulses: Of the rows of loops and constraints of both, by name [N s or N m s].
        contact_work: Work of the impulses at the points, Σ P (u⁻ + u⁺) / 2 [J].
        base_work: Change of the kinetic energies less that: work of the moving bases [J].
        friction_impulses: Across the normals, on the second body, in inertial axes [N s], shape
            (s, 3).
        sticks: Whether a point with friction does not slip afterwards; None: it has none.
    """

    names: tuple[str, ...]
    law: str
    A: Array
    G: Array
    rank: int
    H: Array
    rates_before: Array
    rates: Array
    impulses: Array
    unique: bool
    changes: tuple[Array, Array]
    v: tuple[Array, Array]
    places: tuple[Array, Array]
    constraint_impulses: tuple[Mapping[str, float], Mapping[str, float]]
    contact_work: float
    base_work: float
    friction_impulses: Array
    sticks: bool | None

    def __repr__(self) -> str:
        return f"Collision({', '.join(self.names)}; law={self.law!r})"

    def __str__(self) -> str:
        width = max(len("point"), *map(len, self.names))
        lines = [f"{'point':{width}}  impulse [N s]  closes with [m/s]  opens with [m/s]"]
        rows = zip(self.names, self.impulses, self.rates_before, self.rates, strict=True)
        for name, impulse, before, after in rows:
            lines.append(f"{name:{width}}  {impulse:13.6g}  {-before:17.6g}  {after:16.6g}")
        if not self.unique:
            lines.append(f"rank {self.rank} of {len(self.names)}: impulses are those of least norm")
        works = f"{self.contact_work:.6g} J, of the bases {self.base_work:.6g} J"
        return "\n".join([*lines, f"work of the contacts {works}"])


def collide(
    first: MovingSystem, second: MovingSystem, points: Sequence[ImpactPoint], *, law: str = "newton"
) -> Collision:
    """Return what happens when two systems hit each other in several points at once.

    Bases go on as before; joints and loops hold.  Impulses act along the normals, and in a single
    point with friction also across it, by Coulomb's law (``impacts/friction_law.py``).

        M Δv = Aᵀ P,      A Δv = H = -(1 + e) u⁻      [Zhang1996, (3.13), (3.25), (3.27)]

    Args:
        first: One system just before the impact, or a base alone.
        second: The other one.
        points: Where they touch, all at once.
        law: "newton", as printed: every point opens with e times the rate with which it closed,
            even if its impulse has to pull.  "unilateral": impulses only push; points that would
            have to pull are let go, and open faster (complementarity).

    Raises:
        ModelError: If restitutions contradict each other, if a point opens before the impact and
            the law is "newton", or if a body is not there.

    >>> import poinsot as ps
    >>> rod = ps.library.pendulum()
    >>> hit = ps.ImpactPoint("world", "bob", point=(0, 0, -1), normal=(1, 0, 0), restitution=0.5)
    >>> wall, arm = ps.MovingSystem(), ps.MovingSystem(rod, [0.0], [2.0])
    >>> print(ps.collide(wall, arm, [hit]).v[1])
    [-1.]
    """
    if law not in LAWS:
        raise ModelError(f"collide: law must be one of {', '.join(map(repr, LAWS))}, got {law!r}")
    if not points:
        raise ModelError("collide: no points; give at least one ps.ImpactPoint")
    both = (first, second)
    D, w, places = _opening(both, points)
    normals = np.array([point.normal for point in points])
    A, u = np.einsum("si,sin->sn", normals, D), np.einsum("si,si->s", normals, w)
    e = np.array([point.restitution for point in points])
    held = [party.constraint_rows() for party in both]
    M, J = _diagonal([party.mass_matrix() for party in both]), _diagonal(held)
    v = np.concatenate([party.v for party in both])
    names = tuple(point.name for point in points)
    rubbed, sticks = np.zeros((len(points), 3)), None
    if any(point.friction for point in points) and (u < 0.0).any():
        done, rubbed[0], sticks = _rubbed(points, M, J, D, w)
    else:
        done = _jumped(law, M, v, J, Contacts(A, u, e), names)
    G, rank = impulse_matrix(M, J, A)
    after = u + A @ done.change
    changes = np.split(done.change, [first.v.size])
    rows = np.split(done.held, [len(held[0])])
    slips = w + D @ done.change
    work = float(done.impulses @ (u + after) + np.sum(rubbed * (w + slips))) / 2.0
    ends = (first.v + changes[0], second.v + changes[1])
    gain = sum(
        party.kinetic_energy(end) - party.kinetic_energy(party.v)
        for party, end in zip(both, ends, strict=True)
    )
    return Collision(
        names, law, A, G, rank, -(1.0 + e) * u, u, after, done.impulses, done.unique,
        (changes[0], changes[1]), ends, places, (_named(first, rows[0]), _named(second, rows[1])),
        work, gain - work, rubbed, sticks,
    )  # fmt: skip


def _opening(
    both: tuple[MovingSystem, MovingSystem], points: Sequence[ImpactPoint]
) -> tuple[Array, Array, tuple[Array, Array]]:
    """Return the velocity of second bodies relative to first ones, (3.15), and the points in them.

    Its derivatives by the velocities of both systems, shape (s, 3, n), its values, shape (s, 3),
    and the points in coordinates of the bodies, shapes (s, 3).
    """
    jacobians, velocities = [], []
    places: tuple[list[Array], list[Array]] = ([], [])
    for point in points:
        bodies = (point.first, point.second)
        try:
            seen = [
                party.point_jacobian(name, point.point)
                for party, name in zip(both, bodies, strict=True)
            ]
        except ModelError as error:
            raise ModelError(f"impact point {point.name!r}: {error}") from None
        first, second = (
            party.point_velocity(name, point.point)
            for party, name in zip(both, bodies, strict=True)
        )
        jacobians.append(np.hstack([-seen[0], seen[1]]))
        velocities.append(second - first)
        for party, name, listed in zip(both, bodies, places, strict=True):
            listed.append(party.place(name, point.point))
    return np.array(jacobians), np.array(velocities), (np.array(places[0]), np.array(places[1]))


def _rubbed(
    points: Sequence[ImpactPoint], M: Array, J: Array, D: Array, w: Array
) -> tuple[Jump, Array, bool]:
    """Return the jump with friction in one point, the impulse across it, and if it sticks."""
    if len(points) > 1:
        raise ModelError(
            "collide: friction is there for one point only, not for "
            f"{len(points)} at once; set friction=0, or look at the points one by one"
        )
    (point,) = points
    across = np.linalg.svd(point.normal[None, :])[2][1:]
    axes = np.array([point.normal, *across])
    G, _ = impulse_matrix(M, J, axes @ D[0])
    try:
        P, sticks = friction_impulse(G, axes @ w[0], point.restitution, point.friction)
    except HeldError as error:
        raise ModelError(f"collide: {point.name!r}: {error}; lower its friction") from None
    done = pushed(M, J, axes @ D[0], P)
    return replace(done, impulses=P[:1]), P[1:] @ across, sticks


def _diagonal(blocks: Sequence[Array]) -> Array:
    """Return the matrix with these blocks, (3.14)."""
    first, second = blocks
    matrix = np.zeros((len(first) + len(second), first.shape[1] + second.shape[1]))
    matrix[: len(first), : first.shape[1]] = first
    matrix[len(first) :, first.shape[1] :] = second
    return matrix


def _jumped(
    law: str, M: Array, v: Array, J: Array, contacts: Contacts, names: tuple[str, ...]
) -> Jump:
    """Return the jump by a law; errors name the points."""
    try:
        if law == "unilateral":
            return jump(M, v, J, np.zeros(len(J)), contacts)
        least = ROUNDING * (np.abs(contacts.A) @ np.abs(v) + np.abs(contacts.rates))
        opening = np.flatnonzero(contacts.rates > least)
        if opening.size:
            listed = ", ".join(repr(names[k]) for k in opening)
            raise ModelError(
                f"collide: {listed} open before the impact, and Newton's law would turn that "
                "round: leave them out, or set law='unilateral'"
            )
        return printed_jump(M, v, J, contacts)
    except HeldError as error:
        listed = ", ".join(repr(names[k]) for k in error.contacts) or "the systems"
        remedy = (
            "" if law == "unilateral" else "; law='unilateral' may let some of them open faster"
        )
        raise ModelError(f"collide: {listed}: {error}{remedy}") from None


def _named(party: MovingSystem, impulses: Array) -> dict[str, float]:
    names = () if party.system is None else party.system.row_names
    return dict(zip(names, map(float, impulses), strict=True))
