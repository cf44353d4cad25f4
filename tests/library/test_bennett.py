"""Bennett's linkage: it moves, and what carries it in three more ways than it needs is unknown."""

import json
from pathlib import Path

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import bennett, bennett_configuration
from tests.library.one_degree import acceleration, along

DATA = Path(__file__).parents[1] / "data"
A, ALPHA, BETA, MASSES, G = 1.0, np.radians(40.0), np.radians(70.0), (1.0, 1.5, 1.2), 9.81
B = A * np.sin(BETA) / np.sin(ALPHA)
LENGTHS, TWISTS = (A, B, A), (ALPHA, BETA, ALPHA)


def angles(s):
    """Return θ1, θ2, θ3 from the published relation of half angles."""
    al, be = mpmath.mpf(ALPHA), mpmath.mpf(BETA)
    ratio = mpmath.sin((be + al) / 2) / mpmath.sin((be - al) / 2)
    return [s, 2 * mpmath.atan(ratio / mpmath.tan(s / 2)), -s]


def joints(s):
    """Return the places of the joints 1-4 from the Denavit-Hartenberg numbers."""
    R, p = mpmath.eye(3), mpmath.zeros(3, 1)
    places = [tuple(p)]
    for theta, length, twist in zip(angles(s), LENGTHS, TWISTS, strict=True):
        c, w = mpmath.cos(theta), mpmath.sin(theta)
        R = R * mpmath.matrix([[c, -w, 0], [w, c, 0], [0, 0, 1]])
        p = p + R * mpmath.matrix([length, 0, 0])
        c, w = mpmath.cos(twist), mpmath.sin(twist)
        R = R * mpmath.matrix([[1, 0, 0], [0, c, -w], [0, w, c]])
        places.append(tuple(p))
    return places


RODS = [(i, i + 1, m) for i, m in enumerate(MASSES)]
STATES = [(1.1, 2.0), (2.6, -3.0), (-0.9, 1.5)]


def free(s, rate):
    """Return angles, rates and accelerations, and the places of the joints with theirs."""
    second = acceleration(joints, RODS, s, rate, (0.0, 0.0, -G))
    flat = along(lambda x: [y for point in joints(x) for y in point], s, rate, second)
    return along(angles, s, rate, second), [part.reshape(4, 3) for part in flat]


@pytest.mark.parametrize(("s", "rate"), STATES)
def test_accelerations_are_those_of_one_degree(s, rate):
    """Check forward dynamics against energies along the closed form."""
    linkage = bennett()
    (q, v, a), _ = free(s, rate)
    ours = bennett_configuration(s)
    assert_allclose(np.exp(1j * ours), np.exp(1j * q), atol=1e-13)
    assert_allclose(linkage.constraint_residual(ours), np.zeros(5), atol=1e-14)
    assert_allclose(linkage.constraint_rate(ours, v), np.zeros(5), atol=1e-13)
    assert_allclose(linkage.forward_dynamics(ours, v), a, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(("s", "rate"), STATES)
def test_reactions_carry_the_whole(s, rate):
    """Check that the two fixed joints together give the mass centres their accelerations."""
    linkage = bennett()
    (_, v, _), (place, _, acc) = free(s, rate)
    found = linkage.reactions(bennett_configuration(s), v, axes="world")
    force = np.zeros(3)
    moment = np.zeros(3)
    for i, j, m in RODS:  # ∫ r × a dm along a rod, r and a linear along it
        force += m * ((acc[i] + acc[j]) / 2 + [0.0, 0.0, G])
        arm, end = place[i], place[j] - place[i]
        fall, rest = acc[i] + [0.0, 0.0, G], acc[j] - acc[i]
        moment += m * (
            np.cross(arm, fall)
            + (np.cross(arm, rest) + np.cross(end, fall)) / 2
            + np.cross(end, rest) / 3
        )
    first, closure = found["link 1"], -found["closure"]  # of link 3 on the world: reversed
    assert_allclose(first[:3] + closure[:3], force, rtol=1e-10, atol=1e-10)
    whole = first[3:] + closure[3:] + np.cross(place[3], closure[:3])
    assert_allclose(whole, moment, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("s", [1.1, 2.6])
def test_undetermined_reactions_are_those_of_self_stress(s):
    """Check masks against wrenches that all four joints transmit and no load causes.

    Such a wrench is the same in every joint and reciprocal to all four axes.
    """
    linkage, q = bennett(), bennett_configuration(s)
    X = [linkage.pose(f"link {i}", q) for i in (1, 2, 3)]
    fixed = linkage.loops[0].second[1].transform()
    axes = [(pose[:3, :3], pose[:3, 3]) for pose in X] + [(fixed.R, fixed.p)]
    reciprocal = np.array([[*np.cross(p, R[:, 2]), *R[:, 2]] for R, p in axes])
    _, size, rows = np.linalg.svd(reciprocal)
    assert (size > 1e-9).sum() == 3
    stress = rows[3:]
    assert len(stress) == 3
    known = linkage.determined_reactions(q)
    for name, (R, p) in zip(("link 1", "link 2", "link 3", "closure"), axes, strict=True):
        here = np.concatenate(
            [stress[:, :3] @ R, (stress[:, 3:] - np.cross(p, stress[:, :3])) @ R], axis=1
        )
        assert known[name].tolist() == (np.abs(here).max(axis=0) < 1e-9).tolist()
        assert known[name].tolist() == [False] * 5 + [True]


def test_mobility_is_one_although_counting_says_minus_two():
    """Check degrees, rank and the names of redundant rows along a turn."""
    linkage = bennett()
    for s in np.linspace(-3.0, 3.0, 7)[[0, 1, 2, 4, 5, 6]]:
        mobility = linkage.mobility(bennett_configuration(s))
        assert (mobility.degrees, mobility.rank, mobility.n_rows) == (1, 2, 5)
        assert len(mobility.redundant) == 3
        assert all(name.startswith("closure: ") for name in mobility.redundant)
        assert set(mobility.redundant) <= set(mobility.undetermined)


def test_published_angles():
    """Check the angles of the benchmark; θ4 is the coordinate of the loop."""
    cases = json.loads((DATA / "benchmarks.json").read_text(encoding="utf-8"))["cases"]
    case = next(one for one in cases if one["id"] == "kin-bennett")
    linkage, q = bennett(b=case["model"]["b"]), bennett_configuration(case["model"]["theta1"])
    theta2 = case["reference"]["theta2"]
    assert_allclose(q, [1.1, theta2, -1.1], rtol=1e-14)
    assert_allclose(linkage.loop_position("closure", q), [-theta2], rtol=1e-13)


def test_free_run_keeps_its_energy():
    """Check energy and closure of a run in which redundant rows stay redundant."""
    linkage = bennett()
    (_, v, _), _ = free(1.1, 3.0)
    run = ps.simulate(linkage, bennett_configuration(1.1), v, 1.0, rtol=1e-10)
    energy = run.energy()
    assert_allclose(energy, energy[0], rtol=1e-9)
    assert np.abs(linkage.constraint_residual(run.q)).max() < 1e-11


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"b": 1.3}, r"b sin\(alpha\) = a sin\(beta\)"), ({"alpha": 0.0}, "twists of one sign")],
)
def test_links_that_do_not_close_are_refused(arguments, message):
    """Check that the message names the relation."""
    with pytest.raises(ps.ModelError, match=message):
        bennett(**arguments)
