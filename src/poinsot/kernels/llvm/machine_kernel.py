"""What kernels of machine code share: their functions, loaded when needed, and how to run them."""

from __future__ import annotations

import ctypes
import threading
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from poinsot.expr import garbage_collection_paused
from poinsot.kernels.kernel import AbstractCode, AbstractKernel
from poinsot.kernels.llvm.library import Library
from poinsot.kernels.llvm.shared_batch import run_batch

_SINGLE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


class AbstractMachineKernel(AbstractKernel, AbstractCode):
    """A kernel with functions ``single``, ``lanes`` and ``batch``; see ``state_loops.py``."""

    def __init__(self) -> None:
        self._libraries: dict[str, Library] = {}
        self._lock = threading.Lock()

    @property
    @abstractmethod
    def has_lanes(self) -> bool:
        """Whether batches are worth taking through lanes."""

    @abstractmethod
    def _load(self, name: str) -> Library:
        """Return the library with one of the functions, compiled if need be."""

    @property
    def single_address(self) -> int:
        """Where ``void single(double **in, double **out)`` starts; compiles it if needed."""
        return self._address("single")

    @property
    def lanes_address(self) -> int:
        """Where ``void lanes(double **in, double **out)`` starts; compiles it if needed."""
        return self._address("lanes")

    @property
    def batch_address(self) -> int:
        """Where ``int batch(start, stop, inputs, outputs)`` starts; compiles it if needed."""
        return self._address("batch")

    def run(self, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
        """Evaluate a batch; see :meth:`AbstractKernel.run`.  The GIL is released meanwhile."""
        n_states = outputs[0].shape[0]
        if n_states == 1 or not self.has_lanes:
            for k in range(n_states):
                self._single(_pointers(inputs, k), _pointers(outputs, k))
            return
        pointers_in, pointers_out = _pointers(inputs, 0), _pointers(outputs, 0)
        places = ctypes.addressof(pointers_in), ctypes.addressof(pointers_out)
        if run_batch(self.batch_address, n_states, *places, self.signature.work):
            raise MemoryError("no scratch memory for the batch")

    @cached_property
    def _single(self) -> Any:  # noqa: ANN401 (a function of ctypes)
        return _SINGLE(self.single_address)

    def _address(self, name: str) -> int:
        library = self._libraries.get(name)
        if library is None:
            with self._lock:
                library = self._libraries.get(name)
                if library is None:
                    with garbage_collection_paused():
                        library = self._libraries[name] = self._load(name)
        return library.address(name)


def _pointers(arrays: Sequence[NDArray[Any]], state: int) -> Any:  # noqa: ANN401 (a ctypes array)
    """Return the addresses of one state in each array (B, size)."""
    addresses = [x.ctypes.data + state * x.strides[0] for x in arrays]
    return (ctypes.c_void_p * len(arrays))(*addresses)
