"""Planar mechanisms by units: a turn of the crank against pylinkage, dynamics against closed loops.

    python -m benchmarks.planar [--quick] [--save]

All on one core, from Python, interleaved.  pylinkage (``pip install pylinkage[numba]``, extra
``bench``) gives places of pins by ``step_fast`` and, with their velocities and accelerations, by
``step_fast_with_kinematics``; ours are ``joint_places`` and ``joint_motions``, one call for the
whole turn.  Forward dynamics are those of the four-bar at 36 000 states: by units from the angle
and rate of the crank alone, and by ``System.forward_dynamics``, which is given all coordinates,
assembled before; per simulated second both with rtol = 1e-9.  The variants are six-bars of random
dimensions at 360 positions, all reactions stored, in one call.
"""

import argparse
import math
import os
from statistics import median

import numpy as np

import poinsot as ps
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import Case, median_times, timed, use_one_core
from poinsot.library import planar_linkage

POSITIONS = (360, 3600)
BATCH = 36_000
SPEED = 10.0
DURATION = 2.0


def pylinkage_bar(name: str, positions: int):
    """Return the linkage in pylinkage, or None where it is not installed."""
    try:
        from pylinkage import Crank, Ground, RRRDyad
        from pylinkage.simulation import Linkage
    except ImportError:
        return None
    points = {joint: tuple(place) for joint, place in drawn_points(name).items()}

    def length(p, q):
        return math.dist(points[p], points[q])

    ground = {p: Ground(*points[p], name=p) for p in ("A", "D", "G") if p in points}
    (x0, y0), (x, y) = points["A"], points["B"]
    crank = Crank(
        anchor=ground["A"], radius=length("A", "B"), angular_velocity=2 * math.pi / positions,
        initial_angle=math.atan2(y - y0, x - x0), name="B",
    )  # fmt: skip
    C = RRRDyad(
        anchor1=crank.output, anchor2=ground["D"], distance1=length("B", "C"),
        distance2=length("D", "C"), name="C",
    )  # fmt: skip
    parts = [*ground.values(), crank, C]
    if "G" in ground:
        E = RRRDyad(
            anchor1=ground["D"], anchor2=C, distance1=length("D", "E"), distance2=length("C", "E"),
            name="E",
        )  # fmt: skip
        F = RRRDyad(
            anchor1=E, anchor2=ground["G"], distance1=length("E", "F"), distance2=length("F", "G"),
            name="F",
        )  # fmt: skip
        parts += [E, F]
    linkage = Linkage(parts, name=name)
    linkage.set_input_velocity(crank, 1.0, 0.0)
    return linkage


def drawn_points(name: str) -> dict[str, np.ndarray]:
    """Return the places of the pins in the sketch."""
    mechanism = planar_linkage(name)
    return mechanism.joint_places(mechanism.drawn)


def turns(repeats: int) -> tuple[str, list[Verdict]]:
    """Return the table of turns, and the targets."""
    rows, verdicts = [], []
    for name in ("four-bar", "Watt II"):
        mechanism = planar_linkage(name)
        for n in POSITIONS:
            start = mechanism.drawn[0]
            q = (start + 2 * np.pi * np.arange(1, n + 1) / n)[:, None]
            v, a = np.ones_like(q), np.zeros_like(q)
            peer = pylinkage_bar(name, n)
            ours = {"m": mechanism, "q": q, "v": v, "a": a}
            cases = [Case("m.joint_places(q)", ours), Case("m.joint_motions(q, v, a)", ours)]
            mechanism.joint_motions(q, v, a)
            error = "-"
            if peer is not None:
                places = mechanism.joint_places(q)["C"]
                C = [component.name for component in peer.components].index("C")
                error = f"{np.abs(peer.step_fast(n)[:, C] - places).max():.0e}"
                theirs = {"l": peer, "n": n}
                cases.append(Case("l.step_fast(n)", theirs))
                cases.append(Case("l.step_fast_with_kinematics(n)", theirs))
            times = median_times(cases, repeats=repeats)
            shown = [f"{t * 1e6:.1f}" for t in times]
            if peer is None:
                rows.append([f"{name}, {n} positions", *shown, "-", "-", "-", "-", "-"])
                continue
            ratios = times[2] / times[0], times[3] / times[1]
            rows.append([f"{name}, {n} positions", *shown, *(f"{x:.1f}" for x in ratios), error])
            verdicts.append(Verdict(f"{name}, {n} positions, places", 10.0, ratios[0]))
            verdicts.append(Verdict(f"{name}, {n} positions, with rates", 50.0, ratios[1]))
    heads = (
        "turn", "places µs", "motions µs", "step_fast µs", "…with_kinematics µs", "ratio", "ratio",
        "difference m",
    )  # fmt: skip
    lines = table(heads, rows, left=1)
    if not verdicts:
        lines += ["", "pylinkage is not installed: nothing to compare with."]
    return section("A turn of the crank", lines), verdicts


