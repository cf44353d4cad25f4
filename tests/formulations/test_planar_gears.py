"""Gears and racks of planar mechanisms: laws of trains, closed systems, equilibrium of wheels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.formulations.composable.plane import rotated, wedge
from tests.random_examples import examples

ALPHA = np.radians(20)


def pin(name, a, b, pa=(0, 0), pb=(0, 0)):
    return {"id": name, "a": a, "b": b, "pa": pa, "pb": pb}


def mesh(name, a, b, teeth, carrier="ground", *, internal=False, alpha=ALPHA):
    return {"id": name, "type": "gear", "a": a, "b": b, "carrier": carrier, "teeth": teeth,
            "internal": internal, "alpha": alpha}  # fmt: skip


def link(rng):
    return {"m": rng.uniform(0.5, 2), "J": rng.uniform(0.1, 1), "c": rng.normal(size=2).tolist()}


def planetary(sun=20, planet=16, rng=None):
    """Return a planetary train with a fixed ring, driven at the sun; masses by chance."""
    rng = rng or np.random.default_rng(0)
    ring = sun + 2 * planet
    return ps.planar(
        {"sun": link(rng), "arm": link(rng), "planet": link(rng)},
        [pin("O", "ground", "sun"), pin("C", "ground", "arm"), pin("P", "arm", "planet", (0.18, 0)),
         mesh("s", "sun", "planet", (sun, planet), "arm"),
         mesh("r", "ground", "planet", (ring, planet), "arm", internal=True)],
        ["O"], gravity=(0.4, -9.81),
    )  # fmt: skip


@given(st.integers(0, 10**6), st.integers(1, 4))
@settings(max_examples=examples(8), deadline=None)
def test_trains_have_the_dynamics_of_closed_systems(seed, n):
    """Check random trains on fixed and moving carriers, outer and inner meshes, with eccentrics."""
    rng = np.random.default_rng(seed)
    bodies, joints = {"w0": link(rng), "arm": link(rng)}, [pin("A0", "ground", "w0")]
    joints.append(pin("arm", "ground", "arm"))
    place = np.zeros(2)
    carrier = "arm" if rng.random() < 0.5 else "ground"
    for k in range(1, n + 1):
        place = place + rng.uniform(0.1, 0.3) * np.array([1.0, rng.uniform(-1, 1)])
        bodies[f"w{k}"] = link(rng)
        joints.append(pin(f"A{k}", carrier, f"w{k}", place.tolist()))
        teeth = rng.permutation([17, 31]).tolist() if rng.random() < 0.5 else [23, 40]
        joints.append(mesh(f"m{k}", f"w{k - 1}", f"w{k}", teeth, carrier,
                           internal=bool(rng.random() < 0.4)))  # fmt: skip
    train = ps.planar(bodies, joints, ["A0", "arm"], gravity=(0.3, -9.81))
    q, v, tau = rng.normal(size=2), rng.normal(size=2), rng.normal(size=2)
    system = train.system()
    q_all, v_all = train.system_state(q, v)
    assert np.allclose(system.constraint_residual(q_all, backend="floats"), 0, atol=1e-12)
    assert np.allclose(system.constraint_rate(q_all, v_all, backend="floats"), 0, atol=1e-12)
    columns = [system.v_slice(name).start for name in ("A0", "arm")]
    driven = np.zeros(system.nv)
    driven[columns] = tau
    expected = system.forward_dynamics(q_all, v_all, driven, backend="floats")
    a = train.forward_dynamics(q, v, tau)
    assert np.allclose(a, expected[columns], rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    assert np.allclose(train.inverse_dynamics(q, v, a), tau, rtol=0, atol=1e-9)
    for k in range(1, n + 1):
        assert f"m{k}" in train.reactions(q, v, a)


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=examples(10), deadline=None)
def test_forces_between_teeth_hold_the_wheels_in_equilibrium(seed, internal):
    """Check Newton and Euler of each wheel, the line of action, and that teeth push apart."""
    rng = np.random.default_rng(seed)
    teeth = (50, 20) if internal else (18, 30)
    train = ps.planar(
        {"arm": link(rng), "a": link(rng), "b": link(rng)},
        [pin("C", "ground", "arm", (0.1, 0.2)), pin("A", "arm", "a", (0.05, 0.02)),
         pin("B", "arm", "b", (0.3, -0.1)), mesh("m", "a", "b", teeth, "arm", internal=internal)],
        ["C", "A"], gravity=(0.3, -9.81),
    )  # fmt: skip
    q, v, a = (rng.normal(size=2) for _ in range(3))
    loads = {name: rng.normal(size=3) for name in ("a", "b")}
    found = train.reactions(q, v, a, loads=loads)
    poses, rates, motions = train.positions(q), train.velocities(q, v), train.accelerations(q, v, a)
    torque = {"a": train.inverse_dynamics(q, v, a, loads=loads)[1], "b": 0.0}
    places = train.joint_places(q)
    on = {}
    for name, joint in (("a", "A"), ("b", "B")):
        wheel = train.linkage.links[name]
        r = rotated(poses[name][2], wheel.com)
        turn = np.array([-r[1], r[0]])
        acceleration = motions[name][:2] + motions[name][2] * turn - rates[name][2] ** 2 * r
        force = wheel.mass * (acceleration - train.linkage.gravity) - loads[name][:2]
        on[name] = force - found[joint]
        # Moments about the mass centre: the pin is at the origin of the wheel.
        moment = wedge(-r, found[joint]) + loads[name][2] + torque[name]
        needed = wheel.inertia * motions[name][2] - moment
        middle = places["B"] - places["A"]
        n = middle / np.hypot(*middle)
        radius = np.hypot(*middle) * teeth[0] / (teeth[0] + (-1 if internal else 1) * teeth[1])
        pitch = places["A"] + radius * n
        lever = pitch - (poses[name][:2] + r)
        assert np.isclose(wedge(lever, on[name]), needed, rtol=1e-9, atol=1e-9)
    assert np.allclose(on["a"], -on["b"], atol=1e-9)
    tangential, radial = on["b"] @ [-n[1], n[0]], on["b"] @ n
    assert np.isclose(abs(radial), np.tan(ALPHA) * abs(tangential), rtol=1e-9, atol=1e-12)
    assert (radial < 0.0) == internal  # away from the teeth of the other wheel
    assert np.isclose(abs(found["m"][0]), np.hypot(*on["b"]), rtol=1e-9)


def test_planetary_trains_obey_willis():
    """Check speeds and torques of Willis' equation, and that one drives the other way round."""
    light = {"m": 0.0, "J": 0.0}
    train = planetary()
    still = train.linkage
    q, v = np.linspace(0, 20, 70)[:, None], np.full((70, 1), 3.0)
    rates = train.velocities(q, v)
    assert np.allclose(rates["arm"][:, 2], 3.0 * 20 / (20 + 52), rtol=1e-13)
    assert np.allclose(
        rates["planet"][:, 2] - rates["arm"][:, 2], -20 / 16 * (3 - rates["arm"][:, 2])
    )
    block = train.description | {"bodies": dict.fromkeys(still.links, light), "gravity": (0, 0)}
    massless = ps.PlanarMechanism.from_description(block)
    torque = massless.inverse_dynamics(q, v, 0 * v, loads={"arm": np.tile((0, 0, -36.0), (70, 1))})
    assert np.allclose(torque, 36.0 * 20 / (20 + 52), rtol=1e-12)
    shaking = massless.shaking_force(q, v, 0 * v, loads={"arm": np.tile((0, 0, -36.0), (70, 1))})
    assert np.allclose(shaking[:, :2], 0.0, atol=1e-10)
    by_arm = ps.PlanarMechanism.from_description(train.description | {"drivers": ["C"]})
    assert np.allclose(by_arm.velocities(q, v)["sun"][:, 2], 3.0 * (20 + 52) / 20, rtol=1e-13)


