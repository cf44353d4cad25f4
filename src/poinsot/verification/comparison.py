"""Comparisons of two algorithms for the same quantity, and their table."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from poinsot.front.system import System
from poinsot.spatial import Array

__all__ = [
    "Check",
    "Compare",
    "Report",
    "as_forces",
    "forces_apart",
    "largest",
    "relative",
    "row_size",
]

Compare = Callable[[System, Array, Array, Array], float]
"""(system, q, v, tau) -> relative difference."""

DIFFERENCE: Final = 1e-6
"""Relative error of derivatives by central differences with ``STEP``."""
STEP: Final = 1e-5
"""Step of finite differences, in the unit of the variable."""
SMALLEST: Final = 1e-300
"""Keeps differences of zeros from being divided by zero."""


@dataclass(frozen=True)
class Check:
    """One comparison: the largest relative difference, and the tolerance."""

    name: str
    worst: float
    accepted: float

    @property
    def ok(self) -> bool:
        """Whether the difference is accepted; NaN is not."""
        return self.worst <= self.accepted


@dataclass(frozen=True)
class Report:
    """The result of ``verify``: the checks, whether all agree, and notes on the states.

    Attributes:
        system: Name of the system.
        n_states: How many states were looked at.
        checks: The comparisons.
        note: What is special about the states; empty for states that are random in every way.
        left_out: What was not compared, and why.
    """

    system: str
    n_states: int
    checks: tuple[Check, ...]
    note: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every check agrees."""
        return all(check.ok for check in self.checks)

    def __str__(self) -> str:
        width = max(len(check.name) for check in self.checks)
        lines = [f"{self.system}: {self.n_states} random states"]
        lines += [f"  {self.note}"] if self.note else []
        for check in self.checks:
            verdict = "ok" if check.ok else "DIFFERS"
            lines.append(
                f"  {check.name:{width}}  {check.worst:8.1e}  (accepted {check.accepted:.0e})  "
                f"{verdict}"
            )
        lines += [f"  left out: {reason}" for reason in self.left_out]
        return "\n".join([*lines, "  all agree" if self.ok else "  NOT all agree"])

    def _repr_html_(self) -> str:
        """Show the table in notebooks."""
        return f"<pre>{html.escape(str(self))}</pre>"

    def __repr__(self) -> str:
        return str(self)


def relative(x: Array, y: Array) -> float:
    """Return the largest difference, relative to the largest entry of y."""
    size = largest(y)
    return largest(x - y) / size if size else largest(x)


def largest(x: Array) -> float:
    """Return the largest absolute entry."""
    return float(np.max(np.abs(x), initial=0.0))


def forces_apart(system: System, q: Array, v: Array, x: Array, y: Array) -> float:
    """Return how much joint forces differ, relative to all that act: they may be none at all."""
    return largest(x - y) / max(largest(y) + largest(system.bias(q, v)), SMALLEST)


def row_size(J: Array, a: Array) -> float:
    """Return how large J a may be; a row whose coordinates rest has the rounding of others."""
    return largest(np.abs(J).sum(axis=-1)) * largest(a)


def as_forces(system: System, q: Array, v: Array, tau: Array, x: Array, y: Array) -> float:
    """Return the difference of the forces of two accelerations, relative to the applied forces.

    With constraints also how much they differ along the rows: links without mass feel no force.
    """
    size = largest(tau) + largest(system.bias(q, v))
    worst = largest(system.mass_matrix(q) @ (x - y)) / max(size, SMALLEST)
    if system.row_names:
        J = system.constraint_jacobian(q)
        size = row_size(J, y) + largest(system.constraint_bias(q, v))
        worst = max(worst, largest(J @ (x - y)) / max(size, SMALLEST))
    return worst
