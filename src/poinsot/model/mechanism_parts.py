"""Names of the elements of mechanisms that are put together or taken apart."""

from __future__ import annotations

from collections.abc import Collection

from poinsot.errors import ModelError
from poinsot.model.body import WORLD

PRINTED = 5
"""How many names a message lists."""


def begins_with(name: str, prefix: str) -> bool:
    """Say whether a name has a prefix and something behind it."""
    return isinstance(prefix, str) and bool(prefix) and name.startswith(prefix) and name != prefix


def checked_name(name: str, where: str) -> str:
    """Return a new name of a body, rejecting that of the world."""
    if name == WORLD:
        raise ModelError(f"{where}: a body would be called {WORLD!r}, as the fixed root; rename it")
    return name


def listed_names(names: Collection[str | None]) -> str:
    """Return names for a message, the first few of them."""
    shown = list(names)[:PRINTED]
    return ", ".join(map(repr, shown)) + ", ..." * (len(names) > PRINTED)
