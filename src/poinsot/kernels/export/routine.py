"""What is exported: named programs, and descriptions of their arrays."""

from __future__ import annotations

import keyword
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from poinsot.errors import PoinsotError
from poinsot.expr import Op, Port, Program
from poinsot.spatial import Array

MOST_STEPS: Final = 200_000
"""Steps up to which a program is written out."""

WIDTH: Final = 96
"""Columns of comments."""

WHOLE: Final = "\N{NO-BREAK SPACE}"
"""Stands for spaces at which lines do not break."""

_KINDS: Final[Mapping[str, tuple[Op, ...]]] = {
    "sums": (Op.ADD, Op.SUB),
    "products": (Op.MUL,),
    "quotients": (Op.DIV,),
    "changes of sign": (Op.NEG,),
    "roots": (Op.SQRT,),
    "sines and cosines": (Op.SIN, Op.COS),
}


@dataclass(frozen=True)
class Routine:
    """A program and its name.

    Attributes:
        name: Its name, an identifier.
        program: What it computes; the names of its ports are those of the arrays.
        about: What it computes, in words.
        notes: For each array what it is, and its entries with their units, e.g.
            ``("configuration", ("upper [rad]", "lower [rad]"))``.
        states: Inputs for which the results are tested, one array (states, size) for each input.
        symbols: For some arrays the names of their entries, where they have names of their own.
    """

    name: str
    program: Program
    about: str
    notes: Mapping[str, tuple[str, Sequence[str]]]
    states: tuple[Array, ...] = field(compare=False)
    symbols: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.program.n_operations > MOST_STEPS:
            raise PoinsotError(too_long(self.name, self.program.n_operations))

    @property
    def ports(self) -> tuple[Port, ...]:
        """The inputs, then the outputs."""
        return (*self.program.inputs, *self.program.outputs)

    def description(self) -> list[str]:
        """Return what it is, its arrays and its length, as lines."""
        lines = textwrap.wrap(printable(self.about), WIDTH)
        outputs = {port.name for port in self.program.outputs}
        for port in self.ports:
            what, entries = self.notes.get(port.name, ("", ()))
            shape = "".join(f"[{n}]" for n in port.shape) or " (a number)"
            listed = ", ".join(printable(entry).replace(" ", WHOLE) for entry in entries)
            words = ["result" if port.name in outputs else "", printable(what), listed]
            text = f"{port.name}{shape}: " + ": ".join(word for word in words if word)
            lines += textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="      ")
        return [*(line.replace(WHOLE, " ") for line in lines), self.cost()]

    def cost(self) -> str:
        """Return the number of operations in words."""
        counts = self.program.counts
        totals = {name: sum(counts.get(op, 0) for op in ops) for name, ops in _KINDS.items()}
        totals["others"] = self.program.n_operations - sum(totals.values())
        listed = ", ".join(f"{n} {name}" for name, n in totals.items() if n)
        return f"{self.program.n_operations} operations" + (f": {listed}" if listed else "")


@dataclass(frozen=True)
class Package:
    """Routines that are written together.

    Attributes:
        name: Its name, an identifier; files are called after it.
        about: Lines of the heading.
        routines: The routines.
    """

    name: str
    about: tuple[str, ...]
    routines: tuple[Routine, ...]

    def heading(self) -> list[str]:
        """Return the lines that open a file."""
        return [printable(line) for line in self.about]


def too_long(name: str, n_operations: int) -> str:
    """Return the error message for a program that is too long to export."""
    return (
        f"export: {name} takes {n_operations} operations, too many to be written out (at most "
        f"{MOST_STEPS}); export inverse_dynamics, which is the shortest, or a part of the system "
        "(system.subsystem, system.part)"
    )


def identifier(text: str) -> str:
    """Return a text as a name that every language takes.

    >>> identifier("double pendulum"), identifier("3-RRR"), identifier("class")
    ('double_pendulum', 'm3_RRR', 'class_')
    """
    name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_") or "model"
    if name[0].isdigit():
        name = f"m{name}"
    return f"{name}_" if keyword.iskeyword(name) else name


def printable(text: str) -> str:
    """Return a text as it may stand in a comment of any language: nothing in it ends the comment.

    >>> printable('end */ of "line')
    "end * / of 'line"
    """
    safe = "".join(c if c.isprintable() else "?" for c in text)
    for end in ("*/", "/*"):
        safe = safe.replace(end, " ".join(end))
    return safe.replace('"', "'").replace("\\", "/")
