"""Groups of class IV and higher: all assemblies by their polynomials, against other algorithms."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import fsolve

import poinsot as ps
from poinsot.errors import AssemblyError
from poinsot.formulations.composable import group_assemblies as module
from poinsot.formulations.composable.bilinear_roots import bilinear_roots, path_count
from poinsot.formulations.composable.group_assemblies import group_assemblies
from poinsot.formulations.composable.group_polynomials import group_polynomials
from poinsot.formulations.composable.joint_rows import joint_rows
from poinsot.formulations.composable.numerical_group import numerical_poses
from poinsot.formulations.composable.searched_group import SearchedGroup
from poinsot.formulations.composable.sweep import equations_of
from poinsot.model.planar.linkage import PlanarJoint, PlanarLink, PlanarLinkage
from tests.formulations.test_composable import joint_between
from tests.formulations.test_triads import LEGS, drawn_triad
from tests.oracles.virtual_input import scanned_assemblies
from tests.random_examples import examples

CLASS_IV = (("0", "1"), ("0", "2"), ("1", "3"), ("1", "4"), ("3", "2"), ("4", "2"))
"""Two ternary links on the ground, with two links between them."""
CLASS_III_OF_ORDER_4 = (
    *(("0", leg) for leg in "3456"), ("3", "1"), ("4", "1"), ("5", "2"), ("6", "2"), ("1", "2"),
)  # fmt: skip
"""Two ternary links pinned to each other, each of them on two legs."""
CLEAR = 1e-2
MEETS = 1e-4
"""Nearness below which two assemblies nearly meet."""


def drawn_group(seed, ends, kinds):
    """Return a group on the ground with random places, and the poses in which it was drawn."""
    rng = np.random.default_rng(seed)
    names = sorted({name for pair in ends for name in pair} - {"0"})
    poses = {name: rng.normal(size=3) for name in names} | {"0": np.zeros(3)}
    joints = tuple(
        joint_between(rng, f"J{k}", kind, pair, poses)
        for k, (kind, pair) in enumerate(zip(kinds, ends, strict=True))
    )
    return ps.PlanarMechanism(PlanarLinkage(dict.fromkeys(names, PlanarLink()), joints)), poses


def gap(linkage, poses):
    """Return how far the joints are open, angles of slides by their sines."""
    gaps = []
    for joint in linkage.joints:
        residual = joint_rows(joint, poses[joint.a], poses[joint.b]).residual
        gaps += [residual[0], *(np.sin(residual[1:] / 2) if joint.kind == "P" else residual[1:])]
    return np.max(np.abs(gaps))


def is_same(first, second):
    return all(
        np.allclose(first[i][:2], second[i][:2], atol=1e-6)
        and np.allclose(np.exp(1j * first[i][2]), np.exp(1j * second[i][2]), atol=1e-6)
        for i in first
    )


def check_listed(mechanism, drawn, listed):
    """Check that assemblies close, differ, and that the drawn one is among them."""
    for poses in listed:
        size = max(1.0, *(float(np.max(np.abs(pose[:2]))) for pose in poses.values()))
        assert gap(mechanism.linkage, poses) < 1e-12 * size
    assert not any(is_same(*two) for two in itertools.combinations(listed, 2))
    assert sum(is_same(poses, drawn) for poses in listed) == 1


def by_newton(mechanism, drawn, rng, count):
    """Yield regular assemblies that Newton's method finds from random poses."""
    unit, ground = mechanism.units[0], {"0": np.zeros(3)}
    for _ in range(count):
        guess = {i: drawn[i] + rng.normal(scale=0.5, size=3) for i in drawn if i != "0"}
        try:
            poses = numerical_poses(unit, mechanism.linkage, ground, {}, guess) | ground
        except AssemblyError:
            continue
        if equations_of(mechanism.linkage, poses)[0].nearness > MEETS:
            yield poses


def check_scanned(mechanism, listed, samples):
    """Check that all assemblies that one virtual input finds are listed."""
    (unit,), ground = mechanism.units, {"0": np.zeros(3)}
    for poses in scanned_assemblies(unit, mechanism.linkage.by_name, ground, samples):
        assert any(is_same(poses | ground, other) for other in listed)


