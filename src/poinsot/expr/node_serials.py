"""The numbers of nodes, and how many a thread may make: a trace that gets too long is given up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from poinsot.errors import ProgramError

_serials = count()
_budgets: dict[int, int] = {}
"""Nodes that a thread may still make, by thread, where that is limited."""


class TooManyNodesError(ProgramError):
    """A graph has become larger than it may be."""


@contextmanager
def nodes_at_most(limit: int) -> Iterator[None]:
    """Run a block in which this thread may make so many nodes.

    Those of a block within it count there only.

    Raises:
        TooManyNodesError: When it makes more.
    """
    thread = threading.get_ident()
    outer = _budgets.get(thread)
    _budgets[thread] = limit
    try:
        yield
    finally:
        del _budgets[thread]
        if outer is not None:
            _budgets[thread] = outer


def next_serial() -> int:
    """Return the number of a new node, taken from the budget of this thread if it has one."""
    if _budgets:
        thread = threading.get_ident()
        left = _budgets.get(thread, -1)
        if left == 0:
            raise TooManyNodesError("a graph has more nodes than it may have")
        if left > 0:
            _budgets[thread] = left - 1
    return next(_serials)
