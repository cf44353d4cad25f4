"""What a batch would take, told before it is taken."""

from __future__ import annotations

import os

from poinsot.errors import PoinsotError

SHARE = 0.75
"""Part of the computer's memory that the states of a batch may take."""


def check_memory(n_runs: int, n_times: int, size: int) -> None:
    """Refuse a batch whose states do not fit into the memory of this computer.

    Args:
        n_runs: Runs.
        n_times: Stored states of each.
        size: Numbers in a state.
    """
    needed, there = 8 * n_runs * n_times * size, installed_memory()
    if there is not None and needed > SHARE * there:
        raise PoinsotError(
            f"simulate: {n_runs} runs of {n_times} states of {size} numbers each take "
            f"{needed / 2**30:.3g} GiB, and this computer has {there / 2**30:.3g} GiB; store fewer "
            "states (save=a time between them, or an array of times) or simulate the runs in parts"
        )


def installed_memory() -> int | None:
    """Return the memory of this computer [bytes]; None where the system does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
