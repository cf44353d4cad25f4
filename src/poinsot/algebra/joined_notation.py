"""Symbols of two systems in the same equations: those of the second that look alike have primes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from poinsot.algebra.alphabet import Alphabet, Letter
from poinsot.algebra.notation import Notation
from poinsot.expr import Expr, as_expr, symbol
from poinsot.spatial import Array

__all__ = ["joined", "told_apart"]

PRIME: Final = "\u2032"


def told_apart(notations: Sequence[Notation]) -> list[Notation]:
    r"""Return symbols of systems, no two of which are the same or look alike.

    >>> from poinsot import library
    >>> from poinsot.algebra.notation import notation
    >>> first, second = told_apart([notation(library.pendulum().mechanism)] * 2)
    >>> print(first.q[0], second.q[0], second.letters["q_bob_"].latex)
    q_bob q_bob_ q_{\mathrm{bob}}'
    """
    letters: dict[str, Letter] = {}
    apart = []
    for own in notations:
        names, seen = {"t": "t"}, {x.unicode for x in letters.values()}
        for letter in own.letters.values():
            other = letter
            while letter.name != "t" and (other.name in letters or other.unicode in seen):
                other = replace(
                    other, name=f"{other.name}_", unicode=f"{other.unicode}{PRIME}",
                    latex=f"{other.latex}'",
                )  # fmt: skip
            names[letter.name] = other.name
            letters[other.name] = other
        apart.append(_renamed(own, names, letters))
    return apart


def joined(
    apart: Sequence[Notation], e: Sequence[str], friction: Mapping[int, str]
) -> tuple[Notation, Array, Array]:
    """Return the symbols of an impact of systems, without forces, and those of points.

    Args:
        apart: Symbols of the systems, told apart.
        e: Meanings of the restitutions.
        friction: Meanings of the coefficients of friction, by the numbers of the points with some.

    Returns:
        All symbols, those of restitutions (s,), and of friction (s,), 0 where there is none.
    """
    alphabet = Alphabet(apart[-1].letters.values())
    restitutions = [alphabet.add_named(f"e_{k}", x, rank=0) for k, x in enumerate(e, start=1)]
    rough = {k: alphabet.add_named(f"mu_{k + 1}", x, rank=0) for k, x in friction.items()}
    symbols = _array([symbol(name) for name in restitutions])
    mu = _array([symbol(rough[k]) if k in rough else as_expr(0.0) for k in range(len(e))])
    q, v, parameters = (
        np.concatenate([getattr(x, name) for x in apart]) for name in ("q", "v", "parameters")
    )
    none = _array([])
    parameters = np.concatenate([parameters, symbols, mu[list(rough)]])
    whole = Notation(q, v, none, none, none, apart[0].t, parameters, alphabet.letters)
    return whole, symbols, mu


def _renamed(own: Notation, names: dict[str, str], letters: dict[str, Letter]) -> Notation:
    """Return symbols by other names."""

    def new(symbols: Array) -> Array:
        return _array([symbol(names[str(x.value)]) for x in symbols])

    return Notation(
        q=new(own.q), v=new(own.v), a=new(own.a), tau=new(own.tau), lam=new(own.lam),
        t=new(own.t), parameters=new(own.parameters), letters=letters,
    )  # fmt: skip


def _array(listed: list[Expr]) -> Array:
    array = np.empty(len(listed), dtype=object)
    array[:] = listed
    return array
