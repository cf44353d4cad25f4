"""Programmes that laws follow, recorded while the laws are traced: runs ask them how they went."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.spatial import Array

__all__ = [
    "FollowedPart", "FollowedProgramme", "SingularPlace", "StatesBetween", "record_programme",
    "recorded_programmes",
]  # fmt: skip

StatesBetween: TypeAlias = Callable[[Array], Array]
"""Times [s], shape (k,) -> configurations of a run there, shape (k, nq)."""


class SingularPlace(NamedTuple):
    """Where a programme was singular along a run.

    Attributes:
        t: Time [s].
        words: Configuration, rank, rows and joints there, and what may help.
    """

    t: float
    words: str

    def told(self, run: str = "") -> str:
        """Return it in words; ``run`` names one of many runs."""
        return f"the programme of its law is singular at t = {self.t:.6g} s{run}, {self.words}"


class FollowedProgramme(Protocol):
    """A law that follows a programme f(q, t) = 0."""

    def singular_along(
        self, t: Array, q: Array, stopped: NDArray[np.bool_], between: StatesBetween | None = None
    ) -> Mapping[int, SingularPlace]:
        """Return where rows of the programme depend on each other, by the numbers of runs.

        Args:
            t: Times [s], shape (n,) or (r, n).
            q: Configurations of r runs there, shape (r, n, nq); NaN after the end of a run.
            stopped: Whether each ended early, shape (r,).
            between: Configurations of the one run at other times.
        """


@dataclass(frozen=True)
class FollowedPart:
    """A programme of a part, as runs of the whole ask for it.

    Attributes:
        programme: That of the part.
        first: Number of its first coordinate among all.
        nq: How many it has.
    """

    programme: FollowedProgramme
    first: int
    nq: int

    def singular_along(
        self, t: Array, q: Array, stopped: NDArray[np.bool_], between: StatesBetween | None = None
    ) -> Mapping[int, SingularPlace]:
        """Return where rows depend on each other; see ``FollowedProgramme``."""
        own = slice(self.first, self.first + self.nq)
        inner = None if between is None else lambda times: between(times)[..., own]
        return self.programme.singular_along(t, q[..., own], stopped, inner)


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
