"""Planar mechanisms from tables of lengths, pins in slots, sketches with gears."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.formulations.composable.plane import point_at

ROWS = [("crank", "A", "B", 0.1), ("rod", "B", "C", 0.4), ("rod", "B", "E", 0.3),
        ("rod", "C", "E", 0.25), ("rocker", "D", "C", 0.3)]  # fmt: skip
GROUND = {"A": (0, 0), "D": (0.35, 0)}


def test_lengths_are_those_of_the_table(tmp_path):
    """Check every distance of a four-bar with a coupler point, also from a file."""
    path = tmp_path / "bar.csv"
    lines = ["link,from,to,length", *(",".join(map(str, row)) for row in ROWS)]
    path.write_text("\n".join(lines))
    for table, side in ((ROWS, 1), (str(path), -1)):
        bar = ps.from_lengths(table, GROUND, drivers=["A"], sides={"E": side})
        poses = bar.positions([0.7])
        links = bar.linkage.links
        places = {}
        for name, link in links.items():
            for point, local in link.points.items():
                place = point_at(poses[name], np.array(local))
                assert np.allclose(places.setdefault(point, place), place, atol=1e-12)
        for _, first, last, length in ROWS:
            assert np.isclose(np.hypot(*(places[first] - places[last])), length)
        along, across = places["C"] - places["B"], places["E"] - places["B"]
        assert np.sign(along[0] * across[1] - along[1] * across[0]) == side
    assert bar.grashof() == {"C": "crank-rocker"}
    assert np.isclose(links["rocker"].inertia, 0.3 * 0.3**2 / 12)


@pytest.mark.parametrize("rounding", [0.0, 2e-5, -2e-5])
@pytest.mark.parametrize("ends", ["BC", "CB"])
def test_three_points_on_one_line(ends, rounding):
    """Check a coupler point on the line of its pins, in rounded lengths: between, and beyond."""
    near, far = ends
    for there, back, share in ((0.15, 0.25, 0.375), (0.2, 0.6, -0.5)):
        rod = [("rod", *ends, 0.4), ("rod", near, "E", there), ("rod", far, "E", back + rounding)]
        bar = ps.from_lengths([ROWS[0], *rod, ROWS[-1]], GROUND, drivers=["A"])
        places = {k: np.array(x) for k, x in bar.linkage.links["rod"].points.items()}
        apart = places["E"] - places[near] - share * (places[far] - places[near])
        assert np.hypot(*apart) < (1e-8 if rounding == 0.0 else 0.01)
    with pytest.raises(ps.ModelError, match=r"0\.1 and 0\.2 m to 'E' do not meet over 0\.4 m"):
        ps.from_lengths(
            [ROWS[0], ("rod", "B", "C", 0.4), ("rod", "B", "E", 0.1), ("rod", "C", "E", 0.2),
             ROWS[-1]], GROUND, drivers=["A"],
        )  # fmt: skip


def test_slides_of_the_table():
    """Check a slider-crank whose slider has its point from the slide alone."""
    engine = ps.from_lengths(
        ROWS[:2], {"A": (0, 0)}, drivers=["A"], slides={"guide": ("ram", "C", (0, 0.05), 0.0)},
        masses={"ram": 2.0},
    )  # fmt: skip
    poses = engine.positions([0.3])
    x = 0.1 * np.cos(0.3) + np.sqrt(0.4**2 - (0.1 * np.sin(0.3) - 0.05) ** 2)
    assert np.allclose(poses["ram"], (x, 0.05, 0.0))
    assert ps.verify(engine).ok


def test_a_pin_in_a_slot_is_a_block_on_a_slide():
    """Check a crank and slotted lever by its pin in the slot, and by its block."""
    bodies = {"crank": {"m": 1.0, "J": 0.01}, "arm": {"m": 2.0, "J": 0.1}}
    pins = [{"id": "O", "a": "ground", "pa": (0, 0.3), "b": "crank"},
            {"id": "A", "a": "ground", "b": "arm"}]  # fmt: skip
    short = ps.planar(
        bodies, [*pins, {"id": "S", "type": "slot", "a": "arm", "b": "crank", "pb": (0.1, 0)}],
        ["O"], modes={"S": -1},
    )  # fmt: skip
    long = ps.planar(
        {**bodies, "block": {}},
        [*pins, {"id": "P", "a": "crank", "pa": (0.1, 0), "b": "block"},
         {"id": "S", "type": "P", "a": "arm", "b": "block"}], ["O"], modes={"S": -1},
    )  # fmt: skip
    q = np.linspace(0, 6, 20)[:, None]
    assert np.allclose(short.positions(q)["arm"], long.positions(q)["arm"])
    assert np.allclose(short.mass_matrix(q), long.mass_matrix(q))
    pin = short.joint_places(q)["S pin"]
    assert np.allclose(pin, (0, 0.3) + 0.1 * np.concatenate([np.cos(q), np.sin(q)], axis=-1))
    assert ps.PlanarMechanism.from_description(short.description).units == short.units
    with pytest.raises(ps.ModelError, match="slot 'S': there is no key 'beta'"):
        ps.planar(bodies, [*pins, {"id": "S", "type": "slot", "a": "arm", "b": "crank", "beta": 1}],
                  ["O"])  # fmt: skip


def test_a_ground_of_guides_alone_needs_no_points():
    """Check the ellipsograph: the middle of its rod stays on a circle, other points on ellipses."""
    trammel = ps.sketch(
        {"A": (0.3, 0), "B": (0, 0.4), "M": (0.15, 0.2), "E": (0.06, 0.32)},
        {"x": "A", "y": "B", "rod": "AMEB"},
        slides={"along x": ("ground", "x", "A", 0.0), "along y": ("ground", "y", "B", np.pi / 2)},
        drivers=["A"],
    )
    turn = trammel.turn(positions=36)
    assert np.allclose(np.hypot(*turn.curve("rod", "M").T), 0.25)
    x, y = turn.curve("rod", "E").T
    assert np.allclose((x / 0.1) ** 2 + (y / 0.4) ** 2, 1.0)


def test_sketches_take_gears():
    """Check a geared five-bar that is sketched: the gear meshes as it is drawn."""
    five = ps.sketch(
        {"A": (0, 0), "B": (0.05, 0.08), "C": (0.25, 0.3), "D": (0.42, 0.1), "E": (0.4, 0)},
        {"ground": "AE", "left": "AB", "one": "BC", "two": "DC", "right": "ED"}, drivers=["A"],
        pairs=[{"id": "mesh", "type": "gear", "a": "left", "b": "right", "ratio": -2.0}],
    )  # fmt: skip
    for link, pose in five.positions(five.drawn).items():
        expected = five.linkage.drawn[link]
        assert np.allclose(np.exp(1j * pose), np.exp(1j * expected), atol=1e-9)
    rates = five.velocities(five.drawn, [1.0])
    assert np.isclose(rates["right"][2], -2.0)


def test_mistakes_are_named(tmp_path):
    """Check rows, files and points that cannot be."""

    def refused(match, rows=ROWS, **how):
        with pytest.raises(ps.ModelError, match=match):
            ps.from_lengths(rows, GROUND, drivers=["A"], **how)

    refused("must be positive, between two points", [("crank", "A", "B", -0.1)])
    refused("a row is .link, from, to, length", [("crank", "A", "B")])
    refused("'long' is no length", [("crank", "A", "B", "long")])
    refused("0.1 and 0.1 m to 'E' do not meet over 0.4 m",
            [("rod", "B", "C", 0.4), ("rod", "B", "E", 0.1), ("rod", "C", "E", 0.1)])  # fmt: skip
    refused("needs distances from two points", [("rod", "B", "C", 0.4), ("rod", "B", "E", 0.1)])
    refused("no link has a point 'Q'", sides={"Q": 1})
    refused("points of the ground as places", [("ground", "A", "D", 0.4)])
    refused("slide 'g' must be", slides={"g": ("ram", "C")})
    refused("masses: there is no link 'rods'; did you mean 'rod'", masses={"rods": 1.0})
    path = tmp_path / "bad.csv"
    path.write_text("name,a,b,l\ncrank,A,B,0.1\n")
    refused("the columns must be link, from, to, length", path)
