"""Impacts over any numbers by laws that decide by size: floats tell the phases, numbers follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, final

import numpy as np

from poinsot.algebra.collision_equations import CollisionMatrices, TracedCollision
from poinsot.algebra.notation import Notation
from poinsot.errors import ModelError
from poinsot.expr import Program, build, fresh_symbols
from poinsot.expr.any_scalar import as_scalars, is_symbolic, reals, replay_over
from poinsot.impacts.collision_law import CollisionLaw
from poinsot.impacts.impact_phase import impact_phases
from poinsot.impacts.impact_point import ImpactPoint
from poinsot.impacts.phase_over_scalars import ScalarPoints, phase_impulses
from poinsot.spatial import Array
from poinsot.spatial.tangents import tangents

__all__ = ["WHERE", "ImpactOverScalars"]

WHERE: Final = "an impact over any scalar"


@final
@dataclass(frozen=True, eq=False)
class ImpactOverScalars:
    """Two systems that touch, over numbers of a kind, and a law.

    Attributes:
        kind: From ``kind_of``.
        points: Where they touch, s of them.
        matrices: Their matrices; n velocities.
        v: Velocities before it, shape (n,).
        law: Of points that have none of their own.
        order: At once, or one after the other.
    """

    kind: type
    points: Sequence[ImpactPoint]
    matrices: CollisionMatrices
    v: Array
    law: str
    order: str

    def impulses(self, M: Array, J: Array) -> Array:
        """Return the impulses along normals and tangents, shape (s, 3).

        Args:
            M: Mass matrix that is regular, shape (n, n).
            J: Independent rows of loops and constraints, shape (m, n).
        """
        numbers = (
            M,
            J,
            self._D,
            self.matrices.b,
            self.matrices.slip,
            self.v,
            self.matrices.e,
            self.matrices.friction,
        )
        if any(is_symbolic(x) for array in numbers for x in np.ravel(array)):
            raise ModelError(
                f"{WHERE}: law={self.law!r}, and friction, decide by size what pushes, sticks and "
                "slips, which formulas have not; give numbers, or law='printed' and no friction"
            )
        base = np.column_stack([self.matrices.b, self.matrices.slip])
        w = (self._rows @ self.v).reshape(-1, 3) + base
        laws = tuple(point.law or self.law for point in self.points)
        reversed_slip = [point.tangential_restitution for point in self.points]
        law = CollisionLaw(
            WHERE, laws, self.order, tuple(point.name for point in self.points),
            reals(self.matrices.e), reals(self.matrices.friction), np.array(reversed_slip, float),
            reals(M), reals(J), reals(self.v), reals(self._D), reals(w),
        )  # fmt: skip
        _, in_floats, _ = law.jump()
        by_points, _ = replay_over(self.kind, _pushes(*self._sizes(J)), M, J, self._rows)
        K = self._rows @ by_points
        touching = ScalarPoints(
            self.kind,
            K,
            self.matrices.e,
            self.matrices.friction,
            as_scalars(self.kind, reversed_slip),
        )
        whole = 0 * w
        given = compressed = 0 * w[:, 0]
        for phase in impact_phases(law, in_floats):
            if phase.kind == "restitution":
                given = self.matrices.e * compressed
            followed = laws[phase.point] if phase.point is not None else ""
            P = phase_impulses(touching, phase, w, given, followed)
            whole, compressed = whole + P, P[:, 0]
            w = w + (K @ P.ravel()).reshape(-1, 3)
        return np.asarray(whole)

    def pushed(self, impulses: Array, M: Array, J: Array) -> tuple[Array, Array, Array]:
        """Return normal impulses (s,), changes of velocities (n,), impulses along rows (m,)."""
        by_points, held = replay_over(self.kind, _pushes(*self._sizes(J)), M, J, self._rows)
        P = impulses.ravel()
        return impulses[:, 0], by_points @ P, np.asarray(held @ P) if len(J) else P[:0]

    def across_normals(self, impulses: Array) -> Array:
        """Return the impulses of friction in inertial axes, shape (s, 3)."""
        along = [as_scalars(self.kind, np.ravel(tangents(p.normal)).tolist()) for p in self.points]
        each = [P[1:] @ t.reshape(2, 3) for P, t in zip(impulses, along, strict=True)]
        return np.array(each, dtype=object)

    @property
    def _D(self) -> Array:
        """Velocities of the points along normals and tangents by v, shape (s, 3, n)."""
        return np.asarray(np.concatenate([self.matrices.A[:, None], self.matrices.across], axis=1))

    @property
    def _rows(self) -> Array:
        """The same, shape (3 s, n)."""
        return np.asarray(self._D.reshape(-1, len(self.v)))

    def _sizes(self, J: Array) -> tuple[int, int, int]:
        return len(J), 3 * len(self.points), len(self.v)


@lru_cache(maxsize=32)
def _pushes(m: int, s: int, n: int) -> Program:
    """Return velocity jumps, and impulses along m rows, by impulses along s others."""
    sizes = {"M": (n, n), "J": (m, n), "A": (s, n)}
    given = {key: fresh_symbols(key, int(np.prod(size))) for key, size in sizes.items()}
    M, J, A = (given[key].reshape(size) for key, size in sizes.items())
    none = np.zeros(0, dtype=object)
    whole = TracedCollision(
        "an impact", Notation(none, none, none, none, none, none, none, {}), is_plain=True,
        is_rough=False, matrices=CollisionMatrices(M, J, A, *[none] * 5),
        independent=tuple(range(m)),
    )  # fmt: skip
    held = whole.held if m else np.zeros((0, s), dtype=object)
    return build(given, {"by_points": whole.moved, "held": held})
