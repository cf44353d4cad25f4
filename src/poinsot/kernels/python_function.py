"""Functions of Python, and kernels without machine code, as machine code calls them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from poinsot.kernels.kernel import AbstractCode, AbstractKernel

_SINGLE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)


class PythonFunction:
    """``void single(double **in, double **out)`` that calls Python; results are NaN after an error.

    Args:
        function: Takes an array for each input and returns one, which is the only output.
        sizes: Entries of each input.
        size: Entries of the output.
    """

    def __init__(
        self, function: Callable[..., NDArray[np.float64]], sizes: Sequence[int], size: int
    ) -> None:
        self._function, self._sizes, self._size = function, sizes, size
        self._error: BaseException | None = None
        self._single = _SINGLE(self._call)

    @property
    def single_address(self) -> int:
        """Where it starts; valid as long as this object lives."""
        return ctypes.cast(self._single, ctypes.c_void_p).value or 0

    def raise_error(self) -> None:
        """Raise the first error of the calls up to here, and forget it."""
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _call(self, inputs: int, outputs: int) -> None:
        (result,) = _arrays(outputs, [self._size])
        result[:] = np.nan
        if self._error is None:
            try:
                result[:] = self._function(*_arrays(inputs, self._sizes)).reshape(-1)
            except BaseException as error:  # machine code cannot be left by it
                self._error = error


def callable_kernel(kernel: AbstractKernel) -> AbstractCode | PythonFunction:
    """Return a kernel with one output as machine code can call it."""
    if isinstance(kernel, AbstractCode):
        return kernel
    (output,) = kernel.signature.outputs

    def run(*inputs: NDArray[np.float64]) -> NDArray[np.float64]:
        result = np.empty((1, output.size))
        kernel.run([x[None] for x in inputs], [result])
        return result

    return PythonFunction(run, [port.size for port in kernel.signature.inputs], output.size)


def _arrays(table: int, sizes: Sequence[int]) -> list[NDArray[np.float64]]:
    """Return the arrays whose addresses are in a table."""
    addresses = (ctypes.c_void_p * len(sizes)).from_address(table)
    return [
        np.ctypeslib.as_array((ctypes.c_double * size).from_address(address or 0))
        for address, size in zip(addresses, sizes, strict=True)
    ]
