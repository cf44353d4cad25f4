"""Runs of a four-bar under gravity: units, closed loops, Exudyn and MuJoCo at equal error."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import mujoco
import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp

import poinsot as ps
from benchmarks.exudyn_model import ExudynModel
from benchmarks.pinocchio_loops import PinocchioLoops
from benchmarks.report import Verdict, section, table
from benchmarks.simulate import LEVELS, Point, time_at
from poinsot.library import planar_linkage

START, SPEED = 0.3, 10.0
DURATION, LONG = 2.0, 20.0
"""Short and long run [s]: in the short one its start, some 40 µs of Python, counts."""
ROUNDS, SLICE = 3, 5e-3
"""Rounds, of which the median counts, and how long one repeats a run in a round at least [s]."""
AGREEMENT = 1e-9
"""How near the two references must be [rad]."""
TOLERANCES = [10.0**-k for k in range(2, 12)]
STEPS = [125 * 2**k for k in range(10)]
UNITS, LOOPS, EXUDYN = "units", "closed loop", "Exudyn"


@dataclass(frozen=True)
class Way:
    """An integrator with one of its settings: returns the crank's angle and the seconds it took."""

    program: str
    setting: str
    run: Callable[[], tuple[float, float]]


def timed(call: Callable[[], float]) -> Callable[[], tuple[float, float]]:
    """Return a run that is timed as a whole call from Python."""

    def run() -> tuple[float, float]:
        begun = perf_counter()
        angle = call()
        return angle, perf_counter() - begun

    return run


def ours(mechanism, system, start, duration: float) -> list[Way]:
    """Return units and closed loops at all tolerances; of a run only the end is kept."""
    crank = system.v_slice("A").start
    ways = []
    for name in ("dp8", "dp5"):
        for rtol in TOLERANCES:
            options = {"rtol": rtol, "save": duration, "integrator": name}
            ways.append(
                Way(UNITS, f"{name}, rtol {rtol:.0e}", timed(
                    lambda o=options: mechanism.simulate([START], [SPEED], duration, **o).q[-1, 0]
                ))
            )  # fmt: skip
            ways.append(
                Way(LOOPS, f"{name}, rtol {rtol:.0e}", timed(
                    lambda o=options: ps.simulate(system, *start, duration, **o).q[-1, crank]
                ))
            )  # fmt: skip
    return ways


def exudyn(system, start) -> list[Way]:
    """Return Exudyn's implicit integrators: only the time of its compiled solver counts."""
    model = ExudynModel(system, *start)
    crank = [body.name for body in system.bodies].index("crank")

    def run(steps: int, *, index2: bool, new_jacobian: bool) -> tuple[float, float]:
        poses = model.run(DURATION, steps, index2=index2, new_jacobian=new_jacobian)
        return float(np.arctan2(poses[crank, 1, 0], poses[crank, 0, 0])), model.seconds

    return [
        Way(
            EXUDYN,
            f"{'trapezoidal' if index2 else 'generalised alpha'}, "
            f"{'new' if new else 'kept'} Jacobian, {steps} steps",
            lambda s=steps, i=index2, n=new: run(s, index2=i, new_jacobian=n),
        )
        for index2 in (True, False)
        for new in (True, False)
        for steps in STEPS
    ]


def mujoco_model(system) -> mujoco.MjModel:
    """Return MuJoCo's model, its loop one point: in a plane two would be too many."""
    rods = "".join(_mujoco_body(system, body) for body in system.bodies if body.parent == "world")
    loop = '<connect site1="first" site2="second" solimp="0.9999 0.9999 0.001 0.5 2"/>'
    text = f"""<mujoco><compiler angle="radian"/>
    <option gravity="{_numbers(system.gravity)}" tolerance="1e-12" jacobian="dense">
      <flag contact="disable"/></option>
    <worldbody>{rods}</worldbody><equality>{loop}</equality></mujoco>"""
    return mujoco.MjModel.from_xml_string(text)


def _mujoco_body(system, body) -> str:
    (loop,) = system.loops
    ends = {loop.first[0]: ("first", loop.first[1]), loop.second[0]: ("second", loop.second[1])}
    site = ""
    if body.name in ends:
        name, pose = ends[body.name]
        site = f'<site name="{name}" pos="{_numbers(pose.xyz)}"/>'
    inside = "".join(_mujoco_body(system, x) for x in system.bodies if x.parent == body.name)
    return (
        f'<body name="{body.name}" pos="{_numbers(body.pose.xyz)}">'
        f'<joint name="{body.joint.name or body.name}" type="hinge" axis="0 0 1"/>'
        f'<inertial mass="{body.mass!r}" pos="{_numbers(body.com)}" '
        f'diaginertia="{_numbers(body.inertia[:3])}"/>{site}{inside}</body>'
    )


def _numbers(values) -> str:
    return " ".join(repr(float(value)) for value in values)


def mujoco_ways(system, start) -> list[Way]:
    """Return MuJoCo's integrators, its constraint as stiff as it lets it be: solref (2 h, 1)."""
    model = mujoco_model(system)
    data = mujoco.MjData(model)
    kinds = mujoco.mjtIntegrator
    known = {
        "RK4": kinds.mjINT_RK4, "Euler": kinds.mjINT_EULER, "implicitfast": kinds.mjINT_IMPLICITFAST
    }  # fmt: skip

    def run(kind: int, steps: int) -> float:
        mujoco.mj_resetData(model, data)
        model.opt.integrator, model.opt.timestep = kind, DURATION / steps
        model.eq_solref[:] = 2.0 * DURATION / steps, 1.0
        data.qpos[:], data.qvel[:] = start
        mujoco.mj_step(model, data, steps)
        return float(data.qpos[0])

    return [
        Way(f"MuJoCo {name}", f"{steps} steps", timed(lambda k=kind, s=steps: run(k, s)))
        for name, kind in known.items()
        for steps in STEPS
    ]


