"""Times of short statements, taken in turns so that a busy machine disturbs all of them alike.

Each repeat runs every statement for a couple of milliseconds; the smallest time of all repeats of a
round counts, and of the rounds, whose number is fixed, the median: no lucky round decides.
All but long ones are run as often just before: what comes after another library's run would else
pay for the caches that it has left.
"""

import os
import time
import timeit
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

ROUNDS = 3
"""How often everything is timed; the median counts."""
SLICE = 2e-3
"""How long one statement runs in one repeat [s], unless a single execution takes longer."""
LONG = 20e-3
"""Time of one execution [s] from which on a statement warms the caches itself."""


@dataclass(frozen=True)
class Case:
    """A statement as a user writes it, and what its names stand for (local variables in it)."""

    statement: str
    names: Mapping[str, Any]

    def timer(self) -> timeit.Timer:
        """Return the statement compiled for timing."""
        setup = "; ".join(f"{name} = names[{name!r}]" for name in self.names)
        return timeit.Timer(self.statement, setup, globals={"names": self.names})


def use_one_core(core: int | None = None) -> int | None:
    """Keep this process on one core, the last by default; return which, None if that cannot be."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0)) if core is None else core
    os.sched_setaffinity(0, {core})
    return core


def median_times(cases: Sequence[Case], *, repeats: int, rounds: int = ROUNDS) -> list[float]:
    """Return the seconds that one execution of each statement takes, the median of all rounds.

    Args:
        cases: The statements.
        repeats: Repeats of one round, of which the best counts.
        rounds: How many rounds.
    """
    timers = [case.timer() for case in cases]
    numbers = [_executions(timer) for timer in timers]
    best = [_best(timers, numbers, repeats) for _ in range(rounds)]
    return [median(times) for times in zip(*best, strict=True)]


def _best(timers: Sequence[timeit.Timer], numbers: Sequence[int], repeats: int) -> list[float]:
    """Return the seconds that one execution of each statement takes, the best of all repeats."""
    best = [float("inf")] * len(timers)
    for _ in range(repeats):
        for k, (timer, number) in enumerate(zip(timers, numbers, strict=True)):
            if best[k] < LONG:
                timer.timeit(number)
            best[k] = min(best[k], timer.timeit(number) / number)
    return best


def timed(function, *arguments) -> tuple[Any, float]:
    """Return what a function returns and the seconds it took, once."""
    start = time.perf_counter()
    result = function(*arguments)
    return result, time.perf_counter() - start


def _executions(timer: timeit.Timer) -> int:
    """Return how many executions fill a slice of time; also warms up."""
    timer.timeit(1)
    number = 1
    while (taken := timer.timeit(number)) < SLICE / 10:
        number *= 4
    return max(1, round(number * SLICE / taken))
