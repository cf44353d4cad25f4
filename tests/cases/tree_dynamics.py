"""Trees and forests of bodies with joints of every type, on a base at rest or in motion."""

import numpy as np

import poinsot as ps
from poinsot.spatial import matrix_to_quaternion
from tests.cases.asked import asked
from tests.cases.bodies import momenta, velocities
from tests.cases.contract import Missing
from tests.cases.neutral import control, system_of
from tests.cases.trajectory import end_of


def tree_dynamics(case):
    """Return dynamics, screws, energies and momenta; the end of a trajectory where expected."""
    return dynamics_of(case)


def dynamics_of(case, loops=()):
    """Return the same for a tree with joints that close loops."""
    description, state = case["system"], case["state"]
    q, v = np.array(state["q"], float), np.array(state["qd"], float)
    system = system_of(description, loops=loops)
    tau = control(description)
    base = base_of(case)
    entries = dynamics(system, q, v, tau, base)
    bare = system_of(description, passive=False)
    entries["applied_generalised_force"] = lambda: tau + bare.bias(q, v) - system.bias(q, v)
    if base is None:
        entries |= motion(system, q, v, skip=0)
    else:
        start = [*np.zeros(3), *matrix_to_quaternion(base.R)]
        carried = system_of(description, on_free_base=True, loops=loops)
        entries |= motion(carried, [*start, *q], [*base.velocity, *v], skip=1)
    if "trajectory" in case["expected"]:
        wanted = case["expected"]["trajectory"]
        entries["trajectory"] = lambda: (
            end_of(system, q, v, tau, wanted)
            if base is None
            else Missing("simulation on a base whose motion is given for one instant")
        )
    return asked(case["expected"], entries)


def base_of(case):
    """Return the motion of the base, None where it is at rest."""
    base = case.get("base", case["system"].get("base"))
    if base is None:
        return None
    return ps.BaseMotion(
        ps.Pose(quat=base.get("orientation", (1.0, 0.0, 0.0, 0.0))),
        base.get("velocity", np.zeros(6)),
        base.get("acceleration", np.zeros(6)),
    )


def dynamics(system, q, v, tau, base):
    """Return functions for A, B and the accelerations."""
    return {
        "A": lambda: system.mass_matrix(q),
        "B": lambda: tau - system.bias(q, v, base=base),
        "qdd": lambda: system.forward_dynamics(q, v, tau, base=base),
    }


def motion(system, q, v, skip):
    """Return functions for screws, energies and momentum, without the first ``skip`` bodies."""
    return {
        "kinetic_energy": lambda: system.kinetic_energy(q, v),
        "potential_energy_gravity": lambda: system.potential_energy(q, "gravity"),
        "potential_energy": lambda: system.potential_energy(q),
        "body_velocity_screws": lambda: velocities(system, q, v, skip),
        "momentum_screws": lambda: momenta(system, q, v, skip),
        "total_momentum_screw_inertial": lambda: system.momentum(q, v),
    }
