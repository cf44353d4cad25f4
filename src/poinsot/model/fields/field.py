"""The line that declares a field."""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, dataclass
from typing import Any, Final, Literal

from poinsot.model.fields.kind import AbstractKind

__all__ = ["DECLARATION", "Declaration", "derived", "field"]

DECLARATION: Final = "declaration"
"""Under this key the metadata of a dataclass field holds its declaration."""


@dataclass(frozen=True)
class Declaration:
    """The declaration of a field, without its name.

    Attributes:
        kind: What it holds: check, stored form and form in files.
        meaning: What it is, for ``help``.
        unit: Its unit; empty: it has none.
        default: Its default as a user would give it; ``MISSING``: it must be given.
        in_files: Whether files hold it.
        omit: Whether files omit it at its default; None: as the class does.
        rolled: Whether its numbers are symbols of the rolled form; None: those of numbers are.
    """

    kind: AbstractKind
    meaning: str
    unit: str
    default: Any
    in_files: bool
    omit: bool | None
    rolled: bool | None

    @property
    def numbers(self) -> int:
        """How many numbers of the rolled form it holds."""
        return 0 if self.rolled is False else self.kind.numbers


def field(
    kind: AbstractKind,
    meaning: str,
    *,
    unit: str = "",
    default: Any = MISSING,  # noqa: ANN401
    kw_only: bool = False,
    compare: bool = True,
    in_digest: bool = True,
    in_files: bool = True,
    omit: bool | None = None,
    rolled: bool | None = None,
) -> Any:  # noqa: ANN401 (typed as the field it declares)
    """Declare a field of a description; the class is decorated with ``declared``.

    Args:
        kind: What it holds.
        meaning: What it is, without full stop; ``help`` shows it with unit and range.
        unit: Its unit.
        default: What it is if it is not given; where that is None, None may be given.
        kw_only: Whether it can only be given by keyword.
        compare: Whether it counts for equality.
        in_digest: Whether kernels may depend on it.
        in_files: Whether files hold it, under its name.
        omit: Whether files leave it out where it is as by default.
        rolled: Whether its numbers become symbols of the rolled form.
    """
    stated = Declaration(kind, meaning, unit, default, in_files, omit, rolled)
    metadata = {DECLARATION: stated, "in_digest": in_digest}
    return dataclasses.field(default=default, kw_only=kw_only, compare=compare, metadata=metadata)


def derived(*, init: Literal[False] = False) -> Any:  # noqa: ANN401
    """Declare a field that follows from others: ``_check_together`` stores it."""
    return dataclasses.field(init=init)
