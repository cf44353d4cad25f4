"""What ``verify`` checks of joints: S and its rate against differences of the transform.

Formulations share what joints say of themselves, so that none of them sees a joint that is wrong in
itself, one of the user's own for instance.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from poinsot.front.system import System
from poinsot.model import AbstractJoint
from poinsot.spatial import Array
from poinsot.verification.comparison import DIFFERENCE, SMALLEST, STEP, Compare, largest

States = Iterator[tuple[AbstractJoint, Array, Array]]


def joint_comparisons(system: System) -> Iterator[tuple[str, float, Compare]]:
    """Yield the checks of each kind of joint: name, tolerance and comparison."""
    mechanism = system.mechanism
    joints = [body.joint for body in mechanism.bodies] + [loop.joint for loop in mechanism.loops]
    for kind in dict.fromkeys(type(joint) for joint in joints if joint.nv):
        yield f"S of {kind.kind} joints by differences", DIFFERENCE, partial(_subspace, kind)
        yield f"rate of S of {kind.kind} joints by differences", DIFFERENCE, partial(_rate, kind)


def _subspace(kind: type[AbstractJoint], system: System, q: Array, v: Array, tau: Array) -> float:
    """Compare S v with the motion of the transform."""
    worst = 0.0
    for joint, q_i, u in _joints(kind, system, q):
        h, (up, down) = _beside(joint, q_i, u)
        above, below, X = joint.transform(up), joint.transform(down), joint.transform(q_i)
        turn = X.R.T @ (above.R - below.R) / (2 * h)
        spin = 0.5 * np.array(
            [turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]
        )
        moved = np.concatenate([X.R.T @ (above.p - below.p) / (2 * h), spin])
        velocity = joint.motion_subspace(q_i) @ u
        worst = max(
            worst, largest(moved - velocity) / max(largest(velocity) + largest(u), SMALLEST)
        )
    return worst


def _rate(kind: type[AbstractJoint], system: System, q: Array, v: Array, tau: Array) -> float:
    worst = 0.0
    for joint, q_i, u in _joints(kind, system, q):
        h, (up, down) = _beside(joint, q_i, u)
        moved = (joint.motion_subspace(up) - joint.motion_subspace(down)) / (2 * h)
        expected = joint.motion_subspace_rate(q_i, u)
        worst = max(
            worst, largest(moved - expected) / max(largest(expected) + largest(u), SMALLEST)
        )
    return worst


def _joints(kind: type[AbstractJoint], system: System, q: Array) -> States:
    """Yield the joints of a kind at their coordinates (random in loops), with random velocities."""
    mechanism, rng = system.mechanism, np.random.default_rng(0)
    for i, body in enumerate(mechanism.bodies):
        if type(body.joint) is kind:
            yield body.joint, q[mechanism.q_slices[i]], rng.normal(size=kind.nv)
    for loop in mechanism.loops:
        if type(loop.joint) is kind:
            yield loop.joint, loop.joint.random(rng), rng.normal(size=kind.nv)


def _beside(joint: AbstractJoint, q: Array, v: Array) -> tuple[float, tuple[Array, Array]]:
    """Return a short time, and where the joint is by it later and earlier."""
    rate = np.asarray(joint.position_rate(q, v), float)
    h = STEP / max(1.0, largest(rate))
    return h, (q + h * rate, q - h * rate)
