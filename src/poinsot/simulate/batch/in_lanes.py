"""Many runs in equal steps, one in each lane, blocks of them spread over the threads."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from poinsot.kernels.threads import RANGES_EACH, split, thread_count
from poinsot.simulate.batch.block import Block
from poinsot.simulate.batch.book import Book
from poinsot.simulate.batch.crew import work_off
from poinsot.simulate.batch.trajectories import Stop
from poinsot.simulate.control import Signal
from poinsot.simulate.explain import explain, interrupted
from poinsot.simulate.methods import METHODS
from poinsot.simulate.status import Statistics
from poinsot.spatial import Array

CHUNK = 4096
"""Steps after which a block comes back to Python, for Ctrl-C."""


def run_in_lanes(book: Book, steps: Array, progress: bool | None) -> None:
    """Simulate all runs of a batch in lanes.

    Args:
        book: Where the results go; its method is one of equal steps.
        steps: The ends of the steps, and 0 before them [s].
        progress: Whether to show a bar.
    """
    room = 1
    if book.plan.times is not None:
        room = max(1, int(np.diff(np.searchsorted(book.times, steps, "right")).max()))

    def task(start: int, stop: int, asked: Callable[[], bool]) -> None:
        block = Block(book, room)
        for first in range(start, stop, block.runs):
            if asked():
                return
            begun = time.perf_counter()
            block.load(first)
            signal = _run(block, book.plan.max_steps, asked)
            _write(book, block, signal, steps, time.perf_counter() - begun)

    work_off(task, split(len(book.starts), thread_count() * RANGES_EACH), book, progress)


def _run(block: Block, most: int, asked: Callable[[], bool]) -> Signal:
    """Return why a block came back: it is finished, has taken all steps it may, or was asked to."""
    signal, control = Signal.PAUSED, block.control
    while signal is Signal.PAUSED and control.accepted < most and not asked():
        control.pause = min(control.accepted + CHUNK, most)
        signal = block.run()
    return signal


def _write(book: Book, block: Block, signal: Signal, steps: Array, seconds: float) -> None:
    """Write down how the runs of a block ended."""
    first, n_runs = block.first, block.control.n_runs
    each, taken = METHODS[book.accuracy.method].end, block.control.accepted
    all_steps = Statistics(taken, 0, 1 + each * taken, seconds / n_runs)
    book.end(first, first + n_runs, all_steps)
    if signal is Signal.PAUSED:
        early = taken < book.plan.max_steps
        status = interrupted(block) if early else explain(signal, block)
        for lane in range(n_runs):
            book.stop(first + lane, all_steps, Stop(status, block.state(lane)))
    for lane in block.lost().tolist():
        status, state = block.loss(lane)
        count = int(np.searchsorted(steps, status.time))
        # All stages of the step that went wrong, but not the derivative at its end.
        some = Statistics(count, 0, each * (count + 1), seconds / n_runs)
        book.stop(first + lane, some, Stop(status, state))
