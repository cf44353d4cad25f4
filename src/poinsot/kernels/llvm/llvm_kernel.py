"""A program as machine code: compiled when first needed, for one state and for batches apart.

Under the key of a recipe the disk cache stores the signature of the program and the key of its
code, so that the program need not be made again.  Code itself is cached under a digest of its IR:
if our source changes but the IR does not, the program is made again and the code is still good.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, final

from numpy.typing import NDArray

from poinsot.expr import Port, Program
from poinsot.expr.column_program import COLUMNS, ColumnProgram
from poinsot.kernels import cache
from poinsot.kernels.kernel import Recipe, Signature
from poinsot.kernels.llvm.column_modules import column_single_ir
from poinsot.kernels.llvm.library import Library, load_compiled, load_library
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.kernels.llvm.straight_modules import batch_ir, lanes_ir, single_ir
from poinsot.kernels.llvm.target import Target, code_key, ir_key

CODES: Final[Mapping[str, Callable[[Program, Target], str]]] = {
    "single": single_ir,
    "lanes": lanes_ir,
    "batch": batch_ir,
}
"""The functions that a kernel has as a rule, and how to write the IR of each."""
SHORT: Final = 2000
"""Operations up to which straight-line code of one state is always faster than columns."""
WORTH: Final = 1.4
"""Operations of straight-line code that take as long as one on rows."""


@final
class LlvmKernel(AbstractMachineKernel):
    """Machine code for this processor, made by LLVM.

    Args:
        program: What it computes, or how to make that.
        target: The processor, this one by default.
        codes: The functions that it has, and how to write the IR of each; a recipe's key must tell
            kernels apart that have others.
        columns: Gives a shorter form for one state, if there is one.
    """

    def __init__(
        self,
        program: Program | Recipe,
        target: Target | None = None,
        codes: Mapping[str, Callable[[Program, Target], str]] = CODES,
        columns: Callable[[], ColumnProgram | None] | None = None,
    ) -> None:
        super().__init__()
        self._codes, self._columns = codes, columns
        self._recipe = program if isinstance(program, Recipe) else Recipe(lambda: program)
        self._target = target or Target.current()

    @property
    def program(self) -> Program:
        """What this kernel computes."""
        return self._recipe.program

    @cached_property
    def signature(self) -> Signature:
        """Its ports and its length, without the program where its code is cached."""
        for name in self._codes:
            stored = self._stored(name)
            if stored is not None:
                return _signature(stored.header)
        return Signature.of(self.program)

    @property
    def has_lanes(self) -> bool:
        """Straight-line programs always have code for batches in lanes."""
        return True

    def run(self, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
        """Evaluate a batch; see :meth:`AbstractKernel.run`."""
        assert self._codes is CODES, "functions of other codes take other outputs: call them"
        super().run(inputs, outputs)

    @property
    def is_cached(self) -> bool:
        """Whether the disk cache has its code, so that no program is needed."""
        return any(self._stored(name) is not None for name in self._codes)

    def _load(self, name: str) -> Library:
        stored = self._stored(name)
        if stored is not None:
            library = load_compiled(stored.header["code"], (name,), self._target)
            if library is not None:
                return library
        ir = self._ir(name)
        library = load_library(ir, (name,), {}, self._target)
        if self._recipe.key is not None:
            code = {"code": ir_key(ir, self._target)}
            cache.write(self._key(name), _header(self.signature) | code, b"")
        return library

    def _ir(self, name: str) -> str:
        """Return the IR of a function; of one state in columns where that is faster."""
        n_operations = self.signature.n_operations
        if name == "single" and n_operations > SHORT and self._target.width == COLUMNS:
            columns = None if self._columns is None else self._columns()
            if columns is not None and n_operations > WORTH * columns.n_operations:
                return column_single_ir(columns, self._target)
        return self._codes[name](self.program, self._target)

    def _stored(self, name: str) -> cache.CacheEntry | None:
        return None if self._recipe.key is None else cache.read(self._key(name))

    def _key(self, name: str) -> str:
        return code_key(self._target, "recipe", self._recipe.key, name)


def _header(signature: Signature) -> dict[str, Any]:
    """Return a signature as JSON can hold it."""
    return {
        "inputs": [(port.name, port.shape) for port in signature.inputs],
        "outputs": [(port.name, port.shape) for port in signature.outputs],
        "n_operations": signature.n_operations,
    }


def _signature(header: Mapping[str, Any]) -> Signature:
    inputs, outputs = (
        tuple(Port(name, tuple(shape)) for name, shape in header[side])
        for side in ("inputs", "outputs")
    )
    return Signature(inputs, outputs, header["n_operations"])
