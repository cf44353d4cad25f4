"""Methods of a system that are replaced by machine code on their first call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.evaluate.inputs import PARAMETERS
from poinsot.kernels.kernel import AbstractKernel
from poinsot.kernels.llvm import entry
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.model import Signal


class NativeMethod:
    """The native callable of one quantity, with single-state and batch code added as needed.

    Args:
        name: Name of the quantity.
        kernel: Computes it.
        method: The method of the system that this replaces.
        parameters: The free parameters, with their own values.
        signals: Parameters that are looked up at the time ``t`` of a call.
        guarded: What is known of a kernel that has guards.
    """

    def __init__(
        self,
        name: str,
        kernel: AbstractKernel,
        method: Callable[..., Any],
        parameters: Mapping[str, float | None],
        signals: Mapping[str, Signal],
        guarded: entry.Guarded | None = None,
    ) -> None:
        if not isinstance(kernel, AbstractMachineKernel) or not entry.fits(
            kernel, len(parameters), guarded=guarded
        ):
            raise ValueError(f"{name} has no native form")
        self._kernel = kernel
        taken = inspect.signature(method).parameters
        time = "t" in taken and taken["t"].default == 0.0
        named = {"t", PARAMETERS} if time else {PARAMETERS}
        positional = [port.name for port in kernel.signature.inputs if port.name not in named]
        samples = {
            key: entry.Samples(signal.times, signal.pieces) for key, signal in signals.items()
        }
        self.function = entry.native_callable(
            name,
            _documentation(method),
            kernel,
            method,
            keywords=entry.Keywords(time, tuple(parameters), tuple(parameters.values()), samples),
            zeros_last=_is_zero_by_default(positional[-1], method),
            guarded=guarded,
        )

    def add_single(self) -> None:
        """Dispatch plain single-state calls directly to machine code."""
        entry.add_single(self.function, self._kernel)

    def add_batch(self) -> None:
        """Dispatch plain batch calls directly to machine code, if it has lanes for them."""
        if self._kernel.has_lanes:
            entry.add_batch(self.function, self._kernel)


def plain_function(
    name: str, kernel: AbstractKernel, evaluate: Callable[[tuple[ArrayLike, ...]], Any]
) -> Callable[..., Any]:
    """Return a quantity as a function of its inputs, machine code from the second call on.

    Args:
        name: Name of the quantity.
        kernel: Computes it.
        evaluate: Its evaluator, which takes one argument for each input.
    """
    if not isinstance(kernel, AbstractMachineKernel) or not entry.fits(kernel):
        return lambda *arguments: evaluate(arguments)

    def general(*arguments: ArrayLike) -> Any:  # noqa: ANN401
        result = evaluate(arguments)
        shape = np.shape(arguments[0])
        if len(shape) == 1:
            entry.add_single(function, kernel)
        elif len(shape) == 2 and shape[0] > 1 and kernel.has_lanes:
            entry.add_batch(function, kernel)  # as the evaluator has: one state takes no lanes
        return result

    function = entry.native_callable(name, name, kernel, general)
    return function


def is_native(kernel: AbstractKernel, n_parameters: int) -> bool:
    """Say whether a quantity can have a native callable here."""
    return isinstance(kernel, AbstractMachineKernel) and entry.fits(kernel, n_parameters)


def _is_zero_by_default(name: str, method: Callable[..., Any]) -> bool:
    """Say whether an input may be left out: only joint forces, which are none then."""
    parameter = inspect.signature(method).parameters.get(name)
    return name == "tau" and parameter is not None and parameter.default is None


def _documentation(method: Callable[..., Any]) -> str:
    """Return signature and docstring in the form in which CPython's builtins carry them."""
    signature = inspect.signature(method)
    parameters = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    plain = signature.replace(parameters=parameters, return_annotation=signature.empty)
    return f"{method.__name__}{plain}\n--\n\n{inspect.getdoc(method)}"
