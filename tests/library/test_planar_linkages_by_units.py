"""The planar mechanisms of the library by units, against the same ones as closed systems."""

from functools import partial

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import planar_linkage
from poinsot.library.planar_linkages import PLANAR_LINKAGES

CLOSED = 1e-9
TURNING = [name for name, entry in PLANAR_LINKAGES.items() if len(entry.drivers) == 1]


def sliding_triad(slides):
    """Return a plate on a rod and two sliders, or on one slider and a rocker."""
    points = {"A": (0, 0), "B": (0.05, 0.03), "C": (0.25, 0.3), "F": (0.1, 0.45), "G": (0.4, 0.5)}
    links = {"ground": "A", "crank": "AB", "rod": "BC", "plate": "CFG", "slider": "F"}
    guides = {"f": ("ground", "slider", "F", 0.3)}
    if slides == 2:
        links |= {"other": "G"}
        guides |= {"g": ("crank", "other", "G", 1.2)}
    else:
        points |= {"D": (0.5, 0)}
        links |= {"ground": "AD", "rocker": "DG"}
    return ps.sketch(points, links, slides=guides, drivers=["A"], masses={"slider": 1, "other": 2}
                     if slides == 2 else {"slider": 1.0})  # fmt: skip


MAKERS = {name: partial(planar_linkage, name) for name in PLANAR_LINKAGES}
MAKERS |= {f"triad with {n} slides": partial(sliding_triad, n) for n in (1, 2)}


@pytest.mark.parametrize("name", MAKERS)
def test_units_agree_with_the_closed_system(name):
    """Check drawing, accelerations and every pin's force at a state away from the drawing."""
    linkage = MAKERS[name]()
    drawn = linkage.positions(linkage.drawn)
    for link, pose in linkage.linkage.drawn.items():
        assert np.allclose(np.exp(1j * drawn[link]), np.exp(1j * pose), atol=1e-12)
    q = linkage.drawn + 0.07
    v, tau = np.linspace(0.5, 0.9, len(q)), np.linspace(-1.0, 1.5, len(q))
    a = linkage.forward_dynamics(q, v, tau)
    assert np.allclose(linkage.inverse_dynamics(q, v, a), tau, rtol=1e-10, atol=1e-10)
    assert np.allclose(linkage.mass_matrix(q), linkage.mass_matrix(q).T, rtol=1e-12)
    system = linkage.system()
    assert set(linkage.linkage.drivers) <= set(system.joint_names)
    q_all, v_all = linkage.system_state(q, v)
    drives = np.zeros(system.nv)
    for k, joint in enumerate(linkage.linkage.drivers):
        drives[system.v_slice(joint)] = tau[k]
    expected = system.forward_dynamics(q_all, v_all, drives, backend="floats")
    order = [system.v_slice(joint).start for joint in linkage.linkage.drivers]
    assert np.allclose(a, expected[order], rtol=CLOSED, atol=CLOSED)
    wrenches = system.reactions(q_all, v_all, tau=drives, axes="world", backend="floats")
    for joint, force in linkage.reactions(q, v, a).items():
        if linkage.linkage.by_name[joint].kind == "R":
            assert np.allclose(force, wrenches[joint][:2], rtol=CLOSED, atol=1e-8)


def test_springs_and_dampers_are_those_of_the_closed_system():
    """Check a spring between rods, one in a pin and damping in pin and guide."""
    spring = {"id": "s", "a": "ground", "pa": (0.1, -0.2), "b": "rod", "pb": (0.1, 0.05),
              "k": 300.0, "c": 4.0, "length": 0.1}  # fmt: skip
    passive = {"B": {"c": 0.5}, "guide": {"c": 6.0, "k": 80.0, "rest": -0.03}}
    press = planar_linkage("slider-crank").with_forces([spring], passive)
    q, v, tau = np.array([0.9]), np.array([3.0]), np.array([0.7])
    system = press.system()
    drives = np.zeros(system.nv)
    drives[system.v_slice("A")] = tau
    expected = system.forward_dynamics(*press.system_state(q, v), drives, backend="floats")
    a = press.forward_dynamics(q, v, tau)
    assert np.allclose(a, expected[system.v_slice("A")], rtol=1e-11)
    assert abs(a - planar_linkage("slider-crank").forward_dynamics(q, v, tau)) > 1.0
    with pytest.raises(ps.ModelError, match="spring 't': there is no link 'rods'"):
        press.with_forces([spring | {"id": "t", "b": "rods"}])


