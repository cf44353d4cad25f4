"""Blocks of columns: for each entry of a result a vector over all states.

Columns begin at cache lines, an odd number of them apart: with a power of two between them they
would all take the same few places of the cache.
"""

from __future__ import annotations

from typing import Any, Final

from numpy.typing import NDArray

from poinsot.kernels.large_results import empty

LINE: Final = 8
"""Doubles in a cache line."""


def columns_between(n_states: int) -> int:
    """Return how many doubles lie between columns of so many states.

    >>> columns_between(360), columns_between(1024)
    (360, 1032)
    """
    return (((n_states + LINE - 1) // LINE) | 1) * LINE


def empty_block(size: int, n_states: int) -> NDArray[Any]:
    """Return memory for ``size`` columns, a vector with room to begin at a cache line."""
    return empty((size * columns_between(n_states) + LINE - 1,))


def block_of(memory: NDArray[Any], size: int, n_states: int) -> NDArray[Any]:
    """Return the columns in that memory, shape (size, n), n not less than the states."""
    step = columns_between(n_states)
    skip = -(memory.ctypes.data // 8) % LINE
    return memory[skip : skip + size * step].reshape(size, step)
