"""Angles of expressions whose cosine and sine are known.

The angle of a link comes from a vector whose length is known, a bar: its cosine and sine are
quotients of coordinates.  What is computed from poses needs these two, mostly not the angle itself,
so that machine code has no arctangent in it, no sine of one, and no root for a length.
"""

from __future__ import annotations

import math
from typing import Any

from poinsot.expr import Expr, Scalar, cos, sin


class Turn:
    """An angle as an expression, with its cosine and sine.

    Sums and differences with angles are turns too; anything else is computed with the angle.

    Args:
        angle: The angle [rad].
        c: Its cosine.
        s: Its sine.
    """

    __slots__ = ("angle", "c", "s")

    def __init__(self, angle: Scalar, c: Scalar, s: Scalar) -> None:
        self.angle, self.c, self.s = angle, c, s

    def __add__(self, other: object) -> Turn:
        return NotImplemented if (b := _turn(other)) is None else _sum(self, b)

    def __radd__(self, other: object) -> Turn:
        return NotImplemented if (b := _turn(other)) is None else _sum(b, self)

    def __sub__(self, other: object) -> Turn:
        return NotImplemented if (b := _turn(other)) is None else _sum(self, -b)

    def __rsub__(self, other: object) -> Turn:
        return NotImplemented if (b := _turn(other)) is None else _sum(b, -self)

    def __neg__(self) -> Turn:
        return Turn(-self.angle, self.c, -self.s)

    def __mul__(self, other: Any) -> Any:  # noqa: ANN401 (any scalar, or an array of them)
        return self.angle * other

    def __rmul__(self, other: Any) -> Any:  # noqa: ANN401
        return other * self.angle

    def __truediv__(self, other: Any) -> Any:  # noqa: ANN401
        return self.angle / other

    def __pow__(self, other: Any) -> Any:  # noqa: ANN401
        return self.angle**other


def _turn(angle: object) -> Turn | None:
    if isinstance(angle, Turn):
        return angle
    if isinstance(angle, Expr):
        return Turn(angle, cos(angle), sin(angle))
    if isinstance(angle, float | int):
        return Turn(angle, math.cos(angle), math.sin(angle))
    return None


def _sum(a: Turn, b: Turn) -> Turn:
    return Turn(a.angle + b.angle, a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s)
