"""The RRP arm of Liu (1988) with a free tip, in his coordinates θ1, θ2, z3."""

import numpy as np

from poinsot.library import rrp_arm
from tests.cases.trajectory import end_of

SIGN = np.array([1.0, -1.0, 1.0])
"""Of the rates of (θ1, θ2, z3) in those of q, for q2 = π/2 - θ2."""


def rrp_open(case):
    """Return M and n of M [θ1'', θ2'', z3''] + n = 0 and the accelerations."""
    parameters, state = dict(case["inputs"]["parameters"]), case["inputs"]["state"]
    C = np.array(parameters.pop("C", np.zeros(3)), float)
    parameters.pop("Dc", None)  # friction on the rail, which is not there
    arm = rrp_arm(**parameters)
    q = [state["theta1"], np.pi / 2 - state["theta2"], state["z3"]]
    v = SIGN * [state["theta1_dot"], state["theta2_dot"], state["z3_dot"]]
    found = {
        "mass_matrix": SIGN * arm.mass_matrix(q) * SIGN[:, None],
        "velocity_gravity_spring_terms": SIGN * arm.bias(q, v) - C,
        "accelerations": SIGN * arm.forward_dynamics(q, v, SIGN * C),
    }
    if "trajectory" in case["expected"]:
        wanted = case["expected"]["trajectory"]
        found["trajectory"] = end_of(arm, q, v, SIGN * C, wanted, end_of_arm)
    return found


def end_of_arm(run):
    """Return the last state of a run in Liu's coordinates."""
    return in_liu_coordinates(run.q[-1], run.v[-1])


def in_liu_coordinates(q, v):
    """Return (θ1, θ2, z3) and their rates, by name and stacked."""
    place = [q[0], np.pi / 2 - q[1], q[2]]
    names = ("theta1", "theta2", "z3")
    found = dict(zip(names, place, strict=True)) | {"q": place, "qd": SIGN * v}
    return found | {f"{name}_dot": rate for name, rate in zip(names, SIGN * v, strict=True)}
