"""Cases of closed systems in every shape that files give them, with values known by other means."""

import copy
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad

import poinsot as ps
from poinsot.spatial import quaternion_product, quaternion_to_matrix
from tests.cases.holonomic import holonomic
from tests.cases.link_chain import bodies_of
from tests.cases.neutral import name_of
from tests.cases.runner import outcome_of
from tests.library.one_degree import rate_at
from tests.library.test_four_bar import RODS, pins

DATA = Path(__file__).parents[1] / "data"
X_TO_Z = (np.sqrt(0.5), 0.0, -np.sqrt(0.5), 0.0)
"""Quaternion that takes x to z."""


def case_of(file, id):
    cases = json.loads((DATA / file).read_text(encoding="utf-8"))["cases"]
    return copy.deepcopy(next(case for case in cases if case["id"] == id))


def four_bar():
    """Return the four-bar as a case of cut joints in its known state."""
    case = case_of("screw_impact.json", "P08_four_bar") | {"kind": "loop_dynamics"}
    case["state"] = {"q": case["expected"].pop("q"), "qd": case["expected"].pop("qd")}
    del case["expected"]["constraint_rows_revolute_cut"]
    return case


def passes(case):
    outcome, text = outcome_of(case)
    assert outcome == "PASS", text


def about_z(angle):
    return (np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2))


def rows_in_plane(case):
    """Return d(cut pin)/dq of the four-bar, shape (2, 3)."""
    angle, length = np.cumsum(case["state"]["q"]), np.array([0.3, 0.8, 0.6])
    places = np.cumsum(length * np.exp(1j * angle))
    levers = 1j * (places[-1] - np.concatenate([[0.0], places[:-1]]))
    return np.array([levers.real, levers.imag])


def test_cut_joint_by_frames():
    """Check a pin given by turned frames whose x is the axis, against rows and forces by hand."""
    case = four_bar()
    case["cut_joints"] = [
        {
            "plus": 0, "minus": 3, "type": "revolute", "axis_in_cut_frame": [2, 0, 0],
            "cut_frame_on_plus": {
                "quaternion": list(quaternion_product(np.array(about_z(0.3)), np.array(X_TO_Z))),
                "translation": [0.7, 0, 0],
            },
            "cut_frame_on_minus": {
                "quaternion": list(quaternion_product(np.array(about_z(-1.2)), np.array(X_TO_Z))),
                "translation": [0.6, 0, 0],
            },
        }
    ]  # fmt: skip
    del case["cut_joint"]
    J = rows_in_plane(case)
    force = case["expected"]["force_on_link3_at_cut_pin_inertial"]
    case["expected"] |= {
        "constraint_singular_values": np.linalg.svd(J, compute_uv=False).tolist(),
        "generalised_constraint_force": (J.T @ force[:2]).tolist(),
        "force_on_minus_body_inertial": [force],
        "moment_on_minus_body_inertial": [[0.0, 0.0, 0.0]],
        "mobility": 1,
    }
    passes(case)
    case["expected"]["constraint_singular_values"] += [0.0]  # all three, the last of them zero
    passes(case)
    case["expected"]["constraint_singular_values"][1] *= 1.0001
    assert "constraint_singular_values" in outcome_of(case)[1]


def test_cut_joint_by_place():
    """Check a pin given by its place in the world, with its axis in world axes."""
    case = four_bar()
    case["cut_joint"] = {
        "plus": 0, "minus": 3, "type": "revolute", "axis": [0, 0, 1], "point_inertial": [0.7, 0, 0],
    }  # fmt: skip
    passes(case)


def test_cut_joint_between_links():
    """Check the same four-bar cut at its inner pin: another tree, the same motion."""
    case = four_bar()
    q, v = np.array(case["state"]["q"]), np.array(case["state"]["qd"])
    bodies = case["system"]["bodies"]
    rocker = bodies[2]  # now from the fixed pin, with its frame at the other end
    rocker["parent"] = 0
    rocker["joint"]["placement"]["translation"] = [0.7, 0, 0]
    angle, rate, second = (np.cumsum(one)[-1] for one in (q, v, case["expected"]["qdd"]))
    case["state"] = {"q": [q[0], q[1], angle + np.pi], "qd": [v[0], v[1], rate]}
    case["cut_joint"] = {
        "plus": 2, "minus": 3, "type": "revolute", "axis": [0, 0, 1],
        "point_on_plus": [0.8, 0, 0], "point_on_minus": [0.6, 0, 0],
    }  # fmt: skip
    expected = case["expected"]
    expected["qdd"] = [*expected["qdd"][:2], second]
    del expected["force_on_link3_at_cut_pin_inertial"]
    passes(case)


