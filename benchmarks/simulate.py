"""Simulations at equal error: a chain of seven joints, and Andrews' squeezer.

    python -m benchmarks.simulate [--quick] [--save]

**The chain** of the library, all joints free, falls for two seconds from rest with every joint at
1 rad.  (The motion is chaotic: from most starts errors grow so much that no reference in double
precision is good enough to tell 1e-9 rad; from this one it is.)  Error is max|q - q_ref| at the end
[rad]; the reference is SciPy's DOP853 at its smallest tolerance on Pinocchio's accelerations, and
what it changes by when the tolerance is ten times larger is taken as its uncertainty.

**The squeezer**, seven bodies with three loops, runs for 0.03 s as published; the reference is the
published end, refined to 18 digits.

Times are whole calls from Python on one core, the median of three rounds in which all take turns;
compiling, once for a system, is not in them.

- poinsot dp8, dp5: `ps.simulate(system, q, v, duration, rtol=..., integrator=...)`, storing
  every step.
- SciPy solve_ivp: `solve_ivp(f, ..., "DOP853", rtol=r, atol=r)`, f calls `pin.aba`, and for the
  squeezer `pin.constraintDynamics`, in Pinocchio's own order of coordinates, with scalar
  arithmetic for the spring; its steps are Python.  SciPy RK45: its default method, of order
  5 as our dp5 is, for coarse errors.  SciPy ode: its older interface to DOP853, whose steps are
  compiled code.
- MuJoCo RK4: `mj_step(model, data, nstep)`, fixed steps, one call; contacts and constraints off.
- Drake: `simulator.AdvanceTo(duration)` on a continuous plant with "runge_kutta3", its default with
  error control, and "runge_kutta5".
- Exudyn: `mbs.SolveDynamic(settings)` with its generalised-α and trapezoidal index-2 methods on
  plane bodies and joints, fixed steps, one thread; on the chain its kinematic tree, in minimal
  coordinates, by DOPRI5 with error control and RK67 in equal steps (explicit methods take no
  constraints, so not on the squeezer).

Tolerances are relative and absolute.  Ours holds a step to a hundredth of what is asked, so that
only rows of equal error can be compared: the tables of levels have times at equal error,
interpolated between the two nearest points in logarithms, points that are worse in both left out,
for errors of at least ten times the uncertainty of the reference.  Where even the fastest run of an
integrator has a smaller error, its time counts.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from benchmarks.andrews import REFINED, Exudyn, andrews_problem, andrews_task
from benchmarks.exudyn_tree import ExudynTree
from benchmarks.integrators import (
    Drake,
    MuJoCo,
    Outcome,
    Poinsot,
    SciPy,
    SciPyOde,
    Task,
    disagreement,
    pinocchio_problem,
)
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import Case, median_times, timed, use_one_core
from poinsot.library import chain

TOLERANCE = 1e-9
"""How well the accelerations of the libraries must agree before anything is timed."""
FINEST = 2.3e-14
LEVELS = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
TOLERANCES = [10.0**-k for k in range(1, 13)]
"""Every integrator that chooses its steps gets all of them, but those that would take minutes."""
OURS, PEER, COMPILED = "poinsot dp8", "SciPy solve_ivp", "SciPy ode"
SCIPY = (PEER, "SciPy RK45", COMPILED)

Known: TypeAlias = dict[str, tuple[Callable[..., Outcome], Sequence[float]]]
"""Integrators, and the settings to run them with."""


@dataclass(frozen=True)
class Point:
    """One integration."""

    setting: str
    error: float
    seconds: float
    evaluations: int


Points: TypeAlias = dict[str, list[Point]]
"""What each integrator did."""


def chain_task() -> Task:
    """Return the chain and its start."""
    system = chain(7)
    return Task(system, np.ones(system.nq), np.zeros(system.nv), 2.0)


def chain_integrators(what: Task) -> Known:
    """Return the integrators of the chain and the tolerances, or numbers of steps, for each."""
    problem = pinocchio_problem(what)
    return {
        OURS: (Poinsot(what, "dp8"), TOLERANCES),
        "poinsot dp5": (Poinsot(what, "dp5"), TOLERANCES),
        PEER: (SciPy(what, problem, "DOP853"), TOLERANCES),
        "SciPy RK45": (SciPy(what, problem, "RK45"), TOLERANCES[:9]),
        COMPILED: (SciPyOde(what, problem), TOLERANCES),
        "MuJoCo RK4": (MuJoCo(what), [125 * 2**k for k in range(10)]),
        "Drake RK3": (Drake(what, "runge_kutta3"), TOLERANCES[:8]),
        "Drake RK5": (Drake(what, "runge_kutta5"), TOLERANCES[:11]),
        "Exudyn DOPRI5": (ExudynTree(what, "DOPRI5"), TOLERANCES),
        "Exudyn RK67": (ExudynTree(what, "RK67"), [200 * 2**k for k in range(7)]),
    }


def squeezer_integrators(what: Task) -> Known:
    """Return the integrators of Andrews' squeezer, likewise."""
    steps = [125 * 2**k for k in range(9)]
    problem = andrews_problem(what)
    return {
        OURS: (Poinsot(what, "dp8"), TOLERANCES),
        "poinsot dp5": (Poinsot(what, "dp5"), TOLERANCES),
        PEER: (SciPy(what, problem, "DOP853"), TOLERANCES),
        "SciPy RK45": (SciPy(what, problem, "RK45"), TOLERANCES[:9]),
        COMPILED: (SciPyOde(what, problem), TOLERANCES),
        "Exudyn alpha": (Exudyn(what, index2=False), steps),
        "Exudyn index 2": (Exudyn(what, index2=True), steps),
    }


