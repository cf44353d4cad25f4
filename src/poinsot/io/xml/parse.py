"""The guarded parser: a document becomes a tree of elements.

It is the standard library's expat, used directly: ``xml.etree`` hides line numbers, and
``defusedxml`` would be one more dependency for what is one handler here.  A document type, without
which no entity can be declared, is refused as soon as it begins; so nothing is expanded and nothing
outside the text is opened.  Size and depth are bounded.  Text between tags is dropped, as the model
formats have none.
"""

from __future__ import annotations

import os
import re
from typing import NoReturn
from xml.parsers import expat

from poinsot.errors import ModelError
from poinsot.io.xml.element import SHOWN, Element

__all__ = ["MAX_DEPTH", "MAX_SIZE", "outermost_tag", "parse_xml"]

MAX_SIZE = 64 * 2**20
"""Largest file [bytes]; robots take some 100 kB."""

MAX_DEPTH = 500
"""Deepest nesting of elements, as much as tinyxml2 allows, which ROS and MuJoCo read with."""

_ENCODINGS = re.compile(r"(?i)utf-?(8|16|16[lb]e)|(us-)?ascii|iso-8859-\d+|latin1|windows-125\d")
"""What a document may declare; for others expat would run any of Python's codecs."""

_MOST_ATTRIBUTES = 100
"""Of one element; MuJoCo's richest has 40."""


def parse_xml(text: str | bytes, source: str) -> Element:
    """Return the root element of an XML document.

    Args:
        text: The document; bytes are decoded as it declares, or else as UTF-8.
        source: What messages call the document, e.g. ``"URDF"``.

    Raises:
        ModelError: If it is not well-formed, declares a document type, or is too large or deep.
    """
    try:
        data = text.encode() if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        raise ModelError(f"{source}: not a text: {error}") from error
    if len(data) > MAX_SIZE:
        raise ModelError(f"{source}: {len(data)} bytes are more than the {MAX_SIZE} that are read")
    # For text the encoding is ours, whatever the document declares.
    parser = expat.ParserCreate("utf-8" if isinstance(text, str) else None)
    document = Element("", {}, 0, source)
    open_elements = [document]

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Element(tag, attributes, parser.CurrentLineNumber, source)
        if len(open_elements) > MAX_DEPTH:
            element.refuse(f"<{tag[:SHOWN]}> is nested more than {MAX_DEPTH} deep")
        if len(attributes) > _MOST_ATTRIBUTES:
            element.refuse(f"<{tag[:SHOWN]}> has more than {_MOST_ATTRIBUTES} attributes")
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        open_elements.pop()

    def doctype(*_: object) -> NoReturn:
        raise ModelError(
            f"{source}, line {parser.CurrentLineNumber}: a document type (<!DOCTYPE ...>) may "
            "declare entities and is not read; remove it"
        )

    def declaration(_: str, encoding: str | None, __: int) -> None:
        if encoding is not None and not _ENCODINGS.fullmatch(encoding):
            raise ModelError(
                f"{source}: the encoding {encoding[:SHOWN]!r} is not read; save the file as UTF-8"
            )

    if isinstance(text, bytes):
        parser.XmlDeclHandler = declaration
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)
    except ModelError:
        raise
    except (expat.ExpatError, ValueError, LookupError) as error:  # the last two: odd encodings
        raise ModelError(f"{source}: not well-formed XML: {error}") from error
    return document.children[0]


def outermost_tag(path: str | os.PathLike[str]) -> str:
    """Return the tag of the root element of an XML file, which says what kind of file it is.

    Raises:
        ModelError: If it is no XML that is read here; the message begins with the file.
        OSError: If the file cannot be read.
    """
    with open(path, "rb") as file:
        data = file.read(MAX_SIZE + 1)
    return parse_xml(data, f"{os.fspath(path)}: XML").tag
