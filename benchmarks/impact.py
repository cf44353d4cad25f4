"""Impacts of two arms at many states, against NumPy on Pinocchio.

    python -m benchmarks.impact [--quick] [--save]

Two arms of seven joints, the second on a base that stands elsewhere, hit each other in four points:
10 000 random states, places on links of the first arm, normals at random, turned so that all points
close.  `ps.collide_many` gives impulses, rates and changes of all velocities, by the law as printed
(every point obeys Newton's restitution, impulses may pull) and by the unilateral one.

The peer calls Pinocchio's `crba`, `computeJointJacobians` and `getJointJacobian` in a loop over the
states, and then computes all states together in NumPy: rows of the points, M⁻¹ Aᵀ and the impulses
by `np.linalg.solve` on stacks.  Unilateral impulses: all points first; only states with pulls among
them go on, to the other sets of points, until all are settled.  Both must agree.

Times are the medians of rounds in turns, on one core.
"""

import argparse
import time
from itertools import product
from statistics import median

import numpy as np
import pinocchio as pin

import poinsot as ps
from benchmarks.pinocchio_model import PinocchioModel
from benchmarks.report import Verdict, page, save, section, table, verdict_section
from benchmarks.timing import use_one_core

STATES, ROUNDS = 10_000, 7
TARGETS = {"printed": 100.0, "unilateral": 50.0}
PAIRS = ((7, 7), (6, 7), (5, 6), (7, 4))
RESTITUTION = np.array([0.3, 0.5, 0.7, 0.4])
BASE = np.array([0.4, 0.1, 0.0])
HEADS = ("law", "poinsot [ms]", "NumPy on Pinocchio [ms]", "per impact [us]", "ours is faster",
         "largest difference [N s]")  # fmt: skip


def impacts(states: int) -> tuple[ps.MovingSystem, ps.MovingSystem, list[ps.ImpactPoint]]:
    """Return two arms before their impacts, and the points."""
    arm, rng = ps.library.seven_joint_arm(), np.random.default_rng(4)
    joints = [body.name for body in arm.bodies if body.joint.nv]
    q, v = rng.uniform(-1.5, 1.5, (2, states, 7)), rng.normal(size=(2, states, 7))
    first = ps.MovingSystem(arm, q[0], v[0])
    second = ps.MovingSystem(arm, q[1], v[1], ps.BaseMotion(ps.Pose(tuple(BASE))))
    points = []
    for k, (i, j) in enumerate(PAIRS):
        bodies = joints[i - 1], joints[j - 1]
        place = arm.pose(bodies[0], q[0])[:, :3, 3] + rng.uniform(-0.1, 0.1, (states, 3))
        point = ps.ImpactPoint(
            *bodies, point=place, normal=rng.normal(size=(states, 3)), restitution=RESTITUTION[k],
            name=f"point {k}",
        )  # fmt: skip
        points.append(point)
    u = ps.collide_many(first, second, points, law="unilateral").rates_before
    closing = [
        ps.ImpactPoint(
            point.first, point.second, point=point.point, restitution=point.restitution,
            normal=-np.sign(u[:, [k]]) * point.normal, name=point.name,
        )
        for k, point in enumerate(points)
    ]  # fmt: skip
    return first, second, closing


