"""Closed loops: forward dynamics against Pinocchio's constrained dynamics, and many loops.

    python -m benchmarks.loops [--quick] [--save]

Both are called from Python on one core: `system.forward_dynamics(q, v, tau)` and
`pin.constraintDynamics(model, data, q, v, tau, contacts, contact_data, settings)` on float64 arrays
that are there already, at states that obey the constraints.  The batch is one call of ours for many
states; Pinocchio has no such call in Python, and looping over its single call can only add to it,
so its figure for a state of a batch is that of the single call.  Our pins are hinges in space, of
five rows each, three of which are redundant in a plane; Pinocchio's are points of three rows, as it
has no hinge, with the proximal iterations that its redundant rows need.  Springs are left out of
both.  Error: the largest difference of accelerations over the largest acceleration.

MuJoCo is `mj_forward(model, data)` with the loops as equality constraints, which give way: its
accelerations are others, so only its time stands here.  It takes no thin rods, whose moments about
their own axis are 1e-6 kg m² for it.

The N four-bars are a ladder: N + 1 rods on the ground and N couplers, modelled in space.  Their
time per loop should not grow with N.
"""

import argparse
import tempfile
from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin

import poinsot as ps
from benchmarks.pinocchio_loops import PinocchioLoops
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import Case, median_times, timed, use_one_core
from poinsot import library

BATCH = 1024
LADDERS = (2, 10, 40, 200, 1000)


@dataclass(frozen=True)
class Subject:
    """A closed system without springs, and a configuration on which it closes."""

    name: str
    system: ps.System
    q: np.ndarray


def subjects() -> list[Subject]:
    """Return the systems that Pinocchio can hold too."""
    squeezer = library.andrews_squeezer()
    bare = ps.System("Andrews' squeezer", squeezer.bodies, gravity=(0, 0, 0), loops=squeezer.loops)
    ladder = library.n_four_bar(6)
    return [
        Subject("four-bar", library.four_bar(), library.four_bar_configuration(0.8)),
        Subject("Andrews' squeezer", bare, library.andrews_squeezer_configuration()),
        Subject(
            "Stewart platform",
            library.stewart_platform(),
            library.stewart_platform_configuration(ps.Pose((0.05, 0.02, 0.7), rpy=(0.1, 0.05, 0))),
        ),
        Subject("6 four-bars", ladder, library.n_four_bar_state(6, angle=1.2)[0]),
    ]


