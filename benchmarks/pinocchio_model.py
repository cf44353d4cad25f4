"""A poinsot system rebuilt in Pinocchio, joint by joint, with Pinocchio's fastest joint types.

Joints about x, y and z become JointModelRX, RY and RZ, which have code of their own; others become
JointModelRevoluteUnaligned.  Joints are added depth-first: ``crba`` is wrong for other orders.
"""

import numpy as np
import pinocchio as pin

ALIGNED = {
    (1.0, 0.0, 0.0): pin.JointModelRX,
    (0.0, 1.0, 0.0): pin.JointModelRY,
    (0.0, 0.0, 1.0): pin.JointModelRZ,
}


class PinocchioModel:
    """The same system in Pinocchio, and the way from poinsot's order of numbers to its own."""

    def __init__(self, system):
        mechanism = system.mechanism
        self.model = pin.Model()
        self.model.gravity = pin.Motion(np.array(system.gravity), np.zeros(3))
        frames = {-1: (0, pin.SE3.Identity())}  # joint and pose in its frame, of each body
        q_index, v_index = [], []
        for i in mechanism.order:
            body = mechanism.bodies[i]
            placement = pin.SE3(np.array(body.pose.matrix), np.array(body.pose.xyz))
            parent, parent_pose = frames[mechanism.parents[i]]
            frames[i] = parent, parent_pose * placement
            if body.joint.nv:
                joint = self.model.addJoint(parent, _joint(body.joint), frames[i][1], body.name)
                frames[i] = joint, pin.SE3.Identity()
            inertia = pin.Inertia(body.mass, np.array(body.com), body.inertia_matrix())
            self.model.appendBodyToJoint(frames[i][0], inertia, frames[i][1])
            q, v = mechanism.q_slices[i], mechanism.v_slices[i]
            q_index += _pinocchio_order(body.joint.kind, list(range(q.start, q.stop)))
            v_index += range(v.start, v.stop)
        self.data = self.model.createData()
        self.frames = {name: frames[i] for i, name in enumerate(mechanism.body_names)}
        self._q_index, self._v_index = np.array(q_index), np.array(v_index)

    def q(self, q):
        """Return configurations (..., nq) in Pinocchio's order."""
        return np.ascontiguousarray(q[..., self._q_index])

    def v(self, v):
        """Return velocities, accelerations or forces (..., nv) in Pinocchio's order."""
        return np.ascontiguousarray(v[..., self._v_index])

    def order(self, name, array):
        """Return an input by its name in Pinocchio's order."""
        return self.q(array) if name == "q" else self.v(array)

    def vector_back(self, v):
        """Return a vector of Pinocchio's in poinsot's order."""
        result = np.empty_like(v)
        result[self._v_index] = v
        return result

    def matrix_back(self, M):
        """Return the symmetric matrix whose upper half Pinocchio gives, in poinsot's order."""
        result = np.empty_like(M)
        result[np.ix_(self._v_index, self._v_index)] = np.triu(M) + np.triu(M, 1).T
        return result


SLIDING = {
    (1.0, 0.0, 0.0): pin.JointModelPX,
    (0.0, 1.0, 0.0): pin.JointModelPY,
    (0.0, 0.0, 1.0): pin.JointModelPZ,
}


def _joint(joint):
    if joint.kind == "free":
        return pin.JointModelFreeFlyer()
    if joint.kind == "universal":
        return pin.JointModelUniversal(np.array(joint.axis), np.array(joint.axis2))
    if joint.kind == "prismatic" and joint.axis in SLIDING:
        return SLIDING[joint.axis]()
    if joint.kind != "revolute":
        raise ValueError(f"no {joint.kind} joints in these benchmarks")
    if joint.axis in ALIGNED:
        return ALIGNED[joint.axis]()
    return pin.JointModelRevoluteUnaligned(np.array(joint.axis))


def _pinocchio_order(kind, q):
    """Return the places of a joint's coordinates: Pinocchio's quaternions are (x, y, z, w)."""
    return [*q[:-4], *q[-3:], q[-4]] if kind == "free" else q
