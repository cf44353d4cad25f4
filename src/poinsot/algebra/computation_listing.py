"""Expressions in the order of computation: intermediate variables with names, never multiplied out.

Sines and cosines are called after their angle (s_elbow, c_elbow), everything else that is used more
than once, or is long, x1, x2, ...
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from poinsot.algebra.alphabet import Alphabet, Letter
from poinsot.algebra.sum_of_terms import tidied
from poinsot.expr import Expr, Op, as_expr, substitute, symbol, symbol_names
from poinsot.expr.apply_operation import applied
from poinsot.expr.ops import LEAVES
from poinsot.expr.serialization import operands_first

LONGEST: Final = 14
"""An expression with more operations than this gets a name of its own."""

_TURNS: Final = {Op.SIN: ("s", "sine"), Op.COS: ("c", "cosine")}


@dataclass(frozen=True, eq=False)
class ComputationListing:
    """Sequential assignments, and their results.

    Attributes:
        assignments: Names of intermediate variables and what they are, each in terms of symbols
            and of variables before it.
        results: The expressions asked for, in terms of symbols and variables.
        letters: How symbols and variables are written, by name.
    """

    assignments: tuple[tuple[str, Expr], ...]
    results: tuple[Expr, ...]
    letters: Mapping[str, Letter]

    @property
    def n_operations(self) -> int:
        """How many operations all lines take together."""
        lines = [expr for _, expr in self.assignments] + list(self.results)
        return sum(_operations(line) for line in lines)


def listing(roots: Iterable[object], letters: Mapping[str, Letter]) -> ComputationListing:
    """Return expressions with names for common subexpressions.

    Args:
        roots: Expressions and numbers.
        letters: How their symbols are written, by name.
    """
    wanted = [as_expr(root) for root in roots]
    nodes = sorted(operands_first(wanted), key=lambda node: node.serial)
    uses = Counter(a.serial for node in nodes for a in node.args)
    asked = {root.serial for root in wanted}
    names = _Names(letters)
    short: dict[int, Expr] = {}
    size: dict[int, int] = {}
    assignments: list[tuple[str, Expr]] = []
    for node in nodes:
        here = node.serial
        if node.op in LEAVES:
            short[here], size[here] = node, 0
            continue
        body = as_expr(applied(node.op, [short[a.serial] for a in node.args]))
        length = 1 + sum(size[a.serial] for a in node.args)
        is_turn = node.op in _TURNS
        shared = uses[here] > 1 or (uses[here] and (length > LONGEST or here in asked))
        if shared or length > LONGEST:
            body = tidied(body)
        if is_turn or (shared and not _is_plain(body)):
            name = names.turn(node.op, body.args[0]) if is_turn else names.next()
            assignments.append((name, body))
            short[here], size[here] = symbol(name), 0
        else:
            short[here], size[here] = body, length
    results = [tidied(short[root.serial]) for root in wanted]
    return _numbered(_needed(assignments, results), results, letters, names)


def _needed(
    assignments: list[tuple[str, Expr]], results: list[Expr]
) -> tuple[tuple[str, Expr], ...]:
    """Return the assignments on which results depend."""
    used = {name for expr in results for name in symbol_names(expr)}
    kept: list[tuple[str, Expr]] = []
    for name, expr in reversed(assignments):
        if name in used:
            used.update(symbol_names(expr))
            kept.append((name, expr))
    return tuple(reversed(kept))


def _numbered(
    assignments: tuple[tuple[str, Expr], ...],
    results: list[Expr],
    letters: Mapping[str, Letter],
    names: _Names,
) -> ComputationListing:
    """Return a listing whose variables x1, x2, ... follow each other without gaps."""
    used = {name: names.letters[name] for name in (*letters, *(name for name, _ in assignments))}
    again = _Names(letters)
    new = {name: again.next() if names.is_numbered(name) else name for name, _ in assignments}
    symbols = {old: symbol(name) for old, name in new.items() if old != name}
    written = dict(letters)
    for old, name in new.items():
        written[name] = again.letters[name] if old != name or name in again.letters else used[old]
    renamed = [(new[name], as_expr(substitute(expr, symbols))) for name, expr in assignments]
    outputs = [as_expr(substitute(expr, symbols)) for expr in results]
    return ComputationListing(tuple(renamed), tuple(outputs), written)


def _is_plain(body: Expr) -> bool:
    """Say whether a name would be no shorter: a symbol, its negative, or a number times it."""
    if body.op is Op.NEG:
        return _is_plain(body.args[0])
    return body.op in LEAVES


def _operations(expr: Expr) -> int:
    return sum(node.op not in LEAVES for node in operands_first([expr]))


class _Names:
    """Gives names to intermediate variables."""

    def __init__(self, letters: Mapping[str, Letter]) -> None:
        self._alphabet = Alphabet(letters.values())
        self._count = 0
        self._numbered: set[str] = set()
        self._angles: dict[int, tuple[Expr, str]] = {}

    @property
    def letters(self) -> dict[str, Letter]:
        """The letters of symbols and variables, by name."""
        return self._alphabet.letters

    def next(self) -> str:
        """Return x1, x2, ..."""
        self._count += 1
        name = self._add(f"x{self._count}", "intermediate variable")
        self._numbered.add(name)
        return name

    def is_numbered(self, name: str) -> bool:
        """Say whether a name is one of x1, x2, ..."""
        return name in self._numbered

    def turn(self, op: Op, angle: Expr) -> str:
        """Return the name of a sine or cosine."""
        kind, word = _TURNS[op]
        if angle.op is Op.SYMBOL and not self.is_numbered(str(angle.value)):
            name = str(angle.value)
            letter = self.letters.get(name)
            shown = letter.unicode if letter else name
            behind = name.removeprefix("q_") if name.startswith("q_") else name
            return self._add(f"{kind}_{behind}", f"{word} of {shown}", letter)
        number = str(len(self._angles) + 1)
        _, known_as = self._angles.setdefault(angle.serial, (angle, number))
        return self._add(f"{kind}{known_as}", f"{word} of an angle")

    def _add(self, wanted: str, meaning: str, angle: Letter | None = None) -> str:
        if angle is not None and angle.latex.startswith("q_{"):
            for_eye = partial(_turn_for_eye, wanted[0], angle)
            in_latex = partial(_turn_in_latex, wanted[0], angle)
            return self._alphabet.add(wanted, for_eye, in_latex, meaning)
        return self._alphabet.add_named(wanted, meaning)


def _turn_for_eye(head: str, angle: Letter, strokes: str) -> str:
    """Return the letter of an angle with another head."""
    return head + angle.unicode[1:] + strokes


def _turn_in_latex(head: str, angle: Letter, strokes: str) -> str:
    bars = len(strokes)
    return r"\bar{" * bars + head + "}" * bars + angle.latex[1:]
