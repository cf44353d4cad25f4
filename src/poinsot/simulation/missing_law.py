"""A placeholder for a law that a file could not hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, final

from numpy.typing import NDArray

from poinsot.errors import PoinsotError
from poinsot.expr import Program, Rolled
from poinsot.kernels.kernel import AbstractKernel, Signature

__all__ = ["MissingLaw"]


@final
class MissingLaw(AbstractKernel):
    """A callback that is not restorable; the file holds only the states of its run.

    Any use of it raises an error.

    Args:
        gives: Its output: "tau" or "base".
    """

    def __init__(self, gives: str) -> None:
        self.gives = gives

    @property
    def single_address(self) -> int:
        """There is no code."""
        self._refuse()

    @property
    def program(self) -> Program | Rolled:
        """There is none."""
        self._refuse()

    @property
    def signature(self) -> Signature:
        """It is not known."""
        self._refuse()

    def run(self, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
        """There is nothing to run."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise PoinsotError(
            f"{self.gives} of this run was a Python function, which files cannot hold: the stored "
            "states are there, but not what lies between or beyond them; simulate again with the "
            "function, or write it so that it can be traced"
        )
