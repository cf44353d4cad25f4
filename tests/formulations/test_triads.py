"""Class-III groups of pins and slides: every assembly, and mechanisms that hold them."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.errors import AssemblyError
from poinsot.formulations.composable.numerical_group import numerical_poses
from poinsot.formulations.composable.plane import rotated
from poinsot.formulations.composable.sweep import equations_of
from poinsot.model.planar.linkage import PlanarJoint, PlanarLink, PlanarLinkage
from tests.formulations.test_composable import check_closed, joint_between
from tests.random_examples import examples

LEGS = [
    legs
    for legs in itertools.combinations_with_replacement(("RR", "PR", "RP", "PP"), 3)
    if legs.count("PP") < 2
]
"""Outer and inner pairs of three legs; two legs of slides would both tell the angle."""
CLEAR = 1e-2


def drawn_triad(seed, legs):
    """Return a triad on the ground, with random places, and the poses in which it was drawn."""
    rng = np.random.default_rng(seed)
    poses = {str(i): rng.normal(size=3) for i in range(1, 5)} | {"0": np.zeros(3)}
    joints = []
    for i, (outer, inner) in enumerate(legs):
        leg = str(i + 1)
        joints.append(joint_between(rng, f"A{leg}", outer, ("0", leg), poses))
        joints.append(joint_between(rng, f"C{leg}", inner, (leg, "4"), poses))
    links = {str(i): PlanarLink(1.0, 0.1, rng.normal(size=2)) for i in range(1, 5)}
    return ps.PlanarMechanism(PlanarLinkage(links, tuple(joints))), poses


def is_same(first, second):
    return all(
        np.allclose(first[i][:2], second[i][:2], atol=1e-6)
        and np.allclose(np.exp(1j * first[i][2]), np.exp(1j * second[i][2]), atol=1e-6)
        for i in "1234"
    )


@given(st.integers(0, 10**6), st.sampled_from(LEGS), st.permutations(range(3)))
@settings(max_examples=examples(60), deadline=None)
def test_all_assemblies_of_triads_are_found(seed, legs, order):
    """Check that each mode closes, the drawn one is there, and Newton's method finds no other."""
    mechanism, drawn = drawn_triad(seed, [legs[i] for i in order])
    unit = mechanism.units[0]
    assert (unit.assur_class, unit.order, len(mechanism.units)) == ("III", 3, 1)
    assume(equations_of(mechanism.linkage, drawn)[0].nearness > CLEAR)
    modes = [mechanism.with_modes(**mode).positions([]) for mode in mechanism.assemblies([])]
    assert 1 <= len(modes) <= 6
    for poses in modes:
        check_closed(mechanism.linkage, poses)
    assert sum(is_same(poses, drawn) for poses in modes) == 1
    rng = np.random.default_rng(seed + 1)
    for _ in range(8):
        guess = {i: drawn[i] + rng.normal(scale=0.5, size=3) for i in "1234"}
        try:
            found = numerical_poses(unit, mechanism.linkage, {"0": np.zeros(3)}, {}, guess)
        except AssemblyError:
            continue
        if equations_of(mechanism.linkage, found | {"0": np.zeros(3)})[0].nearness > 1e-4:
            assert any(is_same(poses, found) for poses in modes)


@pytest.mark.parametrize("far", [1e2, 1e4, 1e6])
def test_long_legs_lose_no_assembly(far):
    """Check that a drawn triad is found whose first leg is a rod of this length, nearly a guide."""
    for seed in range(6):
        triad, poses = drawn_triad(seed, ["RR"] * 3)
        joints = list(triad.linkage.joints)
        place = np.array([far, 0.3 * far])
        foot = rotated(-poses["1"][2], place - poses["1"][:2])
        joints[0] = PlanarJoint("A1", "R", "0", "1", place, foot)
        triad = ps.PlanarMechanism(PlanarLinkage(triad.linkage.links, tuple(joints)))
        modes = [triad.with_modes(**mode).positions([])["4"] for mode in triad.assemblies([])]
        right = poses["4"]
        apart = [np.abs(np.exp(1j * mode) - np.exp(1j * right)).max() for mode in modes]
        assert min(apart, default=1.0) < 1e-12 * far + 1e-9


def test_triads_that_move_by_themselves_are_named():
    """Check parallel guides, and congruent triangles, whose lone assemblies are found."""
    corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
    bodies = {name: {} for name in ("p", "q", "r", "plate")}
    joints = []
    for leg, corner in zip("pqr", corners, strict=True):
        joints.append({"id": f"A{leg}", "type": "P", "a": "ground", "pa": corner, "b": leg})
        joints.append({"id": f"C{leg}", "a": leg, "b": "plate", "pb": corner})
    with pytest.raises(ps.AssemblyError, match=r"legs \['p', 'q', 'r'\].*guides are parallel"):
        ps.planar(bodies, joints, []).positions([])
    swings = [joint | {"type": "R"} for joint in joints]
    swings = [j | {"pa": (0.5, 0)} if j["id"][0] == "C" else j for j in swings]
    swings = ps.planar(bodies, swings, [])
    modes = [swings.with_modes(**mode) for mode in swings.assemblies([])]  # the others swing
    assert [mode.nearness([])["p", "q", "r", "plate"] > CLEAR for mode in modes] == [True, True]
