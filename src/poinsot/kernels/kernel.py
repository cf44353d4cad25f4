"""What a kernel is: a program made callable.  Back ends implement it; nothing here knows a body."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from poinsot.expr import Program


class AbstractKernel(ABC):
    """A program that can be run on batches of states."""

    @property
    @abstractmethod
    def program(self) -> Program:
        """What this kernel computes."""

    @abstractmethod
    def run(self, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
        """Evaluate a batch.

        Args:
            inputs: For each input port a float64 C-contiguous array (B, size).
            outputs: Likewise; overwritten.  Must not overlap the inputs or each other.
        """
