"""Equations as files: LaTeX, Markdown or text."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Protocol

from poinsot.errors import ModelError
from poinsot.io.atomic_write import write_whole

__all__ = ["WrittenEquations", "save_equations"]


class WrittenEquations(Protocol):
    """Equations that can be written in three ways."""

    def document(self, *quantities: str, view: str = ...) -> str:
        """Return them as a LaTeX document."""

    def markdown(self, *quantities: str, view: str = ...) -> str:
        """Return them as Markdown."""

    def text(self, *quantities: str, view: str = ...) -> str:
        """Return them as text."""


def save_equations(
    where: str, equations: WrittenEquations, path: str | PathLike[str],
    quantities: str | Sequence[str], view: str,
) -> None:  # fmt: skip
    """Write equations to a file, whose ending says what it is.

    Args:
        where: Opens the message of an error.
        equations: What to write.
        path: The file, replaced as a whole if it exists.
        quantities: Which ones, by name.
        view: How they are shown.
    """
    kinds = {".tex": equations.document, ".md": equations.markdown, ".txt": equations.text}
    file = Path(path)
    if file.suffix not in kinds:
        raise ModelError(
            f"{where}: the file must end in {', '.join(kinds)}, got {file.name!r}; programs come "
            "from system.export"
        )
    names = (quantities,) if isinstance(quantities, str) else quantities
    write_whole(file, kinds[file.suffix](*names, view=view))
