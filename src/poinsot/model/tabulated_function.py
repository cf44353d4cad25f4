"""A function that is given by points: the characteristic of springs and dampers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.expr import select
from poinsot.model.checks import finite_array
from poinsot.model.interpolation import local_coefficients
from poinsot.spatial import Array, Scalar

__all__ = ["Table"]

MOST_POINTS: Final = 1000
"""The points are part of the formulas of a system: each costs about six operations."""

KINDS: Final = ("linear", "pchip")


@dataclass(frozen=True, init=False)
class Table:
    """A function of one number through given points; immutable, hashable, equal by value.

    Between the points it is linear, or cubic with the slopes of Fritsch and Butland (as SciPy's
    ``PchipInterpolator``): smooth, and rising or falling wherever the points do.  Beyond the first
    and the last point it goes on along its tangent there.

    Attributes:
        x: Where the points are, increasing.
        y: The values there.
        kind: ``"linear"`` or ``"pchip"``.

    Examples:
        >>> bump_stop = Table([0.0, 0.1, 0.2], [0.0, 50.0, 400.0], kind="linear")
        >>> bump_stop(0.05), bump_stop(0.3), bump_stop.integral(0.1)
        (25.0, 750.0, 2.5)
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    kind: str

    def __init__(self, x: ArrayLike, y: ArrayLike, kind: str = "pchip") -> None:
        """Check and store the points.

        Args:
            x: Where the points are, increasing, shape (n,), 2 to 1000 of them.
            y: The values there, shape (n,).
            kind: ``"linear"`` or ``"pchip"``.

        Raises:
            ModelError: If one of them is wrong.
        """
        nodes, values = finite_array(x, "table: x"), finite_array(y, "table: y")
        if kind not in KINDS:
            raise ModelError(f"table: kind must be one of {KINDS}, got {kind!r}")
        if nodes.ndim != 1 or not 2 <= nodes.size <= MOST_POINTS:
            raise ModelError(
                f"table: x must be a list of 2 to {MOST_POINTS} numbers, got shape {nodes.shape}"
            )
        if values.shape != nodes.shape:
            raise ModelError(
                f"table: y must have {nodes.size} numbers as x has, got shape {values.shape}"
            )
        bad = np.flatnonzero(np.diff(nodes) <= 0.0)
        if bad.size:
            k = int(bad[0])
            raise ModelError(
                f"table: x must increase, got {nodes[k]:g} and then {nodes[k + 1]:g}; sort it"
            )
        object.__setattr__(self, "x", tuple(nodes.tolist()))
        object.__setattr__(self, "y", tuple(values.tolist()))
        object.__setattr__(self, "kind", kind)

    def __call__(self, x: Scalar) -> Scalar:
        """Return the value at x: of a number or of a symbol."""
        node, constant, first, second, third, _ = self._piece(x)
        s = x - node
        return constant + s * (first + s * (second + s * third))

    def integral(self, x: Scalar) -> Scalar:
        """Return the integral from the first point to x, exactly that of the function."""
        node, constant, first, second, third, before = self._piece(x)
        s = x - node
        inner = 1 / 2 * first + s * (1 / 3 * second + s * (1 / 4 * third))
        return before + s * (constant + s * inner)

    def _piece(self, x: Scalar) -> list[Scalar]:
        """Return the coefficients of the piece that contains x."""
        pieces = self._pieces
        chosen: list[Scalar] = pieces[0].tolist()
        reached = [node <= x for node in pieces[1:, 0].tolist()]
        for column in range(pieces.shape[1]):
            for k, here in enumerate(reached, 1):
                number = float(pieces[k, column])
                if number != pieces[k - 1, column]:
                    chosen[column] = select(here, number, chosen[column])
        return chosen

    @cached_property
    def _pieces(self) -> Array:
        """For each piece, from left to right: its origin, a, b, c, d, and the integral.

        The first one lies before the points and has the origin of the second.
        """
        x, y = np.array(self.x), np.array(self.y)
        inner = local_coefficients(x, y, self.kind)
        h = np.diff(x)
        a, b, c, d = inner.T
        area = h * (a + h * (b / 2 + h * (c / 3 + h * d / 4)))
        slope = b[-1] + h[-1] * (2 * c[-1] + 3 * h[-1] * d[-1])
        before = np.concatenate([[0.0], np.cumsum(area)])
        first = [x[0], y[0], b[0], 0.0, 0.0, 0.0]
        last = [x[-1], y[-1], slope, 0.0, 0.0, before[-1]]
        return np.vstack([first, np.column_stack([x[:-1], inner, before[:-1]]), last])

    def __getstate__(self) -> dict[str, object]:
        return {"x": self.x, "y": self.y, "kind": self.kind}
