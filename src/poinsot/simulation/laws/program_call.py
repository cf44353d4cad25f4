"""Calls of one program again and again, with memory of its own: a few microseconds each."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from typing import Final, final

import numpy as np

from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.spatial import Array

__all__ = ["ProgramCall"]

_SINGLE: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


@final
class ProgramCall:
    """A program with one output, called at single states; not for several threads at once.

    Args:
        kernel: Its machine code.
    """

    def __init__(self, kernel: AbstractMachineKernel) -> None:
        signature = kernel.signature
        self._kernel = kernel  # keeps the code
        self._given = {port.name: np.zeros(port.size) for port in signature.inputs}
        (port,) = signature.outputs
        self._result = np.zeros(port.size)
        self._inputs = _addresses(list(self._given.values()))
        self._outputs = _addresses([self._result])
        self._single = _SINGLE(kernel.single_address)

    def __call__(self, given: Mapping[str, Array]) -> Array:
        """Return the output, a copy, of inputs by name."""
        for name, memory in self._given.items():
            memory[:] = given[name]
        self._single(self._inputs, self._outputs)
        return self._result.copy()


def _addresses(arrays: list[Array]) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
