"""The masses of bodies as MuJoCo takes them: principal moments that a body can have.

Only the sum of the inertia of bodies that are fixed to each other matters.  So what cannot be
written for a fixed body is added to the one that carries it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from poinsot.errors import ModelError, ModelWarning
from poinsot.io.mjcf.body_links import BodyLink
from poinsot.io.mjcf.lumped_mass import Lump, joined
from poinsot.spatial import Array

__all__ = ["Mass", "masses_of"]

_SMALLEST = 1e-15
"""mjMINVAL: the smallest mass and moment of a moving body that MuJoCo takes."""

_ROUNDING = 1e-12
"""Fraction of the largest moment by which moments may be impossible, from rounding."""


@dataclass(frozen=True, eq=False)
class Mass:
    """What ``<inertial>`` says.

    Attributes:
        mass: Mass [kg].
        com: Centre of mass in body axes [m], shape (3,).
        moments: Principal moments [kg·m²], shape (3,).
        axes: Their axes as columns, in body axes: a rotation, shape (3, 3).
    """

    mass: float
    com: Array
    moments: Array
    axes: Array


def masses_of(links: Mapping[int, BodyLink]) -> dict[int, Mass]:
    """Return what to write for each body, by listed index.

    Raises:
        ModelError: If a moving body has moments that no body can have, or no mass or moments
            while none that is fixed to it has both.

    Warns:
        ModelWarning: If moments were added to those of another body.
    """
    lumps = {
        i: Lump(link.body.mass, np.array(link.body.com), link.body.inertia_matrix())
        for i, link in links.items()
    }
    masses: dict[int, Mass] = {}
    moved: list[str] = []
    heavy: set[int] = set()
    for i, link in reversed(list(links.items())):
        mass, name = _mass(lumps[i]), link.body.name
        possible = _are_possible(mass.moments)
        if not possible and not link.joints:
            moved.append(name)
            if link.parent in lumps:
                lumps[link.parent] = joined([lumps[link.parent], lumps[i].placed(link.X)])
            mass = _mass(Lump())
        elif not possible:
            raise ModelError(
                f"body {name!r}: no body can have the principal moments {mass.moments.tolist()}, "
                "and MuJoCo refuses them; none may be negative or exceed the sum of the others"
            )
        masses[i] = mass
        if mass.mass >= _SMALLEST and (mass.moments >= _SMALLEST).all():
            heavy.add(i)
        if i in heavy and not link.joints:
            heavy.add(link.parent)
        if link.joints and i not in heavy:
            raise ModelError(
                f"body {name!r}: it moves, and MuJoCo takes no moving body whose mass or moments "
                f"are zero: mass {mass.mass} kg, moments {mass.moments.tolist()} kg m^2; "
                "give it some"
            )
    if moved:
        warnings.warn(
            "MJCF: MuJoCo refuses the moments of these bodies, so their mass is written with that "
            f"of the body to which they are fixed: {', '.join(map(repr, moved))}",
            ModelWarning,
            stacklevel=4,
        )
    return masses


def _mass(lump: Lump) -> Mass:
    """Return a lump by its principal moments, which are ours: MuJoCo's end at 1e-12 kg·m²."""
    moments, axes = np.diag(lump.I).copy(), np.eye(3)
    if lump.I[np.triu_indices(3, 1)].any():
        moments, axes = np.linalg.eigh(lump.I)
        axes[:, 2] *= np.sign(np.linalg.det(axes))
    size = np.max(np.abs(moments))
    moments[(moments < 0.0) & (moments >= -_ROUNDING * size)] = 0.0
    largest = int(np.argmax(moments))
    others = float(np.delete(moments, largest).sum())
    if others < moments[largest] <= others + _ROUNDING * size:
        moments[largest] = others
    return Mass(lump.mass, lump.com, moments, axes)


def _are_possible(moments: Array) -> bool:
    """Return whether no moment is negative or larger than the sum of the others."""
    low, middle, high = np.sort(moments).tolist()
    return bool(low >= 0.0 and high <= low + middle)
