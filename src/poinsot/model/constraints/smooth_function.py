"""Equations g(x, t) = 0 of a few variables, with first and second time derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from poinsot.errors import ModelError, PoinsotError
from poinsot.expr import (
    Expr,
    Op,
    Program,
    as_expr,
    build,
    fresh_symbols,
    jacobian,
    optimise,
    tangent,
)
from poinsot.expr.replay import replay
from poinsot.expr.serialization import operands_first
from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.model.by_structure import ByStructure
from poinsot.spatial import Array, Scalar

__all__ = [
    "Rates",
    "TracedFunction",
    "check_finite",
    "laid_out",
    "other_symbols",
    "rates",
    "traced",
]


@dataclass(frozen=True, eq=False)
class Rates:
    """g(x, t) and its rates.

    Attributes:
        g: Its value, shape (m,).
        G: Its derivative by x, shape (m, k).
        drift: Its derivative by t, shape (m,).
        second: Its second rate beyond G times the second rate of x, shape (m,).
    """

    g: Array
    G: Array
    drift: Array
    second: Array


@dataclass(frozen=True)
class TracedFunction(ByStructure):
    """A function as a program, and the parameters of the mechanism that are its last input.

    Attributes:
        program: The function.
        terms: The parameters: symbols, or numbers where they are bound.
    """

    program: Program
    terms: tuple[Scalar, ...]


def laid_out(inputs: dict[str, Array], outputs: dict[str, Any]) -> TracedFunction:
    """Return the program of expressions; symbols besides the inputs become a last input, ``p``.

    Args:
        inputs: Arrays of symbols that nobody else uses, by name.
        outputs: Arrays of expressions and numbers, by name.
    """
    roots = [as_expr(x) for array in outputs.values() for x in np.asarray(array).ravel().tolist()]
    terms = other_symbols(roots, inputs.values())
    p = np.array(terms, dtype=object)
    return TracedFunction(optimise(build({**inputs, "p": p}, outputs)), terms)


def other_symbols(roots: Sequence[Expr], known: Iterable[Array]) -> tuple[Expr, ...]:
    """Return the symbols in expressions besides those of some arrays, by name."""
    arguments = {leaf.serial for array in known for leaf in array.ravel().tolist()}
    leaves = (node for node in operands_first(roots) if node.op is Op.SYMBOL)
    others = (leaf for leaf in leaves if leaf.serial not in arguments)
    return tuple(sorted(others, key=lambda x: str(x.value)))


def traced(function: Callable[..., Any], k: int, where: str) -> TracedFunction:
    """Return the program of g(x, t, p), traced on symbols.

    Args:
        function: (x of shape (k,), t) -> a number or several, over generic scalars.
        k: How many numbers move.
        where: Opens the message of an error.

    Raises:
        ModelError: If it does not return finite numbers that depend on x.
    """
    x, t = fresh_symbols("x", k), fresh_symbols("t", 1)
    try:
        value = np.atleast_1d(np.asarray(function(x, t[0]))).ravel()
        result = laid_out({"x": x, "t": t}, {"g": value})
    except PoinsotError:
        raise
    except (TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as error:
        raise ModelError(
            f"{where}: the function cannot be traced: {error}; write it with arithmetic and NumPy "
            f"functions on its arguments ({k} numbers and t), without 'if' on their values"
        ) from error
    if not value.size:
        raise ModelError(f"{where}: there is no equation; give at least one")
    check_finite(result.program, where)
    G = jacobian(value, x) if k else np.zeros((value.size, 0))
    for row, derivatives in enumerate(G.tolist()):
        if all(map(is_zero, derivatives)):
            which = f"equation {row + 1} depends" if value.size > 1 else "it depends"
            raise ModelError(
                f"{where}: {which} on nothing that moves, so it holds never or always; "
                "leave it out, or let a moving body or a joint be part of it"
            )
    return result


def check_finite(program: Program, where: str) -> None:
    """Reject a program with a number in it that is not finite."""
    strange = [number for number in program.constants if not np.isfinite(number)]
    if strange:
        raise ModelError(f"{where}: there is a number in it that is not finite: {strange[0]}")


@lru_cache(maxsize=256)
def _with_rates(program: Program) -> Program:
    """Return the program of (x, t, p, dx/dt) -> g, G, drift, second."""
    k = program.inputs[0].size
    x, t, rate = fresh_symbols("x", k), fresh_symbols("t", 1), fresh_symbols("rate", k)
    p = fresh_symbols("p", program.inputs[2].size)
    (g,) = replay(program, x, t, p)
    g = np.atleast_1d(g)
    G = jacobian(g, x)
    drift = tangent(g, t, [1.0])
    first = G @ rate + drift if k else drift
    second = tangent(first, np.concatenate((x, t)), np.array([*rate, 1.0]))
    outputs = {"g": g, "G": G, "drift": drift, "second": second}
    return optimise(build({"x": x, "t": t, "p": p, "rate": rate}, outputs))


def rates(program: Program, x: Array, rate: Array, t: Scalar, terms: Sequence[Scalar]) -> Rates:
    """Return g(x, t, p) with its rates while x moves with ``rate``; over any scalar.

    Args:
        program: That of g.
        x: The numbers that move.
        rate: Their rates.
        t: Time [s].
        terms: The parameters p.
    """
    return Rates(*replay(_with_rates(program), x, np.array([t]), np.array(terms), rate))
