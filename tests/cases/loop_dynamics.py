"""Trees with joints that close loops: accelerations, forces in the cut joints, redundancy."""

import re

import numpy as np

from tests.cases.asked import asked
from tests.cases.contract import Unsupported
from tests.cases.cut_joints import cuts_of, loops_of
from tests.cases.neutral import control, system_of
from tests.cases.tree_dynamics import base_of, dynamics_of

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
    J, mobility = system.constraint_jacobian(q), system.mobility(q)

    def wrenches():
        """Return the wrenches on the minus bodies, force and moment in inertial axes, (r, 6)."""
        found = system.reactions(q, v, tau=tau, base=base, axes="world")
        return np.array([[*(R @ found[one.name][:3]), *(R @ found[one.name][3:])] for one in loops])

    entries = {
        "U": lambda: np.asarray(system.graph_matrices().U),
        "constraint_rank": lambda: mobility.rank,
        "constraint_rows": lambda: mobility.n_rows,
        "constraint_rows_revolute_cut": lambda: mobility.n_rows,
        "mobility": lambda: mobility.degrees,
        "degrees_of_freedom": lambda: mobility.degrees,
        "constraint_singular_values": lambda: _singular_values(J, case["expected"]),
        "constraint_velocity_residual": lambda: system.constraint_rate(q, v),
        "generalised_constraint_force": lambda: (
            J.T @ system.multipliers(q, v, tau, base=base).values
        ),
        "force_on_minus_body_inertial": lambda: wrenches()[:, :3],
        "moment_on_minus_body_inertial": lambda: wrenches()[:, 3:],
        "wrench_on_minus_body_inertial": wrenches,
    }
    for key in case["expected"]:
        if match := re.fullmatch(r"force_on_link(\d+)_at_cut_pin_inertial", key):
            entries[key] = lambda link=int(match[1]): _on_link(link, cuts_of(case), wrenches())
    return dynamics_of(case, loops) | asked(case["expected"], entries)


def _singular_values(J, expected):
    """Return the singular values, without those zeros that a case leaves out."""
    values = np.linalg.svd(J, compute_uv=False)
    count = len(expected.get("constraint_singular_values", values))
    return values[:count] if np.all(values[count:] < ZERO) else values


def _on_link(link, cuts, wrenches):
    """Return the force of the only cut joint on a link, in inertial axes."""
    at = [r for r, cut in enumerate(cuts) if link in (cut["minus"], cut["plus"])]
    if len(at) != 1:
        raise Unsupported(f"force on link {link}: it has {len(at)} cut joints")
    force = wrenches[at[0], :3]
    return force if cuts[at[0]]["minus"] == link else -force
