"""The words of a formula, and messages that point at one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

from poinsot.errors import FormulaError

LONGEST: Final = 10_000
"""Most characters in a formula."""

_SHOWN = 60
"""Characters that a message shows on either side of the character it points at."""

_HINTS: Final = {
    "^": "for powers write **",
    "=": "to compare write ==",
    "%": "for a remainder write mod(x, y)",
    "[": "use round brackets",
    "{": "use round brackets",
    "\N{MINUS SIGN}": "write an ASCII '-'",
    "\N{MULTIPLICATION SIGN}": "write *",
    "\N{MIDDLE DOT}": "write *",
}


class TokenKind(Enum):
    """What a token is."""

    NUMBER = 0
    NAME = 1
    SYMBOL = 2
    END = 3


NUMBER, NAME, SYMBOL, END = TokenKind.NUMBER, TokenKind.NAME, TokenKind.SYMBOL, TokenKind.END


class Token(NamedTuple):
    """A word of a formula and where it starts."""

    kind: TokenKind
    text: str
    offset: int


_WORD = re.compile(
    r"(?P<NUMBER>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<NAME>(?:[^\W\d]\w*|\"[^\"]*\"|'[^']*')(?:\.(?:\w+|\"[^\"]*\"|'[^']*'))*)"
    r"|(?P<SYMBOL>\*\*|<=|>=|==|[-+*/<>(),])"
)
_SPACE = re.compile(r"\s*")


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a formula, the last of them ``END``."""
    if len(text) > LONGEST:
        raise error_at(
            text, LONGEST, f"a formula has at most {LONGEST} characters, got {len(text)}"
        )
    offset = _after_space(text, 0)
    while offset < len(text):
        word = _WORD.match(text, offset)
        if word is None or word.lastgroup is None:
            hint = _HINTS.get(text[offset])
            raise error_at(
                text, offset, f"unexpected {text[offset]!r}" + (f"; {hint}" if hint else "")
            )
        yield Token(TokenKind[word.lastgroup], word.group(), offset)
        offset = _after_space(text, word.end())
    yield Token(END, "", len(text))


def error_at(text: str, offset: int, what: str) -> FormulaError:
    """Return the error that shows the formula and points at a character of it."""
    start, stop = max(0, offset - _SHOWN), min(len(text), offset + _SHOWN)
    shown = "".join(c if c.isprintable() else " " for c in text[start:stop])
    before, after = "..." if start else "", "..." if stop < len(text) else ""
    caret = " " * (len(before) + offset - start) + "^"
    return FormulaError(f"{what}\n    {before}{shown}{after}\n    {caret}")


def _after_space(text: str, offset: int) -> int:
    space = _SPACE.match(text, offset)
    assert space is not None
    return space.end()
