"""The curve in space: its program, tangents and normals, and the nearest of its points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, final

import numpy as np

from poinsot.errors import ModelError, PoinsotError
from poinsot.expr import Program, build, fresh_symbols, optimise, select, sqrt, tangent
from poinsot.expr.replay import replay
from poinsot.model.checks import finite_array
from poinsot.model.constraints.relation import Formula, from_formulas
from poinsot.model.constraints.smooth import check_finite
from poinsot.spatial import Array, Scalar, vector

__all__ = ["Curve", "CurvePoint"]

SAMPLES: Final = 32
"""Points of the curve among which the nearest one is looked for first."""
STEPS: Final = 6
"""Newton steps from there."""
STILL: Final = 1e-9
"""Speed dc/ds, as a part of the largest one, that counts as none."""


@dataclass(frozen=True, eq=False)
class CurvePoint:
    """A point of a curve.

    Attributes:
        c: Its place [m], shape (3,).
        dc, ddc: First and second derivative by the parameter, shape (3,).
        n: Two unit normals, orthogonal to each other, shape (2, 3).
        dn: Their derivatives by the parameter, shape (2, 3).
    """

    c: Array
    dc: Array
    ddc: Array
    n: Array
    dn: Array


@final
@dataclass(frozen=True, init=False)
class Curve:
    """A curve c(s) in space, over a range of its parameter s.

    The parameter need not be the arc length; where it is, forces along the curve are in N.

    Attributes:
        program: c as a program of s.
        start, stop: Range of the parameter.
        formulas: The formulas as given; None for a function.

    Examples:
        >>> circle = Curve(("cos(s)", "sin(s)", 0), (0, 6.283185307179586))
        >>> circle.at(0.0).c
        array([1., 0., 0.])
    """

    program: Program
    start: float
    stop: float
    formulas: tuple[Formula, Formula, Formula] | None

    def __init__(
        self,
        place: Sequence[Formula] | Callable[[Any], Sequence[Any]],
        range: Sequence[float],
    ) -> None:
        """Check and store the curve.

        Args:
            place: x, y, z [m] as three formulas in ``s``, or as a function of a generic scalar.
            range: Smallest and largest parameter; a closed curve ends where it begins.

        Raises:
            FormulaError: If a formula cannot be read.
            ModelError: If something else is wrong.
        """
        limits = finite_array(range, "curve: range")
        if limits.shape != (2,) or not limits[0] < limits[1]:
            raise ModelError(
                f"curve: range must be the smallest and the largest parameter, got {range!r}"
            )
        formulas = None if callable(place) else (place,) if isinstance(place, str) else tuple(place)
        object.__setattr__(self, "program", _traced(place if formulas is None else formulas))
        object.__setattr__(self, "start", float(limits[0]))
        object.__setattr__(self, "stop", float(limits[1]))
        object.__setattr__(self, "formulas", formulas)
        self._check()

    def _check(self) -> None:
        """Refuse a curve that is not there, or stands still, somewhere."""
        s = np.linspace(self.start, self.stop, 2 * SAMPLES + 1)
        with np.errstate(all="ignore"):
            points = [replay(_motion(self.program), np.array([x])) for x in s]
        speeds = [float(np.linalg.norm(dc)) for _, dc, _ in points]
        for x, (c, dc, ddc), speed in zip(s.tolist(), points, speeds, strict=True):
            if not np.isfinite([*c, *dc, *ddc]).all():
                raise ModelError(
                    f"curve: at s = {x:g} its place or a derivative is not finite: {c}, {dc}, "
                    f"{ddc}; choose a range where it is smooth"
                )
            if speed <= STILL * max(speeds):
                raise ModelError(
                    f"curve: it stands still at s = {x:g}, where it has no direction; "
                    "choose another parameter or range (a point is held by a Loop with a "
                    "Spherical joint)"
                )

    def at(self, s: Scalar) -> CurvePoint:
        """Return the point at a parameter; over any scalar."""
        return CurvePoint(*replay(_with_derivatives(self.program), np.array([s])))

    def nearest(self, x: Array) -> Scalar:
        """Return the parameter of the point that is nearest to x [m], shape (3,).

        The nearest of some points, then Newton's method on (x - c)·dc = 0.
        """
        width = (self.stop - self.start) / SAMPLES
        best: Scalar = self.start
        least: Scalar | None = None
        for k in range(SAMPLES):
            s = self.start + (k + 0.5) * width
            (c,) = replay(self.program, np.array([s]))
            d = x - c
            squared = d @ d
            if least is None:
                best, least = s, squared
            else:
                nearer = squared < least
                best, least = select(nearer, s, best), select(nearer, squared, least)
        for _ in range(STEPS):
            c, dc, ddc = replay(_motion(self.program), np.array([best]))
            d, speed = x - c, dc @ dc
            slope = speed - d @ ddc
            step = (d @ dc) / select(slope > 0.5 * speed, slope, speed)
            best = best + select(step > width, width, select(step < -width, -width, step))
        return best


def _traced(place: Sequence[Formula] | Callable[[Any], Sequence[Any]]) -> Program:
    """Return the program of c(s)."""
    s = fresh_symbols("s", 1)
    try:
        given = (
            place(s[0]) if callable(place) else from_formulas(place, ("s",), "curve: place")(s, 0.0)
        )
        entries = np.asarray(given)
        if entries.shape != (3,):
            raise ModelError(f"curve: place must be x, y and z, got {given!r}")
        program = optimise(build({"s": s}, {"c": entries}))
    except PoinsotError:
        raise
    except (TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as error:
        raise ModelError(
            f"curve: the function cannot be traced: {error}; write it with arithmetic and NumPy "
            "functions on s, without 'if' on its value"
        ) from error
    check_finite(program, "curve: place")
    return program


@lru_cache(maxsize=64)
def _motion(program: Program) -> Program:
    """Return the program of c, dc/ds and d²c/ds²."""
    s = fresh_symbols("s", 1)
    (c,) = replay(program, s)
    dc = tangent(c, {s[0]: 1.0})
    return optimise(build({"s": s}, {"c": c, "dc": dc, "ddc": tangent(dc, {s[0]: 1.0})}))


@lru_cache(maxsize=64)
def _with_derivatives(program: Program) -> Program:
    """Return the program of all fields of a CurvePoint."""
    s = fresh_symbols("s", 1)
    c, dc, ddc = replay(_motion(program), s)
    n = np.stack(_normals(dc / sqrt(dc @ dc)))
    parts = {"c": c, "dc": dc, "ddc": ddc, "n": n, "dn": tangent(n, {s[0]: 1.0})}
    return optimise(build({"s": s}, parts))


def _normals(u: Array) -> tuple[Array, Array]:
    """Return two vectors that make a right-handed set with the unit vector u [Duff2017]."""
    x, y, z = u.tolist()
    sign = select(z < 0.0, -1.0, 1.0)
    a = -1.0 / (sign + z)
    b = x * y * a
    return vector(1.0 + sign * x * x * a, sign * b, -sign * x), vector(b, sign + y * y * a, -y)
