"""A quantity of one mechanism as a callable: the whole story on one screen.

    mechanism ─ trace ─► program ─ back end ─► kernel ─ check and reshape arrays ─► numbers

``Evaluator`` is the path that understands every way of calling and says what is wrong; plain
float64 arrays go past it through the native entry (``evaluate/native.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from numpy.typing import ArrayLike

from poinsot.errors import PoinsotError
from poinsot.evaluate.arrays import Call
from poinsot.evaluate.trace import trace
from poinsot.expr import Program
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.kernels.kernel import AbstractKernel
from poinsot.kernels.llvm.kernel import LlvmKernel
from poinsot.model import Mechanism
from poinsot.spatial import Array

BACKENDS: Final[Mapping[str, Callable[[Program], AbstractKernel]]] = {
    "auto": LlvmKernel,
    "llvm": LlvmKernel,
    "interpreter": InterpreterKernel,
}


class Evaluator:
    """Evaluates one quantity of one mechanism on one back end."""

    def __init__(
        self, mechanism: Mechanism, name: str, options: tuple[Any, ...], backend: str
    ) -> None:
        if backend not in BACKENDS:
            known = ", ".join(repr(key) for key in BACKENDS)
            raise PoinsotError(f"{name}: unknown backend {backend!r}; choose one of {known}")
        self.name = name
        self.kernel = BACKENDS[backend](trace(mechanism, name, options))

    def __call__(self, arguments: tuple[ArrayLike, ...], out: Array | None = None) -> Any:  # noqa: ANN401
        """Return the quantity for states of any leading shape.

        Args:
            arguments: One array (..., size) for each input; leading dimensions broadcast.
            out: Where to put the result; a new array by default.
        """
        call = Call(self.name, self.kernel.program, arguments, out)
        self.kernel.run(call.inputs, [call.output])
        return call.result()