def test_cranks_turn_all_the_way():
    """Check that each crank turns without a limit, and a slotted lever's ratio of times."""
    for name in set(TURNING) - {"Stephenson II", "double A-arm"}:
        linkage = planar_linkage(name)
        turn = linkage.turn(start=linkage.drawn[0], positions=24)
        assert {point.kind for point in turn.points} <= {"dead point"}
        assert np.allclose(turn.curve("crank", (0, 0)), turn.curve("crank", (0, 0))[0])
    with pytest.raises(ps.ModelError, match="curve: 'crank' has no point 'X'"):
        turn.curve("crank", "X")
    yoke = planar_linkage("scotch yoke").turn(2.0, positions=24)
    assert np.allclose(yoke.output("yoke"), 0.1 * np.cos(yoke.x) - 0.08, atol=1e-12)
    pantograph = planar_linkage("pantograph")
    q = pantograph.drawn + np.array([[0.1, 0.2], [-0.3, 0.1]])
    x, y, angle = pantograph.positions(q)["pen arm"].T
    pen = np.stack([x + np.hypot(0.2, 0.4) * np.cos(angle), y + np.hypot(0.2, 0.4) * np.sin(angle)])
    assert np.allclose(pen.T, 2.0 * pantograph.joint_places(q)["D"])


def test_six_bar_of_a_four_bar_and_a_dyad_is_the_flat_one(tmp_path):
    """Check nested against flat to 1e-12, a saved and loaded one, and a part that is replaced."""
    flat = planar_linkage("Watt II")
    block = flat.description
    joints = {joint["id"]: joint for joint in block["joints"]}
    inner = ("link", "output")
    dyad = ps.planar(
        {name: block["bodies"][name] for name in inner},
        [joints["E"] | {"a": "in"}, joints["F"], joints["G"] | {"a": "base"}],
        [], ports=["in", "base"], modes={"F": flat.modes["F"]},
    )  # fmt: skip
    bodies = {name: entry for name, entry in block["bodies"].items() if name not in inner}
    own = [joint for name, joint in joints.items() if name in "ABCD"]
    parts = {"out": {"mechanism": dyad, "ports": {"in": "rocker", "base": "ground"}}}
    nested = ps.planar(bodies, own, ["A"], gravity=(0, -9.81), modes={"C": 1}, parts=parts)
    q = np.array([[0.3], [2.0]])
    expected = flat.reactions(q, q, q)
    for name, force in nested.reactions(q, q, q).items():
        assert np.allclose(force, expected[name.removeprefix("out.")], rtol=1e-12, atol=1e-12)
    loaded = ps.load_planar(nested.save(tmp_path / "six_bar.json"))
    assert np.array_equal(loaded.mass_matrix(q), nested.mass_matrix(q))
    assert list(loaded.description["parts"]) == ["out"]
    other = dyad.with_modes(F=-flat.modes["F"])
    turned = nested.with_part("out", other).positions(q)["out.output"]
    assert np.allclose(turned, flat.with_modes(F=-flat.modes["F"]).positions(q)["output"])
    twice = ps.planar(
        {}, [], [], modes={},
        parts={"drive": {"mechanism": nested}},
    )  # fmt: skip
    assert np.allclose(twice.mass_matrix(q), flat.mass_matrix(q), rtol=1e-12)
    shifted = {"in": ("rocker", (0.1, 0, 0.2)), "base": "ground"}
    moved = ps.planar(bodies, own, ["A"], parts={"out": {"mechanism": dyad, "ports": shifted}})
    x, y = joints["E"]["pa"]
    expected = (0.1 + np.cos(0.2) * x - np.sin(0.2) * y, np.sin(0.2) * x + np.cos(0.2) * y)
    assert np.allclose(moved.linkage.by_name["out.E"].pa, expected)
    with pytest.raises(ps.ModelError, match="port 'base' is free"):
        ps.planar(bodies, own, ["A"], parts={"out": {"mechanism": dyad, "ports": {"in": "rocker"}}})
    with pytest.raises(ps.ModelError, match=r"free ports \['in', 'base'\]"):
        dyad.positions([])
    with pytest.raises(ps.ModelError, match="there is no 'Wat II'; did you mean 'Watt II'"):
        planar_linkage("Wat II")
    with pytest.raises(ps.ModelError, match="link 'rod': there is no point 'X'"):
        ps.sketch({"A": (0, 0)}, {"ground": "A", "rod": "AX"}, drivers=["A"])
