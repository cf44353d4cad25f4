"""Every MJCF file of gymnasium, against MuJoCo's reading of it."""

import warnings
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

from poinsot.errors import ModelWarning
from poinsot.formulations.kinematics import body_pose
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.formulations.recursive.inverse import bias
from poinsot.io.mjcf import mjcf_from_mechanism, model_from_mjcf, read_mjcf
from tests.oracles.agreement import assert_agree

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is the oracle: pip install mujoco")
from tests.oracles.mujoco_terms import mujoco_terms  # noqa: E402

N_FILES = 14
"""What gymnasium 1.4 holds."""

TOLERANCE = 1e-12
"""Measured: 7e-15."""


def model_files():
    try:
        package = metadata.distribution("gymnasium")
    except metadata.PackageNotFoundError:
        return []
    return sorted(Path(package.locate_file("gymnasium/envs/mujoco/assets")).glob("*.xml"))


FILES = model_files()
needs_files = pytest.mark.skipif(not FILES, reason="pip install gymnasium")


def quietly(read, *given, **options):
    """Read a file whose pictures, contacts and actuators are not taken."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return read(*given, **options).mechanism


def mujoco_model(path):
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.density = model.opt.viscosity = 0.0  # a fluid, which is not taken
    return model


def random_state(mechanism, seed):
    rng = np.random.default_rng(seed)
    return mechanism.random(rng), rng.normal(size=mechanism.nv)


@needs_files
def test_all_files_are_there():
    assert len(FILES) >= N_FILES


@needs_files
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_dynamics_agree_with_mujoco(path):
    model = mujoco_model(path)
    bare, whole = (quietly(read_mjcf, path, passive=passive) for passive in (False, True))
    for seed in range(2):
        q, v = random_state(bare, seed)
        theirs = mujoco_terms(model, bare, q, v)
        assert_agree(mass_matrix_along_paths(bare, q), theirs.mass_matrix, TOLERANCE)
        assert_agree(bias(bare, q, v), theirs.bias, TOLERANCE)
        assert_agree(bias(whole, q, v), theirs.bias - theirs.passive, TOLERANCE)


@needs_files
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_bodies_and_sites_keep_their_frames(path):
    model, mechanism = mujoco_model(path), quietly(read_mjcf, path)
    q, v = random_state(mechanism, 3)
    data = mujoco_terms(model, mechanism, q, v).data
    kinds = ((model.nbody, model.body, data.body), (model.nsite, model.site, data.site))
    names = set()
    for count, names_of, places_of in kinds:
        for k in range(count):
            name, place = names_of(k).name, places_of(k)
            if name == "world" or not name:
                continue
            names.add(name)
            X = body_pose(mechanism, mechanism.index(name), q)
            assert_agree(X.R, place.xmat.reshape(3, 3), TOLERANCE)
            np.testing.assert_allclose(X.p, place.xpos, atol=1e-12)
    assert names <= set(mechanism.body_names)


@needs_files
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_was_read_can_be_written(path):
    """Write models with several joints in a body, and compare MuJoCo's reading and our own."""
    mechanism = quietly(read_mjcf, path)
    text = mjcf_from_mechanism(mechanism)
    q, v = random_state(mechanism, 4)
    M, h = mass_matrix_along_paths(mechanism, q), bias(mechanism, q, v)
    theirs = mujoco_terms(mujoco.MjModel.from_xml_string(text), mechanism, q, v)
    assert_agree(M, theirs.mass_matrix, TOLERANCE)
    assert_agree(h, theirs.bias - theirs.passive, TOLERANCE)
    again = quietly(model_from_mjcf, text)
    assert set(mechanism.joint_names) >= {
        name for name, n in zip(again.joint_names, again.v_slices, strict=True) if n.stop > n.start
    }
    assert_agree(mass_matrix_along_paths(again, q), M, TOLERANCE)
    assert_agree(bias(again, q, v), h, TOLERANCE)
