"""Trees with joints that close loops: accelerations, forces in the cut joints, redundancy."""

import re

import numpy as np

from tests.cases.contract import Missing
from tests.cases.cut_joints import cuts_of, loops_of
from tests.cases.neutral import control, system_of
from tests.cases.tree_dynamics import base_of, dynamics_of

PARTS = (slice(0, 3), slice(3, 6))
"""Force and moment in a wrench."""

ZERO = 1e-10
"""Singular values below it may be left out of a case."""


def loop_dynamics(case):
    """Return what is asked of trees, and what the cut joints transmit and lock."""
    description, state = case["system"], case["state"]
    q, v = np.array(state["q"], float), np.array(state["qd"], float)
    base = base_of(case)
    R = np.eye(3) if base is None else base.R
    loops = loops_of(case, system_of(description), q, R)
    system, tau = system_of(description, loops=loops), control(description)
    found = dynamics_of(case, loops)
    J = system.constraint_jacobian(q)
    mobility = system.mobility(q)
    found |= {
        "U": _loop_matrix(system),
        "constraint_rank": mobility.rank,
        "constraint_rows": mobility.n_rows,
        "mobility": mobility.degrees,
        "degrees_of_freedom": mobility.degrees,
        "constraint_singular_values": _singular_values(J, case["expected"]),
        "constraint_velocity_residual": system.constraint_rate(q, v),
        "generalised_constraint_force": J.T @ system.multipliers(q, v, tau, base=base).values,
    }
    wrenches = system.reactions(q, v, tau=tau, base=base, axes="world")
    inertial = [[R @ wrenches[one.name][part] for one in loops] for part in PARTS]
    found |= {
        "force_on_minus_body_inertial": inertial[0],
        "moment_on_minus_body_inertial": inertial[1],
        "wrench_on_minus_body_inertial": np.concatenate(inertial, axis=1),
    }
    return found | _pins(case, inertial[0])


def _loop_matrix(system):
    if not hasattr(system, "graph_matrices"):
        return Missing("graph matrices")
    return np.asarray(system.graph_matrices().U)


def _singular_values(J, expected):
    """Return the singular values, without those zeros that a case leaves out."""
    values = np.linalg.svd(J, compute_uv=False)
    count = len(expected.get("constraint_singular_values", values))
    return values[:count] if np.all(values[count:] < ZERO) else values


def _pins(case, forces):
    """Return forces by the number of a link: ``force_on_link3_at_cut_pin_inertial``."""
    found = {}
    for key in case["expected"]:
        if match := re.fullmatch(r"force_on_link(\d+)_at_cut_pin_inertial", key):
            link = int(match[1])
            for cut, force in zip(cuts_of(case), forces, strict=True):
                if link in (cut["minus"], cut["plus"]):
                    found[key] = force if link == cut["minus"] else -force
    return found
