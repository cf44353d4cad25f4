"""Loops and constraints as rows on the accelerations of all bodies and joints.

Constraints see free bodies: v is replaced by the velocities [V; v] of all mass centres and all
joints.  Between a frame F on one body and the coincident frame on another body, with X_2 and X_1
transforming motions there from the mass centres,

    V_F = X_2 V_2 - X_1 V_1,        dV_F/dt = X_2 A_2 - X_1 A_1 + V_F × X_1 V_1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.expr.rank import independent_rows
from poinsot.formulations.newton_euler.bodies import (
    FreeBody,
    global_jacobian,
    motion_matrix_to_child,
    to_com,
)
from poinsot.model import WORLD, Environment, FrameMotion, FramePair, Mechanism
from poinsot.model.constraints.base import CoordinateMotion
from poinsot.spatial import Array, Scalar, Transform, cross_motion


@dataclass(frozen=True, eq=False)
class BodyRows:
    """Rows on free bodies: G A + H a + gamma = 0.

    Attributes:
        G: On the accelerations of the mass centres, shape (m, 6n).
        H: On the accelerations of the joints, shape (m, nv).
        gamma: All else, shape (m,).
    """

    G: Array
    H: Array
    gamma: Array


def body_rows(
    mechanism: Mechanism, bodies: list[FreeBody], q: Array, v: Array, environment: Environment
) -> BodyRows:
    """Return the rows of all loops and constraints."""
    view = _FreeView(mechanism, bodies, q, v, environment)
    n, nv = 6 * len(bodies), mechanism.nv
    blocks = [constraint.rows(view) for constraint in mechanism.closures]
    J = np.vstack([np.zeros((0, n + nv)), *(np.asarray(block.J, float) for block in blocks)])
    gamma = np.concatenate([np.zeros(0), *(np.asarray(block.gamma, float) for block in blocks)])
    return BodyRows(J[:, :n], J[:, n:], gamma)


def independent_body_rows(mechanism: Mechanism, bodies: list[FreeBody], rows: BodyRows) -> Array:
    """Return the indices of independent rows, along motions of the joints."""
    J = rows.H.copy()
    for i, (numbers, columns) in enumerate(global_jacobian(mechanism, bodies)):
        J[:, numbers] += rows.G[:, 6 * i : 6 * i + 6] @ columns
    return independent_rows(J)


class _FreeView:
    """Free bodies at one instant, as constraints see them; the base moves as given."""

    def __init__(
        self,
        mechanism: Mechanism,
        bodies: list[FreeBody],
        q: Array,
        v: Array,
        environment: Environment,
    ) -> None:
        self._mechanism, self._bodies = mechanism, bodies
        self._q, self._v, self._environment = q, v, environment
        self._poses: dict[int, Transform] = {-1: Transform.identity()}
        for i in mechanism.order:
            self._poses[i] = self._poses[mechanism.parents[i]] @ bodies[i].X

    @property
    def t(self) -> Scalar:
        """Time [s]."""
        return self._environment.t

    def frame(self, pair: FramePair) -> FrameMotion:
        """Return the motion of the second frame relative to the first."""
        (first, E), (second, F) = pair
        i, X_CE = self._frame_at_com(first, E.transform())
        j, X_CF = self._frame_at_com(second, F.transform())
        X_WF = self._poses[j] @ X_CF
        to_F = X_CF, self._poses[i].inverse() @ X_WF
        J = np.zeros((6, 6 * len(self._bodies) + self._mechanism.nv))
        V, prescribed, carried = np.zeros(6), np.zeros(6), np.zeros(6)
        for k, X, sign in ((j, to_F[0], 1.0), (i, to_F[1], -1.0)):
            if k >= 0:
                J[:, 6 * k : 6 * k + 6] = sign * motion_matrix_to_child(X)
            else:
                prescribed = prescribed + sign * X.motion_to_child(self._environment.acceleration)
            velocity = self._bodies[k].V if k >= 0 else self._environment.velocity
            carried = X.motion_to_child(velocity)
            V = V + sign * carried
        X_EF = (self._poses[i] @ X_CE).inverse() @ X_WF
        return FrameMotion(X_EF, V, prescribed + cross_motion(V, carried), J)

    def joint(self, name: str) -> CoordinateMotion:
        """Return the motion of the coordinates of a joint, or of one of them."""
        m = self._mechanism
        return m.coordinate_motion(
            name, self, lambda joint: self._coordinates(m.joint_names.index(joint))
        )

    def all_joints(self) -> CoordinateMotion:
        """Return the motion of all coordinates, stacked as in q."""
        motions = [self._coordinates(i) for i in range(len(self._bodies))]
        return CoordinateMotion(
            np.concatenate([motion.q for motion in motions]),
            np.concatenate([motion.rate for motion in motions]),
            np.concatenate([motion.bias for motion in motions]),
            np.concatenate([motion.N for motion in motions]),
        )

    def velocities(self) -> tuple[Array, Array]:
        """Return the velocities of all joints, and where they stand."""
        n = 6 * len(self._bodies)
        return self._v, np.eye(self._mechanism.nv, n + self._mechanism.nv, n)

    def _frame_at_com(self, body: str, X_BF: Transform) -> tuple[int, Transform]:
        """Return the index of a body, -1 for the base, and a pose in it relative to its frame C."""
        if body == WORLD:
            return -1, X_BF
        i = self._mechanism.index(body)
        return i, to_com(self._mechanism.bodies[i]).inverse() @ X_BF

    def _coordinates(self, i: int) -> CoordinateMotion:
        m, joint = self._mechanism, self._mechanism.bodies[i].joint
        q, v = self._q[m.q_slices[i]], self._v[m.v_slices[i]]
        N = np.zeros((joint.nq, 6 * len(self._bodies) + m.nv))
        for k, unit in enumerate(np.eye(joint.nv)):
            N[:, 6 * len(self._bodies) + m.v_slices[i].start + k] = joint.position_rate(q, unit)
        return CoordinateMotion(q, joint.position_rate(q, v), joint.position_bias(q, v), N)
