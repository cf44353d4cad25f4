"""A program as machine code: compiled when first needed, for one state and for batches apart."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from typing import Any, final

from numpy.typing import NDArray

from poinsot.expr import Program
from poinsot.kernels.kernel import AbstractKernel
from poinsot.kernels.llvm.batch import batch_ir
from poinsot.kernels.llvm.single import single_ir
from poinsot.kernels.llvm.target import Library, Target, compile_object


@final
class LlvmKernel(AbstractKernel):
    """Machine code for this processor, made by LLVM."""

    def __init__(self, program: Program, target: Target | None = None) -> None:
        self._program = program
        self._target = target or Target.host()
        self._libraries: dict[str, Library] = {}
        self._lock = threading.Lock()

    @property
    def program(self) -> Program:
        """What this kernel computes."""
        return self._program

    @property
    def single_address(self) -> int:
        """Where ``void single(double **in, double **out)`` starts; compiles it if needed."""
        return self._address("single")

    @property
    def batch_address(self) -> int:
        """Where ``int batch(start, stop, inputs, outputs)`` starts; compiles it if needed."""
        return self._address("batch")

    def run(self, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
        """Evaluate a batch; see :meth:`AbstractKernel.run`.  The GIL is released meanwhile."""
        n_states = outputs[0].shape[0]
        pointers_in = (ctypes.c_void_p * len(inputs))(*[x.ctypes.data for x in inputs])
        pointers_out = (ctypes.c_void_p * len(outputs))(*[y.ctypes.data for y in outputs])
        if n_states == 1:
            _SINGLE(self.single_address)(pointers_in, pointers_out)
        elif _BATCH(self.batch_address)(0, n_states, pointers_in, pointers_out):
            raise MemoryError("no scratch memory for the batch")

    def _address(self, name: str) -> int:
        library = self._libraries.get(name)
        if library is None:
            with self._lock:
                library = self._libraries.get(name)
                if library is None:
                    ir = {"single": single_ir, "batch": batch_ir}[name](self._program, self._target)
                    library = Library(compile_object(ir, self._target), (name,), {})
                    self._libraries[name] = library
        return library.address(name)


_SINGLE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_BATCH = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
)
