"""Numbers of SymPy as mpmath's and back, for results that have no formula.

They get the digits of the most exact ``Float`` among what is given, as in SymPy's own arithmetic,
and ``DIGITS`` where there is none: rational and algebraic numbers, multiples of π.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.any_scalar import is_symbolic

DIGITS: Final = 50
"""Decimal digits of results of exact numbers."""
GUARD: Final = 10
"""Further digits on the way, which are rounded off."""

Scalars = NDArray[Any]
Named = Mapping[str, Scalars]


def are_numbers(groups: Iterable[Named]) -> bool:
    """Whether nothing among the scalars is a formula."""
    return not any(map(is_symbolic, _entries(groups)))


def in_sympy_floats(
    function: Callable[..., Mapping[str, Scalars]], *groups: Named
) -> dict[str, Scalars]:
    """Return what a function over mpmath's numbers gives, as numbers of SymPy.

    Args:
        function: Takes the kind of numbers, ``mpf`` or ``mpc``, and groups of arrays by name.
        groups: Arrays by name of floats, integers and SymPy's numbers.
    """
    import mpmath
    import sympy

    floats = [x for x in _entries(groups) if isinstance(x, sympy.Float)]
    given = [x._prec for x in floats]  # noqa: SLF001 (there is no other name for it)
    digits = mpmath.libmp.prec_to_dps(max(given)) if given else DIGITS

    def number(x: Any) -> Any:  # noqa: ANN401 (any scalar)
        if not isinstance(x, sympy.Basic):
            return mpmath.mpf(x)
        real, imaginary = map(mpmath.mpf, sympy.N(x, digits + GUARD).as_real_imag())
        return mpmath.mpc(real, imaginary) if imaginary else real

    def back(x: Any) -> Any:  # noqa: ANN401 (any scalar)
        if isinstance(x, mpmath.mpc):
            return sympy.Float(x.real, digits) + sympy.I * sympy.Float(x.imag, digits)
        return sympy.Float(x, digits)

    with mpmath.workdps(digits + GUARD):
        numbers = [{name: _each(number, x) for name, x in group.items()} for group in groups]
        is_complex = any(isinstance(x, mpmath.mpc) for x in _entries(numbers))
        results = function(mpmath.mpc if is_complex else mpmath.mpf, *numbers)
        return {name: _each(back, x) for name, x in results.items()}


def _entries(groups: Iterable[Named]) -> Iterator[Any]:
    for group in groups:
        for array in group.values():
            yield from array.ravel().tolist()


def _each(function: Callable[[Any], Any], array: Scalars) -> Scalars:
    """Return a function of each entry, in the same shape."""
    made = np.empty(array.size, object)
    made[:] = [function(x) for x in array.ravel().tolist()]
    return made.reshape(array.shape)
