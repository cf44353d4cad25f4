"""What an impact of two systems did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np

from poinsot.front.collision_derivatives import CollisionDerivatives, collision_derivatives
from poinsot.front.moving_system import MovingSystem, Push
from poinsot.front.touching_systems import TouchingSystems
from poinsot.impacts.collision_law import ROUNDING
from poinsot.impacts.created_energy import creates_none
from poinsot.impacts.determined_impulses import (
    determined_sums,
    undetermined,
    undetermined_text,
)
from poinsot.impacts.pulled_points import pulled, pulled_text
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Collision"]


@final
@dataclass(frozen=True, eq=False)
class Collision:
    """What an impact of two systems did; s points, n = n₁ + n₂ velocities.

    Attributes:
        names: Of the points.
        law: "printed", "unilateral", "poisson" or "stronge"; several, with commas, if points have
            their own.
        order: "simultaneous" or "sequential".
        A: Rates of opening by the velocities of both systems, shape (s, n) [Zhang1996, (3.28)].
        G: Impulse matrix A M⁻¹ Aᵀ, shape (s, s) [Zhang1996, (3.30)]; loops hold.
        rank: Its rank; where it is below s impulses are not unique.
        H: What Newton's law asks of the change of the rates [m/s], shape (s,) (3.25).
        rates_before: How fast the points open before it [m/s], shape (s,); negative: they close.
        rates: How fast they open after it [m/s], shape (s,).
        impulses: At the points [N s], + on the second body, - on the first, shape (s,).
        unique: Whether no other impulses do the same; if not, they are those of least norm,
            or with friction some that obey the law.
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
        laws: Of the points.
        touching: The systems before it, and where they touch.
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
    laws: tuple[str, ...]
    touching: TouchingSystems

    @cached_property
    def determined_sums(self) -> Array:
        """Sums of impulses that are the same in all answers, by rows, shape (rank, s).

        In reduced form: a row with a single 1 is an impulse that is determined itself.
        """
        return determined_sums(self.G)

    @property
    def undetermined(self) -> tuple[str, ...]:
        """Names of the points whose own impulses are not determined, as of four feet of a box."""
        return undetermined(self.names, self.determined_sums)

    @property
    def pulled(self) -> tuple[str, ...]:
        """Names of the points whose impulse is negative, which the printed law allows."""
        return pulled(dict(zip(self.names, self.impulses.tolist(), strict=True)))

    @property
    def d(self) -> Array:
        """Generalised impulses by the impulses at the points, M Δv = d P, shape (n, s).

        With normals from first bodies to second ones d = Aᵀ [Zhang1996, (3.9), (3.11), (3.14)].
        """
        return np.asarray(self.A.T)

    @property
    def d_of_systems(self) -> tuple[Array, Array]:
        """Its rows of each system, d' and d'', shapes (n₁, s) and (n₂, s)."""
        first, second = self.A_of_systems
        return np.asarray(first.T), np.asarray(second.T)

    @property
    def A_of_systems(self) -> tuple[Array, Array]:
        """Columns of A of each system, A' and A'', shapes (s, n₁) and (s, n₂) (3.25)."""
        first, second = np.split(self.A, [self.changes[0].size], axis=1)
        return first, second

    @cached_property
    def contact_works(self) -> tuple[float, float]:
        """Work of the impulses at the points on each system [J]; their sum is contact_work."""
        works = []
        for (party, pushes), change in zip(self.pushes, self.changes, strict=True):
            works.append(0.0)
            for body, point, impulse in pushes:
                start = party.point_velocity(body, point)
                gained = party.point_jacobian(body, point) @ change
                works[-1] += float(impulse @ (start + 0.5 * gained))
        return works[0], works[1]

    @cached_property
    def base_works(self) -> tuple[float, float]:
        """Work of each moving base [J]: what its system gains less that of the contacts on it.

        Of a base alone, as a wall that moves, less what the contacts do to it.
        """
        first, second = (
            float(party.kinetic_energy(end) - party.kinetic_energy(party.v)) - work
            for (party, _), end, work in zip(self.pushes, self.v, self.contact_works, strict=True)
        )
        return first, second

    @cached_property
    def joint_impulses(self) -> tuple[Mapping[str, Array], Mapping[str, Array]]:
        """Impulsive wrenches [f; n] in the joints and loops of both systems, by name.

        As ``System.reactions`` gives forces: in body axes, on the body [N s, N m s], shape (6,).
        """
        first, second = self.pushes
        return first[0].joint_impulses(first[1]), second[0].joint_impulses(second[1])

    def derivatives(self) -> CollisionDerivatives:
        """Return how velocities and impulses depend on q, v, restitutions, friction, parameters.

        Exact, of every law, points and normals staying where they are in inertial space, and the
        same points pushing, sticking and slipping.

        Raises:
            ModelError: If a point is at the edge of two cases, such as sticking and slipping, or
                if impulses are not unique.
        """
        P = np.einsum("sij,sj->si", self.touching.frames, self.friction_impulses)
        P[:, 0] = self.impulses
        return collision_derivatives(self.touching, self.laws, self.order, P)

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
            *self.slips, self.normals, self.works, ("bases", self.base_work),
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
            slip, speed = np.linalg.norm(after, axis=1), float(np.abs(self.slips).max())
            columns["slips with [m/s]"] = np.where(slip > ROUNDING * speed, slip, 0.0)
        width = max(len("point"), *map(len, self.names))
        lines = ["  ".join([f"{'point':{width}}", *columns])]
        for name, *numbers in zip(self.names, *columns.values(), strict=True):
            cells = [f"{x + 0.0:{len(head)}.6g}" for x, head in zip(numbers, columns, strict=True)]
            lines.append("  ".join([f"{name:{width}}", *cells]))
        lines += pulled_text(self.pulled)
        if not self.unique:
            lines.append(undetermined_text(self.undetermined, self.rank, len(self.names)))
        exchanged = float(np.abs(self.works).sum())
        base_work = self.base_work if abs(self.base_work) > ROUNDING * exchanged else 0.0
        works = f"{self.contact_work:.6g} J, of the bases {base_work:.6g} J"
        lines.append(f"work of the contacts {works}")
        if self.contact_work > ROUNDING * float(np.abs(self.works).max()):
            is_rough = self.sticks is not None
            remedy = creates_none(len(self.names), self.order, is_rough=is_rough)
            lines.append(f"the law creates {self.contact_work:.3g} J: {remedy}")
        return "\n".join(lines)
