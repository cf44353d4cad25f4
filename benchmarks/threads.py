"""One thread against two, on batches of 100 000 states of a chain of seven joints.

    python -m benchmarks.threads [--quick] [--save]

Each call is timed with POINSOT_NUM_THREADS at 1 and at 2, in turns, on a system of its own that has
seen no other setting; medians of three rounds count.  `out=` gives the array for the result; else
it is allocated, large results where earlier ones have been.  The last row is a
control: two threads that do nothing but multiply and add, without memory.  On a machine that is
busy with other programs, or whose processors share a core, not even they reach a ratio of two, and
the other rows say little.
"""

import argparse
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from benchmarks.mechanisms import METHODS, random_states
from benchmarks.peak import ROUNDS, peak_function
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import Case, median_times
from poinsot.kernels.llvm.target import Target
from poinsot.library import chain

BATCH = 100_000
COUNTS = (1, 2)
TARGET = 1.8


def measure(method: str, states, *, given: bool, repeats: int) -> list[float]:
    """Return the seconds of a call for each number of threads.

    Args:
        method: What to call.
        states: Its arguments by name.
        given: Whether the array for the result is given.
        repeats: How often.
    """
    cases, results = [], []
    for count in COUNTS:
        os.environ["POINSOT_NUM_THREADS"] = str(count)
        system = chain(7)
        results.append(getattr(system, method)(**states))
        known = {"environ": os.environ, "system": system, "out": results[-1].copy(), **states}
        arguments = ", ".join([*states, *(["out=out"] if given else [])])
        setting = f"environ['POINSOT_NUM_THREADS'] = '{count}'"
        cases.append(Case(f"{setting}; system.{method}({arguments})", known))
    np.testing.assert_array_equal(results[0], results[1])
    return median_times(cases, repeats=repeats)


def control(*, repeats: int) -> list[float]:
    """Return the seconds of a call without memory accesses for each number of threads."""
    function = peak_function(Target.current().width)
    with ThreadPoolExecutor(1) as pool:

        def both(rounds: int) -> None:
            other = pool.submit(function, rounds // 2)
            function(rounds // 2)
            other.result()

        known = {"one": function, "two": both, "rounds": 10 * ROUNDS}
        cases = [Case(f"{name}(rounds)", known) for name in ("one", "two")]
        return median_times(cases, repeats=repeats)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="few repeats: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/threads.md")
    options = parser.parse_args()
    rows, verdicts = [], []
    repeats = 7 if options.quick else 70
    for method in METHODS:
        states = random_states(chain(7), method, BATCH)
        for given in (False, True):
            one, two = measure(method, states, given=given, repeats=repeats)
            call = "out=" if given else "allocates"
            name = method.replace("_", " ")
            rows.append([name, call, *(f"{x * 1e3:.3f}" for x in (one, two)), f"{one / two:.2f}"])
            verdicts.append(Verdict(f"{name}, {call}", TARGET, one / two))
    one, two = control(repeats=repeats)
    rows.append(
        ["control", "no memory", *(f"{x * 1e3:.3f}" for x in (one, two)), f"{one / two:.2f}"]
    )
    heads = ("quantity", "result", "1 thread ms", "2 threads ms", "ratio")
    title = f"Milliseconds for {BATCH} states"
    sections = [section(title, table(heads, rows)), verdict_section(verdicts)]
    text = page(__doc__, sections, facts={"cores": f"{os.cpu_count()}, one or two used"})
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'threads')}")


if __name__ == "__main__":
    main()
