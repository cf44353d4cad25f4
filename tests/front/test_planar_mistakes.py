"""What users of planar mechanisms get wrong: each message names what it is and what to do."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.formulations.composable.unit_equations import NEARLY_SINGULAR
from poinsot.library import planar_linkage

BODIES = {name: {"m": 1.0, "J": 0.01} for name in ("crank", "rod", "rocker")}


def joints(**changes):
    """Return the joints of a four-bar; "B_pa" is pa of joint B."""
    listed = [
        {"id": "A", "a": "ground", "b": "crank"},
        {"id": "B", "a": "crank", "pa": (0.1, 0), "b": "rod"},
        {"id": "C", "a": "rod", "pa": (0.4, 0), "b": "rocker", "pb": (0.3, 0)},
        {"id": "D", "a": "ground", "pa": (0.35, 0), "b": "rocker"},
    ]
    for name, value in changes.items():
        next(joint for joint in listed if joint["id"] == name[0])[name[2:]] = value
    return listed


def bar(bodies=BODIES, drivers=("A",), listed=None, **changes):
    options = {key: changes.pop(key) for key in ("modes", "ports", "parts") if key in changes}
    return ps.planar(bodies, joints(**changes) if listed is None else listed, drivers, **options)


MASSLESS = {name: {} for name in BODIES}
EXTRA = [
    {"id": "E", "a": "crank", "pa": (0.05, 0), "b": "x"},
    {"id": "F", "a": "x", "pa": (0.1, 0), "b": "rocker", "pb": (0.1, 0)},
]
SPRING = {"id": "s", "a": "crank", "pa": (0.1, 0), "b": "rod", "k": 9.0}
MISTAKES = {
    "drivers 3": (lambda: bar(drivers=3), r"drivers must be a list, e.g. \[\"A\"\].*got 3"),
    "driver 3": (lambda: bar(drivers=[3]), "drivers must be joints.*got 3"),
    "driver without joint": (lambda: bar(drivers=[{"kind": "angle"}]), "drivers must be joints"),
    "no driver": (lambda: bar(drivers=[]), r"0 drivers for 1.*\['crank', 'rod', 'rocker'\] still"),
    "two drivers": (lambda: bar(drivers=["A", "D"]), "2 drivers for 1.*have a driver too many"),
    "a link too many": (
        lambda: bar({**BODIES, "x": {}}, listed=joints() + EXTRA),
        r"\['crank', 'rod', 'rocker', 'x'\] are a structure; take away a link or a pair",
    ),
    "nothing": (lambda: ps.planar({}, [], []), "there are no links: bodies="),
    "joints none": (lambda: ps.planar(BODIES, None, ["A"]), "joints must be a list.*got None"),
    "no name": (lambda: bar(A_id=None), 'a joint has no name: write "id"'),
    "no end": (lambda: bar(A_b=None), "joint 'A' needs the link \"b\""),
    "kind": (lambda: bar(B_type=["R"]), "joint 'B': type must be a word"),
    "pin with a guide": (lambda: bar(B_ua=1.0), "joint 'B': ua belongs to slides"),
    "ground": (lambda: bar({**BODIES, "ground": {}}), "body 'ground': this is what the link that"),
    "ports text": (lambda: bar(ports="in"), "ports must be a list of names.*got 'in'"),
    "port twice": (lambda: bar(ports=["rod"]), "port 'rod' is a body too"),
    "port ground": (lambda: bar(ports=["ground"]), "port 'ground': this is what the link"),
    "modes list": (lambda: bar(modes=["C"]), "modes must be numbers by inner joints"),
    "mode 0": (lambda: bar(modes={"C": 0}), "modes: 'C' must be 1 or -1.*got 0"),
    "mode left": (lambda: bar().with_modes(C="left"), "modes: 'C' must be 1 or -1.*got 'left'"),
    "mode 2": (lambda: bar(modes={"C": 2}).positions([1.0]), r"no assembly mode 2.*\[1, -1\]"),
    "part": (lambda: bar(parts={"x": {"mechanism": 3}}), "part 'x' must be as in"),
    "port of part": (
        lambda: bar(parts={"x": {"mechanism": bar(), "ports": {"in": "rod"}}}),
        "part 'x': there is no port 'in'; there are none",
    ),
    "far": (
        lambda: bar(D_pa=(3, 0)).simulate([1.0], [1.0], 1.0),
        r"'rod' and 'rocker' cannot be joined in 'C'.*at A = 57.2958°",
    ),
    "massless": (lambda: bar(MASSLESS).simulate([1.0], [1.0], 1.0), "driver of A moves no mass"),
    "no force": (
        lambda: bar(MASSLESS).forward_dynamics([1.0], [1.0], [1.0]),
        "forward_dynamics: a driver of A moves no mass",
    ),
    "NaN": (lambda: bar().simulate([np.nan], [1.0], 1.0), "simulate: the start must be finite"),
    "NaN among states": (
        lambda: bar().positions(np.where(np.arange(60) == 7, np.nan, 1.0)[:, None]),
        r"q must be finite, got \[nan\]",
    ),
    "infinite": (lambda: bar().mass_matrix([np.inf]), r"q must be finite, got \[inf\]"),
    "no description": (
        lambda: ps.PlanarMechanism.from_description(None),
        "must be a dictionary.*got None",
    ),
    "loads list": (lambda: bar().bias([1.0], [1.0], loads=[(0, 1, 2)]), "loads must be by link"),
    "loads text": (
        lambda: bar().bias([1.0], [1.0], loads={"rod": ("a", 0, 0)}),
        "loads: the load on 'rod' must be real numbers",
    ),
    "drawn batch": (lambda: bar().draw(np.zeros((3, 1))), "draw: q, one state, must have 1"),
    "shapes": (
        lambda: bar().positions(np.zeros((7, 1)), dimensions={"B.pa": np.ones((5, 2))}),
        r"shapes \[\(5,\), \(7,\)\] of states, loads and dimensions do not go together",
    ),
    "springs": (lambda: bar().with_forces([SPRING, SPRING]), "two springs are called 's'"),
    "spring": (
        lambda: bar().with_forces([SPRING | {"b": "crank"}]),
        "spring 's' needs two different links, not 'crank' twice",
    ),
    "spring without length": (
        lambda: bar().with_forces([SPRING | {"length": 0.1}]).bias([1.0], [0.0]),
        "spring 's': its ends on 'crank' and 'rod' are in one place",
    ),
}


DYAD = ps.planar(
    {"link": {"m": 0.5}, "lever": {"m": 0.5}},
    [
        {"id": "E", "a": "in", "b": "link"},
        {"id": "F", "a": "link", "pa": (0.3, 0), "b": "lever", "pb": (0.3, 0)},
        {"id": "G", "a": "base", "b": "lever"},
    ],
    [],
    ports=["in", "base"],
    modes={"F": 1},
)
PLACES = {"in": ("rocker", (0.1, 0, 0)), "base": ("ground", (0.5, 0, 0))}


LEVER = ps.planar({"x": {}}, [{"id": "E", "a": 1, "b": "x"}], ["E"], ports=[1])
"""A part whose port is called by a number."""


def six_bar(bodies=BODIES, ports=PLACES, mechanism=DYAD, **changes):
    """Return the four-bar with a dyad on its rocker."""
    entry = {"mechanism": mechanism, "ports": ports}
    return bar(bodies, parts={"out": entry}, **changes)


def port_in(place):
    return lambda: six_bar(ports={**PLACES, "in": place})


def pair(**entry):
    return lambda: bar({**BODIES, "s link": {}, "s block": {}}, listed=[*joints(), entry])


ENDS = {"id": "s", "a": "crank", "b": "rocker"}
SHAPER = {
    "points": {"O": (0, 0.3), "P": (0.08, 0.36), "A": (0, 0), "B": (0.16, 0.72), "C": (-0.1, 0.8)},
    "links": {"ground": "OA", "crank": "OP", "block": "P", "arm": "AB", "link": "BC", "ram": "C"},
    "slides": {"slot": ("arm", "block", "P", "AB"), "guide": ("ground", "ram", "C", 0.0)},
    "drivers": ["O"],
}
ROWS = [("crank", "A", "B", 0.1), ("rod", "B", "C", 0.4), ("rocker", "D", "C", 0.3)]


def drawn(**changes):
    """Return a sketched shaper; entries of points, links and slides are changed by name."""
    merged = {k: {**v, **changes.pop(k, {})} for k, v in SHAPER.items() if isinstance(v, dict)}
    return ps.sketch(**{**SHAPER, **merged, **changes})


def listed_lengths(*rows, drivers=("A",)):
    return ps.from_lengths([*ROWS, *rows], ground={"A": (0, 0), "D": (0.35, 0)}, drivers=drivers)


MISTAKES_IN_DRAWINGS = {
    "three links": (
        lambda: drawn(links={"bar": "OB"}),
        "point 'O' joins several links to the ground, and its pins are 'O1' of 'crank', 'O2' of",
    ),
    "three rows": (lambda: listed_lengths(("x", "A", "C", 0.3)), "point 'A' joins.*'A2' of 'x'"),
    "no length": (
        lambda: drawn(points={"C": (0.16, 0.72)}),
        "link 'link': its points 'B', 'C' are",
    ),
    "two grounds": (lambda: drawn(links={"frame": "AB"}), "'ground', 'frame'. are the same link"),
    "guide": (lambda: drawn(slides={"slot": ("arm", "block", "P", "AA")}), "'A' are in one place"),
    "direction": (
        lambda: drawn(slides={"guide": ("ground", "ram", "C", np.nan)}),
        "slide 'guide': direction must be finite",
    ),
    "lengths differ": (
        lambda: listed_lengths(("rod", "B", "C", 0.5)),
        "'rod': B to C is 0.4 m in one row and 0.5 m by others",
    ),
    "curves": (
        lambda: drawn().turn(positions=9).plot(curves=[("link", "B")]),
        "plot: curves must be points by link",
    ),
}
MISTAKES_IN_PARTS = MISTAKES_IN_DRAWINGS | {
    "link there": (
        lambda: six_bar({**BODIES, "out.lever": {"m": 7.0}}),
        "part 'out' has a link 'out.lever', and there is one already",
    ),
    "links alike": (lambda: bar({**BODIES, 1: {}, "1": {}}), "link '1' is there twice"),
    "ports alike": (lambda: bar(ports=["in", "in"]), "port 'in' is there twice"),
    "port none": (lambda: bar(ports=[None]), "ports must be names.*got None"),
    "block there": (pair(type="slot", **ENDS), "slot 's' has a link 's block'"),
    "circles there": (pair(type="circles", radii=(1, 2), **ENDS), "circles 's' has a link"),
    "place flat": (port_in(("rocker", 0.1, 0, 0)), r"port 'in' must be a link, or a place on one"),
    "place short": (port_in(("rocker", (0.1, 0))), "port 'in': .*on link 'rocker' must have 3"),
    "place NaN": (port_in(("rocker", (np.nan, 0, 0))), "on link 'rocker' must be finite, got .nan"),
    "place text": (port_in(("rocker", "abc")), "on link 'rocker' must be real numbers"),
    "place none": (port_in(None), "port 'in' must be a link.*got None"),
    "place keys": (port_in({"link": "rocker"}), "port 'in' must be a link.*got {'link'"),
    "no such link": (
        port_in(("roker", (0, 0, 0))),
        "port 'in' is to be on link 'roker', which there is not; did you mean 'rocker'",
    ),
    "no such port": (lambda: six_bar(ports={**PLACES, "inn": "rod"}), "no port 'inn'; did you"),
    "port given twice": (
        lambda: six_bar(ports={1: "rod", "1": "rocker"}, mechanism=LEVER),
        "part 'out': port '1' is given twice",
    ),
    "port free": (lambda: six_bar(ports={"in": "rod"}), "port 'base' is free; say which link"),
    "ports pairs": (lambda: six_bar(ports=[("in", "rod")]), "part 'out': ports must be links by"),
    "key": (lambda: bar(parts={"out": {"mechanism": DYAD, "port": PLACES}}), "mean 'ports'"),
    "bare": (lambda: bar(parts={"out": DYAD}), r"part 'out': say where its ports \['in', 'base'\]"),
    "list": (lambda: bar(parts=[DYAD]), "parts must be a dictionary"),
    "no name": (lambda: bar(parts={"": {"mechanism": DYAD}}), "a part must have a name"),
    "replaced": (lambda: six_bar().with_part("out", 3), r"ports \['in', 'base'\], got 3"),
    "centre": (lambda: bar().turn().instant_centre("rod", "rocer"), "mean 'rocker'"),
    "centre of itself": (lambda: bar().turn().instant_centre("0", "ground"), "two different links"),
    "path": (lambda: bar().turn().curve(["rod"], (0, 0)), r"curve: there is no link \['rod'\]"),
    "path of the ground": (lambda: bar().turn().curve("ground", "A"), "'ground' has no point 'A'"),
    "unit": (lambda: bar().unit("ground"), "unit: 'ground' is the link that rests; name a moving"),
    "load": (
        lambda: bar().bias([1.0], [1.0], loads={"ground": (0, 0, 1)}),
        "loads: 'ground' is the link that rests",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES_IN_PARTS)
def test_mistakes_in_parts_and_names_are_told(mistake):
    """Check the message of each mistake with parts, their ports, and names of links."""
    attempt, message = MISTAKES_IN_PARTS[mistake]
    with pytest.raises(ps.PoinsotError, match=message):
        attempt()


def test_the_larger_mechanism_decides_modes_of_its_parts(tmp_path):
    """Check that an assembly chosen in the whole is there after saving, and ports as lists."""
    whole = six_bar().with_modes(**{"out.F": -1})
    again = ps.load_planar(whole.save(tmp_path / "whole.json"))
    assert again.modes == {"out.F": -1}
    poses = whole.positions([0.5])
    assert all(np.array_equal(pose, poses[k]) for k, pose in again.positions([0.5]).items())


def test_the_ground_has_its_names_in_questions():
    """Check centres of velocity against the ground by each of its names."""
    turn = bar().turn(positions=12)
    centre = turn.instant_centre("rod")
    for name in (0, "0", "ground", "frame", "world"):
        assert np.array_equal(turn.instant_centre("rod", name), centre)
        assert np.array_equal(turn.instant_centre(name, "rod"), centre)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_told_with_what_to_do(mistake):
    """Check the message of each mistake."""
    attempt, message = MISTAKES[mistake]
    with pytest.raises(ps.PoinsotError, match=message):
        attempt()


def test_triads_that_do_not_reach_say_so():
    """Check a plate whose legs are too short: no assemblies, and a message that says why."""
    corners = [(0.0, 0.0), (10.0, 0.0), (0.0, 10.0)]
    listed = []
    for leg, corner in zip("pqr", corners, strict=True):
        listed.append({"id": f"A{leg}", "a": "ground", "pa": corner, "b": leg})
        listed.append({"id": f"C{leg}", "a": leg, "pa": (1, 0), "b": "plate", "pb": corner})
        listed[-1]["pb"] = (0.1 * corner[0], 0.1 * corner[1])
    short = ps.planar({name: {} for name in ("p", "q", "r", "plate")}, listed, [])
    assert short.assemblies([]) == []
    with pytest.raises(ps.AssemblyError, match=r"'plate'.*in any mode.*change lengths"):
        short.positions([])


def test_springs_may_be_relaxed_at_no_length():
    """Check a spring whose ends meet: it pulls with k d, nothing where they are in one place."""
    without = bar().inverse_dynamics([1.0], [1.0], [0.0])
    assert np.allclose(bar().with_forces([SPRING]).inverse_dynamics([1.0], [1.0], [0.0]), without)
    pulled = bar().with_forces([SPRING | {"b": "ground", "pb": (0.35, 0)}])
    h = 1e-6
    energy = [0.5 * 9.0 * ((0.1 * np.cos(x) - 0.35) ** 2 + (0.1 * np.sin(x)) ** 2)
              for x in (1.0 - h, 1.0 + h)]  # fmt: skip
    torque = pulled.inverse_dynamics([1.0], [1.0], [0.0]) - without
    assert np.allclose(torque, (energy[1] - energy[0]) / (2 * h), rtol=1e-6)


@pytest.mark.parametrize("distance", 10.0 ** -np.arange(1, 13))
def test_near_dead_points_all_is_finite_or_refused(distance):
    """Check forces and motions of a stretched four-bar at angles ever nearer to the limit."""
    mechanism = bar(D_pa=(0.7, 0))
    limit = np.arccos((0.1**2 + 0.7**2 - 0.7**2) / (2 * 0.1 * 0.7))
    q, v, a = np.array([limit - distance]), np.array([1.0]), np.array([0.0])
    assert np.isfinite(mechanism.positions(q)["rod"]).all()
    if mechanism.nearness(q)["rod", "rocker"] < NEARLY_SINGULAR:
        with pytest.raises(ps.SingularUnitError, match=r"'rod', 'rocker'.*at A = 85.9"):
            mechanism.reactions(q, v, a)
        return
    motions = mechanism.accelerations(q, v, a), mechanism.reactions(q, v, a)
    assert all(np.isfinite(x).all() for entry in motions for x in entry.values())
    assert np.isfinite(mechanism.forward_dynamics(q, v, a)).all()


def test_the_ground_is_called_so_in_messages():
    pins = [("A", "ground", "a"), ("B", "a", "b"), ("C", "b", "ground"), ("D", "ground", "b")]
    joints = [{"id": n, "a": a, "b": b, "pa": (0.3 * k, 0)} for k, (n, a, b) in enumerate(pins)]
    with pytest.raises(ps.OverconstrainedError, match="'ground'"):
        ps.planar({"a": {}, "b": {}}, joints, [])


def test_angles_in_degrees_and_times_that_are_none_are_told():
    """Check a turn of 360 rad, and a word in the place of the time."""
    with pytest.raises(ps.ModelError, match=r"36 rad apart, more than half a turn.*np.radians"):
        bar().turn(1.0, stop=360.0, positions=10)
    with pytest.raises(ps.PoinsotError, match=r"t must be"):
        bar().positions([1.0], t="soon")


def test_summaries_show_no_rounding():
    """A cylinder without mass takes no force across; a stroke of 1e-17 m is 0."""
    arm = planar_linkage("excavator arm")
    start = float(arm.drawn[0])
    turn = arm.turn(driver="boom cylinder", q=arm.drawn, start=start, stop=start + 0.1, positions=9)
    text = str(turn)
    assert "no force in boom cylinder" in text
    assert "e-" not in text
