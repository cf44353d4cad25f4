"""What classes and quantities of other packages are made of; docs/extending.md shows how.

A class derives from ``AbstractJoint``, ``AbstractForce``, ``AbstractJointForce`` or
``AbstractConstraint``, says its ``kind``, declares its fields and is decorated with ``declared``:

    @declared
    class Drag(AbstractForce):
        kind = "drag"
        body: EndField = field(EndOnBody(), "A body and a point of it")
        coefficient: Scalar = field(Number("not negative"), "Force per speed", unit="N s/m")

Systems, files, ``ps.verify``, rolled programs and exports then take it as one of ours, once the
module that defines it is imported.  What a field holds is said by a kind: ``Number``, ``Vector``,
``Axis``, ``Choice``, ``FrameOnBody``, ...
"""

from typing import Any

from poinsot.evaluate.added_quantity import add_quantity
from poinsot.expr import maximum, minimum, select
from poinsot.formulations.energy import (
    centre_of_mass,
    kinetic_energy,
    momentum,
    potential_energy,
    total_mass,
)
from poinsot.formulations.jacobians import jacobian, jacobian_rate
from poinsot.formulations.kinematics import acceleration, pose, velocity
from poinsot.model import (
    AbstractConstraint,
    AbstractForce,
    AbstractJoint,
    AbstractJointForce,
    Frame,
    FrameMotion,
    FramePair,
    JointMotion,
    Mechanism,
    PointMotion,
    Rows,
    is_symbolic,
    nonzero,
)
from poinsot.model.axis import Axis, AxisField, perpendicular
from poinsot.model.changed import changed
from poinsot.model.constraints.base import CoordinateMotion, JointName, PointOnBody, View
from poinsot.model.fields import (
    AbstractKind,
    Choice,
    Instance,
    Name,
    Number,
    Stored,
    Truth,
    Vector,
    Vector3,
    Whole,
    declared,
    field,
)
from poinsot.model.forces.base import End, EndOnBody
from poinsot.model.frame import FrameField, FrameOnBody
from poinsot.model.joints.reactions import wrenches
from poinsot.simulation.stepping.integrators.explicit import Tableau
from poinsot.simulation.stepping.integrators.integrator import StepControl
from poinsot.simulation.stepping.integrators.registration import add_integrator
from poinsot.spatial import (
    Array,
    Scalar,
    Transform,
    angle_about,
    axis_angle,
    cross,
    halves,
    skew,
    vector,
)

__all__ = [
    "AbstractConstraint",
    "AbstractForce",
    "AbstractJoint",
    "AbstractJointForce",
    "AbstractKind",
    "Array",
    "Axis",
    "AxisField",
    "Choice",
    "CoordinateMotion",
    "End",
    "EndField",
    "EndOnBody",
    "Frame",
    "FrameField",
    "FrameMotion",
    "FrameOnBody",
    "FramePair",
    "Instance",
    "JointMotion",
    "JointName",
    "Mechanism",
    "Name",
    "Number",
    "PointMotion",
    "PointOnBody",
    "Rows",
    "Scalar",
    "StepControl",
    "Stored",
    "Tableau",
    "Transform",
    "Truth",
    "Vector",
    "Vector3",
    "View",
    "Whole",
    "acceleration",
    "add_integrator",
    "add_quantity",
    "angle_about",
    "axis_angle",
    "centre_of_mass",
    "changed",
    "cross",
    "declared",
    "field",
    "halves",
    "is_symbolic",
    "jacobian",
    "jacobian_rate",
    "kinetic_energy",
    "maximum",
    "minimum",
    "momentum",
    "nonzero",
    "perpendicular",
    "pose",
    "potential_energy",
    "select",
    "skew",
    "total_mass",
    "vector",
    "velocity",
    "wrenches",
]

EndField = Stored[End, tuple[str, Any]]
"""The type of a field that holds an end: a body's name and a point in its coordinates."""
