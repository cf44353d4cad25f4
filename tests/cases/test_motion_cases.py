"""Cases of motions with other numbers, against what is known of them by other means."""

import copy
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

from poinsot.spatial import quaternion_product, quaternion_to_matrix
from tests.cases.runner import outcome_of

DATA = Path(__file__).parents[1] / "data"
NEXT = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
"""Takes x to y, y to z and z to x."""


def case_of(id, file="benchmarks.json"):
    cases = json.loads((DATA / file).read_text(encoding="utf-8"))["cases"]
    return copy.deepcopy(next(case for case in cases if case["id"] == id))


def passes(case):
    outcome, text = outcome_of(case)
    assert outcome == "PASS", text


def fails(case):
    outcome, text = outcome_of(case)
    assert outcome == "FAIL", text


def moved(equation, start, times):
    """Return the states of y' = equation(y) at times, by SciPy."""
    run = solve_ivp(
        lambda t, y: equation(y), (0.0, times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-12
    )
    return run.y.T


def test_swinging_pendulum():
    """Check another pendulum from its lowest place against Jacobi's functions."""
    case, (length, g, w) = case_of("iftomm-a01"), (0.7, 3.2, 2.5)
    pivot, times = np.array([0.4, -1.0]), np.array([0.3, 4.0, 25.0])
    case["model"] |= {"length": length, "point_mass": 5.0, "g": g, "pivot": pivot.tolist()}
    case["model"] |= {"r0": [0.4, -1.7], "v0": [w * length, 0.0]}
    root = np.sqrt(g / length)
    k = w / (2 * root)  # sin of half the amplitude
    half = np.arcsin(k * ellipj(root * times, k**2)[0])
    place = pivot + length * np.stack([np.sin(2 * half), -np.cos(2 * half)], axis=1)
    rows = np.column_stack([times, place])
    case["reference"] = {"exact_t_x_y": rows.tolist(), "period": 4 * ellipk(k**2) / root}
    passes(case)
    case["reference"]["period"] *= 1 + 1e-8
    fails(case)
    case["reference"] = {"exact_t_x_y": rows[:1].tolist()}
    case["tolerance"]["energy_drift_J_10s_iftomm"] = 1e-18
    assert "energy drift" in outcome_of(case)[1]


def test_turning_pendulum():
    """Check the period of one that goes over the top."""
    case, w = case_of("iftomm-a01"), 9.0
    case["model"] |= {"r0": [0.0, -1.0], "v0": [-w, 0.0]}
    m = 4 * 9.81 / w**2
    case["reference"] = {"period": 4 * ellipk(m) / w}
    passes(case)


def test_planar_slider_crank():
    """Check other sizes, a start off the dead centre and weight against one equation."""
    r, l, m, torque, g = 0.4, 0.9, (1.5, 2.0, 0.7), 3.0, 4.0
    case = case_of("slidercrank2d-a")
    case["model"] |= {"crank_length": r, "rod_length": l, "torque": torque, "g": g}
    case["model"] |= dict(zip(("crank_mass", "rod_mass", "slider_mass"), m, strict=True))
    case["model"] |= {"theta0": 0.6, "omega0": -2.0}

    def terms(angle):
        """Return slider, inertia and work of the weight for a crank angle, as functions of it."""
        tilt = np.arcsin(-r / l * np.sin(angle))
        rate = -r * np.cos(angle) / (l * np.cos(tilt))  # of the tilt, for a unit rate of the crank
        slider = r * np.cos(angle) + l * np.cos(tilt)
        speed = -r * np.sin(angle) - l * np.sin(tilt) * rate
        x = -r * np.sin(angle) - l / 2 * np.sin(tilt) * rate
        y = r * np.cos(angle) + l / 2 * np.cos(tilt) * rate
        inertia = m[0] * r**2 / 3 + m[1] * (x**2 + y**2 + (l * rate) ** 2 / 12) + m[2] * speed**2
        height = m[0] * r / 2 * np.sin(angle) + m[1] * (r * np.sin(angle) + l / 2 * np.sin(tilt))
        return slider, inertia, g * height - torque * angle

    def equation(y):
        h = 1e-3
        steps, weights = np.arange(-3, 4), np.array([-1, 9, -45, 0, 45, -9, 1]) / (60 * h)
        _, inertia, potential = terms(y[0] + h * steps)
        return [y[1], (-(weights @ inertia) * y[1] ** 2 / 2 - weights @ potential) / inertia[3]]

    times = [0.5, 1.7]
    y = moved(equation, [0.6, -2.0], times)
    rows = np.column_stack([times, y, terms(y[:, 0])[0]])
    case["reference"]["rows"] = rows.tolist()
    passes(case)
    case["reference"]["rows"][1][2] += 3e-6
    fails(case)


def test_spatial_slider_crank_in_other_axes():
    """Check the slider-crank with x, y, z called y, z, x, twice as large where twice as heavy."""
    case = case_of("iftomm-slidercrank3d")
    model, rows = case["model"], np.array(case["reference"]["rows"])
    for part, keys in {"crank": ("A", "length", "com"), "conrod": ("length",)}.items():
        for key in keys:
            model[part][key] = (2.0 * np.array(model[part][key])).tolist()
    model["slider"]["x0"] *= 2.0
    model["crank"]["A"] = (NEXT @ model["crank"]["A"]).tolist()
    model["crank"]["I_com"] = (4.0 * NEXT @ model["crank"]["I_com"]).tolist()
    model["crank"] |= {"axis": "y", "initial": "points along +x"}
    model["conrod"] |= {"I_axial": 0.0016, "I_transverse": 0.016, "com": 0.3}
    model["slider"]["motion"] = "along y, x=z=0, no rotation"
    model["joints"] = (
        model["joints"]
        .replace("about x", "about y")
        .replace("slider x", "slider y")
        .replace("(0,2,-1)/sqrt5", "(-1,0,2)/sqrt5")
    )
    model["g"] = [-2 * 9.81, 0.0, 0.0]
    case["reference"]["columns"] = "t, crank angle, crank speed, slider y, slider ydot"
    case["reference"]["rows"] = (rows * [1, 1, 1, 2, 2])[:3].tolist()
    passes(case)
    model["joints"] = model["joints"].replace("(-1,0,2)", "(1,0,2)")
    fails(case)


@pytest.mark.parametrize(
    "id",
    [
        "adams-revolute_case02", "adams-rotspring_case01", "adams-distance_case02",
        "adams-revspherical_case01",
    ],
)  # fmt: skip
def test_bodies_in_a_turned_world(id):
    """Check that places, frames and gravity are read: all turned, all vectors turn."""
    case = case_of(id)
    turn = np.array([0.7, 0.5, -0.1, 0.5])
    Q = quaternion_to_matrix(turn / np.linalg.norm(turn))
    model = case["model"]
    for key in ("g", "joint_point", "ground_point", "body_point", "spherical_point", "com"):
        if key in model:
            model[key] = (Q @ model[key]).tolist()
    if "frame" in model:
        angle = float(model["frame"].removeprefix("R=Rx(").removesuffix(" deg)")) * np.pi / 360
        own = quaternion_product(turn, np.array([np.cos(angle), np.sin(angle), 0.0, 0.0]))
        model["frame"] = own.tolist()
    else:
        model["R0"] = turn.tolist()
    if "revolute_axis" in model:
        model["revolute_axis"] = (3.0 * Q @ model["revolute_axis"]).tolist()
    samples = case["reference"]["samples"]
    for sample in samples:
        for key in ("Pos", "Vel", "Acc", "Avel", "Rforce", "Rtorque"):
            if key in sample:
                sample[key] = (Q @ sample[key]).tolist()
    case["tolerance"] = {"pos": 1e-8}
    passes(case)
    samples[0]["Rforce"][1] += 1e-5
    fails(case)


def test_words_that_are_not_understood_are_to_do():
    """Check that nothing in a description is guessed."""
    for id, changes in {
        "adams-revolute_case02": [
            {"initial": "spinning"}, {"frame": "R=Rq(2 deg)"}, {"body": "a ball"}, {"axis": "R*w"},
        ],
        "adams-rotspring_case01": [{"spring": "tau=-angle**3"}],
        "slidercrank2d-a": [{"rods": "thick"}],
        "iftomm-slidercrank3d": [{"joints": "many"}, {"initial": "fast"}],
        "iftomm-a02-n2": [{"links": "rods"}, {"initial": "at rest"}, {"g": [1, 0]}],
    }.items():  # fmt: skip
        for change in changes:
            case = case_of(id)
            case["model"] |= change
            assert outcome_of(case)[0] == "TODO", change
    case = case_of("slidercrank2d-a")
    case["reference"]["columns"] = "t, theta, theta_dot, rod angle"
    assert outcome_of(case) == ("TODO", "column 'rod angle': not understood")


def test_top_on_another_place():
    """Check a top turned about the vertical by 90 degrees, on a point off the origin."""
    case = case_of("heavytop")
    model, reference = case["model"], case["reference"]
    point, turn = np.array([0.3, -0.2, 1.0]), np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])
    model |= {"R0": "Rz(90 deg)", "fixed_point": point.tolist()}
    for sample in reference["samples"].values():
        sample["quat_wxyz"] = quaternion_product(turn, np.array(sample["quat_wxyz"])).tolist()
        x, y, z = sample["com"]
        sample["com"] = (point + np.array([-y, x, z])).tolist()
    reference["energy"] += model["mass"] * 9.81 * point[2]
    passes(case)


def test_loads_on_a_four_bar():
    """Check loads in place of weight, and couples in place of the drive."""
    case = case_of("P06", "planar_manipulator.json")
    bar = case["given"]["fourbar"]
    bar["loads_at_com"] = [[0.0, -m * 4.81, 0.0] for m in bar["mass"]]
    bar["gravity"] = [0.0, -5.0]
    for row in case["expect"]:
        del row["mechanical_energy"]  # of the weight alone
    passes(case)
    case["given"]["M_d"] = 0.5
    fails(case)
    bar["loads_at_com"][0][2] = -0.5
    passes(case)
