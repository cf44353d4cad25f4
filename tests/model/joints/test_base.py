"""What all joints have: names, damping, springs, armature."""

from typing import Any

import numpy as np
import pytest

from poinsot.errors import ModelError
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
    Universal,
)


def test_base_is_abstract() -> None:
    """Refuse to make a joint that is none."""
    with pytest.raises(TypeError, match="abstract"):
        AbstractJoint()  # type: ignore[abstract]


@pytest.mark.parametrize("value", [0.5, [0.5], [[0.5]], np.array(0.5)])
def test_forms_of_one_coefficient_are_equal(value: Any) -> None:
    """Store a number, a list and a matrix of one velocity alike."""
    joint = Revolute("x", damping=value, stiffness=value, armature=value, rest=0.1)
    same = Revolute("x", damping=0.5, stiffness=0.5, armature=0.5, rest=[0.1])
    assert joint == same
    assert hash(joint) == hash(same)
    assert joint.damping == (0.5,)
    assert joint.rest_position().tolist() == [0.1]


def test_number_stands_for_every_velocity() -> None:
    """Spread a number, a diagonal and a matrix over the velocities."""
    assert np.array_equal(Spherical(damping=2).damping_matrix(), 2 * np.eye(3))
    assert np.array_equal(Spherical(damping=(1, 2, 3)).damping_matrix(), np.diag([1, 2, 3]))
    assert Spherical(damping=np.diag([1, 2, 3])) == Spherical(damping=(1, 2, 3))
    full = [[2, 1, 0], [0, 2, 0], [0, 0, 2]]
    assert np.array_equal(Spherical(damping=full).damping_matrix(), full)
    assert Spherical(damping=full).damping == ((2, 1, 0), (0, 2, 0), (0, 0, 2))


def test_coefficients_survive_a_round_trip() -> None:
    """Make an equal joint of what a joint stores."""
    joint = Free(damping=np.arange(36).reshape(6, 6), armature=np.eye(6) + 0.5, name="base")
    again = Free(
        name=joint.name,
        damping=joint.damping,
        stiffness=joint.stiffness,
        rest=joint.rest,
        armature=joint.armature,
    )
    assert again == joint
    np.testing.assert_array_equal(again.armature_matrix(), np.eye(6) + 0.5)
    assert eval(repr(joint)) == joint


@pytest.mark.parametrize("joint", [Spherical, Free])
def test_quaternion_joints_rest_at_neutral(joint: type[Spherical | Free]) -> None:
    """Give a rest position of the right shape where there is no spring."""
    assert np.array_equal(joint().rest_position(), joint().neutral())


@pytest.mark.parametrize(
    ("joint", "arguments", "message"),
    [
        (Spherical, {"stiffness": 1}, "spherical joint: a spherical joint cannot have stiffness"),
        (
            Free,
            {"stiffness": 1, "name": "base"},
            "joint 'base': a free joint cannot have stiffness",
        ),
        (Free, {"rest": 1}, "free joint: rest needs a spring, which a free joint cannot have"),
        (Fixed, {"damping": 1}, "fixed joint: damping has no effect on a joint that does not move"),
        (Fixed, {"rest": 1}, "fixed joint: rest needs a spring"),
        (Revolute, {"damping": (1, 2), "name": "hip"}, "joint 'hip': damping must be a number, 1"),
        (
            Spherical,
            {"damping": (1, 2)},
            r"3 numbers \(one per velocity\) or a 3x3 matrix, got shap",
        ),
        (Spherical, {"armature": np.eye(2)}, r"got shape \(2, 2\)"),
        (Prismatic, {"rest": (1, 2)}, r"rest must be a number or 1 numbers \(one per coordinate\)"),
        (Prismatic, {"damping": np.nan}, "prismatic joint: damping must be finite"),
        (Prismatic, {"armature": np.inf}, "armature must be finite"),
        (Prismatic, {"armature": -1}, "armature must not be negative, got -1"),
        (Spherical, {"armature": (1, -1, 1)}, "armature must not be negative"),
        (
            Spherical,
            {"armature": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]},
            "armature must not be negative",
        ),
        (Spherical, {"armature": [[1, 1, 0], [0, 1, 0], [0, 0, 1]]}, "armature must be symmetric"),
        (Revolute, {"name": ""}, "revolute joint: name must not be empty"),
        (Revolute, {"name": 3}, "revolute joint: name must be text, got 3"),
        (Revolute, {"axis": (0, 0, 0), "name": "elbow"}, "joint 'elbow': axis must not be zero"),
        (Prismatic, {"axis": "w"}, 'prismatic joint: axis must be "x", "y", "z" or a vector'),
        (Cylindrical, {"rest": (1, 2, 3)}, "cylindrical joint: rest must be a number or 2 numbers"),
        (Helical, {"axis": "z", "pitch": np.inf}, "helical joint: pitch must be finite"),
        (Helical, {"axis": "z", "pitch": (1, 2)}, "helical joint: pitch must be"),
        (Universal, {"axis2": (0, 0, 0)}, "universal joint: axis2 must not be zero"),
        (
            Universal,
            {"axis": "x", "axis2": (-2, 1e-7, 0), "name": "wrist"},
            "joint 'wrist': axis and axis2 must not be parallel, got 'x' and",
        ),
        (
            Planar,
            {"axis": "x", "axis2": (1e-3, 1, 0)},
            "planar joint: axis and axis2 must be orthogonal, got 'x' and .* cosine 0.001",
        ),
        (Planar, {"axis": "x", "axis2": "w"}, 'planar joint: axis2 must be "x", "y", "z"'),
        (Euler, {"sequence": "zx"}, "euler joint: sequence must be three of the letters x, y, z"),
        (Euler, {"sequence": "zaz"}, "three of the letters x, y, z, such as 'zxz', got 'zaz'"),
        (Euler, {"sequence": 3}, "three of the letters x, y, z, such as 'zxz', got 3"),
        (Euler, {"sequence": "zzx"}, "must not turn twice in a row about one axis, got 'zzx'"),
        (Euler, {"sequence": "ZXX", "name": "neck"}, "joint 'neck': sequence must not turn twice"),
    ],
)
def test_joint_refuses(joint: type[AbstractJoint], arguments: dict[str, Any], message: str) -> None:
    """Name the joint and what is wrong with it."""
    with pytest.raises(ModelError, match=message):
        joint(**arguments)


def test_negative_stiffness_and_damping_are_allowed() -> None:
    """Let users describe instability and driven oscillation."""
    joint = Revolute(stiffness=-1, damping=-0.1)
    assert joint.stiffness_matrix().tolist() == [[-1.0]]
    assert joint.damping_matrix().tolist() == [[-0.1]]


def test_limits_are_limits():
    """Give a pair of numbers in their place."""
    with pytest.raises(ModelError, match=r"revolute joint: limits must be Limits, e\.g\."):
        Revolute("x", limits=(-1.0, 1.0))
