"""Two profiles in touch: against circles, elliptical gears, involutes and differences."""

import numpy as np
import pytest

import poinsot as ps

DISC = {"m": 1.0, "J": 0.002}


def levers(touch, lever=None, cam=0.5):
    """Return a cam and a lever with pins on the ground, 0.15 m apart, that touch."""
    bodies = {"cam": {**DISC, "c": (0.01, 0)}, "lever": {**DISC, "c": (0, 0.05)}}
    if lever is not None:
        bodies["cam"]["pose"], bodies["lever"]["pose"] = (0, 0, cam), (0.15, 0, lever)
    joints = [
        {"id": "O", "a": "ground", "b": "cam"},
        {"id": "L", "a": "ground", "pa": (0.15, 0), "b": "lever"},
        {"id": "k", "a": "cam", "b": "lever", **touch},
    ]
    return ps.planar(bodies, joints, ["O"], gravity=(0, -9.81))


CIRCLES = {"type": "circles", "pa": (0.01, 0), "pb": (0, 0.08), "radii": (0.1, 0.06)}
ROUND = {"type": "profiles", "pa": (0.01, 0), "pb": (0, 0.08), "profile_a": "0.1"}
DISCS = {
    "formulas": ROUND | {"profile_b": "0.06"},
    "eccentric": ROUND | {
        "pa": (0, 0), "profile_a": "0.01*cos(phi) + sqrt(0.1**2 - (0.01*sin(phi))**2)",
        "profile_b": "0.06",
    },
    "curve": {key: x for key, x in ROUND.items() if key != "profile_a"}
    | {"curve_a": "(x**2 + y**2)/0.01 - 1", "ua": 0.4, "profile_b": "0.06"},
}  # fmt: skip


@pytest.mark.parametrize("name", DISCS)
def test_round_profiles_are_circles(name):
    """Check motions, forces and a run against the bar between the centres, in closed form."""
    bar = levers(CIRCLES)
    pose = float(bar.positions([0.5])["lever"][2])
    contact = levers(DISCS[name], pose + 0.04)  # as it is drawn, they overlap a little
    assert contact.positions(contact.drawn)["lever"][2] == pytest.approx(pose, abs=1e-13)
    q = 0.5 + np.linspace(0, 6, 15)[:, None]
    v, a = np.full_like(q, 3.0), np.full_like(q, 1.5)
    rates, expected = contact.velocities(q, v)["lever"], bar.velocities(q, v)["lever"]
    assert np.allclose(rates, expected, rtol=0, atol=1e-12)
    bends, expected = contact.accelerations(q, v, a)["lever"], bar.accelerations(q, v, a)["lever"]
    assert np.allclose(bends, expected, rtol=0, atol=1e-10)
    force, axial = contact.reactions(q, v, a), bar.reactions(q, v, a)
    assert force.keys() == {"O", "L", "k"}
    angle = bar.positions(q)["k link"][:, 2]
    pushing = axial["k"][:, 0] * np.cos(angle) + axial["k"][:, 1] * np.sin(angle)
    assert np.allclose(force["k"][:, 0], pushing, rtol=0, atol=1e-12)
    assert np.allclose(force["L"], axial["L"], rtol=0, atol=1e-12)
    if name == "formulas":
        runs = [x.simulate([0.5], [5.0], 0.1, rtol=1e-10, save=0.02) for x in (contact, bar)]
        assert np.allclose(runs[0].q, runs[1].q, rtol=0, atol=1e-9)
        turn = contact.turn(start=0.5, positions=60)
        assert any(point.kind == "lift-off" and "lever leaves cam" in point.text
                   for point in turn.points)  # fmt: skip
        assert ps.verify(contact).ok
        text = str(contact.equations)
        assert "k along a: (cos(φ_k contact - φ_cam), sin(φ_k contact - φ_cam)) · ∇S_k(" in text
        assert r"\cdot \nabla" in contact.equations.latex()


def test_ellipses_about_their_foci_roll_on_each_other():
    """Check tan(φ_b/2) = -(1 - e)/(1 + e) tan(φ_a/2) of elliptical gears [Litvin2004, ch. 12]."""
    e, major = 0.3, 0.1
    radius = f"{major * (1 - e * e)}/(1 + {e}*cos(phi))"  # about a focus, least at 0
    ratio = (1 - e) / (1 + e)
    bodies = {"a": {**DISC, "pose": (0, 0, 1.0)}, "b": {**DISC, "pose": (2 * major, 0, -0.6)}}
    joints = [{"id": "A", "a": "ground", "b": "a"},
              {"id": "B", "a": "ground", "pa": (2 * major, 0), "b": "b"},
              {"id": "k", "type": "profiles", "a": "a", "b": "b", "profile_a": radius,
               "profile_b": radius}]  # fmt: skip
    ellipses = ps.planar(bodies, joints, ["A"])
    q = np.linspace(0.7, 2.4, 8)[:, None]
    half = q[:, 0] / 2
    turned = ellipses.positions(q)["b"][:, 2]
    assert np.allclose(turned, -2 * np.arctan(ratio * np.tan(half)), rtol=0, atol=1e-12)
    rates = ellipses.velocities(q, np.ones_like(q))["b"][:, 2]
    slope = -ratio / (np.cos(half) ** 2 + (ratio * np.sin(half)) ** 2)
    assert np.allclose(rates, slope, rtol=0, atol=1e-11)


