"""Curves of tool paths by their length: lines, circular arcs, and blends of two other curves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from poinsot.front.planned_motion import PlannedMotion
from poinsot.front.smoothed_motion import quintic_pieces
from poinsot.spatial import Array

__all__ = ["AbstractCurve", "AbstractPrimitive", "Arc", "Blend", "Line", "blend_of"]

PLACES: Final = 129
"""Values of a blend's parameter at which its length is known."""


class AbstractCurve(ABC):
    """Positions p(s) [m] by length s [m] from the start."""

    @abstractmethod
    def positions(self, s: Array) -> Array:
        """Return positions at lengths, shape (k, 3)."""


class AbstractPrimitive(AbstractCurve):
    """A curve that can be cut."""

    @abstractmethod
    def tangent(self, s: float) -> Array:
        """Return the unit vector dp/ds, shape (3,); zero where the curve is a point."""

    @abstractmethod
    def curvature(self, s: float) -> Array:
        """Return d²p/ds² [1/m], shape (3,)."""

    @abstractmethod
    def behind(self, s: float) -> AbstractPrimitive:
        """Return the same curve from s on."""


@dataclass(frozen=True, eq=False)
class Line(AbstractPrimitive):
    """A straight line from ``start`` [m] along a unit vector, or a point if that is zero."""

    start: Array
    direction: Array

    def positions(self, s: Array) -> Array:
        """Return positions at lengths, shape (k, 3)."""
        return np.asarray(self.start + s[:, None] * self.direction)

    def tangent(self, s: float) -> Array:
        """Return the direction."""
        return self.direction

    def curvature(self, s: float) -> Array:
        """Return zero."""
        return np.zeros(3)

    def behind(self, s: float) -> Line:
        """Return the line from s on."""
        return Line(self.start + s * self.direction, self.direction)


@dataclass(frozen=True, eq=False)
class Arc(AbstractPrimitive):
    """A circular arc from ``start`` [m] along a unit vector about a centre [m]."""

    start: Array
    direction: Array
    centre: Array

    def positions(self, s: Array) -> Array:
        """Return positions at lengths, shape (k, 3)."""
        size = self._radius
        angle = (s / size)[:, None]
        spoke = self.start - self.centre
        turned = np.cos(angle) * spoke + np.sin(angle) * size * self.direction
        return np.asarray(self.centre + turned)

    def tangent(self, s: float) -> Array:
        """Return the unit vector along the arc."""
        angle, spoke = s / self._radius, (self.start - self.centre) / self._radius
        return np.asarray(np.cos(angle) * self.direction - np.sin(angle) * spoke)

    def curvature(self, s: float) -> Array:
        """Return the vector to the centre, divided by the square of the radius."""
        place = self.positions(np.array([s]))[0]
        return np.asarray((self.centre - place) / self._radius**2)

    def behind(self, s: float) -> Arc:
        """Return the arc from s on."""
        return Arc(self.positions(np.array([s]))[0], self.tangent(s), self.centre)

    @property
    def _radius(self) -> float:
        return float(np.linalg.norm(self.start - self.centre))


@dataclass(frozen=True, eq=False)
class Blend(AbstractCurve):
    """A polynomial p(u) of fifth order, by its length.

    Attributes:
        polynomial: p(u), one piece.
    """

    polynomial: PlannedMotion

    @property
    def length(self) -> float:
        """Length of the curve [m]."""
        return float(self._table[1][-1])

    def positions(self, s: Array) -> Array:
        """Return positions at lengths, shape (k, 3)."""
        return self.polynomial.position(self._parameters(s))

    @cached_property
    def _table(self) -> tuple[Array, Array]:
        """Parameters, and lengths up to there by Gauss's rule, shapes (PLACES,)."""
        u = np.linspace(0.0, self.polynomial.duration, PLACES)
        nodes, weights = np.polynomial.legendre.leggauss(5)
        half = 0.5 * u[1]
        between = (u[:-1] + half)[:, None] + half * nodes
        speeds = np.linalg.norm(self.polynomial.velocity(between), axis=-1)
        return u, np.concatenate([[0.0], np.cumsum(half * (speeds @ weights))])

    def _parameters(self, s: Array) -> Array:
        """Return u at lengths, shape (k,): cubic between known ones."""
        from scipy.interpolate import CubicHermiteSpline

        u, lengths = self._table
        inside = np.append(u[:-1], np.nextafter(u[-1], 0.0))
        rates = 1.0 / np.linalg.norm(self.polynomial.velocity(inside), axis=-1)
        return np.clip(CubicHermiteSpline(lengths, u, rates)(s), u[0], u[-1])


def blend_of(
    first: AbstractPrimitive, end: float, second: AbstractPrimitive, blend: float
) -> Blend:
    """Return the curve from ``end`` of one curve to the start of another.

    Position, direction and curvature are those of the two curves at its ends.

    Args:
        first: Where it begins.
        end: Length of the first.
        second: Where it ends.
        blend: Distance of both ends from the corner that it replaces [m].
    """
    p = np.array([first.positions(np.array([end]))[0], second.positions(np.zeros(1))[0]])
    rates = np.array([first.tangent(end), second.tangent(0.0)])
    bends = np.array([first.curvature(end), second.curvature(0.0)])
    span = np.array([[2.0 * blend]])
    return Blend(PlannedMotion(np.array([0.0, 2.0 * blend]), quintic_pieces(span, p, rates, bends)))
