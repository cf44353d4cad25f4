"""One quantity of a system's equations, as users see it."""

from __future__ import annotations

from poinsot.algebra.document import fragment
from poinsot.algebra.equation_views import Views, WrittenQuantities, block
from poinsot.algebra.text import block_text


class Formula(Views):
    """A quantity as expressions of named symbols; it prints itself in its shorter view.

    Attributes:
        name: Which one, e.g. ``"mass_matrix"``.
        entries: Its expressions, in its shape; what they share is not repeated.
    """

    def __init__(self, traced: WrittenQuantities, name: str) -> None:
        super().__init__(traced, name)
        self._letters = traced.symbols.letters
        self._whose = traced.whose

    def __str__(self) -> str:
        return block_text(block([self], "auto", self._letters))

    def __repr__(self) -> str:
        return f"<{self.shown.meaning} of {self._whose!r}, shape {self.shape}>"

    def _repr_latex_(self) -> str:
        return fragment(block([self], "auto", self._letters))
