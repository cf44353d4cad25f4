"""Declared fields: what is said once holds for constructors, attributes, help, files and copies."""

import dataclasses
import inspect
import pickle
import pydoc
from typing import ClassVar

import numpy as np
import pytest

import poinsot as ps
from poinsot.formulations.joint_numbers import joint_numbers
from poinsot.io.native import mechanism_from_native, native_from_mechanism
from poinsot.model import AbstractForce, AbstractJoint, Mechanism
from poinsot.model.axis import Axis, AxisField
from poinsot.model.fields import Number, Vector, Vector3, declarations, declared, field, types_of
from poinsot.model.forces.one_point_element import AbstractBodyForce
from poinsot.spatial import Scalar, Transform, axis_angle, cross

ENDS = ("arm", (0, 0, 1)), ("world", (1, 0, 0))
TABLE = ps.Table([0, 1], [0, 5])
A = ps.symbols("a")  # before formulas name it: programs keep the order in which symbols came up
ELEMENTS = [
    ps.Box((1, 2, 3), color=(1, 0, 0)),
    ps.Sphere(0.5, role="collision"),
    ps.Cylinder(0.5, 2, pose=ps.Pose((0, 0, 1))),
    ps.Capsule(0.5, 2),
    ps.Mesh("arm.stl", (1, 2, 3), file="somewhere"),
    ps.Spring(*ENDS, 100, 2, 0.3, name="left"),
    ps.TabulatedSpring(*ENDS, TABLE, scale=3),
    ps.ConstantForce("arm", (1, 2, 3), axes="body"),
    ps.FormulaForce("arm", ("t", 0, "k*x")),
    ps.JointForce("hip", "x - v", where={"x": "knee"}, potential="q**2"),
    ps.JointFriction("hip", 1, viscous=2),
    ps.JointStop("hip", upper=1, stiffness=10),
    ps.JointSpring("hip", damper=TABLE),
    ps.Motor("hip", 50, 1e-5, "t"),
    ps.Motor("hip", voltage=12, constant=0.1, resistance=2),
    ps.Pose((1, 2, 3), rpy=(0.1, 0.2, 0.3)),
    ps.Pose(rpy=(0, A, 1)),
    ps.Pose(axis="x", angle=A),
    ps.Body("arm", mass=1, inertia=(1, 1, 1), shapes=[ps.Sphere(0.1)]),
    ps.Fixed(),
    ps.Revolute("x", name="hip", damping=2, rest=0.1, stiffness=1),
    ps.Prismatic((1, 2, 3), limits=ps.Limits((-1, 1), effort=3), mimic=ps.Mimic("hip", -2)),
    ps.Helical("z", 0.01),
    ps.Cylindrical(friction=(1, 2)),
    ps.Universal("x", (0, 1, 1)),
    ps.Planar(damping=[[2, 1, 0], [1, 2, 0], [0, 0, 1]]),
    ps.Translation(rest=(1, 2, 3)),
    ps.Spherical(armature=(1, 2, 3)),
    ps.Euler("ZXZ", backwards=True),
    ps.Free(damping=2),
    ps.Limits((-1, [2]), velocity=3),
    ps.Limits(),
    ps.Mimic("hip", offset=3),
    ps.Loop("pin", *ENDS, ps.Revolute("z")),
    ps.Connection("pin", *ENDS, ps.Revolute("z")),
    ps.Distance("rod", *ENDS, 0.5),
    ps.Gear("pair", "hip", "knee", -2, offset=0.1),
    ps.RackPinion("steering", "column", "rack", 0.01),
    ps.PrescribedMotion("motor", "hip", "a*t"),
    ps.PrescribedMotion("motor", "hip", lambda t: A * t**2),
    ps.PointOnSurface("ball", ENDS[0], "x + y - z"),
    ps.PointOnSurface("ball", ENDS[0], lambda x, y, z: x * y - z),
    ps.Curve(("cos(s)", "sin(s)", 0), (0, 3)),
    ps.Curve(lambda s: (s, s**2, 0), (0, 3)),
    ps.PointOnCurve("bead", ENDS[0], ps.Curve(("s", 0, 0), (0, 3)), rest=0.2),
    ps.FormulaConstraint("rail", "x - a*u", {"x": ("arm", (0, 0, 1), "x"), "u": "hip"}),
]
each = pytest.mark.parametrize("element", ELEMENTS, ids=lambda one: type(one).__name__)


