"""Turns, groups and parts against closed forms, closed systems and flat mechanisms."""

from itertools import combinations

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import cam_and_follower, planar_linkage

CRANK, ROD, ROCKER, GROUND = 0.1, 0.4, 0.3, 0.35


def four_bar(a=CRANK, b=ROD, c=ROCKER, d=GROUND, driver="A"):
    """Return a four-bar of these lengths, from the driven pin's ground pin on."""
    return ps.planar(
        {"crank": {"m": 1.0}, "rod": {"m": 1.0}, "rocker": {"m": 1.0}},
        [{"id": "A", "a": "ground", "b": "crank"},
         {"id": "B", "a": "crank", "pa": (a, 0), "b": "rod"},
         {"id": "C", "a": "rod", "pa": (b, 0), "b": "rocker", "pb": (c, 0)},
         {"id": "D", "a": "ground", "pa": (d, 0), "b": "rocker"}], [driver],
    )  # fmt: skip


def test_instant_centre_and_transmission_angle_of_a_four_bar():
    """Check the centre on the lines of crank and rocker, and the law of cosines."""
    turn = four_bar().turn(positions=48)
    theta, phi = turn.x, turn.positions["rocker"][:, 2]
    centre = turn.instant_centre("rod")
    crank, rocker = centre, centre - (GROUND, 0.0)
    for arm, angle in ((crank, theta), (rocker, phi)):
        assert np.allclose(arm[:, 0] * np.sin(angle), arm[:, 1] * np.cos(angle), atol=1e-9)
    cosine = (ROD**2 + ROCKER**2 - CRANK**2 - GROUND**2 + 2 * CRANK * GROUND * np.cos(theta)) / (
        2 * ROD * ROCKER
    )
    expected = np.arccos(np.abs(cosine))
    assert np.allclose(turn.transmission_angles["C"], expected, atol=1e-9)


def test_dwell_of_a_yoke_and_of_a_cam():
    """Check the harmonic's top, of 2 arccos(1 - 2 w), and a dwell that the law of a cam has."""
    yoke = planar_linkage("scotch yoke").turn(positions=7200)
    step = 2 * np.pi / 7200
    for within in (0.01, 0.05):
        assert abs(yoke.dwell("yoke", within) - 2 * np.arccos(1 - 2 * within)) < 2 * step
    rise = [("cycloidal", 1.0, 0.02), ("dwell", 1.5, 0.0), ("cycloidal", 2 * np.pi - 2.5, -0.02)]
    cam = cam_and_follower("flat", law=rise).turn(positions=7200)
    room = 1e-9
    edge = (room * 3 / (2 * np.pi**2)) ** (1 / 3)  # of 1 and 2 π - 2.5 rad, by the first term
    dwell = cam.dwell("follower", room)
    assert 1.5 - 2 * step < dwell < 1.5 + (2 * np.pi - 1.5) * edge + 2 * step
    split = cam_and_follower("flat", law=rise).turn(start=2.0, positions=7200)  # within the dwell
    assert abs(split.dwell("follower", room) - dwell) < 2 * step
    assert np.isclose(split.dwell("follower", 1.0), 2 * np.pi)
    with pytest.raises(ps.ModelError, match="dwell: within must not be negative, got -1"):
        split.dwell("follower", -1.0)


@pytest.mark.parametrize(("kind", "sides"), {
    "double-crank": (0.3, 0.35, 0.3, 0.1), "double-rocker": (0.3, 0.1, 0.25, 0.35),
    "rocker-crank": (0.3, 0.35, 0.1, 0.3), "crank-rocker": (0.1, 0.4, 0.3, 0.35),
    "triple-rocker": (0.2, 0.22, 0.23, 0.5),
}.items())  # fmt: skip
def test_grashof_kinds_say_which_cranks_go_round(kind, sides):
    """Check each kind against the angles at which the four-bar closes, driven at either pivot."""
    goes_round = []
    for lengths in (sides, (sides[2], sides[1], sides[0], sides[3])):
        bar = four_bar(*lengths)
        goes_round.append(all(bar.assemblies([x]) for x in np.linspace(0.01, 2 * np.pi, 90)))
    assert four_bar(*sides).grashof() == {"C": kind}
    expected = {"crank-rocker": [True, False], "rocker-crank": [False, True],
                "double-crank": [True, True]}  # fmt: skip
    assert goes_round == expected.get(kind, [False, False])
    shortest, *middle, longest = sorted(sides)
    assert (kind == "triple-rocker") == (shortest + longest > sum(middle))


