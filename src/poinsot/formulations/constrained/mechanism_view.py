"""The motion of a mechanism as its constraints use it: relative motion of frames, coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.model import WORLD, AbstractJoint, FrameMotion, FramePair, JointMotion, Mechanism
from poinsot.model.constraints.base import CoordinateMotion
from poinsot.model.topology import where_paths_part
from poinsot.spatial import Array, Scalar, Transform, cross_motion


@dataclass(frozen=True, eq=False)
class _Carried:
    """The motion of a body relative to an ancestor, in the frame L of the ancestor, at its origin.

    Attributes:
        X: Pose of the body in L.
        V: Its velocity, shape (6,).
        A: Rate of the components of V while no joint accelerates, shape (6,).
        screws: V = sum of screws v, by number of the velocity, each (6,).
    """

    X: Transform
    V: Array
    A: Array
    screws: dict[int, Array]


class MechanismView:
    """A mechanism at one state; each frame is computed once."""

    def __init__(self, mechanism: Mechanism, q: Array, v: Array, t: Scalar = 0.0) -> None:
        self._mechanism = mechanism
        self._q, self._v = q, v
        self._t = t
        self._frames: dict[FramePair, FrameMotion] = {}
        self._bodies: dict[tuple[int, int], _Carried] = {}

    @property
    def t(self) -> Scalar:
        """Time [s]."""
        return self._t

    def frame(self, pair: FramePair) -> FrameMotion:
        """Return the motion of the second frame relative to the first.

        Both paths start from the last common ancestor L, whose own motion drops out
        [Liu1988, (37)].  In L, with V2 and V1 the velocities of their bodies,

            V = X (V2 - V1),        dV/dt = X (A2 - A1 - V2 × (V2 - V1)),

        X taking motions from L to the second frame.
        """
        if pair not in self._frames:
            self._frames[pair] = self._frame(pair)
        return self._frames[pair]

    def joint(self, name: str) -> CoordinateMotion:
        """Return the motion of the coordinates of a joint, or of one of them."""
        return self._mechanism.coordinate_motion(name, self, self._in_tree)

    def joint_motion(self, name: str) -> JointMotion:
        """Return coordinates and velocities of a joint, also of one that closes a loop."""
        mechanism = self._mechanism
        if name in mechanism.cut_joints:
            loop = mechanism.loops[mechanism.cut_joints[name]]
            motion = self.frame(loop.pair)
            return JointMotion(loop.position(motion), loop.velocity(motion))
        return JointMotion(self._q[mechanism.q_slice(name)], self._v[mechanism.v_slice(name)])

    def all_joints(self) -> CoordinateMotion:
        """Return the motion of all coordinates, stacked as in q."""
        mechanism = self._mechanism
        motions = [
            self._coordinates(body.joint, mechanism.q_slices[i], mechanism.v_slices[i])
            for i, body in enumerate(mechanism.bodies)
        ]
        return CoordinateMotion(
            np.concatenate([motion.q for motion in motions]),
            np.concatenate([motion.rate for motion in motions]),
            np.concatenate([motion.bias for motion in motions]),
            np.concatenate([motion.N for motion in motions]),
        )

    def velocities(self) -> tuple[Array, Array]:
        """Return all velocities, and the unit matrix."""
        return self._v, np.eye(self._mechanism.nv)

    def _frame(self, pair: FramePair) -> FrameMotion:
        mechanism = self._mechanism
        i, j = (-1 if body == WORLD else mechanism.index(body) for body, _ in pair)
        ancestor = where_paths_part(mechanism.parents, i, j)
        first, second = self._seen(ancestor, i), self._seen(ancestor, j)
        X_LE = first.X @ pair[0][1].transform()
        X_LF = second.X @ pair[1][1].transform()
        apart = second.V - first.V
        J = np.zeros((6, mechanism.nv), dtype=object)
        for k, screw in first.screws.items():
            J[:, k] = X_LF.motion_to_child(-screw)
        for k, screw in second.screws.items():
            J[:, k] = X_LF.motion_to_child(screw)
        return FrameMotion(
            X_LE.inverse() @ X_LF,
            X_LF.motion_to_child(apart),
            X_LF.motion_to_child(second.A - first.A - cross_motion(second.V, apart)),
            np.array(J.tolist()).reshape(6, mechanism.nv),
        )

    def _seen(self, ancestor: int, body: int) -> _Carried:
        """Return the motion of a body relative to an ancestor; each is computed once.

        With s the screws of a joint in L:  V = V' + s v,  A = A' + V × s v + X dS/dt v.
        """
        if body == ancestor:
            return _Carried(Transform.identity(), np.zeros(6), np.zeros(6), {})
        if (ancestor, body) not in self._bodies:
            mechanism = self._mechanism
            parent = self._seen(ancestor, mechanism.parents[body])
            link, v_slice = mechanism.bodies[body], mechanism.v_slices[body]
            q, v = self._q[mechanism.q_slices[body]], self._v[v_slice]
            X = parent.X @ link.pose.transform() @ link.joint.transform(q)
            S = link.joint.motion_subspace(q)
            screws = [X.motion_to_parent(s) for s in S.T]
            V_J = X.motion_to_parent(S @ v)
            V = parent.V + V_J
            rate = X.motion_to_parent(link.joint.motion_subspace_rate(q, v) @ v)
            numbers = range(v_slice.start, v_slice.stop)
            self._bodies[ancestor, body] = _Carried(
                X,
                V,
                parent.A + cross_motion(V, V_J) + rate,
                {**parent.screws, **dict(zip(numbers, screws, strict=True))},
            )
        return self._bodies[ancestor, body]

    def _in_tree(self, name: str) -> CoordinateMotion:
        mechanism = self._mechanism
        i = mechanism.joint_names.index(name)
        q_slice, v_slice = mechanism.q_slices[i], mechanism.v_slices[i]
        return self._coordinates(mechanism.bodies[i].joint, q_slice, v_slice)

    def _coordinates(
        self, joint: AbstractJoint, q_slice: slice, v_slice: slice
    ) -> CoordinateMotion:
        q, v = self._q[q_slice], self._v[v_slice]
        N = np.zeros((joint.nq, self._mechanism.nv), dtype=object)
        for k, unit in enumerate(np.eye(joint.nv)):
            N[:, v_slice.start + k] = joint.position_rate(q, unit)
        flat = np.array(N.tolist()).reshape(N.shape)
        return CoordinateMotion(q, joint.position_rate(q, v), joint.position_bias(q, v), flat)
