"""The threads that work on a batch of runs, and the one that waits for them."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.kernels.threads import WORTH_A_THREAD, thread_count
from poinsot.simulation.running.batch.batch_results import BatchResults
from poinsot.simulation.running.monitoring import PACE, Interruption, ProgressBar

StopFlag: TypeAlias = NDArray[np.int64]
"""One number: not 0 when all workers shall stop."""
Task: TypeAlias = Callable[[int, int], None]
"""Advances the runs start..stop-1 until they have ended or the stop flag is set."""


class BatchWriter(Protocol):
    """What writes checkpoints of a batch."""

    def begin(self, batch: BatchResults) -> None:
        """Write the first one."""

    def see(self, batch: BatchResults, *, last: bool) -> None:
        """Write one if it is due, or if it is the last."""


def process_ranges(
    worker: Callable[[StopFlag], Task], ranges: Sequence[tuple[int, int]], batch: BatchResults,
    progress: bool | None, writer: BatchWriter | None = None, work: float = math.inf,
) -> None:  # fmt: skip
    """Process all ranges of a batch, as many at the same time as there are threads.

    The calling thread waits, updates the bar and handles Ctrl-C, which sets the stop flag.
    The first exception of a worker is raised when all have ended.  A batch too small to pay for
    threads runs in the calling thread.

    Args:
        worker: Makes the task of a thread; the task releases the GIL.
        ranges: Ranges of runs.
        batch: The results of the runs.
        progress: Whether to show a bar; None: on a terminal, if it takes long.
        writer: Writes checkpoints.
        work: Operations of all runs together, if they are known.
    """
    todo, lock, stop_flag = iter(ranges), threading.Lock(), np.zeros(1, np.int64)

    def take() -> None:
        try:
            task = worker(stop_flag)
            while not stop_flag[0]:
                with lock:
                    bounds = next(todo, None)
                if bounds is None:
                    return
                task(*bounds)
        except BaseException:
            stop_flag[0] = 1
            raise

    if work < WORTH_A_THREAD and not progress:
        take()
        return
    n_threads = min(len(ranges), thread_count())
    n_threads = 1 if batch.equations.callbacks else n_threads  # a callback serves one run at a time
    duration, n_runs = batch.plan.duration, len(batch.starts)
    bar = ProgressBar(batch.equations.mechanism.name, duration, progress)
    with (
        Interruption() as interruption,
        ThreadPoolExecutor(n_threads, thread_name_prefix="poinsot") as pool,
    ):
        threads = [pool.submit(take) for _ in range(n_threads)]
        try:
            while wait(threads, timeout=PACE).not_done:
                bar.show(duration * batch.done / n_runs)
                if writer is not None:
                    writer.see(batch, last=False)
                if interruption.asked:
                    stop_flag[0] = 1
        except BaseException:
            stop_flag[0] = 1
            raise
        finally:
            bar.close()
    for thread in threads:
        thread.result()
