"""What kernels read at all stages of some steps, laid out for compiled loops; lanes and back."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.rolled_tangent import DIRECTION
from poinsot.simulation.running.memory import aligned_zeros
from poinsot.simulation.sensitivities.rate_products import WEIGHTS
from poinsot.spatial import Array


class StageInputs:
    """What a kernel reads at all stages, where the compiled loops find it; keep it alive.

    Args:
        arrays: All inputs of the kernel by name, shapes (stages N, size), one step after the other
            of each stage.
        width: Lanes that every number is wanted in; 1: it is read where it is.

    Attributes:
        names: Of all inputs.
        addresses: Where inputs are, by name, those in lanes and those that never change.
        words: What the loops need of those that vary.
    """

    def __init__(self, arrays: Mapping[str, Array], width: int = 1) -> None:
        self.names, self.addresses = tuple(arrays), dict[str, int]()
        self._alive: list[Array] = []
        self._varying: list[str] = []
        rows, goals = [], []
        for name, x in arrays.items():
            if name == WEIGHTS or name.startswith(DIRECTION):
                continue
            values = x if x.strides[1] == 8 or x.shape[1] < 2 else np.ascontiguousarray(x)
            memory = aligned_zeros(max(values.shape[1], 1), width)
            memory[: values.shape[1]] = values[0, :, None]
            self._alive += [values, memory]
            self.addresses[name] = memory.ctypes.data
            if values.strides[0] and values.shape[1] and len(values) > 1:
                self._varying.append(name)
                rows.append((values.ctypes.data, values.strides[0], values.shape[1]))
                goals.append(memory.ctypes.data)
        sources, strides, sizes = np.array(rows, np.int64).reshape(-1, 3).T.copy()
        self._goals = np.array(goals, np.uintp)
        self._table = sources, strides, sizes
        self.words = {
            "n_varying": len(rows), "sources": sources.ctypes.data, "strides": strides.ctypes.data,
            "sizes": sizes.ctypes.data, "goals": self._goals.ctypes.data,
        }  # fmt: skip

    def pointers(self) -> NDArray[np.uintp]:
        """Return pointers to all inputs, which the loops change in place of memory in lanes."""
        every = np.array([self.addresses.get(name, 0) for name in self.names], np.uintp)
        first = every.ctypes.data
        self._goals[:] = [first + 8 * self.names.index(name) for name in self._varying]
        return every


def in_lanes(x: Array, width: int) -> Array:
    """Return columns in groups of one register, shape (..., G, n, W), of (..., n, m)."""
    *outer, n, m = x.shape
    groups = -(-m // width)
    padded = np.zeros((*outer, n, groups * width))
    padded[..., :m] = x
    return np.ascontiguousarray(np.moveaxis(padded.reshape(*outer, n, groups, width), -2, -3))


def out_of_lanes(x: Array, m: int) -> Array:
    """Return the columns again, shape (..., n, m), of (..., G, n, W)."""
    *outer, groups, n, width = x.shape
    return np.moveaxis(x, -3, -2).reshape(*outer, n, groups * width)[..., :m]
