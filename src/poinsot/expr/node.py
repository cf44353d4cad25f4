"""Scalar expressions: immutable, hash-consed nodes that fold while they are made.

Two expressions of the same structure are the same object, so sharing costs nothing, and ``is``, or
the same ``serial``, says that they are one.  ``==`` compares the values at run time, as ``<`` does:
it is one more node.  So they cannot be keys; tables are kept by serials.  A node holds its operands
strongly and the pool holds nodes weakly: unused nodes are freed.

Folding takes inputs as finite: 0 * x is 0 and x - x is 0, whatever x turns out to be.  Minus zero
is taken as zero.  Signs travel outwards, (-x) * y to -(x * y), where sums absorb them.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Hashable
from itertools import count
from typing import Any, ClassVar, NoReturn, TypeAlias

import numpy as np

from poinsot.expr.foreign_numbers import refuse_other_number
from poinsot.expr.node_pool import keep, references
from poinsot.expr.node_serials import next_serial
from poinsot.expr.ops import MEANING, Op
from poinsot.expr.text import show_expr

LARGEST_UNROLLED_POWER = 8
"""x**n up to this integer becomes products; beyond it the library's pow is no slower."""

_REAL = (int, float, np.integer, np.floating)


class Expr:
    """A scalar expression; NumPy arrays of ``dtype=object`` carry it.

    ``serial`` counts nodes in the order in which they are made, operands before users.  It orders
    the operands of sums and products and the steps of programs: a program computes in the order in
    which its formulas were written down.
    """

    __slots__ = ("__weakref__", "args", "op", "serial", "value")

    op: Op
    args: tuple[Expr, ...]
    value: float | str
    serial: int

    # What NumPy's functions make of it: defined in traced_array.py, which builds on this file.
    __array_ufunc__: ClassVar[Callable[..., Any]]
    __array_function__: ClassVar[Callable[..., Any]]

    def __add__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else add(self, b)

    def __radd__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else add(b, self)

    def __sub__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else subtract(self, b)

    def __rsub__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else subtract(b, self)

    def __mul__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else multiply(self, b)

    def __rmul__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else multiply(b, self)

    def __truediv__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else divide(self, b)

    def __rtruediv__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else divide(b, self)

    def __mod__(self, other: object) -> Expr:
        b = _lift(other)
        return NotImplemented if b is None else self - b * apply(Op.FLOOR, self / b)

    def __pow__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else power(self, b)

    def __rpow__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else power(b, self)

    def __neg__(self) -> Expr:
        return negate(self)

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        if self.op is Op.NEG:
            return abs(self.args[0])
        return self if self.op is Op.ABS else apply(Op.ABS, self)

    def __lt__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else apply(Op.LESS, self, b)

    def __le__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else apply(Op.LESS_EQUAL, self, b)

    def __gt__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else apply(Op.LESS, b, self)

    def __ge__(self, other: object) -> Expr:
        return NotImplemented if (b := _lift(other)) is None else apply(Op.LESS_EQUAL, b, self)

    def __eq__(self, other: object) -> Expr:  # type: ignore[override]
        b = _lift(other)
        if b is None:
            refuse_other_number(other)
            return NotImplemented
        return equal(self, b)

    def __ne__(self, other: object) -> Expr:  # type: ignore[override]
        b = _lift(other)
        if b is None:
            refuse_other_number(other)
            return NotImplemented
        return unequal(self, b)

    def __hash__(self) -> NoReturn:
        raise TypeError(
            "a symbolic expression has no number yet, so it cannot be a key of a dictionary or a "
            "member of a set; use poinsot.select(x == number, a, b) in place of looking it up"
        )

    def sin(self) -> Expr:
        """Return the sine; NumPy calls this for ``np.sin``, and likewise the methods below."""
        return negate(self.args[0].sin()) if self.op is Op.NEG else apply(Op.SIN, self)

    def cos(self) -> Expr:
        """Return the cosine."""
        return self.args[0].cos() if self.op is Op.NEG else apply(Op.COS, self)

    def tan(self) -> Expr:
        """Return the tangent."""
        return negate(self.args[0].tan()) if self.op is Op.NEG else apply(Op.TAN, self)

    def arcsin(self) -> Expr:
        """Return the angle in [-pi/2, pi/2] with this sine."""
        return apply(Op.ASIN, self)

    def arccos(self) -> Expr:
        """Return the angle in [0, pi] with this cosine."""
        return apply(Op.ACOS, self)

    def arctan(self) -> Expr:
        """Return the angle in (-pi/2, pi/2) with this tangent."""
        return apply(Op.ATAN2, self, ONE)

    def arctan2(self, x: object) -> Expr:
        """Return the angle of the point (x, self)."""
        return apply(Op.ATAN2, self, as_expr(x))

    def sqrt(self) -> Expr:
        """Return the square root."""
        return apply(Op.SQRT, self)

    def exp(self) -> Expr:
        """Return e to this power."""
        return apply(Op.EXP, self)

    def log(self) -> Expr:
        """Return the natural logarithm."""
        return apply(Op.LOG, self)

    def cosh(self) -> Expr:
        """Return the hyperbolic cosine."""
        return (self.exp() + (-self).exp()) / 2.0

    def sinh(self) -> Expr:
        """Return the hyperbolic sine."""
        return self.tanh() * self.cosh()

    def tanh(self) -> Expr:
        """Return the hyperbolic tangent.

        Near 0, where (1 - exp(-2 |x|)) / (1 + exp(-2 |x|)) loses digits, Lambert's continued
        fraction.  Nothing in it overflows, so that its derivatives are numbers far from 0 too.
        """
        x2 = self * self
        above = ((x2 + 378.0) * x2 + 17325.0) * x2 + 135135.0
        below = ((28.0 * x2 + 3150.0) * x2 + 62370.0) * x2 + 135135.0
        small = (-2.0 * abs(self)).exp()
        far = apply(Op.SIGN, self) * ((1.0 - small) / (1.0 + small))
        return apply(Op.SELECT, abs(self) < 0.5, self * above / below, far)

    def __bool__(self) -> bool:
        if self.op is not Op.CONSTANT or self.value != self.value:
            raise TypeError(
                "the truth of a symbolic expression is not known while it is traced; "
                "use poinsot.select(condition, a, b) in place of if, in, min or max"
            )
        return float(self.value) != 0.0

    def __float__(self) -> float:
        if self.op is not Op.CONSTANT:
            raise TypeError(f"{self!r} is symbolic and has no number yet; give its symbols values")
        return float(self.value)

    def __repr__(self) -> str:
        return show_expr(self)

    def __copy__(self) -> Expr:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Expr:
        return self


