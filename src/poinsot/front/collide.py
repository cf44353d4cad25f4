"""The impact of two systems in several points, each on a moving base: ``ps.collide``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.collision import Collision
from poinsot.front.moving_system import MovingSystem
from poinsot.front.touching_systems import (
    TouchingSystems,
    check_apart,
    check_points,
    touching_systems,
)
from poinsot.impacts.impact_law import Jump, impulse_matrix, pushed
from poinsot.impacts.impact_point import ImpactPoint
from poinsot.impacts.law_names import PRINTED, check_names
from poinsot.impacts.sticking import sticking
from poinsot.spatial import Array

__all__ = ["check_party", "collide", "told_impact"]


def collide(
    first: MovingSystem, second: MovingSystem | None, points: Sequence[ImpactPoint], *,
    law: str = PRINTED, order: str = "simultaneous",
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
        law: What restitution means.  "printed", Newton's law as Zhang prints it: every point
            opens with e times the rate with which it closed, even if its impulse has to pull.
            "unilateral": the same, but impulses only push; points that would have to pull are let
            go, and open faster (complementarity).  "poisson": the impulse of restitution is e times
            that of compression.  "stronge": restitution gives back e² of the work of compression,
            so that no energy is created.  Plastic is e = 0.
        order: "simultaneous", or "sequential": one point after the other, the fastest first, until
            none closes; then points may have laws of their own (``ImpactPoint(law=)``).

    Raises:
        ModelError: If restitutions contradict each other, if a point opens before the impact and
            the law is "printed", or if a body is not there; for "stronge", or several laws, in
            several simultaneous points, which is no law.

    >>> import poinsot as ps
    >>> rod = ps.library.pendulum()
    >>> hit = ps.ImpactPoint("world", "bob", point=(0, 0, -1), normal=(1, 0, 0), restitution=0.5)
    >>> wall, arm = ps.MovingSystem(), ps.MovingSystem(rod, [0.0], [2.0])
    >>> print(ps.collide(wall, arm, [hit]).v[1])
    [-1.]
    """
    check_names("collide", law, order)
    listed = check_points(points, "collide")
    both = [first] if second is None else [first, second]
    for party in both:
        check_party(party, "collide")
    if second is None:
        check_apart(listed, "collide")
    if any(party.is_many for party in both) or any(point.is_many for point in listed):
        raise ModelError("collide: it takes one state, and got many; ps.collide_many takes them")
    touching = touching_systems(first, second, listed)
    laws = tuple(point.law or law for point in listed)
    done, P, _ = touching.law(laws, order).jump()
    return _told(touching, (laws, order), done, P)


def told_impact(
    touching: TouchingSystems, how: tuple[tuple[str, ...], str], P: Array, *, is_unique: bool
) -> Collision:
    """Return all about an impact whose impulses are known.

    Args:
        touching: The systems before it.
        how: Laws of the points, and order.
        P: The impulses along normals and tangents, shape (s, 3).
        is_unique: Whether no others do the same.
    """
    rows = touching.D.reshape(P.size, -1)
    done = pushed(touching.M, touching.J, rows, P.ravel())
    return _told(touching, how, Jump(done.change, P[:, 0], done.held, is_unique), P)


def _told(
    touching: TouchingSystems, how: tuple[tuple[str, ...], str], done: Jump, P: Array
) -> Collision:
    """Return the result of an impact."""
    hit, both, frames, w = touching.law(*how), touching.both, touching.frames, touching.w
    A, u = hit.A, hit.u
    after = w + hit.D @ done.change
    sticks = sticking(P, w, after, hit.friction, hit.reversed_slip)
    rough = hit.friction > 0.0
    forces = np.einsum("sij,si->sj", frames, P)
    G, rank = impulse_matrix(hit.M, hit.J, A)
    changes = np.split(done.change, touching.sizes[:1])
    rows = np.split(done.held, touching.sizes[1:])
    works = np.sum(P * (w + after), axis=1) / 2.0
    work = float(works.sum())
    ends = (both[0].v + changes[0], both[1].v + changes[1])
    gain = sum(
        float(party.kinetic_energy(end) - party.kinetic_energy(party.v))
        for party, end in zip(both, ends, strict=True)
    )
    pushes = touching.pushes(forces)
    return Collision(
        hit.names, ", ".join(dict.fromkeys(hit.laws)), hit.order, A, G, rank, -(1.0 + hit.e) * u, u,
        after[:, 0], done.impulses, done.unique, (changes[0], changes[1]), ends, touching.places,
        (_named(both[0], rows[0]), _named(both[1], rows[1])), works, work, gain - work,
        forces - P[:, :1] * frames[:, 0],
        bool(sticks[rough].all()) if rough.any() and (u < 0.0).any() else None,
        np.array([point.point for point in touching.points]), frames[:, 0],
        (np.einsum("sij,si->sj", frames, w), np.einsum("sij,si->sj", frames, after)),
        ((both[0], pushes[0]), (both[1], pushes[1])), hit.laws, touching,
    )  # fmt: skip


def check_party(party: object, where: str) -> None:
    """Reject what is no system with a state."""
    if not isinstance(party, MovingSystem):
        raise ModelError(
            f"{where}: give each system with its state, ps.MovingSystem(system, q, v), or "
            f"ps.MovingSystem() for the ground, got {party!r}"
        )


def _named(party: MovingSystem, impulses: Array) -> dict[str, float]:
    names = () if party.system is None else party.system.row_names
    return dict(zip(names, map(float, impulses), strict=True))
