"""Inverse kinematics of arms, against loops on Pinocchio.

    python -m benchmarks.kinematics [--quick] [--save]

Poses of the hand at random configurations within the limits of the joints: of the Panda, the UR5
and the PUMA 560, 10 000 each, of which `ps.inverse_kinematics` knows nothing but the poses.  A pose
is found if its error, position and rotation vector, is below 1e-8 (m, rad) and all joints are
within their limits; all poses are checked by Pinocchio's forward kinematics too.

The peers get the first 200 of the same poses and the same limits, on Pinocchio:

- example loop: the loop of Pinocchio's documentation (inverse kinematics, closed-loop, damping
  1e-6, steps of 0.1, 1000 iterations), from the middle of the limits, with its tolerance set to
  1e-8; restarted from random configurations, up to ten times, where joints end outside their limits
  or it does not converge;
- Levenberg-Marquardt: SciPy's `least_squares` with bounds (trust region reflective) on Pinocchio's
  errors and Jacobians, and a loop of our own in NumPy with the rules of ours; both from random
  configurations until the pose is found, up to fifty times.  The faster one counts.

Times are those of the processor per pose found, all on one core, in five rounds in turns: ours on
all poses, with other random starts each time, peers on a fifth of theirs; ratios are medians of the
rounds.  All start from the middle of the limits first.
"""

import argparse
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from statistics import median

import numpy as np
import pinocchio as pin
from scipy.optimize import least_squares

import poinsot as ps
from benchmarks.pinocchio_model import PinocchioModel
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import use_one_core

ROBOTS = "cmeel.prefix/share/example-robot-data/robots"
PUMA_LIMITS = np.radians([160.0, 110.0, 135.0, 266.0, 100.0, 266.0])
"""Largest angles of the PUMA 560 either way [rad]: those of P. Corke's Robotics Toolbox for Python,
``roboticstoolbox/models/DH/Puma560.py``.  The toolbox for MATLAB has those of Wang and Chen (IEEE
Trans. Robotics and Automation 7(4), 1991), which are not symmetric: -45 to 225, -225 to 45 and -110
to 170 degrees for joints 2, 3 and 4."""
POSES, PEER_POSES, ROUNDS = 10_000, 200, 5
PRECISION = 1e-8
EXAMPLE, MARQUARDT, FOUND, WHOLE = 300.0, 50.0, 0.999, 1.0
HEADS = ("arm", "who", "poses", "found", "per pose found [us]", "ours is faster")


