"""Elements of MJCF as text: all digits of numbers, names in quotes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import quoteattr

from poinsot.errors import ModelError

__all__ = ["numbers_text", "quoted", "tag_text"]


def tag_text(tag: str, attributes: Mapping[str, str], end: str = "/>") -> str:
    """Return an element.

    Args:
        tag: What it is.
        attributes: Their values in quotes already, by name.
        end: ``">"`` leaves it open.
    """
    return " ".join([f"<{tag}", *(f"{key}={value}" for key, value in attributes.items())]) + end


def numbers_text(values: Iterable[float]) -> str:
    """Return numbers in quotes, with all their digits."""
    return '"' + " ".join(repr(float(value)) for value in values) + '"'


def quoted(name: str) -> str:
    """Return a name in quotes, rejecting what XML cannot hold."""
    if any(character < " " and character not in "\t\n\r" for character in name):
        raise ModelError(f"{name!r} cannot be written as XML; rename it")
    return quoteattr(name)
