"""The threads that work on a batch of runs, and the one that waits for them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeAlias

from poinsot.kernels.threads import thread_count
from poinsot.simulate.batch.book import Book
from poinsot.simulate.integrate import PACE
from poinsot.simulate.interruption import Interruption
from poinsot.simulate.progress import ProgressBar

Task: TypeAlias = Callable[[int, int, Callable[[], bool]], None]
"""Works on the runs start..stop-1 until they have ended or the function says that it shall stop."""


def work_off(
    task: Task, parts: Iterable[tuple[int, int]], book: Book, progress: bool | None
) -> None:
    """Have a task done on all parts, as many at the same time as there are threads.

    The calling thread waits, sees to the bar and hears of Ctrl-C: tasks are told to stop then.  The
    first exception of a task is raised when all have ended.

    Args:
        task: Lets other threads run meanwhile.
        parts: Ranges of runs.
        book: What is known of the runs.
        progress: Whether to show a bar; None: on a terminal, if it takes long.
    """
    todo, lock, stop = iter(parts), threading.Lock(), threading.Event()

    def take() -> None:
        while not stop.is_set():
            with lock:
                bounds = next(todo, None)
            if bounds is None:
                return
            try:
                task(*bounds, stop.is_set)
            except BaseException:
                stop.set()
                raise

    n_threads = 1 if book.equations.callbacks else thread_count()  # a callback knows one run
    duration, n_runs = book.plan.duration, len(book.starts)
    bar = ProgressBar(book.equations.mechanism.name, duration, progress)
    with (
        Interruption() as interruption,
        ThreadPoolExecutor(n_threads, thread_name_prefix="poinsot") as pool,
    ):
        workers = [pool.submit(take) for _ in range(n_threads)]
        try:
            while wait(workers, timeout=PACE).not_done:
                bar.show(duration * book.done / n_runs)
                if interruption.asked:
                    stop.set()
        except BaseException:
            stop.set()
            raise
        finally:
            bar.close()
    for worker in workers:
        worker.result()
