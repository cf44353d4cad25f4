"""The four-link chain and the tree of the cases on Zaremba 1990: A, b, Q, f_g, f_e, each method.

Conventions of the file: C = C1(theta1) C2(theta2) C3(theta3); n = 1..3 slides along axis n of the
link, n = 4..6 turns about axis n - 3; A q'' + b = Q; f_g and f_e are the generalised forces of
gravity and of the external wrenches.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import poinsot as ps
from poinsot.spatial import axis_angle

FILE = Path(__file__).parents[1] / "data" / "planar_manipulator.json"
CASES = {case["id"]: case for case in json.loads(FILE.read_text())["cases"]}


def link_body(number, link):
    """Return the body of a link of the file."""
    axis = (link["n"] - 1) % 3
    slides = link["n"] <= 3
    theta, origin = np.array(link["theta"]), np.array(link["O"])
    if slides:
        origin[axis] = 0.0
    else:
        theta[axis] = 0.0
    C = np.eye(3)
    for direction, angle in zip(np.eye(3), theta, strict=True):
        C = C @ axis_angle(direction, angle)
    joint = (ps.Prismatic if slides else ps.Revolute)("xyz"[axis])
    return ps.Body(
        f"link {number}",
        f"link {link['parent']}" if link["parent"] else "world",
        joint,
        ps.Pose(C @ origin if slides else origin, matrix=C),
        link["mass"],
        link["rc"],
        link["inertia_com"],
    )


def built(case):
    """Return system, q, v, a and wrenches of a case."""
    given = case["given"]
    bodies = [link_body(k, link) for k, link in enumerate(given["chain"]["links"], start=1)]
    system = ps.System(case["title"], bodies, gravity=given["chain"]["gravity"])
    wrenches = {f"link {k}": w for k, w in given["external_wrench_link_axes"].items()}
    return system, np.array(given["q"]), np.array(given["qd"]), np.array(given["qdd"]), wrenches


def assert_given(x, case, key):
    """Compare with the file: relative 1e-9, absolute 1e-11."""
    y = np.array(case["expect"][key])
    assert np.max(np.abs(x - y)) <= 1e-11 + 1e-9 * np.max(np.abs(y))


@pytest.mark.filterwarnings("ignore::poinsot.ModelWarning")  # inertias of the file are made up
@pytest.mark.parametrize("method", ["recursive", "screw_matrix", "kane", "newton_euler"])
@pytest.mark.parametrize("name", ["P15", "P21"])
def test_coefficients_are_those_of_the_file(name, method):
    """Check A, b, Q, f_g and f_e of a case in one formulation."""
    case = CASES[name]
    system, q, v, a, wrenches = built(case)
    assert_given(system.mass_matrix(q, method=method), case, "A")
    assert_given(system.bias(q, v, wrenches=wrenches, method=method), case, "b")
    tau = system.inverse_dynamics(q, v, a, wrenches=wrenches, method=method)
    assert_given(tau, case, "Q")
    back = system.forward_dynamics(q, v, case["expect"]["Q"], wrenches=wrenches, method=method)
    np.testing.assert_allclose(back, a, rtol=1e-8, atol=1e-9)
    still = 0 * v
    free = ps.System("weightless", system.bodies, gravity=(0, 0, 0))
    weight = system.bias(q, still, method=method) - free.bias(q, still, method=method)
    assert_given(-weight, case, "f_g")
    assert_given(-free.bias(q, still, wrenches=wrenches, method=method), case, "f_e")
