"""One turn of the crank of planar mechanisms: closed forms of quick returns and parallelograms."""

import re

import numpy as np
import pytest

import poinsot as ps

SHAPER = {
    "bodies": {
        "crank": {"m": 1.5, "J": 0.002, "c": (0.05, 0)},
        "block": {"m": 0.5, "J": 2e-4},
        "arm": {"m": 6.0, "J": 0.18, "c": (0.3, 0)},
    },
    "joints": [
        {"id": "O", "a": "ground", "pa": (0, 0.3), "b": "crank"},
        {"id": "P", "a": "crank", "pa": (0.1, 0), "b": "block"},
        {"id": "slot", "type": "P", "a": "arm", "b": "block"},
        {"id": "A", "a": "ground", "b": "arm"},
    ],
    "drivers": ["O"],
}


def bars(rod, rocker, ground):
    ends = [("A", 0, (0, 0), "crank", (0, 0)), ("B", "crank", (1, 0), "rod", (0, 0))]
    ends += [("C", "rod", (rod, 0), "rocker", (rocker, 0)), ("D", 0, (ground, 0), "rocker", (0, 0))]
    joints = [{"id": name, "a": a, "pa": pa, "b": b, "pb": pb} for name, a, pa, b, pb in ends]
    return ps.planar({name: {"m": 1.0, "J": 0.1} for _, _, _, name, _ in ends[:3]}, joints, ["A"])


def test_quick_return_has_the_times_of_its_geometry(tmp_path):
    """Check dead points at right angles of crank and arm, time ratio, work, table and picture."""
    shaper = ps.planar(**SHAPER, modes={"slot": -1})
    couple = np.array([0.0, 0.0, 5.0])
    turn = shaper.turn(2.0, positions=90, loads={"arm": lambda turn: np.tile(couple, (91, 1))})
    assert np.allclose(turn.t[[0, -1]], [0.0, np.pi])
    swing = np.arcsin(0.1 / 0.3)
    dead = [point.coordinate for point in turn.points]
    assert np.allclose(dead, [np.pi + swing, 2 * np.pi - swing])
    assert str(turn.points[0]) == "dead point at O = 199.471°: arm reverses"
    assert np.isclose(turn.time_ratio("arm"), (np.pi + 2 * swing) / (np.pi - 2 * swing))
    at_dead_point = shaper.turn(start=np.pi + swing, positions=90)
    assert np.isclose(at_dead_point.time_ratio("arm"), turn.time_ratio("arm"))
    assert np.isclose(turn.stroke("arm"), 2 * swing, rtol=1e-9)
    assert np.allclose(turn.transmission_angles["slot"], np.pi / 2)
    centre = turn.instant_centre("arm", "block")
    assert np.all(~np.isfinite(centre) | (np.abs(centre) > 1e6))  # they do not turn relatively
    assert np.allclose(turn.instant_centre("crank"), (0, 0.3))
    # Torque and couple do the work that changes the kinetic energy, which is periodic.
    work = turn.driver_force * 2.0 + 5.0 * turn.velocities["arm"][:, 2]
    assert np.isclose(np.sum(work[:-1]), 0.0, atol=1e-9 * np.abs(work).max())
    assert turn.shaking_force.shape == (91, 3)
    file = turn.save_table(tmp_path / "turn.csv")
    assert np.allclose(np.loadtxt(file, delimiter=",", skiprows=1)[:, 2], turn.driver_force)
    figure = turn.plot(tmp_path / "turn.png", curves={"arm": (0.6, 0)})
    assert len(figure.axes) == 8
    names = {text.get_text() for text in shaper.draw([0.5], tmp_path / "a.svg").axes[0].texts}
    assert names == {"crank", "block", "arm"}
    # Five ports between units, each an arrow there and one back, and four loads from outside.
    assert len(shaper.diagram(tmp_path / "units.png").axes[0].texts) > 2 * 5 + 4


