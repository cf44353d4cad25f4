"""Letters of symbols, no two of which have the same name or look the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from poinsot.algebra.letter_styles import latex_name, unicode_name

Form: TypeAlias = Callable[[str], str]
"""Writes a letter with strokes behind it, none if it is new."""


@dataclass(frozen=True)
class Letter:
    """The notation and meaning of a symbol.

    Attributes:
        name: Its name, that of the symbol.
        unicode: The name for the eye.
        latex: The name as mathematics.
        meaning: What it is, in words.
        unit: Its unit; empty where it is not known.
        rank: Where it stands among factors: parameters first, rates last.
    """

    name: str
    unicode: str
    latex: str
    meaning: str
    unit: str = ""
    rank: int = 3


class Alphabet:
    """Letters by name; letters that look alike are told apart by primes.

    Args:
        letters: The initial ones.

    Attributes:
        letters: All letters by name.
    """

    def __init__(self, letters: Iterable[Letter] = ()) -> None:
        self.letters = {letter.name: letter for letter in letters}
        self._seen = {x for letter in self.letters.values() for x in (letter.unicode, letter.latex)}

    def add(
        self,
        name: str,
        unicode: Form,
        latex: Form,
        meaning: str,
        unit: str = "",
        rank: int = 3,
    ) -> str:
        """Add a letter, and return its name.

        Args:
            name: The name that it gets if nobody has it yet.
            unicode: The form for the eye, with strokes behind it.
            latex: The form in LaTeX, likewise.
            meaning: What it is, in words.
            unit: Its unit.
            rank: Where it stands among factors.

        >>> alphabet = Alphabet()
        >>> for name in ("m1", "m_1"):
        ...     added = alphabet.add_named(name, "mass")
        ...     print(added, alphabet.letters[added].unicode)
        m1 m₁
        m_1 m_1_
        """
        while name in self.letters:
            name += "_"
        for_eye, in_latex = self._unseen(unicode), self._unseen(latex)
        self._seen |= {for_eye, in_latex}
        self.letters[name] = Letter(name, for_eye, in_latex, meaning, unit, rank)
        return name

    def add_named(self, name: str, meaning: str, unit: str = "", rank: int = 3) -> str:
        """Add a letter whose forms its name says, and return its name."""

        def for_eye(strokes: str) -> str:
            return unicode_name(name + strokes)

        def in_latex(strokes: str) -> str:
            return latex_name(name + strokes)

        return self.add(name, for_eye, in_latex, meaning, unit, rank)

    def _unseen(self, form: Form) -> str:
        strokes = ""
        while (text := form(strokes)) in self._seen:
            strokes += "_"
        return text
