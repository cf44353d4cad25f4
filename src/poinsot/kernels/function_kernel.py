"""A function on floats as a kernel: called state by state, for quantities without a program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, final

from numpy.typing import NDArray

from poinsot.errors import ProgramError
from poinsot.kernels.kernel import AbstractKernel, Signature


@final
class FunctionKernel(AbstractKernel):
    """Calls a Python function with the arrays of one state at a time."""

    def __init__(self, function: Callable[..., Any], signature: Signature) -> None:
        self._function = function
        self._signature = signature

    @property
    def program(self) -> NoReturn:
        """There is none."""
        raise ProgramError("this quantity is solved numerically and has no program")

    @property
    def signature(self) -> Signature:
        """Its ports; its length is not known."""
        return self._signature

    def run(self, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
        """Evaluate a batch; see :meth:`AbstractKernel.run`."""
        for k in range(outputs[0].shape[0]):
            outputs[0][k] = self._function(*[x[k] for x in inputs])
