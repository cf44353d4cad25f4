"""The PUMA 560, the RRP arm, the tree of five bodies and the satellite."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import (
    circular_rail,
    five_body_tree,
    puma560,
    rrp_arm,
    rrp_arm_at,
    satellite,
)

DATA = Path(__file__).parents[1] / "data"


def case(file, id):
    cases = json.loads((DATA / file).read_text(encoding="utf-8"))["cases"]
    return next(case for case in cases if case["id"] == id)


def test_puma560_has_the_published_numbers():
    """Check gravity load, inertia matrix and torques at the nominal posture."""
    reference = case("benchmarks.json", "puma560-static-inertia")["reference"]
    robot, q = puma560(), [0, np.pi / 4, np.pi, 0, np.pi / 4, 0]
    M = robot.mass_matrix(q)
    assert_allclose(M, reference["M"], rtol=1e-9, atol=1e-11)
    assert_allclose(robot.gravity_force(q), reference["published_gravity_load"], atol=1e-4)
    assert_allclose(M @ [1, 2, 3, 1, 2, 3], reference["published_itorque"], atol=1e-4)
    torque = robot.inverse_dynamics(q, np.zeros(6), np.ones(6))
    assert_allclose(torque, reference["published_rne_qd0_qdd1"], atol=1e-4)


def test_puma560_links_bear_the_names_of_their_joints():
    """Check that the coordinate of a link is found by its name."""
    robot = puma560()
    assert robot.nq == 6
    assert [robot.q_slice(f"link {i}") for i in range(1, 7)] == [slice(i, i + 1) for i in range(6)]


def test_rrp_arm_has_the_accelerations_of_the_corrected_equations():
    """Check (46) of Liu (1988) as corrected, in the coordinates θ1, θ2, z3."""
    problem = case("screw_impact.json", "P06_rrp_open")
    state, expected = problem["inputs"]["state"], problem["expected"]
    C = np.array(problem["inputs"]["parameters"]["C"])
    arm = rrp_arm()
    sign = np.array([1.0, -1.0, 1.0])  # q2 = π/2 - θ2
    q = [state["theta1"], np.pi / 2 - state["theta2"], state["z3"]]
    v = sign * [state["theta1_dot"], state["theta2_dot"], state["z3_dot"]]
    assert_allclose(sign * arm.mass_matrix(q) * sign[:, None], expected["mass_matrix"], rtol=1e-12)
    a = sign * arm.forward_dynamics(q, v, sign * C)
    assert_allclose(a, expected["accelerations"], rtol=1e-12)


def test_rrp_arm_points_below_the_horizontal():
    """Check the depression θ2 and the place of the tip."""
    arm, theta2, z3 = rrp_arm(), 0.3, 0.7
    tip = arm.pose("tip", [0.0, np.pi / 2 - theta2, z3])
    assert_allclose(tip[2, 2], -np.sin(theta2), rtol=1e-12)
    assert_allclose(tip[2, 3], 0.9 - (z3 + 0.35) * np.sin(theta2), rtol=1e-12)


def test_rrp_arm_refuses_what_it_cannot_reach():
    """Check that the messages name place and radius."""
    with pytest.raises(ps.ModelError, match=r"\(0.1, 0.2, 0.0\), which is within 0.25 m"):
        rrp_arm_at((0.1, 0.2, 0.0))
    with pytest.raises(ps.ModelError, match=r"radius must be positive, got 0\.0"):
        circular_rail(radius=0.0)


def test_five_body_tree_moves_as_printed():
    """Check the last row of the printed table to its four digits."""
    table = case("five_body_table.json", "five-body-table")
    start, expected = table["initial"], table["expected"]
    run = ps.simulate(
        five_body_tree(),
        np.radians(start["q_deg"]),
        np.radians(start["v_deg_per_s"]),
        expected["t"][-1],
    )
    assert_allclose(np.degrees(run.q[-1]), expected["q_deg"][-1], rtol=5e-4)
    assert_allclose(np.degrees(run.v[-1]), expected["v_deg_per_s"][-1], rtol=5e-4)


def test_five_body_tree_scales():
    """Check that M grows as m l² and the weight as m g l."""
    q = np.linspace(0.1, 0.5, 5)
    small, large = five_body_tree(), five_body_tree(m=2.0, l=3.0, g=4.9)
    assert_allclose(large.mass_matrix(q), 18 * small.mass_matrix(q), rtol=1e-12)
    assert_allclose(large.gravity_force(q), 3 * small.gravity_force(q), rtol=1e-12)


def test_satellite_panels_turned_against_each_other_leave_it_at_rest():
    """Check that opposite torques turn the panels at T / I and nothing else."""
    craft, torque = satellite(), 3.0
    tau = np.zeros(craft.nv)
    tau[craft.v_slice("left panel")], tau[craft.v_slice("right panel")] = torque, -torque
    moment = 20.0 * (1.5**2 + 0.04**2) / 12
    expected = tau / moment
    a = craft.forward_dynamics(craft.neutral(), np.zeros(craft.nv), tau)
    assert_allclose(a, expected, atol=1e-13)


def test_satellite_keeps_its_momentum():
    """Check that joint torques change neither momentum nor the motion of the mass centre."""
    craft, rng = satellite(), np.random.default_rng(2)
    q, v = craft.random(rng), rng.normal(size=craft.nv)
    tau = np.concatenate([np.zeros(6), rng.normal(size=5)])
    run = ps.simulate(craft, q, v, 2.0, tau=tau, rtol=1e-10)
    before, after = craft.momentum(run.q[0], run.v[0]), craft.momentum(run.q[-1], run.v[-1])
    assert_allclose(after, before, rtol=1e-8, atol=1e-7)
    drift = craft.centre_of_mass(run.q[-1]) - craft.centre_of_mass(run.q[0])
    assert_allclose(drift, 2.0 * before[:3] / 500.0, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("make", [puma560, rrp_arm, five_body_tree, satellite])
def test_made_twice_is_the_same(make):
    """Check equality by value, on which caches rely."""
    assert make() == make()
