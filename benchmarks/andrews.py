"""Andrews' squeezer up to 0.03 s by several integrators."""

from dataclasses import dataclass

import numpy as np

from benchmarks.exudyn_model import ExudynModel
from benchmarks.integrators import Derivative, Outcome, Task
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


def andrews_derivative(task: Task) -> Derivative:
    """Return d(q, v)/dt by Pinocchio's ``constraintDynamics``, spring and motor as joint forces."""
    model, n = PinocchioLoops(task.system), task.q.size
    spring, motor = task.system.forces
    turn = task.system.bodies[2]  # K3 turns about B, and carries the end of the spring
    pivot, fixed, arm = (
        np.array(p[:2]) for p in (turn.pose.xyz, spring.first[1], spring.second[1])
    )
    tau = np.zeros(n)
    tau[0] = motor.moment[2]

    def derivative(_: float, y: np.ndarray) -> np.ndarray:
        q, v = y[:n], y[n:]
        c, s = np.cos(q[2]), np.sin(q[2])
        r = np.array([c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]])
        apart = fixed - pivot - r
        length = np.sqrt(apart @ apart)
        force = spring.stiffness * (length - spring.length) / length * apart
        tau[2] = r[0] * force[1] - r[1] * force[0]
        return np.concatenate((v, model.forward_dynamics(q, v, tau)))

    return derivative


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