@pytest.mark.slow
@given(st.integers(0, 10**6), st.lists(st.sampled_from("RRRP"), min_size=6, max_size=6))
@settings(max_examples=examples(5), deadline=None)
def test_class_four_groups_of_pins_and_slides(seed, kinds):
    """Check that the drawn assembly is listed, all that Newton's method finds, and a fine scan."""
    assume(kinds.count("P") <= 3)  # four may be a loop, which moves
    mechanism, drawn = drawn_group(seed, CLASS_IV, kinds)
    assume(mechanism.units[0].assur_class == "IV")
    assume(equations_of(mechanism.linkage, drawn)[0].nearness > CLEAR)
    listed = mechanism.assembly_poses([])
    check_listed(mechanism, drawn, listed)
    for poses in by_newton(mechanism, drawn, np.random.default_rng(seed + 1), 12):
        assert any(is_same(poses, other) for other in listed)
    check_scanned(mechanism, listed, 720)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_class_four_group_of_pins_has_the_roots_of_two_equations_of_distances(seed):
    """Check all against angles of both ternary links by many starts of a solver of others."""
    mechanism, drawn = drawn_group(seed, CLASS_IV, "RRRRRR")
    joints = mechanism.linkage.by_name
    pins = {"1": joints["J0"], "2": joints["J1"]}

    def place(link, joint, angle):
        lever = joint.point(link) - pins[link].point(link)
        c, s = np.cos(angle), np.sin(angle)
        turned = np.array([c * lever[0] - s * lever[1], s * lever[0] + c * lever[1]])
        return pins[link].point("0") + turned

    def distances(angles):
        values = []
        for rod, first, last in (("3", "J2", "J4"), ("4", "J3", "J5")):
            ends = [place("1", joints[first], angles[0]), place("2", joints[last], angles[1])]
            length = joints[first].point(rod) - joints[last].point(rod)
            values.append(np.sum((ends[0] - ends[1]) ** 2) - length @ length)
        return values

    expected = []
    grid = np.linspace(-np.pi, np.pi, 16, endpoint=False)
    for start in itertools.product(grid, grid):
        angles, _, status, _ = fsolve(distances, start, xtol=1e-13, full_output=True)
        root = np.exp(1j * angles)
        is_root = status == 1 and np.max(np.abs(distances(angles))) < 1e-9
        if is_root and all(np.max(np.abs(root - other)) > 1e-5 for other in expected):
            expected.append(root)
    listed = mechanism.assembly_poses([])
    check_listed(mechanism, drawn, listed)
    assert len(listed) == len(expected) >= 2
    for poses in listed:
        root = np.exp(1j * np.array([poses["1"][2], poses["2"][2]]))
        assert min(np.max(np.abs(root - other)) for other in expected) < 1e-6


@pytest.mark.slow
def test_group_of_six_links_with_triads_within():
    """Check a class-III group of order four, whose smaller unit is a triad."""
    mechanism, drawn = drawn_group(3, CLASS_III_OF_ORDER_4, "R" * 9)
    unit = mechanism.units[0]
    assert (unit.assur_class, unit.order) == ("III", 4)
    listed = mechanism.assembly_poses([])
    check_listed(mechanism, drawn, listed)
    for poses in by_newton(mechanism, drawn, np.random.default_rng(0), 20):
        assert any(is_same(poses, other) for other in listed)
    check_scanned(mechanism, listed, 120)


@given(st.integers(0, 10**6), st.sampled_from(LEGS))
@settings(max_examples=examples(30), deadline=None)
def test_triads_have_the_modes_of_their_sextic(seed, legs):
    """Check the polynomials of triads of any pins and slides against the equation of degree six."""
    mechanism, drawn = drawn_triad(seed, legs)
    (unit,) = mechanism.units
    assume(equations_of(mechanism.linkage, drawn)[0].nearness > CLEAR)
    expected = mechanism.assembly_poses([])
    assume(all(equations_of(mechanism.linkage, x)[0].nearness > MEETS for x in expected))
    listed = group_assemblies(unit, mechanism.linkage.by_name, {"0": np.zeros(3)})
    assert len(listed) == len(expected)
    for poses in expected:
        assert sum(is_same(poses, other | {"0": np.zeros(3)}) for other in listed) == 1


