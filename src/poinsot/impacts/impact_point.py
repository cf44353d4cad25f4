"""A point in which two systems hit each other."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.impacts.law_names import check_names
from poinsot.spatial import Array

__all__ = ["ImpactPoint"]


@final
@dataclass(frozen=True, eq=False)
class ImpactPoint:
    """Where two bodies touch at the instant of an impact, and how they leave each other.

    Attributes:
        first: Name of a body of the first system; "world" is its base.
        second: Name of a body of the second system; "world" is its base.
        point: Where they touch, in inertial space [m], shape (3,); of k states (k, 3), for
            ``collide_many``.
        normal: Direction from the first body to the second, in inertial axes; made a unit vector;
            shape (3,) or (k, 3).
        restitution: Newton's coefficient e, from 0 to 1, σ of [Zhang1996, (3.15)].
        friction: Coulomb's coefficient μ of the impulses; 0: smooth.
        tangential_restitution: Part of the slip that comes back reversed where friction can hold
            it, from 0 to 1, as of rubber balls; for restitution by velocities.
        law: What its restitution means, as ``law`` of ``collide``; None: what that says.  Points
            that have different ones are hit one after the other (``order="sequential"``).
        name: For results and messages; "first-second" by default, with a number behind it for the
            second of the same name.

    >>> ImpactPoint("fist", "bag", point=(0, 0, 1), normal=(2, 0, 0), restitution=0.5).normal
    array([1., 0., 0.])
    """

    first: str
    second: str
    point: Array
    normal: Array
    restitution: float
    friction: float
    tangential_restitution: float
    law: str | None
    name: str

    def __init__(
        self, first: str, second: str, *, point: ArrayLike, normal: ArrayLike,
        restitution: float, friction: float = 0.0, tangential_restitution: float = 0.0,
        law: str | None = None, name: str | None = None,
    ) -> None:  # fmt: skip
        """Check and store it."""
        for which, body in (("first", first), ("second", second)):
            if not isinstance(body, str):
                raise ModelError(
                    f"impact point: its {which} body must be a name, 'world' for the base, got "
                    f"{type(body).__name__}"
                )
        where = f"impact point {name or f'{first}-{second}'!r}"
        vectors = {}
        for key, value in (("point", point), ("normal", normal)):
            try:
                vectors[key] = np.array(value, dtype=np.float64)
            except (TypeError, ValueError):
                vectors[key] = np.zeros(0)
            size = vectors[key].shape[-1:], vectors[key].ndim in (1, 2)
            right = np.asarray(np.isfinite(vectors[key]).all(axis=-1))
            if size != ((3,), True) or not right.all():
                given, state = _first_wrong(value, vectors[key], right)
                raise ModelError(
                    f"{where}: its {key} must be three finite numbers, got {given!r:.200}{state}"
                )
        lengths = np.sqrt((vectors["normal"] ** 2).sum(axis=-1, keepdims=True))
        if not (lengths > 0.0).all():
            state = _first_wrong(normal, vectors["normal"], lengths[..., 0] > 0.0)[1]
            raise ModelError(
                f"{where}: its normal is zero{state}; give the direction from body {first!r} to "
                f"{second!r}"
            )
        if not isinstance(restitution, Real) or not 0.0 <= restitution <= 1.0:
            raise ModelError(
                f"{where}: its restitution must be a number from 0 (they stay together) to 1 "
                f"(nothing is lost), got {restitution!r}"
            )
        if not isinstance(friction, Real) or not 0.0 <= friction < np.inf:
            raise ModelError(
                f"{where}: its friction must be a number of at least 0, got {friction!r}"
            )
        reversed_slip = tangential_restitution
        if not isinstance(reversed_slip, Real) or not 0.0 <= reversed_slip <= 1.0:
            raise ModelError(
                f"{where}: its tangential_restitution must be a number from 0 to 1, got "
                f"{reversed_slip!r}"
            )
        if law is not None:
            check_names(where, law)
        object.__setattr__(self, "law", law)
        object.__setattr__(self, "friction", float(friction))
        object.__setattr__(self, "tangential_restitution", float(reversed_slip))
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "second", second)
        object.__setattr__(self, "point", vectors["point"])
        object.__setattr__(self, "normal", vectors["normal"] / lengths)
        object.__setattr__(self, "restitution", float(restitution))
        object.__setattr__(self, "name", name or f"{first}-{second}")

    @property
    def is_many(self) -> bool:
        """Whether it holds the points of many states."""
        return self.point.ndim == 2 or self.normal.ndim == 2

    def state(self, k: int | Array) -> ImpactPoint:
        """Return the point of one of many states, or those of several."""
        point, normal = (x[k] if x.ndim == 2 else x for x in (self.point, self.normal))
        return ImpactPoint(
            self.first, self.second, point=point, normal=normal,
            restitution=self.restitution, friction=self.friction,
            tangential_restitution=self.tangential_restitution, law=self.law, name=self.name,
        )  # fmt: skip


def _first_wrong(value: object, rows: Array, right: Array) -> tuple[object, str]:
    """Return the first wrong row of many states and its number in words, else all that was given.

    Args:
        value: What was given.
        rows: As an array, shape (3,) or (k, 3).
        right: Which rows are right.
    """
    if rows.ndim != 2 or right.all():
        return value, ""
    k = int(np.argmin(right))
    return rows[k].tolist(), f" (state {k})"
