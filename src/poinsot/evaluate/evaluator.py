"""A quantity of one mechanism as a callable: the whole story on one screen.

    mechanism ─ trace ─► program ─ back end ─► kernel ─ check and reshape arrays ─► numbers

A kernel whose machine code is in the disk cache does without the trace: the cache is asked for the
digest of the mechanism, the quantity and our own source.

``Evaluator`` is the path that understands every way of calling and says what is wrong; plain
float64 arrays go past it through the native entry (``evaluate/native.py``).
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from numpy.typing import ArrayLike

from poinsot.errors import ModelError, PoinsotError
from poinsot.evaluate.arrays import Call
from poinsot.evaluate.methods import METHODS
from poinsot.evaluate.recipe_key import recipe_key
from poinsot.evaluate.rolled import rolled_form
from poinsot.evaluate.trace import (
    direct,
    is_endless,
    is_small,
    trace,
    trace_best,
    trace_method,
    trace_rolled,
    untraced,
)
from poinsot.expr import Rolled
from poinsot.formulations.singular import free_bodies, why_singular
from poinsot.kernels.direct import DirectKernel
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.kernels.kernel import AbstractKernel, Recipe
from poinsot.kernels.llvm.kernel import LlvmKernel
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel
from poinsot.model import Mechanism
from poinsot.spatial import Array

BACKENDS: Final = ("auto", "llvm", "rolled", "interpreter", "floats")
"""What can compute: machine code, straight or rolled by size; straight; rolled; NumPy; or the
formulation itself on floats, state by state, with nothing traced or compiled."""

SOURCES: Final = ("errors", "evaluate", "expr", "formulations", "kernels", "model", "spatial")
"""The parts of poinsot that kernels are made by: this layer and those below it."""


class Evaluator:
    """Evaluates one quantity of one mechanism on one back end."""

    def __init__(
        self,
        mechanism: Mechanism,
        name: str,
        options: tuple[Any, ...],
        backend: str,
        method: str = "recursive",
    ) -> None:
        if backend not in BACKENDS:
            known = ", ".join(repr(key) for key in BACKENDS)
            raise PoinsotError(f"{name}: unknown backend {backend!r}; choose one of {known}")
        self.name = name
        if name == "forward_dynamics":
            refuse_singular(mechanism)
        if method == "recursive":
            self.kernel = _kernel(mechanism, name, options, backend)
        elif method in METHODS:
            self.kernel = _method_kernel(mechanism, name, options, backend, method)
        else:
            known = ", ".join(repr(key) for key in METHODS)
            raise PoinsotError(f"{name}: unknown method {method!r}; choose one of {known}")

    def __call__(self, arguments: tuple[ArrayLike, ...], out: Array | None = None) -> Any:  # noqa: ANN401
        """Return the quantity for states of any leading shape.

        Args:
            arguments: One array (..., size) for each input; leading dimensions broadcast.
            out: Where to put the result; a new array by default.
        """
        call = Call(self.name, self.kernel.signature, arguments, out)
        self.kernel.run(call.inputs, [call.output])
        return call.result()


def refuse_singular(mechanism: Mechanism) -> None:
    """Refuse what has no accelerations anywhere; where it has none in places, they are NaN."""
    free = free_bodies(mechanism)
    if free:
        raise ModelError(f"forward_dynamics: {why_singular(mechanism, free)}")


def _kernel(
    mechanism: Mechanism, name: str, options: tuple[Any, ...], backend: str
) -> AbstractKernel:
    if backend == "rolled":
        return RolledKernel(trace_rolled(mechanism, name, options))
    if backend == "floats":
        return DirectKernel(*untraced(mechanism, name, options))
    if backend == "interpreter":
        best = trace_best(mechanism, name, options)
        if isinstance(best, Rolled):
            return RolledInterpreterKernel(best)
        return InterpreterKernel(best)
    if backend == "auto" and is_endless(mechanism, name):
        return DirectKernel(*untraced(mechanism, name, options))
    make = partial(trace, mechanism, name, options)
    straight = LlvmKernel(Recipe(make, _key(mechanism, name, options)))
    never_rolled = is_small(mechanism) or rolled_form(mechanism, name) is None
    if backend == "llvm" or never_rolled or straight.is_kept:
        return straight
    best = trace_best(mechanism, name, options)
    return RolledKernel(best) if isinstance(best, Rolled) else straight


def _method_kernel(
    mechanism: Mechanism, name: str, options: tuple[Any, ...], backend: str, method: str
) -> AbstractKernel:
    """Return a kernel of a formulation other than the recursive one: never rolled."""
    if name in METHODS[method].on_floats or backend == "floats":
        return DirectKernel(*direct(mechanism, name, method, options))
    if backend == "rolled":
        raise PoinsotError(f"{name}: method {method!r} has no rolled form; choose backend='auto'")
    make = partial(trace_method, mechanism, name, method, options)
    if backend == "interpreter":
        return InterpreterKernel(make())
    return LlvmKernel(Recipe(make, _key(mechanism, name, (*options, method))))


def _key(mechanism: Mechanism, name: str, options: tuple[Any, ...]) -> str | None:
    return recipe_key(SOURCES, mechanism, name, options)
