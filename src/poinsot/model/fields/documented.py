"""The part of a docstring that describes the fields."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import Field
from inspect import cleandoc
from textwrap import wrap
from typing import Any, Final

from poinsot.model.fields.field import DECLARATION, Declaration

__all__ = ["documented"]

WIDTH: Final = 96
_EXAMPLES: Final = "\n\nExamples:\n"
_FIRST_WORDS = re.compile(r"[^;:,(]*[^;:,( ]")
"""What a meaning says before it goes on: the unit follows it."""


def documented(text: str | None, fields: Sequence[Field[Any]]) -> str | None:
    """Return a docstring with a section for the declared fields, in the constructor's order.

    Args:
        text: The docstring; None where Python leaves them out.
        fields: Those of the class.
    """
    in_order = sorted(fields, key=lambda one: bool(one.kw_only))
    lines = [line for one in in_order for line in _lines(one)]
    if text is None or not lines:
        return text
    body, examples, rest = cleandoc(text).partition(_EXAMPLES)
    return "\n".join([body, "", "Attributes:", *lines]) + examples + rest


def _lines(field: Field[Any]) -> Iterator[str]:
    stated: Declaration | None = field.metadata.get(DECLARATION)
    if stated is not None:
        meaning = stated.meaning
        if stated.unit:
            meaning = _FIRST_WORDS.sub(
                lambda found: f"{found[0]} [{stated.unit}]", meaning, count=1
            )
        if stated.kind.words:
            meaning = f"{meaning}, {stated.kind.words}"
        yield from wrap(
            f"{field.name}: {meaning}.", WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
