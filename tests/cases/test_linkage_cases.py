"""Cases of linkages with other numbers, known by other means."""

import copy
import json
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from tests.cases import kin_platform
from tests.cases.kin_platform import platform
from tests.cases.runner import outcome_of

FILE = Path(__file__).parents[1] / "data" / "benchmarks.json"


def case_of(id):
    cases = json.loads(FILE.read_text(encoding="utf-8"))["cases"]
    return copy.deepcopy(next(case for case in cases if case["id"] == id))


def passes(case):
    outcome, text = outcome_of(case)
    assert outcome == "PASS", text


def crossing(A, a, B, b, side):
    d = abs(B - A)
    x = (d**2 + a**2 - b**2) / (2 * d)
    return A + (B - A) / d * complex(x, side * np.sqrt(a**2 - x**2))


def test_other_textbook_four_bar():
    """Check another four-bar whose rates come from two linear equations in the plane."""
    case = case_of("kin-norton-fourbar")
    of = {"ground": 6, "crank": 2, "coupler": 7, "rocker": 9, "theta2_deg": 30}
    of |= {"omega2": 10, "alpha2": -4}
    case["model"] = {"fourbar": of}
    case["reference"] = {}
    u2 = np.exp(1j * np.radians(30))
    for name, side in (("open", 1), ("crossed", -1)):
        B = crossing(2 * u2, 7, 6, 9, side)
        u3, u4 = (B - 2 * u2) / 7, (B - 6) / 9
        A = np.array([[(7j * u3).real, -(9j * u4).real], [(7j * u3).imag, -(9j * u4).imag]])
        right = -2j * 10 * u2
        w = np.linalg.solve(A, [right.real, right.imag])
        right = 2 * 100 * u2 + 2j * 4 * u2 + 7 * w[0] ** 2 * u3 - 9 * w[1] ** 2 * u4
        al = np.linalg.solve(A, [right.real, right.imag])
        case["reference"][name] = {
            "theta3_deg": str(np.degrees(np.angle(u3))),
            "theta4_deg": str(np.degrees(np.angle(u4))),
            "w3": w[0], "w4": str(w[1]), "al3": al[0], "al4": al[1],
        }  # fmt: skip
    passes(case)
    case["reference"]["open"]["w4"] = str(float(case["reference"]["open"]["w4"]) + 1e-6)
    assert outcome_of(case)[0] == "FAIL"


def test_printed_numbers_may_be_rounded():
    """Check that a book's number may be off by a unit of its second decimal and no more."""
    case = case_of("kin-norton-fourbar")
    case["reference"]["book"]["w4"] += 0.009
    passes(case)
    case["reference"]["book"]["w4"] += 0.009
    assert outcome_of(case)[0] == "FAIL"
    case["tolerance"]["book_digits"] = "roughly"
    assert outcome_of(case) == ("TODO", "book digits 'roughly': not understood")


def test_other_jansen():
    """Check a leg of other size and another angle, by crossing circles; wrong points are found."""
    case = case_of("kin-jansen")
    of = {key: 0.03 * value for key, value in case["model"]["lengths"].items()}
    case["model"]["lengths"] = of

    def points(s):
        A, B = of["m"] * np.exp(1j * s), complex(-of["a"], -of["l"])
        C = crossing(A, of["j"], B, of["b"], -1)
        D = crossing(B, of["d"], C, of["e"], 1)
        E = crossing(A, of["k"], B, of["c"], 1)
        F = crossing(D, of["f"], E, of["g"], -1)
        G = crossing(E, of["i"], F, of["h"], 1)
        return dict(zip("ABCDEFG", (A, B, C, D, E, F, G), strict=True))

    rate = (points(2.5 + 1e-5)["G"] - points(2.5 - 1e-5)["G"]) / 2e-5
    places = {name: [p.real, p.imag] for name, p in points(2.5).items()}
    case["reference"] = {"2.5": {"points": places, "dG_dtheta": [rate.real, rate.imag]}}
    passes(case)
    case["reference"]["2.5"]["points"]["F"][1] += 1e-6
    assert outcome_of(case)[0] == "FAIL"


