"""First calls in new processes, with an empty and with a filled cache of compiled code.

    python -m benchmarks.cache [--save]

Every figure is from a process of its own.  The clock starts when poinsot and llvmlite have been
imported and the system has been made: `cold` traces and compiles, `warm` finds the code of an
earlier process.  Of the warm calls the median of several processes counts.  The first call for a
batch follows one for a single state.
"""

import argparse
import statistics
import tempfile

from benchmarks.first_call import first_calls
from benchmarks.mechanisms import METHODS
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import use_one_core

SYSTEMS = ("chain of 7", "general chain of 7")
TARGET = 0.030
PROCESSES = 7


def measure(system: str, method: str) -> tuple[dict[str, float], list[dict[str, float]]]:
    """Return the times of a process that finds the cache empty, and of those after it."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"POINSOT_CACHE": "1", "POINSOT_CACHE_DIR": folder}
        cold = first_calls(system, method, settings=settings)
        return cold, [first_calls(system, method, settings=settings) for _ in range(PROCESSES)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cache", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/cache.md")
    options = parser.parse_args()
    use_one_core()
    rows, verdicts, imports = [], [], []
    for system in SYSTEMS:
        for method in METHODS:
            cold, warm = measure(system, method)
            name = method.replace("_", " ")
            cells = []
            for call in ("single", "batch"):
                times = [run[call] for run in warm]
                cells += [_milli(x) for x in (cold[call], statistics.median(times), min(times))]
            median = statistics.median(run["single"] for run in warm)
            rows.append([system, name, *cells])
            verdicts.append(
                Verdict(
                    f"{system}, {name}, warm first call", 1e3 * TARGET, 1e3 * median,
                    at_least=False, unit="ms",
                )
            )  # fmt: skip
            imports += warm
    heads = (
        "system", "quantity", "single cold", "warm", "best", "batch cold", "warm", "best",
    )  # fmt: skip
    facts = {
        f"import {name}, median": f"{_milli(statistics.median(run[name] for run in imports))} ms"
        for name in ("poinsot", "llvmlite")
    }
    sections = [section("Milliseconds", table(heads, rows)), verdict_section(verdicts)]
    text = page(__doc__, sections, facts=facts)
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'cache')}")


def _milli(seconds: float) -> str:
    return f"{1e3 * seconds:.1f}"


if __name__ == "__main__":
    main()
