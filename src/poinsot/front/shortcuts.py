"""Calls of quantities by name as machine code: from the second call on, no name is looked up again.

``derivative("pose", q, by="q", body="tool")`` reads names, checks them and finds its kernel; all of
that depends on the names alone.  What is found is kept by them as a builtin function of the arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final

from poinsot.spatial import Array

__all__ = ["Shortcuts"]

KEPT: Final = frozenset({"out", "parameters", "t"})
"""Keywords that machine code understands; a call with others says nothing of the plain one."""


class Shortcuts:
    """The builtin functions of calls by name, by these names."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Callable[..., Array]] = {}

    def find(self, names: Hashable) -> Callable[..., Array] | None:
        """Return the function of a call's names, if it is known."""
        try:
            return self._known.get(names)
        except TypeError:  # a name that cannot be hashed, a list of them
            return None

    def takes(self, names: Hashable, how: Mapping[str, Any]) -> bool:
        """Say whether a call with these keywords may become machine code under its names."""
        try:
            hash(names)
        except TypeError:
            return False
        return how.keys() <= KEPT

    def add(self, names: Hashable, function: Callable[..., Array]) -> None:
        """Keep the function of a call's names."""
        self._known[names] = function
