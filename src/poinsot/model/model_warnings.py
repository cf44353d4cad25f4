"""Warnings about a description, each by itself or one for a whole file.

A file with thirty doubtful inertias gives one warning with a short list, not thirty warnings, and
says nothing twice.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType

from poinsot.errors import ModelWarning

__all__ = ["Gathered", "already_warned", "listed", "warn"]

_SHOWN = 5
"""How many warnings the one about a whole file shows."""

_PRINTED = 20
"""How many names a list shows."""

_open: ContextVar[dict[str, None] | None] = ContextVar("gathered warnings", default=None)


def warn(text: str, stacklevel: int = 2) -> None:
    """Warn with :class:`ModelWarning`, or keep the text while warnings are gathered.

    Args:
        text: What is doubtful, beginning with the name of the thing.
        stacklevel: Whose line the warning shows, as ``warnings.warn`` counts: 1 is the caller.
    """
    texts = _open.get()
    if texts is None:
        warnings.warn(text, ModelWarning, stacklevel=stacklevel + 1)
    else:
        texts[text] = None


class Gathered:
    """Gathers the warnings that are given inside ``with``, and gives one at its end.

    Nested, it passes them on to the outer one.  After an error there are none.
    """

    def __init__(self, where: str) -> None:
        """Begin; ``where`` opens the warning, e.g. with the name of the file."""
        self._where = where
        self._texts: dict[str, None] = {}

    def __enter__(self) -> None:
        """Gather from here."""
        self._token = _open.set(self._texts)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:  # fmt: skip
        """Give the warning, on the line that called the function with the ``with``."""
        _open.reset(self._token)
        if kind is not None or not self._texts:
            return
        outer = _open.get()
        if outer is not None:
            outer |= self._texts
            return
        texts, more = list(self._texts)[:_SHOWN], len(self._texts) - _SHOWN
        if len(self._texts) == 1:
            text = f"{self._where}: {texts[0]}"
        else:
            rest = [f"... ({more} more)"] if more > 0 else []
            lines = "\n  ".join([*texts, *rest])
            text = f"{self._where}: {len(self._texts)} warnings:\n  {lines}"
        warnings.warn(text, ModelWarning, stacklevel=3)


@contextmanager
def already_warned() -> Iterator[None]:
    """Drop the warnings inside ``with``: about parts that are copied, and were warned of before."""
    token = _open.set({})
    try:
        yield
    finally:
        _open.reset(token)


def listed(names: Sequence[str], between: str = ", ") -> str:
    """Return names in quotes, the first twenty of them."""
    more = [f"... ({len(names) - _PRINTED} more)"] if len(names) > _PRINTED else []
    return between.join([*map(repr, names[:_PRINTED]), *more])
