"""Trees and forests of bodies with joints of every type, on a base at rest or in motion."""

import inspect

import numpy as np

import poinsot as ps
from poinsot.spatial import matrix_to_quaternion
from tests.cases.bodies import momenta, velocities
from tests.cases.contract import Missing
from tests.cases.neutral import control, system_of

ACCURACY = 1e-11
"""Of the integration to the end of a trajectory."""


def tree_dynamics(case):
    """Return dynamics, screws, energies and momenta; the end of a trajectory where expected."""
    description, state = case["system"], case["state"]
    q, v = np.array(state["q"], float), np.array(state["qd"], float)
    system = system_of(description)
    tau = control(description)
    base = case.get("base", description.get("base"))
    found = dynamics(system, q, v, tau, base)
    bare = system_of(description, passive=False)
    found["applied_generalised_force"] = tau + bare.bias(q, v) - system.bias(q, v)
    if base is None:
        found |= motion(system, q, v, skip=0)
    else:
        orientation = _orientation(base)
        start = [*np.zeros(3), *matrix_to_quaternion(np.array(orientation.matrix))]
        carried = system_of(description, on_free_base=True)
        found |= motion(carried, [*start, *q], [*_six(base, "velocity"), *v], skip=1)
    if "trajectory" in case["expected"]:
        end = Missing("simulation on a moving base") if base else None
        wanted = case["expected"]["trajectory"]
        found["trajectory"] = end or trajectory(system, q, v, tau, wanted)
    return found


def dynamics(system, q, v, tau, base):
    """Return A, B and the accelerations."""
    keywords = {}
    if base is not None:
        if not _takes("bias", "base") or not _takes("forward_dynamics", "base"):
            missing = Missing("base=")
            return {"A": system.mass_matrix(q), "B": missing, "qdd": missing}
        keywords["base"] = ps.BaseMotion(
            _orientation(base), _six(base, "velocity"), _six(base, "acceleration")
        )
    return {
        "A": system.mass_matrix(q),
        "B": tau - system.bias(q, v, **keywords),
        "qdd": system.forward_dynamics(q, v, tau, **keywords),
    }


def motion(system, q, v, skip):
    """Return screws, energies and momentum; the first ``skip`` bodies are not asked for."""
    return {
        "kinetic_energy": system.kinetic_energy(q, v),
        "potential_energy_gravity": system.potential_energy(q, "gravity"),
        "potential_energy": system.potential_energy(q),
        "body_velocity_screws": velocities(system, q, v, skip),
        "momentum_screws": momenta(system, q, v, skip),
        "total_momentum_screw_inertial": system.momentum(q, v),
    }


def trajectory(system, q, v, tau, wanted):
    """Return the state and the energies at the end, under the names that are wanted."""
    run = ps.simulate(system, q, v, wanted["t_end"], tau=tau, rtol=ACCURACY)
    if not run.status.ok:
        raise RuntimeError(run.status.message)
    kinetic, potential = run.kinetic_energy()[-1], run.potential_energy()[-1]
    values = {
        "q": run.q[-1],
        "qd": run.v[-1],
        "v": run.v[-1],
        "kinetic_energy": kinetic,
        "potential_energy_gravity": system.potential_energy(run.q[-1], "gravity"),
        "potential_energy": potential,
        "energy": kinetic + potential,
        "total_energy": kinetic + potential,
        "total_momentum_screw_inertial": system.momentum(run.q[-1], run.v[-1]),
    }
    found = {"t_end": wanted["t_end"]}
    for name in wanted:
        key = name.removesuffix("_end").removesuffix("_T").removesuffix("_final")
        if key in values:
            found[name] = values[key]
    return found


def _orientation(base):
    return ps.Pose(quat=base.get("orientation", (1.0, 0.0, 0.0, 0.0)))


def _six(base, name):
    return base.get(name, np.zeros(6))


def _takes(method, keyword):
    return (
        hasattr(ps, "BaseMotion")
        and keyword in inspect.signature(getattr(ps.System, method)).parameters
    )
