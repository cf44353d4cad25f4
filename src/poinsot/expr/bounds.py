"""Bounds of a program over ranges of its inputs: a program again, compiled as any other.

Every value becomes a ball, a midpoint and a radius, that encloses it for all inputs in their balls:
midpoint-radius interval arithmetic [Rump1999], whose products are five operations.  Rounding errors
are neglected.  Where there is no bound (division by what may be 0) the radius is infinite or NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.functions import maximum, minimum, select, sign
from poinsot.expr.node import ONE, ZERO, Expr, Scalar, apply, as_expr, constant
from poinsot.expr.ops import Op
from poinsot.expr.passes import optimise
from poinsot.expr.program import Program, build, fresh_symbols

__all__ = ["RADIUS", "rate_bounds", "value_bounds"]

RADIUS: Final = "radius of "
"""Opens the names of inputs and outputs that are radii."""
INFINITE: Final = constant(math.inf)
HALF: Final = constant(0.5)
ROUNDING: Final = 1e-12
"""Fraction of a range by which its lower end may be negative by rounding."""


class Ball(NamedTuple):
    """A range of values.

    Attributes:
        mid: Its midpoint.
        rad: Its radius.
        jump: 0 where the value is continuous in the inputs, infinite where it may jump.
    """

    mid: Expr
    rad: Expr
    jump: Expr = ZERO


@lru_cache(maxsize=64)
def value_bounds(program: Program, fixed: tuple[str, ...] = ()) -> Program:
    """Return the program of the midpoints and radii of the only output of a program.

    Args:
        program: Its inputs are those of the result, and their radii.
        fixed: Inputs that are numbers and have no radius.

    >>> from poinsot.expr import symbol_array
    >>> x = symbol_array("x", 2)
    >>> product = value_bounds(build({"x": x}, {"y": x[:1] * x[1]}))
    >>> [port.name for port in (*product.inputs, *product.outputs)]
    ['x', 'radius of x', 'y', 'radius of y']
    """
    inputs, balls = _inputs((program,), fixed)
    values = _propagated(program, balls)
    return _laid_out(inputs, program, values, [ZERO] * len(values))


@lru_cache(maxsize=64)
def rate_bounds(value: Program, rate: Program, fixed: tuple[str, ...] = ()) -> Program:
    """Return the same for the rates of a program's output, infinite where it may jump.

    Args:
        value: The program.
        rate: That of its rates; its inputs, with radii, are those of the result.
        fixed: Inputs that are numbers and have no radius.
    """
    inputs, balls = _inputs((rate, value), fixed)
    jumps = [ball.jump for ball in _propagated(value, balls)]
    return _laid_out(inputs, rate, _propagated(rate, balls), jumps)


def _inputs(
    programs: tuple[Program, ...], fixed: tuple[str, ...]
) -> tuple[dict[str, NDArray[Any]], dict[str, list[Ball]]]:
    """Return the symbols of all inputs and of their radii, and the balls that they make."""
    inputs: dict[str, NDArray[Any]] = {}
    balls: dict[str, list[Ball]] = {}
    for port in (port for program in programs for port in program.inputs):
        if port.name in balls:
            continue
        inputs[port.name] = midpoints = fresh_symbols(port.name, port.size)
        if port.name in fixed:
            balls[port.name] = [Ball(midpoint, ZERO) for midpoint in midpoints.tolist()]
            continue
        name = f"{RADIUS}{port.name}"
        inputs[name] = radii = fresh_symbols(name, port.size)
        pairs = zip(midpoints.tolist(), radii.tolist(), strict=True)
        balls[port.name] = [Ball(*pair) for pair in pairs]
    return inputs, balls


def _laid_out(
    inputs: dict[str, NDArray[Any]], program: Program, values: list[Ball], jumps: list[Expr]
) -> Program:
    (port,) = program.outputs
    midpoints = np.array([ball.mid for ball in values], dtype=object)
    radii = [ball.rad + jump for ball, jump in zip(values, jumps, strict=True)]
    outputs = {port.name: midpoints, f"{RADIUS}{port.name}": np.array(radii, dtype=object)}
    return optimise(build(inputs, outputs))


def _propagated(program: Program, inputs: Mapping[str, list[Ball]]) -> list[Ball]:
    """Propagate balls through a program and return those of its results."""
    balls = [ball for port in program.inputs for ball in inputs[port.name]]
    balls += [Ball(constant(number), ZERO) for number in program.constants]
    for op, numbers in program.steps:
        operands = [balls[k] for k in numbers]
        balls.append(_operation(op, operands))
    return [balls[k] for k in program.results]


def _operation(op: Op, operands: list[Ball]) -> Ball:
    jump = ZERO
    for operand in operands:
        jump = jump if operand.jump is jump else jump + operand.jump
    if all(operand.rad is ZERO for operand in operands):
        return Ball(apply(op, *(operand.mid for operand in operands)), ZERO, jump)
    ball = RULES[op](*operands)
    return Ball(ball.mid, ball.rad, jump if ball.jump is ZERO else jump + ball.jump)


def _add(a: Ball, b: Ball) -> Ball:
    return Ball(a.mid + b.mid, a.rad + b.rad)


def _subtract(a: Ball, b: Ball) -> Ball:
    return Ball(a.mid - b.mid, a.rad + b.rad)


def _multiply(a: Ball, b: Ball) -> Ball:
    """Return (m + r) (n + s): m n, and |m| s + (|n| + s) r."""
    if a.mid is b.mid and a.rad is b.rad:
        least, most = _size(a)
        return _between(least * least, most * most)
    return Ball(a.mid * b.mid, abs(a.mid) * b.rad + (abs(b.mid) + b.rad) * a.rad)


def _inverse(a: Ball) -> Ball:
    """Return 1 / a."""
    return Ball(1 / a.mid, ZERO) if a.rad is ZERO else _inverted(a.mid - a.rad, a.mid + a.rad)


def _inverted(low: Expr, high: Expr) -> Ball:
    """Return the inverse of the interval between two numbers."""
    nonzero, ball = low * high > ZERO, _between(1 / high, 1 / low)
    return Ball(_chosen(nonzero, ball.mid, ZERO), _chosen(nonzero, ball.rad, INFINITE),
                _chosen(nonzero, ZERO, INFINITE))  # fmt: skip


def _divide(a: Ball, b: Ball) -> Ball:
    inverse = _inverse(b)
    return Ball(*_multiply(a, inverse)[:2], inverse.jump)


def _negate(a: Ball) -> Ball:
    return Ball(-a.mid, a.rad)


def _sine(a: Ball) -> Ball:
    """Return sin(m) and |cos(m)| r + r²/2, by Taylor's formula; it stays within -1 and 1."""
    s, c = a.mid.sin(), a.mid.cos()
    return Ball(s, _least(abs(c) * a.rad + HALF * a.rad * a.rad, 1 + abs(s)))