Scalar: TypeAlias = float | Expr

_pool_lock = threading.Lock()
_anonymous = count()


def _node(op: Op, args: tuple[Expr, ...]) -> Expr:
    """Return the one node with this operation and these operands."""
    identity = (op, *map(id, args))  # operands stay alive as long as the node does
    reference = references.get(identity)
    node: Expr | None = None if reference is None else reference()
    return _made(identity, op, args, 0.0) if node is None else node


def _leaf(op: Op, value: float | str) -> Expr:
    identity = (op, "nan" if value != value else value)
    return _made(identity, op, (), value)


def _made(identity: Hashable, op: Op, args: tuple[Expr, ...], value: float | str) -> Expr:
    """Return a new node, unless another thread has just made the same."""
    with _pool_lock:
        reference = references.get(identity)
        node: Expr | None = None if reference is None else reference()
        if node is None:
            node = Expr()
            node.op, node.args, node.value, node.serial = op, args, value, next_serial()
            keep(identity, node)
    return node


def constant(value: float) -> Expr:
    """Return the node of a number (minus zero becomes zero)."""
    return _leaf(Op.CONSTANT, float(value) + 0.0)


def symbol(name: str) -> Expr:
    """Return the symbol with this name; the same name gives the same node."""
    return _leaf(Op.SYMBOL, name)


def fresh_symbol(name: str = "_") -> Expr:
    """Return a symbol that is equal to no other one."""
    return symbol(f"{name}#{next(_anonymous)}")


ZERO, ONE, TWO = constant(0.0), constant(1.0), constant(2.0)
MINUS_ONE = constant(-1.0)


def _lift(x: object) -> Expr | None:
    if x.__class__ is Expr:
        return x
    return constant(float(x)) if isinstance(x, _REAL) else None


def as_expr(x: object) -> Expr:
    """Return a number or an expression as an expression."""
    lifted = _lift(x)
    if lifted is None:
        raise TypeError(f"expected a real number or an expression, got {type(x).__name__}: {x!r}")
    return lifted


