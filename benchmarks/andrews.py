"""Andrews' squeezer up to 0.03 s by several integrators."""

from dataclasses import dataclass
from math import cos, sin, sqrt

import numpy as np
import pinocchio as pin

from benchmarks.exudyn_model import ExudynModel
from benchmarks.integrators import Outcome, Problem, Task
from benchmarks.pinocchio_loops import PinocchioLoops
from poinsot.library import andrews_squeezer, andrews_squeezer_configuration

REFINED = (
    15.8107711951537071, -15.7563710584118395, 0.0408222401196458049, -0.534730116342079594,
    0.524409965879954069, 0.534730116342079594, 1.04808074104193787,
)  # fmt: skip
"""q at 0.03 s, to 1e-15, from the row of [HNW2, section VII.7] refined to 18 digits."""


def andrews_task() -> Task:
    """Return the published problem."""
    return Task(andrews_squeezer(), andrews_squeezer_configuration(), np.zeros(7), 0.03)


def andrews_problem(task: Task) -> Problem:
    """Return the equations by Pinocchio's ``constraintDynamics``, spring and motor as joint forces.

    States are in Pinocchio's order from the start to the end, and the spring is scalar arithmetic:
    what is left beside Pinocchio's own call is two slices and one array for the result.
    """
    peer, n = PinocchioLoops(task.system), task.q.size
    spring, motor = task.system.forces
    turn = task.system.bodies[2]  # K3 turns about B, and carries the end of the spring
    turning = int(np.flatnonzero(peer.v(np.arange(n)) == 2)[0])
    x, y = (fixed - pivot for fixed, pivot in zip(spring.first[1][:2], turn.pose.xyz, strict=False))
    arm_x, arm_y = spring.second[1][:2]
    stiffness, rest = spring.stiffness, spring.length
    tau = np.zeros(n)
    tau[int(np.flatnonzero(peer.v(np.arange(n)) == 0)[0])] = motor.moment[2]
    known = (peer.contacts, peer.contact_data, peer.settings)
    model, data, dynamics, concatenate = (
        peer.model,
        peer.data,
        pin.constraintDynamics,
        np.concatenate,
    )

    def derivative(_: float, state: np.ndarray) -> np.ndarray:
        angle = float(state[turning])
        c, s = cos(angle), sin(angle)
        r_x, r_y = c * arm_x - s * arm_y, s * arm_x + c * arm_y
        apart_x, apart_y = x - r_x, y - r_y
        length = sqrt(apart_x * apart_x + apart_y * apart_y)
        tau[turning] = stiffness * (1.0 - rest / length) * (r_x * apart_y - r_y * apart_x)
        v = state[n:]
        return concatenate((v, dynamics(model, data, state[:n], v, tau, *known)))

    return Problem(derivative, peer.q(task.q), peer.v(task.v), peer.vector_back)


@dataclass
class Exudyn:
    """Exudyn's implicit integrators with equal steps: its solver alone, the model is there."""

    task: Task
    index2: bool

    def __post_init__(self) -> None:
        self._model = ExudynModel(self.task.system, self.task.q, self.task.v)

    def __call__(self, steps: int) -> Outcome:
        """Integrate in that many steps."""
        poses = self._model.run(self.task.duration, steps, index2=self.index2)
        angles = np.arctan2(poses[:, 1, 0], poses[:, 0, 0])
        return Outcome(self._joint_angles(angles), 0)

    def _joint_angles(self, angles: np.ndarray) -> np.ndarray:
        """Return q from the angles of the bodies, in the turns nearest to the published end."""
        names = ["world", *(body.name for body in self.task.system.bodies)]
        absolute = np.concatenate(([0.0], angles))
        parents = [names.index(body.parent) for body in self.task.system.bodies]
        q = angles - absolute[parents]
        turns = np.round((np.array(REFINED) - q) / (2.0 * np.pi))
        return q + 2.0 * np.pi * turns
