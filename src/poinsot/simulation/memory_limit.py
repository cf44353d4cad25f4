"""The memory of stored states, checked before it is allocated."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from poinsot.errors import PoinsotError

SHARE = 0.75
"""Part of the computer's memory that the states of runs may take."""
LIMIT: Final = Path("/sys/fs/cgroup/memory.max")
"""The file with the memory limit of a container on Linux, a number or ``max``."""


def check_memory(n_runs: int, n_times: float, size: int) -> None:
    """Reject runs whose states do not fit into the memory of this computer.

    Args:
        n_runs: Runs.
        n_times: Stored states of each.
        size: Numbers in a state.
    """
    needed, there = 8 * n_runs * n_times * size, installed_memory()
    if there is not None and needed > SHARE * there:
        raise PoinsotError(
            f"simulate: {_shown(n_runs)} of {n_times:.9g} states of {size} numbers each "
            f"take{'s' if n_runs == 1 else ''} {needed / 2**30:.3g} GiB, and this computer has "
            f"{there / 2**30:.3g} GiB; store fewer states (save=a time between them, or an array "
            "of times) or simulate in parts"
        )


def _shown(n_runs: int) -> str:
    return "a run" if n_runs == 1 else f"{n_runs} runs"


def installed_memory() -> int | None:
    """Return the memory that a process may take [bytes]; None where that is unknown."""
    try:
        there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
    try:  # a container may have less
        return min(there, int(LIMIT.read_text()))
    except (OSError, ValueError):
        return there
