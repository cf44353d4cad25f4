"""Small MJCF texts, and what it means that we and MuJoCo read the same from them."""

import warnings

import numpy as np

from poinsot.errors import ModelWarning
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.formulations.recursive.inverse import bias
from tests.oracles.agreement import assert_agree
from tests.oracles.mujoco_terms import mujoco_terms

TOLERANCE = 1e-12

INERTIAL = '<inertial pos="0.1 0.2 0.3" mass="2" diaginertia="0.3 0.4 0.5"/>'
HINGE = '<joint axis="1 2 3"/>'
BALL = '<joint type="ball"/>'
CAPSULE = '<geom type="capsule" size="0.1 0.4" pos="0 0.2 0.1" euler="20 30 40"/>'


def text_of(world, head=""):
    return f"<mujoco>{head}<worldbody>{world}</worldbody></mujoco>"


def body(inside, place="", name="arm"):
    return f'<body name="{name}" {place}>{inside}</body>'


def quietly(read, *given, **options):
    """Return the mechanism that is read, without the warning about what is not taken."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        return read(*given, **options).mechanism


def assert_same(mechanism, model, tolerance=TOLERANCE):
    """Compare M, and what is left of bias and passive forces, at a random state."""
    rng = np.random.default_rng(5)
    q, v = mechanism.random(rng), rng.normal(size=mechanism.nv)
    theirs = mujoco_terms(model, mechanism, q, v)
    assert_agree(mass_matrix_along_paths(mechanism, q), theirs.mass_matrix, tolerance)
    assert_agree(bias(mechanism, q, v), theirs.bias - theirs.passive, tolerance)
