"""Elements to the text of an XML document."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

from poinsot.errors import ModelError

__all__ = ["Tag", "number_text", "numbers_text", "to_xml"]

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document can hold, however they are written."""


@dataclass(frozen=True)
class Tag:
    """An element to be written: its tag, attributes in order, and children."""

    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Tag] = field(default_factory=list)


def to_xml(root: Tag) -> str:
    """Return a document with one element per line.

    Raises:
        ModelError: If a name holds a character that XML cannot.

    >>> print(to_xml(Tag("robot", {"name": "a & b"}, [Tag("link", {"name": "c"})])), end="")
    <?xml version="1.0" encoding="utf-8"?>
    <robot name="a &amp; b">
      <link name="c"/>
    </robot>
    """
    lines = ['<?xml version="1.0" encoding="utf-8"?>']
    _write(root, "", lines)
    return "\n".join(lines) + "\n"


def number_text(number: float) -> str:
    """Return a number in the fewest digits that read back to its bits.

    >>> number_text(0.1), number_text(2.0)
    ('0.1', '2')
    """
    text = repr(float(number))
    return text.removesuffix(".0")


def numbers_text(numbers: tuple[float, ...]) -> str:
    """Return numbers with spaces between them."""
    return " ".join(map(number_text, numbers))


def _write(tag: Tag, indent: str, lines: list[str]) -> None:
    opening = " ".join([tag.name, *(f"{k}={_quoted(v)}" for k, v in tag.attributes.items())])
    if not tag.children:
        lines.append(f"{indent}<{opening}/>")
        return
    lines.append(f"{indent}<{opening}>")
    for child in tag.children:
        _write(child, indent + "  ", lines)
    lines.append(f"{indent}</{tag.name}>")


def _quoted(value: str) -> str:
    if _NO_XML.search(value):
        raise ModelError(f"XML cannot hold the text {value!r}; rename it")
    return quoteattr(value, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})
