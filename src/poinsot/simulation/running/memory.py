"""Memory for the vectors of a run, and for what laws and signals give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.model.environment import BASE
from poinsot.simulation.laws.equations import MotionEquations, Use, is_driven
from poinsot.simulation.laws.signals import LookupKernel
from poinsot.spatial import Array

ALIGNMENT = 64
"""Of vectors [bytes]: a cache line, and the widest register."""


def aligned_zeros(rows: int, width: int) -> Array:
    """Return zeros whose first row begins at a cache line."""
    memory = np.zeros(rows * width + ALIGNMENT // 8)
    skip = -(memory.ctypes.data // 8) % (ALIGNMENT // 8)
    return memory[skip : skip + rows * width].reshape(rows, width)


class RowMemory(NamedTuple):
    """Memory for stored rows: times (n,), states (n, width), and the address of both."""

    t: Array
    y: Array
    address: int

    @classmethod
    def of(cls, rows: int, width: int) -> RowMemory:
        """Return new memory."""
        memory = np.empty(rows * (1 + width))
        return cls(memory[:rows], memory[rows:].reshape(rows, width), int(memory.ctypes.data))


def signal_count(equations: MotionEquations) -> int:
    """Return how many of the kernels are lookups."""
    return len(equations.lookups)


def given_memory(uses: Sequence[Use], runs: int) -> dict[str, Array]:
    """Return memory for outputs of laws and signals besides tau and base."""
    memory: dict[str, Array] = {}
    for use in uses:
        if is_driven(use.writes) and use.writes not in ("tau", BASE):
            size = use.kernel.signature.outputs[0].size
            memory[use.writes] = aligned_zeros(1, size * runs)[0]
        if isinstance(use.kernel, LookupKernel):
            memory[use.kernel.rate] = np.zeros(use.kernel.signal.size)
    return memory


def samples_of(uses: Sequence[Use]) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the samples that lookups read, which live as long as their kernels."""
    for use in uses:
        if isinstance(use.kernel, LookupKernel):
            yield from use.kernel.data.items()
