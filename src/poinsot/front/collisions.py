"""What impacts of two systems at many states did."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from poinsot.front.collide import told_impact
from poinsot.front.collision import Collision
from poinsot.front.collision_derivatives import CollisionDerivatives
from poinsot.front.many_states import ManyStates
from poinsot.front.moving_system import MovingSystem
from poinsot.front.touching_systems import touching_systems
from poinsot.impacts.collision_law import ROUNDING
from poinsot.impacts.created_energy import creates_none
from poinsot.impacts.impact_law import impulse_matrix
from poinsot.impacts.impact_point import ImpactPoint
from poinsot.spatial import Array

__all__ = ["Collisions"]


@final
@dataclass(frozen=True, eq=False)
class Collisions:
    """What impacts of two systems at k states did; s points.

    ``collisions[3]`` is all about one of them, a ``Collision``.

    Attributes:
        names: Of the points.
        law: "printed", "unilateral", "poisson" or "stronge"; several, with commas, if points have
            their own.
        laws: Of the points.
        order: "simultaneous" or "sequential".
        rates_before: How fast the points open before it [m/s], shape (k, s); negative: they close.
        rates: How fast they open after it [m/s], shape (k, s).
        impulses: At the points [N s], + on the second body, - on the first, shape (k, s).
        changes: Of the velocities of the two systems, shapes (k, n₁) and (k, n₂).
        unique: Whether no other impulses do the same, shape (k,); if not, they are those of least
            norm, or with friction some that obey the law.
        friction_impulses: Across the normals, on the second body, in inertial axes [N s], shape
            (k, s, 3).
        sticks: Whether no point with friction slips afterwards, shape (k,), False where none
            closes; None: none has friction.
        works: Work of the impulses at each point [J], shape (k, s).
        first: The first system before them.
        second: The second one; None: bodies of the first one hit each other.
        points: Where they touch.
    """

    names: tuple[str, ...]
    law: str
    laws: tuple[str, ...]
    order: str
    rates_before: Array
    rates: Array
    impulses: Array
    changes: tuple[Array, Array]
    unique: Array
    friction_impulses: Array
    sticks: Array | None
    works: Array
    first: MovingSystem
    second: MovingSystem | None
    points: tuple[ImpactPoint, ...]

    @property
    def v(self) -> tuple[Array, Array]:
        """Velocities after them, shapes (k, n₁) and (k, n₂)."""
        first, second = (party.v + x for party, x in zip(self._both, self.changes, strict=True))
        return first, second

    @property
    def contact_work(self) -> Array:
        """Work of the impulses at the points [J], shape (k,)."""
        return np.asarray(self.works.sum(axis=1))

    @property
    def created_energy(self) -> Array:
        """What the law creates [J], shape (k,); 0 where contacts take energy."""
        work, largest = self.contact_work, np.abs(self.works).max(axis=1)
        return np.where(work > ROUNDING * largest, work, 0.0)

    @cached_property
    def base_work(self) -> Array:
        """Change of the kinetic energies less that: work of the moving bases [J], shape (k,)."""
        gain = -self.contact_work
        for party, end in zip(self._both, self.v, strict=True):
            gain = gain + party.kinetic_energy(end) - party.kinetic_energy(party.v)
        return gain

    @property
    def H(self) -> Array:
        """What Newton's law asks of the change of the rates [m/s], shape (k, s) (3.25)."""
        e = np.array([point.restitution for point in self.points])
        return np.asarray(-(1.0 + e) * self.rates_before)

    @property
    def A(self) -> Array:
        """Rates of opening by the velocities of both systems, shape (k, s, n) (3.28)."""
        return self._matrices[0]

    @property
    def d(self) -> Array:
        """Generalised impulses by the impulses at the points, shape (k, n, s) (3.9), (3.11)."""
        return np.swapaxes(self.A, 1, 2)

    @property
    def G(self) -> Array:
        """Impulse matrices A M⁻¹ Aᵀ, shape (k, s, s) [Zhang1996, (3.30)]; loops hold."""
        return self._matrices[1]

    @property
    def rank(self) -> Array:
        """Their ranks, shape (k,)."""
        return self._matrices[2]

    @cached_property
    def _matrices(self) -> tuple[Array, Array, Array]:
        both = (self.first,) if self.second is None else (self.first, self.second)
        many = ManyStates(both, self.points, self.laws, self.order, range(len(self)))
        s = len(self.points)
        A, G = np.zeros((len(self), s, many.size)), np.zeros((len(self), s, s))
        rank = np.zeros(len(self), np.intp)
        for states, J, rows, masses in many.matrices():
            A[states] = rows[:, list(many.bodies.numbers)]
            for k, held, M in zip(range(states.start, states.stop), J, masses, strict=True):
                G[k], rank[k] = impulse_matrix(M, held, A[k])
        return A, G, rank

    @property
    def _both(self) -> tuple[MovingSystem, MovingSystem]:
        return self.first, MovingSystem() if self.second is None else self.second

    def derivatives(self) -> list[CollisionDerivatives]:
        """Return the derivatives of each; see ``Collision.derivatives``."""
        return [self[k].derivatives() for k in range(len(self))]

    def __len__(self) -> int:
        return len(self.impulses)

    def __getitem__(self, k: int) -> Collision:
        """Return the collision of one state."""
        k = range(len(self))[k]
        second = None if self.second is None else self.second.state(k)
        points = [point.state(k) for point in self.points]
        touching = touching_systems(self.first.state(k), second, points)
        P = np.einsum("sij,sj->si", touching.frames, self.friction_impulses[k])
        P[:, 0] = self.impulses[k]
        return told_impact(touching, (self.laws, self.order), P, is_unique=bool(self.unique[k]))

    def __repr__(self) -> str:
        return f"Collisions({len(self)} states; {', '.join(self.names)}; law={self.law!r})"

    def __str__(self) -> str:
        columns = {
            "impulse [N s]": self.impulses,
            "closes with [m/s]": 0.0 - self.rates_before,
            "opens with [m/s]": self.rates,
            "work [J]": self.works,
        }
        width = max(len("point"), *map(len, self.names))
        lines = [f"{len(self)} states, from least to largest", f"{'point':{width}}"]
        lines[1] += "".join(f"  {head:>22}" for head in columns)
        for k, name in enumerate(self.names):
            ends = [(x[:, k].min(initial=np.inf), x[:, k].max(initial=-np.inf))
                    for x in columns.values()]  # fmt: skip
            cells = [f"{f'{least:.4g} to {most:.4g}':>22}" for least, most in ends]
            lines.append("  ".join([f"{name:{width}}", *cells]))
        if not self.unique.all():
            lines.append(f"impulses are not unique at {int((~self.unique).sum())} of {len(self)}")
        created = self.created_energy
        if created.any():
            remedy = creates_none(len(self.names), self.order, is_rough=self.sticks is not None)
            worst = int(np.argmax(created))
            lines.append(
                f"the law creates energy at {np.count_nonzero(created)} of {len(self)} states, "
                f"{created.sum():.3g} J in all, at most {created[worst]:.3g} J (state {worst}): "
                f"{remedy}"
            )
        return "\n".join(lines)
