"""Loops in Pinocchio: bodies welded to each other, or held together at a point."""

import numpy as np

from tests.oracles.pinocchio_model import PinocchioOracle, pin

CONTACTS = {"fixed": pin.ContactType.CONTACT_6D, "spherical": pin.ContactType.CONTACT_3D}


class PinocchioClosedOracle(PinocchioOracle):
    """The same mechanism in Pinocchio, its loops as rigid constraints; none may be redundant."""

    def __init__(self, mechanism):
        super().__init__(mechanism)
        self.contacts = pin.StdVec_RigidConstraintModel()
        for loop in mechanism.loops:
            ends = []
            for body, pose in (loop.first, loop.second):
                joint, placement = self.places[-1 if body == "world" else mechanism.index(body)]
                ends += [joint, placement * pin.SE3(np.array(pose.matrix), np.array(pose.xyz))]
            kind = CONTACTS[loop.joint.kind]
            contact = pin.RigidConstraintModel(kind, self.model, *ends, pin.ReferenceFrame.LOCAL)
            self.contacts.append(contact)

    def closed_forward_dynamics(self, q, v, tau):
        """Return accelerations, and for each loop the wrench of second on first, at the first.

        In the axes of the first frame at its origin, shape (6,).
        """
        a, _, contact_data, _ = self._solved(q, v, tau)
        wrenches = [np.array(one.contact_force.vector) for one in contact_data]
        return self.back(a), wrenches

    def derivatives(self, q, v, tau):
        """Return the derivatives of accelerations by q, v and tau, in this mechanism's order."""
        rows = np.argsort(self.v_index)
        every = self._every_derivative(q, v, tau)
        return np.stack([matrix[np.ix_(rows, rows)] for matrix in every[:3]])

    def wrench_derivatives(self, q, v, tau):
        """Return those of the wrenches of ``closed_forward_dynamics``, shape (3, rows, nv)."""
        columns = np.argsort(self.v_index)
        return np.stack([matrix[:, columns] for matrix in self._every_derivative(q, v, tau)[3:]])

    def _every_derivative(self, q, v, tau):
        """Return the derivatives of accelerations, then of wrenches, in Pinocchio's order."""
        _, data, contact_data, settings = self._solved(q, v, tau)
        every = pin.computeConstraintDynamicsDerivatives(
            self.model, data, self.contacts, contact_data, settings
        )
        return [np.array(matrix) for matrix in every]  # which are views of ``data``

    def _solved(self, q, v, tau):
        """Return accelerations in Pinocchio's order, and what its derivatives start from."""
        data = self.model.createData()
        contact_data = pin.StdVec_RigidConstraintData()
        for contact in self.contacts:
            contact_data.append(contact.createData())
        pin.initConstraintDynamics(self.model, data, self.contacts, contact_data)
        settings = pin.ProximalSettings(1e-14, 0.0, 1)
        a = pin.constraintDynamics(
            self.model, data, self.q(q), self.v(v), self.v(tau), self.contacts, contact_data,
            settings,
        )  # fmt: skip
        return a, data, contact_data, settings
