"""The curve in space: its program, tangents and normals, and the nearest of its points."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Final, final

import numpy as np

from poinsot.errors import ModelError, PoinsotError
from poinsot.expr import (
    Program,
    build,
    fresh_symbols,
    maximum,
    optimise,
    select,
    sqrt,
    tangent,
)
from poinsot.expr.replay import replay
from poinsot.model.checks import finite_array
from poinsot.model.constraints.point_relation import (
    Formula,
    check_formulas,
    checked_formula,
    from_formulas,
)
from poinsot.model.constraints.smooth_function import TracedFunction, check_finite, laid_out
from poinsot.model.fields import AbstractKind, Declared, Stored, declared, derived, field
from poinsot.model.formula_names import all_with_numbers
from poinsot.model.scalar_values import is_symbolic
from poinsot.spatial import Array, Scalar, vector

__all__ = ["Curve", "CurvePoint", "Place", "Range"]

SAMPLES: Final = 32
"""Samples of the curve for the first guess of the nearest point."""
STEPS: Final = 6
"""Newton steps from there."""
STILL: Final = 1e-9
"""Speed |dc/ds|, relative to the largest one, that counts as zero."""


@dataclass(frozen=True, eq=False)
class CurvePoint:
    """A point of a curve.

    Attributes:
        c: Its position [m], shape (3,).
        dc, ddc: First and second derivative by the parameter, shape (3,).
        n: Two unit normals, orthogonal to each other, shape (2, 3).
        dn: Their derivatives by the parameter, shape (2, 3).
    """

    c: Array
    dc: Array
    ddc: Array
    n: Array
    dn: Array


class Place(AbstractKind):
    """x, y and z of a curve: three formulas, or a function of Python, which the curve traces."""

    file_form: ClassVar[str] = "formulas"

    def stored(self, given: Any, where: str, owner: Any) -> Any:  # noqa: ANN401
        """Return formulas or a function."""
        if isinstance(given, TracedFunction) or callable(given):
            return given
        listed = (given,) if isinstance(given, str) else tuple(given)
        return tuple(checked_formula(formula, where) for formula in listed)

    def with_values(self, value: Any, values: Mapping[str, float]) -> Any:  # noqa: ANN401
        """Return formulas with numbers in place of some names."""
        return value if isinstance(value, TracedFunction) else all_with_numbers(value, values)


class Range(AbstractKind):
    """The smallest and the largest of a parameter."""

    file_form: ClassVar[str] = "pair"

    def stored(self, given: Any, where: str, owner: Any) -> tuple[float, float]:  # noqa: ANN401
        """Return two floats."""
        limits = finite_array(given, where)
        if limits.shape != (2,) or not limits[0] < limits[1]:
            raise ModelError(
                f"{where} must be the smallest and the largest parameter, got {given!r}"
            )
        return float(limits[0]), float(limits[1])


@final
@declared
class Curve(Declared):
    """A curve c(s) in space, over a range of its parameter s.

    The parameter need not be the arc length; where it is, forces along the curve are in N.  It
    holds c as a ``program`` of s and the parameters of the mechanism, and these as ``terms``:
    symbols, or numbers where they are bound.

    Examples:
        >>> circle = Curve(("cos(s)", "sin(s)", 0), (0, 6.283185307179586))
        >>> circle.at(0.0).c
        array([1., 0., 0.])
    """

    kind: ClassVar[str] = "curve"
    renamed: ClassVar[Mapping[str, str]] = {
        "formulas": "place", "start": "range[0]", "stop": "range[1]",
    }  # fmt: skip

    program: Program = derived()
    terms: tuple[Scalar, ...] = derived()
    place: Stored[
        tuple[Formula, ...] | TracedFunction, Sequence[Formula] | Callable[[Any], Sequence[Any]]
    ] = field(
        Place(),
        "x, y, z [m]: three formulas in s and parameters, or a function of a generic scalar, which "
        "is traced",
        compare=False,
    )  # fmt: skip
    range: Stored[tuple[float, float], Sequence[float]] = field(
        Range(), "Smallest and largest parameter; a closed curve ends where it begins"
    )

    def _check_together(self, given: Mapping[str, Any]) -> None:
        position = self.place
        function = position if isinstance(position, TracedFunction) else _traced(position)
        self._store(program=function.program, terms=function.terms)
        if callable(position):
            self._store(place=function)
        self._check_smooth()

    def _check_smooth(self) -> None:
        """Reject a curve that is not finite, or has zero tangent, at some parameter."""
        if is_symbolic(self.terms):
            return
        s = np.linspace(*self.range, 2 * SAMPLES + 1)
        with np.errstate(all="ignore"):
            points = [replay(_motion(self.program), np.array([x]), self._p) for x in s]
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

    def check_parameters(self, known: Collection[str], where: str) -> None:
        """Reject names in its formulas that are not parameters of the mechanism."""
        formulas = () if isinstance(self.place, TracedFunction) else self.place
        check_formulas(formulas, ("s",), known, where)

    def at(self, s: Scalar) -> CurvePoint:
        """Return the point at a parameter; over any scalar."""
        return CurvePoint(*replay(_with_derivatives(self.program), np.array([s]), self._p))

    def nearest(self, x: Array) -> Scalar:
        """Return the parameter of the point that is nearest to x [m], shape (3,).

        The nearest sample, then Newton's method on (x - c)·dc = 0.  NaN where that leads well past
        an end of the range.
        """
        start, stop = self.range
        width = (stop - start) / SAMPLES
        best: Scalar = start
        least: Scalar | None = None
        for k in range(SAMPLES):
            s = start + (k + 0.5) * width
            (c,) = replay(self.program, np.array([s]), self._p)
            d = x - c
            squared = d @ d
            if least is None:
                best, least = s, squared
            else:
                nearer = squared < least
                best, least = select(nearer, s, best), select(nearer, squared, least)
        for _ in range(STEPS):
            c, dc, ddc = replay(_motion(self.program), np.array([best]), self._p)
            d, speed = x - c, dc @ dc
            slope = speed - d @ ddc
            step = (d @ dc) / select(slope > 0.5 * speed, slope, speed)
            best = best + select(step > width, width, select(step < -width, -width, step))
        past = maximum(best - stop, start - best) > width
        return select(past, float("nan"), best)

    @property
    def _p(self) -> Array:
        return np.array(self.terms)


def _traced(position: Sequence[Formula] | Callable[[Any], Sequence[Any]]) -> TracedFunction:
    """Return the program of c(s)."""
    s = fresh_symbols("s", 1)
    try:
        given = (
            position(s[0])
            if callable(position)
            else from_formulas(position, ("s",), "curve: place")(s)
        )
        entries = np.asarray(given)
        if entries.shape != (3,):
            raise ModelError(f"curve: place must be x, y and z, got {given!r}")
        function = laid_out({"s": s}, {"c": entries})
    except PoinsotError:
        raise
    except (TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as error:
        raise ModelError(
            f"curve: the function cannot be traced: {error}; write it with arithmetic and NumPy "
            "functions on s, without 'if' on its value"
        ) from error
    check_finite(function.program, "curve: place")
    return function


@lru_cache(maxsize=64)
def _motion(program: Program) -> Program:
    """Return the program of c, dc/ds and d²c/ds²."""
    s, p = fresh_symbols("s", 1), fresh_symbols("p", program.inputs[1].size)
    (c,) = replay(program, s, p)
    dc = tangent(c, s, [1.0])
    return optimise(build({"s": s, "p": p}, {"c": c, "dc": dc, "ddc": tangent(dc, s, [1.0])}))


@lru_cache(maxsize=64)
def _with_derivatives(program: Program) -> Program:
    """Return the program of all fields of a CurvePoint."""
    s, p = fresh_symbols("s", 1), fresh_symbols("p", program.inputs[1].size)
    c, dc, ddc = replay(_motion(program), s, p)
    n = np.stack(_normals(dc / sqrt(dc @ dc)))
    outputs = {"c": c, "dc": dc, "ddc": ddc, "n": n, "dn": tangent(n, s, [1.0])}
    return optimise(build({"s": s, "p": p}, outputs))


def _normals(u: Array) -> tuple[Array, Array]:
    """Return two vectors that make a right-handed set with the unit vector u [Duff2017]."""
    x, y, z = u.tolist()
    sign = select(z < 0.0, -1.0, 1.0)
    a = -1.0 / (sign + z)
    b = x * y * a
    return vector(1.0 + sign * x * x * a, sign * b, -sign * x), vector(b, sign + y * y * a, -y)
