"""One element of an XML document; what it hands out is checked, and messages name its line."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

from poinsot.errors import ModelError

__all__ = ["SHOWN", "Element"]

SHOWN = 60
"""How many characters of a wrong value a message shows."""


@dataclass(eq=False)
class Element:
    """One element: its tag, attributes and children, the line on which it begins, and of what."""

    tag: str
    attributes: dict[str, str]
    line: int
    source: str
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> list[Element]:
        """Return the children with this tag."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> Element | None:
        """Return the first child with this tag, or None."""
        return next((child for child in self.children if child.tag == tag), None)

    def the(self, tag: str, where: str) -> Element:
        """Return the first child with this tag, rejecting that there is none.

        Args:
            tag: What to look for.
            where: What the element describes, e.g. ``"joint 'elbow'"``; opens messages.
        """
        child = self.first(tag)
        if child is None:
            self.refuse(f"{where}: there must be a <{tag}> in <{self.tag}>")
        return child

    def text(self, attribute: str, where: str) -> str:
        """Return the value of an attribute, rejecting a missing or blank one."""
        value = self.attributes.get(attribute, "")
        if not value.strip():
            self.refuse(f"{where}: <{self.tag}> must have the attribute {attribute!r}")
        return value

    def number(self, attribute: str, where: str, default: float | None = None) -> float:
        """Return an attribute as one finite number; without default it must be there."""
        if default is not None and attribute not in self.attributes:
            return default
        return self.numbers(attribute, where, 1)[0]

    def vector(
        self, attribute: str, where: str, default: tuple[float, float, float]
    ) -> tuple[float, float, float]:
        """Return an attribute as three finite numbers."""
        if attribute not in self.attributes:
            return default
        x, y, z = self.numbers(attribute, where, 3)
        return (x, y, z)

    def numbers(
        self, attribute: str, where: str, least: int, most: int | None = None
    ) -> list[float]:
        """Return an attribute as finite numbers.

        Args:
            attribute: Which one; it must be there.
            where: What the element describes; opens messages.
            least: How many numbers there must be at least.
            most: How many at most; as many as ``least`` by default.
        """
        most = least if most is None else most
        words = self.text(attribute, where).split(maxsplit=most)
        if not least <= len(words) <= most:
            wordings = {1: "one number", 3: "three numbers"}
            some = wordings.get(most, f"{most} numbers")
            self._refuse_value(
                attribute, where, some if least == most else f"{least} to {most} numbers"
            )
        return [self._float(word, attribute, where) for word in words]

    def keyword(self, attribute: str, where: str, known: tuple[str, ...], default: str) -> str:
        """Return an attribute that is one of the known words."""
        value = self.attributes.get(attribute, default)
        if value not in known:
            self._refuse_value(attribute, where, " or ".join(map(repr, known)))
        return value

    def refuse(self, message: str) -> NoReturn:
        """Raise :class:`ModelError` with the line of this element."""
        raise ModelError(f"{self.source}, line {self.line}: {message}")

    @contextmanager
    def named(self, where: str) -> Iterator[None]:
        """Tell the line in what the model rejects, and in ``ValueError`` of what an element holds.

        Args:
            where: What the element describes; opens messages that do not begin so.
        """
        try:
            yield
        except ValueError as error:  # ModelError is one
            text = str(error)
            if isinstance(error, ModelError) and text.startswith(self.source.split()[0]):
                raise
            self.refuse(text if text.startswith(where) else f"{where}: {text}")

    def _float(self, word: str, attribute: str, where: str) -> float:
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        if not math.isfinite(value) or "_" in word:  # Python reads 1_000, XML does not
            self._refuse_value(attribute, where, "finite numbers")
        return value

    def _refuse_value(self, attribute: str, where: str, what: str) -> NoReturn:
        value = self.attributes[attribute]
        hint = "; expand the file with xacro first" if "${" in value else ""
        shown = value if len(value) <= SHOWN else value[:SHOWN] + "..."
        self.refuse(f"{where}: {attribute} of <{self.tag}> must be {what}, got {shown!r}{hint}")
