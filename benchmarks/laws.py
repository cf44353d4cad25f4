"""Control laws that contain the model: compiled, and called from Python.

    python -m benchmarks.laws [--quick] [--save]

The Panda of examples/computed_torque follows its path for four seconds by computed torque, once
with the law as it is, traced and compiled with the arm, and once with the same law as a
`ps.Callback`, whose inverse dynamics are a call of machine code from Python.  Times are whole calls
of `ps.simulate`, taken in turns on one core after a first run of each; the ratio is the median of
five rounds.  Both must end in the same state.
"""

import argparse
import sys
from statistics import median

import numpy as np

import poinsot as ps
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import timed, use_one_core
from examples.computed_torque.computed_torque import DURATION, law, panda

TARGET = 25.0
"""How many times as fast the compiled law is at least."""
ROUNDS = 5
REPEATS = 10
"""Runs under the compiled law in a round, which are short; their mean counts."""
TOLERANCE = 1e-8
"""How far the ends of both runs may be apart [rad]."""


def main() -> None:
    """Measure and print; fail if the two runs differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.laws", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="one round: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/laws.md")
    options = parser.parse_args()
    core = use_one_core()
    arm = panda()
    start, rest = arm.neutral(), np.zeros(arm.nv)

    def run(tau) -> ps.Run:
        return ps.simulate(arm, start, rest, DURATION, tau=tau)

    compiled, called = law(arm), ps.Callback(law(arm))
    ends = [run(tau) for tau in (compiled, called)]
    apart = float(np.abs(ends[0].q[-1] - ends[1].q[-1]).max())
    if not apart < TOLERANCE:
        print(f"DISAGREE: the runs end {apart:.1e} rad apart", file=sys.stderr)
        sys.exit(1)
    rounds = []
    for _ in range(1 if options.quick else ROUNDS):
        slow = timed(run, called)[1]
        rounds.append((sum(timed(run, compiled)[1] for _ in range(REPEATS)) / REPEATS, slow))
    ratio = median(slow / fast for fast, slow in rounds)
    rows = [
        [name, f"{1e3 * median(times):.2f}", str(end.statistics.evaluations)]
        for name, times, end in zip(
            ("compiled", "Callback"), zip(*rounds, strict=True), ends, strict=True
        )
    ]
    heads = ("law", "run [ms]", "evaluations")
    sections = [
        section("Computed-torque Panda, 4 s", table(heads, rows, left=1)),
        verdict_section([Verdict("computed-torque Panda: Callback / compiled", TARGET, ratio)]),
    ]
    facts = {"core": f"one, number {core}", "the ends are apart by": f"{apart:.0e} rad"}
    text = page(__doc__, sections, facts=facts)
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'laws')}")


if __name__ == "__main__":
    main()
