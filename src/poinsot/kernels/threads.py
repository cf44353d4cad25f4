"""Large batches split over threads.

The calling thread and helpers from a thread pool take ranges of states until none is left, so a
helper that starts late or never costs no more than its share of the work.
``POINSOT_NUM_THREADS`` says how many threads work on a batch; all processors by default.
"""

from __future__ import annotations

import _thread
import os
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Final

from poinsot.errors import PoinsotError

WORTH_A_THREAD: Final = 8_000_000
"""Operations that pay for another thread: about 0.3 ms, where waking it takes 0.05 ms."""
GRAIN: Final = 8
"""Ranges begin at multiples of this many states: whole cache lines, whole groups of lanes."""
RANGES_EACH: Final = 24
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
    return NEVER if thread_count() == 1 else max(2, -(-2 * WORTH_A_THREAD // max(work, 1)))


def threads_for(n_states: int, work: int) -> int:
    """Return how many threads to put to work on a batch.

    Args:
        n_states: States in the batch.
        work: Operations per state.
    """
    if n_states * work < 2 * WORTH_A_THREAD:
        return 1
    return max(1, min(thread_count(), n_states * work // WORTH_A_THREAD, n_states // GRAIN))


def run_together(task: Callable[[], None], n_threads: int) -> None:
    """Call a task in this thread and, at the same time, in helpers.

    A helper that has not begun when this thread is done does not begin.  The first exception is
    raised when all threads are done.

    Args:
        task: Takes work from a queue until it is empty; releases the GIL.
        n_threads: In how many threads, this one included.
    """
    if n_threads == 1:
        task()
        return
    helpers = _called_in(task, n_threads - 1)
    try:
        task()
    finally:  # in any case: ranges in progress must end first
        errors = [helper.end() for helper in helpers]
    for error in errors:
        if error is not None:
            raise error


def split(n_states: int, n_ranges: int) -> Iterator[tuple[int, int]]:
    """Yield about equal ranges that begin at multiples of ``GRAIN``.

    >>> list(split(50, 3))
    [(0, 16), (16, 32), (32, 50)]
    """
    grains = n_states // GRAIN
    n_ranges = max(1, min(n_ranges, grains))
    starts = [GRAIN * (k * grains // n_ranges) for k in range(n_ranges)]
    yield from zip(starts, [*starts[1:], n_states], strict=True)


class _Helper:
    """A task that another thread may do; less than half as slow as a future of the library."""

    def __init__(self, task: Callable[[], None]) -> None:
        self._task = task
        self._error: BaseException | None = None
        self._begun, self._ended = _thread.allocate_lock(), _thread.allocate_lock()
        self._ended.acquire()

    def begin(self) -> None:
        """Do the task, unless it is no longer wanted."""
        if self._begun.acquire(blocking=False):
            try:
                self._task()
            except BaseException as error:  # the caller raises it
                self._error = error
            finally:
                self._ended.release()

    def end(self) -> BaseException | None:
        """Wait until the task is done, if it has begun; return its exception."""
        if not self._begun.acquire(blocking=False):
            self._ended.acquire()
        return self._error


class _Pool:
    """Threads that live as long as the process."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[_Helper] = SimpleQueue()
        self._n_threads, self._lock = 0, threading.Lock()

    def start(self, helpers: list[_Helper]) -> None:
        """Hand tasks to as many threads; fewer if no more can be had."""
        with self._lock:
            while self._n_threads < len(helpers):
                try:
                    threading.Thread(target=self._serve, name="poinsot", daemon=True).start()
                except RuntimeError:  # the interpreter is shutting down, or there are too many
                    break
                self._n_threads += 1
        for helper in helpers:
            self._tasks.put(helper)

    def _serve(self) -> None:
        while True:
            self._tasks.get().begin()


_pool = _Pool()


def _called_in(task: Callable[[], None], n: int) -> list[_Helper]:
    """Start a task on threads of the pool."""
    helpers = [_Helper(task) for _ in range(n)]
    _pool.start(helpers)
    return helpers


def _forget_pool() -> None:
    """Reset the pool in a forked process, which has none of its parent's threads."""
    global _pool  # noqa: PLW0603
    _pool = _Pool()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
