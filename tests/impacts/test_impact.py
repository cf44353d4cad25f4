"""Impacts of systems: against Pinocchio, verified scenes of two systems, and by hand."""

import json
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy.linalg import block_diag

import poinsot as ps
from poinsot.spatial import quaternion_to_matrix
from tests.closed.random_closed import assume_well_posed, closed_cases
from tests.oracles.pinocchio_model import PinocchioOracle, pin
from tests.random_examples import examples
from tests.strategies import cases

SCENES = Path(__file__).parents[1] / "data" / "screw_impact.json"


def plane_through(system, q, v, body, point, normal, name):
    """Return a constraint that is closed at q and closes with v, and its row by the Jacobian."""
    row = normal @ system.jacobian(body, q, point, axes="world")[:3]
    if row @ v > 0.0:
        row, normal = -row, -normal
    R, p = np.split(system.pose(body, q)[:3], [3], axis=1)
    x, y, z = normal.tolist()
    d = float(normal @ (R @ point + p[:, 0]))
    return ps.PointOnSurface(name, (body, point), f"({x!r})*x+({y!r})*y+({z!r})*z-({d!r})"), row


@given(cases(max_bodies=4, passive=False))
@settings(max_examples=examples(5))
def test_one_contact_agrees_with_pinocchio(case):
    """A point of a tree that hits a plane."""
    system, q, v = ps.System.from_mechanism(case.mechanism), case.q, case.v
    body, normal = system.body_names[case.body()], case.rng.normal(size=3)
    point, normal = case.point(), normal / np.linalg.norm(normal)
    assume(np.abs(system.jacobian(body, q, point, axes="world")[:3] @ v).max() > 1e-3)
    plane, row = plane_through(system, q, v, body, point, normal, "plane")
    e = case.rng.uniform()
    hit = ps.impact(system, q, v, [ps.Contact(plane, e)])
    oracle = PinocchioOracle(case.mechanism)
    after = pin.impulseDynamics(
        oracle.model, oracle.model.createData(), oracle.q(q), oracle.v(v),
        oracle.v(row)[None, :], e, 0.0,
    )  # fmt: skip
    size = max(1.0, np.abs(after).max())
    assert np.allclose(hit.v, oracle.back(after), rtol=0, atol=1e-9 * size)
    M = system.mass_matrix(q)
    P = hit.impulses["plane"]
    assert P > 0.0
    assert hit.acted == ("plane",)
    assert np.allclose(M @ (hit.v - v), P * row, rtol=0, atol=1e-9 * max(1.0, abs(P)))
    assert np.isclose(hit.rates["plane"], -e * hit.rates_before["plane"], rtol=1e-9, atol=1e-10)
    lost = system.kinetic_energy(q, v) - system.kinetic_energy(q, hit.v)
    assert np.isclose(hit.energy_lost, lost, rtol=1e-9, atol=1e-9)
    assert lost >= -1e-9


@given(cases(max_bodies=4, passive=False))
@settings(max_examples=examples(5))
def test_sticking_agrees_with_pinocchio(case):
    """A point that is held from now on, by a loop that another system has."""
    tree, q, v = ps.System.from_mechanism(case.mechanism), case.q, case.v
    name, point = tree.body_names[case.body()], case.point()
    J = tree.jacobian(name, q, point, axes="world")[:3]
    # Pinocchio takes no rows that depend on each other
    assume(np.linalg.matrix_rank(J, tol=1e-3 * np.abs(J).max(initial=1.0)) == 3)
    place = tree.pose(name, q) @ [*point, 1.0]
    pin_down = ps.Loop("pin", ("world", ps.Pose(place[:3])), (name, ps.Pose(point)), ps.Spherical())
    held = ps.System(tree.name, tree.bodies, gravity=tree.gravity, loops=[pin_down])
    hit = ps.impact(held, q, v)
    oracle = PinocchioOracle(case.mechanism)
    after = pin.impulseDynamics(
        oracle.model, oracle.model.createData(), oracle.q(q), oracle.v(v),
        oracle.v(J.T).T, 0.0, 0.0,
    )  # fmt: skip
    assert np.allclose(hit.v, oracle.back(after), rtol=0, atol=1e-8 * max(1.0, np.abs(after).max()))
    impulse = np.array(list(hit.constraint_impulses.values()))
    assert tuple(hit.constraint_impulses) == held.row_names
    assert np.allclose(
        tree.mass_matrix(q) @ (hit.v - v), held.constraint_jacobian(q).T @ impulse,
        rtol=0, atol=1e-8 * max(1.0, np.abs(impulse).max()),
    )  # fmt: skip


