"""Groups of class IV and higher: all assemblies by one virtual input, against other ways."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import fsolve

import poinsot as ps
from poinsot.errors import AssemblyError
from poinsot.formulations.composable.joint_rows import joint_rows
from poinsot.formulations.composable.numerical_group import numerical_poses
from poinsot.formulations.composable.sweep import equations_of
from poinsot.model.planar.linkage import PlanarLink, PlanarLinkage
from tests.formulations.test_composable import joint_between
from tests.random_examples import examples

CLASS_IV = (("0", "1"), ("0", "2"), ("1", "3"), ("1", "4"), ("3", "2"), ("4", "2"))
"""Two ternary links on the ground, with two links between them."""
CLASS_III_OF_ORDER_4 = (
    *(("0", leg) for leg in "3456"), ("3", "1"), ("4", "1"), ("5", "2"), ("6", "2"), ("1", "2"),
)  # fmt: skip
"""Two ternary links pinned to each other, each of them on two legs."""
CLEAR = 1e-2
MEETS = 1e-4
"""Nearness below which two assemblies nearly meet, and a scan may miss both."""


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


@given(st.integers(0, 10**6), st.lists(st.sampled_from("RRRP"), min_size=6, max_size=6))
@settings(max_examples=examples(5), deadline=None)
def test_class_four_groups_of_pins_and_slides(seed, kinds):
    """Check that the drawn assembly is listed, and all that Newton's method finds."""
    assume(kinds.count("P") <= 3)  # four may be a loop, which moves
    mechanism, drawn = drawn_group(seed, CLASS_IV, kinds)
    assume(mechanism.units[0].assur_class == "IV")
    assume(equations_of(mechanism.linkage, drawn)[0].nearness > CLEAR)
    listed = mechanism.assembly_poses([])
    check_listed(mechanism, drawn, listed)
    for poses in by_newton(mechanism, drawn, np.random.default_rng(seed + 1), 12):
        assert any(is_same(poses, other) for other in listed)


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


def test_group_of_six_links_by_triads_within():
    """Check a class-III group of order four, whose smaller unit is a triad."""
    mechanism, drawn = drawn_group(3, CLASS_III_OF_ORDER_4, "R" * 9)
    unit = mechanism.units[0]
    assert (unit.assur_class, unit.order) == ("III", 4)
    listed = mechanism.assembly_poses([], samples=120)
    check_listed(mechanism, drawn, listed)
    for poses in by_newton(mechanism, drawn, np.random.default_rng(0), 20):
        assert any(is_same(poses, other) for other in listed)


def test_assemblies_that_meet_are_listed_where_they_meet():
    """Check two roots between two samples just before a dead point, and none behind it."""
    points = {"O": (0, 0), "A": (0.1, 0.05), "B": (0.4, 0.1), "C": (0.35, 0.45), "E": (0.8, 0.15),
              "F": (0.85, 0.5), "H": (1.2, 0.3)}  # fmt: skip
    links = {"ground": "OH", "crank": "OA", "t1": "ABC", "b1": "BE", "b2": "CF", "t2": "EFH"}
    group = ps.sketch(points, links, drivers=["O"])
    near, far = float(group.drawn[0]), float(group.drawn[0]) + 0.6
    assert group.assembly_poses([far], samples=90) == []
    for _ in range(16):
        middle = (near + far) / 2.0
        fits = len(group.assembly_poses([middle], samples=90)) == 2
        near, far = (middle, far) if fits else (near, middle)
    first, last = group.assembly_poses([near], samples=90)  # between two of the samples
    assert np.allclose(first["t1"], last["t1"], atol=1e-2)
    assert equations_of(group.linkage, first)[-1].nearness < 1e-2
