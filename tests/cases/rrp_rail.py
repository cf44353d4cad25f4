"""The RRP arm of Liu (1988) with its tip on a rail, in his coordinates θ1, θ2, z3 and ξ."""

import numpy as np

from poinsot.library import circular_rail, rrp_arm, rrp_arm_at, rrp_arm_on_rail
from tests.cases.contract import Unsupported
from tests.cases.rrp_open import SIGN, in_liu_coordinates
from tests.cases.trajectory import end_of

CIRCLE = {"radius", "centre", "phase", "note"}


def rrp_rail(case):
    """Return the closed state, accelerations, and the force of the rail without friction."""
    inputs = case["inputs"]
    parameters = dict(inputs["parameters"])
    tau = SIGN * np.array(parameters.pop("C", np.zeros(3)), float)
    Dc = parameters.pop("Dc", 0.0)
    rail = rail_of(inputs["rail"])
    arm = rrp_arm(**parameters)
    system = rrp_arm_on_rail(rail, arm=arm, Dc=Dc)
    at = rail.at(inputs["xi"])
    q = rrp_arm_at(at.c, **{name: parameters[name] for name in ("b1", "b2", "b4")})
    v = np.linalg.solve(arm.jacobian("tip", q, axes="world")[:3], at.dc * inputs["xi_dot"])
    a = system.forward_dynamics(q, v, tau)
    Vc = arm.velocity("tip", q, v)[:3]
    ideal = system.reactions(q, v, tau=tau)["rail"][:3] + Dc * Vc
    found = on_rail(system, q, v) | {
        "Vc": Vc,
        "qdd": SIGN * a,
        "xi_dd": system.loop_acceleration("rail", q, v, a)[0],
        "F_cn_in_e4": ideal,
        "power_of_ideal_force": ideal @ Vc,
        "kinetic_energy": system.kinetic_energy(q, v),
        "potential_energy": system.potential_energy(q),
    }
    if "trajectory" in case["expected"]:
        wanted = case["expected"]["trajectory"]
        found["trajectory"] = end_of(system, q, v, tau, wanted, lambda q, v: on_rail(system, q, v))
    return found


def rail_of(rail):
    """Return the rail: a circle in a level plane."""
    if not {"radius", "centre"} <= set(rail) <= CIRCLE:
        raise Unsupported(f"rail with {', '.join(rail)}: only circles are supported")
    centre = [*rail["centre"], 0.0][:3]
    return circular_rail(radius=rail["radius"], centre=centre, phase=rail.get("phase", 0.0))


def on_rail(system, q, v):
    """Return the state in Liu's coordinates and along the rail."""
    xi, rate = system.loop_position("rail", q)[0], system.loop_velocity("rail", q, v)[0]
    return in_liu_coordinates(q, v) | {"xi": xi, "xi_dot": rate}
