"""Signals in the laws of a run: inputs of their programs that lookups fill in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NoReturn, final

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import ModelError, PoinsotError
from poinsot.expr import Expr, Op, Port, Program, symbol
from poinsot.expr.serialization import operands_first
from poinsot.kernels.kernel import AbstractKernel, Signature
from poinsot.kernels.llvm.lookup_code import lookup_library
from poinsot.model.signal import SIGNAL, Signal
from poinsot.spatial import Array

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


def signal_inputs(roots: Sequence[Expr], signals: Mapping[str, Signal]) -> dict[str, Array]:
    """Return the inputs of a program that hold values of signals, by name: their symbols.

    Args:
        roots: What the program computes, stages before it included.
        signals: The signals by the names of their inputs.
    """
    names = (str(node.value) for node in operands_first(roots) if node.op is Op.SYMBOL)
    ports = dict.fromkeys(name.split("[")[0] for name in names if name.startswith(SIGNAL))
    return {
        port: np.array([symbol(f"{port}[{k}]") for k in range(signals[port].size)], dtype=object)
        for port in ports
    }


NO_BREAKS: Final = np.zeros(0), np.zeros(0)
GAP: Final = 1e-12
"""Distance [s, and part of the time] up to which breaks are merged: no step is so short."""


def breaks_of(kernels: Sequence[LookupKernel]) -> tuple[Array, Array]:
    """Return the times at which signals jump or bend [s], increasing.

    Returns:
        Where steps are to end: the last of breaks that are the same but for rounding; and the last
        time before the first of these, at which signals are evaluated at the end of such a step.
    """
    if not kernels:
        return NO_BREAKS
    every = np.unique(np.concatenate([kernel.signal.breaks for kernel in kernels]))
    apart = np.diff(every) > GAP * (1.0 + np.abs(every[1:]))
    last, first = np.append(apart, True), np.append(True, apart)
    return every[last[: every.size]], np.nextafter(every[first[: every.size]], -np.inf)


def check_range(kernels: Iterable[LookupKernel], start: float, end: float) -> None:
    """Reject a run beyond the samples of a signal that may not be extrapolated."""
    for kernel in kernels:
        if kernel.signal.beyond == "hold":
            continue
        first, last = kernel.signal.times[[0, -1]].tolist()
        if first > start or last < end:
            raise ModelError(
                f"simulate: the run goes from {start:g} to {end:g} s, and {kernel.signal!r} must "
                "not be left; give samples for all of it, or beyond='hold'"
            )
