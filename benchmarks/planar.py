"""Planar mechanisms by units: a turn of the crank against pylinkage, dynamics against closed loops.

    python -m benchmarks.planar [--quick] [--save]

All on one core, from Python, interleaved.

**Turns.**  pylinkage (``pip install pylinkage[numba]``, extra ``bench``) gives places of pins by
``step_fast`` and, with their velocities and accelerations, by ``step_fast_with_kinematics``, in new
arrays (n, pins, 2); it has no way to write into old ones.  Ours are ``joint_places`` and
``joint_motions`` of the same pins, those on the ground too, one call for the whole turn, in new
arrays, and into those of the call before (``out=``).  The angles are given to ours and counted up
by theirs.  Targets compare the two methods as users call them; the column of its compiled loop
alone leaves out what its methods do in Python around it.  Below: operations and bytes of a state,
and the time in which NumPy fills as many bytes with one number, for what storing alone takes.

**Forward dynamics** are those of the four-bar at 36 000 states: by units from the angle and rate of
the crank alone, and by ``System.forward_dynamics``, which is given all coordinates, assembled
before.

**Runs** of the four-bar start at 0.3 rad and 10 rad/s under gravity.  Error is that of the crank's
angle at the end; SciPy's DOP853 on Pinocchio's ``constraintDynamics`` is the reference, and must
agree with ours at its smallest tolerance.  Times at equal error are interpolated between the two
nearest settings in logarithms, settings that are worse in both left out.  Ours are whole calls of
``simulate``, by dp8 and dp5.  Exudyn has plane bodies and joints, one thread, no files, no Python
functions; both of its implicit rules, with Jacobians kept or new in each step; the time is that
of its compiled solver alone, by its own clock.  Its explicit integrators take no constraints.
MuJoCo has one ``connect`` (two points would be one too many in a plane), as stiff as it lets it be
(solref of two steps, solimp 0.9999), RK4, Euler and implicitfast in one call of ``mj_step``.  In
2 s the start of a run, some 60 µs of Python in both of ours, counts; in 20 s it hardly does.

**Variants** are six-bars of random dimensions at 360 positions, all reactions, stored in one call,
or reduced to the largest force of each pin, some hundred variants at a time.
"""

import argparse
import math
import os
from statistics import median

import numpy as np

from benchmarks.planar_runs import runs
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import Case, median_times, timed, use_one_core
from poinsot.library import planar_linkage

POSITIONS = (360, 3600)
BATCH = 36_000
SPEED = 10.0
TOGETHER = 250
"""Variants whose reactions are stored at a time where only maxima are wanted."""


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


def compiled_loop(linkage, iterations: int, *, kinematics: bool):
    """Return pylinkage's compiled loop and its arguments, without the Python around it."""
    from pylinkage.solver.simulation import simulate, simulate_with_kinematics

    data = linkage._solver_data  # noqa: SLF001
    shape = data.constraints, data.joint_types, data.parent_indices
    shape += data.constraint_offsets, data.solve_order
    if not kinematics:
        return simulate, (data.positions, *shape, iterations, 1.0)
    motion = data.positions, data.velocities, data.accelerations
    drives = data.omega_values, data.alpha_values, data.crank_indices
    return simulate_with_kinematics, (*motion, *shape, *drives, iterations, 1.0)


