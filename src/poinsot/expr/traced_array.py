"""Arrays of expressions on which NumPy's choices trace: comparisons, where, sign, clip, minimum ...

On a plain array of objects NumPy needs the truth value of a comparison, which expressions do not
have while they are traced.  Here they become operations of the graph.  Functions without a choice,
``np.sin`` and its kin, work on any array of expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import numpy as np

from poinsot.expr.functions import (
    atan2,
    ceil,
    equal,
    floor,
    maximum,
    minimum,
    mod,
    select,
    sign,
    sqrt,
)
from poinsot.expr.node import Expr, Scalar, as_expr

__all__ = ["TracedArray", "traced"]


class TracedArray(np.ndarray[Any, Any]):
    """An array (dtype object) of expressions; what NumPy makes of it is one too.

    >>> from poinsot.expr import symbol
    >>> x = traced([symbol("x")])
    >>> np.where(x < 0, -x, np.sign(x))[0]
    select(x < 0, -x, sign(x))
    """

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:  # noqa: ANN401
        """Return what a function of NumPy gives, with our own in place of those that choose."""
        return _as_traced(_call(ufunc, method, inputs, options))

    def __array_function__(
        self,
        func: Callable[..., Any],
        types: Iterable[type],
        args: Iterable[Any],
        kwargs: Mapping[str, Any],
    ) -> Any:  # noqa: ANN401
        """Return what another function of NumPy gives, which may be a choice too."""
        if func is np.where:
            return _as_traced(_SELECT(*map(_plain, args), **kwargs))
        return _as_traced(super().__array_function__(func, types, args, kwargs))


def traced(values: Any) -> TracedArray:  # noqa: ANN401 (expressions, nested as they like)
    """Return expressions as a new array on which choices trace."""
    return np.array(values, dtype=object).view(TracedArray)


def _call(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:  # noqa: ANN401
    """Return what a function of NumPy gives for arrays of ours and expressions, as plain arrays."""
    function = _CHOOSING.get(ufunc.__name__, ufunc)
    if "out" in options:
        options["out"] = tuple(_plain(array) for array in options["out"])
    return getattr(function, method)(*map(_plain, inputs), **options)


def _on_expressions(_: Expr, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:  # noqa: ANN401
    """Return what a function of NumPy gives for single expressions among its operands."""
    if any(isinstance(operand, TracedArray) for operand in inputs):
        return NotImplemented  # it knows, and what it gives is traced again
    return _call(ufunc, method, inputs, options)


def _among_arguments(
    _: Expr,
    func: Callable[..., Any],
    types: Iterable[type],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:  # noqa: ANN401
    """Return what another function of NumPy gives for single expressions among its arguments."""
    result = func(*map(_wrapped, args), **{key: _wrapped(value) for key, value in kwargs.items()})
    return result[()] if isinstance(result, TracedArray) and result.ndim == 0 else result


Expr.__array_ufunc__ = _on_expressions
Expr.__array_function__ = _among_arguments


def _wrapped(argument: Any) -> Any:  # noqa: ANN401
    """Return single expressions, in lists too, as arrays without dimensions."""
    if isinstance(argument, Expr):
        return traced(argument)
    if isinstance(argument, list | tuple):
        return type(argument)(map(_wrapped, argument))
    return argument


def _plain(argument: Any) -> Any:  # noqa: ANN401
    """Return arrays of ours, and expressions, as plain arrays of objects."""
    if isinstance(argument, TracedArray):
        return argument.view(np.ndarray)
    return np.array(argument, dtype=object) if isinstance(argument, Expr) else argument


def _as_traced(result: Any) -> Any:  # noqa: ANN401
    holds_expressions = type(result) is np.ndarray and result.dtype == object
    return result.view(TracedArray) if holds_expressions else result


def _less(a: Scalar, b: Scalar) -> Expr:
    return as_expr(a) < as_expr(b)


def _less_equal(a: Scalar, b: Scalar) -> Expr:
    return as_expr(a) <= as_expr(b)


def _clip(x: Scalar, least: Scalar, most: Scalar) -> Scalar:
    return minimum(maximum(x, least), most)


def _not(a: Scalar) -> Scalar:
    return select(a, 0.0, 1.0)


_SELECT: Final = np.frompyfunc(select, 3, 1)

_CHOOSING: Final[Mapping[str, np.ufunc]] = {
    "less": np.frompyfunc(_less, 2, 1),
    "less_equal": np.frompyfunc(_less_equal, 2, 1),
    "greater": np.frompyfunc(lambda a, b: _less(b, a), 2, 1),
    "greater_equal": np.frompyfunc(lambda a, b: _less_equal(b, a), 2, 1),
    "equal": np.frompyfunc(equal, 2, 1),
    "not_equal": np.frompyfunc(lambda a, b: _not(equal(a, b)), 2, 1),
    "logical_and": np.frompyfunc(lambda a, b: select(a, select(b, 1.0, 0.0), 0.0), 2, 1),
    "logical_or": np.frompyfunc(lambda a, b: select(a, 1.0, select(b, 1.0, 0.0)), 2, 1),
    "logical_not": np.frompyfunc(_not, 1, 1),
    "sign": np.frompyfunc(sign, 1, 1),
    "floor": np.frompyfunc(floor, 1, 1),
    "ceil": np.frompyfunc(ceil, 1, 1),
    "remainder": np.frompyfunc(mod, 2, 1),
    "minimum": np.frompyfunc(minimum, 2, 1),
    "maximum": np.frompyfunc(maximum, 2, 1),
    "clip": np.frompyfunc(_clip, 3, 1),
    "arctan2": np.frompyfunc(atan2, 2, 1),
    "hypot": np.frompyfunc(lambda a, b: sqrt(a * a + b * b), 2, 1),
}
"""NumPy's functions that choose, and two that ask numbers for a method, by name."""
