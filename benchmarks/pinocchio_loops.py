"""Closed systems in Pinocchio: every loop is a point of one body held to a point of another."""

import numpy as np
import pinocchio as pin

from benchmarks.pinocchio_model import PinocchioModel

ROUNDS, ACCURACY, WEIGHT = 20, 1e-12, 1e-7
"""Of Pinocchio's proximal iterations, which redundant rows need; regular ones end after two."""


class PinocchioLoops(PinocchioModel):
    """The same system in Pinocchio; pins in a plane are points too, as Pinocchio has no hinge."""

    def __init__(self, system):
        super().__init__(system)
        self.contacts = pin.StdVec_RigidConstraintModel()
        self.contact_data = pin.StdVec_RigidConstraintData()
        for loop in system.loops:
            ends = []
            for body, pose in (loop.first, loop.second):
                joint = 0 if body == "world" else self.model.getJointId(body)
                ends += [joint, pin.SE3(np.array(pose.matrix), np.array(pose.xyz))]
            contact = pin.RigidConstraintModel(
                pin.ContactType.CONTACT_3D, self.model, *ends, pin.ReferenceFrame.LOCAL
            )
            self.contacts.append(contact)
            self.contact_data.append(contact.createData())
        pin.initConstraintDynamics(self.model, self.data, self.contacts, self.contact_data)
        self.settings = pin.ProximalSettings(ACCURACY, WEIGHT, ROUNDS)

    def forward_dynamics(self, q, v, tau):
        """Return accelerations in poinsot's order."""
        a = pin.constraintDynamics(
            self.model, self.data, self.q(q), self.v(v), self.v(tau), self.contacts,
            self.contact_data, self.settings,
        )  # fmt: skip
        return self.vector_back(np.array(a))
