"""Programmes that laws follow, recorded while the laws are traced: runs ask them how they went."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeAlias

from poinsot.spatial import Array

__all__ = ["FollowedProgramme", "StatesBetween", "record_programme", "recorded_programmes"]

StatesBetween: TypeAlias = Callable[[Array], Array]
"""Times [s], shape (k,) -> configurations of a run there, shape (k, nq)."""


class FollowedProgramme(Protocol):
    """A law that follows a programme f(q, t) = 0."""

    def singular_along(
        self, t: Array, q: Array, *, between: StatesBetween | None = None, stopped: bool = False
    ) -> str | None:
        """Return in words where rows of the programme depend on each other; None: nowhere.

        Args:
            t: Times [s], shape (n,).
            q: Configurations of r runs there, shape (r, n, nq); NaN after the end of a run.
            between: Configurations of the one run at other times.
            stopped: Whether the run ended early.
        """


_recorded: ContextVar[list[FollowedProgramme] | None] = ContextVar("programmes", default=None)


def record_programme(law: FollowedProgramme) -> None:
    """Note that a law that is traced follows a programme."""
    recorded = _recorded.get()
    if recorded is not None and law not in recorded:
        recorded.append(law)


@contextmanager
def recorded_programmes() -> Iterator[list[FollowedProgramme]]:
    """Collect the laws with programmes that are called while a law is traced."""
    recorded: list[FollowedProgramme] = []
    token = _recorded.set(recorded)
    try:
        yield recorded
    finally:
        _recorded.reset(token)
