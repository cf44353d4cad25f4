"""Derived quantities as functions of arrays: machine code of the expressions that are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from numpy.typing import ArrayLike

from poinsot.algebra.equation_views import WrittenQuantities
from poinsot.errors import ShapeError
from poinsot.evaluate.call_arrays import Call
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.expr import Program, build, optimise
from poinsot.kernels.llvm import entry
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel


class ComputedQuantities(WrittenQuantities, Protocol):
    """Quantities by name that may depend on the time."""

    @property
    def depends_on_time(self) -> bool:
        """Whether they do."""


def compiled(traced: ComputedQuantities, name: str) -> Callable[..., Any]:
    """Return a quantity as a builtin function of float64 arrays, one for each input.

    Any other arguments, lists or several states for instance, are looked at in Python first.

    Args:
        traced: The system.
        name: Of a quantity that it has.
    """
    general = _Function(name, LlvmKernel(_program(traced, name)))
    if not entry.fits(general.kernel):
        return general.call
    inputs = ", ".join(general.inputs)
    doc = f"{name}({inputs}, /)\n--\n\nReturn: {traced.shown(name).meaning}."
    native = entry.native_callable(name, doc, general.kernel, general.call)
    entry.add_single(native, general.kernel)
    return native


def _program(traced: ComputedQuantities, name: str) -> Program:
    symbols = traced.symbols
    vectors = {"q": symbols.q, "v": symbols.v, "a": symbols.a, "tau": symbols.tau}
    inputs = {key: vectors[key] for key in traced.shown(name).inputs}
    if traced.depends_on_time:
        inputs["t"] = symbols.t
    if len(symbols.parameters):
        inputs[PARAMETERS] = symbols.parameters
    return optimise(build(inputs, {name: traced[name]}))


class _Function:
    """A quantity for arguments of every kind."""

    def __init__(self, name: str, kernel: LlvmKernel) -> None:
        self.kernel, self._name = kernel, name

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the arguments."""
        return tuple(port.name for port in self.kernel.signature.inputs)

    def call(self, *arrays: ArrayLike) -> Any:  # noqa: ANN401 (an array, or a number for one state)
        """Return the quantity for arrays (..., size) whose leading dimensions broadcast."""
        if len(arrays) != len(self.inputs):
            raise ShapeError(
                f"{self._name} takes the arrays {', '.join(self.inputs)}, got {len(arrays)}"
            )
        given = Call(self._name, self.kernel.signature, arrays, None)
        self.kernel.run(given.inputs, [given.output])
        return given.result()