@given(closed_cases(max_bodies=4, max_closures=1, passive=False))
@settings(max_examples=examples(5))
def test_closed_systems(case):
    """Loops hold after the impact, and their impulses belong to the equations."""
    assume_well_posed(case)
    system, q, v = ps.System.from_mechanism(case.mechanism), case.q, case.v
    body, normal = system.body_names[case.rng.integers(len(system.bodies))], np.eye(3)[2]
    plane, row = plane_through(system, q, v, body, case.rng.normal(size=3), normal, "plane")
    J = system.constraint_jacobian(q, t=case.t)
    free = row - np.linalg.lstsq(J.T, row, rcond=1e-9)[0] @ J
    assume(np.linalg.norm(free) > 1e-3 * np.linalg.norm(row))  # or the loops hold the point
    hit = ps.impact(system, q, v, [ps.Contact(plane, 0.4)], t=case.t)
    held = np.array(list(hit.constraint_impulses.values()))
    loads = J.T @ held + row * hit.impulses["plane"]
    size = max(1.0, np.abs(loads).max(), np.abs(hit.v).max())
    assert np.allclose(system.mass_matrix(q) @ (hit.v - v), loads, rtol=0, atol=1e-8 * size)
    assert np.abs(system.constraint_rate(q, hit.v, t=case.t)).max() < 1e-8 * size
    assert np.isclose(hit.rates["plane"], -0.4 * hit.rates_before["plane"], atol=1e-8 * size)


def body_of(one, system, base):
    joint, place = one["joint"], one["joint"]["placement"]
    kind = {"revolute": ps.Revolute, "prismatic": ps.Prismatic}[joint["type"]]
    pose = ps.Pose(place["translation"], quat=place["quaternion"])
    if one["parent"] == 0:
        turn = quaternion_to_matrix(base["orientation"] / np.linalg.norm(base["orientation"]))
        pose = ps.Pose(
            np.array(base["position"]) + turn @ pose.xyz, matrix=turn @ np.array(pose.matrix)
        )
    parent = f"{system} {one['parent']}" if one["parent"] else "world"
    return ps.Body(
        f"{system} {one['id']}", parent, kind(joint["axis"]), pose, mass=one["mass"],
        com=one["com"], inertia=one["inertia_com"],
    )  # fmt: skip


@pytest.mark.parametrize("id", ["P10", "P11", "P14", "P15"])
def test_two_systems(id):
    """Scenes on bases at rest that were verified in maximal coordinates."""
    listed = json.loads(SCENES.read_text(encoding="utf-8"))["cases"]
    case = next(one for one in listed if one["id"].startswith(id))
    scene, expected = case["scene"], case["expected"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.ModelWarning)  # inertias that no body has
        bodies = [
            body_of(one, k, scene[f"system{k}"]["base"])
            for k in (1, 2)
            for one in scene[f"system{k}"]["bodies"]
        ]
    system = ps.System(id, bodies)
    q, v = (np.array([*scene["state"][f"{x}1"], *scene["state"][f"{x}2"]]) for x in ("q", "qd"))
    contacts = []
    for k, one in enumerate(scene["contacts"]):
        first, second = (f"{i} {one[f'body{i}']}" for i in (1, 2))
        ends = [np.linalg.inv(system.pose(body, q)) for body in (first, second)]
        places = [(X @ [*one["point"], 1.0])[:3] for X in ends]
        normal = ends[0][:3, :3] @ one["normal"] / np.linalg.norm(one["normal"])
        x, y, z = normal.tolist()
        plane = ps.PointOnSurface(
            f"contact {k}", (second, places[1]), f"({x!r})*x+({y!r})*y+({z!r})*z",
            on=(first, ps.Pose(places[0])),
        )  # fmt: skip
        contacts.append(ps.Contact(plane, one["restitution"]))
    hit = ps.impact(system, q, v, contacts)
    assert np.allclose(system.mass_matrix(q), block_diag(expected["M1"], expected["M2"]))
    goal = expected["newton"]
    if goal["any_negative_impulse"]:
        goal = expected["complementarity"]
        assert hit.acted == ("contact 1",)
    limits = {"rtol": 1e-9, "atol": 1e-9}
    assert np.allclose(list(hit.rates_before.values()), expected["normal_velocity_pre"], **limits)
    assert np.allclose(hit.v, goal["qd_post"], **limits)
    assert np.allclose(list(hit.rates.values()), goal["normal_velocity_post"], **limits)
    assert np.allclose(list(hit.impulses.values()), goal["impulses"], **limits)
    assert np.isclose(hit.energy_lost, -goal["contact_work"], **limits)
    assert hit.unique is expected["newton"]["impulses_unique"]


