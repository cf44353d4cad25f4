"""The kernel that answers a request: which back end, straight or rolled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from poinsot.errors import ModelError, PoinsotError
from poinsot.evaluate.algorithms import rolled_form
from poinsot.evaluate.formulation import formulation_of
from poinsot.evaluate.recipe_key import recipe_key
from poinsot.evaluate.registry import quantity_of
from poinsot.evaluate.request import RECURSIVE, Request
from poinsot.evaluate.trace import (
    is_small,
    is_too_long,
    on_floats,
    trace,
    trace_best,
    trace_rolled,
)
from poinsot.expr import Program, Rolled
from poinsot.expr.column_program import ColumnProgram
from poinsot.formulations.singular import free_bodies, why_singular
from poinsot.kernels import cache
from poinsot.kernels.function_kernel import FunctionKernel
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.kernels.kernel import AbstractKernel, Recipe
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel
from poinsot.model import LoadInputs, Mechanism

BACKENDS: Final = ("auto", "llvm", "rolled", "interpreter", "floats")
"""What can compute: machine code, straight or rolled by size; straight; rolled; NumPy; or the
formulation itself on floats, state by state, with nothing traced or compiled."""

SOURCES: Final = ("errors", "evaluate", "expr", "formulations", "kernels", "model", "spatial")
"""The folders and modules that kernels depend on: this layer and those below it."""


def kernel_of(mechanism: Mechanism, request: Request, backend: str) -> AbstractKernel:
    """Return the kernel that answers a request, traced unless the disk cache has its code.

    Args:
        mechanism: The bodies.
        request: The quantity and its options.
        backend: One of ``BACKENDS``.
    """
    name = request.quantity
    if backend not in BACKENDS:
        choices = ", ".join(repr(key) for key in BACKENDS)
        raise PoinsotError(f"{name}: unknown backend {backend!r}; choose one of {choices}")
    formulation, quantity = formulation_of(request.method, name), quantity_of(name)
    if request.derivative is not None:
        return _derivative(mechanism, request, backend)
    if quantity.solves and quantity.algorithms:
        refuse_singular(mechanism)
    if backend == "floats" or name in formulation.on_floats:
        return FunctionKernel(*on_floats(mechanism, request))
    if request.method != RECURSIVE:
        return _straight(mechanism, request, backend)
    if backend == "rolled":
        return RolledKernel(trace_rolled(mechanism, request))
    if backend == "interpreter":
        best = trace_best(mechanism, request)
        if isinstance(best, Rolled):
            return RolledInterpreterKernel(best)
        return InterpreterKernel(best)
    if backend == "auto" and is_too_long(mechanism, name):
        return FunctionKernel(*on_floats(mechanism, request))
    straight = _compiled(mechanism, request)
    never_rolled = rolled_form(mechanism, name) is None or (
        is_small(mechanism, name) and not mechanism.closures
    )
    if backend == "llvm" or never_rolled or straight.is_cached:
        return straight
    choice = recipe_key(SOURCES, mechanism, request, "rolled")
    if choice is not None and cache.read(choice) is not None:
        return RolledKernel(trace_rolled(mechanism, request))
    best = trace_best(mechanism, request)
    if isinstance(best, Program):
        return _compiled(mechanism, request, best)
    if choice is not None:
        cache.write(choice, {}, b"")
    return RolledKernel(best)


def refuse_singular(mechanism: Mechanism) -> None:
    """Reject systems that are singular everywhere; isolated singularities give NaN."""
    free = free_bodies(mechanism)
    if free:
        raise ModelError(f"forward_dynamics: {why_singular(mechanism, free)}")


def _straight(mechanism: Mechanism, request: Request, backend: str) -> AbstractKernel:
    """Return a kernel of a formulation other than the recursive one: never rolled."""
    if backend == "rolled":
        raise PoinsotError(
            f"{request.quantity}: method {request.method!r} has no rolled form; "
            "choose backend='auto'"
        )
    if backend == "interpreter":
        return InterpreterKernel(trace(mechanism, request))
    return _compiled(mechanism, request)


def _derivative(mechanism: Mechanism, request: Request, backend: str) -> AbstractKernel:
    """Return the kernel of a derivative: straight."""
    from poinsot.evaluate.derivative import trace_derivative
    from poinsot.evaluate.derivative_kernel import derivative_kernel

    if backend not in ("auto", "llvm", "interpreter"):
        raise PoinsotError(
            f"{request.quantity}: derivatives have no backend {backend!r}; choose 'auto', 'llvm' "
            "or 'interpreter'"
        )
    if backend == "interpreter":
        return InterpreterKernel(trace_derivative(mechanism, request))
    is_cacheable = quantity_of(request.quantity).is_own
    key = recipe_key(SOURCES, mechanism, request) if is_cacheable else None
    return derivative_kernel(mechanism, request, key)


def _compiled(mechanism: Mechanism, request: Request, program: Program | None = None) -> LlvmKernel:
    """Return the kernel of straight machine code, of a program where it has been traced."""
    is_cacheable = quantity_of(request.quantity).is_own
    key = recipe_key(SOURCES, mechanism, request) if is_cacheable else None
    recipe = Recipe(lambda: program or trace(mechanism, request), key)
    return LlvmKernel(recipe, columns=_columns(mechanism, request))


def _columns(mechanism: Mechanism, request: Request) -> Callable[[], ColumnProgram | None] | None:
    """Return what gives the form in columns of a quantity; None if it has none with such loads."""
    columns = quantity_of(request.quantity).columns
    if columns is None or request.method != RECURSIVE or request.loads != LoadInputs():
        return None
    return lambda: columns(mechanism)