class Peer:
    """The same with Pinocchio and NumPy."""

    def __init__(self, first, second, points) -> None:
        self.arm = PinocchioModel(first.system)
        self.q = [self.arm.q(party.q) for party in (first, second)]
        self.v = [self.arm.v(party.v) for party in (first, second)]
        self.places = np.stack([point.point for point in points], axis=1)
        self.normals = np.stack([point.normal for point in points], axis=1)
        names = [(point.first, point.second) for point in points]
        self.joints = [[self.arm.frames[pair[j]][0] for pair in names] for j in (0, 1)]

    def collide(self, law: str) -> tuple[np.ndarray, ...]:
        """Return impulses, rates before and after, changes of both velocities."""
        sides = [self._side(0, -1.0, np.zeros(3)), self._side(1, 1.0, BASE)]
        u = sum((rows @ v[:, :, None])[:, :, 0] for (rows, _), v in zip(sides, self.v, strict=True))
        X = [np.linalg.solve(M, rows.transpose(0, 2, 1)) for rows, M in sides]
        G = sum(rows @ x for (rows, _), x in zip(sides, X, strict=True))
        h = -(1.0 + RESTITUTION) * u
        P = np.linalg.solve(G, h[:, :, None])[:, :, 0]
        if law == "unilateral":
            self._without_pulls(G, np.maximum(0.0, -RESTITUTION * u) - u, P)
        changes = [(x @ P[:, :, None])[:, :, 0] for x in X]
        return P, u, u + (G @ P[:, :, None])[:, :, 0], *changes

    def _side(self, j, sign, base):
        model, data, n = self.arm.model, self.arm.data, len(self.q[j])
        masses, frames = np.empty((n, 7, 7)), np.empty((n, len(PAIRS), 6, 7))
        origins = np.empty((n, len(PAIRS), 3))
        joints, axes = self.joints[j], pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        for k, q in enumerate(self.q[j]):
            masses[k] = pin.crba(model, data, q)
            pin.computeJointJacobians(model, data, q)
            for i, joint in enumerate(joints):
                frames[k, i] = pin.getJointJacobian(model, data, joint, axes)
                origins[k, i] = data.oMi[joint].translation
        upper = np.triu(masses)
        masses = upper + np.triu(masses, 1).transpose(0, 2, 1)
        arms = np.cross(self.places - base - origins, self.normals)
        wrenches = np.concatenate([self.normals, arms], axis=2)
        return sign * (wrenches[:, :, None, :] @ frames)[:, :, 0], masses

    @staticmethod
    def _without_pulls(G, h, P):
        left = np.flatnonzero((P < 0.0).any(axis=1))
        for pushing in product((True, False), repeat=h.shape[1]):
            inside = np.flatnonzero(pushing)
            if inside.size == h.shape[1] or not left.size:
                continue
            some = np.zeros((len(left), h.shape[1]))
            if inside.size:
                small = G[left][:, inside[:, None], inside]
                some[:, inside] = np.linalg.solve(small, h[left][:, inside, None])[:, :, 0]
            slack = (G[left] @ some[:, :, None])[:, :, 0] - h[left]
            fits = (some >= 0.0).all(axis=1) & (slack >= -1e-9).all(axis=1)
            P[left[fits]] = some[fits]
            left = left[~fits]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.impact", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--quick", action="store_true", help="few states: rough figures")
    parser.add_argument("--save", action="store_true", help="write benchmarks/results/impact.md")
    options = parser.parse_args()
    core = use_one_core()
    states, rounds = (500, 2) if options.quick else (STATES, ROUNDS)
    given = impacts(states)
    peer, rows, verdicts = Peer(*given), [], []
    for law, target in TARGETS.items():
        ours, theirs = ps.collide_many(*given, law=law), peer.collide(law)
        own = (ours.impulses, ours.rates_before, ours.rates, *ours.changes)
        for mine, other in zip(own, theirs, strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-6, atol=1e-7 * np.abs(other).max())
        times = []
        for _ in range(rounds):  # in turns: a busy machine disturbs both alike
            began = time.perf_counter()
            for _ in range(5):
                ps.collide_many(*given, law=law)
            middle = time.perf_counter()
            peer.collide(law)
            times.append(((middle - began) / 5.0, time.perf_counter() - middle))
        taken, needed = (median(column) for column in zip(*times, strict=True))
        ratio = median(other / mine for mine, other in times)
        worst = np.abs(ours.impulses - theirs[0]).max()
        shown = (f"{1e3 * taken:.2f}", f"{1e3 * needed:.0f}", f"{1e6 * taken / states:.3f}")
        rows.append([law, *shown, f"{ratio:.0f}", f"{worst:.1e}"])
        verdicts.append(Verdict(f"{law}: NumPy on Pinocchio / ours", target, ratio))
    sections = [
        section(f"{states} impacts in four points", table(HEADS, rows, left=1)),
        verdict_section(verdicts),
    ]
    text = page(__doc__, sections, facts={"core": f"one, number {core}"})
    print(text)
    if options.save:
        print(f"\nsaved: {save(text, 'impact')}")


if __name__ == "__main__":
    main()
