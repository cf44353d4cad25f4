"""What an impact of contacts did."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, final

from poinsot.front.struck_system import StruckSystem
from poinsot.impacts.determined_impulses import (
    determined_sums,
    undetermined,
    undetermined_text,
)
from poinsot.impacts.impact_law import impulse_matrix
from poinsot.impacts.pulled_points import pulled, pulled_text
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Impact"]


@final
@dataclass(frozen=True, eq=False)
class Impact:
    """What an impact did.

    Attributes:
        v_before: Velocity just before it, shape (nv,).
        v: Velocity after it, shape (nv,).
        impulses: Of each contact that touched, by name [N s where the gap is in m]: along the
            gradient of the gap, negative by the printed law only; 0: it did not act.
        rates_before: How fast the gap of each of them opened before, by name [m/s]; negative: it
            closed.
        rates: How fast it opens after, by name [m/s].
        constraint_impulses: Of each row of loops and constraints, by its name
            (``system.row_names``) [N s or N m s]; of least norm where rows depend on each other.
        friction_impulses: Of each contact with friction that touched, by name: along the two
            tangents, on the body that touches [N s], shape (2,).
        sticks: Names of the contacts with friction that pushed and do not slip afterwards.
        works: Of each contact that touched, by name: the work of its impulses [J], negative where
            energy is lost.
        energy_lost: Kinetic energy before less that after [J].
        unique: Whether no other impulses at the contacts do the same; if not, those of least norm
            are given where they push, some others that push else.
        matrices: Mass matrix, rows of constraints, and rates of opening by the velocities of the
            contacts that touched, A, shape (s, nv).
        struck: The system with these impulses on it.
    """

    v_before: Array
    v: Array
    impulses: dict[str, float]
    rates_before: dict[str, float]
    rates: dict[str, float]
    constraint_impulses: dict[str, float]
    friction_impulses: dict[str, Array]
    sticks: tuple[str, ...]
    works: dict[str, float]
    energy_lost: float
    unique: bool
    matrices: tuple[Array, Array, Array] = field(repr=False)
    struck: StruckSystem = field(repr=False)

    @cached_property
    def _impulse_matrix(self) -> tuple[Array, int]:
        return impulse_matrix(*self.matrices)

    @property
    def G(self) -> Array:
        """Impulse matrix A M⁻¹ Aᵀ of the contacts that touched, constraints holding, (s, s)."""
        return self._impulse_matrix[0]

    @property
    def rank(self) -> int:
        """Rank of G; where it is below s contacts are redundant."""
        return self._impulse_matrix[1]

    @cached_property
    def determined_sums(self) -> Array:
        """Sums of impulses of smooth contacts that G determines, by rows, shape (rank, s)."""
        return determined_sums(self.G)

    @property
    def undetermined(self) -> tuple[str, ...]:
        """Names of the contacts whose own impulses G does not determine, as of four feet."""
        return undetermined(tuple(self.impulses), self.determined_sums)

    @cached_property
    def joint_impulses(self) -> dict[str, Array]:
        """Impulsive wrenches [f; n] in the joints, loops and constraints of the system, by name.

        As ``System.reactions`` gives forces: in body axes, on the body [N s, N m s], shape (6,).
        """
        return self.struck.joint_impulses()

    def draw(self, path: str | Path | None = None) -> Figure:
        """Draw it: bodies, points, impulses, velocities before and after, work of each contact.

        Args:
            path: File to write (.png, .svg, .pdf); None: show it.
        """
        return self.struck.draw(path, self.impulses, self.works, self.energy_lost)

    @property
    def acted(self) -> tuple[str, ...]:
        """Names of the contacts that pushed, or, by the printed law, pulled."""
        return tuple(name for name, impulse in self.impulses.items() if impulse)

    @property
    def pulled(self) -> tuple[str, ...]:
        """Names of the contacts whose impulse is negative, which the printed law allows."""
        return pulled(self.impulses)

    def __str__(self) -> str:
        width = max([len("contact"), *map(len, self.impulses)])
        turns = any("N m s" in self.struck.unit(name) for name in self.impulses)
        force, speed = ("N s or N m s", "m/s or rad/s") if turns else ("N s", "m/s")
        heads = f"impulse [{force}]", f"closes with [{speed}]", f"opens with [{speed}]"
        table = ["  ".join([f"{'contact':{width}}", *heads, "work [J]"])]
        lines = table if self.impulses else ["no contact touches"]
        for name, impulse in self.impulses.items():
            numbers = impulse, 0.0 - self.rates_before[name], self.rates[name]
            cells = [f"{x:{len(head)}.6g}" for x, head in zip(numbers, heads, strict=True)]
            sticks = "  sticks" if name in self.sticks else ""
            line = "  ".join([f"{name:{width}}", *cells])
            lines.append(f"{line}  {self.works[name]:8.4g}{sticks}")
        lines += pulled_text(self.pulled)
        if not self.unique:
            lines.append(undetermined_text(self.undetermined, self.rank, len(self.impulses)))
        carried = {name: x for name, x in self.constraint_impulses.items() if x}
        lines += [f"{name}: {x:.6g} N s or N m s" for name, x in carried.items()]
        return "\n".join([*lines, f"energy lost {self.energy_lost:.6g} J"])