@given(st.integers(0, 10**6))
@settings(max_examples=examples(6), deadline=None)
def test_planetary_trains_have_the_dynamics_of_closed_systems(seed):
    """Check a train in which sun and arm are carried by the ground, so that no pin joins them."""
    rng = np.random.default_rng(seed)
    train = planetary(int(rng.integers(12, 40)), int(rng.integers(12, 40)), rng)
    q, v, tau = rng.normal(size=1), rng.normal(size=1), rng.normal(size=1)
    system = train.system()
    q_all, v_all = train.system_state(q, v)
    driven = tau * (np.array(system.joint_names) == "O")
    expected = system.forward_dynamics(q_all, v_all, driven, backend="floats")
    a = train.forward_dynamics(q, v, tau)
    assert np.allclose(a, expected[driven != 0], rtol=1e-9)


def test_racks_roll_on_their_pinions():
    """Check both sides, forces on the slide by the pressure angle, a wheel between racks."""
    for side, y in ((1, 0.1), (-1, -0.1)):
        rack = ps.planar(
            {"pinion": {"m": 1.0, "J": 0.01}, "rack": {"m": 3.0}},
            [pin("A", "ground", "pinion", (0, y)),
             {"id": "S", "type": "P", "a": "ground", "b": "rack"},
             {"id": "m", "type": "rack", "a": "pinion", "b": "rack", "radius": 0.1,
              "alpha": ALPHA}],
            ["A"],
        )  # fmt: skip
        q, v, a = np.array([0.7]), np.array([2.0]), np.array([3.0])
        assert np.allclose(rack.velocities(q, v)["rack"], (side * 0.2, 0, 0))
        assert np.allclose(rack.mass_matrix(q), 0.01 + 3.0 * 0.1**2)
        load = {"rack": (50.0, 0.0, 0.0)}
        torque = rack.inverse_dynamics(q, v, a, loads=load)
        assert np.allclose(torque, 0.04 * 3.0 - side * 0.1 * 50.0)
        found = rack.reactions(q, v, a, loads=load)
        along = 3.0 * side * 0.3 - 50.0
        assert np.isclose(abs(found["m"][0]), abs(along) / np.cos(ALPHA))
        # The teeth push the rack away from the pinion, the slide holds it.
        assert np.isclose(found["S"][0], side * abs(along) * np.tan(ALPHA))
        assert np.allclose(found["A"], (along, -side * abs(along) * np.tan(ALPHA)))
    # A wheel that rolls on a rack of the ground moves the upper rack twice as fast as its hub.
    rolling = ps.planar(
        {"hub": {"m": 1.0}, "wheel": {"m": 1.0, "J": 0.01}, "upper": {"m": 2.0}},
        [{"id": "H", "type": "P", "a": "ground", "pa": (0, 0.1), "b": "hub"},
         pin("W", "hub", "wheel"),
         {"id": "U", "type": "P", "a": "hub", "pa": (0, 0.1), "b": "upper"},
         {"id": "low", "type": "rack", "a": "wheel", "b": "ground", "carrier": "hub",
          "radius": 0.1, "side": 1},
         {"id": "top", "type": "rack", "a": "wheel", "b": "upper", "carrier": "hub",
          "radius": 0.1}],
        ["H"],
    )  # fmt: skip
    rates = rolling.velocities([0.3], [1.0])
    assert np.allclose(rates["upper"], (2.0, 0, 0))
    assert np.isclose(rates["wheel"][2], -10.0)
    assert np.allclose(rolling.mass_matrix([0.3]), 1 + 1 + 0.01 * 100 + 2 * 4)