def arms() -> dict[str, tuple[ps.System, str]]:
    """Return the arms with their tools; fingers of the Panda are fixed."""
    folder = Path(str(metadata.distribution("example-robot-data").locate_file(ROBOTS)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.ModelWarning)
        panda = ps.load(folder / "panda_description/urdf/panda.urdf")
        ur5 = ps.load(folder / "ur_description/urdf/ur5_robot.urdf")
        panda = ps.System(
            "Panda", [b for b in panda.bodies if "finger" not in b.name], gravity=panda.gravity
        )
        puma, angles = ps.library.puma560(), iter(PUMA_LIMITS.tolist())
        bodies = [_limited(body, angles) for body in puma.bodies]
        puma = ps.System("PUMA 560", bodies, gravity=puma.gravity)
    return {"Panda": (panda, "panda_hand"), "UR5": (ur5, "tool0"), "PUMA 560": (puma, "link 6")}


def _limited(body, angles):
    if not body.joint.nv:
        return body
    most = next(angles)
    return replace(body, joint=replace(body.joint, limits=ps.Limits(position=(-most, most))))


class Peer:
    """An arm in Pinocchio, with the error of its tool's pose."""

    def __init__(self, system: ps.System, tool: str) -> None:
        self.peer = PinocchioModel(system)
        self.model, self.data = self.peer.model, self.peer.data
        self.joint, self.tool = self.peer.frames[tool]
        self.lower, self.upper = system.limits.lower, system.limits.upper
        self.middle = 0.5 * (self.lower + self.upper)
        self.rng = np.random.default_rng(7)

    def error(self, q, wanted):
        """Return log of the pose seen from the wanted one, shape (6,), and its derivative."""
        pin.forwardKinematics(self.model, self.data, q)
        missing = wanted.actInv(self.data.oMi[self.joint])
        J = pin.computeJointJacobian(self.model, self.data, q, self.joint)
        return pin.log6(missing).vector, pin.Jlog6(missing) @ J

    def ok(self, q, wanted) -> bool:
        """Return whether a pose is found."""
        pin.forwardKinematics(self.model, self.data, q)
        missing = pin.log6(wanted.actInv(self.data.oMi[self.joint])).vector
        within = (q >= self.lower - 1e-12).all() and (q <= self.upper + 1e-12).all()
        return bool(np.abs(missing).max() < PRECISION and within)

    def random(self):
        """Return a random configuration within the limits, and within a turn."""
        return self.rng.uniform(np.maximum(self.lower, -np.pi), np.minimum(self.upper, np.pi))

    def example_loop(self, wanted):
        """Return a configuration by the loop of Pinocchio's documentation."""
        q = self.middle
        for _ in range(10):
            for _ in range(1000):
                pin.forwardKinematics(self.model, self.data, q)
                missing = self.data.oMi[self.joint].actInv(wanted)
                error = pin.log(missing).vector
                if np.linalg.norm(error) < PRECISION:
                    break
                J = pin.computeJointJacobian(self.model, self.data, q, self.joint)
                J = -np.dot(pin.Jlog6(missing.inverse()), J)
                v = -J.T.dot(np.linalg.solve(J.dot(J.T) + 1e-6 * np.eye(6), error))
                q = pin.integrate(self.model, q, v * 0.1)
            q = (q + np.pi) % (2.0 * np.pi) - np.pi
            if self.ok(q, wanted):
                return q
            q = self.random()
        return q

    def scipy_loop(self, wanted):
        """Return a configuration by SciPy's bounded least squares, from start after start."""
        for k in range(50):
            q = least_squares(
                lambda q: self.error(q, wanted)[0], self.random() if k else self.middle,
                lambda q: self.error(q, wanted)[1], (self.lower, self.upper),
                xtol=1e-15, ftol=1e-15, gtol=1e-15, max_nfev=60,
            ).x  # fmt: skip
            if self.ok(q, wanted):
                break
        return q

    def numpy_loop(self, wanted):
        """Return a configuration by projected Levenberg-Marquardt steps in NumPy."""
        for k in range(50):
            q, damping = self.random() if k else self.middle, 1e-3
            error, J = self.error(q, wanted)
            for _ in range(60):
                g = J.T @ error
                held = ((q <= self.lower) & (g > 0)) | ((q >= self.upper) & (g < 0))
                A = np.where(held, 0.0, J)
                step = np.linalg.solve(A.T @ A + damping * np.eye(len(q)), -A.T @ error)
                trial = np.clip(q + step, self.lower, self.upper)
                other, J_other = self.error(trial, wanted)
                if other @ other < error @ error:
                    q, error, J, damping = trial, other, J_other, max(damping / 5.0, 1e-12)
                else:
                    damping *= 8.0
                if np.abs(error).max() < 0.1 * PRECISION or damping > 1e6:
                    break
            if self.ok(q, wanted):
                break
        return q


def per_pose(solve: Callable, peer: Peer, wanted: list) -> tuple[int, float]:
    """Return how many poses are found, and the seconds for each of them."""
    began = time.process_time()
    solutions = [solve(X) for X in wanted]
    taken = time.process_time() - began
    n = sum(peer.ok(q, X) for q, X in zip(solutions, wanted, strict=True))
    return n, taken / max(n, 1)


def measured(name: str, system: ps.System, tool: str, poses: int, peer_poses: int):
    """Return the rows of the table of an arm, and its verdicts."""
    limits, rng = system.limits, np.random.default_rng(1)
    low, high = np.maximum(limits.lower, -2 * np.pi), np.minimum(limits.upper, 2 * np.pi)
    X = system.pose(tool, rng.uniform(low, high, (poses, system.nq)))
    peer = Peer(system, tool)
    wanted = [pin.SE3(x[:3, :3], x[:3, 3]) * peer.tool.inverse() for x in X]
    loops = {"example loop": peer.example_loop, "SciPy": peer.scipy_loop, "NumPy": peer.numpy_loop}
    ps.inverse_kinematics(system, {tool: X})
    times, each = [], {who: [] for who in loops}
    for seed in range(ROUNDS):  # in turns: a busy machine disturbs all alike
        began = time.process_time()
        posture = ps.inverse_kinematics(system, {tool: X}, seed=seed)
        times.append(time.process_time() - began)
        for who, solve in loops.items():
            each[who].append(per_pose(solve, peer, wanted[seed:peer_poses:ROUNDS]))
    n = sum(peer.ok(peer.peer.q(q), x) for q, x in zip(posture.best, wanted, strict=True))
    ours = median(times) / n
    rows = [[name, "poinsot", str(poses), f"{100 * n / poses:.2f} %", f"{1e6 * ours:.1f}", ""]]
    ratios = {}
    for who, rounds in each.items():
        ratios[who] = median(taken / (t / n) for (_, taken), t in zip(rounds, times, strict=True))
        share = f"{100 * sum(m for m, _ in rounds) / peer_poses:.1f} %"
        taken = 1e6 * median(taken for _, taken in rounds)
        rows.append(["", who, str(peer_poses), share, f"{taken:.0f}", f"{ratios[who]:.0f}"])
    better = min(ratios["SciPy"], ratios["NumPy"])
    return rows, [
        Verdict(f"{name}: found", FOUND, n / poses, unit="of all"),
        Verdict(f"{name}: {poses} poses", WHOLE, median(times), at_least=False, unit="s"),
        Verdict(f"{name}: example loop / ours", EXAMPLE, ratios["example loop"]),
        Verdict(f"{name}: Levenberg-Marquardt / ours", MARQUARDT, better),
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kinematics", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="few poses: rough figures")
    parser.add_argument(
        "--save", action="store_true", help="write benchmarks/results/kinematics.md"
    )
    options = parser.parse_args()
    core = use_one_core()
    poses, peer_poses = (500, 5) if options.quick else (POSES, PEER_POSES)
    rows, verdicts = [], []
    for name, (system, tool) in arms().items():
        more, judged = measured(name, system, tool, poses, peer_poses)
        rows, verdicts = rows + more, verdicts + judged
    sections = [section("Poses found", table(HEADS, rows)), verdict_section(verdicts)]
    text = page(__doc__, sections, facts={"core": f"one, number {core}"})
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'kinematics')}")


if __name__ == "__main__":
    main()