def turns(repeats: int) -> tuple[list[str], list[Verdict]]:
    """Return the tables of turns, and the targets."""
    rows, costs, verdicts = [], [], []
    for name in ("four-bar", "Watt II"):
        mechanism = planar_linkage(name)
        for n in POSITIONS:
            start = mechanism.drawn[0]
            q = (start + 2 * np.pi * np.arange(1, n + 1) / n)[:, None]
            v, a = np.ones_like(q), np.zeros_like(q)
            peer = pylinkage_bar(name, n)
            for method, given, target in (
                ("joint_places", "q", 10.0),
                ("joint_motions", "q, v, a", 50.0),
            ):
                ours = {"f": getattr(mechanism, method), "q": q, "v": v, "a": a}
                eval(f"f({given})", ours)  # compiles it
                ours["f"] = getattr(mechanism, method)
                ours["o"] = result = eval(f"f({given})", ours)
                bytes_each = sum(array.nbytes for array in result.values()) // n
                block = np.empty(bytes_each * n // 8)
                cases = [
                    Case(f"f({given})", ours),
                    Case(f"f({given}, out=o)", ours),
                    Case("b.fill(0.5)", {"b": block}),
                ]
                error = "-"
                if peer is not None:
                    kinematics = method == "joint_motions"
                    fast = f"step_fast{'_with_kinematics' * kinematics}"
                    error = difference(peer, fast, n, result)
                    loop, arguments = compiled_loop(peer, n, kinematics=kinematics)
                    cases.append(Case(f"l.{fast}(n)", {"l": peer, "n": n}))
                    cases.append(Case("g(*x)", {"g": loop, "x": arguments}))
                times = median_times(cases, repeats=repeats)
                what = f"{name}, {n}, {'motions' if method == 'joint_motions' else 'places'}"
                shown = [f"{t * 1e6:.2f}" for t in (times[0], times[1], *times[3:])]
                costs.append(
                    [what, str(mechanism.operations(method)), str(bytes_each),
                     *(f"{t / n * 1e9:.2f}" for t in times[:3])]
                )  # fmt: skip
                if peer is None:
                    rows.append([what, *shown, "-", "-", "-", "-", "-"])
                    continue
                ratios = times[3] / times[0], times[3] / times[1], times[4] / times[0]
                rows.append([what, *shown, *(f"{x:.1f}" for x in ratios), error])
                verdicts.append(Verdict(what, target, ratios[0]))
    heads = (
        "turn", "new µs", "out= µs", "pylinkage µs", "its loop µs", "new", "out=", "loop / new",
        "difference m",
    )  # fmt: skip
    lines = table(heads, rows, left=1)
    if not verdicts:
        lines += ["", "pylinkage is not installed: nothing to compare with."]
    heads = ("state", "operations", "bytes", "new ns", "out= ns", "fill ns")
    return [
        section("A turn of the crank, and how many times faster", lines),
        section("A state of a turn", table(heads, costs, left=1)),
    ], verdicts


def difference(peer, method: str, n: int, result: dict[str, np.ndarray]) -> str:
    """Return the largest difference of the places of pin C over a turn."""
    C = [component.name for component in peer.components].index("C")
    theirs = getattr(peer, method)(n)
    ours = result["C"]
    if isinstance(theirs, tuple):
        theirs = np.stack(theirs, axis=2)
    return f"{np.abs(theirs[:, C] - ours).max():.0e}"


def dynamics(repeats: int) -> tuple[str, list[Verdict]]:
    """Return forward dynamics of many states by units and by closed loops."""
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
    cases = [Case("m.forward_dynamics(q, v, t)", names), Case("s.forward_dynamics(Q, V, T)", names)]
    by_units, by_loops = median_times(cases, repeats=repeats)
    shown = [f"{t / n * 1e9:.1f}" for t in (by_units, by_loops)]
    rows = [["a state of a batch [ns]", *shown, f"{by_loops / by_units:.2f}", f"{error:.0e}"]]
    heads = ("forward dynamics, per", "units", "closed loop", "ratio", "difference")
    verdict = Verdict("forward dynamics of the four-bar, batch", 2.0, by_loops / by_units)
    return section("Forward dynamics of the four-bar", table(heads, rows, left=1)), [verdict]


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
        open_states = np.isnan(forces["A"]).mean()
        memory = sum(force.nbytes for force in forces.values()) / 1e6
        del forces

    def maxima() -> dict[str, np.ndarray]:
        largest = {name: np.empty(count) for name in joints}
        for k in range(0, count, TOGETHER):
            some = {name: values[k : k + TOGETHER] for name, values in dimensions.items()}
            for name, force in mechanism.reactions(q, v, a, dimensions=some).items():
                squares = force[..., 0] ** 2 + force[..., 1] ** 2
                largest[name][k : k + TOGETHER] = np.sqrt(np.fmax.reduce(squares, axis=1))
        return largest

    reduced = [timed(maxima)[1] for _ in range(3)]
    block = TOGETHER / count * memory
    rows = [
        [
            f"{count}, {how}", f"{median(some):.2f}", f"{size:.0f}",
            f"{median(some) / count / 360 * 1e9:.0f}", f"{open_states:.1%}",
        ]
        for how, some, size in (("stored", times, memory), ("maxima", reduced, block))
    ]  # fmt: skip
    heads = ("six-bars, reactions", "s", "MB", "ns per state", "states that cannot close")
    what = f"{count} six-bars, 360 positions, reactions"
    verdicts = [
        Verdict(f"{what} stored", 2.0, median(times), at_least=False, unit="s"),
        Verdict(f"{what}' maxima", 2.0, median(reduced), at_least=False, unit="s"),
    ]
    lines = [*table(heads, rows, left=1), "", f"First call, with compiling: {first:.2f} s."]
    return section("Many variants", lines), verdicts


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
    running, raced = runs(quick=options.quick)
    many, last = variants(1000 if options.quick else 10_000)
    verdicts = verdict_section([*met, *also, *raced, *last])
    sections = [*turning, forces, *running, many, verdicts]
    text = page(__doc__, sections)
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'planar')}")


if __name__ == "__main__":
    main()
