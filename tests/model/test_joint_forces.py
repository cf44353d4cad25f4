"""Force elements that act along joints: what they refuse, how they travel."""

import math

import pytest

import poinsot as ps
from poinsot.library import double_pendulum, pendulum

TABLE = ps.Table([0, 1], [0, 1])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ps.JointForce("a", "q +"), "something is missing"),
        (lambda: ps.JointForce("a", math.nan), "must be finite"),
        (lambda: ps.JointForce("a", lambda t, q, v: q), "as text.*simulate"),
        (lambda: ps.JointForce("a", "x", where={"x": 5}), "must be a joint"),
        (lambda: ps.JointStop("a", (-1, 1), stiffness=1.0), "lower must be one number"),
        (lambda: ps.JointForce("a", potential="q*v"), "energy may depend on q and"),
        (lambda: ps.JointForce("", "q"), "joint must not be empty"),
        (lambda: ps.JointForce("a", "q", index=-1), "0 or more"),
        (lambda: ps.JointForce("a", "q", where="x"), "what names stand for"),
        (lambda: ps.JointForce("a", "q", where={"t": "b"}), "'t' has a meaning already"),
        (lambda: ps.JointForce("a", "x", where={"x": ("b", "w")}), "'q' or 'v'"),
        (lambda: ps.JointFriction("a", -1.0), "kinetic must not be negative"),
        (lambda: ps.JointFriction("a", 2.0, 1.0), "static must be at least kinetic"),
        (lambda: ps.JointFriction("a", 1.0, smoothing=0.0), "smoothing must be positive"),
        (lambda: ps.JointStop("a", stiffness=1.0), "there is no end"),
        (lambda: ps.JointStop("a", 1.0, 0.0, stiffness=1.0), "lower must be below upper"),
        (lambda: ps.JointStop("a", upper=1.0, stiffness=0.0), "stiffness must be positive"),
        (lambda: ps.JointStop("a", upper=1.0, stiffness=1.0, exponent=0.5), "at least 1"),
        (lambda: ps.JointStop("a", upper=math.nan, stiffness=1.0), "upper must be finite"),
        (lambda: ps.JointSpring("a"), "give a table"),
        (lambda: ps.JointSpring("a", [0, 1]), "spring must be a Table"),
        (lambda: ps.TabulatedSpring(("a", (0, 0, 0)), ("a", (1, 0, 0)), TABLE), "both ends"),
        (lambda: ps.Table([0, 0], [1, 2]), "x must increase, got 0 and then 0"),
        (lambda: ps.Table([0], [1]), "2 to 1000"),
        (lambda: ps.Table([0, 1], [1]), "y must have 2"),
        (lambda: ps.Table([0, 1], [1, 2], "spline"), "kind must be one of"),
        (lambda: ps.Motor("a", 0.0), "ratio must not be zero"),
        (lambda: ps.Motor("a", voltage=3), "belong together"),
        (
            lambda: ps.Motor("a", torque="t", voltage=3, constant=1, resistance=1),
            "torque or the voltage",
        ),
        (lambda: ps.Motor("a", voltage=3, constant=1, resistance=0), "resistance must be positive"),
        (lambda: ps.Motor("a", inertia=-1), "inertia must not be negative"),
        (
            lambda: ps.Motor("a", loss=0.9, torque=3, curve=TABLE),
            "or the curve, one of them",
        ),
        (lambda: ps.Motor("a", throttle="t"), "throttle is a factor of the curve"),
        (lambda: ps.Motor("a", loss=1.2), "efficiency of 0.9 is a loss of 0.1"),
        (lambda: ps.Motor("a", peak=ps.Table([0, 1], [1, -1])), "peak must not be negative"),
        (lambda: ps.Actuator(("a", (0, 0, 0)), ("a", (1, 0, 0)), 3), "both ends are on 'a'"),
        (
            lambda: ps.Actuator(("a", (0, 0, 0)), "world", 3),
            "second must be a body's name and a point",
        ),
        (lambda: ps.Bushing("a", "b", (1, -1, 0)), "stiffness"),
    ],
)
def test_wrong_elements_are_refused_with_words(make, message):
    """Check that what cannot be is named."""
    with pytest.raises(ps.PoinsotError, match=message):
        make()


@pytest.mark.parametrize(
    ("force", "message"),
    [
        (ps.JointForce("knee", 1.0), "unknown joint 'knee'"),
        (ps.JointForce("ball", "q"), "has a quaternion"),
        (ps.JointForce("ball", "v", index=3), "3 velocities"),
        (ps.JointForce("ball", "k*v"), "unknown name 'k'"),
        (ps.JointForce("ball", "x", where={"x": ("ball", "q", 4)}), "which has 4"),
        (ps.JointStop("ball", upper=1, stiffness=1), "has a quaternion"),
    ],
)
def test_elements_that_do_not_fit_are_refused(force, message):
    """Check that a joint that is unknown or of another kind is named."""
    ball = ps.Body("ball", joint=ps.Spherical(), mass=1, inertia=(1, 1, 1))
    with pytest.raises(ps.PoinsotError, match=message):
        ps.System("ball", [ball], forces=[force])


def test_a_formula_without_its_coordinate_may_act_on_a_ball():
    """Check a damper by formula on a joint with a quaternion."""
    ball = ps.Body("ball", joint=ps.Spherical(), mass=1, inertia=(1, 1, 1))
    damped = ps.System("ball", [ball], forces=[ps.JointForce("ball", "-3*v", index=2)])
    assert damped.bias([1, 0, 0, 0], [0, 0, 2.0])[2] == 6.0


def test_elements_travel_with_their_joints():
    """Check that attached systems and parts rename joints in elements, or say what is left out."""
    arm = double_pendulum()
    first, second = arm.joint_names
    law = ps.JointForce(second, "x - q", where={"x": first}, name="law")
    arm = ps.System("arm", arm.bodies, forces=[law, ps.Motor(first, 3, 0.1, name="motor")])
    both = pendulum().attach(arm, to="world", prefix="left/")
    assert [force.name for force in both.forces] == ["left/law", "left/motor"]
    assert both.forces[0].joints == (f"left/{second}", f"left/{first}")
    assert both.description.forces[0].joint == f"left/{second}"
    assert both.subsystem("left/").description.forces == arm.description.forces
    with pytest.warns(ps.ModelWarning, match="law"):
        outer = arm.part(arm.body_names[1])
    assert outer.forces == ()


def test_joints_with_forces_are_not_cut():
    """Check that a graph keeps the joint that a motor drives in the tree."""
    bodies = [ps.Body(name, mass=1, inertia=(1, 1, 1)) for name in ("a", "b", "c")]
    z = ps.Revolute("z")
    joints = [
        ps.Connection("p", "world", "a", z), ps.Connection("q", ("a", (1, 0, 0)), "b", z),
        ps.Connection("r", ("b", (1, 0, 0)), ("c", (1, 0, 0)), z),
        ps.Connection("s", ("world", (1, 0, 0)), "c", z),
    ]  # fmt: skip
    for name in "pqrs":
        system = ps.System.from_graph("ring", bodies, joints, forces=[ps.Motor(name, 2, 0.1)])
        assert name in system.joint_names
        assert system.bodies[system.joint_names.index(name)].joint.armature == (0.4,)