def test_class_four_group_has_the_dynamics_of_the_closed_system():
    """Check accelerations and the force in each pin."""
    points = {"O": (0, 0), "A": (0.1, 0.05), "B": (0.4, 0.1), "C": (0.35, 0.45), "E": (0.8, 0.15),
              "F": (0.85, 0.5), "H": (1.2, 0.3)}  # fmt: skip
    links = {"ground": "OH", "crank": "OA", "t1": "ABC", "b1": "BE", "b2": "CF", "t2": "EFH"}
    group = ps.sketch(points, links, drivers=["O"], gravity=(0, -9.81))
    assert [unit.assur_class for unit in group.units] == [None, "IV"]
    q, v = group.drawn + 0.01, np.array([2.0])
    system, state = group.system(), group.system_state(group.drawn + 0.01, np.array([2.0]))
    drives = np.zeros(system.nv)
    drives[system.v_slice("O")] = 0.7
    a = group.forward_dynamics(q, v, [0.7])
    expected = system.forward_dynamics(*state, drives, backend="floats")[system.v_slice("O")]
    assert np.allclose(a, expected, rtol=1e-9)
    wrenches = system.reactions(*state, tau=drives, axes="world", backend="floats")
    forces = group.reactions(q, v, a)
    largest = max(np.abs(force).max() for force in forces.values())
    for joint, force in forces.items():
        assert np.allclose(force, wrenches[joint][:2], rtol=0, atol=1e-9 * largest)


def test_smallest_over_constrained_set_is_carried_by_the_error():
    """Check a brace in the moving loop of a six-bar by counting in all sets of links."""
    block = planar_linkage("Watt I").description
    brace = {"id": "X", "a": "coupler", "pa": (0.1, 0.1), "b": "arm"}
    bodies = {name: {"m": 1.0} for name in block["bodies"]}
    with pytest.raises(ps.OverconstrainedError) as caught:
        ps.planar(bodies, [*block["joints"], brace], ["A"])
    ends = [{str(j["a"]), str(j["b"])} for j in [*block["joints"], brace]]
    names = [*block["bodies"], "0"]
    too_many = [
        set(links) for k in range(2, 7) for links in combinations(names, k)
        if 2 * sum(pair <= set(links) for pair in ends) > 3 * k - 3
    ]  # fmt: skip
    assert len(too_many[0]) == 4
    assert set(caught.value.bodies) == too_many[0] == {"coupler", "rocker", "arm", "link"}


DYAD_BODIES = {"link": {"m": 0.5, "J": 0.01, "c": (0.1, 0)},
               "lever": {"m": 0.5, "J": 0.02, "c": (0.1, 0.02)}}  # fmt: skip


def dyad(length=0.5):
    """Return two pinned links on two ports."""
    return ps.planar(
        DYAD_BODIES,
        [{"id": "E", "a": "in", "b": "link"},
         {"id": "F", "a": "link", "pa": (length, 0), "b": "lever", "pb": (0.4, 0)},
         {"id": "G", "a": "base", "b": "lever"}], [], ports=["in", "base"],
    )  # fmt: skip


