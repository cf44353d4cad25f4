"""Published simulations: our deviation from their references, and our time beside a peer's.

    python -m benchmarks.gallery [FILE ...] [--only ID] [--quick] [--save]

Every case of the files (of tests/data/benchmarks.json by default) whose adapter calls `ps.simulate`
is run by the case runner, which judges it; `worst` is the largest deviation from the reference
beside the tolerance of the case.  `case ms` is what its simulations take, as the adapter asks for
them: whole calls of `ps.simulate` from Python on one core, the best of several, without compiling;
walkers take over a hundred, to find a gait and to differentiate it.

The second table has times at equal error against peers, for the first 10 s of the longest
simulation of a case, the last of equally long ones.  Error is the largest difference of any entry
of the poses (4 x 4 matrices) of all bodies with mass at the end, against our own run at the finest
tolerance.  Each takes the loosest of its settings that errs by at most 1e-4 (0.1 mm, 1e-4 rad):
ours rtol = 1e-1, 1e-2, ..., a peer 100, 200, 400, ... fixed steps, up to a time of 10 s; its model
is built already.  With impacts velocities at the end count too (m/s, rad/s), the error is at most
1e-8, which is what these cases ask, and a walker's step ends after its strike.

- Exudyn: `mbs.SolveDynamic(settings)`, its generalised-alpha and its trapezoidal index-2 method;
  plane bodies for plane mechanisms.
- MuJoCo: `mj_step(model, data, steps)` with RK4, for trees.
- SciPy on Pinocchio, for motions with impacts: `solve_ivp` with DOP853 and events, rtol = 1e-1,
  1e-2, ..., on `aba`, or where a foot stands `forwardDynamics`, and `impulseDynamics`; these go by
  M⁻¹, so there is a second way by M (`crba`) and the rows, for legs of hardly any mass.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from benchmarks.gallery.peers import TOLERANCES, peers
from benchmarks.gallery.recorded import Simulation, judged
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import LONG, Case, median_times, timed, use_one_core
from tests.cases.runner import read_cases, selected

CASES = Path(__file__).resolve().parents[2] / "tests" / "data" / "benchmarks.json"
ERROR, ERROR_WITH_IMPACTS = 1e-4, 1e-8
FINEST = 1e-12
MOST_SECONDS = 10.0


def time_to_error(
    run: Callable[[float], np.ndarray], settings: Sequence[float], reference: np.ndarray,
    *, largest: float, repeats: int,
) -> tuple[str, float, float]:  # fmt: skip
    """Return the loosest setting that is good enough, its error and its time [s].

    Without repeats the time of a long run is that of the search.
    """
    for setting in settings:
        text = f"{setting} steps" if isinstance(setting, int) else f"rtol {setting:.0e}"
        try:
            poses, seconds = timed(run, setting)
        except (RuntimeError, ValueError):  # no convergence with so large a step
            continue
        error = float(np.abs(poses - reference).max())
        if error <= largest:
            if not repeats and seconds >= LONG:
                return text, error, seconds
            case = Case("run(setting)", {"run": run, "setting": setting})
            return text, error, median_times([case], repeats=max(repeats, 1))[0]
        if seconds > MOST_SECONDS:
            return text, error, float("nan")
    return "none", float("nan"), float("nan")


def compared(name: str, simulation: Simulation, *, repeats: int) -> list[list[str]]:
    """Return the rows of a case in the table of peers."""
    reference, largest = simulation.at_end(FINEST), ERROR
    if simulation.has_impacts:
        largest = ERROR_WITH_IMPACTS
    ours = time_to_error(simulation.at_end, TOLERANCES, reference, largest=largest, repeats=repeats)
    rows = [[name, "poinsot", ours[0], f"{ours[1]:.0e}", f"{1e3 * ours[2]:.3f}", ""]]
    for peer, (run, settings) in peers(simulation).items():
        few = min(repeats, 1)
        setting, error, seconds = time_to_error(
            run, settings, reference, largest=largest, repeats=few
        )
        reached = np.isfinite(seconds)
        cells = [f"{1e3 * seconds:.2f}", f"{seconds / ours[2]:.0f}"] if reached else ["-", "-"]
        rows.append([name, peer, setting, f"{error:.0e}", *cells])
    if len(rows) == 1:
        rows[0][-1] = "no peer here can run it"
    return rows


def main() -> None:
    """Measure and print; exit with 1 if a case does not pass."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gallery", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("files", nargs="*", type=Path, default=[CASES], help="files of cases")
    parser.add_argument("--only", metavar="ID", help="comma-separated globs of case ids")
    parser.add_argument("--quick", action="store_true", help="few repeats: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/gallery.md")
    options = parser.parse_args()
    use_one_core()
    repeats = 0 if options.quick else 5
    judgements, rows, verdicts = [], [], []
    cases = [case for path in options.files for case in read_cases(path)]
    for case in selected(cases, options.only):
        verdict, text, simulations = judged(case)
        if not simulations:
            continue
        calls = [Case("run()", {"run": simulation}) for simulation in simulations]
        seconds = sum(median_times(calls, repeats=max(repeats // 3, 1)))
        judgements.append([case["id"], verdict, text, f"{1e3 * seconds:.2f}"])
        verdicts.append(Verdict(f"{case['id']} passes", 1, float(verdict == "PASS"), unit=""))
        longest = max(reversed(simulations), key=lambda simulation: simulation.arguments[3])
        rows += compared(case["id"], longest, repeats=repeats)
    heads = ("case", "system", "setting", "error", "ms", "peer / ours")
    sections = [
        section("References", table(("case", "", "worst", "case ms"), judgements, left=3)),
        section(
            f"Times to an error of {ERROR:g}, with impacts {ERROR_WITH_IMPACTS:g}",
            table(heads, rows),
        ),
        verdict_section(verdicts),
    ]
    text = page(__doc__, sections)
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'gallery')}")
    sys.exit(0 if all(verdict.passed for verdict in verdicts) else 1)


if __name__ == "__main__":
    main()
