"""A poinsot mechanism rebuilt in Pinocchio, an independent implementation, joint by joint.

Joints are added depth-first: Pinocchio's ``crba`` is wrong for other orders.  A joint that it has
not is a row of those that it has, with nothing between them: cylindrical, planar, universal and
Euler joints.  Its own universal and z-y-x joints are used where ``native`` asks for them, but not
for rates of Jacobians, from which it leaves out how their screws move in the body.  What Pinocchio
leaves out is added here: springs, dampers, armature off the diagonal, and bodies fixed to the
world, which it takes to have no mass.
"""

import numpy as np
import pytest

pin = pytest.importorskip("pinocchio", reason="Pinocchio is the oracle: pip install pin")


class PinocchioOracle:
    """The same mechanism in Pinocchio; arrays go in and come out in poinsot's order."""

    def __init__(self, mechanism, *, native=False):
        model = pin.Model()
        model.gravity = pin.Motion(np.array(mechanism.gravity), np.zeros(3))
        places = {-1: (0, pin.SE3.Identity())}  # body -> (joint id, its pose in that joint's frame)
        q_index, v_index = [], []
        for i in mechanism.order:
            body = mechanism.bodies[i]
            parent, offset = places[mechanism.parents[i]]
            placement = offset * pin.SE3(np.array(body.pose.matrix), np.array(body.pose.xyz))
            if body.joint.kind == "fixed":
                places[i] = (parent, placement)
            else:
                for k, joint in enumerate(_joints(body.joint, native)):
                    parent = model.addJoint(parent, joint, placement, f"{body.name}, {k}")
                    placement = pin.SE3.Identity()
                places[i] = (parent, placement)
                q, v = mechanism.q_slices[i], mechanism.v_slices[i]
                q_index += _pinocchio_order(body.joint.kind, list(range(q.start, q.stop)))
                v_index += list(range(v.start, v.stop))
            inertia = pin.Inertia(body.mass, np.array(body.com), body.inertia_matrix())
            model.appendBodyToJoint(places[i][0], inertia, places[i][1])
        self.armature, self.damping = (
            _block_diagonal(mechanism, lambda joint: joint.armature_matrix()),
            _block_diagonal(mechanism, lambda joint: joint.damping_matrix()),
        )
        self.q_index, self.v_index = np.array(q_index, int), np.array(v_index, int)
        model.armature = np.diagonal(self.armature)[self.v_index].copy()
        self.more_armature = self.armature - np.diag(np.diagonal(self.armature))
        self.places, self.model, self.mechanism = places, model, mechanism
        self.data = model.createData()

    # Dynamics

    def inverse_dynamics(self, q, v, a):
        """Return the joint forces."""
        tau = pin.rnea(self.model, self.data, self.q(q), self.v(v), self.v(a))
        return self.back(tau) + self.more_armature @ a + self.passive_force(q, v)

    def forward_dynamics(self, q, v, tau):
        """Return the accelerations."""
        drive = tau - self.passive_force(q, v)
        if self.more_armature.any():
            nle = self.back(pin.nonLinearEffects(self.model, self.data, self.q(q), self.v(v)))
            return np.linalg.solve(self.mass_matrix(q), drive - nle)
        return self.back(pin.aba(self.model, self.data, self.q(q), self.v(v), self.v(drive)))

    def mass_matrix(self, q):
        """Return the mass matrix."""
        M = np.triu(pin.crba(self.model, self.data, self.q(q)))
        result = np.empty_like(M)
        result[np.ix_(self.v_index, self.v_index)] = M + np.triu(M, 1).T
        return result + self.more_armature

    def bias(self, q, v):
        """Return Coriolis, centrifugal, gravity and passive forces."""
        nle = pin.nonLinearEffects(self.model, self.data, self.q(q), self.v(v))
        return self.back(nle) + self.passive_force(q, v)

    def gravity_force(self, q):
        """Return the forces that hold the mechanism against gravity."""
        return self.back(pin.computeGeneralizedGravity(self.model, self.data, self.q(q)))

    def passive_force(self, q, v):
        """Return the forces of dampers and springs on the left-hand side."""
        force = self.damping @ v
        for i, body in enumerate(self.mechanism.bodies):
            if np.any(body.joint.stiffness):
                stretch = q[self.mechanism.q_slices[i]] - np.array(body.joint.rest)
                force[self.mechanism.v_slices[i]] += body.joint.stiffness_matrix() @ stretch
        return force

    # Energy and momentum

    def kinetic_energy(self, q, v):
        """Return the kinetic energy, that of the drives included."""
        return float(0.5 * v @ self.mass_matrix(q) @ v)

    def gravity_energy(self, q):
        """Return the potential energy of gravity."""
        energy = pin.computePotentialEnergy(self.model, self.data, self.q(q))
        return energy - self._grounded()[1] @ np.array(self.mechanism.gravity)

    def centre_of_mass(self, q):
        """Return the mass centre of all bodies, those fixed to the world included."""
        mass, moment = self._grounded()
        moving = sum(inertia.mass for inertia in list(self.model.inertias)[1:])
        if moving > 0.0:  # without any mass Pinocchio divides by zero
            moment = moment + moving * pin.centerOfMass(self.model, self.data, self.q(q))
        return moment / (mass + moving)

    def momentum(self, q, v):
        """Return linear and angular momentum about the world's origin."""
        if len(self.v_index) == 0:
            return np.zeros(6)
        pin.computeCentroidalMomentum(self.model, self.data, self.q(q), self.v(v))
        p, L = self.data.hg.linear, self.data.hg.angular
        return np.concatenate([p, L + np.cross(self.data.com[0], p)])

    def _grounded(self):
        """Return mass and first moment of the bodies that are fixed to the world."""
        mass, moment = 0.0, np.zeros(3)
        for i, body in enumerate(self.mechanism.bodies):
            joint, placement = self.places[i]
            if joint == 0:
                mass += body.mass
                moment = moment + body.mass * placement.act(np.array(body.com))
        return mass, moment

    # Motion of a body

    def motion(self, body, point, q, v, a):
        """Return what Pinocchio says about a body (by number) at a point in body coordinates."""
        return PinocchioMotion(self, body, point, q, v, a)

    # Order of coordinates

    def q(self, q):
        """Return a configuration in Pinocchio's order."""
        return np.ascontiguousarray(q[self.q_index])

    def v(self, v):
        """Return a velocity in Pinocchio's order."""
        return np.ascontiguousarray(v[self.v_index])

    def back(self, v):
        """Return vectors of velocities, in the last axis, in poinsot's order."""
        if len(self.v_index) == 1:  # Pinocchio returns a (6, 1) matrix as a vector
            return v[..., None] if v.shape == (6,) else v
        result = np.empty_like(v)
        result[..., self.v_index] = v
        return result


