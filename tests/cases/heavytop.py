"""A rigid body that turns about a fixed point under gravity, from a given spin."""

import numpy as np

import poinsot as ps
from tests.cases.contract import Unsupported


def heavytop(case):
    """Return orientation, angular velocity and mass centre at the sampled times, and invariants."""
    model, samples = case["model"], case["reference"]["samples"]
    if model.get("R0", "identity") != "identity":
        raise Unsupported(f"initial orientation {model['R0']!r}: not understood")
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
    run = ps.simulate(
        system, system.neutral(), model["omega0_body"], times[-1], save=times, rtol=1e-11
    )
    if not run.status.ok:
        raise RuntimeError(run.status.message)
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
    return {"samples": found, "energy": energy, "Lz": np.asarray(system.momentum(*end))[5]}
