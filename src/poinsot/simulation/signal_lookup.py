"""A signal as a kernel: its value and rate at the time of a stage, by binary search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn, final

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import PoinsotError
from poinsot.expr import Port, Program
from poinsot.kernels.kernel import AbstractKernel, Signature
from poinsot.kernels.llvm.lookup_code import lookup_library
from poinsot.model.signal import Signal

__all__ = ["EDGE", "RATE", "LookupKernel"]

EDGE: Final = "edge"
"""What kernels read besides the time: the last time before the next break [s].

At the end of a step to a break, a signal has its limit from the left.
"""

RATE: Final = "rate of "
"""Opens the names of vectors that hold rates."""


@final
class LookupKernel(AbstractKernel):
    """The value of a signal; one machine code serves all of them.

    Args:
        signal: The samples.
        writes: What it gives: the name of its output.
    """

    def __init__(self, signal: Signal, writes: str) -> None:
        self.signal = signal
        self._writes = writes
        self._sizes = np.array([signal.times.size, signal.size], np.int64)
        self._code = lookup_library()

    @property
    def single_address(self) -> int:
        """Where ``void single(double **inputs, double **outputs)`` starts."""
        return self._code.address("single")

    @property
    def data(self) -> dict[str, NDArray[Any]]:
        """What its code reads besides the time and the edge, in this order."""
        arrays = self.signal.times, self.signal.pieces, self._sizes
        return {f"{self.signal.port}.{k}": array for k, array in enumerate(arrays)}

    @property
    def rate(self) -> str:
        """Name of the vector into which its code writes the rates of the values [1/s]."""
        return f"{RATE}{self._writes}"

    @property
    def program(self) -> Program:
        """There is none."""
        self._refuse()

    @property
    def signature(self) -> Signature:
        """The time goes in."""
        return Signature((Port("t", (1,)),), (Port(self._writes, (self.signal.size,)),), 0)

    def run(self, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
        """Evaluate a batch."""
        values = self.signal.at(inputs[0][:, 0])
        outputs[0][:] = values.reshape(outputs[0].shape)

    def _refuse(self) -> NoReturn:
        raise PoinsotError(f"{self.signal!r} is samples and has no program")
