"""XML as a tree of elements with line numbers, safe to read from anyone.

The parser is the standard library's expat, used directly: ``xml.etree`` hides line numbers, and
``defusedxml`` would be one more dependency for what is one handler here.  A document type, without
which no entity can be declared, is refused as soon as it begins; so nothing is expanded and nothing
outside the text is opened.  Size and depth are bounded.  Text between tags is dropped, as URDF has
none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from poinsot.errors import ModelError

__all__ = ["MAX_SIZE", "Element", "parse_xml"]

MAX_SIZE = 64 * 2**20
"""Largest file [bytes]; robots take some 100 kB."""

_MAX_DEPTH = 200
"""Deepest nesting of elements; URDF needs 6, what simulators add a few more."""

_SHOWN = 60
"""How many characters of a wrong value a message shows."""


@dataclass(eq=False)
class Element:
    """One element: its tag, attributes and children, and the line on which it begins."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> list[Element]:
        """Return the children with this tag."""
        return [child for child in self.children if child.tag == tag]

    def first(self, tag: str) -> Element | None:
        """Return the first child with this tag, or None."""
        return next((child for child in self.children if child.tag == tag), None)

    def the(self, tag: str, where: str) -> Element:
        """Return the first child with this tag, refusing that there is none.

        Args:
            tag: What to look for.
            where: What the element describes, e.g. ``"joint 'elbow'"``; opens messages.
        """
        found = self.first(tag)
        if found is None:
            self.refuse(f"{where}: there must be a <{tag}> in <{self.tag}>")
        return found

    def text(self, attribute: str, where: str) -> str:
        """Return the value of an attribute, refusing a missing or blank one."""
        value = self.attributes.get(attribute, "")
        if not value.strip():
            self.refuse(f"{where}: <{self.tag}> must have the attribute {attribute!r}")
        return value

    def number(self, attribute: str, where: str, default: float | None = None) -> float:
        """Return an attribute as one finite number; without default it must be there."""
        if default is not None and attribute not in self.attributes:
            return default
        words = self.text(attribute, where).split()
        if len(words) != 1:
            self._refuse_value(attribute, where, "one number")
        return self._float(words[0], attribute, where)

    def vector(
        self, attribute: str, where: str, default: tuple[float, float, float]
    ) -> tuple[float, float, float]:
        """Return an attribute as three finite numbers."""
        if attribute not in self.attributes:
            return default
        words = self.attributes[attribute].split()
        if len(words) != 3:
            self._refuse_value(attribute, where, "three numbers")
        x, y, z = (self._float(word, attribute, where) for word in words)
        return (x, y, z)

    def refuse(self, message: str) -> NoReturn:
        """Raise :class:`ModelError` with the line of this element."""
        raise ModelError(f"URDF, line {self.line}: {message}")

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
        shown = value if len(value) <= _SHOWN else value[:_SHOWN] + "..."
        self.refuse(f"{where}: {attribute} of <{self.tag}> must be {what}, got {shown!r}{hint}")


def parse_xml(text: str | bytes) -> Element:
    """Return the root element of an XML document.

    Args:
        text: The document; bytes are decoded as it declares, or else as UTF-8.

    Raises:
        ModelError: If it is not well-formed, declares a document type, or is too large or deep.
    """
    try:
        data = text.encode() if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        raise ModelError(f"URDF: not a text: {error}") from error
    if len(data) > MAX_SIZE:
        raise ModelError(f"URDF: {len(data)} bytes are more than the {MAX_SIZE} that are read")
    # For text the encoding is ours, whatever the document declares.
    parser = expat.ParserCreate("utf-8" if isinstance(text, str) else None)
    document = Element("", {}, 0)
    open_elements = [document]

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, parser.CurrentLineNumber)
        if len(open_elements) > _MAX_DEPTH:
            element.refuse(f"<{tag[:_SHOWN]}> is nested more than {_MAX_DEPTH} deep")
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        open_elements.pop()

    def doctype(*_: object) -> NoReturn:
        raise ModelError(
            f"URDF, line {parser.CurrentLineNumber}: a document type (<!DOCTYPE ...>) may declare "
            "entities and is not read; remove it"
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
    except ModelError:
        raise
    except (expat.ExpatError, ValueError, LookupError) as error:  # the last two: odd encodings
        raise ModelError(f"URDF: not well-formed XML: {error}") from error
    return document.children[0]
