"""The interface of kernels: programs made callable by back ends, independent of mechanics."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from poinsot.expr import Port, Program, Rolled


@dataclass(frozen=True)
class Signature:
    """The inputs, outputs and cost of a kernel."""

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    n_operations: int

    @staticmethod
    def of(program: Program | Rolled) -> Signature:
        """Return the signature of a program."""
        return Signature(program.inputs, program.outputs, program.n_operations)

    @cached_property
    def work(self) -> int:
        """Operations and memory accesses that one state takes."""
        return self.n_operations + sum(port.size for port in (*self.inputs, *self.outputs))


@dataclass(frozen=True)
class Recipe:
    """How to make a program, for kernels whose code may be cached without it.

    Attributes:
        make: Makes the program.
        key: Digest of all that the program depends on; None: its code is not cached.
    """

    make: Callable[[], Program]
    key: str | None = None

    @cached_property
    def program(self) -> Program:
        """The program, made on first use."""
        return self.make()


class AbstractKernel(ABC):
    """A program that can be run on batches of states."""

    @property
    @abstractmethod
    def program(self) -> Program | Rolled:
        """What this kernel computes."""

    @property
    @abstractmethod
    def signature(self) -> Signature:
        """Its ports and its length; cheaper to get than the program."""

    def prepare(self) -> Signature:
        """Make the program, unless code of it is in the disk cache; return its signature."""
        return self.signature

    @abstractmethod
    def run(self, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
        """Evaluate a batch.

        Args:
            inputs: For each input port a float64 C-contiguous array (B, size).
            outputs: Likewise; overwritten.  Must not overlap the inputs or each other.
        """


class AbstractCode(ABC):
    """Machine code that other machine code can call for one state."""

    @property
    @abstractmethod
    def signature(self) -> Signature:
        """Its ports and its length."""

    @property
    @abstractmethod
    def single_address(self) -> int:
        """Where ``void single(double **in, double **out)`` starts; compiles it if needed."""