def geared_five_bar(ratio=-1.0):
    """Return two geared cranks whose rods meet in a pin."""
    rng = np.random.default_rng(4)
    return ps.planar(
        {name: link(rng) for name in ("left", "right", "one", "two")},
        [pin("A", "ground", "left"), pin("E", "ground", "right", (0.4, 0)),
         {"id": "mesh", "type": "gear", "a": "left", "b": "right", "ratio": ratio, "offset": 0.4},
         pin("B", "left", "one", (0.1, 0)), pin("C", "one", "two", (0.4, 0), (0.4, 0)),
         pin("D", "right", "two", (0.1, 0))],
        ["A"], gravity=(0, -9.81),
    )  # fmt: skip


def test_geared_five_bars_take_units_in_a_row():
    """Check the units of case P10, a turn by machine code, and the closed system."""
    five = geared_five_bar()
    assert [unit.form for unit in five.units] == ["R", "RH", "RRR"]
    assert five.units[1].assur_class == "single"
    q = np.linspace(0, 6, 100)[:, None]
    v, a = np.full_like(q, 3.0), np.zeros_like(q)
    many, one = five.reactions(q, v, a), five.reactions(q[7], v[7], a[7])
    assert all(np.allclose(many[name][7], force, rtol=1e-9) for name, force in one.items())
    system = five.system()
    q_all, v_all = five.system_state(q[7], v[7])
    driven = np.array([2.0 * (name == "A") for name in system.joint_names])
    expected = system.forward_dynamics(q_all, v_all, driven, backend="floats")
    assert np.allclose(five.forward_dynamics(q[7], v[7], [2.0]), expected[driven != 0], rtol=1e-10)
    by_units = system.forward_dynamics(q_all, v_all, driven, method="composable")
    assert np.allclose(by_units, expected, rtol=1e-9, atol=1e-9)
    again = ps.PlanarMechanism.from_system(system, ["A"], q_all)
    assert np.allclose(again.mass_matrix([0.9]), five.mass_matrix([0.9]), rtol=1e-11)
    run = five.simulate([0.2], [5.0], 0.3, rtol=1e-10)
    assert np.ptp(run.energy()) < 1e-7 * np.abs(run.energy()).max()
    text = str(five.equations)
    assert "mesh: φ_right = -φ_left + 0.4" in text
    assert "c_{left,mesh}" in str(five.coupling)