def _cosine(a: Ball) -> Ball:
    s, c = a.mid.sin(), a.mid.cos()
    return Ball(c, _least(abs(s) * a.rad + HALF * a.rad * a.rad, 1 + abs(c)))


def _tangent(a: Ball) -> Ball:
    return _divide(_sine(a), _cosine(a))


def _rising(op: Op) -> Callable[[Ball], Ball]:
    """Return the rule of an increasing function; NaN outside its domain."""

    def rule(a: Ball) -> Ball:
        return _between(apply(op, a.mid - a.rad), apply(op, a.mid + a.rad))

    return rule


def _root(a: Ball) -> Ball:
    """Return the square root; what is negative by rounding only, as sums of squares are, is 0."""
    low, high = a.mid - a.rad, a.mid + a.rad
    negative = low < -ROUNDING * high
    return _between(_chosen(negative, low, _most(low, ZERO)).sqrt(), high.sqrt())


def _arccosine(a: Ball) -> Ball:
    sine = _rising(Op.ASIN)(a)
    return Ball(math.pi / 2 - sine.mid, sine.rad)


def _angle(y: Ball, x: Ball) -> Ball:
    """Return atan2(y, x): a box is seen from the origin within asin(its radius / its distance)."""
    radius = (x.rad * x.rad + y.rad * y.rad).sqrt()
    ratio = radius / (x.mid * x.mid + y.mid * y.mid).sqrt()
    away = ratio < 1
    off_the_cut = _either(x.rad < x.mid, y.rad < abs(y.mid))
    continuous = _both(away, off_the_cut)
    seen = apply(Op.ASIN, _least(ratio, ONE))
    return Ball(y.mid.arctan2(x.mid), _chosen(continuous, seen, constant(2 * math.pi)),
                _chosen(continuous, ZERO, INFINITE))  # fmt: skip


