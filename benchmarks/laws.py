"""Control laws that contain the model: compiled, and called from Python.

    python -m benchmarks.laws [--quick] [--save]

The Panda of examples/computed_torque follows its path for four seconds by computed torque, once
with the law as it is, traced and compiled with the arm, and once with the same law as a
`ps.Callback`, whose inverse dynamics are a call of machine code from Python.  Then a chain of 150
joints, whose inverse dynamics are a loop before the law, is made a row of damped oscillators for a
second.  Times are whole calls of `ps.simulate`, taken in turns on one core; the first run of each
law has its compilation in it, that of the dynamics not, and nothing comes from the disk.  Ratios
are medians of five rounds.  Both laws must end in the same state.

At last what a law of `ps.control` costs in the loop: the library's arm of seven joints leads its
hand, once its position and once its pose, with `ps.centring` for what is left free, for a second of
10 000 steps of rk4; from the time of a run goes that of one without forces, by evaluations.
"""

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from statistics import median

import numpy as np

import poinsot as ps
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import timed, use_one_core
from examples.computed_torque.computed_torque import DURATION, law, panda

TARGET = 25.0
"""How many times as fast as the callback the compiled law of the Panda is at least."""
FIRST = 1.0
"""How long the first run of the chain may take [s]."""
ROUNDS = 5
REPEATS = 10
"""Runs under the compiled law in a round, which are short; their mean counts."""
TOLERANCE = 1e-7
"""How far the ends of both runs may be apart [rad]."""
POSITION, POSE = 1.0, 2.0
"""What an evaluation of the law of seven joints may cost [us]."""
STEP = 1e-4
HEADS = ("law", "first run [s]", "run [ms]", "evaluations")


def compared(
    simulate: Callable[..., ps.Run], tau: Callable[..., object], rounds: int
) -> tuple[list[list[str]], float, float]:
    """Return rows of both laws, how much faster the compiled one is, and its first run [s].

    Args:
        simulate: Of joint forces.
        tau: The law.
        rounds: How often both are timed.
    """
    laws = {"compiled": tau, "Callback": ps.Callback(tau)}
    done = {name: timed(partial(simulate, tau=given)) for name, given in laws.items()}
    ends = [run.q[-1] for run, _ in done.values()]
    apart = float(np.abs(ends[0] - ends[1]).max())
    if not apart < TOLERANCE:
        print(f"DISAGREE: the runs end {apart:.1e} rad apart", file=sys.stderr)
        sys.exit(1)
    times = []
    for _ in range(rounds):
        slow = timed(partial(simulate, tau=laws["Callback"]))[1]
        fast = sum(timed(partial(simulate, tau=tau))[1] for _ in range(REPEATS)) / REPEATS
        times.append((fast, slow))
    rows = [
        [name, f"{first:.2f}", f"{1e3 * median(taken):.2f}", str(run.statistics.evaluations)]
        for (name, (run, first)), taken in zip(done.items(), zip(*times, strict=True), strict=True)
    ]
    return rows, median(slow / fast for fast, slow in times), done["compiled"][1]


def costs(rounds: int) -> dict[str, float]:
    """Return what an evaluation of laws of a seven-joint arm takes in the loop [us]."""
    arm = ps.library.seven_joint_arm()
    q = np.array([0.3, 0.8, -0.4, 1.2, 0.5, 0.9, 0.1])
    X = arm.pose("link 7", q)
    p, R = X[:3, 3], X[:3, :3]
    formulas = [f"{x} - ({float(p[k])!r} + 0.02*sin(t))" for k, x in enumerate("xyz")]
    position = ps.FormulaConstraint("hand", formulas, {x: ("link 7", (0, 0, 0), x) for x in "xyz"})
    pose = ps.pose_programme(
        arm, "link 7", lambda t: (p + np.array([0.02 * np.sin(t), 0.0, 0.0]), R)
    )
    how = {"poles": (-5, -6), "redundancy": ps.centring(arm)}
    laws = {"none": 0.0, "position, 3 rows": ps.control(arm, position, **how)}
    laws["pose, 6 rows"] = ps.control(arm, pose, **how)
    runs = {
        name: partial(ps.simulate, arm, q, np.zeros(7), 1.0, tau=law, integrator="rk4", step=STEP,
                      save=0.5)
        for name, law in laws.items()
    }  # fmt: skip
    evaluations = {name: run().statistics.evaluations for name, run in runs.items()}
    times = {name: [timed(run)[1] for _ in range(rounds)] for name, run in runs.items()}
    each = {name: 1e6 * median(taken) / evaluations[name] for name, taken in times.items()}
    return {name: cost - each["none"] for name, cost in each.items() if name != "none"}


def main() -> None:
    """Measure and print; fail if two runs differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.laws", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="one round: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/laws.md")
    options = parser.parse_args()
    os.environ["POINSOT_CACHE"] = "0"
    core, rounds = use_one_core(), 1 if options.quick else ROUNDS
    arm, chain = panda(), ps.library.chain(150)
    runs = {
        arm: partial(ps.simulate, arm, arm.neutral(), np.zeros(arm.nv), DURATION),
        chain: partial(ps.simulate, chain, np.full(chain.nq, 0.1), np.zeros(chain.nv), 1.0),
    }
    for system, simulate in runs.items():  # compiles what is not the law
        simulate(tau=0.0)
        system.inverse_dynamics(*np.zeros((3, system.nv)))
    rows, ratio, _ = compared(runs[arm], law(arm), rounds)
    of_chain, _, first = compared(
        runs[chain], lambda t, q, v: chain.inverse_dynamics(q, v, -4 * q - 3 * v), rounds
    )
    law_costs = costs(max(rounds, 3))
    cost_rows = [[name, f"{cost:.2f}"] for name, cost in law_costs.items()]
    sections = [
        section("Computed-torque Panda, 4 s", table(HEADS, rows, left=1)),
        section("Chain of 150 joints, 1 s", table(HEADS, of_chain, left=1)),
        section("Law of a seven-joint arm", table(("law", "evaluation [us]"), cost_rows, left=1)),
        verdict_section(
            [
                Verdict("computed-torque Panda: Callback / compiled", TARGET, ratio),
                Verdict("chain of 150, first run", FIRST, first, at_least=False, unit="s"),
                *(
                    Verdict(f"seven joints, {name}", most, cost, at_least=False, unit="us")
                    for (name, cost), most in zip(law_costs.items(), (POSITION, POSE), strict=True)
                ),
            ]
        ),
    ]
    text = page(__doc__, sections, facts={"core": f"one, number {core}"})
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'laws')}")


if __name__ == "__main__":
    main()
