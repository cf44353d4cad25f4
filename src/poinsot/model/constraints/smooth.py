"""Equations between a few numbers that move, with their first and second rates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from poinsot.errors import FormulaError, ModelError
from poinsot.expr import Expr, Program, build, fresh_symbols, jacobian, optimise, tangent
from poinsot.expr.replay import replay
from poinsot.spatial import Array, Scalar

__all__ = ["Rates", "rates", "traced"]


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
    except FormulaError:
        raise
    except (TypeError, ValueError) as error:
        raise ModelError(
            f"{where}: the function cannot be traced: {error}; write it with arithmetic and NumPy "
            "functions on its arguments, without 'if' on their values"
        ) from error
    return program


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
