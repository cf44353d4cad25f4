"""First calls: large systems that carry force elements, and every quantity of trees and loops.

    python -m benchmarks.reach [--save]

Every figure is from a process of its own without a cache of compiled code, in which poinsot and
llvmlite have been imported and the system has been made: tracing and compiling, for one state.
The nets are binary trees of bodies with full inertias at random places, tied by an element each.
No first call is to take over two seconds.

The table of every quantity has one process for each system, in which all methods are called one
after the other; so they share what a system keeps, as in a user's program.

Assembly modes are looked for from the default number of random guesses, the driven joints fixed.
"""

import argparse

from benchmarks.assembly_times import DRIVEN, STARTS, times_of_modes
from benchmarks.every_quantity import first_calls_of_all, systems
from benchmarks.first_call import first_calls
from benchmarks.mechanisms import LOADED
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import use_one_core

TARGET = 2.0
METHODS = ("inverse_dynamics", "forward_dynamics", "bias", "potential_energy")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reach", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/reach.md")
    options = parser.parse_args()
    use_one_core()
    rows, verdicts = [], []
    for subject in LOADED:
        for method in METHODS:
            times = first_calls(subject, method, batch=False, settings={"POINSOT_CACHE": "0"})
            name = method.replace("_", " ")
            rows.append([subject, name, *(f"{times[key]:.3f}" for key in ("make", "single"))])
            what = f"{subject}, {name}, first call"
            verdicts.append(Verdict(what, TARGET, times["single"], at_least=False, unit="s"))
    every = {name: first_calls_of_all(name) for name in systems()}
    for system, times in every.items():
        for key, seconds in times.items():
            if key != "verify":
                what = f"{system}, {key.replace('_', ' ')}, first call"
                verdicts.append(Verdict(what, TARGET, seconds, at_least=False, unit="s"))
    names = list(dict.fromkeys(key for times in every.values() for key in times))
    cells = [
        [name, *(f"{times[name]:.3f}" if name in times else "-" for times in every.values())]
        for name in names
    ]
    verdicts.append(
        Verdict(
            "verify of 40 loops", 20.0, every["n_four_bar(40)"]["verify"], at_least=False, unit="s"
        )
    )
    heads = ("system", "modes", "first call [ms]", "later [ms]", "later, per start [us]")
    sections = [
        section(f"Assembly modes from {STARTS} starts", table(heads, assembly_rows(), left=1)),
        section(
            "Seconds of first calls, every quantity", table(("quantity", *every), cells, left=1)
        ),
        section("Seconds", table(("system", "quantity", "make", "first call"), rows)),
        verdict_section(verdicts),
    ]
    text = page(__doc__, sections)
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'reach')}")


def assembly_rows() -> list[list[str]]:
    """Return the rows of the table of assembly modes."""
    rows = []
    for system in DRIVEN:
        times = times_of_modes(system)
        milliseconds = (f"{1e3 * times[key]:.1f}" for key in ("first", "again"))
        per_start = f"{1e6 * times['again'] / (STARTS + 1):.0f}"
        rows.append([system, str(times["modes"]), *milliseconds, per_start])
    return rows


if __name__ == "__main__":
    main()