def measure(known: Known, reference: np.ndarray, *, repeats: int) -> Points:
    """Return what every integrator does with every setting."""
    keys = [(name, setting) for name, (_, settings) in known.items() for setting in settings]
    cases = [Case("run(setting)", {"run": known[name][0], "setting": x}) for name, x in keys]
    seconds = median_times(cases, repeats=repeats)
    points: Points = {name: [] for name in known}
    for (name, setting), time in zip(keys, seconds, strict=True):
        outcome = known[name][0](setting)
        error = float(np.abs(outcome.q - reference).max())
        if not np.isfinite(error):
            continue  # lost: the steps were too long
        text = f"{setting} steps" if isinstance(setting, int) else f"rtol {setting:.0e}"
        points[name].append(Point(text, error, time, outcome.evaluations))
    return points


def time_at(points: Sequence[Point], error: float) -> float:
    """Return how long an integrator takes for an error at most, NaN if it was never that good."""
    front: list[Point] = []
    for point in sorted(points, key=lambda point: point.seconds):
        if not front or point.error < front[-1].error:
            front.append(point)
    front.reverse()
    x, y = (np.log([getattr(p, name) for p in front]) for name in ("error", "seconds"))
    return float(np.exp(np.interp(np.log(error), x, y, left=np.nan)))


def point_section(title: str, points: Points) -> str:
    """Return the table of all integrations."""
    heads = ("integrator", "setting", "error rad", "time ms", "evaluations", "µs each")
    rows = [
        [
            name,
            point.setting,
            f"{point.error:.1e}",
            f"{point.seconds * 1e3:.3f}",
            str(point.evaluations or "-"),
            f"{point.seconds / point.evaluations * 1e6:.2f}" if point.evaluations else "-",
        ]
        for name, some in points.items()
        for point in some
    ]
    return section(f"{title}: every integration", table(heads, rows))


def level_section(title: str, points: Points, levels: Sequence[float]) -> str:
    """Return the table of times at equal error."""
    peers = [name for name in points if not name.startswith("poinsot")]
    heads = ("error rad", *(f"{name} ms" for name in points), *(f"{name} / dp8" for name in peers))
    rows = []
    for level in levels:
        times = {name: time_at(some, level) for name, some in points.items()}
        row = [f"{level:.0e}", *(_text(1e3 * time, "{:.3f}") for time in times.values())]
        rows.append([*row, *(_text(times[name] / times[OURS], "{:.1f}") for name in peers)])
    return section(f"{title}: times at equal error", table(heads, rows, left=1))


def _text(value: float, form: str) -> str:
    return "-" if np.isnan(value) else form.format(value)


def verdict(
    title: str, points: Points, levels: Sequence[float], peer: str, target: float
) -> Verdict:
    """Return whether ours is so much faster than a peer at every error that both reach."""
    ratios = {x: time_at(points[peer], x) / time_at(points[OURS], x) for x in levels}
    measured = [level for level in levels if np.isfinite(ratios[level])]
    worst = min(measured, key=lambda level: ratios[level])
    note = f"the least of {len(measured)} errors, at {worst:.0e}"
    return Verdict(f"{title}: {peer} / {OURS} at equal error", target, ratios[worst], note=note)


def main() -> None:
    """Measure, print, and fail if the libraries do not simulate the same system."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulate", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="few repeats: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/simulate.md")
    parser.add_argument("--core", type=int, help="core to run on; the last by default")
    options = parser.parse_args()
    use_one_core(options.core)
    what = chain_task()
    apart = disagreement(what)
    if not apart < TOLERANCE:
        print(f"DISAGREE: accelerations differ by {apart:.1e}", file=sys.stderr)
        sys.exit(1)
    repeats = 1 if options.quick else 3
    known = chain_integrators(what)
    finest = known[PEER][0](FINEST).q
    unsure = float(np.abs(finest - known[PEER][0](10 * FINEST).q).max())
    _, first = timed(known[OURS][0], 1e-8)
    chains = measure(known, finest, repeats=repeats)
    squeezers = measure(
        squeezer_integrators(andrews_task()), np.array(REFINED), repeats=1 if options.quick else 2
    )
    facts = {
        "accelerations of the libraries differ by": f"{apart:.0e} of the largest, at most",
        "uncertainty of the reference of the chain": f"{unsure:.0e} rad",
        "first simulation of the chain, with compiling": f"{first:.2f} s",
    }
    levels = [level for level in LEVELS if level >= 10 * unsure]
    found = [verdict("chain", chains, levels, peer, 20) for peer in SCIPY]
    found += [
        verdict("chain", chains, levels, peer, 1)
        for peer in chains
        if peer not in SCIPY and not peer.startswith("poinsot")
    ]
    found += [
        verdict("squeezer", squeezers, LEVELS, peer, 20)
        for peer in squeezers
        if not peer.startswith("poinsot")
    ]
    sections = [
        level_section("Chain of seven", chains, levels),
        level_section("Andrews' squeezer", squeezers, LEVELS),
        verdict_section(found),
        point_section("Chain of seven", chains),
        point_section("Andrews' squeezer", squeezers),
    ]
    text = page(__doc__, sections, facts=facts)
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'simulate')}")


if __name__ == "__main__":
    main()
