"""Every robot of example-robot-data, against Pinocchio's reading of the same file."""

import warnings
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from poinsot.errors import ModelError, ModelWarning
from poinsot.formulations.kinematics import body_pose
from poinsot.formulations.recursive.articulated import articulated_forward_dynamics
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.formulations.recursive.inverse import bias
from poinsot.formulations.singular import free_bodies
from poinsot.io.urdf import read_urdf
from poinsot.model import Fixed, Free
from tests.oracles.agreement import assert_accelerations_agree, assert_agree

pin = pytest.importorskip("pinocchio", reason="Pinocchio is the oracle: pip install pin")

N_FILES = 60
"""At least: versions of the package differ, 69 and 77 have been seen."""
"""What example-robot-data 5.0 holds; later ones may hold more."""

REFUSED = {"falcon.urdf": "unknown child link 'Z_propeller'", "ur3.urdf": "attribute 'name'"}
"""Files that are wrong, and that Pinocchio refuses too; and why."""

MASSLESS = (
    "bluevolta_bravo7_gripper.urdf", "bravo7_gripper.urdf", "falcon_bravo7_gripper.urdf",
    "romeo.urdf", "romeo_laas_small.urdf",
)  # fmt: skip
"""Files in which joints move nothing that has mass, so that forward dynamics is not defined."""

TOLERANCE = 1e-11
"""Measured: 4e-15. Pinocchio's parser goes from roll, pitch, yaw to matrices by quaternions."""


def robot_files():
    try:
        package = metadata.distribution("example-robot-data")
    except metadata.PackageNotFoundError:
        return []
    folder = Path(package.locate_file("cmeel.prefix/share/example-robot-data/robots"))
    return sorted(folder.rglob("*.urdf"))


FILES = robot_files()
needs_files = pytest.mark.skipif(not FILES, reason="pip install example-robot-data")


def named(path):
    return f"{path.parents[1].name}/{path.name}"


def load(path, **options):
    """Read a file; some robots have inertias that no body could have, and some joints mimic."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return read_urdf(path, **options)


def pinocchio_model(path, root):
    if isinstance(root, Free):
        return pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
    return pin.buildModelFromUrdf(str(path))


def pinocchio_q(model, mechanism, q):
    """Return q as Pinocchio orders it: angles of continuous joints as cosine and sine."""
    result = pin.neutral(model)
    for name, own in zip(mechanism.joint_names, mechanism.q_slices, strict=True):
        if own.stop == own.start:
            continue
        joint = model.joints[joint_id(model, name)]
        values = q[own]
        if len(values) == 7:
            values = np.concatenate([values[:3], values[4:], values[3:4]])
        elif joint.nq == 2:
            values = np.array([np.cos(values[0]), np.sin(values[0])])
        result[joint.idx_q : joint.idx_q + joint.nq] = values
    return result


def v_order(model, mechanism):
    """Return where Pinocchio has each of our velocities."""
    order = []
    for name, own in zip(mechanism.joint_names, mechanism.v_slices, strict=True):
        if own.stop > own.start:
            start = model.joints[joint_id(model, name)].idx_v
            order += range(start, start + own.stop - own.start)
    return np.array(order, int)


def joint_id(model, name):
    return model.getJointId(name if model.existJointName(name) else "root_joint")


@needs_files
def test_all_files_are_there():
    assert len(FILES) >= N_FILES


@needs_files
@pytest.mark.parametrize("root", [Fixed(), Free()], ids=["fixed", "free"])
@pytest.mark.parametrize("path", FILES, ids=named)
def test_dynamics_agree_with_pinocchio(path, root):
    if path.name in REFUSED:
        with pytest.raises(ModelError, match=REFUSED[path.name]):
            load(path)
        with pytest.raises(ValueError, match="valid URDF"):
            pinocchio_model(path, root)
        return
    model = pinocchio_model(path, root)
    mechanism = load(path, root=root, passive=False)
    data, order = model.createData(), v_order(model, mechanism)
    assert len(order) == model.nv == mechanism.nv
    rng = np.random.default_rng(7)
    for _ in range(2 if isinstance(root, Fixed) else 1):
        q, v = mechanism.random(rng), rng.normal(size=mechanism.nv)
        theirs_q, theirs_v = pinocchio_q(model, mechanism, q), np.zeros(model.nv)
        theirs_v[order] = v
        upper = np.triu(pin.crba(model, data, theirs_q))
        M = (upper + np.triu(upper, 1).T)[np.ix_(order, order)]
        h = pin.nonLinearEffects(model, data, theirs_q, theirs_v)[order]
        assert_agree(mass_matrix_along_paths(mechanism, q), M, TOLERANCE)
        assert_agree(bias(mechanism, q, v), h, TOLERANCE)
    if free_bodies(mechanism):
        assert path.name in MASSLESS or isinstance(root, Free)
        assert np.linalg.matrix_rank(M) < mechanism.nv
        return
    assert path.name not in MASSLESS
    tau = rng.normal(size=mechanism.nv)
    theirs_tau = np.zeros(model.nv)
    theirs_tau[order] = tau
    expected = pin.aba(model, data, theirs_q, theirs_v, theirs_tau)[order]
    found = articulated_forward_dynamics(mechanism, q, v, tau)
    assert_accelerations_agree(found, expected, M, tau - h)


@needs_files
def test_every_link_keeps_its_frame():
    """Check places of all links at one configuration: fixed ones are kept as bodies."""
    path = next(path for path in FILES if path.name == "panda.urdf")
    mechanism, model = load(path), pinocchio_model(path, Fixed())
    data, q = model.createData(), mechanism.random(np.random.default_rng(3))
    pin.framesForwardKinematics(model, data, pinocchio_q(model, mechanism, q))
    for i, name in enumerate(mechanism.body_names):
        X = body_pose(mechanism, i, q)
        place = data.oMf[model.getFrameId(name, pin.FrameType.BODY)]
        assert_agree(X.R, place.rotation, TOLERANCE)
        np.testing.assert_allclose(X.p, place.translation, atol=1e-12)
