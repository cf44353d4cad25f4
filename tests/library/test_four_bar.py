"""The planar four-bar linkage in space against a reduction to one degree and planar equations."""

import json
from itertools import pairwise
from pathlib import Path

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import four_bar, four_bar_configuration
from tests.library.one_degree import acceleration, along

DATA = Path(__file__).parents[1] / "data"
LENGTHS, GROUND, MASSES, G = (0.3, 0.8, 0.6), 0.7, (1.0, 2.0, 1.5), 9.81
STATES = [(0.8, 3.0, 1), (2.9, -1.7, 1), (-1.2, 5.0, -1)]
PLANAR = [True, True, False, False, False, True]
"""Forces in the plane and moments across it are determined, nothing else."""


def pins(s, branch):
    """Return the four pins: circles about the crank's end and about the fixed pin meet."""
    r, l, c = LENGTHS
    x, y = r * mpmath.cos(s), r * mpmath.sin(s)
    dx, dy = GROUND - x, -y
    d = mpmath.sqrt(dx * dx + dy * dy)
    foot = (l * l - c * c + d * d) / (2 * d)
    height = branch * mpmath.sqrt(l * l - foot * foot)
    end = (x + (foot * dx - height * dy) / d, y + (foot * dy + height * dx) / d)
    return [(0, 0, 0), (x, y, 0), (*end, 0), (GROUND, 0, 0)]


RODS = [(i, i + 1, m) for i, m in enumerate(MASSES)]


def angles(s, branch):
    """Return the absolute angles of the three links, each from its inner pin to its outer one."""
    places = pins(s, branch)
    return [mpmath.atan2(b[1] - a[1], b[0] - a[0]) for a, b in pairwise(places)]


def state(s, rate, branch):
    """Return relative angles, rates and accelerations of the free linkage."""
    second = acceleration(lambda x: pins(x, branch), RODS, s, rate, (0.0, -G, 0.0))
    return [
        np.diff(part, prepend=0.0) for part in along(lambda x: angles(x, branch), s, rate, second)
    ]


def wrapped(angle):
    return np.angle(np.exp(1j * np.asarray(angle)))


