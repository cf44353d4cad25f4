"""Runs with bounces at equal error, against SciPy with events on Pinocchio.

    python -m benchmarks.bounces [--quick] [--save]

The end of a chain swings against a wall and bounces with restitution 0.9: two joints, and seven.
`ps.simulate(contacts=)` finds the impacts and lets velocities jump; the peer calls
`scipy.integrate.solve_ivp` with a terminal event, the rates by `pin.aba`, and after each event
v + (1 + e) M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ (-J v) by `pin.crba` and `pin.getFrameJacobian`.

Both run at tolerances from 1e-4 to 1e-11; the error is that of the last state against a run of ours
at 1e-12, which the peer's at 1e-12 must confirm.  Times at an error are read off the line between
two tolerances, both logarithmic.  The peer counts by the fastest of DOP853, RK45 and LSODA at that
error.  Times are the medians of rounds in turns, on one core.
"""

import argparse
import time
from collections.abc import Callable
from statistics import median

import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp

import poinsot as ps
from benchmarks.pinocchio_model import PinocchioModel
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import use_one_core

TOLERANCES = tuple(10.0**-k for k in range(4, 12))
METHODS = ("DOP853", "RK45", "LSODA")
ERRORS = (1e-5, 1e-7)
RESTITUTION, ROUNDS, TARGET = 0.9, 5, 10.0
HEADS = ("chain", "bounces", "error", "ours [ms]", "SciPy on Pinocchio [ms]", "its method", "ratio")


class Swing:
    """A chain that swings against a wall, by both."""

    def __init__(self, n: int, duration: float) -> None:
        self.system = ps.library.chain(n) if n > 2 else ps.library.double_pendulum()
        self.body = self.system.bodies[-1].name
        self.q = np.full(n, 0.35 if n == 2 else 0.12)
        self.v, self.duration = np.zeros(n), duration
        end = self.system.pose(self.body, self.q)[:3, 3]
        self.level = float(0.4 * end[0])
        self.sign = float(np.sign(end[0]))
        gap = f"({self.sign})*(x - ({self.level!r}))"
        wall = ps.PointOnSurface("wall", (self.body, (0, 0, 0)), gap)
        self.contact = ps.Contact(wall, RESTITUTION)
        self.peer = PinocchioModel(self.system)
        self.joint = self.peer.model.njoints - 1

    def ours(self, tolerance: float) -> tuple[np.ndarray, int]:
        """Return the last state, and how many bounces there were."""
        run = ps.simulate(
            self.system, self.q, self.v, self.duration, contacts=[self.contact], rtol=tolerance,
            atol=tolerance,
        )  # fmt: skip
        return np.concatenate([run.q[-1], run.v[-1]]), len(run.events)

    def theirs(self, tolerance: float, method: str) -> tuple[np.ndarray, int]:
        """Return the same by SciPy on Pinocchio."""
        model, data, n = self.peer.model, self.peer.data, self.system.nv
        none = np.zeros(n)

        def rates(t: float, y: np.ndarray) -> np.ndarray:
            return np.concatenate([y[n:], pin.aba(model, data, y[:n], y[n:], none)])

        def gap(t: float, y: np.ndarray) -> float:
            pin.forwardKinematics(model, data, y[:n])
            return self.sign * (data.oMi[self.joint].translation[0] - self.level)

        gap.terminal, gap.direction = True, -1.0
        t, count = 0.0, 0
        y = np.concatenate([self.peer.order("q", self.q), self.v])
        while True:
            part = solve_ivp(rates, (t, self.duration), y, method=method, rtol=tolerance,
                             atol=tolerance, events=gap)  # fmt: skip
            t, y = part.t[-1], part.y[:, -1]
            if part.status != 1:
                return y, count
            count += 1
            y = np.concatenate([y[:n], self._bounced(y[:n], y[n:])])

    def _bounced(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        model, data = self.peer.model, self.peer.data
        upper = np.triu(pin.crba(model, data, q))
        M = upper + np.triu(upper, 1).T
        axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        pin.computeJointJacobians(model, data, q)
        J = self.sign * pin.getJointJacobian(model, data, self.joint, axes)[0]
        change = np.linalg.solve(M, J)
        return v - (1.0 + RESTITUTION) * (J @ v) / (J @ change) * change


def timed(call: Callable[[], object]) -> float:
    """Return the seconds of a call."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def at_error(errors: list[float], times: list[float], wanted: float) -> float:
    """Return the time at an error, between two tolerances; infinite where none reaches it."""
    order = np.argsort(errors)
    x, y = np.log(np.maximum(np.array(errors)[order], 1e-300)), np.log(np.array(times)[order])
    if x[0] > np.log(wanted):
        return np.inf
    return float(np.exp(np.interp(np.log(wanted), x, y)))


def measure(swing: Swing, rounds: int) -> tuple[list[list[str]], list[Verdict]]:
    """Return the rows and verdicts of one chain."""
    exact, bounces = swing.ours(1e-12)
    other, count = swing.theirs(1e-12, "DOP853")
    assert count == bounces, (count, bounces)
    np.testing.assert_allclose(other, exact, atol=1e-7 * np.abs(exact).max())
    calls = {"ours": swing.ours}
    calls |= {key: lambda x, key=key: swing.theirs(x, key) for key in METHODS}
    curves: dict[str, tuple[list[float], list[float]]] = {}
    for key, call in calls.items():
        results = [call(x)[0] for x in TOLERANCES]
        errors = [float(np.abs(y - exact).max()) for y in results]
        curves[key] = errors, [0.0] * len(TOLERANCES)
    for k, tolerance in enumerate(TOLERANCES):
        taken: dict[str, list[float]] = {key: [] for key in calls}
        for _ in range(rounds):
            for key, call in calls.items():
                taken[key].append(timed(lambda call=call, x=tolerance: call(x)))
        for key, seconds in taken.items():
            curves[key][1][k] = median(seconds)
    rows, verdicts, name = [], [], f"{swing.system.nv} joints"
    for wanted in ERRORS:
        found = {key: at_error(*curve, wanted) for key, curve in curves.items()}
        best = min(METHODS, key=found.__getitem__)
        ratio = found[best] / found["ours"]
        shown = [f"{1e3 * found['ours']:.3f}", f"{1e3 * found[best]:.1f}", best, f"{ratio:.1f}"]
        rows.append([name, str(bounces), f"{wanted:.0e}", *shown])
        verdicts.append(Verdict(f"{name}, error {wanted:.0e}: SciPy / ours", TARGET, ratio))
    return rows, verdicts


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bounces", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="few rounds: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/bounces.md")
    options = parser.parse_args()
    core = use_one_core()
    rows, verdicts = [], []
    for n, duration in ((2, 6.0), (7, 1.2)):
        new = measure(Swing(n, duration), 1 if options.quick else ROUNDS)
        rows, verdicts = rows + new[0], verdicts + new[1]
    text = page(
        __doc__,
        [section("Runs with bounces", table(HEADS, rows, left=1)), verdict_section(verdicts)],
        facts={"core": f"one, number {core}"},
    )
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'bounces')}")


if __name__ == "__main__":
    main()
