"""The pool of nodes: it holds each one weakly, under what the node is made of.

As ``weakref.WeakValueDictionary``, but for the guard of tables that are walked while they shrink:
this one is never walked, and finding and keeping nodes is a good part of tracing.
"""

from __future__ import annotations

from _weakref import _remove_dead_weakref  # type: ignore[attr-defined]  # as weakref.py does
from collections.abc import Hashable
from typing import Any
from weakref import ref


class _Reference(ref[Any]):
    """A weak reference that knows where the pool keeps it."""

    __slots__ = ("identity",)

    identity: Hashable


references: dict[Hashable, _Reference] = {}


def keep(identity: Hashable, node: object) -> None:
    """Put a new node into the pool; it leaves with whoever holds it last."""
    reference = _Reference(node, _forget)
    reference.identity = identity
    references[identity] = reference


def _forget(reference: _Reference) -> None:
    _remove_dead_weakref(references, reference.identity)  # in one step: threads may share the pool
