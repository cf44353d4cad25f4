"""Mass, centre of mass and central moments: bodies are summed from these."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from poinsot.spatial import Array, Inertia, Transform

__all__ = ["Lump", "joined"]


@dataclass(frozen=True, eq=False)
class Lump:
    """Mass, centre of mass and moments about it.

    Unlike :class:`~poinsot.spatial.Inertia`, whose moments are about the origin, it loses no digits
    where the centre is far away.

    Attributes:
        mass: Mass [kg], or volume [m³] for density one.
        com: Centre of mass [m], shape (3,).
        I: Inertia about it [kg·m²], shape (3, 3).
    """

    mass: float = 0.0
    com: Array = field(default_factory=lambda: np.zeros(3))
    I: Array = field(default_factory=lambda: np.zeros((3, 3)))

    def placed(self, X: Transform) -> Lump:
        """Return the lump in the frame in which its own has the pose ``X``."""
        if np.array_equal(X.R, np.eye(3)):
            return Lump(self.mass, self.com + X.p, self.I)
        return Lump(self.mass, X.apply_point(self.com), X.R @ self.I @ X.R.T)

    def scaled(self, factor: float) -> Lump:
        """Return the same body of another density."""
        return Lump(factor * self.mass, self.com, factor * self.I)


def joined(lumps: Iterable[Lump]) -> Lump:
    """Return several lumps, fixed to each other, as one."""
    massive = [lump for lump in lumps if lump.mass or lump.I.any()]
    if len(massive) <= 1:
        return massive[0] if massive else Lump()
    mass = sum(lump.mass for lump in massive)
    com = sum((lump.mass * lump.com for lump in massive), np.zeros(3)) / (mass or 1.0)
    about = [Inertia.from_com(lump.mass, lump.com - com, lump.I).I for lump in massive]
    return Lump(mass, com, sum(about, np.zeros((3, 3))))
