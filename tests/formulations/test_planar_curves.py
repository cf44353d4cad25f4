"""Points on curves and circles in touch: closed forms, bars, closed systems, forces, pictures."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.formulations.composable.plane import point_at, rotated, wedge
from tests.formulations.test_planar_cams import LEVER, cam
from tests.random_examples import examples

HEAVY = {"m": 0.7, "J": 0.02, "c": (0.1, 0.02)}


def four_bar(third, extra=(), *, gravity=(0.0, -9.81)):
    """Return crank and rocker with something between their ends, and where it is drawn."""
    pose = {"crank": (0, 0, 1.0), "rocker": (0.9, 0.0, 2.0)}
    bodies = {
        "crank": {"m": 1.0, "J": 0.03, "c": (0.1, 0.0), "pose": pose["crank"]},
        "rocker": {"m": 0.8, "J": 0.05, "c": (0.2, 0.1), "pose": pose["rocker"]},
        **dict(extra),
    }
    joints = [
        {"id": "A", "a": "ground", "b": "crank"},
        {"id": "D", "a": "ground", "pa": (0.9, 0.0), "b": "rocker"},
        *third,
    ]
    return ps.planar(bodies, joints, ["A"], gravity=gravity)


PLACES = {"pa": (0.3, 0.0), "pb": (0.5, 0.0)}
"""Of the moving centres on crank and rocker."""


def centre_distance():
    ends = [
        point_at(np.array(pose), np.array(p))
        for pose, p in (((0, 0, 1.0), PLACES["pa"]), ((0.9, 0.0, 2.0), PLACES["pb"]))
    ]
    return float(np.hypot(*(ends[1] - ends[0]))), ends


def test_a_pin_in_a_circular_slot_is_a_bar_of_its_radius():
    """Check motions, forces and dynamics of a circle as a curve, and of circles, by a four-bar."""
    R, ends = centre_distance()
    angle = float(np.arctan2(*(ends[1] - ends[0])[::-1]))
    bar = four_bar(
        [
            {"id": "B", "a": "crank", "pa": PLACES["pa"], "b": "rod"},
            {"id": "C", "a": "rod", "pa": (R, 0), "b": "rocker", "pb": PLACES["pb"]},
        ],
        {"rod": {"pose": (*ends[0], angle)}},
    )
    ends = {"id": "k", "a": "crank", "b": "rocker", **PLACES}
    square = four_bar([ends | {"type": "curve", "ua": 0.3, "curve": f"x**2 + y**2 - {R!r}**2"}])
    round_ = four_bar([ends | {"type": "curve", "profile": f"{R!r} + 0*phi"}])
    outer = four_bar([ends | {"type": "circles", "radii": (R - 0.1, 0.1)}])
    inner = four_bar([ends | {"type": "circles", "radii": (0.2, R + 0.2), "internal": True}])
    assert [unit.form for unit in square.units] == ["R", "RH"]
    q = np.linspace(0.7, 1.4, 6)[:, None]
    v, a = 3.0 + q, q - 5.0
    loads = {"rocker": (2.0, -7.0, 1.5)}
    force = bar.reactions(q, v, a, loads=loads)["B"]
    poses = bar.positions(q)["rod"]
    along = np.stack([np.cos(poses[:, 2]), np.sin(poses[:, 2])], axis=-1)
    for other in (square, round_, outer, inner):
        for method, inputs in (("positions", (q,)), ("velocities", (q, v)),
                              ("accelerations", (q, v, a))):  # fmt: skip
            expected, found = (getattr(m, method)(*inputs)["rocker"] for m in (bar, other))
            assert np.allclose(found, expected, rtol=1e-10, atol=1e-11)
        for method in ("inverse_dynamics", "forward_dynamics"):
            expected, found = (getattr(m, method)(q, v, a, loads=loads) for m in (bar, other))
            assert np.allclose(found, expected, rtol=1e-9)
        assert np.allclose(other.mass_matrix(q), bar.mass_matrix(q), rtol=1e-10)
        got = other.reactions(q, v, a, loads=loads)
        assert np.allclose(got["D"], bar.reactions(q, v, a, loads=loads)["D"], rtol=1e-9)
        pushed = got["k"] if other in (outer, inner) else got["k"] * along
        assert np.allclose(pushed, force, rtol=1e-9)
    run = outer.simulate([1.0], [2.0], 0.2, rtol=1e-9)
    assert np.allclose(run.q, bar.simulate([1.0], [2.0], 0.2, rtol=1e-9).q, atol=1e-8)


def ellipse_trammel(a=0.3, b=0.2):
    """Return a rod of length a + b on two slides, its inner point on an ellipse of the ground.

    Its end on the x axis is guided by a slide, the other by the curve, which it cannot leave.
    """
    t = 0.6
    bodies = {
        "block": {"m": 0.5, "pose": ((a + b) * np.cos(t), 0.0, 0.0)},
        "rod": HEAVY | {"pose": ((a + b) * np.cos(t), 0.0, np.pi - t)},
    }
    joints = [
        {"id": "S", "type": "P", "a": "ground", "b": "block"},
        {"id": "B", "a": "block", "b": "rod"},
        {"id": "k", "type": "curve", "a": "ground", "b": "rod", "pb": (b, 0.0),
         "curve": f"(x/{a})**2 + (y/{b})**2 - 1"},
    ]  # fmt: skip
    return ps.planar(bodies, joints, ["S"], gravity=(0.0, -9.81))


def test_the_elliptic_trammel_turned_round():
    """Check that a rod whose point is kept on the ellipse keeps its end on the other axis."""
    a, b = 0.3, 0.2
    mechanism = ellipse_trammel(a, b)
    t = np.linspace(0.3, 1.3, 9)
    q = (a + b) * np.cos(t)[:, None]
    rate, second = 2.0, -3.0  # of t
    v = -(a + b) * np.sin(t)[:, None] * rate
    acc = -(a + b) * (np.cos(t) * rate**2 + np.sin(t) * second)[:, None]
    assert np.allclose(mechanism.positions(q)["rod"][:, 2], np.pi - t, atol=1e-11)
    assert np.allclose(mechanism.velocities(q, v)["rod"][:, 2], -rate, rtol=1e-10)
    assert np.allclose(mechanism.accelerations(q, v, acc)["rod"][:, 2], -second, rtol=1e-9)
    force = mechanism.inverse_dynamics(q, v, acc)
    bodies = {"block": {"m": 0.5}, "rod": HEAVY, "upper": {}}
    joints = [
        {"id": "S", "type": "P", "a": "ground", "b": "block"},
        {"id": "B", "a": "block", "b": "rod"},
        {"id": "C", "a": "rod", "pa": (a + b, 0), "b": "upper"},
        {"id": "T", "type": "P", "a": "ground", "b": "upper", "ua": np.pi / 2},
    ]
    slides = ps.planar(bodies, joints, ["S"], gravity=(0.0, -9.81))
    modes = next(m for m in slides.assemblies(q[0])
                 if slides.with_modes(**m).positions(q[0])["upper"][1] > 0)  # fmt: skip
    assert np.allclose(slides.with_modes(**modes).inverse_dynamics(q, v, acc), force, rtol=1e-8)


CURVES = {
    "parabola": {"curve": "y + 0.4 - 0.8*x**2"},
    "wave": {"curve": "0.1*sin(4*x) - 0.35 - y*sqrt(1 + x**2)"},
    "egg": {"profile": "0.3 + 0.05*cos(phi) - 0.02*sin(2*phi)"},
    "table": {"profile": {"angles": np.linspace(0, 6, 12).tolist(),
                          "values": (0.3 + 0.03 * np.cos(np.linspace(0, 6, 12))).tolist()}},
}  # fmt: skip


def moving_curve(name, ua=0.4):
    """Return a crank that carries a curve, and a lever on the ground with a point on it."""
    from scipy.optimize import brentq

    from poinsot.formulations.composable.curve_rows import curve_values
    from poinsot.model.planar.pair_description import read_curve

    entry = {"id": "k", "type": "curve", "a": "crank", "pa": (0.02, -0.01), "ua": ua,
             "b": "lever", "pb": (0.5, 0.05), **CURVES[name]}  # fmt: skip
    curve = read_curve(entry, "crank", "lever").curve
    crank, pin = np.array([0.0, 0.0, 0.3]), np.array([0.7, -0.1])
    origin = point_at(crank, np.array(entry["pa"]))

    def gap(angle):
        place = point_at(np.array([*pin, angle]), np.array(entry["pb"]))
        return float(curve_values(curve, rotated(-crank[2] - ua, place - origin)).g)

    angles = np.linspace(0.2, 6.2, 60)
    values = [gap(x) for x in angles]
    k = next(i for i in range(59) if values[i] * values[i + 1] < 0)
    angle = brentq(gap, angles[k], angles[k + 1], xtol=1e-15)
    bodies = {"crank": HEAVY | {"pose": crank.tolist()},
              "lever": HEAVY | {"pose": [*pin.tolist(), angle]}}  # fmt: skip
    joints = [{"id": "O", "a": "ground", "b": "crank"},
              {"id": "L", "a": "ground", "pa": pin.tolist(), "b": "lever"}, entry]  # fmt: skip
    return ps.planar(bodies, joints, ["O"], gravity=(0.0, -9.81))


@pytest.mark.parametrize("name", CURVES)
def test_curves_on_moving_links_have_the_dynamics_of_the_closed_system(name):
    """Check motions by differences, dynamics by System, and the contact force by equilibrium."""
    mechanism = moving_curve(name)
    q, v, a = np.array([0.32]), np.array([2.0]), np.array([-3.0])
    h = 1e-5
    at = [mechanism.positions(q + s * h * v + 0.5 * h**2 * a)["lever"] for s in (-1, 0, 1)]
    moved = [mechanism.velocities(q + s * h * v, v + s * h * a)["lever"] for s in (-1, 1)]
    assert np.allclose((at[2] - at[0]) / (2 * h), mechanism.velocities(q, v)["lever"], atol=1e-7)
    bends = mechanism.accelerations(q, v, a)["lever"]
    assert np.allclose((moved[1] - moved[0]) / (2 * h), bends, rtol=1e-6, atol=1e-6)
    system = mechanism.system()
    q_all, v_all = mechanism.system_state(q, v)
    assert np.allclose(system.constraint_residual(q_all, backend="floats"), 0, atol=1e-11)
    driven = np.zeros(system.nv)
    driven[system.v_slice("O")] = 2.0
    expected = system.forward_dynamics(q_all, v_all, driven, backend="floats")
    found = mechanism.forward_dynamics(q, v, [2.0])
    assert np.allclose(found, expected[system.v_slice("O")], rtol=1e-8)
    assert np.allclose(mechanism.inverse_dynamics(q, v, found), 2.0, rtol=1e-8)
    # Euler's equation of the lever about its pin: the force is along the normal of the curve.
    load = (3.0, -40.0, 0.7)
    size = mechanism.reactions(q, v, a, loads={"lever": load})["k"][0]
    poses = mechanism.positions(q)
    ahead, behind = (mechanism.positions(q + x)["lever"] for x in (1e-5, -1e-5))
    pair = mechanism.linkage.pairs[0]
    turn = poses["crank"][2] + pair.turn
    slid = [
        rotated(-q[0] - x - pair.turn,
                point_at(pose, pair.point) - point_at(np.array([0, 0, q[0] + x]), pair.origin))
        for x, pose in ((1e-5, ahead), (-1e-5, behind))
    ]  # fmt: skip
    tangent = rotated(turn, (slid[0] - slid[1]) / np.hypot(*(slid[0] - slid[1])))
    normal = np.array([-tangent[1], tangent[0]])
    lever, weight = mechanism.linkage.links["lever"], np.array([0.0, -9.81])
    angle = poses["lever"][2]
    c, arm = rotated(angle, lever.com), rotated(angle, pair.point)
    inertia = lever.inertia + lever.mass * (c @ c)
    needed = inertia * bends[2] - wedge(c, lever.mass * weight) - wedge(c, np.array(load[:2]))
    assert np.isclose(abs(wedge(arm, normal) * size), abs(needed - load[2]), rtol=1e-5)


def replaced(mechanism, q, **extra):
    """Return a mechanism with the bar of the first pair in its place, drawn at q, and the bar."""
    bar = mechanism.substitute_link("k", q)
    poses = mechanism.positions(q)
    block = {**mechanism.description} | extra
    centre, point = (point_at(poses[link], p) for link, p in ((bar.a, bar.pa), (bar.b, bar.pb)))
    assert np.isclose(np.hypot(*(point - centre)), bar.length, rtol=1e-12)
    angle = np.arctan2(*(point - centre)[::-1])
    bodies = {name: {**entry, "pose": poses[name].tolist()}
              for name, entry in block["bodies"].items()}  # fmt: skip
    bodies["bar"] = {"pose": [*centre.tolist(), float(angle)]}
    joints = [entry for entry in block["joints"] if entry["id"] != "k"] + [
        {"id": "K", "a": bar.a, "pa": bar.pa.tolist(), "b": "bar"},
        {"id": "L2", "a": "bar", "pa": (bar.length, 0.0), "b": bar.b, "pb": bar.pb.tolist()},
    ]
    return ps.PlanarMechanism.from_description(block | {"bodies": bodies, "joints": joints}), bar


@given(st.sampled_from([*CURVES, "knife", "roller lever"]), st.floats(0.0, 0.3))
@settings(max_examples=examples(8), deadline=None)
def test_the_substitute_link_has_the_second_derivatives(name, step):
    """Check velocities, accelerations and torques at its position."""
    q, v, a = np.array([0.3 + step]), np.array([2.0]), np.array([-3.0])
    if name in CURVES:
        mechanism = moving_curve(name)
    else:
        mechanism = cam("knife") if name == "knife" else cam("roller", **LEVER)
    follower = mechanism.linkage.pairs[0].b
    other, _ = replaced(mechanism, q)
    for method, inputs in (("velocities", (q, v)), ("accelerations", (q, v, a))):
        expected, found = (getattr(m, method)(*inputs)[follower] for m in (mechanism, other))
        assert np.allclose(found, expected, rtol=1e-7, atol=1e-8)
    assert np.allclose(
        other.inverse_dynamics(q, v, a), mechanism.inverse_dynamics(q, v, a), rtol=1e-7
    )


def test_what_has_no_substitute_link_is_named():
    """Check straight profiles, flat faces and names that there are not."""
    with pytest.raises(ps.ModelError, match="is a flat face"):
        cam("flat").substitute_link("k", [0.3])
    with pytest.raises(ps.ModelError, match="there is no curve or cam 'c'"):
        cam().substitute_link("c", [0.3])
    bodies = {"block": {"pose": (0.2, 0.0, 0.0)}, "plate": {"pose": (0.2, 0.2, 0.0)}}
    joints = [
        {"id": "S", "type": "P", "a": "ground", "b": "block"},
        {"id": "T", "type": "P", "a": "ground", "b": "plate", "ua": np.pi / 2},
    ]
    bodies["plate"]["pose"] = (0.0, 0.1, 0.0)
    joints.append({"id": "k", "type": "curve", "a": "block", "ua": 0.4, "b": "plate",
                   "pb": (0.2, -0.1), "curve": "y"})  # fmt: skip
    wedge_ = ps.planar(bodies, joints, ["S"])
    q = np.array([[0.1], [0.2], [0.35]])
    assert np.allclose(wedge_.positions(q)["plate"][:, 1] - 0.1, np.tan(0.4) * (0.2 - q[:, 0]))
    with pytest.raises(ps.ModelError, match="is straight there"):
        wedge_.substitute_link("k", [0.3])


def test_curves_in_parts_are_those_of_the_whole():
    """Check a curve whose link is a place on another, turned and shifted."""
    whole = moving_curve("egg")
    crank, pin, entry = whole.description["joints"]
    turn, shift = 0.35, np.array([0.05, -0.02])
    origin = rotated(-turn, np.array(entry["pa"]) - shift).tolist()
    inside = {**entry, "a": "disc", "pa": origin, "ua": entry["ua"] - turn}
    lever = ps.planar({"lever": HEAVY}, [{**pin, "a": "base"}, inside], (), ports=["base", "disc"])
    ports = {"base": "ground", "disc": ["crank", [*shift.tolist(), turn]]}
    parts = {"p": {"mechanism": lever, "ports": ports}}
    machine = ps.planar({"crank": HEAVY}, [crank], ["O"], parts=parts)
    pair, expected = machine.linkage.pairs[0], whole.linkage.pairs[0]
    assert np.allclose(pair.origin, expected.origin)
    assert np.isclose(pair.turn, expected.turn)
    assert (pair.a, pair.b, pair.name, pair.point) == ("crank", "p.lever", "p.k", expected.point)


def test_turns_drawings_files_and_equations(tmp_path):
    """Check a turn that follows the curve, saving and loading, pictures, text, parts, coupling."""
    mechanism = moving_curve("egg")
    q = np.linspace(0.3, 1.3, 12)[:, None]
    poses = mechanism.positions(q)["lever"]
    mechanism.save(tmp_path / "egg.json")
    again = ps.load_planar(tmp_path / "egg.json")
    assert np.allclose(again.positions(q)["lever"], poses, atol=1e-12)
    mechanism.draw([0.5], tmp_path / "egg.png")
    assert (tmp_path / "egg.png").stat().st_size > 2000
    # A link on three curves, without any joint: its frame follows the block's.
    bodies = {"block": {"pose": (0.2, 0, 0)}, "plate": {"pose": (0.2, 0, 0)}}
    joints = [{"id": "S", "type": "P", "a": "ground", "b": "block"}]
    for k, (point, line) in enumerate({(0, 1): "x", (0, -1): "x", (1, 0): "y"}.items()):
        joints.append({"id": f"k{k}", "type": "curve", "a": "block", "b": "plate", "pb": point,
                       "curve": line})  # fmt: skip
    lone = ps.planar(bodies, joints, ["S"])
    assert np.allclose(lone.positions([0.7])["plate"], (0.7, 0, 0), atol=1e-12)
    lone.joint_motions([0.7], [1.0], [0.0])
    lone.draw([0.7], tmp_path / "lone.png")
    assert "S_k(" in str(moving_curve("parabola").equations)
    assert "k" in str(mechanism.coupling)


def test_mistakes_are_named():
    """Check formulas that are none, missing drawings, poses that do not fit, runs by units."""
    ends = {"id": "k", "type": "curve", "a": "crank", "b": "rocker", **PLACES}
    R, _ = centre_distance()

    def refused(match, entry):
        with pytest.raises(ps.ModelError, match=match):
            four_bar([entry])

    refused("give its curve, a formula of x and y, or its profile", ends)
    refused("depends neither on x nor on y", ends | {"curve": "2 - 1"})
    refused("unknown name 'z'", ends | {"curve": "x + z"})
    refused("must be a formula of x and y", ends | {"curve": [[0, 0], [1, 1]]})
    refused("both on 'crank'", ends | {"b": "crank", "curve": "x - y"})
    refused("radius must be positive", ends | {"profile": "cos(phi)"})
    refused("there is no key 'roller'", ends | {"curve": "x - y", "roller": 0.1})
    refused("does not fit in the drawing", ends | {"curve": "x**2 + y**2 - 9"})
    circles = {key: x for key, x in ends.items() if key != "type"} | {"type": "circles"}
    refused("give the radii", circles)
    refused("have one centre", circles | {"radii": (0.2, 0.2), "internal": True})
    refused("must not be negative", circles | {"radii": (0.2, -0.2)})
    refused("must be True or False", circles | {"radii": (0.2, 0.1), "internal": "yes"})
    refused("is open by", circles | {"radii": (0.2, R)})
    with pytest.raises(ps.ModelError, match="assemblies cannot be listed then"):
        moving_curve("egg").assemblies([0.3])
    entry = ends | {"a": "ground", "curve": "x**2 + y**2 - 1"}
    joints = [{"id": "A", "a": "ground", "b": "crank"},
              {"id": "D", "a": "crank", "pa": (0.5, 0.0), "b": "rocker"}, entry]  # fmt: skip
    undrawn = ps.planar({"crank": {}, "rocker": {}}, joints, ["A"])
    with pytest.raises(ps.ModelError, match='give each body a "pose"'):
        undrawn.positions([0.0])
    refused("there is no key 'curve'", circles | {"curve": "x"})


def test_run_on_a_moving_curve_is_that_of_the_closed_system():
    """Check a point on an egg that moves, and that energy is kept."""
    mechanism = moving_curve("egg")
    q, v = mechanism.drawn, np.array([1.5])
    run = mechanism.simulate(q, v, 0.3, rtol=1e-10, save=0.05)
    system = mechanism.system()
    closed = ps.simulate(system, *mechanism.system_state(q, v), 0.3, rtol=1e-10, save=0.05)
    column = system.v_slice(mechanism.linkage.drivers[0])
    assert np.allclose(run.q, closed.q[:, column], rtol=0, atol=1e-9)
    assert np.allclose(run.v, closed.v[:, column], rtol=0, atol=1e-8)
    assert np.ptp(run.energy()) < 1e-10 * max(1.0, np.abs(run.energy()).max())
