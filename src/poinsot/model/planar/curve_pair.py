"""A point of one link on a curve that another link carries: one equation, sliding and turning free.

    g(p) = 0,    p = R(-u_a) (A_aᵀ (r_b + A_b s_b - r_a) - s_a)

The curve is a formula g(x, y) = 0 in axes on link a, or a radius over the angle, g = r - R(φ).
Of a tangent the x axis of link b is to lie along the curve where the point is, ∇g · e_x = 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from poinsot.errors import FormulaError, ModelError
from poinsot.expr import Program, build, fresh_symbols, jacobian, optimise
from poinsot.expr.formula import parse, variables
from poinsot.model.planar.cam_law import CamLaw

CURVE: Final = "curve"
TANGENT: Final = "tangent"
CURVE_KEYS: Final = ("id", "type", "a", "pa", "ua", "b", "pb", "curve", "profile")


@dataclass(frozen=True)
class PlaneCurve:
    """A curve in its own axes, one of the two.

    Attributes:
        formula: g(x, y), zero on the curve.
        radius: R(φ), of a profile around the origin.
        outline: R(φ) of a closed profile, also where it has a formula.
    """

    formula: str = ""
    radius: CamLaw | None = None
    outline: CamLaw | None = None


@dataclass(frozen=True)
class CurvePair:
    """One equation between two links.

    Attributes:
        name: Its name.
        a: The link that carries the curve.
        b: The link with the point.
        point: The point in the frame of b [m].
        curve: The curve in its axes.
        origin: Of these axes in the frame of a [m].
        turn: Angle of their x axis in the frame of a [rad].
        is_tangent: Whether it is the direction of b that follows the curve, not its point.
        start: Where they touch in the drawing, roughly [m].
        partner: Of contacts of profiles, on the curve of a: the link with the other profile.
        is_helper: Whether it is another equation of such a contact, which has no force of its own.
    """

    name: str
    a: str
    b: str
    point: tuple[float, float]
    curve: PlaneCurve
    origin: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0
    is_tangent: bool = False
    start: tuple[float, float] | None = None
    partner: str = ""
    is_helper: bool = False

    @property
    def kind(self) -> str:
        """Type of its entry."""
        return TANGENT if self.is_tangent else CURVE

    @property
    def bodies(self) -> tuple[str, str]:
        """The links that its equation touches."""
        return self.a, self.b

    @property
    def is_length(self) -> bool:
        """Whether its equation is one of lengths [m]; of tangents it is a sine."""
        return not self.is_tangent

    @property
    def path_a(self) -> tuple[tuple[str, str], ...]:
        """Joints whose coordinates it needs: none."""
        return ()

    @property
    def path_b(self) -> tuple[tuple[str, str], ...]:
        """The same."""
        return ()


@lru_cache(maxsize=256)
def formula_program(formula: str) -> Program:
    """Return the program of (x, y) -> g, its gradient, and g_xx, g_xy, g_yy, shape (6,)."""
    x = fresh_symbols("x", 2)
    g = np.array([parse(formula, {"x": x[0], "y": x[1]})], object)
    first = jacobian(g, x)[0]
    second = jacobian(first, x)
    values = [g[0], *first, second[0, 0], second[0, 1], second[1, 1]]
    return optimise(build({"x": x}, {"values": np.array(values, object)}))


@lru_cache(maxsize=256)
def third_derivatives(formula: str) -> Program:
    """Return the program of (x, y) -> g_xxx, g_xxy, g_xyy, g_yyy, shape (4,)."""
    x = fresh_symbols("x", 2)
    values = np.array([parse(formula, {"x": x[0], "y": x[1]})], object)
    for _ in range(3):
        values = jacobian(values, x).ravel()
    return optimise(build({"x": x}, {"values": values[[0, 1, 3, 7]]}))


def checked_formula(formula: object, where: str) -> str:
    """Return the formula of a curve.

    Raises:
        ModelError: It is no formula of x and y.
    """
    if not isinstance(formula, str):
        raise ModelError(
            f"{where} must be a formula of x and y [m] that is zero on it, e.g."
            f' "x**2/0.09 + y**2/0.01 - 1", got {formula!r}; tables are profiles:'
            ' "profile": {"angles": ..., "values": ...}'
        )
    try:
        used = variables(formula)
        formula_program(formula)
    except FormulaError as error:
        raise ModelError(f"{where}: {error}") from error
    if not used & {"x", "y"}:
        raise ModelError(f"{where}: {formula!r} depends neither on x nor on y")
    return formula
