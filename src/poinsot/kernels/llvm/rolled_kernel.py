"""A rolled program as machine code: object code shared by its kind, linked to its data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from poinsot.expr import Rolled
from poinsot.kernels.kernel import Signature
from poinsot.kernels.llvm.gathering import runs_of
from poinsot.kernels.llvm.library import Library, load_library
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.kernels.llvm.rolled_modules import (
    data_names,
    rolled_batch_ir,
    rolled_lanes_ir,
    rolled_single_ir,
)
from poinsot.kernels.llvm.target import Target

CODES: Final[Mapping[str, Callable[[Rolled, Target], str]]] = {
    "single": rolled_single_ir,
    "lanes": rolled_lanes_ir,
    "batch": rolled_batch_ir,
}
"""The functions that a kernel may have, and how to write the IR of each."""
LARGEST_IN_LANES = 24 << 20
"""Bytes of state in lanes above which states are evaluated sequentially.

Beyond the caches, lanes wait for memory: forward dynamics of 10 000 joints in lanes takes longer
than state by state.
"""


@final
class RolledKernel(AbstractMachineKernel):
    """Machine code for this processor that loops over a list of items."""

    def __init__(self, rolled: Rolled, target: Target | None = None) -> None:
        super().__init__()
        self._rolled = rolled
        self._target = target or Target.current()
        ports = (*rolled.inputs, *rolled.outputs)
        self._data: dict[str, NDArray[Any]] = {
            "items": np.ascontiguousarray(rolled.items),
            "constants": np.append(rolled.constants, 0.0),  # never empty
            "sizes": np.array([rolled.n_state, *(port.size for port in ports)], np.int64),
            "counts": np.array(rolled.items.shape, np.int64),
        }
        for k, shown in enumerate(rolled.shows):
            self._data |= {f"slots{k}": shown, f"runs{k}": runs_of(shown)}

    @property
    def program(self) -> Rolled:
        """What this kernel computes."""
        return self._rolled

    @property
    def signature(self) -> Signature:
        """Its ports and its length."""
        return Signature.of(self._rolled)

    @property
    def has_lanes(self) -> bool:
        """Whether batches are worth taking through lanes."""
        return self._rolled.n_state * self._target.width * 8 <= LARGEST_IN_LANES

    def _load(self, name: str) -> Library:
        ir = CODES[name]
        imports = {key: self._data[key].ctypes.data for key in data_names(self._rolled)}
        return load_library(ir(self._rolled, self._target), (name,), imports, self._target)