@pytest.mark.parametrize("start", [0.0, 1.3])
def test_strokes_do_not_depend_on_samples(start):
    """Check an offset slider-crank by geometry, and a rocker's swing across half a turn."""
    engine = ps.sketch(
        {"A": (0, 0), "B": (0, 0.1), "C": (0.4, 0.05)},
        {"ground": "A", "crank": "AB", "rod": "BC", "slider": "C"},
        slides={"guide": ("ground", "slider", "C", 0.0)}, drivers=["A"], masses={"slider": 1.0},
    )  # fmt: skip
    rod = np.hypot(0.4, 0.05)
    ends = [np.sqrt((rod + sign * 0.1) ** 2 - 0.05**2) for sign in (1, -1)]
    for positions in (6, 90):
        turn = engine.turn(start=start, positions=positions)
        assert np.isclose(turn.stroke("slider"), ends[0] - ends[1], rtol=1e-10)
    # A crank-rocker of 0.1, 0.4, 0.3 and 0.35 m, turned so that the rocker's angle passes pi.
    C = (0.365, np.sqrt(0.4**2 - 0.265**2))
    turned = np.array([[np.cos(1.4), -np.sin(1.4)], [np.sin(1.4), np.cos(1.4)]])
    points = {
        name: turned @ x for name, x in zip("ABCD", ((0, 0), (0.1, 0), C, (0.35, 0)), strict=True)
    }
    bar = {"ground": "AD", "crank": "AB", "rod": "BC", "rocker": "DC"}
    rocking = ps.sketch(points, bar, drivers=["A"])
    out, back = (np.arccos((0.35**2 + 0.3**2 - d**2) / (2 * 0.35 * 0.3)) for d in (0.5, 0.3))
    for positions in (8, 90):
        swing = rocking.turn(start=start, positions=positions).stroke("rocker")
        assert np.isclose(swing, out - back, rtol=1e-9)


def test_section_loads_along_a_turn_close_with_the_reactions_of_the_pins():
    """Cut a rod under a load of its own at both ends; and the same turn as a driven system."""
    bodies = {"crank": {"m": 2.0, "c": (0.05, 0)}, "rod": {"m": 1.5, "J": 0.02, "c": (0.2, 0)}}
    pins = [
        {"id": "A", "a": "ground", "b": "crank"},
        {"id": "B", "a": "crank", "pa": (0.1, 0), "b": "rod"},
        {"id": "C", "a": "rod", "pa": (0.4, 0), "b": "ram"},
        {"id": "D", "type": "P", "a": "ground", "pa": (0, 0.02), "b": "ram"},
    ]
    press = ps.planar(bodies | {"ram": {"m": 4.0}}, pins, ["A"], gravity=(0, -9.81))
    push = {"ram": (-300.0, 0, 0), "rod": (10.0, 5.0, 0.3)}
    turn, free = press.turn(20.0, positions=9, loads=push), press.turn(20.0, positions=9)
    ends = (0, 0, 0), (0.4, 0, 0)
    near = turn.section_loads(ps.Bar("rod", *ends, 3.75), cuts=2).wrench
    far = turn.section_loads(ps.Bar("rod", *ends, 3.75, beyond={"wrenches": False}), cuts=2).wrench
    phi = turn.positions["rod"][:, 2]
    axes = np.array([[np.cos(phi), np.sin(phi)], [-np.sin(phi), np.cos(phi)]])
    for wrench, pin in ((near[:, 0], "B"), (far[:, 1], "C")):
        force = np.einsum("ijn,nj->ni", axes, turn.reactions[pin])
        assert np.allclose(wrench[:, :2], force, rtol=0, atol=1e-12 * np.abs(force).max())
        assert np.allclose(wrench[:, 5], 0.0, atol=1e-12 * np.abs(force).max())
    system = press.system()
    study = ps.drive(system, press.system_state([0.0], [0.0])[0], {"A": "20*t"}, save=free.t,
                     duration=free.t[-1])  # fmt: skip
    bar = ps.Bar("rod", *ends, 3.75)
    driven, turned = (motion.section_loads(bar, cuts=3) for motion in (study, free))
    size = np.abs(turned.wrench).max()
    assert np.allclose(driven.wrench[..., :2], turned.wrench[..., :2], rtol=0, atol=1e-9 * size)
    assert driven.heaviest("bending").t == turned.heaviest("bending").t


def test_parallelogram_goes_through_its_branch_point_and_says_so():
    """Check that the rocker keeps the crank's speed and that the change of mode is reported."""
    parallelogram = bars(3.0, 1.0, 3.0)
    assert parallelogram.grashof() == {"C": "change-point"}
    turn = parallelogram.turn(positions=60)
    assert [point.kind for point in turn.points] == ["branch point", "branch point"]
    assert np.allclose([point.coordinate for point in turn.points], [0.0, np.pi])
    assert "meet where the turn begins" in str(turn.points[0])
    assert np.allclose(turn.output_rate("rocker"), 1.0, atol=1e-8)
    assert np.allclose(turn.curve("rod", (1.5, 0))[:, 1], np.sin(turn.x), atol=1e-6)


