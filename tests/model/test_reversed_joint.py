"""Mirrored joints: the inverse motion, and the same forces."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.model.reversed_joint import mirrored
from tests.random_examples import examples
from tests.random_joints import KINDS, random_joint

QUATERNION_INVERSE = np.array([1.0, -1.0, -1.0, -1.0])


def mirrored_coordinates(joint, q):
    """Return q of the mirror, as its documentation says."""
    match joint.kind:
        case "universal":
            return q[::-1]
        case "euler":
            return -q[::-1]
        case "translation":
            return -q
        case "planar":
            c, s = np.cos(q[2]), np.sin(q[2])
            return np.array([-c * q[0] - s * q[1], s * q[0] - c * q[1], -q[2]])
        case "spherical":
            return q * QUATERNION_INVERSE
        case "free":
            X = joint.transform(q).inverse()
            return np.concatenate([X.p, q[3:] * QUATERNION_INVERSE])
    return q


def drawn(seed, kind, *, passive):
    rng = np.random.default_rng(seed)
    axis = rng.standard_normal(3)
    joint = random_joint(rng, kind, axis / np.linalg.norm(axis), passive=passive)
    return joint, rng


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=examples(5))
@given(seed=st.integers(0, 2**32 - 1))
def test_the_mirror_moves_inversely(kind, seed):
    joint, rng = drawn(seed, kind, passive=False)
    q = joint.random(rng)
    found = mirrored(joint).transform(mirrored_coordinates(joint, q))
    expected = joint.transform(q).inverse()
    assert_allclose(found.R, expected.R, atol=1e-14)
    assert_allclose(found.p, expected.p, atol=1e-14)


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("fixed", "planar", "free")])
@settings(max_examples=examples(5))
@given(seed=st.integers(0, 2**32 - 1))
def test_forces_in_the_mirror_have_the_same_power(kind, seed):
    """Check damping and armature as forms in v, and the energy of the spring."""
    joint, rng = drawn(seed, kind, passive=kind != "spherical")
    if kind == "spherical":
        joint = ps.Spherical(damping=rng.uniform(0.1, 2.0), armature=0.3, friction=0.1)
    other = mirrored(joint)
    q, v = joint.random(rng), rng.uniform(-1.0, 1.0, joint.nv)
    if kind == "euler":  # away from the place where the angles are singular
        q[1] = 0.7
    q2 = mirrored_coordinates(joint, q)
    # The frame F moves against S as S does against F, only the other way, and seen from F.
    inverse_motion = -joint.transform(q).motion_to_parent(joint.motion_subspace(q) @ v)
    v2 = np.linalg.lstsq(other.motion_subspace(q2), inverse_motion, rcond=None)[0]
    assert_allclose(other.motion_subspace(q2) @ v2, inverse_motion, atol=1e-12)
    for matrix in ("damping_matrix", "armature_matrix"):
        A, B = getattr(joint, matrix)(), getattr(other, matrix)()
        assert_allclose(v2 @ B @ v2, v @ A @ v, rtol=1e-10, atol=1e-12)
    if joint.nq == joint.nv:
        x, y = q - joint.rest_position(), q2 - other.rest_position()
        energy = x @ joint.stiffness_matrix() @ x
        assert_allclose(y @ other.stiffness_matrix() @ y, energy, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_the_mirror_of_the_mirror_is_the_joint(kind):
    for seed in range(10):
        joint, _ = drawn(seed, kind, passive=kind not in ("spherical", "planar", "free"))
        assert mirrored(mirrored(joint)) == joint


def test_limits_and_friction_go_with_their_coordinates():
    limits = ps.Limits(position=([-1, -2, -3], [4, 5, 6]), velocity=[7, 8, 9], effort=10)
    joint = mirrored(ps.Euler("xyz", limits=limits, friction=[1, 2, 3], name="neck"))
    assert (joint.limits.lower, joint.limits.upper) == ((-6.0, -5.0, -4.0), (3.0, 2.0, 1.0))
    assert (joint.limits.velocity, joint.limits.effort) == ((9.0, 8.0, 7.0), (10.0,))
    assert (joint.friction, joint.name) == ((3.0, 2.0, 1.0), "neck")
    two = ps.Limits(position=([-1, -2], [4, 5]))
    joint = mirrored(ps.Universal("x", "y", limits=two, friction=[1, 2]))
    assert (joint.limits.lower, joint.limits.upper) == ((-2.0, -1.0), (5.0, 4.0))
    assert joint.friction == (2.0, 1.0)
    one = ps.Limits(position=(-1, 2))
    assert mirrored(ps.Translation(limits=one)).limits.lower == (-2.0,)


@pytest.mark.parametrize(
    ("joint", "what"),
    [
        (ps.Planar(name="table", damping=[0, 1, 0]), "damping"),
        (ps.Planar(name="table", stiffness=1), "stiffness"),
        (ps.Spherical(name="table", damping=[1, 1, 2]), "damping"),
        (ps.Spherical(name="table", damping=np.eye(3) + 0.1), "damping"),
        (ps.Spherical(name="table", limits=ps.Limits(velocity=1)), "limits"),
        (ps.Free(name="table", armature=1), "armature"),
        (ps.Free(name="table", friction=[0, 0, 0, 0, 0, 1]), "friction"),
    ],
)
def test_what_has_a_direction_is_refused(joint, what):
    with pytest.raises(ps.ModelError, match=rf"joint 'table': its {what} .*exchange first and"):
        mirrored(joint)