def dynamics(repeats: int) -> tuple[str, list[Verdict]]:
    """Return forward dynamics by units and by closed loops."""
    mechanism = planar_linkage("four-bar")
    system = mechanism.system()
    n = BATCH
    q = np.linspace(0, 2 * np.pi, n, endpoint=False)[:, None]
    v, tau = np.full_like(q, SPEED), np.ones_like(q)
    q_all, v_all = mechanism.system_state(q, v)
    drives = np.zeros_like(q_all)
    crank = system.v_slice("A").start
    drives[:, crank] = 1.0
    units = mechanism.forward_dynamics(q, v, tau)[:, 0]
    closed = system.forward_dynamics(q_all, v_all, drives)[:, crank]
    error = np.abs(units - closed).max() / np.abs(closed).max()
    names = {"m": mechanism, "s": system, "q": q, "v": v, "t": tau, "Q": q_all, "V": v_all}
    names |= {"T": drives}
    by_units, by_loops = median_times(
        [
            Case("m.forward_dynamics(q, v, t)", names),
            Case("s.forward_dynamics(Q, V, T)", names),
        ],
        repeats=repeats,
    )
    runs = {"rtol": 1e-9, "save": DURATION}
    start = [0.3], [SPEED]
    start_all = mechanism.system_state(*map(np.array, start))
    seconds: dict[str, list[float]] = {"units": [], "loops": []}
    for _ in range(max(3, repeats // 5)):
        run, time = timed(lambda: mechanism.simulate(*start, DURATION, **runs))
        seconds["units"].append(time)
        other, time = timed(lambda: ps.simulate(system, *start_all, DURATION, **runs))
        seconds["loops"].append(time)
    apart = abs(run.q[-1, 0] - other.q[-1, crank])
    run_times = [median(times[1:]) / DURATION * 1e3 for times in seconds.values()]
    rows = [
        ["state of a batch [ns]", *(f"{t / n * 1e9:.1f}" for t in (by_units, by_loops)),
         f"{by_loops / by_units:.2f}", f"{error:.0e}"],
        ["simulated second [ms]", *(f"{t:.3f}" for t in run_times),
         f"{run_times[1] / run_times[0]:.2f}", f"{apart:.0e}"],
    ]  # fmt: skip
    verdicts = [
        Verdict("forward dynamics of the four-bar, batch", 2.0, by_loops / by_units),
        Verdict("forward dynamics of the four-bar, run", 2.0, run_times[1] / run_times[0]),
    ]
    heads = ("forward dynamics, per", "units", "closed loop", "ratio", "difference")
    return section("Forward dynamics of the four-bar", table(heads, rows, left=1)), verdicts


def variants(count: int) -> tuple[str, list[Verdict]]:
    """Return the time of reactions of many six-bars over a turn."""
    mechanism = planar_linkage("Watt II")
    rng = np.random.default_rng(0)
    q = np.linspace(0, 2 * np.pi, 360, endpoint=False)[:, None]
    v, a = np.full(1, SPEED), np.zeros(1)
    joints = mechanism.linkage.by_name
    dimensions = {
        f"{name}.pa": np.array(joints[name].pa) + 0.004 * rng.normal(size=(count, 1, 2))
        for name in "BCEF"
    }
    few = {name: values[:2] for name, values in dimensions.items()}
    _, first = timed(lambda: mechanism.reactions(q, v, a, dimensions=few))
    times = []
    for _ in range(3):
        forces, time = timed(lambda: mechanism.reactions(q, v, a, dimensions=dimensions))
        times.append(time)
        memory = next(iter(forces.values())).base.nbytes / 1e6
        open_states = np.isnan(forces["A"]).mean()
        del forces
    rows = [[f"{count}", f"{first:.2f}", f"{median(times):.2f}", f"{memory:.0f}",
             f"{median(times) / count / 360 * 1e9:.0f}", f"{open_states:.1%}"]]  # fmt: skip
    heads = ("six-bars", "first call s", "s", "MB", "ns per state", "states that cannot close")
    verdict = Verdict(
        f"{count} six-bars, 360 positions, reactions", 2.0, median(times), at_least=False, unit="s"
    )
    return section("Many variants in one call", table(heads, rows, left=0)), [verdict]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.planar", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="few repeats: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/planar.md")
    options = parser.parse_args()
    os.environ["POINSOT_NUM_THREADS"] = "1"
    use_one_core()
    repeats = 7 if options.quick else 50
    turning, met = turns(repeats)
    forces, also = dynamics(repeats)
    many, last = variants(1000 if options.quick else 10_000)
    sections = [turning, forces, many, verdict_section([*met, *also, *last])]
    text = page(__doc__, sections)
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'planar')}")


if __name__ == "__main__":
    main()