def balls(*masses):
    """Return balls on a line, each of radius 0.1 m, and the contacts of neighbours."""
    bodies = [ps.Body(f"{k}", joint=ps.Prismatic("x"), mass=m) for k, m in enumerate(masses)]
    touch = [
        ps.Distance(f"{k}-{k + 1}", (f"{k}", (0, 0, 0)), (f"{k + 1}", (0, 0, 0)), 0.2)
        for k in range(len(masses) - 1)
    ]
    return ps.System("balls", bodies, gravity=(0, 0, 0)), touch


def test_balls_in_a_row():
    """Contacts of one instant act together; one that does not touch takes no part."""
    system, touch = balls(1.0, 1.0, 2.0)
    contacts = [ps.Contact(one, e) for one, e in zip(touch, (1.0, 0.5), strict=True)]
    apart = ps.impact(system, [0.0, 0.2, 0.5], [3.0, 0.0, 0.0], contacts)
    assert list(apart.impulses) == ["0-1"]
    assert np.allclose(apart.v, [0.0, 3.0, 0.0])
    together = ps.impact(system, [0.0, 0.2, 0.4], [3.0, 0.0, 0.0], contacts)
    # 0 leaves 1 with 3 m/s, and 1 stays with 2, which it did not approach: 3 = u + 3 w, w = u + 3
    assert np.allclose(together.v, [-1.5, 1.5, 1.5])
    assert np.allclose(list(together.impulses.values()), [4.5, 3.0])


def test_work_of_contacts_warns():
    """Newton's law lets elastic contacts gain energy where one of them was opening."""
    system, touch = balls(1.0, 1.0, 2.0)
    contacts = [ps.Contact(one, 1.0) for one in touch]
    with pytest.warns(
        ps.ModelWarning, match=r"'0-1', '1-2' do work of .* less restitution.*'poisson' does"
    ):
        hit = ps.impact(system, [0.0, 0.2, 0.4], [3.0, 0.0, 0.5], contacts)
    assert hit.energy_lost < 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ps.impact(system, [0.0, 0.2, 0.4], [3.0, 0.0, 0.0], contacts)


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: ps.Contact("floor", 0.5), ps.ArrayTypeError, "constraint.*got str"),
        (lambda: ps.Contact(balls(1, 1)[1][0], 1.5), ps.ModelError, "'0-1'.*from 0 to 1, got 1.5"),
        (lambda: ps.Contact(balls(1, 1)[1][0], "e"), ps.ModelError, "restitution must be real"),
    ],
)
def test_wrong_contacts_are_refused(make, error, words):
    with pytest.raises(error, match=words):
        make()