def test_moving_base():
    """Check that a base which rises faster weighs more, also where it is turned."""
    case = four_bar()
    turn = np.array([0.8, 0.2, -0.4, 0.4])
    R = quaternion_to_matrix(turn / np.linalg.norm(turn))
    case["system"]["gravity"] = (R @ [0.0, -5.81, 0.0]).tolist()
    case["base"] = {"orientation": turn.tolist(), "acceleration": [0, 4.0, 0, 0, 0, 0]}
    force = R @ case["expected"].pop("force_on_link3_at_cut_pin_inertial")
    case["expected"]["force_on_minus_body_inertial"] = [force.tolist()]
    case["expected"]["potential_energy"] *= 5.81 / 9.81
    passes(case)


def test_two_loops_by_points_and_frames():
    """Check the balls of figure 2, one by points on the bodies and one by frames."""
    case = case_of("screw_impact.json", "P09_two_loops_figure2")
    balls, loops = case["cut_joints"], ps.library.two_loops().loops
    for cut, loop in zip(balls, loops, strict=True):
        del cut["point_inertial"]
        for side, (_, pose) in zip(("plus", "minus"), loop.pair, strict=True):
            if cut is balls[0]:
                cut[f"point_on_{side}"] = list(pose.xyz)
            else:
                cut[f"cut_frame_on_{side}"] = {"translation": list(pose.xyz)}
    passes(case)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"point_on_minus": None}, "cut joint 1: frames or points are not given"),
        ({"control": [1.0]}, "control of a cut joint"),
        ({"friction": 0.3, "play": 0.1}, "revolute joint with friction, play"),
    ],
)
def test_strange_cut_joints_are_to_do(change, reason):
    """Check that nothing in a description is guessed or passed over."""
    case = four_bar()
    cut = case["cut_joint"] | change
    case["cut_joint"] = {key: value for key, value in cut.items() if value is not None}
    assert outcome_of(case) == ("TODO", reason)


def test_end_of_a_trajectory():
    """Check when the free crank reaches an angle: the integral of ds / s' by energy."""
    case = case_of("screw_impact.json", "P08_four_bar")
    start, end, rate = 0.8, 2.3, 9.0
    case["inputs"]["theta1_dot"] = rate
    gravity = (0.0, -9.81, 0.0)

    def speed(s):
        return rate_at(lambda x: pins(x, 1), RODS, s, gravity, start, rate)

    t_end, _ = quad(lambda s: 1.0 / speed(s), start, end, epsabs=1e-12)
    q = ps.library.four_bar_configuration(end)
    case["expected"] = {
        "trajectory": {"t_end": t_end, "q": q.tolist(), "qd_end": None, "theta1": end},
    }
    linkage = ps.library.four_bar()
    v = linkage.consistent_velocity(q, [speed(end), 0.0, 0.0], joints=["crank"])
    case["expected"]["trajectory"]["qd_end"] = v.tolist()
    case["tolerance"] = {"rtol": 1e-8, "atol": 1e-8}
    passes(case)


def test_other_branch():
    """Check that the note says which way the linkage is assembled."""
    case = case_of("screw_impact.json", "P08_four_bar")
    case["inputs"]["note"] = "assembly branch: coupler angle = angle(BD)-acos(...)"
    q = ps.library.four_bar_configuration(0.8, branch=-1)
    case["expected"] = {"q": q.tolist(), "constraint_rank": 2}
    passes(case)
    case["inputs"]["note"] = ""
    assert outcome_of(case) == ("TODO", "four-bar: the assembly branch is not given")


def test_trajectory_on_the_rail():
    """Check when the arm without friction reaches a place on its rail, by energy."""
    case = case_of("screw_impact.json", "P07_rrp_rail")
    inputs = case["inputs"]
    inputs["parameters"] |= {"D": [0, 0, 0], "C": [0, 0, 0], "Dc": 0.0}
    start, end, rate = inputs["xi"], 2.1, 3.0  # beyond half a turn
    inputs["xi_dot"] = rate
    arm, rail = ps.library.rrp_arm(), ps.library.circular_rail()

    def energies(xi):
        at = rail.at(xi)
        q = ps.library.rrp_arm_at(at.c)
        v = np.linalg.solve(arm.jacobian("tip", q, axes="world")[:3], at.dc)
        return 2 * arm.kinetic_energy(q, v), arm.potential_energy(q)

    M0, V0 = energies(start)

    def speed(xi):
        M, V = energies(xi)
        return np.sqrt((M0 * rate**2 + 2 * (V0 - V)) / M)

    t_end, _ = quad(lambda xi: 1.0 / speed(xi), start, end, epsabs=1e-12)
    theta1, q2, z3 = ps.library.rrp_arm_at(rail.at(end).c)
    wanted = {"t_end": t_end, "xi": end, "xi_dot": speed(end), "theta1": theta1}
    wanted |= {"theta2_end": np.pi / 2 - q2, "z3": z3}
    case["expected"] = {"trajectory": wanted, "xi": start, "xi_dot": rate}
    case["tolerance"] = {"rtol": 1e-8, "atol": 1e-8}
    passes(case)