class PinocchioMotion:
    """Pose, velocity, acceleration and Jacobians of a frame at a point of a body."""

    def __init__(self, oracle, body, point, q, v, a):
        joint, placement = oracle.places[body]
        if joint == 0:  # Pinocchio may crash on frames of the world
            self._rest(placement, oracle.mechanism.nv)
            return
        model = oracle.model.copy()
        at = placement * pin.SE3(np.eye(3), np.asarray(point, float))
        frame = model.addFrame(pin.Frame("point", joint, at, pin.FrameType.OP_FRAME))
        data = model.createData()
        q, v, a = oracle.q(q), oracle.v(v), oracle.v(a)
        pin.forwardKinematics(model, data, q, v, a)
        pin.computeJointJacobiansTimeVariation(model, data, q, v)
        pin.updateFramePlacements(model, data)
        self.pose = data.oMf[frame].homogeneous
        self.velocity, self.acceleration, self.jacobian, self.jacobian_rate = {}, {}, {}, {}
        for axes, reference in (("body", pin.LOCAL), ("world", pin.LOCAL_WORLD_ALIGNED)):
            # The rate of the components: spatial in the moving axes, classical in those at rest.
            acceleration = {
                "body": pin.getFrameAcceleration,
                "world": pin.getFrameClassicalAcceleration,
            }[axes]
            self.velocity[axes] = pin.getFrameVelocity(model, data, frame, reference).vector
            self.acceleration[axes] = acceleration(model, data, frame, reference).vector
            self.jacobian[axes] = oracle.back(pin.getFrameJacobian(model, data, frame, reference))
            self.jacobian_rate[axes] = oracle.back(
                pin.getFrameJacobianTimeVariation(model, data, frame, reference)
            )

    def _rest(self, placement, nv):
        self.pose = placement.homogeneous
        axes = ("body", "world")
        self.velocity = self.acceleration = dict.fromkeys(axes, np.zeros(6))
        self.jacobian = self.jacobian_rate = dict.fromkeys(axes, np.zeros((6, nv)))


def _joints(joint, native):
    """Return the joints of Pinocchio that move as one of ours, one after the other."""
    turn, slide = pin.JointModelRevoluteUnaligned, pin.JointModelPrismaticUnaligned
    if joint.kind == "euler":
        if native and joint.sequence == "zyx":
            return [pin.JointModelSphericalZYX()]
        return [turn(np.eye(3)["xyz".index(letter)]) for letter in joint.sequence]
    first, second = (np.array(getattr(joint, name, ())) for name in ("axis", "axis2"))
    if joint.kind == "universal":
        if native and abs(first @ second) < 1e-15:
            return [pin.JointModelUniversal(first, second)]
        return [turn(first), turn(second)]
    if joint.kind == "planar":
        return [slide(first), slide(second), turn(np.cross(first, second))]
    if joint.kind == "cylindrical":
        return [slide(first), turn(first)]
    if joint.kind == "helical":
        return [pin.JointModelHelicalUnaligned(first, joint.pitch)]
    if joint.kind in ("revolute", "prismatic"):
        return [{"revolute": turn, "prismatic": slide}[joint.kind](first)]
    plain = {
        "translation": pin.JointModelTranslation,
        "spherical": pin.JointModelSpherical,
        "free": pin.JointModelFreeFlyer,
    }
    return [plain[joint.kind]()]


def _pinocchio_order(kind, q):
    """Return the places of a joint's coordinates in Pinocchio's order: quaternions (x, y, z, w)."""
    if kind in ("spherical", "free"):
        return [*q[:-4], *q[-3:], q[-4]]
    return q


def _block_diagonal(mechanism, block):
    result = np.zeros((mechanism.nv, mechanism.nv))
    for body, v in zip(mechanism.bodies, mechanism.v_slices, strict=True):
        result[v, v] = block(body.joint)
    return result
