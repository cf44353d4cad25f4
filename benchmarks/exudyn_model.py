"""A poinsot system in a state, rebuilt in Exudyn: redundant coordinates, joints as constraints.

Plane mechanisms, of joints about z and along x and y, become Exudyn's plane bodies and joints,
which have no redundant rows; all others its bodies with Euler parameters.
"""

import warnings

import exudyn as exu
import numpy as np
from exudyn import itemInterface as item
from exudyn.rigidBodyUtilities import RigidBodyInertia

import poinsot as ps

FREE_AXES = {
    "fixed": (1, 1, 1, 1, 1, 1),
    "revolute": (1, 1, 1, 1, 1, 0),
    "prismatic": (1, 1, 0, 1, 1, 1),
    "cylindrical": (1, 1, 0, 1, 1, 0),
    "spherical": (1, 1, 1, 0, 0, 0),
}
"""What a joint along z holds: displacements along x, y, z, rotations about them."""


class NotInExudyn(Exception):
    """The system has a part that this builder does not know."""


class ExudynModel:
    """A system ready to be integrated; ``seconds`` is what its compiled solver took for a run.

    Args:
        system: Its joints, springs, constant couples, loops and distances are known here.
        q: Configuration at the start, on the constraints.
        v: Velocities at the start.
    """

    def __init__(self, system: ps.System, q: np.ndarray, v: np.ndarray):
        self._system, self._q, self._v = system, q, v
        self._container = exu.SystemContainer()
        self._mbs = self._container.AddSystem()
        self._ground = self._mbs.AddObject(item.ObjectGround())
        self._flat = _is_flat(system)
        self._bodies = {body.name: self._add_body(body) for body in system.bodies}
        for body in system.bodies:
            self._add_joint((body.parent, body.pose), (body.name, ps.Pose()), body.joint)
        for loop in system.loops:
            self._add_joint(loop.first, loop.second, loop.joint)
        for constraint in system.constraints:
            self._add_constraint(constraint)
        for force in system.forces:
            self._add_force(force)
        self._mbs.Assemble()

    def run(
        self, duration: float, steps: int, *, index2: bool, new_jacobian: bool = False
    ) -> np.ndarray:
        """Integrate in equal steps; return the poses of the bodies, shape (n, 4, 4).

        Args:
            duration: Of the motion [s].
            steps: How many steps.
            index2: By the trapezoidal rule on velocities, in place of the generalised-α method.
            new_jacobian: Whether Newton's method takes a new Jacobian in each step; else it keeps
                one as long as it converges, which takes more iterations.
        """
        settings = exu.SimulationSettings()
        settings.solution.file.write = False
        settings.parallel.numberOfThreads = 1
        time = settings.timeIntegration
        time.endTime, time.numberOfSteps = duration, steps
        time.newton.useModifiedNewton = True
        time.newton.modifiedNewtonJacUpdatePerStep = new_jacobian
        kinds = exu.DynamicSolverType
        kind = kinds.TrapezoidalIndex2 if index2 else kinds.GeneralizedAlpha
        if not self._mbs.SolveDynamic(settings, solverType=kind):
            raise RuntimeError("Exudyn did not converge")
        self.seconds = self._mbs.sys["dynamicSolver"].timer.total
        return np.array([self._pose(body) for body in self._system.bodies])

    def _pose(self, body: ps.Body) -> np.ndarray:
        X = np.eye(4)
        number, kinds = self._bodies[body.name], exu.OutputVariableType
        com = [0.0, 0.0, 0.0]
        rotation = self._mbs.GetObjectOutputBody(number, kinds.RotationMatrix, com)
        X[:3, :3] = np.reshape(rotation, (3, 3))
        place = self._mbs.GetObjectOutputBody(number, kinds.Position, com)
        X[:3, 3] = place - X[:3, :3] @ np.array(body.com)
        return X

    def _add_body(self, body: ps.Body):
        X = self._system.pose(body.name, self._q)
        place = (X @ [*body.com, 1.0])[:3]
        motion = self._system.velocity(body.name, self._q, self._v, body.com, axes="world")
        if self._flat:
            angle = np.arctan2(X[1, 0], X[0, 0])
            node = self._mbs.AddNode(
                item.NodeRigidBody2D(
                    referenceCoordinates=[*place[:2], angle],
                    initialVelocities=[*motion[:2], motion[5]],
                )
            )
            number = self._mbs.AddObject(
                item.ObjectRigidBody2D(mass=body.mass, inertia=body.inertia[2], nodeNumber=node)
            )
            weight = body.mass * np.array(self._system.gravity)
            marker = self._marker(number, (0.0, 0.0, 0.0))
            self._mbs.AddLoad(item.LoadForceVector(markerNumber=marker, loadVector=list(weight)))
            return number
        inertia = RigidBodyInertia(body.mass, body.inertia_matrix())
        return self._mbs.CreateRigidBody(
            referencePosition=list(place),
            referenceRotationMatrix=X[:3, :3],
            initialVelocity=list(motion[:3]),
            initialAngularVelocity=list(motion[3:]),
            inertia=inertia,
            gravity=list(self._system.gravity),
        )

    def _add_joint(self, first, second, joint) -> None:
        numbers = [self._number(first[0]), self._number(second[0])]
        if joint.kind == "free":
            return
        places = [self._place(*first), self._place(*second)]
        if self._flat:
            markers = [self._marker(n, p) for n, p in zip(numbers, places, strict=True)]
            if joint.kind == "revolute":
                self._mbs.AddObject(item.ObjectJointRevolute2D(markerNumbers=markers))
                return
            axis = np.array(first[1].matrix) @ np.array(joint.axis)
            normal = np.array(second[1].matrix) @ np.cross([0.0, 0.0, 1.0], joint.axis)
            self._mbs.AddObject(
                item.ObjectJointPrismatic2D(
                    markerNumbers=markers, axisMarker0=list(axis), normalMarker1=list(normal)
                )
            )
            return
        if joint.kind not in FREE_AXES and joint.kind != "universal":
            raise NotInExudyn(f"joint {joint.kind}")
        R, place = self._world(*first)
        held = FREE_AXES.get(joint.kind, (1, 1, 1, 0, 0, 1))
        if joint.kind == "universal":  # z is held normal to both axes
            R2, _ = self._world(*second)
            x, y = R @ np.array(joint.axis), R2 @ np.array(joint.axis2)
            axes = np.column_stack([x, y, np.cross(x, y)])
        elif joint.kind in ("revolute", "prismatic", "cylindrical"):
            axes = _frame_along(R @ np.array(joint.axis))
        else:
            axes = R
        self._mbs.CreateGenericJoint(
            itemNumbers=numbers, position=list(place), rotationMatrixAxes=axes,
            constrainedAxes=list(held), useGlobalFrame=True, show=False,
        )  # fmt: skip
        stiffness, damping = np.ravel(joint.stiffness), np.ravel(joint.damping)
        if joint.kind == "revolute" and (stiffness.any() or damping.any()):
            self._mbs.CreateTorsionalSpringDamper(
                itemNumbers=numbers, position=list(place), axis=list(axes[:, 2]),
                stiffness=float(stiffness[0]), damping=float(damping[0]), show=False,
            )  # fmt: skip

    def _add_constraint(self, constraint) -> None:
        if not isinstance(constraint, ps.Distance):
            raise NotInExudyn(type(constraint).__name__)
        ends = (constraint.first, constraint.second)
        self._mbs.CreateDistanceConstraint(
            itemNumbers=[self._number(name) for name, _ in ends],
            localPosition0=list(self._place(*ends[0])),
            localPosition1=list(self._place(*ends[1])),
            distance=constraint.length, show=False,
        )  # fmt: skip

    def _add_force(self, force) -> None:
        if isinstance(force, ps.Spring):
            ends = (force.first, force.second)
            places = [self._place(name, ps.Pose(point)) for name, point in ends]
            numbers = [self._number(name) for name, _ in ends]
            markers = [self._marker(n, p) for n, p in zip(numbers, places, strict=True)]
            self._mbs.AddObject(
                item.ObjectConnectorSpringDamper(
                    markerNumbers=markers, stiffness=force.stiffness, damping=force.damping,
                    referenceLength=force.length,
                )
            )  # fmt: skip
            return
        if not isinstance(force, ps.ConstantForce) or np.any(force.force):
            raise NotInExudyn(type(force).__name__)
        marker = self._mbs.AddMarker(
            item.MarkerBodyRigid(bodyNumber=self._number(force.body), localPosition=[0, 0, 0])
        )
        self._mbs.AddLoad(item.LoadTorqueVector(markerNumber=marker, loadVector=list(force.moment)))

    def _number(self, name: str):
        return self._ground if name == "world" else self._bodies[name]

    def _marker(self, number, place):
        return self._mbs.AddMarker(
            item.MarkerBodyRigid(bodyNumber=number, localPosition=list(place))
        )

    def _place(self, name: str, pose: ps.Pose) -> np.ndarray:
        """Return a place on a body from its mass centre, where Exudyn has its origin."""
        if name == "world":
            return np.array(pose.xyz)
        return np.array(pose.xyz) - np.array(self._system.bodies[self._index(name)].com)

    def _index(self, name: str) -> int:
        return [body.name for body in self._system.bodies].index(name)

    def _world(self, name: str, pose: ps.Pose) -> tuple[np.ndarray, np.ndarray]:
        """Return orientation and place of a frame on a body, at the start."""
        X = np.eye(4) if name == "world" else self._system.pose(name, self._q)
        return X[:3, :3] @ np.array(pose.matrix), (X @ [*pose.xyz, 1.0])[:3]


def _is_flat(system: ps.System) -> bool:
    """Say whether all joints are about z, or along x or y, in frames that turn about z only."""
    if system.gravity[2] != 0.0 or system.constraints:
        return False
    joints = [(body.pose, body.joint) for body in system.bodies]
    joints += [
        (frame, loop.joint) for loop in system.loops for _, frame in (loop.first, loop.second)
    ]
    for pose, joint in joints:
        if not np.allclose(np.array(pose.matrix)[2], [0, 0, 1]):
            return False
        if joint.kind not in ("revolute", "prismatic"):
            return False
        if (abs(joint.axis[2]) == 1.0) != (joint.kind == "revolute"):
            return False
    return True


def _frame_along(axis: np.ndarray) -> np.ndarray:
    """Return a rotation matrix with the axis as its third column."""
    x = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])


warnings.filterwarnings("ignore", module="exudyn")