def nested():
    """Return a crank that carries a part of two dyads, the second on the first."""
    on_first = {"in": ("one.link", (0.2, 0.05, 0)), "base": ("base", (0.2, 0.1, 0))}
    pair = ps.planar({}, [], [], ports=["in", "base"], parts={
        "one": {"mechanism": dyad(), "ports": {"in": "in", "base": "base"}},
        "two": {"mechanism": dyad(), "ports": on_first},
    })  # fmt: skip
    ports = {"in": ("crank", (0.1, 0, 0)), "base": ("ground", (0.4, 0, 0))}
    crank = {"crank": {"m": 1.0, "J": 0.1, "c": (0.05, 0)}}
    return ps.planar(crank, [{"id": "A", "a": 0, "b": "crank"}], ["A"], gravity=(0, -9.81),
                     parts={"p": {"mechanism": pair, "ports": ports}})  # fmt: skip


def flat(first=0.5, second=0.5):
    """Return the same without parts."""
    bodies = {"crank": {"m": 1.0, "J": 0.1, "c": (0.05, 0)}}
    bodies |= {f"{k}.{name}": body for k in ("one", "two") for name, body in DYAD_BODIES.items()}
    joints = [{"id": "A", "a": 0, "b": "crank"}]
    places = {"one": ("crank", (0.1, 0), (0.4, 0), first),
              "two": ("one.link", (0.2, 0.05), (0.6, 0.1), second)}  # fmt: skip
    for k, (carrier, place, base, length) in places.items():
        joints += [{"id": f"{k}.E", "a": carrier, "pa": place, "b": f"{k}.link"},
                   {"id": f"{k}.F", "a": f"{k}.link", "pa": (length, 0), "b": f"{k}.lever",
                    "pb": (0.4, 0)},
                   {"id": f"{k}.G", "a": 0, "pa": base, "b": f"{k}.lever"}]  # fmt: skip
    return ps.planar(bodies, joints, ["A"], gravity=(0, -9.81))


def same(deep, level, q):
    """Compare accelerations and reactions to 1e-12."""
    a = level.forward_dynamics(q, q, q)
    assert np.allclose(deep.forward_dynamics(q, q, q), a, rtol=1e-12)
    forces = deep.reactions(q, q, q)
    for joint, force in level.reactions(q, q, q).items():
        size = np.abs(force).max()
        assert np.abs(forces[joint if joint == "A" else f"p.{joint}"] - force).max() < 1e-12 * size


def test_parts_of_parts_are_the_flat_mechanism(tmp_path):
    """Check two levels of parts against the flat mechanism, saved and loaded too."""
    q = np.array([[0.3], [2.0]])
    same(nested(), flat(), q)
    same(ps.load_planar(nested().save(tmp_path / "deep.json")), flat(), q)


def test_part_inside_of_a_part_is_replaced():
    """Check each of two parts of a part, its modes, and names and ports that do not fit."""
    q = np.array([[0.3], [2.0]])
    same(nested().with_part("p.one", dyad(0.45)), flat(first=0.45), q)
    same(nested().with_part("p.two", dyad(0.45)), flat(second=0.45), q)
    bent = flat().with_modes(**{"two.F": -1})
    folded = nested().with_part("p.two", dyad().with_modes(F=-1))
    same(folded, bent, q)
    same(nested().with_modes(**{"p.two.F": 1}).with_part("p.two", dyad().with_modes(F=-1)), bent, q)
    whole = nested().description["parts"]["p"]["mechanism"]
    same(nested().with_part("p", ps.PlanarMechanism.from_description(whole)), flat(), q)
    with pytest.raises(ps.ModelError, match=r"there is no part 'p\.three'; .*'p\.one'"):
        nested().with_part("p.three", dyad())
    with pytest.raises(ps.ModelError, match=r"'p\.one' must be replaced by a mechanism"):
        nested().with_part("p.one", None)
    crank = ps.planar({"link": {}}, [{"id": "E", "a": "inn", "b": "link"}], ["E"], ports=["inn"])
    with pytest.raises(ps.ModelError, match="port"):
        nested().with_part("p.one", crank)
