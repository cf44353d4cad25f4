"""All assemblies of mechanisms whose drivers move two links against each other."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.formulations.composable.joint_rows import joint_rows
from poinsot.formulations.composable.plane import rotated
from poinsot.formulations.composable.searched_group import SearchedGroup, random_candidates
from poinsot.formulations.composable.unit_equations import UnitEquations
from poinsot.library import planar_linkage
from poinsot.model.planar.linkage import PlanarJoint, PlanarLink, PlanarLinkage
from tests.oracles.virtual_input import virtual_input
from tests.random_examples import examples

BASE, TOP = ((0, 0), (2, 0), (1, 1.8)), ((0, 0), (0.7, 0), (0.3, 0.6))


def distinct(poses):
    """Return how many of the poses are different."""
    rounded = {tuple(np.round([*x[:2], *np.exp(1j * x[2:]).view(float)], 6)) for x in poses}
    return len(rounded)


def cylinders():
    """Return a platform on three cylinders."""
    bodies, joints = {"body": {"m": 1.0, "J": 0.1}}, []
    for k in range(3):
        bodies |= {f"b{k}": {"m": 1.0, "J": 0.1}, f"p{k}": {"m": 1.0, "J": 0.1}}
        joints += [{"id": f"A{k}", "a": "ground", "pa": BASE[k], "b": f"b{k}"},
                   {"id": f"S{k}", "type": "P", "a": f"b{k}", "b": f"p{k}"},
                   {"id": f"C{k}", "a": f"p{k}", "b": "body", "pb": TOP[k]}]  # fmt: skip
    return ps.planar(bodies, joints, ["S0", "S1", "S2"])


def bars(lengths):
    """Return the same platform on three bars: a triad, whose modes have a test of their own."""
    bodies, joints = {"body": {}}, []
    for k in range(3):
        bodies[f"l{k}"] = {}
        joints += [{"id": f"A{k}", "a": "ground", "pa": BASE[k], "b": f"l{k}"},
                   {"id": f"C{k}", "a": f"l{k}", "pa": (lengths[k], 0), "b": "body",
                    "pb": TOP[k]}]  # fmt: skip
    return ps.planar(bodies, joints, [])


def test_platform_on_cylinders_has_the_assemblies_of_one_on_bars():
    """Check number and poses, and that with_modes takes what assemblies returns."""
    q = np.array([1.2, 1.3, 1.2])
    platform, triad = cylinders(), bars(q)
    expected = [triad.with_modes(**m).positions([])["body"] for m in triad.assemblies([])]
    listed = platform.assemblies(q)
    poses = [platform.with_modes(**modes).positions(q)["body"] for modes in listed]
    assert len(expected) > 1
    assert distinct(poses) == len(listed) == len(expected)
    assert np.allclose(poses, expected, atol=1e-9)
    assert platform.assemblies([0.1, 0.1, 0.1]) == []


def test_driven_platform_has_the_dynamics_of_the_closed_system_in_each_assembly():
    """Check a driver unit of three degrees of freedom against closed loops, reactions too."""
    platform, q, v = cylinders(), np.array([1.2, 1.3, 1.2]), np.array([0.3, -0.2, 0.5])
    assert [len(unit.drivers) for unit in platform.units] == [3]
    tau = np.array([1.0, 2.0, 3.0])
    for modes in platform.assemblies(q):
        chosen = platform.with_modes(**modes)
        system = chosen.system()
        state, drives = chosen.system_state(q, v), np.zeros(system.nv)
        columns = [system.v_slice(name).start for name in chosen.linkage.drivers]
        drives[columns] = tau
        expected = system.forward_dynamics(*state, drives, backend="floats")[columns]
        a = chosen.forward_dynamics(q, v, tau)
        assert np.allclose(a, expected, rtol=1e-9)
        wrenches = system.reactions(*state, tau=drives, axes="world", backend="floats")
        for joint, force in chosen.reactions(q, v, a).items():
            if joint[0] != "S":
                assert np.allclose(force, wrenches[joint][:2], rtol=1e-8, atol=1e-8)


def test_drawn_platform_is_put_into_the_assembly_that_is_named():
    """Check a drawn platform on cylinders, followed from the drawing, in every assembly."""
    q = np.array([1.2, 1.3, 1.2])
    blank = cylinders()
    poses = blank.with_modes(**blank.assemblies(q)[0]).positions(q)
    bodies = {name: entry | {"pose": poses[name].tolist()}
              for name, entry in blank.description["bodies"].items()}  # fmt: skip
    drawn = ps.PlanarMechanism.from_description(blank.description | {"bodies": bodies, "modes": {}})
    assert np.allclose(drawn.positions(q)["body"], poses["body"])
    for modes in drawn.assemblies(q):
        expected = blank.with_modes(**modes).positions(q)["body"]
        assert np.allclose(drawn.with_modes(**modes).positions(q)["body"], expected, atol=1e-9)


def test_excavator_has_two_assemblies_for_each_cylinder():
    """Check all four, of the drawn mechanism and one that is not, and the rods' lengths."""
    drawn = planar_linkage("excavator arm")
    bodies = {name: {key: x for key, x in body.items() if key != "pose"}
              for name, body in drawn.description["bodies"].items()}  # fmt: skip
    blank = ps.PlanarMechanism.from_description(drawn.description | {"bodies": bodies})
    for arm in (drawn, blank):
        listed = arm.assemblies(drawn.drawn)
        assert [set(modes) for modes in listed] == [{"C", "E"}] * 4
        poses = [arm.with_modes(**modes).positions(drawn.drawn)["stick"] for modes in listed]
        assert distinct(poses) == 4
        assert drawn.modes in listed


