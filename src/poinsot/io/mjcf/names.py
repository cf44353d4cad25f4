"""Names for what a file leaves without one, and for the bodies that we add."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["MjcfNames"]


class MjcfNames:
    """Names that are taken; asking for one twice gives another the second time."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def free(self, name: str) -> str:
        """Return the name, with as many ``'`` as make it unique, and take it."""
        while name in self._taken:
            name += "'"
        self._taken.add(name)
        return name