def random_group(seed, n, share):
    """Return a group of n links with random joints, this share of them slides, and its drawing."""
    rng = np.random.default_rng(seed)
    while True:
        ends = [
            tuple(np.sort(rng.choice(n + 1, 2, replace=False))) for _ in range((3 * n + 1) // 2)
        ]
        if len(set(ends)) < len(ends) or len({x for pair in ends for x in pair}) <= n:
            continue
        kinds = rng.choice(["R", "P"], size=len(ends), p=[1.0 - share, share])
        try:
            mechanism, drawn = drawn_group(seed, [(str(a), str(b)) for a, b in ends], kinds)
            is_group = len(mechanism.units) == 1
        except ps.ModelError:  # some of its links are over-constrained
            continue
        if is_group and equations_of(mechanism.linkage, drawn)[0].nearness > CLEAR:
            return mechanism, drawn


@pytest.mark.slow
@given(st.integers(0, 10**6), st.sampled_from([2, 4, 6, 8]), st.sampled_from([0.0, 0.2, 0.4]))
@settings(max_examples=examples(25), deadline=None)
def test_groups_of_any_joints_list_what_they_are_drawn_in(seed, n, share):
    """Check groups of up to eight links: all paths end, and the drawn assembly is listed."""
    mechanism, drawn = random_group(seed, n, share)
    (unit,), ground = mechanism.units, {"0": np.zeros(3)}
    group = SearchedGroup(unit, mechanism.linkage.by_name, ground)
    Q = group_polynomials(group).Q
    roots = bilinear_roots(Q)
    assert len(Q) == n
    assert roots.failed == 0
    assert len(roots.s) + roots.at_infinity == path_count(n // 2)
    listed = group_assemblies(unit, mechanism.linkage.by_name, ground)
    check_listed(mechanism, drawn, [poses | ground for poses in listed])


@given(st.integers(0, 10**6))
@settings(max_examples=examples(8), deadline=None)
def test_groups_with_a_loop_of_slides(seed):
    """Check groups of three links, in which one slide has one equation."""
    mechanism, drawn = random_group(seed, 3, 0.6)
    (unit,), ground = mechanism.units, {"0": np.zeros(3)}
    assert sorted(mechanism.linkage.rows.values()) == [1, 2, 2, 2, 2]
    listed = group_assemblies(unit, mechanism.linkage.by_name, ground)
    check_listed(mechanism, drawn, [poses | ground for poses in listed])


@pytest.mark.slow
@given(st.integers(0, 10**6))
@settings(max_examples=examples(4), deadline=None)
def test_other_random_numbers_find_the_same_roots(seed):
    """Check a group of eight links, its equations in another order, which starts elsewhere."""
    mechanism, _ = random_group(seed, 8, 0.0)
    group = SearchedGroup(mechanism.units[0], mechanism.linkage.by_name, {"0": np.zeros(3)})
    Q = group_polynomials(group).Q
    first, second = bilinear_roots(Q), bilinear_roots(Q[::-1])
    assert len(first.s) == len(second.s)
    for s, t in zip(first.s, first.t, strict=True):
        apart = np.abs(second.s - s).max(axis=1) + np.abs(second.t - t).max(axis=1)
        assert np.min(apart) < 1e-6 * (1.0 + np.abs(s).max() + np.abs(t).max())


def test_stretched_dyad_has_one_assembly():
    """Check a double root exactly at a dead point, and none behind it."""
    for far, count in ((1.9, 2), (2.0, 1), (2.0 + 1e-9, 0)):
        joints = (PlanarJoint("A", "R", "0", "1"), PlanarJoint("B", "R", "1", "2", (1.0, 0.0)),
                  PlanarJoint("C", "R", "0", "2", (far, 0.0), (1.0, 0.0)))  # fmt: skip
        linkage = PlanarLinkage({"1": PlanarLink(), "2": PlanarLink()}, joints)
        listed = group_assemblies(linkage.units[0], linkage.by_name, {"0": np.zeros(3)})
        assert len(listed) == count
        for poses in listed:
            assert gap(linkage, poses | {"0": np.zeros(3)}) < 1e-12


def test_groups_that_move_are_told():
    """Check two parallel plates between two rods, of which only the folded ones are rigid."""
    points = {"O": (0, 0), "H": (2, 0), "B": (0.2, 1.0), "C": (-0.3, 0.8), "E": (2.2, 1.0),
              "F": (1.7, 0.8)}  # fmt: skip
    links = {"ground": "OH", "t1": "OBC", "b1": "BE", "b2": "CF", "t2": "EFH"}
    plates = ps.sketch(points, links, drivers=[])
    with pytest.warns(ps.ModelWarning, match=r"move in some assemblies .* as parallelograms do"):
        listed = plates.assembly_poses([])
    assert all(equations_of(plates.linkage, poses)[0].nearness > MEETS for poses in listed)


def test_groups_of_too_many_roots_are_searched(monkeypatch):
    """Check the warning, and that what random poses find is among all assemblies."""
    mechanism, _ = drawn_group(2, CLASS_IV, "RRRRRR")
    listed = mechanism.assembly_poses([])
    monkeypatch.setattr(module, "MOST_PATHS", 5)
    with pytest.warns(ps.ModelWarning, match="have up to 6 complex assemblies: too many"):
        searched = mechanism.assembly_poses([])
    assert searched
    for poses in searched:
        assert any(is_same(poses, other) for other in listed)


def test_assemblies_that_meet_are_listed_where_they_meet():
    """Check two roots just before a dead point, and none behind it."""
    points = {"O": (0, 0), "A": (0.1, 0.05), "B": (0.4, 0.1), "C": (0.35, 0.45), "E": (0.8, 0.15),
              "F": (0.85, 0.5), "H": (1.2, 0.3)}  # fmt: skip
    links = {"ground": "OH", "crank": "OA", "t1": "ABC", "b1": "BE", "b2": "CF", "t2": "EFH"}
    group = ps.sketch(points, links, drivers=["O"])
    near, far = float(group.drawn[0]), float(group.drawn[0]) + 0.6
    assert group.assembly_poses([far]) == []
    for _ in range(16):
        middle = (near + far) / 2.0
        fits = len(group.assembly_poses([middle])) == 2
        near, far = (middle, far) if fits else (near, middle)
    first, last = group.assembly_poses([near])
    assert np.allclose(first["t1"], last["t1"], atol=1e-2)
    assert equations_of(group.linkage, first)[-1].nearness < 1e-2
