"""Cams: contact on the profile itself, textbook formulas, closed systems, lift-off and undercut."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.formulations.composable.plane import rotated, wedge
from poinsot.model.planar.cam_law import TURN, CamLaw
from tests.random_examples import examples

LAW = [("cycloidal", np.pi / 2, 0.02), ("dwell", np.pi / 3, 0.0), ("3-4-5", np.pi / 2, -0.02),
       ("dwell", 2 * np.pi / 3, 0.0)]  # fmt: skip
BASE = 0.04


def cam(follower="roller", *, lever=False, offset=0.0, spring=500.0, base=BASE, **entry):
    """Return a cam on the ground with a follower on a vertical slide, or on a lever."""
    bodies = {"cam": {"m": 1.0, "J": 0.001}, "f": {"m": 0.5, "J": 0.002, "c": (0.01, 0.02)}}
    joint = {"id": "S", "a": "ground", "pa": (offset, 0), "b": "f", "k": spring}
    joint |= {"type": "P", "ua": np.pi / 2, "beta": 0.1}
    if lever:
        joint = {"id": "S", "a": "ground", "pa": (0.1, 0.02), "b": "f", "k": 2.0, "rest": -3.0}
    pair = {"id": "k", "type": "cam", "a": "cam", "b": "f", "follower": follower}
    pair |= {"radius": 0.01} if follower == "roller" else {}
    pair |= {} if "profile" in entry else {"law": LAW}
    pair |= {} if "profile" in entry and base == BASE else {"base": base}
    joints = [{"id": "O", "a": "ground", "b": "cam"}, joint, pair | entry]
    return ps.planar(bodies, joints, ["O"], gravity=(0, -9.81))


LEVER = {"lever": True, "point": (-0.09, 0.03)}
PADDLE = {"lever": True, "point": (-0.1, 0.0), "face": np.pi / 2,
          "law": [("cycloidal", 2.0, 0.2), ("harmonic", TURN - 2.0, -0.2)]}  # fmt: skip
KINDS = {
    "roller": ("roller", {"offset": 0.012}), "knife": ("knife", {"offset": -0.01}),
    "flat": ("flat", {}), "tilted flat": ("flat", {"face": 1.2}), "lever": ("roller", LEVER),
    "lever to the right": ("roller", LEVER | {"side": -1}), "paddle": ("flat", PADDLE),
    "against the clock": ("roller", {"sense": -1}),
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_every_follower_has_the_dynamics_of_the_closed_system(name):
    """Check motions by differences, forward dynamics, and that simulation keeps the energy."""
    kind, entry = KINDS[name]
    mechanism = cam(kind, **entry)
    q = np.linspace(0.05, 6.2, 40)[:, None]
    v, a = np.full_like(q, 7.0), np.full_like(q, -3.0)
    h = 1e-5
    at = [mechanism.positions(q + s * h * v + 0.5 * h**2 * a)["f"] for s in (-1, 0, 1)]
    rates = mechanism.velocities(q, v)["f"]
    bends = mechanism.accelerations(q, v, a)["f"]
    assert np.allclose((at[2] - at[0]) / (2 * h), rates, rtol=1e-6, atol=1e-7)
    ahead, behind = (mechanism.velocities(q + s * h * v, v + s * h * a)["f"] for s in (1, -1))
    size = np.abs(bends).max()
    near = np.abs((ahead - behind) / (2 * h) - bends) < 1e-5 * size
    assert near.all(axis=1).sum() >= len(q) - 1  # one step may cross where laws meet
    system = mechanism.system()
    q_all, v_all = mechanism.system_state(q[7], v[7])
    driven = np.zeros(system.nv)
    driven[system.v_slice("O")] = 2.0
    assert np.allclose(system.constraint_residual(q_all, backend="floats"), 0, atol=1e-12)
    expected = system.forward_dynamics(q_all, v_all, driven, backend="floats")
    found = mechanism.forward_dynamics(q[7], v[7], [2.0])
    assert np.allclose(found, expected[system.v_slice("O")], rtol=1e-9)
    assert np.allclose(mechanism.inverse_dynamics(q[7], v[7], found), 2.0)


def test_simulation_keeps_the_energy():
    """Check a run over laws that meet, by machine code."""
    run = cam().simulate([0.1], [20.0], 0.2, rtol=1e-9)
    assert np.ptp(run.energy()) < 1e-8 * np.abs(run.energy()).max()
    assert np.ptp(run.q) > 2.0


@given(st.floats(0.5, 3.0), st.floats(0.005, 0.02), st.floats(-0.02, 0.02), st.floats(0.03, 0.06))
@settings(max_examples=examples(10), deadline=None)
def test_textbook_formulas_of_slides(over, rise, offset, base):
    """Check pressure angle and radii of curvature of offset rollers and faces [Norton2012, ch. 8].

    tan α = (S' - e)/(s_0 + S), ρ = (R² + S'²)^(3/2) / (R² + 2 S'² - R S'') without offset, and
    ρ = R + S + S'' of a flat face.
    """
    law = [("3-4-5", over, rise), ("cycloidal", TURN - over, -rise)]
    # The cam turns to the left: a guide to the right of its centre lies steeper in the rise.
    profile = cam(offset=offset, base=base, law=law).cam_profile("k", angles=100)
    S, S1, S2 = profile.lift, profile.rate, profile.bend
    s_0 = np.sqrt((base + 0.01) ** 2 - offset**2)
    expected = np.arctan2(S1 - offset, s_0 + S)
    assert np.allclose(np.abs(profile.pressure_angle), np.abs(expected), atol=1e-12)
    profile = cam(base=base, law=law).cam_profile("k", angles=100)
    R = base + 0.01 + S
    pitch = (R**2 + S1**2) ** 1.5 / (R**2 + 2 * S1**2 - R * S2)
    assert np.allclose(profile.radius, pitch - 0.01, rtol=1e-9, atol=1e-12)
    flat = cam("flat", base=base, law=law).cam_profile("k", angles=100)
    assert np.allclose(flat.radius, base + S + S2, rtol=1e-12, atol=1e-12)
    assert np.allclose(flat.pressure_angle, 0.0, atol=1e-12)
    assert np.array_equal(flat.undercut, base + S + S2 < 0.0)


def test_laws_are_those_of_the_textbook():
    """Check the largest velocities and accelerations of unit laws [Norton2012, ch. 8]."""
    largest = {"harmonic": (np.pi / 2, np.pi**2 / 2), "cycloidal": (2.0, TURN),
               "3-4-5": (1.875, 10 / np.sqrt(3)),
               "4-5-6-7": (2.1875, 84 * np.sqrt(5) / 25)}  # fmt: skip
    for name, (rate, bend) in largest.items():
        law = CamLaw.from_segments([(name, 1.5, 0.3), (name, TURN - 1.5, -0.3)], "test")
        lift, first, second = law(np.linspace(0, 1.5, 30001))
        assert np.isclose(first.max() * 1.5 / 0.3, rate, rtol=1e-6)
        assert np.isclose(second.max() * 1.5**2 / 0.3, bend, rtol=1e-6)
        assert np.isclose(lift[-1], 0.3)
        assert np.isclose(law(-0.1)[0], law(TURN - 0.1)[0])


def smooth_profile(seed):
    """Return a random smooth, nearly round profile as a formula of phi."""
    a, b, c = np.random.default_rng(seed).uniform(-1, 1, 3)
    return f"0.05 + 0.006*{a}*cos(phi) + 0.003*{b}*sin(2*phi) + 0.0006*{c}*cos(3*phi)"


@given(st.integers(0, 10**6), st.sampled_from(["roller", "knife", "flat", "lever", "paddle"]))
@settings(max_examples=examples(4), deadline=None)
def test_followers_rest_on_a_given_profile(seed, name):
    """Check that a roller touches the profile without cutting it, and a face, at any angle."""
    kind, entry = KINDS[name]
    entry = {key: value for key, value in entry.items() if key != "law"}
    text = smooth_profile(seed)
    mechanism = cam(kind, profile=text, **entry)
    q = np.random.default_rng(seed).uniform(0, TURN, 7)
    phi = np.linspace(0, TURN, 20001)
    r = eval(text, {"cos": np.cos, "sin": np.sin, "phi": phi})
    points = r[:, None] * np.stack([np.cos(phi), np.sin(phi)], axis=-1)
    path = mechanism.linkage.pairs[0].shape.path
    for x in q:
        poses = mechanism.positions([x])
        outline = rotated(x, points)
        slide = mechanism.linkage.by_name["S"]
        point = np.array(entry.get("point", slide.pb))
        place = poses["f"][:2] + rotated(poses["f"][2], point)
        if kind == "flat":
            e = path.normal(poses["f"][2] if path.turns else 0.0)
            gap = e @ place - np.max(outline @ e)
        elif kind == "knife":
            phi = np.arctan2(place[1], place[0]) - x
            gap = np.hypot(*place) - eval(text, {"cos": np.cos, "sin": np.sin, "phi": phi})
        else:
            gap = np.min(np.hypot(*(outline - place).T)) - path.roller
        assert abs(gap) < 2e-8  # points of the outline are 15 µm apart


def test_profiles_and_laws_give_each_other():
    """Check that a profile cut for a law moves a follower by this law, as table and as function."""
    law = "0.008*(1 - cos(phi)) + 0.001*(1 - cos(2*phi))"
    made = cam(law=law)
    profile = made.cam_profile("k", angles=720).profile
    angles = np.arctan2(profile[:-1, 1], profile[:-1, 0]) % TURN
    order = np.argsort(angles)
    table = {"angles": angles[order], "values": np.hypot(*profile[:-1].T)[order]}
    q = np.linspace(0, TURN, 90)[:, None]
    expected = made.positions(q)["f"][:, 1]
    assert np.allclose(cam(profile=table).positions(q)["f"][:, 1], expected, atol=1e-9)
    by_function = cam(law=lambda phi: 0.008 * (1 - np.cos(phi)) + 0.001 * (1 - np.cos(2 * phi)))
    assert np.allclose(by_function.positions(q)["f"][:, 1], expected, atol=1e-12)


def test_the_contact_force_acts_along_the_normal():
    """Check Newton and Euler of cam and follower with the force at the place of contact."""
    for kind, entry in KINDS.values():
        mechanism = cam(kind, **entry)
        q, v, a = np.array([0.9]), np.array([11.0]), np.array([5.0])
        load = {"f": (3.0, -40.0, 0.7), "cam": (1.0, 2.0, 0.0)}
        found = mechanism.reactions(q, v, a, loads=load)
        poses, motions = mechanism.positions(q), mechanism.accelerations(q, v, a)
        wheel = mechanism.linkage.links["cam"]
        torque = mechanism.inverse_dynamics(q, v, a, loads=load)[0]
        on_cam = -wheel.mass * np.array([0, -9.81]) - found["O"] - np.array(load["cam"][:2])
        assert np.isclose(np.hypot(*on_cam), abs(found["k"][0]), rtol=1e-9)
        # The moment of the contact about the cam's centre is what the driver has to balance.
        pair = mechanism.linkage.pairs[0]
        y, first, _ = pair.law(q)
        from poinsot.formulations.composable.cam_contact import cam_contact

        contact = cam_contact(pair.shape.path, y[0], first[0], 0.0)
        needed = wheel.inertia * motions["cam"][2] - torque
        assert np.isclose(wedge(contact.place, on_cam), needed, rtol=1e-8, atol=1e-10)
        assert np.allclose(on_cam, -found["k"][0] * contact.normal, rtol=1e-8, atol=1e-9)
        assert poses["f"].shape == (3,)


def test_lift_off_is_told_with_the_angle():
    """Compare where a dwell-rise-dwell follower leaves its cam with the closed form.

    m S'' ω² + k (s_0 + S) + m g = 0 on a flat face, whose force is along the slide.
    """
    mechanism = cam("flat", spring=500.0)
    turn = mechanism.turn(60.0, positions=1440)
    stretches = [point for point in turn.points if point.kind == "lift-off"]
    assert len(stretches) == 2
    assert stretches[0].links == ("cam", "f")
    law = mechanism.linkage.pairs[0].shape.law
    x = np.linspace(0, TURN, 200001)
    S, _, S2 = law(x)
    force = 0.5 * S2 * 60.0**2 + 500.0 * (0.04 + S) + 0.5 * 9.81
    first = x[np.flatnonzero(force < 0)[0]]
    assert np.isclose(stretches[0].coordinate, first, atol=1e-4)
    assert "lift-off from O = " in str(turn)
    assert "pressure angle in k" in str(turn)
    assert not [p for p in mechanism.turn(5.0).points if p.kind == "lift-off"]
    assert np.isclose(turn.reactions["k"][0, 0], 500.0 * 0.04 + 0.5 * 9.81)


def test_undercut_and_hollows():
    """Check that a sharp rise is told to be undercut, and where profiles are hollow."""
    sharp = [("cycloidal", 1.0, 0.03), ("cycloidal", TURN - 1.0, -0.03)]
    profile = cam("flat", law=sharp).cam_profile("k")
    assert profile.undercut.any()
    assert "undercut from" in str(profile)
    knife = cam("knife", law=sharp).cam_profile("k")
    assert not knife.undercut.any()
    assert (knife.radius < 0).any()
    small = cam(law=sharp, radius=0.05, base=0.03).cam_profile("k")
    assert small.undercut.any()
    assert small.profile.shape == (721, 2)


def test_cams_in_files_pictures_and_larger_mechanisms(tmp_path):
    """Check saving of formulas and functions, a dyad behind a follower, the drawing, equations."""
    mechanism = cam(profile=lambda phi: 0.05 + 0.005 * np.cos(phi))
    mechanism.save(tmp_path / "cam.json")
    q = np.linspace(0, 6, 80)[:, None]
    again = ps.load_planar(tmp_path / "cam.json")
    assert np.allclose(again.positions(q)["f"], mechanism.positions(q)["f"], atol=1e-12)
    block = cam(**LEVER).description
    block["bodies"] = {**block["bodies"], "rod": {"m": 0.3}, "ram": {"m": 0.4}}
    block["joints"] = [
        *block["joints"],
        {"id": "B", "a": "f", "pa": (-0.05, 0.08), "b": "rod"},
        {"id": "C", "a": "rod", "pa": (0.15, 0), "b": "ram"},
        {"id": "D", "type": "P", "a": "ground", "pa": (0, 0.1), "b": "ram"},
    ]
    machine = ps.PlanarMechanism.from_description(block)
    assert [unit.form for unit in machine.units] == ["R", "RH", "RRP"]
    many = machine.reactions(q, 5 + 0 * q, 0 * q)
    one = machine.reactions(q[3], [5.0], [0.0])
    assert all(np.allclose(many[name][3], force, rtol=1e-8) for name, force in one.items())
    assert "k: φ_f = S_k(φ_cam)" in str(machine.equations)
    machine.draw([0.5], tmp_path / "cam.png")
    machine.turn(10.0, positions=60).plot(tmp_path / "turn.png")


def test_points_of_followers_are_where_ports_are():
    """Check a cam as a part whose follower, a lever of the whole, has its port off the origin."""
    plain = cam("roller", **LEVER)
    bodies = plain.description["bodies"]
    on_cam, on_lever, pair = plain.description["joints"]
    inner = {
        "bodies": {"cam": bodies["cam"]}, "ports": ["tip"], "drivers": ["O"],
        "joints": [on_cam, {**pair, "b": "tip", "point": (-0.04, 0.01)}],
    }  # fmt: skip
    whole = ps.planar(
        {"f": bodies["f"]}, [on_lever], [], gravity=(0, -9.81),
        parts={"c": {"mechanism": inner, "ports": {"tip": ("f", (-0.05, 0.02, 0.0))}}},
    )  # fmt: skip
    q = np.linspace(0.0, TURN, 9)[:, None]
    assert np.allclose(whole.positions(q)["f"], plain.positions(q)["f"], atol=1e-12)


def test_mistakes_are_named():
    """Check laws that do not close, followers that do not reach, and entries that cannot be."""

    def refused(match, kind="roller", **entry):
        with pytest.raises(ps.ModelError, match=match):
            cam(kind, **entry)

    refused("one turn .2π", law=[("cycloidal", 1.0, 0.1)])
    refused("no law 'cubic'", law=[("cubic", TURN, 0.0)])
    refused("rise 0.1 of a dwell", law=[("dwell", TURN, 0.1)])
    refused("a segment must be", law=["cycloidal"])
    refused("follower must be one of", "ball")
    refused("radius .m. is that of the roller", "knife", radius=0.01)
    refused("passes the centre at 0.2 m", offset=0.2)
    refused("the lever of .* does not reach", lever=True, point=(-0.01, 0))
    refused('give the "point" of the lever', lever=True)
    refused('give the "face"', "flat", lever=True, point=(-0.1, 0))
    refused("law of motion or its profile", profile="0.05", law=LAW)
    refused("must have the period 2π", law="0.01*phi")
    refused("the profile's radius must be positive", profile="0.01*cos(phi)")
    refused("sense of the cam's angle", sense=2)
    refused("does not meet the profile", profile="0.05 + 0.03*cos(phi)", offset=0.05, base=0.06)
    with pytest.raises(ps.ModelError, match="there is no cam 'c'"):
        cam().cam_profile("c")


@given(st.lists(st.floats(0.0, 0.6), min_size=8, max_size=30))
@settings(max_examples=examples(8), deadline=None)
def test_tables_are_met_and_periodic(shifts):
    """Check that a table's law passes through its points and is smooth across the turn's end."""
    x = (np.arange(len(shifts)) + np.array(shifts)) * TURN / len(shifts)
    y = np.cos(x) + 0.3 * np.sin(2 * x)
    law = CamLaw.from_table(x, y, "test")
    assert np.allclose(law(x)[0], y, atol=1e-11)
    ends = law(np.array([0.0, TURN - 1e-9]))
    sizes = [np.abs(value).max() for value in law(np.linspace(0.0, TURN, 200))]
    assert all(abs(np.diff(x)[0]) < 1e-6 * max(sizes) for x in ends)
