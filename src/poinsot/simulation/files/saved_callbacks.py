"""Resets that Python calls and files can hold nevertheless: they tell what they are made of.

Such a function has ``file_tree()``, a tree of plain values with its "kind"; ``READERS`` makes the
function again.  No file can name code of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from poinsot.errors import PoinsotError
from poinsot.io.native.node import Node
from poinsot.lazy import when_called
from poinsot.model import Mechanism
from poinsot.simulation.laws.callback import Callback

__all__ = ["callback_from_tree", "callback_tree"]

READERS: Final[Mapping[str, Callable[[Mechanism, Node], Callback]]] = {
    "contacts": when_called("poinsot.front.contact_files:contacts_from_tree"),
}


def callback_tree(callback: object) -> dict[str, Any] | None:
    """Return the tree of a callback; None of a function that does not tell what it is made of."""
    if not isinstance(callback, Callback):
        return None
    owner = getattr(callback.function, "__self__", None)
    told = getattr(owner, "file_tree", None)
    try:
        return None if told is None else told()
    except PoinsotError:  # a constraint that is a Python function, for instance
        return None


def callback_from_tree(mechanism: Mechanism, node: Node) -> Callback:
    """Return the callback that ``callback_tree`` wrote."""
    kind = node.value.get("kind") if isinstance(node.value, Mapping) else None
    if not isinstance(kind, str) or kind not in READERS:
        raise node.must_be(f"an object with a kind of {', '.join(READERS)}")
    return READERS[kind](mechanism, node)
