"""Cross-sections of links, and the part of the link beyond each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.checks import checked_name, finite_number, finite_vector
from poinsot.model.inertia import inertia_numbers
from poinsot.model.pose import Pose
from poinsot.spatial import Array

__all__ = ["WRENCHES", "Section", "Sides"]

Sides: TypeAlias = tuple[tuple[str, bool], ...]
"""Names of what is attached to a link, and whether it is beyond the section."""

WRENCHES: Final = "wrenches"
"""Name of the external wrench on the link among ``Section.beyond``."""


@dataclass(frozen=True)
class Section:
    """A cross-section of a link: a frame fixed in it, and the part of the link beyond.

    The x axis of the frame is normal to the section and points to the part beyond.  Children, ends
    of springs and loops are beyond the section where the x coordinate of the point at which they
    act is not negative, external wrenches always, unless ``beyond`` says otherwise.

    Args:
        body: Name of the link.
        pose: The frame in the link, or its origin [m].
        mass: Mass of the part beyond [kg].
        com: Its mass centre, in section axes [m], shape (3,).
        inertia: Its inertia about the mass centre in section axes [kg m²]: 3, 6 or 3 x 3 numbers.
        beyond: What is beyond (True) or before the section (False) wherever its point is, by name:
            a child, force element, loop or constraint, or "wrenches", the external wrench.

    >>> Section("boom", (0.4, 0, 0), mass=2.0, com=(0.3, 0, 0)).pose
    Pose((0.4, 0.0, 0.0))
    """

    body: str
    pose: Pose | ArrayLike = (0.0, 0.0, 0.0)
    mass: float = 0.0
    com: ArrayLike = (0.0, 0.0, 0.0)
    inertia: ArrayLike = (0.0, 0.0, 0.0)
    beyond: Mapping[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        where = f"section of {checked_name(self.body, 'section: body')!r}"
        pose = self.pose if isinstance(self.pose, Pose) else Pose(self.pose)
        if finite_number(self.mass, f"{where}: mass") < 0.0:
            raise ModelError(f"{where}: mass must not be negative, got {self.mass!r}")
        com = finite_vector(self.com, 3, f"{where}: com")
        inertia = inertia_numbers(self.inertia, f"{where}: inertia")
        if not isinstance(self.beyond, Mapping) or not all(
            isinstance(name, str) and isinstance(side, bool | np.bool_)
            for name, side in self.beyond.items()
        ):
            raise ModelError(
                f"{where}: beyond must say of things by name whether they are beyond, e.g. "
                f'{{"forearm": True, "wrenches": False}}, got {self.beyond!r}'
            )
        for name, given in (
            ("pose", pose), ("com", tuple(com.tolist())), ("inertia", inertia),
            ("beyond", dict(self.beyond)),
        ):  # fmt: skip
            object.__setattr__(self, name, given)

    @property
    def sides(self) -> Sides | None:
        """What is known of sides by name; None: all by points."""
        return tuple(sorted((name, bool(x)) for name, x in self.beyond.items())) or None

    def numbers(self) -> Array:
        """Return the numbers of the quantity's input, shape (22,)."""
        assert isinstance(self.pose, Pose)
        X = self.pose.transform()
        numbers = X.R.ravel(), X.p, [self.mass], self.com, self.inertia
        return np.concatenate([np.asarray(array, np.float64) for array in numbers])
