"""Masses and inertias of plates against integrals, and how links take them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

import poinsot as ps
from poinsot.model.planar.plate import plate_body
from tests.random_examples import examples

STEEL = {"thickness": 0.01, "density": 7850.0}


@given(st.floats(0.05, 0.5), st.floats(0.01, 0.2), st.floats(-3, 3))
@settings(max_examples=examples(10), deadline=None)
def test_a_bar_with_rounded_ends(length, width, angle):
    """Check area and inertia by integrals over chords, wherever the bar lies."""
    r, p = width / 2, np.array([0.3, -0.1])
    q = p + length * np.array([np.cos(angle), np.sin(angle)])
    body = plate_body({"shape": {"bar": [p, q], "width": width}, **STEEL}, "bar")

    def half_chord(y):
        return length / 2 + np.sqrt(r**2 - y**2)

    area = quad(lambda y: 2 * half_chord(y), -r, r, epsabs=0, epsrel=1e-12)[0]
    polar = quad(
        lambda y: 2 * half_chord(y) ** 3 / 3 + 2 * half_chord(y) * y**2, -r, r, epsabs=0,
        epsrel=1e-12,
    )[0]  # fmt: skip
    assert np.isclose(body.mass, 78.5 * area, rtol=1e-9)
    assert np.isclose(body.inertia, 78.5 * polar, rtol=1e-9)
    assert np.allclose(body.com, (p + q) / 2, atol=1e-14)


@given(st.integers(0, 10**6), st.integers(4, 8))
@settings(max_examples=examples(10), deadline=None)
def test_polygons_are_sums_of_triangles(seed, n):
    """Check star-shaped polygons, either way round, against their triangles."""
    rng = np.random.default_rng(seed)
    angles = (np.arange(n) + rng.uniform(0, 0.5, n)) * 2 * np.pi / n
    corners = rng.uniform(0.1, 0.3, n)[:, None] * np.stack([np.cos(angles), np.sin(angles)], -1)
    place = rng.normal(size=2)
    whole = plate_body({"shape": {"polygon": (corners + place)[::-1]}, **STEEL}, "polygon")
    mass, moment, second = 0.0, np.zeros(2), 0.0
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        m = 78.5 * (a[0] * b[1] - a[1] * b[0]) / 2
        middles = np.array([a / 2, b / 2, (a + b) / 2])  # exact for second moments
        mass, moment = mass + m, moment + m * (a + b) / 3
        second += m / 3 * np.sum(middles**2)
    com = moment / mass
    assert np.isclose(whole.mass, mass, rtol=1e-9)
    assert np.allclose(whole.com, com + place, atol=1e-9)
    assert np.isclose(whole.inertia, second - mass * com @ com, rtol=1e-8, atol=1e-12)


def test_discs_holes_and_given_masses():
    """Check a ring, a plate with a hole off its middle, and a mass that is given."""
    ring = plate_body(
        {"shape": [{"disc": (0.1, 0), "radius": 0.05}, {"disc": (0.1, 0), "radius": 0.03,
                                                         "hole": True}], **STEEL}, "ring",
    )  # fmt: skip
    assert np.isclose(ring.mass, 78.5 * np.pi * (0.05**2 - 0.03**2))
    assert np.isclose(ring.inertia, ring.mass * (0.05**2 + 0.03**2) / 2)
    assert np.allclose(ring.com, (0.1, 0))
    square = {"polygon": [(0, 0), (0.2, 0), (0.2, 0.1), (0, 0.1)]}
    plate = plate_body({"shape": square, "m": 3.0}, "plate")
    assert np.isclose(plate.inertia, 3.0 * (0.2**2 + 0.1**2) / 12)
    hub = {"disc": (0, 0.05), "radius": 0.02, "thickness": 0.03}
    both = plate_body({"shape": [square, hub], **STEEL}, "plate")
    disc = 235.5 * np.pi * 0.02**2
    assert np.isclose(both.mass, 78.5 * 0.02 + disc)
    assert np.isclose(both.com[0], 78.5 * 0.02 * 0.1 / both.mass)


def test_links_sketches_and_files_take_shapes(tmp_path):
    """Check a crank of a plate, its drawing, a file, and a sketch of plates."""
    bar = {"bar": [(0, 0), (0.1, 0)], "width": 0.03}
    crank = ps.planar({"crank": {"shape": bar, **STEEL}}, [{"id": "A", "a": 0, "b": "crank"}],
                      ["A"])  # fmt: skip
    expected = plate_body({"shape": bar, **STEEL}, "bar")
    inertia = expected.inertia + expected.mass * 0.05**2
    assert np.allclose(crank.mass_matrix([0.0]), inertia)
    crank.save(tmp_path / "crank.json")
    assert np.allclose(ps.load_planar(tmp_path / "crank.json").mass_matrix([0.0]), inertia)
    crank.draw([0.3], tmp_path / "crank.png")
    points = {"A": (0, 0), "B": (0.1, 0), "C": (0.4, 0.2), "D": (0.4, 0), "E": (0.3, 0.4)}
    links = {"ground": "AD", "crank": "AB", "coupler": "BCE", "rocker": "DC"}
    four = ps.sketch(points, links, drivers=["A"], plate={"width": 0.03, **STEEL})
    assert np.isclose(four.linkage.links["crank"].mass, expected.mass)
    assert np.isclose(four.linkage.links["coupler"].mass, 78.5 * abs(0.3 * 0.4 - 0.2 * 0.2) / 2)
    heavy = ps.sketch(points, links, drivers=["A"], plate={"width": 0.03, **STEEL},
                      masses={"crank": 5.0})  # fmt: skip
    assert np.isclose(heavy.linkage.links["crank"].mass, 5.0)


def test_mistakes_are_named():
    """Check shapes that are none, and numbers that are missing or too many."""

    def refused(match, **entry):
        with pytest.raises(ps.ModelError, match=match):
            ps.planar({"a": entry}, [{"id": "A", "a": 0, "b": "a"}], ["A"])

    bar = {"bar": [(0, 0), (0.1, 0)], "width": 0.03}
    refused("body 'a': its shape needs a thickness", shape=bar)
    refused("J follows from its shape", shape=bar, J=1.0, **STEEL)
    refused("no key 'with'; did you mean 'width'", shape={**bar, "with": 1}, **STEEL)
    refused("a shape is one of bar, disc, polygon", shape={"circle": 1}, **STEEL)
    refused("width .m. must be positive", shape={"bar": [(0, 0), (1, 0)]}, **STEEL)
    refused("has no area", shape={"polygon": [(0, 0), (1, 0), (2, 0)]}, **STEEL)
    refused("three corners", shape={"polygon": [(0, 0), (1, 0)]}, **STEEL)
    refused("holes take away all", shape={**bar, "hole": True}, **STEEL)
    refused("density needs a shape", m=1.0, density=7850)
    with pytest.raises(ps.ModelError, match="plate must have the keys width, thickness, density"):
        ps.sketch({"A": (0, 0), "B": (1, 0)}, {"ground": "A", "b": "AB"}, drivers=["A"],
                  plate={"width": 0.1})  # fmt: skip
