"""Serial chains given by tables (a, b, alpha, nu) of low pairs."""

import numpy as np

import poinsot as ps
from tests.cases.bodies import momenta, transforms_along, velocities
from tests.cases.trajectory import end_of


def low_pair_chain(case):
    """Return transforms, dynamics, screws and energies; the end of a trajectory where expected."""
    inputs = case["inputs"]
    links = inputs["links"]
    system = ps.from_low_pairs(
        "chain",
        [{name: link[name] for name in ("a", "b", "alpha", "nu")} for link in links],
        gravity=inputs["gravity"],
        masses=[link["mass"] for link in links],
        coms=[link["com"] for link in links],
        inertias=[link["inertia_com"] for link in links],
        stiffness=[link.get("K", 0.0) for link in links],
        damping=[link.get("D", 0.0) for link in links],
    )
    q, v = inputs["q"], inputs["qd"]
    tau = np.array([link.get("C", 0.0) for link in links])
    steps, whole = transforms_along(system, q)
    found = {
        "Ahat_links": [X.force_matrix() for X in steps],
        "Ahat_0n": whole.force_matrix(),
        "A": system.mass_matrix(q),
        "B": tau - system.bias(q, v),
        "qdd": system.forward_dynamics(q, v, tau),
        "body_velocity_screws": velocities(system, q, v),
        "momentum_screws": momenta(system, q, v),
        "kinetic_energy": system.kinetic_energy(q, v),
        "potential_energy_gravity": system.potential_energy(q, "gravity"),
        "potential_energy": system.potential_energy(q),
    }
    if "trajectory" in case["expected"]:
        wanted = case["expected"]["trajectory"]
        found["trajectory"] = end_of(system, np.array(q), np.array(v), tau, wanted)
    return found
