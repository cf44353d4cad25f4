"""Fastest motions along paths, against TOPPRA.

    python -m benchmarks.least_time [--quick] [--save]

Twenty paths of the PUMA 560 without friction, cubic splines through six random configurations, with
limits of joint forces, velocities and accelerations, on the same 200 intervals, from rest to rest.
TOPPRA (Pham and Pham 2018) checks limits at both ends of each interval (its interpolation scheme),
and takes the same inverse dynamics, by callbacks; `ps.time_optimal` tightens the limits until they
hold at ten instants of each interval.  Excess is by how much the largest of all limits is exceeded
at 4000 instants of the motion.  Times are those of whole calls, medians of three.
"""

import argparse
import sys
import time
from dataclasses import replace
from statistics import median

import numpy as np
from scipy.interpolate import CubicSpline

import poinsot as ps
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import use_one_core

EFFORT = np.array([90.0, 180.0, 90.0, 15.0, 15.0, 15.0])
VELOCITY, ACCELERATION = np.full(6, 2.5), np.full(6, 12.0)
INTERVALS, INSTANTS, PATHS = 200, 4000, 20
NEAR, EXCEEDED = 1.01, 1e-6
HEADS = ("path", "ours [s]", "TOPPRA [s]", "ours / TOPPRA", "excess, ours", "excess, TOPPRA",
         "ours [ms]", "TOPPRA [ms]")  # fmt: skip


def robot() -> ps.System:
    """Return the PUMA 560 without friction."""
    puma = ps.library.puma560()
    bodies = [
        replace(body, joint=replace(body.joint, damping=0.0)) if body.joint.nv else body
        for body in puma.bodies
    ]
    return ps.System("PUMA 560", bodies, gravity=puma.gravity)


def excess(system: ps.System, q, v, a) -> float:
    """Return by which part the largest limit is exceeded."""
    tau = system.inverse_dynamics(q, v, a)
    pairs = ((tau, EFFORT), (v, VELOCITY), (a, ACCELERATION))
    return float(max((np.abs(x) / limit).max() for x, limit in pairs) - 1.0)


def peer(toppra, system: ps.System, s, q):
    """Return TOPPRA's motion."""
    kinds = toppra.constraint
    scheme = kinds.DiscretizationType.Interpolation
    limits = [np.stack([-x, x], axis=1) for x in (EFFORT, VELOCITY, ACCELERATION)]
    constraints = [
        kinds.JointTorqueConstraint(
            system.inverse_dynamics, limits[0], np.zeros(6), discretization_scheme=scheme
        ),
        kinds.JointVelocityConstraint(limits[1]),
        kinds.JointAccelerationConstraint(limits[2], discretization_scheme=scheme),
    ]
    path = toppra.SplineInterpolator(s, q, bc_type="not-a-knot")
    grid = np.linspace(0.0, s[-1], INTERVALS + 1)
    solver = toppra.algorithm.TOPPRA(
        constraints, path, gridpoints=grid, parametrizer="ParametrizeConstAccel"
    )
    return solver.compute_trajectory(0.0, 0.0)


def timed_median(function):
    """Return a result and the median time of three calls [s]."""
    times = []
    for _ in range(3):
        began = time.process_time()
        result = function()
        times.append(time.process_time() - began)
    return result, median(times)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.least_time", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="two paths")
    parser.add_argument(
        "--save", action="store_true", help="write benchmarks/results/least_time.md"
    )
    options = parser.parse_args()
    try:
        import toppra
        import toppra.algorithm
        import toppra.constraint
    except ImportError:
        sys.exit("pip install toppra: the peer of this benchmark")
    toppra.setup_logging("ERROR")
    core, system, rng = use_one_core(), robot(), np.random.default_rng(4)
    rows, ratios, worst = [], [], -1.0
    for number in range(2 if options.quick else PATHS):
        s, q = np.linspace(0.0, 1.0, 6), rng.uniform(-1.5, 1.5, (6, 6))
        pieces = np.moveaxis(CubicSpline(s, q).c[::-1], 0, 1)
        path = ps.PlannedMotion(s, pieces)
        limits = {"effort": EFFORT, "velocity": VELOCITY, "acceleration": ACCELERATION}
        ours, our_time = timed_median(
            lambda p=path: ps.time_optimal(system, p, points=INTERVALS, **limits)  # noqa: B023
        )
        theirs, their_time = timed_median(lambda s=s, q=q: peer(toppra, system, s, q))
        t, u = (np.linspace(0.0, x.duration, INSTANTS) for x in (ours, theirs))
        our_excess = excess(system, *(ours.derivative(k, t) for k in range(3)))
        their_excess = excess(system, *(theirs(u, k) for k in range(3)))
        ratios.append(ours.duration / theirs.duration)
        worst = max(worst, our_excess)
        rows.append([
            str(number + 1), f"{ours.duration:.4f}", f"{theirs.duration:.4f}", f"{ratios[-1]:.4f}",
            f"{our_excess:.1e}", f"{their_excess:.1e}", f"{1e3 * our_time:.0f}",
            f"{1e3 * their_time:.0f}",
        ])  # fmt: skip
    verdicts = [
        Verdict("longest, ours / TOPPRA", NEAR, max(ratios), at_least=False),
        Verdict("limits exceeded, ours", EXCEEDED, worst, at_least=False, unit="of the limit"),
    ]
    sections = [section("Paths", table(HEADS, rows, left=1)), verdict_section(verdicts)]
    text = page(__doc__, sections, facts={"core": f"one, number {core}"})
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'least_time')}")


if __name__ == "__main__":
    main()
