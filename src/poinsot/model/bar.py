"""Links as bars: mass distributed along a straight axis, which can be cut anywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.body import Body
from poinsot.model.checks import checked_name, finite_number, finite_vector, real_array
from poinsot.model.pose import Pose
from poinsot.model.section import Section
from poinsot.model.shapes import Box, Cylinder
from poinsot.spatial import Array, cross

__all__ = ["Bar"]

_EDGES = 1000
"""Of the polygon in place of a function."""
_PLACES = np.array([-1.0, 1.0]) / np.sqrt(3.0)
"""Of Gauss's rule with two points, exact for a density that is linear times a distance squared."""


@dataclass(frozen=True)
class Bar:
    """The mass of a link along a straight axis, which may be cut anywhere.

    Args:
        body: Name of the link.
        start: Where the axis begins, in body coordinates [m], shape (3,).
        end: Where it ends, shape (3,).
        density: Mass per length [kg/m]: a number, or a polygon of pairs (s, density), s [m] from
            the start; zero outside of it, linear between, with a jump where an s stands twice; or a
            function of s, which is replaced by a polygon with 1000 edges.
        gyration: Radii of gyration of the cross-section about its y and z axes [m]; none: thin.
        y: Direction of the y axis of sections, in the body; made perpendicular to the axis.  The
            y or z axis of the body by default.
        beyond: As of ``Section``.

    >>> Bar("boom", (0, 0, 0), (2, 0, 0), density=3.0).section(0.5).mass
    4.5
    """

    body: str
    start: ArrayLike
    end: ArrayLike
    density: float | Sequence[tuple[float, float]] | Callable[[float], float]
    gyration: tuple[float, float] = (0.0, 0.0)
    y: ArrayLike | None = None
    beyond: Mapping[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        where = f"bar of {checked_name(self.body, 'bar: body')!r}"
        start, end = (finite_vector(getattr(self, x), 3, f"{where}: {x}") for x in ("start", "end"))
        if not np.linalg.norm(end - start) > 0.0:
            raise ModelError(f"{where}: start and end must be two points, got {self.start!r} twice")
        radii = finite_vector(self.gyration, 2, f"{where}: gyration")
        if (radii < 0.0).any():
            raise ModelError(f"{where}: gyration must not be negative, got {self.gyration!r}")
        if self.y is not None:
            finite_vector(self.y, 3, f"{where}: y")
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "end", end)
        length = self.length
        given = _numbers(self.density, length)
        polygon = np.array([[0.0, given], [length, given]]) if given.ndim == 0 else given
        if polygon.ndim != 2 or polygon.shape[1] != 2 or not np.isfinite(polygon).all():
            raise ModelError(
                f"{where}: density must be a number [kg/m] or pairs (s, density), got "
                f"{self.density!r}"
            )
        places = polygon[:, 0]
        if (np.diff(places) < 0.0).any() or places[0] < 0.0 or places[-1] > length * (1 + 1e-12):
            raise ModelError(
                f"{where}: places of the density must rise from 0 to at most the bar's length "
                f"{length:g} m, got {places.tolist()}"
            )
        if (polygon[:, 1] < 0.0).any():
            k = int(np.argmin(polygon[:, 1]))
            raise ModelError(
                f"{where}: density must not be negative, got {polygon[k, 1]:g} kg/m at s = "
                f"{places[k]:g} m"
            )
        object.__setattr__(self, "_polygon", polygon)

    @staticmethod
    def of(body: Body, shape: Box | Cylinder | None = None) -> Bar:
        """Return the mass of a body distributed evenly over its one shape, a box or a cylinder.

        The axis of the bar is the longest edge of a box, and that of a cylinder.

        Args:
            body: The body.
            shape: One of its shapes, where it has several.
        """
        if not isinstance(body, Body):
            raise ModelError(f"bar: Bar.of takes a Body, system.bodies[k], got {body!r}")
        fit = [shape] if shape else [x for x in body.shapes if isinstance(x, Box | Cylinder)]
        if len(fit) != 1:
            raise ModelError(
                f"bar of {body.name!r}: {len(fit)} of its shapes are a box or a cylinder; name "
                "one, shape=, or give start, end and density"
            )
        if isinstance(fit[0], Box):
            size = np.array(fit[0].size, np.float64)
        else:  # the cylinder's circle has the radius of gyration of a square of this width
            width = np.sqrt(3.0) * float(fit[0].radius)
            size = np.array([width, width, float(fit[0].length)])
        k = int(np.argmax(size)) if isinstance(fit[0], Box) else 2
        X, half = fit[0].pose.transform(), np.eye(3)[k] * size[k] / 2
        across = (k + 1) % 3, (k + 2) % 3
        return Bar(
            body.name, X.apply_point(-half), X.apply_point(half),
            density=float(body.mass) / size[k],
            gyration=(size[across[1]] / np.sqrt(12.0), size[across[0]] / np.sqrt(12.0)),
            y=X.R[:, across[0]],
        )  # fmt: skip

    @property
    def length(self) -> float:
        """Length of the axis [m]."""
        return float(np.linalg.norm(np.asarray(self.end) - np.asarray(self.start)))

    def section(self, s: float) -> Section:
        """Return the section at the distance ``s`` [m] from the start, and the part beyond it.

        Args:
            s: From 0, all of the bar beyond, to its length.
        """
        s = float(real_array(s, f"section of {self.body!r}: s"))
        if not -1e-12 <= s / self.length <= 1 + 1e-12:
            raise ModelError(
                f"section of {self.body!r}: s = {s:g} m is beyond the bar's end; choose from 0 to "
                f"{self.length:g} m"
            )
        polygon: Array = self.__dict__["_polygon"]
        low, high = (np.maximum(places, s) for places in (polygon[:-1, 0], polygon[1:, 0]))
        spans = np.where(np.diff(polygon[:, 0]) > 0.0, np.diff(polygon[:, 0]), 1.0)
        slopes = np.diff(polygon[:, 1]) / spans
        places = (low + high)[:, None] / 2 + (high - low)[:, None] / 2 * _PLACES
        density = polygon[:-1, 1:] + slopes[:, None] * (places - polygon[:-1, :1])
        weights = (high - low)[:, None] / 2 * density
        mass = float(weights.sum())
        middle = float((weights * places).sum()) / mass if mass > 0.0 else s
        across = float((weights * (places - middle) ** 2).sum())
        ky, kz = (mass * radius**2 for radius in self.gyration)
        R = self._axes()
        pose = Pose(np.asarray(self.start) + s * R[:, 0], matrix=R)
        inertia = (ky + kz, across + ky, across + kz)
        return Section(self.body, pose, mass, (middle - s, 0.0, 0.0), inertia, self.beyond)

    def _axes(self) -> Array:
        """Return the axes of sections in the body, shape (3, 3)."""
        x = (np.asarray(self.end) - np.asarray(self.start)) / self.length
        guess = np.eye(3)[2 if abs(x[1]) > 0.9 else 1] if self.y is None else np.asarray(self.y)
        y = guess - (guess @ x) * x
        if not np.linalg.norm(y) > 1e-9 * np.linalg.norm(guess):
            raise ModelError(f"bar of {self.body!r}: y must not be along the bar, got {self.y!r}")
        y = y / np.linalg.norm(y)
        return np.column_stack([x, y, cross(x, y)])


def _numbers(
    density: float | Sequence[tuple[float, float]] | Callable[[float], float], length: float
) -> Array:
    """Return a density as a number or a polygon."""
    if not callable(density):
        return real_array(density, "density of a bar [kg/m]")
    places = np.linspace(0.0, length, _EDGES + 1)
    values = [
        finite_number(density(s), f"density of a bar at s = {s:g} m") for s in places.tolist()
    ]
    return np.column_stack([places, values])