def _power(a: Ball, b: Ball) -> Ball:
    if b.rad is not ZERO or b.mid.op is not Op.CONSTANT:
        exponent = _multiply(b, _rising(Op.LOG)(a))
        return _rising(Op.EXP)(exponent)
    number = float(b.mid.value)
    least, most = _size(a)
    if number % 2:  # odd, or fractional: NaN below 0
        least, most = a.mid - a.rad, a.mid + a.rad
    low, high = (apply(Op.POW, end, constant(abs(number))) for end in (least, most))
    return _inverted(low, high) if number < 0.0 else _between(low, high)


def _smaller(a: Ball, b: Ball) -> Ball:
    return Ball(_least(a.mid, b.mid), _most(a.rad, b.rad))


def _larger(a: Ball, b: Ball) -> Ball:
    return Ball(_most(a.mid, b.mid), _most(a.rad, b.rad))


def _absolute(a: Ball) -> Ball:
    return Ball(abs(a.mid), a.rad)


def _sign(a: Ball) -> Ball:
    decided = a.rad < abs(a.mid)
    return _definite(decided, as_expr(sign(a.mid)), Ball(ZERO, ONE))


def _floor(a: Ball) -> Ball:
    low, high = apply(Op.FLOOR, a.mid - a.rad), apply(Op.FLOOR, a.mid + a.rad)
    return _definite(low == high, low, _between(low, high))


def _compared(op: Op) -> Callable[[Ball, Ball], Ball]:
    def rule(a: Ball, b: Ball) -> Ball:
        decided = a.rad + b.rad < abs(a.mid - b.mid)
        return _definite(decided, apply(op, a.mid, b.mid), Ball(HALF, HALF))

    return rule


def _select(condition: Ball, a: Ball, b: Ball) -> Ball:
    """Return the ball of the branch that is taken, or the hull of both where undecided."""
    decided = _either(condition.rad < abs(condition.mid), condition.rad <= 0)
    low, high = _least(a.mid - a.rad, b.mid - b.rad), _most(a.mid + a.rad, b.mid + b.rad)
    both = _between(low, high)
    mid, rad = (_chosen(condition.mid, x, y) for x, y in ((a.mid, b.mid), (a.rad, b.rad)))
    return Ball(_chosen(decided, mid, both.mid), _chosen(decided, rad, both.rad),
                _chosen(decided, ZERO, INFINITE))  # fmt: skip


RULES: Final[Mapping[Op, Callable[..., Ball]]] = {
    Op.ADD: _add,
    Op.SUB: _subtract,
    Op.MUL: _multiply,
    Op.DIV: _divide,
    Op.NEG: _negate,
    Op.SQRT: _root,
    Op.SIN: _sine,
    Op.COS: _cosine,
    Op.TAN: _tangent,
    Op.ASIN: _rising(Op.ASIN),
    Op.ACOS: _arccosine,
    Op.ATAN2: _angle,
    Op.EXP: _rising(Op.EXP),
    Op.LOG: _rising(Op.LOG),
    Op.POW: _power,
    Op.MIN: _smaller,
    Op.MAX: _larger,
    Op.ABS: _absolute,
    Op.SIGN: _sign,
    Op.LESS: _compared(Op.LESS),
    Op.LESS_EQUAL: _compared(Op.LESS_EQUAL),
    Op.EQUAL: _compared(Op.EQUAL),
    Op.SELECT: _select,
    Op.FLOOR: _floor,
}
"""The rule of each operation: the balls of its operands to that of its result."""


def _between(low: Expr, high: Expr) -> Ball:
    return Ball(HALF * (low + high), HALF * (high - low))


def _size(a: Ball) -> tuple[Expr, Expr]:
    """Return the minimum and maximum of |a|."""
    return _most(abs(a.mid) - a.rad, ZERO), abs(a.mid) + a.rad


def _definite(decided: Expr, value: Expr, other: Ball) -> Ball:
    return Ball(_chosen(decided, value, other.mid), _chosen(decided, ZERO, other.rad),
                _chosen(decided, ZERO, INFINITE))  # fmt: skip


def _chosen(condition: Scalar, a: Expr, b: Expr) -> Expr:
    return as_expr(select(condition, a, b))


def _least(a: Expr, b: Expr) -> Expr:
    return as_expr(minimum(a, b))


def _most(a: Expr, b: Expr) -> Expr:
    return as_expr(maximum(a, b))


def _either(a: Expr, b: Expr) -> Expr:
    return _most(a, b)


def _both(a: Expr, b: Expr) -> Expr:
    return _least(a, b)
