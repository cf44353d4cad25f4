"""What the impact of two systems consists of, as expressions: A, d, H, G, impulses, velocities.

    M Δv = d P,    d = Aᵀ,    A Δv = H = -(1 + e) u⁻,    u = A v + b,    G = A M⁻¹ d,    G P = H

b being the rates at which the moving bases let the points part [Zhang1996, (3.25)-(3.31)].  Rows J
of loops and constraints, if they are known to be independent, hold by impulses R:

    M Δv = d P + Jᵀ R,    J Δv = 0,    G = A M⁻¹ (d - Jᵀ (J M⁻¹ Jᵀ)⁻¹ J M⁻¹ d)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np

from poinsot.algebra.notation import Notation
from poinsot.algebra.traced_quantities import Shown
from poinsot.errors import ModelError
from poinsot.expr import as_expr
from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.model import suggestion
from poinsot.spatial import Array

__all__ = ["IN_COLLISION", "CollisionMatrices", "TracedCollision"]

SHOWN: Final[Mapping[str, Shown]] = {
    "mass_matrix": Shown("M", "M", "mass matrix of both systems", ("q",)),
    "constraint_jacobian": Shown("J", "J", "rows of loops and constraints", ("q",)),
    "A": Shown("A", "A", "rates of opening by the velocities", ("q",)),
    "d": Shown("d", "d", "generalised impulses by the impulses", ("q",)),
    "base_rates": Shown("b", "b", "rates of opening by the moving bases", ()),
    "rates_before": Shown("u", "u", "rates of opening before the impact"),
    "H": Shown("H", "H", "changes of the rates of opening"),
    "G": Shown("G", "G", "impulse matrix", ("q",)),
    "impulses": Shown("P", "P", "impulses at the points"),
    "changes": Shown("Δv", r"\Delta v", "velocity jumps"),
    "v_after": Shown("v⁺", "v^{+}", "velocities after the impact"),
    "constraint_impulses": Shown("R", "R", "impulses of loops and constraints"),
}
"""What an impact of two systems consists of."""
OF_INDEPENDENT_ROWS: Final = ("G", "impulses", "changes", "v_after", "constraint_impulses")
OF_SMOOTH_POINTS: Final = ("impulses", "changes", "v_after", "constraint_impulses")
IN_COLLISION: Final = ("mass_matrix", "A", "H", "G", "impulses", "changes")
"""The quantities that are shown by default, as far as they are formulas."""


@final
@dataclass(frozen=True, eq=False)
class CollisionMatrices:
    """Two systems that touch in s points, over symbols; n velocities of both.

    Attributes:
        M: Mass matrix, shape (n, n).
        J: Rows of loops and constraints, shape (m, n).
        A: Rates of opening by v, shape (s, n).
        b: Rates of opening by motions of the bases, shape (s,).
        e: Restitutions, shape (s,).
        across: Velocities along two tangents of each point by v, shape (s, 2, n); 0 of systems
            without friction.
        slip: Those by motions of the bases, shape (s, 2).
        friction: Coulomb's μ, shape (s,).
    """

    M: Array
    J: Array
    A: Array
    b: Array
    e: Array
    across: Array
    slip: Array
    friction: Array


@final
@dataclass(frozen=True, eq=False)
class TracedCollision:
    """The quantities of an impact, by name.

    Attributes:
        whose: Names of the systems.
        symbols: The symbols that they are written with.
        is_plain: Whether v is the rate of q in both.
        is_rough: Whether a point has friction.
        matrices: What they are made of.
        independent: The rows of loops and constraints on which all others depend; None: unknown.
    """

    whose: str
    symbols: Notation
    is_plain: bool
    is_rough: bool
    matrices: CollisionMatrices
    independent: tuple[int, ...] | None = None

    @property
    def depends_on_time(self) -> bool:
        """An impact takes no time, and bases move as they do at its instant."""
        return False

    @property
    def is_closed(self) -> bool:
        """Whether there are loops or constraints."""
        return bool(len(self.matrices.J))

    @property
    def names(self) -> tuple[str, ...]:
        """The quantities that are shown by default."""
        told = tuple(name for name in IN_COLLISION if not self._obstacle(name))
        return (*told, "constraint_jacobian") if self.is_closed else told

    def shown(self, name: str) -> Shown:
        """Return how a quantity is shown."""
        _check_name(name)
        return SHOWN[name].apart(self.symbols.letters.values())

    def __getitem__(self, name: str) -> Array:
        """Return a quantity as expressions, in the shape that it has."""
        _check_name(name)
        if obstacle := self._obstacle(name):
            raise ModelError(
                f"derive_impact: {name} of {self.whose!r} is no formula: {obstacle}; take "
                "mass_matrix, A and H, or numbers by ps.collide"
            )
        given = self.matrices
        made: dict[str, Callable[[], Array]] = {
            "mass_matrix": lambda: given.M,
            "constraint_jacobian": lambda: given.J,
            "A": lambda: given.A,
            "d": lambda: given.A.T,
            "base_rates": lambda: given.b,
            "rates_before": lambda: self._rates,
            "H": lambda: -(1.0 + given.e) * self._rates,
            "G": lambda: given.A @ self.moved,
            "impulses": lambda: self._impulses,
            "changes": lambda: self.moved @ self._impulses,
            "v_after": lambda: self.symbols.v + self.moved @ self._impulses,
            "constraint_impulses": lambda: self._row_impulses,
        }
        return np.asarray(made[name]())

    @cached_property
    def _rates(self) -> Array:
        """Rates of opening before the impact, u = A v + b, shape (s,)."""
        return np.asarray(self.matrices.A @ self.symbols.v + self.matrices.b)

    @property
    def _rows(self) -> Array:
        """The independent rows of loops and constraints, shape (r, n)."""
        return np.asarray(self.matrices.J[list(self.independent or ())])

    @cached_property
    def _moved_apart(self) -> tuple[Array, Array]:
        """Velocity jumps by impulses at points and in constraints alone, M⁻¹ Aᵀ and M⁻¹ Jᵀ."""
        factors = ldl(self.matrices.M)
        by_points = ldl_solve(*factors, self.matrices.A.T)
        return by_points, ldl_solve(*factors, self._rows.T)

    @cached_property
    def held(self) -> Array:
        """Impulses in independent rows by those at the points, -(J M⁻¹ Jᵀ)⁻¹ J M⁻¹ Aᵀ, (r, s)."""
        J, (by_points, by_rows) = self._rows, self._moved_apart
        return -ldl_solve(*ldl(J @ by_rows), J @ by_points)

    @cached_property
    def moved(self) -> Array:
        """Velocity jumps by the impulses at the points, M⁻¹ Aᵀ of trees, shape (n, s)."""
        by_points, by_rows = self._moved_apart
        return by_points + by_rows @ self.held if self.is_closed else by_points

    @property
    def _row_impulses(self) -> Array:
        """R, shape (m,); 0 of rows that depend on others."""
        R = np.array([as_expr(0.0)] * len(self.matrices.J), dtype=object)
        R[list(self.independent or ())] = self.held @ self._impulses
        return R

    @cached_property
    def _impulses(self) -> Array:
        """P of G P = H, shape (s,)."""
        return np.asarray(ldl_solve(*ldl(np.asarray(self["G"])), self["H"]))

    def _obstacle(self, name: str) -> str:
        """Return why a quantity is no formula; nothing where it is one."""
        if self.is_closed and self.independent is None and name in OF_INDEPENDENT_ROWS:
            return (
                "of systems with loops or constraints it depends on which rows are independent, "
                "which a state of numbers tells: give all parameters numbers"
            )
        if self.is_rough and name in OF_SMOOTH_POINTS:
            return "friction decides by cases"
        return ""


def _check_name(name: str) -> None:
    """Reject names of quantities that are not there."""
    if not isinstance(name, str) or name not in SHOWN:
        raise ModelError(f"derive_impact: there is no quantity {name!r}; {suggestion(name, SHOWN)}")