def test_trajectory_of_the_free_arm():
    """Check the arm that hangs straight down: its slide is an oscillator."""
    case = case_of("screw_impact.json", "P06_rrp_open")
    m, k, g, z, t = 1.5, 30.0, 9.81, 0.2, 0.6
    case["inputs"]["parameters"] |= {"D": [0, 0, 0], "C": [0, 0, 0], "K": [0, 0, k]}
    state = {"theta1": 0.0, "theta2": np.pi / 2, "z3": z}
    case["inputs"]["state"] = state | dict.fromkeys(("theta1_dot", "theta2_dot", "z3_dot"), 0.0)
    w, middle = np.sqrt(k / m), m * g / k
    wanted = {
        "t_end": t,
        "z3": middle + (z - middle) * np.cos(w * t),
        "z3_dot_end": -(z - middle) * w * np.sin(w * t),
        "theta1": 0.0,
        "q": [0.0, np.pi / 2, middle + (z - middle) * np.cos(w * t)],
    }
    case["expected"] = {"trajectory": wanted}
    case["tolerance"] = {"rtol": 1e-8, "atol": 1e-8}
    passes(case)


@pytest.mark.filterwarnings("ignore::poinsot.ModelWarning")  # inertias that no body can have
@pytest.mark.parametrize("components", [["z"], ["y", "x"]])
def test_fewer_rows(components):
    """Check other rows and wrenches on other links by the equations with multipliers."""
    case = case_of("planar_manipulator.json", "P16")
    given, published = case["given"], case["expect"]
    given["constraint"]["components"] = components
    given["external_wrench_link_axes"]["2"] = [0.4, 1.0, -2.0, 0.3, 0.1, 0.9]
    numbers = ["xyz".index(axis) for axis in components]
    rows = {
        key: np.array(published[key])[numbers] for key in ("f", "fdot", "Gamma", "Gammadot", "bias")
    }
    chain = ps.System("chain", bodies_of(given["chain"]), gravity=given["chain"]["gravity"])
    case["expect"] = solved(chain, given, rows)
    passes(case)


def solved(chain, given, rows):
    """Return the rows with N and the accelerations that they ask for, and their rank."""
    q, v = given["q"], given["qd"]
    loads = {name_of(int(k)): w for k, w in given["external_wrench_link_axes"].items()}
    A, b = chain.mass_matrix(q), chain.bias(q, v, wrenches=loads)
    G, m = rows["Gamma"], len(rows["f"])
    whole = np.block([[A, -G.T], [G, np.zeros((m, m))]])
    solution = np.linalg.solve(whole, np.concatenate([given["Q"] - b, -rows["bias"]]))
    found = rows | {"qdd": solution[:6], "N": solution[6:]}
    return {key: value.tolist() for key, value in found.items()} | {"rank": m}


@pytest.mark.filterwarnings("ignore::poinsot.ModelWarning")
def test_more_rows():
    """Check two led points, five rows on six links, against the rows of each and N of both."""
    case = case_of("planar_manipulator.json", "P16")
    given, published = case["given"], case["expect"]
    first = given.pop("constraint")
    second = copy.deepcopy(first) | {"link": 4, "components": ["x", "z"]}
    given["constraints"] = [first, second]
    alone = copy.deepcopy(case)
    alone["given"]["constraint"] = alone["given"].pop("constraints")[1]
    other = holonomic(alone)
    rows = {
        key: np.concatenate([published[key], other[key]])
        for key in ("f", "fdot", "Gamma", "Gammadot", "bias")
    }
    chain = ps.System("chain", bodies_of(given["chain"]), gravity=given["chain"]["gravity"])
    case["expect"] = solved(chain, given, rows)
    passes(case)


def test_other_bennett():
    """Check other twists, and that a wrong relation is found."""
    case = case_of("benchmarks.json", "kin-bennett")
    al, be, theta1 = np.radians(25.0), np.radians(55.0), 0.7
    ratio = np.sin((be + al) / 2) / np.sin((be - al) / 2)
    case["model"] |= {
        "DH": "standard DH, offsets d=0; lengths a,b,a,b; twists 25,55,25,55 deg",
        "a": 0.5, "b": 0.5 * np.sin(be) / np.sin(al), "alpha_deg": 25, "beta_deg": 55,
        "theta1": theta1,
    }  # fmt: skip
    case["reference"]["theta2"] = 2 * np.arctan(ratio / np.tan(theta1 / 2))
    passes(case)
    wrong = copy.deepcopy(case)
    wrong["reference"]["theta3"] = "theta1"
    assert outcome_of(wrong)[0] == "FAIL"
    wrong = copy.deepcopy(case)
    wrong["reference"]["relation"] = "|tan(th1/2)| = sin(be)"
    assert outcome_of(wrong)[0] == "FAIL"
