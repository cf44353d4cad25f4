"""Design sweeps: many variants of a driven linkage in one call.

    python -m benchmarks.sweeps [--quick] [--save]

Four-bars of random lengths, free parameters, are driven through a turn of the crank in 61 positions
by one call of ``ps.drive``; then all reactions and the torque of the crank.  Without a cache of
compiled code; of later calls the median.  Large batches use all cores.
"""

import argparse
import os
from functools import partial
from statistics import median

import numpy as np

import poinsot as ps
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import timed

TARGET = 5.0
"""Seconds for all, the first call included."""
REPEATS = 5


def four_bar() -> ps.System:
    """Return a four-bar linkage whose lengths are free parameters."""
    a, b, c, d = ps.symbols("a b c d")
    turn = ps.Revolute("z")

    def bar(name: str, length: object, parent: str, x: object) -> ps.Body:
        where, middle = ps.Pose((x, 0, 0)), (length / 2, 0, 0)
        return ps.Body(name, parent, turn, where, mass=1.0, com=middle, inertia=(0.01,) * 3)

    bars = [
        bar("crank", a, "world", 0),
        bar("coupler", b, "crank", a),
        bar("rocker", c, "world", d),
    ]
    pin = ps.Loop("pin", ("coupler", (b, 0, 0)), ("rocker", (c, 0, 0)), turn)
    numbers = {"a": 0.3, "b": 1.0, "c": 0.8, "d": 1.0}
    return ps.System("four-bar", bars, loops=[pin], parameters=numbers, free=list(numbers))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sweeps", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="fewer variants")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/sweeps.md")
    options = parser.parse_args()
    os.environ["POINSOT_CACHE"] = "0"
    n = 500 if options.quick else 10_000
    system, rng = four_bar(), np.random.default_rng(1)
    lengths = {name: x * rng.uniform(0.7, 1.3, n) for name, x in system.parameters.items()}
    drive = partial(
        ps.drive,
        system,
        [0.0, 1.0, 1.8],
        {"crank": (0, 2 * np.pi)},
        positions=61,
        parameters=lengths,
    )
    rounds = []
    for _ in range(REPEATS + 1):
        studies, driving = timed(drive)
        _, reacting = timed(studies.reactions)
        _, torques = timed(studies.drive_forces)
        rounds.append((driving, reacting, torques))
    rows = [
        [name, f"{rounds[0][k]:.3f}", f"{median(times[k] for times in rounds[1:]):.3f}"]
        for k, name in enumerate(("drive", "all reactions", "torque of the crank"))
    ]
    verdicts = [
        Verdict(f"{n} four-bars, {calls}", TARGET, seconds, at_least=False, unit="s")
        for calls, seconds in (
            ("first calls", sum(rounds[0])),
            ("later calls", median(map(sum, rounds[1:]))),
        )
    ]
    heads = ("what", "first call [s]", "later [s]")
    ended = f"{int((~studies.ok).sum())} of {n} do not close or meet a dead point."
    sections = [
        section(f"{n} four-bars at 61 positions", [*table(heads, rows, left=1), "", ended]),
        verdict_section(verdicts),
    ]
    text = page(__doc__, sections)
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'sweeps')}")


if __name__ == "__main__":
    main()
