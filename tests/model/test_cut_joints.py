"""Joints that close loops: what they transmit, and the coordinates of a pose."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from poinsot.model import (
    AbstractJoint,
    Cylindrical,
    Euler,
    Fixed,
    Free,
    Helical,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Translation,
    Universal,
)
from poinsot.spatial import Array, Transform, axis_angle
from tests.random_examples import examples
from tests.random_joints import KINDS, SEQUENCES, random_joint
from tests.spatial.tracing import traced

every_kind = pytest.mark.parametrize("kind", KINDS)
for_all_seeds = given(seed=st.integers(0, 2**32 - 1))
few = settings(max_examples=examples(8), deadline=None)

STEP = 1e-5
"""Step of central differences: errors of about 1e-10 from its square and 1e-11 from rounding."""


def random_case(kind: str, seed: int) -> tuple[AbstractJoint, Array, Array, np.random.Generator]:
    """Return a joint about a random axis, or one of the coordinate axes, with q and v."""
    rng = np.random.default_rng(seed)
    axis = rng.standard_normal(3)
    if rng.random() < 0.3:
        axis = np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0])
    joint = random_joint(rng, kind, axis / np.linalg.norm(axis), passive=False)
    return joint, joint.random(rng), rng.standard_normal(joint.nv), rng


def is_regular(joint: AbstractJoint, q: Array, least: float = 1e-3) -> bool:
    """Return whether S has full rank: Euler angles may be nearly singular."""
    if not isinstance(joint, Euler):
        return True
    return float(np.linalg.svd(joint.motion_subspace(q))[1][-1]) > least


@every_kind
@few
@for_all_seeds
def test_reactions_are_all_wrenches_that_do_no_work(kind: str, seed: int) -> None:
    """Check Tᵀ S = 0, that T has full rank, and that motions and wrenches fill six dimensions."""
    joint, q, _, _ = random_case(kind, seed)
    S, T = joint.motion_subspace(q), joint.reaction_subspace(q)
    assert T.shape == (6, 6 - joint.nv)
    np.testing.assert_allclose(T.T @ S, 0.0, atol=1e-14)
    lengths = np.ones(6 - joint.nv)
    if isinstance(joint, Helical):
        lengths[2] += joint.pitch**2
    np.testing.assert_allclose(T.T @ T, np.diag(lengths), atol=1e-14)
    if is_regular(joint, q):  # T alone is so everywhere
        assert np.linalg.matrix_rank(np.hstack([S, T])) == 6


@every_kind
@few
@for_all_seeds
def test_reaction_rate_is_the_rate_of_the_reactions(kind: str, seed: int) -> None:
    """Compare dT/dt with differences along the motion, and check d(Tᵀ S)/dt = 0."""
    joint, q, v, _ = random_case(kind, seed)
    T_dot = joint.reaction_subspace_rate(q, v)
    before, after = (joint.reaction_subspace(joint.integrate(q, h * v)) for h in (-STEP, STEP))
    np.testing.assert_allclose(T_dot, (after - before) / (2 * STEP), atol=1e-8)
    S, S_dot = joint.motion_subspace(q), joint.motion_subspace_rate(q, v)
    work = T_dot.T @ S + joint.reaction_subspace(q).T @ S_dot
    np.testing.assert_allclose(work, 0.0, atol=1e-14)


@every_kind
@few
@for_all_seeds
def test_rate_map_undoes_the_motion_subspace(kind: str, seed: int) -> None:
    """Check P S = 1."""
    joint, q, _, _ = random_case(kind, seed)
    assume(is_regular(joint, q))
    P = joint.rate_map(q)
    assert P.shape == (joint.nv, 6)
    np.testing.assert_allclose(P @ joint.motion_subspace(q), np.eye(joint.nv), atol=1e-11)


@every_kind
@few
@for_all_seeds
def test_coordinates_undo_the_transform(kind: str, seed: int) -> None:
    """Find a q with the same pose; a helical joint finds its turns as well."""
    joint, q, _, rng = random_case(kind, seed)
    if isinstance(joint, Helical):
        q = q + 2.0 * np.pi * rng.integers(-9, 10)
    X = joint.transform(q)
    found = joint.coordinates(X)
    assert found.shape == (joint.nq,)
    again = joint.transform(found)
    np.testing.assert_allclose(again.homogeneous(), X.homogeneous(), atol=1e-13)
    if isinstance(joint, Helical):
        np.testing.assert_allclose(found, q, atol=1e-13)


@every_kind
@few
@for_all_seeds
def test_coordinates_follow_the_motion(kind: str, seed: int) -> None:
    """Check that q changes with N P V while the pose moves with V = S v."""
    joint, q, v, _ = random_case(kind, seed)
    assume(is_regular(joint, q, 0.1))
    q = joint.coordinates(joint.transform(q))
    before, after = (
        joint.coordinates(joint.transform(joint.integrate(q, h * v))) for h in (-STEP, STEP)
    )
    assume(np.abs(after - before).max(initial=0.0) < 1.0)  # no angle at ±π, no quaternion at w = 0
    motion = joint.motion_subspace(q) @ v
    expected = joint.position_rate(q, joint.rate_map(q) @ motion)
    np.testing.assert_allclose((after - before) / (2 * STEP), expected, atol=1e-6)


@every_kind
@few
@for_all_seeds
def test_coordinates_of_a_pose_nearby_are_near(kind: str, seed: int) -> None:
    """Move a pose off the joint by a little: the pose of its coordinates stays as near."""
    joint, q, _, rng = random_case(kind, seed)
    assume(is_regular(joint, q, 0.1))
    little = 1e-4
    turn = axis_angle(_unit(rng.standard_normal(3)), little)
    X = joint.transform(q) @ Transform(turn, little * _unit(rng.standard_normal(3)))
    near = joint.transform(joint.coordinates(X))
    far = np.abs(near.homogeneous() - X.homogeneous()).max()
    # Axes of a universal joint slant by 20 degrees and more, which magnifies the angles.
    assert far < 10.0 * little


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("middle", [0.0, np.pi / 2, np.pi, -np.pi / 2])
def test_singular_euler_angles_give_the_pose(sequence: str, middle: float) -> None:
    """Find some angles where first and last axis coincide, and where they do not."""
    joint = Euler(sequence)
    X = joint.transform(np.array([0.4, middle, -1.1]))
    np.testing.assert_allclose(joint.transform(joint.coordinates(X)).R, X.R, atol=1e-14)


@pytest.mark.parametrize("sequence", SEQUENCES)
@settings(max_examples=examples(5), deadline=None)
@for_all_seeds
def test_euler_angles_agree_with_scipy(sequence: str, seed: int) -> None:
    """Choose the same of the two triples of angles: the middle one in [0, π] or within ±π/2."""
    joint = Euler(sequence)
    q = joint.random(np.random.default_rng(seed))
    assume(is_regular(joint, q))
    X = joint.transform(q)
    # A copy: SciPy 1.13 takes no arrays that are read-only.
    expected = Rotation.from_matrix(np.array(X.R)).as_euler(sequence.upper())
    np.testing.assert_allclose(joint.coordinates(X), expected, atol=1e-10)


@pytest.mark.parametrize("joint", [Revolute("y"), Cylindrical((1, 2, 2)), Spherical(), Free()])
def test_half_a_turn_is_found(joint: AbstractJoint) -> None:
    """Find a half turn to the last digits."""
    q = np.concatenate([np.zeros(joint.nq - 1), [1.0 if joint.nq > 3 else np.pi]])
    X = joint.transform(q)
    again = joint.transform(joint.coordinates(X))
    np.testing.assert_allclose(again.homogeneous(), X.homogeneous(), atol=1e-15)


def test_helical_without_pitch_is_revolute() -> None:
    """Take the angle where the offset tells nothing."""
    X = Revolute("z").transform(np.array([2.0]))
    np.testing.assert_allclose(Helical("z", 0.0).coordinates(X), [2.0], atol=1e-15)


@every_kind
@settings(max_examples=examples(4), deadline=None)
@for_all_seeds
def test_symbols_give_the_same_as_numbers(kind: str, seed: int) -> None:
    """Run every member on symbols and the graph on numbers."""
    joint, q, v, _ = random_case(kind, seed)
    assume(is_regular(joint, q, 0.1))
    X = joint.transform(q) @ Transform(axis_angle(_unit(np.ones(3)), 0.01), 0.01 * np.ones(3))
    for member in (joint.reaction_subspace, joint.rate_map):
        np.testing.assert_allclose(traced(member, q), member(q), rtol=1e-12, atol=1e-12)
    rate = joint.reaction_subspace_rate(q, v)
    np.testing.assert_allclose(traced(joint.reaction_subspace_rate, q, v), rate, atol=1e-14)
    found = traced(lambda R, p: joint.coordinates(Transform(R, p)), X.R, X.p)
    np.testing.assert_allclose(found, joint.coordinates(X), atol=1e-13)


SLIDES = "translation x; translation y; translation z"
TURNS = "rotation x; rotation y; rotation z"


@pytest.mark.parametrize(
    ("joint", "expected"),
    [
        (Fixed(), f"{SLIDES}; {TURNS}"),
        (Revolute("z"), f"{SLIDES}; rotation x; rotation y"),
        (Prismatic("-y"), f"translation x; translation z; {TURNS}"),
        (
            Helical("x", 0.1),
            "translation y; translation z; translation x tied to rotation; rotation y; rotation z",
        ),
        (Helical("z", 0.0), f"{SLIDES}; rotation x; rotation y"),
        (
            Cylindrical((3, 4, 0)),
            "translation along (0.8, -0.6, 0); translation z; "
            "rotation about (0.8, -0.6, 0); rotation z",
        ),
        (Universal("x", "y"), f"{SLIDES}; rotation z"),
        (Planar("x", "z"), "translation y; rotation x; rotation z"),
        (Translation(), TURNS),
        (Spherical(), SLIDES),
        (Euler("zxz"), SLIDES),
    ],
    ids=repr,
)
def test_locked_names_each_column(joint: AbstractJoint, expected: str) -> None:
    """Name what a reader would expect to be locked."""
    assert "; ".join(joint.locked) == expected


def test_free_locks_nothing() -> None:
    """Name nothing."""
    assert Free().locked == ()


def _unit(vector: Array) -> Array:
    unit: Array = vector / np.linalg.norm(vector)
    return unit
