"""A mechanism drawn as a tree of text, with its main parameters."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any, Final

from poinsot.model import WORLD, AbstractJoint, Body, Mechanism, nonzero
from poinsot.model.axis import Axis
from poinsot.model.changed import changed
from poinsot.model.constraints import AbstractConstraint, Loop
from poinsot.model.fields import declarations

__all__ = ["drawing", "joint_text", "number_text", "printable", "summary"]

LONGEST_RUN: Final = 6
"""How many equal bodies, each carried by the one before it, are drawn one by one."""

LONGEST_CHAIN: Final = 36
"""How many lines a chain takes before its middle is left out."""

MOST_LINES: Final = 150
"""Number of lines that are drawn; further bodies are only counted."""

_WIDEST: Final = 44
"""Column up to which the cells behind the names are aligned."""

_UNICODE: Final = ("├─ ", "└─ ", "│  ", "⋮ ")
_ASCII: Final = ("|- ", "`- ", "|  ", ": ")
_LETTERS: Final = {(1.0, 0.0, 0.0): "x", (0.0, 1.0, 0.0): "y", (0.0, 0.0, 1.0): "z"}


def drawing(mechanism: Mechanism) -> str:
    """Return the drawing of a mechanism, one line for each body.

    A body stands below the one that carries it, in the same column if it is the only one that it
    carries; each of several begins a branch.  Lines are drawn in ASCII where standard output has no
    other characters.

    Args:
        mechanism: What to draw.
    """
    strokes = _UNICODE if _shows("".join(_UNICODE)) else _ASCII
    rows = list(islice(_rows(mechanism, strokes), MOST_LINES))
    columns = list(zip(*(row.cells for row in rows), strict=True))
    widths = [max(map(len, column)) for column in columns]
    margin = min(_WIDEST, max(len(row.label) for row in rows))
    lines = [summary(mechanism), WORLD]
    for row in rows:
        cells = [f"{cell:{width}}" for cell, width in zip(row.cells, widths, strict=True) if width]
        lines.append("  ".join([f"{row.label:{margin}}", *cells]).rstrip())
    left = mechanism.n_bodies - sum(row.n_bodies for row in rows)
    if left:
        lines.append(f"{strokes[-1]}and {left} more bodies")
    closures = [*map(_loop_text, mechanism.loops), *map(_constraint_text, mechanism.constraints)]
    lines += closures[:MOST_LINES]
    if len(closures) > MOST_LINES:
        lines.append(f"{strokes[-1]}and {len(closures) - MOST_LINES} more loops and constraints")
    if mechanism.states:
        lines.append("states: " + ", ".join(f"{x.name} [{x.unit}]" for x in mechanism.states))
    return "\n".join(lines)


def summary(mechanism: Mechanism) -> str:
    """Return one line: name, number of bodies, degrees of freedom, mass and gravity."""
    n, nv, n_rows = mechanism.n_bodies, mechanism.nv, len(mechanism.row_names)
    freedom = f"{nv} degree{'' if nv == 1 else 's'} of freedom"
    if n_rows:
        freedom = f"nv = {nv} under {n_rows} constraint equation{'' if n_rows == 1 else 's'}"
    gravity = ", ".join(map(number_text, mechanism.gravity))
    total: Any = sum(body.mass for body in mechanism.bodies)
    return (
        f"{printable(mechanism.name)}: {n} bod{'y' if n == 1 else 'ies'}, "
        f"{freedom}, {number_text(total)} kg, "
        f"gravity ({gravity})"
    )


def joint_text(joint: AbstractJoint) -> str:
    """Return the kind of a joint with its axis or axes, e.g. ``"revolute y"``."""
    words = [joint.kind]
    stated = declarations(type(joint)).items()
    axes = [key for key, declaration in stated if isinstance(declaration.kind, Axis)]
    for key in (*axes, "sequence", "pitch"):
        value = getattr(joint, key, None)
        if isinstance(value, str):
            words.append(value)
        elif isinstance(value, tuple):
            words.append(_axis_text(value))
        elif value is not None:
            words.append(f"pitch {number_text(value)}")
    return " ".join(words)


def number_text(value: Any) -> str:  # noqa: ANN401 (a number or an expression)
    """Return a number with four digits, anything else as it prints itself."""
    return f"{value:.4g}" if isinstance(value, float | int) else str(value)


def printable(text: str) -> str:
    r"""Return a text without control characters for terminals.

    >>> printable("arm\n\x1b[2J")
    'arm\\n\\x1b[2J'
    """
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _loop_text(loop: Loop) -> str:
    first, second = (printable(body) for body, _ in loop.pair)
    return f"loop {printable(loop.name)}: {joint_text(loop.joint)} from {first} to {second}"


def _constraint_text(constraint: AbstractConstraint) -> str:
    bodies = dict.fromkeys(body for pair in constraint.pairs for body, _ in pair)
    held = ", ".join(map(printable, [*bodies, *constraint.joints]))
    return f"{constraint.kind} {printable(constraint.name)}" + (f": {held}" if held else "")


@dataclass(frozen=True)
class _More:
    """So many bodies that are not drawn."""

    n_bodies: int
    what: str


@dataclass(frozen=True)
class _Row:
    """A line of the drawing: the branch and the name, further cells, bodies shown."""

    label: str
    cells: tuple[str, ...]
    n_bodies: int = 1


def _rows(mechanism: Mechanism, strokes: Sequence[str]) -> Iterator[_Row]:
    tee, corner, bar, dots = strokes
    gap = " " * len(bar)
    # What is still to be drawn, the next last: a body, the stroke before it, that of its children.
    waiting = _branches(mechanism.roots, "", tee, corner, bar, gap)
    while waiting:
        i, first, margin = waiting.pop()
        chain = _chain(mechanism, i)
        for item in _shown(mechanism, chain):
            if isinstance(item, _More):
                yield _Row(f"{margin}{dots}{item.n_bodies} {item.what}", ("",) * 4, item.n_bodies)
            else:
                yield _body_row(mechanism, item, first if item == i else margin)
        waiting += _branches(mechanism.children[chain[-1]], margin, tee, corner, bar, gap)


def _branches(
    bodies: Sequence[int], margin: str, tee: str, corner: str, bar: str, gap: str
) -> list[tuple[int, str, str]]:
    """Return the branches that begin with some bodies, the last first."""
    branches = [(i, margin + tee, margin + bar) for i in bodies[:-1]]
    branches += [(i, margin + corner, margin + gap) for i in bodies[-1:]]
    return branches[::-1]


def _chain(mechanism: Mechanism, i: int) -> list[int]:
    """Return a body and those after it, as long as each carries one."""
    chain = [i]
    while len(mechanism.children[chain[-1]]) == 1:
        chain += mechanism.children[chain[-1]]
    return chain


def _shown(mechanism: Mechanism, chain: Sequence[int]) -> list[int | _More]:
    """Return the bodies of a chain that are drawn, and how many are left out between them."""
    items: list[int | _More] = []
    runs = groupby(chain, key=lambda i: _anonymous(mechanism.bodies[i]))
    for run in (list(equal) for _, equal in runs):
        if len(run) > LONGEST_RUN:
            items += [*run[:2], _More(len(run) - 3, "more like it"), run[-1]]
        else:
            items += run
    if len(items) > LONGEST_CHAIN:
        start, hidden, end = items[:10], items[10:-3], items[-3:]
        n = sum(item.n_bodies if isinstance(item, _More) else 1 for item in hidden)
        return [*start, _More(n, "more"), *end]
    return items


def _anonymous(body: Body) -> Body:
    return changed(body, name="", parent="", joint=changed(body.joint, name=None))


def _body_row(mechanism: Mechanism, i: int, lead: str) -> _Row:
    body = mechanism.bodies[i]
    q, v = mechanism.q_slices[i], mechanism.v_slices[i]
    cells = (
        joint_text(body.joint),
        _slice_text("q", q),
        _slice_text("v", v) if mechanism.nq != mechanism.nv else "",
        f"{number_text(body.mass)} kg" if nonzero(body.mass) else "",
    )
    return _Row(lead + printable(body.name), cells)


def _slice_text(name: str, entries: slice) -> str:
    n = entries.stop - entries.start
    if n == 0:
        return ""
    return f"{name}[{entries.start}]" if n == 1 else f"{name}[{entries.start}:{entries.stop}]"


def _axis_text(axis: tuple[Any, ...]) -> str:
    if axis in _LETTERS:
        return _LETTERS[axis]
    negative = tuple(-x + 0.0 for x in axis)
    if negative in _LETTERS:
        return f"-{_LETTERS[negative]}"
    return f"({', '.join(x if isinstance(x, str) else f'{x:.3g}' for x in axis)})"


def _shows(text: str) -> bool:
    """Return whether standard output has these characters."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
