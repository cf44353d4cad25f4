"""Memory for large results, which is used again when a result is gone.

The C library takes blocks from ``LARGE`` on from the system at every call and returns them when
they are freed, and the system clears each page of them before it is written: for 100 000 mass
matrices of seven joints that takes as long as to compute them.  So a block that a result leaves
behind waits for the next result of about its size.  At most ``KEPT`` bytes wait.
"""

from __future__ import annotations

import math
from collections import deque
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

LARGE: Final = 32 * 2**20
"""Bytes from which on a result is large: up to here the C library keeps memory itself."""
KEPT: Final = 256 * 2**20
"""Most bytes that wait."""
LOOSE: Final = 1.25
"""How many times the bytes it needs a result may occupy."""

_waiting: deque[NDArray[Any]] = deque()
"""Blocks, the oldest first; its methods are atomic, as results may go away in any thread."""


class _Lease:
    """What a large result is a view of; its end gives the block back."""

    def __init__(self, block: NDArray[Any], shape: tuple[int, ...]) -> None:
        self._block = block
        self.__array_interface__ = {**block.__array_interface__, "shape": shape}

    def __del__(self) -> None:
        """Let the block wait for another result, and drop the oldest that are too many."""
        if self._block.nbytes <= KEPT:
            _waiting.append(self._block)
        while sum(block.nbytes for block in list(_waiting)) > KEPT:
            _dropped()


def empty(shape: tuple[int, ...]) -> NDArray[Any]:
    """Return an array for a result, float64, with any values in it.

    Args:
        shape: Its shape.
    """
    size = math.prod(shape)
    if 8 * size < LARGE:
        return np.empty(shape)
    block = _fitting(size)
    return np.asarray(_Lease(np.empty(size) if block is None else block, shape))


def _fitting(size: int) -> NDArray[Any] | None:
    """Return a block that waits and has about so many numbers, or None."""
    for _ in range(len(_waiting)):
        block = _dropped()
        if block is not None and size <= block.size <= LOOSE * size:
            return block
        if block is not None:
            _waiting.append(block)
    return None


def _dropped() -> NDArray[Any] | None:
    """Return the oldest block, which no longer waits; None if another thread was quicker."""
    try:
        return _waiting.popleft()
    except IndexError:
        return None