@pytest.mark.parametrize("positions", [2, 3, 5, 7, 9, 31])
def test_few_positions_of_a_parallelogram_miss_no_branch_point(positions):
    """Check that the rocker stays parallel to the crank however few positions there are."""
    turn = bars(3.0, 1.0, 3.0).turn(positions=positions)
    assert [point.kind for point in turn.points] == ["branch point", "branch point"]
    assert np.allclose(turn.output_rate("rocker"), 1.0, atol=1e-6)
    assert np.allclose(np.exp(1j * turn.positions["rocker"][:, 2]), np.exp(1j * turn.x), atol=1e-6)
    assert np.isfinite(turn.driver_force).all()


def test_turn_ends_at_a_limit_with_a_warning():
    """Check that a driver that cannot go on stops where rod and rocker are stretched."""
    rocking = bars(3.2, 1.0, 4.5)
    assert rocking.grashof() == {"C": "triple-rocker"}
    with pytest.warns(ps.SimulationWarning, match=r"limit at A = 66\.35.*rod, rocker"):
        turn = rocking.turn(start=0.5, positions=50)
    cosine = (1 + 4.5**2 - 4.2**2) / (2 * 4.5)
    assert np.isclose(turn.points[-1].coordinate, np.arccos(cosine))
    assert turn.x[-1] < np.arccos(cosine)


def test_equations_hold_at_computed_positions():
    """Check that each printed equation, read as Python, is true where units place the links."""
    shaper = ps.planar(**SHAPER, modes={"slot": -1})
    poses = shaper.positions([0.7])
    names = {"cos": np.cos, "sin": np.sin, "q_O": 0.7}
    for link, pose in poses.items():
        names |= {f"{letter}_{link}": value for letter, value in zip("xyφ", pose, strict=True)}
    text = str(shaper.equations)
    assert text.splitlines()[0] == "1. driver unit R: crank"
    equations = [line.split(": ")[1] for line in text.splitlines() if line.startswith("  ")]
    assert len(equations) == 9
    for equation in equations:
        left, right = re.sub(r"(?<=[\w)]) (?=[\w(])", "*", equation).split(" = ")
        assert np.isclose(eval(left, names), eval(right, names), atol=1e-12)
    assert r"\varphi_{\mathrm{arm}}" in shaper.equations.latex()
    assert shaper.equations.markdown().count("$") == 2 * len(equations)