def involute(radius, sign):
    """Return g of the involute of a base circle that begins at (radius, 0)."""
    s = f"sqrt((x**2 + y**2)/{radius}**2 - 1)"
    return f"{sign}*atan2(y, x) - ({s} - atan2({s}, 1.0))"


def test_involutes_have_a_constant_ratio():
    """Check teeth of base circles of 3 and 5 cm: rates as radii, no acceleration of the other."""
    first, second, apart = 0.03, 0.05, 0.09
    # The line of action touches both base circles: the pitch point divides it as the radii.
    alpha = np.arccos((first + second) / apart)
    middle = first * apart / (first + second)
    along = np.sqrt(middle**2 - first**2)  # from the base circle to the pitch point
    rolled_a = along / first
    rolled_b = np.sqrt((apart - middle) ** 2 - second**2) / second
    pose_a = -(rolled_a - np.arctan(rolled_a))
    pose_b = np.pi - (rolled_b - np.arctan(rolled_b))
    bodies = {"a": {**DISC, "pose": (0, 0, pose_a)}, "b": {**DISC, "pose": (apart, 0, pose_b)}}
    joints = [
        {"id": "A", "a": "ground", "b": "a"},
        {"id": "B", "a": "ground", "pa": (apart, 0), "b": "b"},
        {"id": "k", "type": "profiles", "a": "a", "b": "b", "curve_a": involute(first, 1),
         "curve_b": involute(second, 1), "at": (middle, 0.0)},
    ]  # fmt: skip
    teeth = ps.planar(bodies, joints, ["A"])
    q = pose_a + np.linspace(-0.1, 0.1, 5)[:, None]
    v = np.full_like(q, 7.0)
    moved = teeth.positions(q)["b"][:, 2]
    assert np.allclose(moved, pose_b - (q[:, 0] - pose_a) * first / second, rtol=0, atol=1e-12)
    assert np.allclose(teeth.velocities(q, v)["b"][:, 2], -7.0 * 0.6, rtol=0, atol=1e-10)
    assert np.allclose(teeth.accelerations(q, v, 0 * v)["b"][:, 2], 0.0, rtol=0, atol=1e-8)
    force = teeth.reactions(q, v, 0 * v, loads={"b": (0, 0, 1.0)})
    assert np.allclose(np.abs(force["k"]), 1.0 / second, rtol=1e-10)  # along the line of action
    assert np.allclose(np.abs(force["B"][:, 0]), np.sin(alpha) / second, rtol=1e-9)


def test_moving_profiles_by_differences():
    """Check accelerations of an egg and a lobed cam, a table among them, by differences."""
    phi = np.linspace(0, 2 * np.pi, 41)[:-1]
    table = {"angles": phi.tolist(), "values": (0.06 + 0.004 * np.cos(phi - 0.3)).tolist()}
    egg = ROUND | {"profile_a": "0.1 + 0.005*cos(2*phi)", "profile_b": table}
    contact = levers(egg, float(levers(CIRCLES).positions([0.5])["lever"][2]))
    h, v = 1e-5, np.array([2.0])
    for x in (0.6, 1.9):
        q = np.array([x])
        steps = [contact.velocities(q + s * h * v, v)["lever"][2] for s in (1, -1)]
        bend = contact.accelerations(q, v, 0 * v)["lever"][2]
        assert bend == pytest.approx((steps[0] - steps[1]) / (2 * h), abs=1e-6)
        angles = [contact.positions(q + s * h * v)["lever"][2] for s in (1, -1)]
        rate = contact.velocities(q, v)["lever"][2]
        assert rate == pytest.approx((angles[0] - angles[1]) / (2 * h), abs=1e-8)


def test_mistakes_are_named():
    """Check profiles that do not touch, overlap or are hollow, and keys."""

    def refused(match, touch, lever=-3.2095):
        with pytest.raises(ps.ModelError, match=match):
            levers(touch, lever)

    both = DISCS["formulas"]
    refused(r"'cam' and 'lever' do not touch in the drawing, the gap is .* m", both, -1.5)
    hollow = both | {"profile_a": "0.1 + 0.02*cos(4*phi)"}
    refused("'cam' is hollow, with a radius of .*touch in two places", hollow)
    no_b = {key: x for key, x in both.items() if key != "profile_b"}
    refused("give profile_b, the radius over phi, or curve_b", no_b)
    lines = no_b | {"curve_b": "x - y", "curve_a": "x + y"}
    del lines["profile_a"]
    refused('say where the curves touch in the drawing, roughly: "at"', lines)
    refused("there is no key 'profile'", both | {"profile": "0.1"})
    refused("both profiles are on 'cam'", both | {"b": "cam"})
    with pytest.raises(ps.ModelError, match='give each body a "pose"'):
        levers(both).positions([0.5])
    with pytest.raises(ps.ModelError, match="has no contact of two profiles"):
        levers(both, -3.2095).system()
