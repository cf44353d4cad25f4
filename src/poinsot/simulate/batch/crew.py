"""The threads that work on a batch of runs, and the one that waits for them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait

from poinsot.kernels.threads import thread_count


def work_off(task: Callable[[int, int], None], parts: Iterable[tuple[int, int]]) -> None:
    """Call ``task(start, stop)`` on all parts, as many at the same time as there are threads.

    The calling thread only waits, so that it hears of Ctrl-C at once; parts that have been begun
    are finished then, the others are left out, and KeyboardInterrupt is raised.  So is the first
    exception of a task.

    Args:
        task: Lets other threads run meanwhile.
        parts: Ranges of runs.
    """
    todo, lock, stop = iter(parts), threading.Lock(), threading.Event()

    def take() -> None:
        while not stop.is_set():
            with lock:
                bounds = next(todo, None)
            if bounds is None:
                return
            try:
                task(*bounds)
            except BaseException:
                stop.set()
                raise

    with ThreadPoolExecutor(thread_count(), thread_name_prefix="poinsot") as pool:
        workers = [pool.submit(take) for _ in range(thread_count())]
        try:
            wait(workers)
        except BaseException:
            stop.set()
            raise
    for worker in workers:
        worker.result()
