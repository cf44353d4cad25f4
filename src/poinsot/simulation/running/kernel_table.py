"""Tables of kernels, from which compiled code calls them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import final

import numpy as np


@final
class KernelTable:
    """Function, inputs and outputs of each kernel, and the pointers to both; it must be kept alive.

    Args:
        entries: Where the code of each kernel, its inputs and its outputs are.
    """

    def __init__(self, entries: Iterable[tuple[int, Sequence[int], Sequence[int]]]) -> None:
        rows, pointers = list[int](), list[int]()
        for code, inputs, outputs in entries:
            first = len(pointers)
            pointers.extend(inputs)
            pointers.extend(outputs)
            rows += code, first, first + len(inputs)
        self._pointers = np.array(pointers, np.uintp)
        self._rows = np.array(rows, np.uintp).reshape(-1, 3)
        self._rows[:, 1:] = self._pointers.ctypes.data + 8 * self._rows[:, 1:]
        self.address = int(self._rows.ctypes.data)

    def __len__(self) -> int:
        """Return how many kernels there are."""
        return len(self._rows)

    def row(self, number: int) -> tuple[int, int, int]:
        """Return where the code of a kernel, the pointers to its inputs and to its outputs are."""
        code, inputs, outputs = self._rows[number].tolist()
        return code, inputs, outputs
