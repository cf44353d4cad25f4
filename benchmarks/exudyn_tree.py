"""A chain of hinges as Exudyn's kinematic tree: minimal coordinates, explicit methods."""

from dataclasses import dataclass

import exudyn as exu
import numpy as np
from exudyn import itemInterface as item

from benchmarks.integrators import Outcome, Task

TURNS = {
    (1.0, 0.0, 0.0): exu.JointType.RevoluteX,
    (0.0, 1.0, 0.0): exu.JointType.RevoluteY,
    (0.0, 0.0, 1.0): exu.JointType.RevoluteZ,
}

FEWEST, FIRST, SMALLEST = 10, 1e-3, 1e-12
"""Steps at least, and seconds of the first and the smallest: from one long step DOPRI5 is lost."""


@dataclass
class ExudynTree:
    """Exudyn's ``SolveDynamic`` on an ``ObjectKinematicTree``, by one of its explicit methods."""

    task: Task
    scheme: str

    def __post_init__(self) -> None:
        system, n = self.task.system, self.task.system.nv
        self._container = exu.SystemContainer()
        self._mbs = self._container.AddSystem()
        node = self._mbs.AddNode(
            item.NodeGenericODE2(
                referenceCoordinates=[0.0] * n,
                initialCoordinates=list(self.task.q),
                initialCoordinates_t=list(self.task.v),
                numberOfODE2Coordinates=n,
            )
        )
        names, bodies = [body.name for body in system.bodies], system.bodies
        parents = [-1 if b.parent == "world" else names.index(b.parent) for b in bodies]
        self._mbs.AddObject(
            item.ObjectKinematicTree(
                nodeNumber=node,
                gravity=list(system.gravity),
                jointTypes=[TURNS[body.joint.axis] for body in bodies],
                linkParents=parents,
                jointTransformations=exu.Matrix3DList([np.array(b.pose.matrix) for b in bodies]),
                jointOffsets=exu.Vector3DList([list(b.pose.xyz) for b in bodies]),
                linkInertiasCOM=exu.Matrix3DList([b.inertia_matrix() for b in bodies]),
                linkCOMs=exu.Vector3DList([list(b.com) for b in bodies]),
                linkMasses=[b.mass for b in bodies],
            )
        )
        self._node = node
        self._mbs.Assemble()

    def __call__(self, setting: float) -> Outcome:
        """Integrate with a tolerance, relative and absolute, or in so many steps."""
        settings = exu.SimulationSettings()
        settings.solution.file.write = False
        settings.parallel.numberOfThreads = 1
        time = settings.timeIntegration
        time.verboseMode = 0
        time.endTime = self.task.duration
        if isinstance(setting, int):
            time.numberOfSteps = setting
        else:
            time.automaticStepSize, time.numberOfSteps = True, FEWEST
            time.initialStepSize, time.minimumStepSize = FIRST, SMALLEST
            time.relativeTolerance = time.absoluteTolerance = setting
        kind = getattr(exu.DynamicSolverType, self.scheme)
        if not self._mbs.SolveDynamic(settings, solverType=kind):
            raise RuntimeError("Exudyn did not reach the end")
        q = self._mbs.GetNodeOutput(self._node, exu.OutputVariableType.Coordinates)
        return Outcome(np.array(q), 0)