def drawn_gear_on_a_coupler(*, drawn):
    """Return a four-bar whose coupler carries a wheel that drives another one on the rocker's pin.

    Whole turns of the coupler are not known without a drawing.
    """
    bar = ps.sketch(
        {"A": (0, 0), "B": (0.1, 0.05), "C": (0.42, 0.2), "D": (0.4, 0)},
        {"ground": "AD", "crank": "AB", "coupler": "BC", "rocker": "DC"}, drivers=["A"],
    )  # fmt: skip
    block = bar.description
    wheel = {"m": 0.5, "J": 0.02} | ({"pose": (0.4, 0, 0.3)} if drawn else {})
    block["bodies"] = {**block["bodies"], "wheel": wheel}
    block["joints"] = [*block["joints"], pin("W", "rocker", "wheel", (0, 0)),
                       mesh("m", "coupler", "wheel", (20, 47), "rocker")]  # fmt: skip
    if not drawn:
        block["bodies"] = {k: {x: y for x, y in body.items() if x != "pose"}
                           for k, body in block["bodies"].items()}  # fmt: skip
    return ps.PlanarMechanism.from_description(block)


def test_wheels_on_couplers_are_followed_from_a_drawing():
    """Check that angles go on smoothly over turns, and that without a drawing it is refused."""
    geared = drawn_gear_on_a_coupler(drawn=True)
    q = geared.drawn + np.linspace(0, 4 * np.pi, 300)[:, None]
    poses = geared.positions(q)
    assert np.allclose(poses["wheel"][0], (0.4, 0, 0.3), atol=1e-12)
    between = poses["rocker"][:, 2]
    coupler = np.unwrap(poses["coupler"][:, 2])
    wheel = 0.3 - 20 / 47 * ((coupler - between) - (coupler - between)[0])
    expected = wheel + between - between[0]
    assert np.allclose(poses["wheel"][:, 2], expected, atol=1e-9)
    rates = geared.velocities(q[40], [2.0])
    h = 1e-6
    ahead, behind = (geared.positions(q[40] + s * h)["wheel"][2] for s in (1, -1))
    assert np.isclose((ahead - behind) / h, rates["wheel"][2], rtol=1e-6)
    with pytest.raises(ps.ModelError, match=r"\['wheel'\] with gears or cams .*draw the mechanism"):
        drawn_gear_on_a_coupler(drawn=False).positions([0.3])


def test_files_parts_and_drawings_have_gears(tmp_path):
    """Check saving and loading, a gear pair as a part, and that pictures can be drawn."""
    train = planetary()
    train.save(tmp_path / "train.json")
    again = ps.load_planar(tmp_path / "train.json")
    assert again.description == ps.load_planar(tmp_path / "train.json").description
    assert np.allclose(again.mass_matrix([0.3]), train.mass_matrix([0.3]))
    whole = ps.planar(
        {"pinion": {"J": 0.01}}, [pin("A", "ground", "pinion")], ["A"],
        parts={"out": {"mechanism": {
            "bodies": {"wheel": {"J": 0.3}}, "ports": ["in", "base"], "drivers": [],
            "joints": [pin("W", "base", "wheel", (0.2, 0)),
                       mesh("m", "in", "wheel", (20, 60), "base")]},
            "ports": {"in": "pinion", "base": "ground"}}},
    )  # fmt: skip
    assert np.allclose(whole.mass_matrix([0.1]), 0.01 + 0.3 / 9)
    train.draw([0.4], tmp_path / "train.png")
    train.diagram(tmp_path / "units.svg")
    turn = train.turn(10.0, positions=80)
    turn.plot(tmp_path / "turn.png")
    turn.save_table(tmp_path / "turn.csv")
    assert "s.F" in turn.columns()


def test_mistakes_are_named():
    """Check centre distances, carriers, teeth and other entries that cannot be."""
    bodies = {"a": {"m": 1.0}, "b": {"m": 1.0}}
    pins = [pin("A", "ground", "a"), pin("B", "ground", "b", (0.3, 0))]

    def refused(match, gear, joints=pins):
        with pytest.raises(ps.ModelError, match=match):
            ps.planar(bodies, [*joints, {"id": "m", "a": "a", "b": "b", **gear}], ["A"])

    refused("centres are 0.3 m apart.*touch at 0.5 m", {"type": "gear", "radii": (0.2, 0.3)})
    refused("give its radii", {"type": "gear"})
    refused("must be positive", {"type": "gear", "teeth": (0, 20)})
    refused("must be smaller", {"type": "gear", "teeth": (20, 20), "internal": True})
    refused("no link 'c'", {"type": "gear", "teeth": (20, 30), "carrier": "c"})
    refused("no key 'tooth'", {"type": "gear", "tooth": (20, 30)})
    refused("alpha, the pressure angle", {"type": "gear", "teeth": (20, 30), "alpha": 20})
    refused("'B' must be a slide", {"type": "rack", "radius": 0.1})
    refused("none of R .pin., P .slide., gear, rack, cam", {"type": "worm"})
    loose = [pin("A", "ground", "a"), pin("B", "a", "b", (0.3, 0))]
    refused("'b' must have a pin or slide on the ground", {"type": "gear", "teeth": (1, 2)}, loose)