@each
def test_keywords_are_attributes(element):
    """Check that every keyword of the constructor is a field, in signature, help and object."""
    keywords = inspect.signature(type(element)).parameters
    assert set(keywords) == set(declarations(type(element)))
    for name in keywords:
        assert hasattr(element, name)
        assert f"    {name}: " in type(element).__doc__


@each
def test_replace_and_pickle_give_equal_elements(element):
    """Check that copies are equal, and that what is replaced is checked as when it is made."""
    assert dataclasses.replace(element) == element
    assert pickle.loads(pickle.dumps(element)) == element
    for name, one in declarations(type(element)).items():
        if isinstance(one.kind, Number):
            with pytest.raises(ps.ModelError, match=f"{name} must be real numbers"):
                dataclasses.replace(element, **{name: "much"})


def test_help_shows_units_and_ranges():
    """Read one line of help that is made from a declaration."""
    assert "    stiffness: Stiffness [N/m], not negative.\n" in ps.Spring.__doc__
    assert ps.Spring.__doc__.index("Attributes:") < ps.Spring.__doc__.index("Examples:")
    assert "stiffness: Stiffness [N/m], not negative." in pydoc.render_doc(ps.Spring)


def test_renamed_attributes_say_so():
    """Ask for an attribute by the name that it had."""
    with pytest.raises(AttributeError, match="it is called 'where' now"):
        _ = ps.JointForce("hip", "t").names
    with pytest.raises(AttributeError, match="it is called 'radius' now"):
        _ = ps.RackPinion("steering", "column", "rack", 0.01).factor
    with pytest.raises(AttributeError, match=r"'Spring' object has no attribute 'stifness'$"):
        _ = ps.Spring(*ENDS, 1).stifness


def test_functions_of_all_coordinates_are_replaced():
    """Check that a traced function stays when another field is replaced, and pickles."""
    in_step = ps.Holonomic("in step", lambda q, t: q[1] - q[0])
    bodies = [ps.Body(name, joint=ps.Revolute(), mass=1.0) for name in ("a", "b")]
    (made,) = Mechanism("m", bodies, constraints=[in_step]).constraints
    other = dataclasses.replace(made, name="together")
    assert (other.name, other.program, other.function) == ("together", made.program, made.function)
    assert pickle.loads(pickle.dumps(other)) == other


def test_a_replaced_number_is_in_the_equations():
    """Check that what follows from a field is made anew."""
    gear = ps.Gear("pair", "hip", "knee", -2)
    assert dataclasses.replace(gear, ratio=3) == ps.Gear("pair", "hip", "knee", 3)
    motion = ps.PrescribedMotion("motor", "hip", "t")
    assert dataclasses.replace(motion, motion="2*t") == ps.PrescribedMotion("motor", "hip", "2*t")


@declared
class Wind(AbstractBodyForce):
    """A force of a user's own package: drag against a wind."""

    kind: ClassVar[str] = "wind of a test"

    drag: Scalar = field(Number("not negative"), "Force per speed", unit="N s/m")
    speed: Vector3 = field(Vector(), "Of the wind", unit="m/s", default=(0, 0, 0))

    def wrenches(self, ends, t):
        """Return the drag."""
        return self._in_body(ends[0], self.drag * (np.array(self.speed) - ends[0].v), np.zeros(3))


def test_own_elements_travel_in_files():
    """Write and read a system with an element that the package does not know, symbols included."""
    k = ps.symbols("k")
    ball = ps.Body("ball", joint=ps.Translation(), mass=1.0)
    forces = [Wind("ball", k / 2, speed=(1, 2, 3)), Wind("ball", 0.1, name="breeze")]
    system = ps.System("balloon", [ball], forces=forces, parameters={"k": 2.0})
    tree = native_from_mechanism(system.description)
    assert [one["type"] for one in tree["forces"]] == ["wind_of_a_test"] * 2
    assert mechanism_from_native(tree, "file") == system.description
    assert Wind.file_type in types_of("force")
    tree["forces"][0]["drag"] = -1
    with pytest.raises(ps.ModelError, match=r"forces\[0\].*drag must not be negative"):
        mechanism_from_native(tree, "file")
    expected = [0.0, 0.0, 0.0] - np.array([1.0, 2.0, 3.0]) - [0.0, 0.0, -9.81]
    assert system.bias(np.zeros(3), np.zeros(3)) == pytest.approx(expected)


