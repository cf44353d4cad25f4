"""Equations g(x, t) = 0 of a few variables, with first and second time derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
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
from poinsot.model.followed_programmes import FollowedProgramme
from poinsot.spatial import Array, Scalar

__all__ = [
    "Rates",
    "TracedFunction",
    "VelocityRates",
    "check_finite",
    "laid_out",
    "other_symbols",
    "rates",
    "traced",
    "traced_velocities",
    "velocity_rates",
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


@dataclass(frozen=True, eq=False)
class VelocityRates:
    """Equations r(x, u, t) = 0, linear in velocities u, and how they change.

    Attributes:
        phi: Residuals of which the first equations are the rates, shape (k,) with k <= m.
        B: Derivative of r by u, shape (m, n).
        drift: r at u = 0, shape (m,).
        second: Rate of r beyond B times the rate of u, shape (m,).
    """

    phi: Array
    B: Array
    drift: Array
    second: Array


@dataclass(frozen=True)
class TracedFunction(ByStructure):
    """A function as a program, and the parameters of the mechanism that are its last input.

    Attributes:
        program: The function.
        terms: The parameters: symbols, or numbers where they are bound.
        programmes: Laws in it that follow a programme; not kept in files.
    """

    program: Program
    terms: tuple[Scalar, ...]
    programmes: tuple[FollowedProgramme, ...] = field(
        default=(), compare=False, repr=False, metadata={"in_digest": False}
    )


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
    with _tracing(where, f"{k} numbers and t"):
        value = np.atleast_1d(np.asarray(function(x, t[0]))).ravel()
        result = laid_out({"x": x, "t": t}, {"g": value})
    check_finite(result.program, where)
    _check_moving(jacobian(value, x) if k else np.zeros((value.size, 0)), where)
    return result


def traced_velocities(
    function: Callable[..., tuple[Any, Any]], k: int, n: int, where: str
) -> TracedFunction:
    """Return the program of phi(x, t, p) and r(x, u, t, p), traced on symbols.

    Args:
        function: (x of shape (k,), u of shape (n,), t) -> phi, whose rates are the first of r, and
            r, each a number or several, over generic scalars.
        k: How many numbers move.
        n: How many velocities there are.
        where: Opens the message of an error.

    Raises:
        ModelError: If r is not linear in u, or one of its equations does not depend on u.
    """
    x, u, t = fresh_symbols("x", k), fresh_symbols("u", n), fresh_symbols("t", 1)
    with _tracing(where, f"{k} coordinates, {n} velocities and t"):
        values = [np.atleast_1d(np.asarray(rows)).ravel() for rows in function(x, u, t[0])]
        result = laid_out({"x": x, "t": t, "u": u}, dict(zip(("phi", "r"), values, strict=True)))
    check_finite(result.program, where)
    B = jacobian(values[1], u) if n else np.zeros((values[1].size, 0))
    _check_moving(B, where)
    bent = jacobian(B.ravel(), u).reshape(*B.shape, n)
    for row, derivatives in enumerate(bent):
        if not all(map(is_zero, derivatives.ravel().tolist())):
            raise ModelError(
                f"{where}: equation {row + 1} is not linear in the velocities; write it as "
                "A(q, t) v = b(q, t): products and powers of velocities have no place in it"
            )
    return result


@contextmanager
def _tracing(where: str, arguments: str) -> Iterator[None]:
    """Say what a function must be like where Python cannot run it on symbols."""
    try:
        yield
    except PoinsotError:
        raise
    except (TypeError, ValueError, IndexError, AttributeError, ArithmeticError) as error:
        raise ModelError(
            f"{where}: the function cannot be traced: {error}; write it with arithmetic and NumPy "
            f"functions on its arguments ({arguments}), without 'if' on their values"
        ) from error


def _check_moving(G: Array, where: str) -> None:
    """Reject equations on nothing that moves, given their derivatives, shape (m, k)."""
    if not len(G):
        raise ModelError(f"{where}: there is no equation; give at least one")
    for row, derivatives in enumerate(G.tolist()):
        if all(map(is_zero, derivatives)):
            which = f"equation {row + 1} depends" if len(G) > 1 else "it depends"
            raise ModelError(
                f"{where}: {which} on nothing that moves, so it holds never or always; "
                "leave it out, or let a moving body or a joint be part of it"
            )


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


@lru_cache(maxsize=256)
def _with_velocity_rates(program: Program) -> Program:
    """Return the program of (x, t, u, p, dx/dt) -> phi, B, drift, second."""
    sizes = [slot.size for slot in program.inputs]
    names = ("x", "t", "u", "p", "rate")
    x, t, u, p, rate = map(fresh_symbols, names, (*sizes, sizes[0]))
    phi, r = (np.atleast_1d(rows) for rows in replay(program, x, t, u, p))
    _, still = replay(program, x, t, np.zeros(len(u)), p)
    outputs = {
        "phi": phi,
        "B": jacobian(r, u),
        "drift": np.atleast_1d(still),
        "second": tangent(r, np.concatenate((x, t)), np.array([*rate, 1.0])),
    }
    return optimise(build({"x": x, "t": t, "u": u, "p": p, "rate": rate}, outputs))


def velocity_rates(
    function: TracedFunction, x: Array, rate: Array, u: Array, t: Scalar
) -> VelocityRates:
    """Return r(x, u, t, p) = B u + drift and its rate while x moves with ``rate``; any scalar.

    Args:
        function: phi and r, with the parameters p (``traced_velocities``).
        x: The numbers that move.
        rate: Their rates.
        u: The velocities.
        t: Time [s].
    """
    arrays = x, np.array([t]), u, np.array(function.terms), rate
    return VelocityRates(*replay(_with_velocity_rates(function.program), *arrays))
