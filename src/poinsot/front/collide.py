"""The impact of two systems in several points, each on a moving base: ``ps.collide``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.collision_derivatives import CollisionDerivatives, collision_derivatives
from poinsot.front.moving_system import MovingSystem, Push
from poinsot.impacts.collision_law import LAWS, ORDERS, ROUNDING, CollisionLaw
from poinsot.impacts.determined_impulses import determined_sums
from poinsot.impacts.impact_law import impulse_matrix
from poinsot.impacts.impact_point import ImpactPoint
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Collision", "collide"]


@final
@dataclass(frozen=True, eq=False)
class Collision:
    """What an impact of two systems did; s points, n = n₁ + n₂ velocities.

    Attributes:
        names: Of the points.
        law: "newton", "unilateral", "poisson" or "stronge".
        order: "simultaneous" or "sequential".
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
        works: Work of the impulses at each point [J], shape (s,).
        contact_work: Work of the impulses at the points, Σ P (u⁻ + u⁺) / 2 [J].
        base_work: Change of the kinetic energies less that: work of the moving bases [J].
        friction_impulses: Across the normals, on the second body, in inertial axes [N s], shape
            (s, 3).
        sticks: Whether no point with friction slips afterwards; None: none has friction.
        points: Where they touch in inertial space [m], shape (s, 3).
        normals: From first bodies to second ones, shape (s, 3).
        slips: Velocities of second points relative to first ones before and after it, in inertial
            axes [m/s], shapes (s, 3).
        pushes: Both systems, and for each the bodies, points and impulses on them.
        restitutions: Of the points, shape (s,).
    """

    names: tuple[str, ...]
    law: str
    order: str
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
    works: Array
    contact_work: float
    base_work: float
    friction_impulses: Array
    sticks: bool | None
    points: Array
    normals: Array
    slips: tuple[Array, Array]
    pushes: tuple[tuple[MovingSystem, Sequence[Push]], tuple[MovingSystem, Sequence[Push]]]
    restitutions: Array

    @cached_property
    def determined_sums(self) -> Array:
        """Sums of impulses that are the same in all answers, by rows, shape (rank, s).

        In reduced form: a row with a single 1 is an impulse that is determined itself.
        """
        return determined_sums(self.G)

    @property
    def undetermined(self) -> tuple[str, ...]:
        """Names of the points whose own impulses are not determined, as of four feet of a box."""
        alone = self.determined_sums[np.count_nonzero(self.determined_sums, axis=1) == 1]
        known = alone.any(axis=0)
        return tuple(name for name, is_known in zip(self.names, known, strict=True) if not is_known)

    @cached_property
    def joint_impulses(self) -> tuple[Mapping[str, Array], Mapping[str, Array]]:
        """Impulsive wrenches [f; n] in the joints and loops of both systems, by name.

        As ``System.reactions`` gives forces: in body axes, on the body [N s, N m s], shape (6,).
        """
        first, second = self.pushes
        return first[0].joint_impulses(first[1]), second[0].joint_impulses(second[1])

    def derivatives(self) -> CollisionDerivatives:
        """Return how velocities and impulses depend on q, v and restitution, at once exactly.

        Of the printed and the unilateral law without friction, points and normals staying where
        they are in inertial space and the same points pushing.

        Raises:
            ModelError: If the law has no such derivatives, or impulses are not unique.
        """
        return collision_derivatives(self)

    def draw(self, path: str | Path | None = None) -> Figure:
        """Draw it: bodies, points, impulses, velocities before and after, work at each point.

        Args:
            path: File to write (.png, .svg, .pdf); None: show it.
        """
        from poinsot.plots.impact_picture import PicturedImpact, plot_impact

        parties = [party for party, _ in self.pushes]
        systems = [party.system for party in parties if party.system is not None]
        named = " and ".join(system.name for system in systems) or "two bases"
        picture = PicturedImpact(
            f"Impact of {named}: law {self.law}", [party.lines() for party in parties], self.names,
            self.points, self.impulses[:, None] * self.normals + self.friction_impulses,
            *self.slips, self.works, self.base_work,
            systems[0].gravity if systems else (0.0, 0.0, -1.0),
        )  # fmt: skip
        return plot_impact(path, picture)

    def __repr__(self) -> str:
        return f"Collision({', '.join(self.names)}; law={self.law!r})"

    def __str__(self) -> str:
        columns = {
            "impulse [N s]": self.impulses,
            "closes with [m/s]": 0.0 - self.rates_before,
            "opens with [m/s]": self.rates,
        }
        if self.sticks is not None:
            after = self.slips[1] - self.rates[:, None] * self.normals
            columns["friction [N s]"] = np.linalg.norm(self.friction_impulses, axis=1)
            columns["slips with [m/s]"] = np.linalg.norm(after, axis=1)
        width = max(len("point"), *map(len, self.names))
        lines = ["  ".join([f"{'point':{width}}", *columns])]
        for name, *numbers in zip(self.names, *columns.values(), strict=True):
            cells = [f"{x:{len(head)}.6g}" for x, head in zip(numbers, columns, strict=True)]
            lines.append("  ".join([f"{name:{width}}", *cells]))
        if not self.unique:
            listed = ", ".join(map(repr, self.undetermined))
            lines.append(
                f"rank {self.rank} of {len(self.names)}: impulses of {listed} are not determined, "
                "only sums of them (determined_sums)"
            )
        works = f"{self.contact_work:.6g} J, of the bases {self.base_work:.6g} J"
        lines.append(f"work of the contacts {works}")
        if self.contact_work > ROUNDING * float(np.abs(self.works).max()):
            lines.append(f"the law creates {self.contact_work:.3g} J: law='stronge' does not")
        return "\n".join(lines)


def collide(
    first: MovingSystem, second: MovingSystem | None, points: Sequence[ImpactPoint], *,
    law: str = "newton", order: str = "simultaneous",
) -> Collision:  # fmt: skip
    """Return what happens when two systems hit each other in several points at once.

    Bases go on as before; joints and loops hold.  Impulses act along the normals, and where there
    is friction also across them, by Coulomb's law: with restitution by velocities it opposes the
    slip after the impact (``impacts/friction_law.py``), else that of every moment of the process
    (``impacts/impact_process.py``).

        M Δv = Aᵀ P,      A Δv = H = -(1 + e) u⁻      [Zhang1996, (3.13), (3.25), (3.27)]

    Args:
        first: One system just before the impact, or a base alone.
        second: The other one; None: bodies of the first one hit each other.
        points: Where they touch, all at once.
        law: What restitution means.  "newton", as printed: every point opens with e times the rate
            with which it closed, even if its impulse has to pull.  "unilateral": the same, but
            impulses only push; points that would have to pull are let go, and open faster
            (complementarity).  "poisson": the impulse of restitution is e times that of
            compression.  "stronge": restitution gives back e² of the work of compression, so that
            no energy is created.  Plastic is e = 0.
        order: "simultaneous", or "sequential": one point after the other, the fastest first, until
            none closes.

    Raises:
        ModelError: If restitutions contradict each other, if a point opens before the impact and
            the law is "newton", or if a body is not there; for "stronge" and for friction in
            several simultaneous points, which have no law.

    >>> import poinsot as ps
    >>> rod = ps.library.pendulum()
    >>> hit = ps.ImpactPoint("world", "bob", point=(0, 0, -1), normal=(1, 0, 0), restitution=0.5)
    >>> wall, arm = ps.MovingSystem(), ps.MovingSystem(rod, [0.0], [2.0])
    >>> print(ps.collide(wall, arm, [hit]).v[1])
    [-1.]
    """
    _check_law(law, order)
    points = [points] if isinstance(points, ImpactPoint) else points
    is_alone = second is None
    both = (first, MovingSystem() if second is None else second)
    _check_parties(both, points)
    D, w, places = _opening((first, first) if is_alone else both, points, is_alone=is_alone)
    held = [party.constraint_rows() for party in both]
    M, J = _diagonal([party.mass_matrix() for party in both]), _diagonal(held)
    frames = np.array([_frame(point.normal) for point in points])
    hit = _law(both, points, (law, order), (M, J), (frames @ D, np.einsum("sij,sj->si", frames, w)))
    done, P, held_fast = hit.jump()
    A, u = hit.A, hit.u
    forces = np.einsum("sij,si->sj", frames, P)
    rubbed = forces - P[:, :1] * frames[:, 0]
    rough = hit.friction > 0.0
    sticks = bool(held_fast[rough].all()) if rough.any() and (u < 0.0).any() else None
    G, rank = impulse_matrix(M, J, A)
    after = u + A @ done.change
    changes = np.split(done.change, [first.v.size])
    rows = np.split(done.held, [len(held[0])])
    works = np.sum(forces * (2.0 * w + D @ done.change), axis=1) / 2.0
    work = float(works.sum())
    ends = (both[0].v + changes[0], both[1].v + changes[1])
    gain = sum(
        party.kinetic_energy(end) - party.kinetic_energy(party.v)
        for party, end in zip(both, ends, strict=True)
    )
    pushes = _pushes(points, forces, is_alone=is_alone)
    return Collision(
        hit.names, law, order, A, G, rank, -(1.0 + hit.e) * u, u, after, done.impulses, done.unique,
        (changes[0], changes[1]), ends, places,
        (_named(both[0], rows[0]), _named(both[1], rows[1])),
        works, work, gain - work, rubbed, sticks, np.array([point.point for point in points]),
        frames[:, 0], (w, w + D @ done.change), ((both[0], pushes[0]), (both[1], pushes[1])),
        hit.e,
    )  # fmt: skip


def _law(
    both: tuple[MovingSystem, MovingSystem], points: Sequence[ImpactPoint], names: tuple[str, str],
    matrices: tuple[Array, Array], opening: tuple[Array, Array],
) -> CollisionLaw:  # fmt: skip
    """Return the law by which the systems leave each other."""
    e, friction, reversed_slip = np.array(
        [(p.restitution, p.friction, p.tangential_restitution) for p in points]
    ).T
    v = np.concatenate([party.v for party in both])
    return CollisionLaw(
        "collide", *names, tuple(p.name for p in points), e, friction, reversed_slip, *matrices, v,
        *opening,
    )  # fmt: skip


def _pushes(
    points: Sequence[ImpactPoint], forces: Array, *, is_alone: bool
) -> tuple[list[Push], list[Push]]:
    """Return the impulses on bodies of the first system and of the second."""
    both = list(zip(points, forces, strict=True))
    first = [(point.first, point.point, -force) for point, force in both]
    second = [(point.second, point.point, force) for point, force in both]
    return (first + second, []) if is_alone else (first, second)


def _check_law(law: str, order: str) -> None:
    """Reject laws and orders that are not there."""
    for what, value, known in (("law", law, LAWS), ("order", order, ORDERS)):
        if value not in known:
            listed = ", ".join(map(repr, known))
            raise ModelError(f"collide: {what} must be one of {listed}, got {value!r}")


def _check_parties(both: tuple[MovingSystem, MovingSystem], points: Sequence[ImpactPoint]) -> None:
    """Reject what is no system at one instant, and no point."""
    if not points or not all(isinstance(point, ImpactPoint) for point in points):
        raise ModelError(f"collide: points: give at least one ps.ImpactPoint, got {points!r}")
    for party in both:
        if not isinstance(party, MovingSystem):
            raise ModelError(
                "collide: give each system with its state, ps.MovingSystem(system, q, v), or "
                f"ps.MovingSystem() for the ground, got {party!r}"
            )
    if any(party.is_many for party in both) or any(point.is_many for point in points):
        raise ModelError("collide: it takes one state, and got many; ps.collide_many takes them")


def _opening(
    both: tuple[MovingSystem, MovingSystem], points: Sequence[ImpactPoint], *, is_alone: bool
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
        jacobians.append(seen[1] - seen[0] if is_alone else np.hstack([-seen[0], seen[1]]))
        velocities.append(second - first)
        for party, name, listed in zip(both, bodies, places, strict=True):
            listed.append(party.place(name, point.point))
    return np.array(jacobians), np.array(velocities), (np.array(places[0]), np.array(places[1]))


def _diagonal(blocks: Sequence[Array]) -> Array:
    """Return the matrix with these blocks, (3.14)."""
    first, second = blocks
    matrix = np.zeros((len(first) + len(second), first.shape[1] + second.shape[1]))
    matrix[: len(first), : first.shape[1]] = first
    matrix[len(first) :, first.shape[1] :] = second
    return matrix


def _frame(normal: Array) -> Array:
    """Return a normal and two tangents, by rows, shape (3, 3)."""
    return np.array([normal, *np.linalg.svd(normal[None, :])[2][1:]])


def _named(party: MovingSystem, impulses: Array) -> dict[str, float]:
    names = () if party.system is None else party.system.row_names
    return dict(zip(names, map(float, impulses), strict=True))
