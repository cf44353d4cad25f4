"""A poinsot system of hinges rebuilt in Drake."""

import numpy as np
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    RevoluteJoint,
    RotationalInertia,
    SpatialInertia,
)

import poinsot as ps


def drake_plant(system: ps.System) -> MultibodyPlant:
    """Return the system as a continuous plant of Drake.

    Args:
        system: Its joints are all revolute, and its bodies are listed as Drake numbers joints.
    """
    plant = MultibodyPlant(0.0)
    plant.mutable_gravity_field().set_gravity_vector(np.array(system.gravity))
    bodies = {"world": plant.world_body()}
    for body in system.bodies:
        if body.joint.kind != "revolute":
            raise ValueError(f"no {body.joint.kind} joints in this benchmark")
        I = body.inertia_matrix()
        moments = RotationalInertia(*I.diagonal(), I[0, 1], I[0, 2], I[1, 2])
        inertia = SpatialInertia.MakeFromCentralInertia(body.mass, np.array(body.com), moments)
        bodies[body.name] = plant.AddRigidBody(body.name, inertia)
        place = RigidTransform(RotationMatrix(np.array(body.pose.matrix)), np.array(body.pose.xyz))
        parent = bodies[body.parent].body_frame()
        frame = plant.AddFrame(FixedOffsetFrame(f"{body.name} joint", parent, place))
        child = bodies[body.name].body_frame()
        plant.AddJoint(RevoluteJoint(body.name, frame, child, np.array(body.joint.axis), 0.0))
    plant.Finalize()
    return plant