def test_types_of_others_keep_their_names():
    """Refuse a class whose type in files is taken, but not its own second making."""
    with pytest.raises(ps.ModelError, match="files call Spring 'spring' already"):

        @declared
        class _Other(AbstractForce):
            kind: ClassVar[str] = "spring"

    assert types_of("force")["spring"] is ps.Spring

    def again():
        @declared
        class Calm(AbstractBodyForce):
            kind: ClassVar[str] = "calm of a test"

        return Calm

    first, second = again(), again()
    assert types_of("force")["calm_of_a_test"] is second is not first


def test_elements_without_declarations_are_not_written():
    """Check that a class of plain fields works in systems, and that files refuse it with words."""

    @dataclasses.dataclass(frozen=True, init=False)
    class Plain(AbstractBodyForce):
        kind: ClassVar[str] = "plain push"
        size: float

        def __init__(self, body, size):
            super().__init__(body)
            object.__setattr__(self, "size", size)

        def wrenches(self, ends, t):
            return self._in_body(ends[0], np.array([self.size, 0.0, 0.0]), np.zeros(3))

    ball = ps.Body("ball", joint=ps.Translation(), mass=1.0)
    mechanism = Mechanism("m", [ball], forces=[Plain("ball", 2.0)])
    assert ps.System.from_mechanism(mechanism).bias(np.zeros(3), np.zeros(3))[0] == -2.0
    with pytest.raises(ps.ModelError, match="plain push: this kind of force cannot be written"):
        native_from_mechanism(mechanism)


@declared
class PinInSlot(AbstractJoint):
    """A joint of a user's own package: slides along a slot and turns about its normal."""

    kind: ClassVar[str] = "pin in slot of a test"
    nq: ClassVar[int] = 2
    nv: ClassVar[int] = 2
    q_units: ClassVar[tuple[str, ...]] = ("m", "rad")
    v_units: ClassVar[tuple[str, ...]] = ("m/s", "rad/s")

    slot: AxisField = field(Axis(), "Direction of the slot, in J", default="x", omit=False)
    offset: Scalar = field(Number(), "Of the slot from the origin along z", unit="m", default=0.0)

    def transform(self, q):
        """Return the turn about z, at the place in the slot."""
        p = q[0] * np.array(self.slot) + self.offset * np.array([0.0, 0.0, 1.0])
        return Transform(axis_angle(np.array([0.0, 0.0, 1.0]), q[1]), p)

    def _slot_in_body(self, q):
        return axis_angle(np.array([0.0, 0.0, 1.0]), q[1]).T @ np.array(self.slot)

    def motion_subspace(self, q):
        """Return the slide, seen from the body, and the turn."""
        turn = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
        return np.stack([np.concatenate([self._slot_in_body(q), np.zeros(3)]), turn], axis=1)

    def motion_subspace_rate(self, q, v):
        """Return how the slide turns against the body."""
        moving = -v[1] * cross((0.0, 0.0, 1.0), self._slot_in_body(q))
        return np.stack([np.concatenate([moving, np.zeros(3)]), np.zeros(6)], axis=1)

    def position_rate(self, q, v):
        """Return v."""
        return np.array(v)

    def reaction_subspace(self, q):
        """Say that this joint closes no loops."""
        raise NotImplementedError

    coordinates = reaction_subspace

    def neutral(self):
        """Return zero."""
        return np.zeros(2)

    def random(self, rng):
        """Return a place and an angle."""
        return rng.uniform(-1, 1, 2)


def test_own_joints_travel_in_files_and_roll():
    """Check a joint that the package does not know: files, replaced fields, all formulations."""
    bodies = [
        ps.Body(
            name, parent, PinInSlot(slot, offset=0.1, damping=2), mass=1, inertia=(1, 1, 1),
            com=(0.1, 0.2, 0.3),
        )
        for name, parent, slot in (("a", "world", (1, 1, 0)), ("b", "a", "y"))
    ]  # fmt: skip
    system = ps.System("slots", bodies)
    tree = native_from_mechanism(system.description)
    assert tree["bodies"][1]["joint"] == {
        "type": "pin_in_slot_of_a_test", "slot": [0.0, 1.0, 0.0], "offset": 0.1, "damping": [2, 2],
    }  # fmt: skip
    assert mechanism_from_native(tree, "file") == system.description
    assert joint_numbers(bodies[1].joint) == [0.0, 1.0, 0.0, 0.1]
    assert dataclasses.replace(bodies[0].joint, slot="z").slot == (0.0, 0.0, 1.0)
    assert ps.verify(system).ok
