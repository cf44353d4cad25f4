"""A poinsot mechanism rebuilt in Pinocchio, an independent implementation, joint by joint.

Joints are added depth-first: Pinocchio's ``crba`` is wrong for other orders.
"""

import numpy as np
import pinocchio as pin


class PinocchioOracle:
    """The same mechanism in Pinocchio; arrays go in and come out in poinsot's order."""

    def __init__(self, mechanism):
        model = pin.Model()
        model.gravity = pin.Motion(np.array(mechanism.gravity), np.zeros(3))
        frame = {-1: (0, pin.SE3.Identity())}  # body -> (joint id, placement in that joint's frame)
        self.q_index = []
        self.v_index = []
        for i in mechanism.order:
            body = mechanism.bodies[i]
            parent, offset = frame[mechanism.parents[i]]
            placement = offset * pin.SE3(np.array(body.pose.matrix), np.array(body.pose.xyz))
            kind = body.joint.kind
            if kind == "fixed":
                frame[i] = (parent, placement)
            else:
                joint = model.addJoint(parent, _joint(body.joint), placement, body.name)
                frame[i] = (joint, pin.SE3.Identity())
                q, v = mechanism.q_slices[i], mechanism.v_slices[i]
                self.q_index += _pinocchio_order(kind, list(range(q.start, q.stop)))
                self.v_index += list(range(v.start, v.stop))
            model.appendBodyToJoint(
                frame[i][0],
                pin.Inertia(body.mass, np.array(body.com), body.inertia_matrix()),
                frame[i][1],
            )
        armature = np.zeros(mechanism.nv)
        for body, v in zip(mechanism.bodies, mechanism.v_slices, strict=True):
            armature[v] = np.diagonal(body.joint.armature_matrix())
        model.armature = armature[self.v_index]
        self.frame = frame
        self.model = model
        self.data = model.createData()
        self._mechanism = mechanism

    def q(self, q):
        """Return a configuration in Pinocchio's order."""
        return np.ascontiguousarray(q[self.q_index])

    def v(self, v):
        """Return a velocity in Pinocchio's order."""
        return np.ascontiguousarray(v[self.v_index])

    def back(self, v):
        """Return a velocity-like vector in poinsot's order."""
        result = np.empty_like(v)
        result[self.v_index] = v
        return result

    def inverse_dynamics(self, q, v, a):
        """Return the joint forces without springs and dampers."""
        return self.back(pin.rnea(self.model, self.data, self.q(q), self.v(v), self.v(a)))

    def forward_dynamics(self, q, v, tau):
        """Return the accelerations without springs and dampers."""
        return self.back(pin.aba(self.model, self.data, self.q(q), self.v(v), self.v(tau)))

    def mass_matrix(self, q):
        """Return the mass matrix."""
        M = pin.crba(self.model, self.data, self.q(q))
        M = np.triu(M) + np.triu(M, 1).T
        result = np.empty_like(M)
        result[np.ix_(self.v_index, self.v_index)] = M
        return result

    def body(self, name):
        """Return the joint id and the body's placement in that joint's frame."""
        return self.frame[self._mechanism.index(name)]


def _joint(joint):
    if joint.kind == "revolute":
        return pin.JointModelRevoluteUnaligned(np.array(joint.axis))
    if joint.kind == "prismatic":
        return pin.JointModelPrismaticUnaligned(np.array(joint.axis))
    return {"spherical": pin.JointModelSpherical, "free": pin.JointModelFreeFlyer}[joint.kind]()


def _pinocchio_order(kind, q):
    """Return the places of a joint's coordinates in Pinocchio's order: quaternions (x, y, z, w)."""
    if kind in ("spherical", "free"):
        return [*q[:-4], *q[-3:], q[-4]]
    return q