def test_four_bar_that_is_driven_in_its_rod_folds_both_ways():
    """Check the mirror images at the line of the fixed pins."""
    bar = planar_linkage("four-bar")
    driven = bar.with_drivers(["C"], bar.drawn)
    listed = driven.assemblies(driven.drawn)
    cranks = [driven.with_modes(**modes).positions(driven.drawn)["crank"] for modes in listed]
    assert len(listed) == 2
    assert distinct(cranks) == 2
    joints = {joint.name: joint for joint in bar.linkage.joints}
    for modes in listed:
        poses = driven.with_modes(**modes).positions(driven.drawn)
        angle = poses["rocker"][2] - poses["coupler"][2]
        assert np.isclose(np.exp(1j * angle), np.exp(1j * driven.drawn[0]))
        pin = joints["B"].pa
        assert np.isclose(np.hypot(*poses["coupler"][:2]), np.hypot(*pin))


def test_class_four_groups_are_put_into_the_assembly_that_is_named():
    """Check drawn and undrawn ones, poses as near, and what is asked for where nothing is said."""
    points = {"O": (0, 0), "A": (0.1, 0.05), "B": (0.4, 0.1), "C": (0.35, 0.45), "E": (0.8, 0.15),
              "F": (0.85, 0.5), "H": (1.2, 0.3)}  # fmt: skip
    links = {"ground": "OH", "crank": "OA", "t1": "ABC", "b1": "BE", "b2": "CF", "t2": "EFH"}
    drawn = ps.sketch(points, links, drivers=["O"])
    bodies = {name: {key: x for key, x in body.items() if key != "pose"}
              for name, body in drawn.description["bodies"].items()}  # fmt: skip
    blank = ps.PlanarMechanism.from_description(drawn.description | {"bodies": bodies})
    listed, poses = blank.assemblies(drawn.drawn), blank.assembly_poses(drawn.drawn)
    assert len(listed) == len(poses) == 2
    right = drawn.positions(drawn.drawn)["t1"]
    assert sum(np.allclose(pose["t1"], right) for pose in poses) == 1
    for modes, pose in zip(listed, poses, strict=True):
        for group in (drawn, blank):
            chosen = group.with_modes(**modes).positions(drawn.drawn)
            assert np.allclose(chosen["t1"], pose["t1"], atol=1e-9)
        assert np.allclose(blank.positions(drawn.drawn, near=pose)["t1"], pose["t1"], atol=1e-9)
    with pytest.raises(ps.ModelError, match=r"class IV, .*list them by assemblies\(q\)"):
        blank.positions(drawn.drawn)


# Six links between which no link can be taken out and one joint driven so that dyads are left.
TANGLED = ["23", "05", "01", "34", "36", "25", "24", "06", "14"]


def tangle(seed, ends):
    """Return a linkage of pins without drivers, at random places, and the poses it is drawn in."""
    rng = np.random.default_rng(seed)
    names = sorted({name for pair in ends for name in pair} - {"0"})
    poses = {name: rng.normal(size=3) for name in names} | {"0": np.zeros(3)}
    joints = []
    for pair in ends:
        place = rng.normal(size=2)
        a, b = (rotated(-poses[x][2], place - poses[x][:2]) for x in pair)
        joints.append(PlanarJoint(pair, "R", pair[0], pair[1], a, b))
    return PlanarLinkage(dict.fromkeys(names, PlanarLink(1.0, 1.0)), tuple(joints)), poses


@given(st.integers(0, 10**6))
@settings(max_examples=examples(5), deadline=None)
def test_groups_of_several_virtual_inputs_have_all_assemblies(seed):
    """Check that the drawn one is there, all close, and random starts find no other.

    Their number of roots is even, and those that are not real come in pairs.
    """
    linkage, poses = tangle(seed, TANGLED)
    (unit,) = linkage.units
    assert virtual_input(unit, linkage.by_name) is None
    mechanism = ps.PlanarMechanism(linkage)
    assume(min(map(float, UnitEquations(unit, linkage, poses).nearness.ravel())) > 1e-3)
    listed = mechanism.assembly_poses([])
    assert len(listed) % 2 == 0
    places = [np.concatenate([found[name][:2] for name in poses]) for found in listed]
    drawn = np.concatenate([pose[:2] for pose in poses.values()])
    assert min(np.abs(place - drawn).max() for place in places) < 1e-7
    for found in listed:
        gap = [joint_rows(j, found[j.a], found[j.b]).residual for j in linkage.joints]
        assert np.abs(gap).max() < 1e-9
    assert all(np.abs(x - y).max() > 1e-6 for x, y in combinations(places, 2))
    group = SearchedGroup(unit, linkage.by_name, {"0": np.zeros(3)})
    searched = [group.refined(near) for near in random_candidates(group, 500)]
    for found in filter(None, searched):
        listed_too = [{name: pose[name] for name in found} for pose in listed]
        assert min(group.distance(found, other) for other in listed_too) < 1e-6
