"""Equations between a few numbers that move, with their first and second rates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from poinsot.errors import ModelError, PoinsotError
from poinsot.expr import Expr, Program, build, fresh_symbols, jacobian, optimise, tangent
from poinsot.expr.replay import replay
from poinsot.expr.skip import is_zero
from poinsot.spatial import Array, Scalar

__all__ = ["Rates", "check_finite", "rates", "traced"]


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


def traced(function: Callable[..., Any], k: int, where: str) -> Program:
    """Return the program of g(x, t), traced on symbols.

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
        program = optimise(build({"x": x, "t": t}, {"g": value}))
    except PoinsotError:
        raise
    except (TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as error:
        raise ModelError(
            f"{where}: the function cannot be traced: {error}; write it with arithmetic and NumPy "
            f"functions on its arguments ({k} numbers and t), without 'if' on their values"
        ) from error
    if not value.size:
        raise ModelError(f"{where}: there is no equation; give at least one")
    check_finite(program, where)
    G = jacobian(value, x) if k else np.zeros((value.size, 0))
    for row, derivatives in enumerate(G.tolist()):
        if all(map(is_zero, derivatives)):
            which = f"equation {row + 1} depends" if value.size > 1 else "it depends"
            raise ModelError(
                f"{where}: {which} on nothing that moves, so it holds never or always; "
                "leave it out, or let a moving body or a joint be part of it"
            )
    return program


def check_finite(program: Program, where: str) -> None:
    """Refuse a program with a number in it that is not finite."""
    strange = [number for number in program.constants if not np.isfinite(number)]
    if strange:
        raise ModelError(f"{where}: there is a number in it that is not finite: {strange[0]}")


@lru_cache(maxsize=256)
def _with_rates(program: Program) -> Program:
    """Return the program of (x, dx/dt, t) -> g, G, drift, second."""
    k = program.inputs[0].size
    x, t, rate = fresh_symbols("x", k), fresh_symbols("t", 1), fresh_symbols("rate", k)
    (g,) = replay(program, x, t)
    g = np.atleast_1d(g)
    G = jacobian(g, x)
    drift = tangent(g, {t[0]: 1.0})
    first = G @ rate + drift if k else drift
    seeds: dict[Expr, Scalar] = dict(zip(x.tolist(), rate.tolist(), strict=True))
    second = tangent(first, {**seeds, t[0]: 1.0})
    outputs = {"g": g, "G": G, "drift": drift, "second": second}
    return optimise(build({"x": x, "t": t, "rate": rate}, outputs))


def rates(program: Program, x: Array, rate: Array, t: Scalar) -> Rates:
    """Return g(x, t) with its rates while x moves with ``rate``; over any scalar."""
    return Rates(*replay(_with_rates(program), x, np.array([t]), rate))
