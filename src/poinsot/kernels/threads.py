"""Large batches split over threads.

The calling thread and helpers from a thread pool take ranges of states from a queue until it is
empty, so a helper that starts late or never costs no more than its share of the work.
``POINSOT_NUM_THREADS`` says how many threads work on a batch; all processors by default.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from poinsot.errors import PoinsotError

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

WORTH_A_THREAD: Final = 8_000_000
"""Operations that pay for another thread: about 0.3 ms, where waking it takes 0.05 ms."""
GRAIN: Final = 8
"""Ranges begin at multiples of this many states: whole cache lines, whole groups of lanes."""
RANGES_EACH: Final = 16
"""Ranges per thread, so that a delayed thread leaves its share to the others."""
NEVER: Final = 2**62
MOST_HELPERS: Final = 256


def thread_count() -> int:
    """Return how many threads may work on a batch."""
    text = os.environ.get("POINSOT_NUM_THREADS", "").strip()
    if not text:
        return _processors()
    if not (text.isascii() and text.isdigit() and int(text) >= 1):
        raise PoinsotError(
            f"POINSOT_NUM_THREADS must be a whole number, 1 or more, got {text!r}; "
            f"leave it out for one thread on each of the {_processors()} processors"
        )
    return min(int(text), MOST_HELPERS + 1)


def worthwhile_from(work: int) -> int:
    """Return the number of states, 2 or more, from which threads help.

    Args:
        work: Operations per state.
    """
    return NEVER if thread_count() == 1 else max(2, 2 * WORTH_A_THREAD // max(work, 1))


def run_ranges(function: Callable[[int, int], None], n_states: int, work: int) -> None:
    """Call ``function(start, stop)`` on ranges that make up 0..n_states, some at the same time.

    Ranges have at least ``GRAIN`` states, or all of them.  The first exception is raised when all
    threads are done.

    Args:
        function: Releases the GIL.
        n_states: States in the batch.
        work: Operations per state.
    """
    n_threads = 1
    if n_states * work >= 2 * WORTH_A_THREAD:
        n_threads = min(thread_count(), n_states * work // WORTH_A_THREAD, n_states // GRAIN)
    if n_threads <= 1:
        function(0, n_states)
        return
    from concurrent.futures import wait

    ranges = split(n_states, n_threads * RANGES_EACH)
    lock = threading.Lock()

    def take() -> None:
        while True:
            with lock:
                bounds = next(ranges, None)
            if bounds is None:
                return
            function(*bounds)

    helpers = _called_in(take, n_threads - 1)
    try:
        take()
    finally:  # in any case: ranges in progress must end first
        begun = [helper for helper in helpers if not helper.cancel()]
        wait(begun)
    for helper in begun:
        helper.result()


def split(n_states: int, n_ranges: int) -> Iterator[tuple[int, int]]:
    """Yield about equal ranges that begin at multiples of ``GRAIN``.

    >>> list(split(50, 3))
    [(0, 16), (16, 32), (32, 50)]
    """
    grains = n_states // GRAIN
    n_ranges = max(1, min(n_ranges, grains))
    starts = [GRAIN * (k * grains // n_ranges) for k in range(n_ranges)]
    yield from zip(starts, [*starts[1:], n_states], strict=True)


_pool: ThreadPoolExecutor | None = None
_pool_lock = threading.Lock()


def _called_in(task: Callable[[], None], n: int) -> list[Future[None]]:
    """Start a task on threads of the pool, which lives as long as the process."""
    from concurrent.futures import ThreadPoolExecutor

    global _pool  # noqa: PLW0603
    with _pool_lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(MOST_HELPERS, thread_name_prefix="poinsot")
        helpers: list[Future[None]] = []
        try:
            for _ in range(n):
                helpers.append(_pool.submit(task))
        except RuntimeError:
            pass  # the interpreter is shutting down, or no more threads can be had
        return helpers


def _forget_pool() -> None:
    """Reset the pool in a forked process, which has none of its parent's threads."""
    global _pool, _pool_lock
    _pool, _pool_lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