def references(mechanism, system, start, duration: float) -> tuple[float, float]:
    """Return the crank's angle at the end by units, and by SciPy and Pinocchio."""
    units = mechanism.simulate([START], [SPEED], duration, rtol=1e-12, save=duration).q[-1, 0]
    peer, n = PinocchioLoops(system), system.nv
    known = (peer.contacts, peer.contact_data, peer.settings)

    def derivative(_: float, y: np.ndarray) -> np.ndarray:
        v = y[n:]
        rate = pin.constraintDynamics(peer.model, peer.data, y[:n], v, np.zeros(n), *known)
        return np.concatenate((v, rate))

    begin = np.concatenate((peer.q(start[0]), peer.v(start[1])))
    run = solve_ivp(derivative, (0.0, duration), begin, "DOP853", rtol=2.3e-14, atol=1e-13)
    return float(units), float(peer.vector_back(run.y[:n, -1])[system.v_slice("A").start])


def measured(ways: Sequence[Way], reference: float, *, rounds: int) -> dict[str, list[Point]]:
    """Return error and time of each, programs in turns."""
    seconds: list[list[float]] = [[] for _ in ways]
    errors = [np.inf] * len(ways)
    for _ in range(rounds):
        for k, way in enumerate(ways):
            try:
                angle, best = way.run()
                total = best
                while total < SLICE:
                    _, time = way.run()
                    best, total = min(best, time), total + time
            except RuntimeError:  # Exudyn did not converge
                continue
            seconds[k].append(best)
            errors[k] = abs((angle - reference + np.pi) % (2.0 * np.pi) - np.pi)
    points: dict[str, list[Point]] = {}
    for way, times, error in zip(ways, seconds, errors, strict=True):
        if times and np.isfinite(error):
            made = Point(way.setting, float(error), median(times), 0)
            points.setdefault(way.program, []).append(made)
    return points


def runs(*, quick: bool) -> tuple[list[str], list[Verdict]]:
    """Return the tables of runs at equal error, and the targets."""
    mechanism = planar_linkage("four-bar")
    system = mechanism.system()
    start = mechanism.system_state(np.array([START]), np.array([SPEED]))
    peers = [*exudyn(system, start), *mujoco_ways(system, start)]
    sections, verdicts = [], []
    for duration, others in ((DURATION, peers), (LONG, [])):
        references_ = references(mechanism, system, start, duration)
        apart = abs(references_[0] - references_[1])
        if not apart < AGREEMENT:
            raise RuntimeError(f"the references differ by {apart:.1e} rad")
        ways = [*ours(mechanism, system, start, duration), *others]
        points = measured(ways, references_[1], rounds=1 if quick else ROUNDS)
        levels = [level for level in LEVELS if level >= 10.0 * apart]
        times = {
            level: {name: time_at(some, level) for name, some in points.items()} for level in levels
        }
        lines = [
            *table(*level_table(times, points, duration), left=1),
            "",
            f"The references differ by {apart:.0e} rad.",
        ]
        title = f"Run of the four-bar for {duration:g} s"
        sections.append(section(f"{title}: time per simulated second at equal error", lines))
        what = f"run of the four-bar for {duration:g} s"
        verdicts.append(_verdict(f"{what}, closed loop / units at equal error", times, LOOPS, 2.0))
        if others:
            sections.append(section(f"{title}: the least error of each", least_errors(points)))
            verdicts.append(_verdict(f"{what}, Exudyn / units at equal error", times, EXUDYN, 50.0))
    return sections, verdicts


def level_table(
    times: dict[float, dict[str, float]], points: dict[str, list[Point]], duration: float
) -> tuple[list[str], list[list[str]]]:
    """Return heads and rows of times per simulated second at equal error."""
    peers = [name for name in points if name != UNITS]
    heads = ["error rad", *(f"{name} ms" for name in points), *(f"{x} / units" for x in peers)]
    return heads, [
        [
            f"{level:.0e}",
            *(_text(1e3 * row[name] / duration, "{:.3f}") for name in points),
            *(_text(row[name] / row[UNITS], "{:.2f}") for name in peers),
        ]
        for level, row in times.items()
    ]


def least_errors(points: dict[str, list[Point]]) -> list[str]:
    """Return the table of the best that each program can do."""
    rows = []
    for name, some in points.items():
        best = min(some, key=lambda point: point.error)
        ratio = _text(best.seconds / time_at(points[UNITS], best.error), "{:.0f}")
        seconds = f"{best.seconds * 1e3:.3f}"
        rows.append([name, f"{best.error:.0e}", best.setting, seconds, ratio])
    return table(("program", "error rad", "setting", "ms", "ratio to units"), rows, left=1)


def _verdict(what: str, times: dict[float, dict[str, float]], peer: str, target: float) -> Verdict:
    ratios = {level: row[peer] / row[UNITS] for level, row in times.items()}
    known = [level for level in times if np.isfinite(ratios[level])]
    worst = min(known, key=lambda level: ratios[level])
    note = f"the least of {len(known)} errors, at {worst:.0e}"
    return Verdict(what, target, ratios[worst], note=note)


def _text(value: float, form: str) -> str:
    return form.format(value) if np.isfinite(value) else "-"