def test_wrong_impacts_are_refused():
    """Each message names the contact and what to do."""
    system, (touch,) = balls(1.0, 1.0)
    hit, v = ps.Contact(touch, 0.5), [1.0, 0.0]
    with pytest.raises(ps.ArrayTypeError, match=r"contacts=\[contact\]"):
        ps.impact(system, [0.0, 0.2], v, hit)
    with pytest.raises(
        ps.ArrayTypeError, match=r"must be a list of Contact, got distance .*; write ps\.Contact\("
    ):
        ps.impact(system, [0.0, 0.2], v, [touch])
    with pytest.raises(ps.ModelError, match=r"'0-1' overlaps, its gap is -0\.1"):
        ps.impact(system, [0.0, 0.1], v, [hit])
    with pytest.raises(ps.ShapeError, match=r"v must have shape \(2,\), got \(1,\)"):
        ps.impact(system, [0.0, 0.2], [1.0], [hit])
    with pytest.raises(ps.ModelError, match="q must be finite"):
        ps.impact(system, [0.0, np.nan], v, [hit])
    two = ps.FormulaConstraint("two", ["x", "x - 1"], {"x": "0"})
    with pytest.raises(ps.ModelError, match=r"contact 'two'.*one row.*got 2"):
        ps.impact(system, [0.0, 0.2], v, [ps.Contact(two, 0.5)])
    lost = ps.Contact(ps.Distance("a", ("elbow", (0, 0, 0)), ("1", (0, 0, 0)), 0.2), 0.5)
    with pytest.raises(ps.ModelError, match="'elbow'"):
        ps.impact(system, [0.0, 0.2], v, [lost])
    walls = [ps.FormulaConstraint(f"wall {k}", f, {"x": "0"}) for k, f in enumerate(("x", "-x"))]
    held = [ps.Contact(one, 1.0) for one in walls]
    with pytest.raises(ps.ModelError, match=r"'wall 0' \(restitution 1\), 'wall 1'"):
        ps.impact(system, [0.0, 0.5], v, held)
    drives = [ps.PrescribedMotion(f, "0", f) for f in ("2*t", "t")]
    fixed = ps.System("held", system.bodies, constraints=drives)
    with pytest.raises(ps.ModelError, match=r"obeys all constraints.*constraint_report"):
        ps.impact(fixed, [0.0, 0.5], v)


def test_an_impact_prints_as_a_table():
    ball = ps.System("ball", [ps.Body("ball", joint=ps.Translation(), mass=2.0)])
    floor = ps.Contact(ps.PointOnSurface("floor", ("ball", (0, 0, 0)), "z"), 0.5, friction=9.0)
    text = str(ps.impact(ball, [0, 0, 0], [1.0, 0, -3.0], [floor]))
    assert "floor                9" in text
    assert text.endswith("energy lost 7.75 J")  # m (1² + 3² - 1.5²) / 2
    assert "sticks" in text
    rests = str(ps.impact(ball, [0, 0, 0], [0, 0, 0], [floor]))
    assert "-0" not in rests
    away = str(ps.impact(ball, [0, 0, 1], [0, 0, -1.0], [floor]))
    assert away == "no contact touches\nenergy lost 0 J"


def test_redundant_contacts_are_named():
    """Four feet of a box, and a bumper on another body: rank, and what is known of impulses."""
    box = ps.Body("box", joint=ps.Free(), mass=2.0, inertia=(0.3, 0.4, 0.5))
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=1.5)
    system = ps.System("both", [box, cart])
    places = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    feet = [ps.Contact(ps.PointOnSurface(f"foot {k}", ("box", (x, y, 0)), "z"), 0.5)
            for k, (x, y) in enumerate(places)]  # fmt: skip
    bumper = ps.Contact(ps.PointOnSurface("bumper", ("cart", (0, 0, 0)), "-x"), 0.2)
    q, v = system.neutral(), [0, 0, -1.0, 0, 0, 0, 2.0]
    hit = ps.impact(system, q, v, [*feet, bumper])
    assert not hit.unique
    assert hit.rank == 4 == np.linalg.matrix_rank(hit.G)
    A = np.array([[0, 0, 1, y, -x, 0, 0] for x, y in places] + [[0, 0, 0, 0, 0, 0, -1]])
    np.testing.assert_allclose(hit.G, A @ np.linalg.solve(system.mass_matrix(q), A.T), atol=1e-12)
    assert hit.undetermined == tuple(foot.name for foot in feet)
    P = np.array(list(hit.impulses.values()))
    other = P + np.array([1.0, -1.0, 1.0, -1.0, 0.0])  # these do the same
    np.testing.assert_allclose(A.T @ other, A.T @ P, atol=1e-12)
    np.testing.assert_allclose(hit.determined_sums @ other, hit.determined_sums @ P, atol=1e-12)
    assert np.isclose(hit.impulses["bumper"], 1.5 * 1.2 * 2.0)
    assert "rank 4 of 5: impulses of 'foot 0', 'foot 1', 'foot 2', 'foot 3' are not" in str(hit)
    alone = ps.impact(system, q, v, [feet[0], bumper])
    assert alone.unique
    assert alone.undetermined == ()
    assert "rank" not in str(alone)
