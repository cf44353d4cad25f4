"""Andrews' squeezing mechanism: accelerations and multipliers, at the start and after a run."""

import numpy as np

import poinsot as ps
from poinsot.library import andrews_squeezer
from tests.cases.contract import Within

OWN = {"m": "masses", "I_com": "moments", "c0": "stiffness", "l0": "relaxed", "torque": "torque"}
POINTS = ("A", "B", "C")
PINS = ("E3", "E4", "E6")


def andrews(case):
    """Return accelerations and multipliers at the start, and the state at the end of the run."""
    model = case["model"]
    system = squeezer_of(model["parameters"])
    q, v = np.array(model["q0"], float), np.array(model["qdot0"], float)
    run = ps.simulate(system, q, v, model["t_end"], rtol=1e-10)
    if not run.status.ok:
        raise RuntimeError(run.status.message)
    q_end, v_end = run.q[-1], run.v[-1]
    limits = case.get("tolerance", {})
    rates = limits.get("velocities_rel_vs_refined", 1e-7)
    forces = limits.get("accel_lam_rel_vs_refined", 1e-6)
    end = {
        "q": Within(q_end, atol=limits.get("angles_abs_vs_refined", 1e-8)),
        "qd": Within(v_end, rtol=rates),
    }
    end |= {key: Within(x, rtol=forces) for key, x in loads(system, q_end, v_end).items()}
    rows = [key for key in case["reference"] if key.startswith("refined")]
    return {"initial": loads(system, q, v)} | dict.fromkeys(rows, end)


def squeezer_of(parameters):
    """Return the mechanism from the names of the literature."""
    given = dict(parameters)
    g = given.pop("gravity", 0)
    options = {own: given.pop(key) for key, own in OWN.items()}
    options |= {name: given.pop(name) for name in POINTS}
    squeezer = andrews_squeezer(lengths=given, **options)
    return ps.System(
        squeezer.name, squeezer.bodies, gravity=(0.0, -g, 0.0), loops=squeezer.loops,
        forces=squeezer.forces,
    )  # fmt: skip


def loads(system, q, v):
    """Return accelerations, and the multipliers of E(K2) - E(K3 | K4 | K6) = 0."""
    wrenches = system.reactions(q, v, axes="world")
    lam = np.concatenate([wrenches[name][:2] for name in PINS])
    return {"qdd": system.forward_dynamics(q, v), "lam": lam}