def test_mistakes_are_named():
    """Check messages of wrong modes, drivers, links and loads."""
    shaper = ps.planar(**SHAPER, modes={"slot": -1})
    with pytest.raises(ps.ModelError, match="turn: 'A' is not driven"):
        shaper.turn(driver="A")
    with pytest.raises(ps.ModelError, match="speed must be positive"):
        shaper.turn(-1.0)
    with pytest.raises(ps.ModelError, match="'block' is no rocker or slider on the ground"):
        shaper.turn(positions=4).stroke("block")
    with pytest.raises(ps.ModelError, match=r"the load on 'arm' must be \[Fx, Fy, M\]"):
        _ = shaper.turn(positions=4, loads={"arm": [1.0]}).driver_force
    far = [*SHAPER["joints"][:3], SHAPER["joints"][3] | {"b": "arm", "pb": (0, 0.25)}]
    with pytest.raises(ps.AssemblyError, match=r"'slot'.*\(at O = 270°\)"):
        ps.planar(SHAPER["bodies"], far, ["O"]).positions([[0.0], [-np.pi / 2 + 2 * np.pi]])
    with pytest.raises(ps.ModelError, match="speed, start and stop must be real numbers"):
        shaper.turn("60 rpm")
    with pytest.raises(ps.ModelError, match="positions must be a whole number of 2 or more"):
        shaper.turn(positions=36.5)
    with pytest.raises(ps.ModelError, match="curve: point of 'arm' must have 2 numbers"):
        shaper.turn(positions=4).curve("arm", (0.1, 0.0, 0.0))
    with pytest.raises(ps.ShapeError, match=r"'P.pa' must have the shape \(\.\.\., 2\)"):
        shaper.positions([0.1], dimensions={"P.pa": 0.1})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"gravity": (0, 0, -9.81)}, "gravity must have 2 numbers"),
        ({"bodies": ["crank"]}, "bodies must be a dictionary"),
        ({"bodies": SHAPER["bodies"] | {"arm": {"m": -6.0}}}, "'arm': m must not be negative"),
        ({"bodies": SHAPER["bodies"] | {"arm": {"c": 0.3}}}, "'arm': c must have 2 numbers"),
        ({"joints": {"O": ("ground", "crank")}}, "joints must be a list of dictionaries"),
        ({"joints": [SHAPER["joints"][0] | {"pa": (0, 0, 1)}]}, "joint 'O': pa must have 2"),
        ({"springs": [{"id": "s", "a": "ground", "b": "arm", "k": -1}]}, "'s': k must not be neg"),
    ],
)
def test_numbers_of_descriptions_are_checked(change, message):
    """Vectors of space, negative masses and lists in place of names."""
    with pytest.raises(ps.ModelError, match=message):
        ps.planar(**SHAPER | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"points": {"A": (0, 0, 0), "B": (1, 0), "C": (3, 0)}}, "point 'A' must have 2 numbers"),
        ({"points": [(0, 0)]}, "points must have names"),
        ({"links": {"ground": "A", "crank": None}}, "link 'crank' must name its points"),
        ({"masses": {"ram": "1 kg"}}, "masses: 'ram' must be real numbers"),
        ({"slides": {"guide": ("ground", "ram", "C")}}, r"slide 'guide' must be \(carrier"),
    ],
)
def test_numbers_of_sketches_are_checked(change, message):
    """Points of space, missing names and short slides."""
    points = {"A": (0, 0), "B": (1, 0), "C": (3, 0)}
    links = {"ground": "A", "crank": "AB", "rod": "BC", "ram": "C"}
    sketch = {"points": points, "links": links, "slides": {"guide": ("ground", "ram", "C", 0.0)}}
    with pytest.raises(ps.ModelError, match=message):
        ps.sketch(**sketch | {"drivers": ["A"]} | change)


def test_a_turn_that_cannot_begin_names_the_drawing():
    """Check both messages of a 3-RRR, whose other cranks rest at zero unless they are given."""
    mechanism = ps.library.planar_linkage("3-RRR")
    with pytest.raises(ps.AssemblyError, match=r"it is drawn at start=[\d.]+, q=mechanism.drawn"):
        mechanism.turn(2.0)
    with pytest.raises(ps.AssemblyError, match=r"it can: start=[\d.]+$") as error:
        mechanism.turn(2.0, q=mechanism.drawn)
    named = float(str(error.value).rpartition("=")[2])
    for start in (named, float(mechanism.drawn[0])):
        with pytest.warns(ps.SimulationWarning, match="the turn ends there"):
            turn = mechanism.turn(2.0, start=start, q=mechanism.drawn)
        assert np.isclose(turn.x[0], start)
        assert np.all(np.isfinite(turn.driver_force))


def test_turns_end_where_guides_of_a_group_are_parallel():
    """Check the limit at 90° of a pin between a guide that turns and one that stands upright."""
    link = {"m": 1.0, "J": 0.02}
    mechanism = ps.planar(
        {"crank": dict(link), "u": dict(link), "w": dict(link)},
        [{"id": "A", "a": 0, "b": "crank"},
         {"id": "e", "type": "P", "a": "crank", "b": "u"},
         {"id": "f", "a": "u", "b": "w"},
         {"id": "g", "type": "P", "a": 0, "pa": (0.3, 0), "b": "w", "ua": np.pi / 2}],
        ["A"],
    )  # fmt: skip
    with pytest.warns(ps.SimulationWarning, match=r"limit at A = 90°: guides of u, w are parallel"):
        turn = mechanism.turn()
    assert turn.points[-1].kind == "limit"
    assert np.isclose(turn.points[-1].coordinate, np.pi / 2, atol=1e-6)
    assert np.allclose(turn.positions["w"][:, 1], 0.3 * np.tan(turn.x), rtol=1e-6)
    assert np.isfinite(turn.driver_force).all()
    with pytest.warns(ps.SimulationWarning, match="guides of u, w are parallel"):
        back = mechanism.turn(start=2.5, stop=0.0)
    assert np.isclose(back.points[-1].coordinate, np.pi / 2, atol=1e-6)
    run = mechanism.simulate([0.0], [10.0], 2.0, save=0.1)
    assert np.isfinite(run.q).all()
    assert np.max(run.q) < np.pi / 2
