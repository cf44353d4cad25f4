"""The part of a docstring that describes the fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import Field, fields
from typing import Any, Final

from poinsot.model.fields.field import DECLARATION, Declaration

__all__ = ["with_fields"]

WIDTH: Final = 96
_EXAMPLES: Final = "\n\nExamples:\n"
_FIRST_WORDS: Final = r"[^;:,(]*[^;:,( ]"
"""The first clause of a meaning: the unit and the range follow it."""


def with_fields(text: str | None, owner: type[Any]) -> str | None:
    """Return a docstring with a section for the declared fields, in the constructor's order.

    It is text, as ``help`` wants it; None where Python leaves docstrings out.
    """
    from inspect import cleandoc

    if text is None:
        return None

    in_order = sorted(fields(owner), key=lambda attribute: bool(attribute.kw_only))
    lines = [line for attribute in in_order for line in _lines(attribute)]
    body, examples, rest = cleandoc(text).partition(_EXAMPLES)
    section = ["", "Attributes:", *lines] if lines else []
    return "\n".join([body, *section]) + examples + rest


def _lines(field: Field[Any]) -> Iterator[str]:
    from textwrap import wrap

    stated: Declaration | None = field.metadata.get(DECLARATION)
    if stated is not None:
        more = f" [{stated.unit}]" if stated.unit else ""
        more += f", {stated.kind.words}" if stated.kind.words else ""
        meaning = re.sub(_FIRST_WORDS, lambda match: match[0] + more, stated.meaning, count=1)
        yield from wrap(
            f"{field.name}: {meaning}.", WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