def apply(op: Op, *args: Expr) -> Expr:
    """Return ``op`` of the operands, folded if all of them are numbers."""
    if all(a.op is Op.CONSTANT for a in args):
        with np.errstate(all="ignore"):
            return constant(float(MEANING[op](*[float(a.value) for a in args])))
    return _node(op, args)


def equal(a: Expr, b: Expr) -> Expr:
    """Return 1 where a and b are the same number, else 0."""
    return ONE if a is b else apply(Op.EQUAL, a, b)


def unequal(a: Expr, b: Expr) -> Expr:
    """Return 0 where a and b are the same number, else 1."""
    return apply(Op.SELECT, equal(a, b), ZERO, ONE)


def negate(a: Expr) -> Expr:
    """Return -a; -(-x) is x and -(x - y) is y - x."""
    if a.op is Op.NEG:
        return a.args[0]
    if a.op is Op.SUB:
        return _node(Op.SUB, (a.args[1], a.args[0]))
    if a.op is Op.CONSTANT:
        return constant(-float(a.value))
    return _node(Op.NEG, (a,))


def add(a: Expr, b: Expr) -> Expr:
    """Return a + b."""
    if a is ZERO:
        return b
    if b is ZERO:
        return a
    if a.op is Op.CONSTANT and b.op is Op.CONSTANT:
        return constant(float(a.value) + float(b.value))
    if b.op is Op.NEG:
        return subtract(a, b.args[0])
    if a.op is Op.NEG:
        return subtract(b, a.args[0])
    if b.op is Op.CONSTANT:
        a, b = b, a
    return _node(Op.ADD, (a, b) if a.serial <= b.serial or a.op is Op.CONSTANT else (b, a))


def subtract(a: Expr, b: Expr) -> Expr:
    """Return a - b."""
    if b is ZERO:
        return a
    if a is ZERO:
        return negate(b)
    if a is b:
        return ZERO
    if a.op is Op.CONSTANT and b.op is Op.CONSTANT:
        return constant(float(a.value) - float(b.value))
    if b.op is Op.NEG:
        return add(a, b.args[0])
    if a.op is Op.NEG:
        return negate(add(a.args[0], b))
    return _node(Op.SUB, (a, b))


def multiply(a: Expr, b: Expr) -> Expr:
    """Return a * b."""
    if a is ZERO or b is ZERO:
        return ZERO
    if a is ONE:
        return b
    if b is ONE:
        return a
    if a.op is Op.NEG:
        return negate(multiply(a.args[0], b))
    if b.op is Op.NEG:
        return negate(multiply(a, b.args[0]))
    if b.op is Op.CONSTANT:
        a, b = b, a
    if a.op is Op.CONSTANT:
        factor = float(a.value)
        if b.op is Op.CONSTANT:
            return constant(factor * float(b.value))
        if factor < 0:
            return negate(multiply(constant(-factor), b))
        if b.op is Op.MUL and b.args[0].op is Op.CONSTANT:
            return multiply(constant(factor * float(b.args[0].value)), b.args[1])
        return _node(Op.MUL, (a, b))
    return _node(Op.MUL, (a, b) if a.serial <= b.serial else (b, a))


def divide(a: Expr, b: Expr) -> Expr:
    """Return a / b; division by a power of two becomes an (exact) product."""
    if b.op is Op.CONSTANT:
        divisor = float(b.value)
        if a.op is Op.CONSTANT:
            return apply(Op.DIV, a, b)
        inverse = 1.0 / divisor if divisor else math.inf
        if abs(math.frexp(divisor)[0]) == 0.5 and math.isfinite(inverse):
            return multiply(constant(inverse), a)
    if a.op is Op.NEG:
        return negate(divide(a.args[0], b))
    if b.op is Op.NEG:
        return negate(divide(a, b.args[0]))
    return _node(Op.DIV, (a, b))


def power(a: Expr, b: Expr) -> Expr:
    """Return a ** b; small whole powers become products, 0.5 the square root."""
    if b.op is not Op.CONSTANT or a.op is Op.CONSTANT:
        return apply(Op.POW, a, b)
    exponent = float(b.value)
    if exponent == 0.5:
        return a.sqrt()
    if not exponent.is_integer() or abs(exponent) > LARGEST_UNROLLED_POWER:
        return apply(Op.POW, a, b)
    result, square, n = ONE, a, abs(int(exponent))
    while n:
        if n & 1:
            result = multiply(result, square)
        n >>= 1
        square = multiply(square, square) if n else square
    return divide(ONE, result) if exponent < 0 else result