def moved_platform():
    """Return Dietmaier's platform with its base turned and shifted, and its poses with it."""
    case = case_of("kin-dietmaier-sgp")
    turn, shift = Rotation.from_euler("xyz", [0.4, -0.3, 0.8]), np.array([0.2, -0.1, 0.3])
    model, reference = case["model"], case["reference"]
    model["base"] = (turn.apply(model["base"]) + shift).tolist()
    some = np.array(reference["some"])
    quaternions = (turn * Rotation.from_quat(some[:, [1, 2, 3, 0]])).as_quat()[:, [3, 0, 1, 2]]
    places = turn.apply(some[:, 4:]) + shift
    reference["some"] = np.column_stack([quaternions, places]).tolist()
    return case


def test_other_platform(monkeypatch):
    """Check moved poses, found without a guess, and that no false poses are counted."""
    monkeypatch.setattr(kin_platform, "STARTS", 60)
    monkeypatch.delattr("poinsot.front.assembly.Assembly.assemble")
    case = moved_platform()
    found = platform(case)
    assert 20 < found["number_of_real_poses"] <= 40
    del case["reference"]["number_of_real_poses"]
    passes(case)
    case["reference"]["some"][0][5] += 1e-6
    assert outcome_of(case)[0] == "FAIL"


def test_other_squeezer():
    """Check a squeezer twice as large and three times as heavy: slower by a factor, and alike.

    Lengths L, masses m, times t and forces f scale so that f = m L / t².
    """
    case = case_of("andrews-t003")
    size, mass, time = 2.0, 3.0, 5.0
    of, reference = case["model"]["parameters"], case["reference"]
    force = mass * size / time**2
    factors = {"m": mass, "I_com": mass * size**2, "c0": force / size, "torque": force * size}
    for key in of:
        of[key] = (np.array(of[key]) * factors.get(key, size)).tolist()
    case["model"]["t_end"] *= time
    for name, rows in (("initial", "initial"), ("refined_t015", "refined_t003")):
        found = {key: np.array(value, float) for key, value in reference.pop(rows).items()}
        for key, factor in (("qd", 1 / time), ("qdd", 1 / time**2), ("lam", force)):
            if key in found:
                found[key] = (found[key] * factor).tolist()
        reference[name] = {key: np.array(value).tolist() for key, value in found.items()}
    passes(case)
    reference["initial"]["lam"][0] *= 1 + 1e-6
    assert outcome_of(case)[0] == "FAIL"


@pytest.mark.parametrize("n", [2, 4])
def test_ladder_at_its_start(n):
    """Check mobility, energy and the acceleration of B0 by hand."""
    case = case_of("iftomm-a02-n2")
    case["model"] |= {"N": n, "link_length": 0.5, "link_mass": 3.0}
    # T = (rods) m v² (1/6) + (levels) m v² / 2, V = m g (h / 2, h); at the top nothing speeds it up
    kinetic = 3.0 * ((n + 1) / 6 + n / 2)
    potential = 3.0 * 9.81 * ((n + 1) * 0.25 + n * 0.5)
    case["reference"] = {
        "columns": "t, x_B0, y_B0, vx_B0, vy_B0",
        "exact": [[0.0, 0.0, 0.5, 1.0, 0.0]],
        "mobility": 1,
        "energy": kinetic + potential,
        "acceleration_B0": [0.0, -2.0],
    }
    passes(case)
    case["model"]["initial"] = "at rest"
    assert outcome_of(case) == ("TODO", "initial state 'at rest': not understood")


def test_linkages_of_later_are_to_do():
    """Check that other kinematics are not taken for known ones."""
    case = case_of("kin-jansen")
    case["model"] = {"links": 5}
    assert outcome_of(case) == ("TODO", "kinematics of this linkage: not supported yet")
