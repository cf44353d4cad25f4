"""A rigid body that turns about a fixed point under gravity, from a given spin."""

import numpy as np

import poinsot as ps
from poinsot.spatial import matrix_to_quaternion
from tests.cases.motion import motion
from tests.cases.words import rotation


def heavytop(case):
    """Return orientation, angular velocity and mass centre at the sampled times, and invariants."""
    model, samples = case["model"], case["reference"]["samples"]
    body = ps.Body(
        "top",
        joint=ps.Spherical(),
        pose=ps.Pose(model["fixed_point"]),
        mass=model["mass"],
        com=model["com_body"],
        inertia=model["I_com"],
    )
    system = ps.System("top", [body], gravity=model["g"])
    times = sorted(map(float, samples))
    q = matrix_to_quaternion(rotation(model.get("R0", "identity")))
    run = motion(system, q, model["omega0_body"], times)
    found = {}
    for key in samples:
        q, v = run.at(float(key))
        found[key] = {
            "quat_wxyz": q,
            "omega_body": v,
            "com": system.centre_of_mass(q),
        }
    end = run.q[-1], run.v[-1]
    energy = system.kinetic_energy(*end) + system.potential_energy(run.q[-1])
    momentum = system.momentum(*end)
    spin = momentum[3:] - np.cross(model["fixed_point"], momentum[:3])
    return {"samples": found, "energy": energy, "Lz": spin[2]}