def states(subject: Subject, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return configurations, velocities that the loops allow, and joint forces."""
    rng = np.random.default_rng(0)
    system = subject.system
    J = system.constraint_jacobian(subject.q)
    v = rng.normal(size=(count, system.nv))
    v = v - (np.linalg.pinv(J) @ (J @ v.T)).T
    return np.tile(subject.q, (count, 1)), v, rng.normal(size=(count, system.nv))


def against_pinocchio(repeats: int) -> tuple[str, list[Verdict]]:
    """Return the table against Pinocchio, and the targets."""
    rows, verdicts = [], []
    for subject in subjects():
        system, other = subject.system, PinocchioLoops(subject.system)
        q, v, tau = states(subject, BATCH)
        a, first = timed(system.forward_dynamics, q[0], v[0], tau[0])
        system.forward_dynamics(q, v, tau)
        error = np.abs(other.forward_dynamics(q[0], v[0], tau[0]) - a).max() / np.abs(a).max()
        ours = {"system": system, "q": q[0], "v": v[0], "tau": tau[0]}
        theirs = {
            "f": pin.constraintDynamics, "m": other.model, "d": other.data, "c": other.contacts,
            "cd": other.contact_data, "s": other.settings,
            "q": other.q(q[0]), "v": other.v(v[0]), "tau": other.v(tau[0]),
        }  # fmt: skip
        single, batch, peer, soft = median_times(
            [
                Case("system.forward_dynamics(q, v, tau)", ours),
                Case("system.forward_dynamics(q, v, tau)", ours | {"q": q, "v": v, "tau": tau}),
                Case("f(m, d, q, v, tau, c, cd, s)", theirs),
                mujoco_case(subject),
            ],
            repeats=repeats,
        )
        batch /= BATCH
        rows.append(
            [
                subject.name, str(len(system.bodies)), str(len(system.row_names)),
                f"{soft * 1e6:.2f}", f"{peer * 1e6:.2f}",
                f"{single * 1e6:.3f}", f"{peer / single:.1f}",
                f"{batch * 1e6:.3f}", f"{peer / batch:.1f}", f"{first:.2f}", f"{error:.0e}",
            ]
        )  # fmt: skip
        verdicts += [
            Verdict(f"{subject.name}, single", 2.0, peer / single),
            Verdict(f"{subject.name}, batch", 5.0, peer / batch),
        ]
    heads = (
        "system", "bodies", "rows", "MuJoCo", "Pinocchio", "single", "ratio", "batch", "ratio",
        "first call s", "error",
    )  # fmt: skip
    return section("Time per state [µs], and how many times faster", table(heads, rows, left=1)), (
        verdicts
    )


def mujoco_case(subject: Subject) -> Case:
    """Return MuJoCo's forward dynamics of the same system."""
    bodies = [replace_moments(body) for body in subject.system.bodies]
    system = subject.system
    solid = ps.System(system.name, bodies, gravity=system.gravity, loops=system.loops)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.xml"
        ps.save(solid, path)
        model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    data.qpos[:] = subject.q
    return Case("f(m, d)", {"f": mujoco.mj_forward, "m": model, "d": data})


def replace_moments(body: ps.Body) -> ps.Body:
    """Return a body with some moment about every axis."""
    moments = np.maximum(body.inertia[:3], 1e-6)
    return ps.Body(
        body.name, body.parent, body.joint, body.pose, mass=body.mass, com=body.com,
        inertia=(*moments, *body.inertia[3:]),
    )  # fmt: skip


def ladders(repeats: int) -> tuple[str, list[Verdict]]:
    """Return the table of the N four-bars, and the targets."""
    rows, per_loop, firsts = [], {}, {}
    for n in LADDERS:
        system = library.n_four_bar(n)
        subject = Subject(f"{n} four-bars", system, library.n_four_bar_state(n, angle=1.2)[0])
        q, tau = subject.q, np.zeros(system.nv)
        v = np.zeros(system.nv)
        _, first = timed(system.forward_dynamics, q, v, tau)
        count = max(16, min(1024, 8000 // n))
        many = [np.tile(x, (count, 1)) for x in (q, v, tau)]
        system.forward_dynamics(*many)
        single, batch = median_times(
            [
                Case("s.forward_dynamics(q, v, t)", {"s": system, "q": q, "v": v, "t": tau}),
                Case(
                    "s.forward_dynamics(q, v, t)",
                    {"s": system, **dict(zip("qvt", many, strict=True))},
                ),
            ],
            repeats=repeats,
        )
        per_loop[n], firsts[n] = single / n, first
        rows.append(
            [
                str(n), str(len(system.bodies)), f"{first:.2f}", f"{single * 1e6:.1f}",
                f"{single / n * 1e9:.0f}", f"{batch / count / n * 1e9:.0f}",
            ]
        )  # fmt: skip
    heads = ("loops", "bodies", "first call s", "single µs", "single ns/loop", "batch ns/loop")
    verdicts = [
        Verdict("1000 loops per loop over 40", 2.0, per_loop[1000] / per_loop[40], at_least=False),
        Verdict("first call of 1000 loops", 5.0, firsts[1000], at_least=False, unit="s"),
    ]
    return section("N four-bars", table(heads, rows, left=0)), verdicts


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.loops", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="few repeats: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/loops.md")
    options = parser.parse_args()
    use_one_core()
    repeats = 7 if options.quick else 70
    peers, met = against_pinocchio(repeats)
    many, also = ladders(max(2, repeats // 4))
    sections = [peers, many, verdict_section([*met, *also])]
    text = page(__doc__, sections, facts={"pin": pin.__version__})
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'loops')}")


if __name__ == "__main__":
    main()
