"""Programmed motions: redundant, least squares, joint space, and a whole pose."""

from dataclasses import replace

import numpy as np

import poinsot as ps
from poinsot.spatial import quaternion_to_matrix
from tests.cases.holonomic import led_point
from tests.cases.link_chain import bodies_of
from tests.cases.paper_chain import chain_system


def control_redundant(case):
    """Return the law at the start, with two inputs of redundancy, and the end of its run."""
    given = case["given"]
    system = ps.System("chain", bodies_of(given["chain"]), gravity=given["chain"]["gravity"])
    q0, v0 = np.array(given["q0"]), np.array(given["qd0"])
    kv, kp = given["kv"], given["kp"]
    law = ps.control(
        system, led_point("hand", given["constraint"]), position_gain=given["Gamma0"],
        rate_gain=given["Gamma1"], redundancy=lambda t, q, v: -kv * v - kp * (q - q0),
    )  # fmt: skip
    start = law.at(0.0, q0, v0)
    T = given["T"]
    run = ps.simulate(system, q0, v0, T, tau=law, rtol=1e-11)
    end = law.at(T, run.q[-1], run.v[-1])
    tested = replace(law, redundancy=np.array(given["v_test"]))
    return {
        "f0": start.f,
        "fdot0": start.rate,
        "Q_c_at_0": start.tau,
        "Q_c_at_0_with_v_test": tested(0.0, q0, v0),
        "qdd_at_0": start.a,
        "f_T": end.f,
        "fdot_T": end.rate,
        "q_T": run.q[-1],
        "qd_T": run.v[-1],
    }


def control_least_squares(case):
    """Return laws with more rows than joints, and in joint space, whose errors are given."""
    given = case["given"]
    system = chain_system(given["chain"])
    q, v = np.array(given["q"]), np.array(given["qd"])
    rows, joints = given["overdetermined"], given["joint_programme"]
    point = np.append(rows["point_local"], 1.0)

    def led(x):
        return np.concatenate([(system.pose("link 4", x) @ point)[:3], x[:2]])

    J = system.jacobian("link 4", q, rows["point_local"], axes="world")[:3]
    moved = np.concatenate([J @ v, v[:2]])
    place = led(q)
    f, rate, second = (np.array(rows[key]) for key in ("f", "fdot", "f_tt"))

    def wanted(t):  # whose error, its rate and its second derivative at t = 0 are the given ones
        return place - f + (moved - rate) * t - second * t**2 / 2

    law = ps.control(
        system, ps.Holonomic("hand", lambda x, t: led(x) - wanted(t)),
        position_gain=rows["gain0"], rate_gain=rows["gain1"],
    ).at(0.0, q, v)  # fmt: skip
    error, e_rate, a = (np.array(joints[key]) for key in ("e", "edot", "qddot_programme"))
    free = ps.control(
        system, lambda t: q - error + (v - e_rate) * t + a * t**2 / 2,
        position_gain=joints["gain0"], rate_gain=joints["gain1"],
    )  # fmt: skip
    target = law.bias + rows["gain1"] * law.rate + rows["gain0"] * law.f
    return {
        "Gamma": law.jacobian,
        "qdd": law.a,
        "residual_norm_squared": float(np.sum((law.jacobian @ law.a + target) ** 2)),
        "Q_c": law.tau,
        "Q_c_joint_programme": free(0.0, q, v),
    }


def control_pose(case):
    """Return the law that leads the whole pose of a link."""
    given = case["given"]
    system, wanted = chain_system(given["chain"]), given["desired"]
    p, dp, ddp = (np.array(wanted[key]) for key in ("position", "velocity", "acceleration"))
    w = np.array(wanted["angular_velocity_in_desired_axes"])
    dw = np.array(wanted["angular_acceleration_in_desired_axes"])
    C = np.array(wanted["rotation_matrix_C_d_to_base"])

    def desired(t):  # near t = 0: rotation by the vector w t + dw t²/2
        x, y, z = (w * t + dw * t**2 / 2) / 2
        turn = quaternion_to_matrix([np.sqrt(1 - x * x - y * y - z * z), x, y, z])
        return p + dp * t + ddp * t**2 / 2, C @ turn

    programme = ps.pose_programme(system, "link 6", desired)
    law = ps.control(
        system, programme, position_gain=given["Gamma0_diag"], rate_gain=given["Gamma1_diag"]
    )
    state = law.at(0.0, given["q"], given["qd"])
    return {
        "f": state.f,
        "fdot": state.rate,
        "Gamma": state.jacobian,
        "qdd": state.a,
        "Q_c": state.tau,
    }
