"""A node in the tree of a file: its value, and its path for the messages.

Every value is asked for as what it must be (``number``, ``text``, ``fields``), and what is not so
is rejected with the path, e.g. ``arm.json: bodies[2].joint.pitch must be a number, got true``.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from poinsot.errors import FormulaError, ModelError
from poinsot.expr import Expr, Scalar, substitute, symbol
from poinsot.expr.formula import parse, variables
from poinsot.io.meshes import MeshFolder
from poinsot.model import suggestion

__all__ = ["Node", "Numbers"]

Numbers: TypeAlias = "Scalar | list[Numbers]"
"""A number or formula, or those in lists in lists."""

_DEEPEST = 2
"""Deepest nesting of lists of numbers: that of a matrix."""

_WORDS = {None: "null", True: "true", False: "false"}


@dataclass(frozen=True)
class Node:
    """A value in the tree.

    Attributes:
        value: What the file says here.
        path: Where this is, e.g. ``"bodies[2].joint"``; empty for the whole file.
        where: The name of the file.
        parameters: What formulas may contain: numbers by name, None where there is none.
        texts: The formulas read so far, by their serials, and how they are written; one for all
            nodes of a tree.
        meshes: Where the meshes that it names are looked for.
    """

    value: object
    path: str
    where: str
    parameters: Mapping[str, float | None] = field(default_factory=dict)
    texts: dict[int, tuple[Expr, str]] = field(default_factory=dict)
    meshes: MeshFolder = field(default_factory=lambda: MeshFolder(None))

    def error(self, what: str) -> ModelError:
        """Return the error that this node ``what``, e.g. ``"must be a list"``."""
        return ModelError(f"{self.where}: {self.path or 'the file'} {what}")

    def must_be(self, what: str) -> ModelError:
        """Return the error that this must be something else."""
        return self.error(f"must be {what}, got {_shown(self.value)}")

    @contextmanager
    def named(self) -> Iterator[None]:
        """Put the path in front of the errors of the model that are raised inside."""
        try:
            yield
        except (ModelError, FormulaError) as error:
            location = f"{self.where}: {self.path}" if self.path else self.where
            raise type(error)(f"{location}: {error}") from error

    def fields(self, known: Collection[str], needed: Collection[str] = ()) -> dict[str, Node]:
        """Return the values of an object by key.

        Args:
            known: The keys it may have.
            needed: Those that it must have.
        """
        if not isinstance(self.value, Mapping):
            raise self.must_be("an object with keys")
        for key in self.value:
            if key not in known:
                raise self.error(
                    f"has the unknown key {_shown(key)}; {suggestion(str(key), known)}"
                )
        for key in needed:
            if key not in self.value:
                raise self.error(f"must have the key {key!r}")
        start = f"{self.path}." if self.path else ""
        return {key: self._at(value, f"{start}{key}") for key, value in self.value.items()}

    def entries(self) -> list[Node]:
        """Return the values of a list."""
        if not isinstance(self.value, list | tuple):
            raise self.must_be("a list")
        return [self._at(value, f"{self.path}[{i}]") for i, value in enumerate(self.value)]

    def text(self) -> str:
        """Return the text that this is."""
        if not isinstance(self.value, str):
            raise self.must_be("text")
        return self.value

    def truth(self) -> bool:
        """Return the true or false that this is."""
        if not isinstance(self.value, bool):
            raise self.must_be("true or false")
        return self.value

    def whole(self) -> int:
        """Return the whole number that this is."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self.must_be("a whole number")
        return self.value

    def number(self) -> Scalar:
        """Return the finite number that this is, or the formula in the parameters."""
        if isinstance(self.value, str):
            return self._formula(self.value)
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self.must_be("a number or a formula")
        try:
            number = float(self.value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.must_be("finite")
        return number

    def formula(self) -> float | str:
        """Return a finite number, or a formula as text, whose names are checked later."""
        if not isinstance(self.value, str):
            return float(self.number())
        with self.named():
            variables(self.value)
        return self.value

    def numbers(self) -> Numbers:
        """Return a number, a list of them, or the rows of a matrix."""
        return _nested(self, _DEEPEST)

    def some(self) -> Numbers:
        """Return a number or a list of them."""
        return _nested(self, 1)

    def vector(self, length: int) -> list[Scalar]:
        """Return so many numbers."""
        if not isinstance(self.value, list | tuple) or len(self.value) != length:
            raise self.must_be(f"a list of {length} numbers")
        return [entry.number() for entry in self.entries()]

    def axis(self) -> str | list[Scalar]:
        """Return a letter or three numbers."""
        return self.value if isinstance(self.value, str) else self.vector(3)

    def _formula(self, text: str) -> Scalar:
        """Return a formula as an expression, a float if it has no parameter."""
        try:
            formula = parse(text, {name: symbol(name) for name in self.parameters})
        except FormulaError as error:
            raise FormulaError(f"{self.where}: {self.path}: {error}") from None
        values = {name: x for name, x in self.parameters.items() if x is not None}
        number = substitute(formula, values) if isinstance(formula, Expr) else formula
        if not isinstance(number, Expr) and not math.isfinite(number):
            raise self.error(f"must be finite, but {_shown(text)} is {number}")
        if isinstance(formula, Expr):
            self.texts.setdefault(formula.serial, (formula, text))
        return formula

    def _at(self, value: object, path: str) -> Node:
        return Node(value, path, self.where, self.parameters, self.texts, self.meshes)


def _nested(node: Node, depth: int) -> Numbers:
    if depth and isinstance(node.value, list | tuple):
        return [_nested(entry, depth - 1) for entry in node.entries()]
    return node.number()


def _shown(value: object) -> str:
    """Return a value as files write it, shortened."""
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    try:
        return reprlib.repr(value)
    except ValueError:  # TOML has integers of any length, and Python prints 4300 digits at most
        return "a number of thousands of digits"
