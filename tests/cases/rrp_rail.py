"""The RRP arm of Liu (1988) with its tip on a rail, in his coordinates θ1, θ2, z3 and ξ."""

import numpy as np

from poinsot.library import circular_rail, rrp_arm, rrp_arm_at, rrp_arm_on_rail
from tests.cases.contract import Unsupported
from tests.cases.rrp_open import SIGN, end_of_arm, in_liu_coordinates
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
    found = in_liu_coordinates(q, v) | {
        "xi": system.loop_position("rail", q)[0],
        "xi_dot": system.loop_velocity("rail", q, v)[0],
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
        period = 2 * np.pi * inputs["rail"]["radius"]
        found["trajectory"] = end_of(
            system, q, v, tau, wanted, lambda run: end_on_rail(run, inputs["xi"], period)
        )
    return found


def rail_of(rail):
    """Return the rail: a circle in a level plane."""
    if not {"radius", "centre"} <= set(rail) <= CIRCLE:
        raise Unsupported(f"rail with {', '.join(rail)}: only circles are supported")
    centre = [*rail["centre"], 0.0][:3]
    return circular_rail(radius=rail["radius"], centre=centre, phase=rail.get("phase", 0.0))


def end_on_rail(run, xi, period):
    """Return the last state of a run; the arc length is counted on over whole turns."""
    passed = np.unwrap(run.system.loop_position("rail", run.q)[:, 0], period=period)
    rate = run.system.loop_velocity("rail", run.q[-1], run.v[-1])[0]
    return end_of_arm(run) | {"xi": xi + passed[-1] - passed[0], "xi_dot": rate}