@pytest.mark.parametrize(("s", "rate", "branch"), STATES)
def test_accelerations_are_those_of_one_degree(s, rate, branch):
    """Check closed form, rates and forward dynamics against energies along the motion."""
    linkage = four_bar()
    q, v, a = state(s, rate, branch)
    ours = four_bar_configuration(s, branch=branch)
    assert_allclose(wrapped(ours - q), np.zeros(3), atol=1e-13)
    assert_allclose(linkage.constraint_residual(ours), np.zeros(5), atol=1e-14)
    assert_allclose(linkage.constraint_rate(ours, v), np.zeros(5), atol=1e-13)
    assert_allclose(linkage.forward_dynamics(ours, v), a, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize(("s", "rate", "branch"), STATES)
def test_pin_forces_are_those_of_planar_equations(s, rate, branch):
    """Check all four pins against Newton's and Euler's equations of the three links."""
    linkage = four_bar()
    _, v, a = state(s, rate, branch)
    second = a[0]
    flat = along(lambda x: [y for p in pins(x, branch) for y in p[:2]], s, rate, second)
    place, _, acc = (part.reshape(4, 2) for part in flat)
    _, _, turning = along(lambda x: angles(x, branch), s, rate, second)
    A, b = np.zeros((9, 8)), np.zeros(9)
    for k, m in enumerate(MASSES):  # unknown: force at pin i of what is before it on what follows
        centre = (place[k] + place[k + 1]) / 2
        for pin, sign in ((k, 1.0), (k + 1, -1.0)):
            arm = place[pin] - centre
            A[3 * k : 3 * k + 2, 2 * pin : 2 * pin + 2] = sign * np.eye(2)
            A[3 * k + 2, 2 * pin : 2 * pin + 2] = sign * np.array([-arm[1], arm[0]])
        b[3 * k : 3 * k + 2] = m * ((acc[k] + acc[k + 1]) / 2 + [0.0, G])
        b[3 * k + 2] = m * LENGTHS[k] ** 2 / 12 * turning[k]
    forces, rest, *_ = np.linalg.lstsq(A, b, rcond=None)
    assert_allclose(rest, 0.0, atol=1e-18)
    forces = forces.reshape(4, 2)
    found = linkage.reactions(four_bar_configuration(s, branch=branch), v, axes="world")
    for name, force in zip(("crank", "coupler", "rocker"), forces, strict=False):
        assert_allclose(found[name][:2], force, rtol=1e-10, atol=1e-10)
    assert_allclose(found["pin"][:2], -forces[3], rtol=1e-10, atol=1e-10)  # of the frame on it
    assert_allclose([wrench[5] for wrench in found.values()], 0.0, atol=1e-10)


def test_only_what_is_in_the_plane_is_determined():
    """Check mobility, the names of redundant rows, and the mask of every joint."""
    linkage, q = four_bar(), four_bar_configuration(0.8)
    mobility = linkage.mobility(q)
    assert (mobility.degrees, mobility.rank, mobility.n_rows) == (1, 2, 5)
    across = ("pin: translation z", "pin: rotation x", "pin: rotation y")
    assert mobility.redundant == mobility.undetermined == across
    for axes in ("body", "joint", "world"):
        known = linkage.determined_reactions(q, axes=axes)
        assert list(known) == ["crank", "coupler", "rocker", "pin"]
        assert all(mask.tolist() == PLANAR for mask in known.values())
    assert linkage.multipliers(q, np.zeros(3)).determined.tolist() == PLANAR[:5]


def test_published_state():
    """Check the four-bar of the acceptance cases; its masses are the default ones."""
    cases = json.loads((DATA / "screw_impact.json").read_text(encoding="utf-8"))["cases"]
    expected = next(one["expected"] for one in cases if one["id"] == "P08_four_bar")
    linkage, q, v = four_bar(), four_bar_configuration(0.8), expected["qd"]
    assert_allclose(q, expected["q"], rtol=1e-12)
    assert_allclose(linkage.forward_dynamics(q, v), expected["qdd"], rtol=1e-11)
    assert_allclose(linkage.kinetic_energy(q, v), expected["kinetic_energy"], rtol=1e-12)


def test_textbook_positions():
    """Check both assemblies of Norton's four-bar (Design of Machinery, example 4-1)."""
    cases = json.loads((DATA / "benchmarks.json").read_text(encoding="utf-8"))["cases"]
    case = next(one for one in cases if one["id"] == "kin-norton-fourbar")
    model, crank = case["model"]["fourbar"], np.radians(case["model"]["fourbar"]["theta2_deg"])
    lengths = [model[name] for name in ("crank", "coupler", "rocker")]
    for name, branch in (("open", 1), ("crossed", -1)):
        q = four_bar_configuration(crank, lengths=lengths, ground=model["ground"], branch=branch)
        coupler, rocker = np.cumsum(q)[1:]
        expected = {key: float(value) for key, value in case["reference"][name].items()}
        assert_allclose(np.degrees(wrapped(coupler)), expected["theta3_deg"], rtol=1e-12)
        back = np.degrees(wrapped(rocker + np.pi))  # Norton's rocker points to the coupler
        assert_allclose(back, expected["theta4_deg"], rtol=1e-12)


def test_energy_and_closure_over_two_turns():
    """Check that a free run keeps its energy and stays closed."""
    linkage, q = four_bar(), four_bar_configuration(0.8)
    _, v, _ = state(0.8, 9.0, 1)
    run = ps.simulate(linkage, q, v, 1.5, rtol=1e-10)
    energy = run.energy()
    assert_allclose(energy, energy[0], rtol=1e-9)
    assert np.abs(linkage.constraint_residual(run.q)).max() < 1e-11
    assert abs(run.q[-1, 0] - run.q[0, 0]) > 4 * np.pi


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"ground": 3.0}, "make no triangle"),
        ({"branch": 0}, "branch must be 1 or -1, got 0"),
    ],
)
def test_what_cannot_be_assembled_is_refused(arguments, message):
    """Check that the message names the lengths."""
    with pytest.raises(ps.ModelError, match=message):
        four_bar_configuration(0.8, **arguments)
