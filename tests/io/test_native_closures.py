"""Loops and constraints in our own files: what is written is read again, number by number."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.errors import FormulaError, ModelError
from poinsot.io.native import mechanism_from_native, native_from_mechanism
from poinsot.model import Mechanism, Pose, changed
from tests.io.test_native import again_json, again_toml
from tests.random_examples import examples
from tests.random_joints import KINDS, random_joint
from tests.strategies import random_case

CLOSING = tuple(kind for kind in KINDS if kind != "free")
BEAD = """{
  "format": "poinsot/1",
  "name": "rail",
  "parameters": {"l": 2.0},
  "bodies": [{"name": "slider", "joint": {"type": "translation"}, "mass": 1.0}],
  "constraints": [{"name": "rail", "formula": "x**2 + y**2 - l**2",
                   "where": {"x": {"point": ["slider", [0, 0, 0.3]], "axis": "x"},
                             "y": {"point": ["slider", [0, 0, 0.3]], "axis": "y"}}}]
}"""
"""The constraint of the format's description."""


def closed(case, rng):
    """Return a random tree with a loop and one constraint of every kind between its bodies."""
    names = [*case.mechanism.body_names, "world"]

    def frame(turned=True):
        body = names[rng.integers(len(names))]
        return body, Pose(rng.normal(size=3), rpy=rng.normal(size=3) * turned)

    def frames():
        first = second = frame()
        while second[0] == first[0]:
            second = frame(bool(rng.integers(2)))
        return first, second

    axis = rng.normal(size=3)
    joint = random_joint(rng, rng.choice(CLOSING), axis / np.linalg.norm(axis), passive=True)
    loop = ps.Loop("loop", *frames(), changed.changed(joint, armature=(0.0,) * joint.nv))
    (one, on), (other, under), ends = frames(), frames(), frames()
    a, b, c, d = rng.normal(size=4).tolist()
    wire = ps.Curve(("cos(s)", f"{a!r}*s", b), (c, c + 1))
    constraints = [
        ps.Distance("rod", *ends, abs(d)),
        ps.PointOnCurve("bead", one, wire, on, damping=a, stiffness=b, rest=c),
        ps.PointOnSurface("ball", other, f"x**2 + {a!r}*y*z - t", under),
        ps.FormulaConstraint(
            "rail", [f"x - {c!r}*y", "x*y"], {"x": (names[0], (a, b, c), "x"), "y": (*frame(), "z")}
        ),
    ]
    single = [
        name
        for name, body in zip(case.mechanism.joint_names, case.mechanism.bodies, strict=True)
        if body.joint.nq == 1
    ]
    if len(single) > 1:
        constraints += [
            ps.Gear("gear", *single[:2], a, offset=b),
            ps.RackPinion("rack", *single[-2:], c),
            ps.PrescribedMotion("motor", single[0], f"{d!r}*sin(t)"),
            ps.PrescribedMotion("brake", single[1], d),
            ps.FormulaConstraint("cam", "u - v**2", {"u": single[0], "v": single[1]}),
        ]
    m = case.mechanism
    return Mechanism(m.name, m.bodies, m.gravity, loops=[loop], constraints=constraints)


@settings(max_examples=examples(6))
@given(st.integers(0, 2**32 - 1), st.integers(1, 8))
def test_random_closed_systems_return(seed, n_bodies):
    case = random_case(seed, n_bodies)
    mechanism = closed(case, case.rng)
    assert again_json(mechanism) == mechanism
    assert again_toml(mechanism) == mechanism


@pytest.mark.parametrize("kind", CLOSING)
def test_loops_of_every_kind_return(kind):
    rng = np.random.default_rng(2)
    joint = random_joint(rng, kind, np.array([0.0, 0.6, 0.8]), passive=False)
    loop = ps.Loop("loop", ("world", Pose((1, 2, 3))), ("b", Pose(rpy=(1, 2, 3))), joint)
    mechanism = Mechanism("m", [ps.Body("b", joint=ps.Free(), mass=1)], loops=[loop])
    assert again_json(mechanism) == again_toml(mechanism) == mechanism


def test_the_constraint_of_the_description():
    """Hand-made numbers: at (3, 0.5) the point is at x = 3, y = 0.5."""
    mechanism = mechanism_from_native(json.loads(BEAD), "rail.json")
    (rail,) = mechanism.constraints
    assert rail.formula == ("x**2 + y**2 - l**2",)
    system = ps.System.from_mechanism(mechanism)
    q = [3.0, 0.5, 7.0]
    assert system.constraint_residual(q) == pytest.approx([9 + 0.25 - 4])
    assert system.with_parameters(l=1.0).constraint_residual(q) == pytest.approx([8.25])
    free = system.with_free("l").constraint_residual(q, parameters={"l": [1.0, 3.0]})
    assert free[:, 0] == pytest.approx([8.25, 0.25])
    assert again_json(mechanism) == mechanism
    assert native_from_mechanism(mechanism)["constraints"] == json.loads(BEAD)["constraints"]


def test_functions_become_formulas():
    k = ps.symbols("k")
    constraints = [
        ps.PrescribedMotion("motor", "b", lambda t: 0.1 * np.sin(k * t) ** 2 - t / 3),
        ps.PointOnSurface("bowl", ("c", (0, 0, 1)), lambda x, y, z: x * x + np.exp(y) / 7 - z),
        ps.PointOnCurve(
            "wire", ("c", (1, 0, 0)), ps.Curve(lambda s: (np.cos(s), k * np.sin(s), s / 10), (0, 6))
        ),
    ]
    bodies = [
        ps.Body("b", joint=ps.Prismatic("x"), mass=1),
        ps.Body("c", joint=ps.Free(), mass=1, inertia=(1, 1, 1)),
    ]
    system = ps.System("m", bodies, constraints=constraints, parameters={"k": 0.3})
    again = ps.System.from_mechanism(again_toml(system.description))
    assert again == system
    assert [one.formulas_in[0] for one in again.constraints[:2]] == [
        ("0.1*sin((0.3)*t)**2 - t/3",),
        ("x**2 + exp(y)/7 - z",),
    ]
    rng = np.random.default_rng(3)
    q = system.mechanism.random(rng)
    assert np.array_equal(again.constraint_residual(q), system.constraint_residual(q))


def test_what_files_cannot_hold():
    any_function = ps.Holonomic("any", lambda q, t: q[0] - t)
    deep = ps.PrescribedMotion("deep", "b", lambda t: shared(t, 40))
    clash = ps.PointOnSurface("clash", ("b", (0, 0, 0)), lambda x, y, z: x - ps.symbols("y"))
    for one, message in (
        (any_function, "constraint 'any': a function of q and t cannot be written"),
        (deep, "'deep': motion: its formula would have over 10000 terms"),
        (clash, "'clash': surface: the parameter y would be taken for something else"),
    ):
        bodies = [ps.Body("b", joint=ps.Prismatic("x"), mass=1)]
        with pytest.raises(ModelError) as caught:
            native_from_mechanism(Mechanism("m", bodies, constraints=[one]))
        assert message in str(caught.value)


def shared(t, n):
    """Return a formula whose text doubles n times."""
    for _ in range(n):
        t = np.sin(t) * np.cos(t)
    return t


GEAR = {"type": "gear", "name": "g", "first": "b", "second": "c", "ratio": 2}
ROD = {"type": "distance", "name": "r", "first": {"body": "b"}, "second": {"body": "c"}}
RAIL = {"name": "rail", "formula": "x - l", "where": {"x": {"joint": "b"}}}
PIN = {"name": "p", "first": {"body": "b"}, "second": {"body": "c"}, "joint": {"type": "revolute"}}


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("loops", {}, "loops must be a list"),
        ("loops", [{"name": "p"}], "loops[0] must have the key 'first'"),
        ("loops", [PIN | {"frist": 1}], "loops[0] has the unknown key 'frist'; did you mean 'firs"),
        ("loops", [PIN | {"joint": {"type": "revolut"}}], "loops[0].joint.type must be a type"),
        ("loops", [PIN | {"joint": {"type": "free"}}], "loops[0]: loop 'p': a free joint closes"),
        ("loops", [PIN | {"second": {"body": "b"}}], "loops[0]: loop 'p': both ends are on 'b'"),
        ("loops", [PIN | {"second": {"body": "d"}}], "holds the unknown body 'd'"),
        ("loops", [PIN | {"name": "b"}], "a joint is called 'b'; rename one"),
        ("constraints", [GEAR | {"type": "gaer"}], "constraints[0].type must be a type of con"),
        ("constraints", [GEAR | {"ration": 1}], "unknown key 'ration'; did you mean 'ratio'?"),
        ("constraints", [GEAR | {"radius": 1}], "constraints[0] has the unknown key 'radius'"),
        ("constraints", [GEAR | {"ratio": "2*k"}], "constraints[0].ratio: unknown name 'k'"),
        ("constraints", [GEAR | {"second": "b"}], "constraints[0]: gear 'g': joint 'b' cannot"),
        ("constraints", [ROD], "constraints[0] must have the key 'length'"),
        ("constraints", [ROD | {"length": -1}], "constraints[0]: distance 'r': length must be"),
        ("constraints", [ROD | {"length": "-l"}], "distance 'r': length must be positive"),
        (
            "constraints",
            [ROD | {"length": 1, "first": {"body": "b", "point": [0, 0, 0], "pose": {}}}],
            "constraints[0].first has 'point' and 'pose'; give one of them",
        ),
        ("constraints", [RAIL | {"formula": "x -"}], "constraints[0].formula: something is miss"),
        ("constraints", [RAIL | {"formula": "x - k"}], "constraints[0]: constraint 'rail': form"),
        ("constraints", [RAIL | {"where": {"l": {"joint": "b"}}}], "'l' is a parameter, and has"),
        ("constraints", [RAIL | {"where": 3}], "constraints[0].where must be an object"),
        (
            "constraints",
            [RAIL | {"where": {"x": {"point": ["b"], "axis": "x"}}}],
            "constraints[0].where.x.point must be a body and a point in it",
        ),
        (
            "constraints",
            [{"type": "prescribed", "name": "m", "joint": "b", "motion": "3*s"}],
            "unknown name 's'",
        ),
        (
            "constraints",
            [
                {
                    "type": "point_on_curve",
                    "name": "w",
                    "point": {"body": "b"},
                    "curve": {"place": ["s", "t", 0], "range": [0, 1]},
                }
            ],
            "constraints[0].curve: curve: place[1]: unknown name 't'",
        ),
        ("base", {}, "base is no part of a system here"),
    ],
)
def test_errors_point_at_the_place(key, value, message):
    bodies = [{"name": name, "joint": {"type": "revolute"}, "mass": 1} for name in "bc"]
    tree = {"format": "poinsot/1", "name": "m", "parameters": {"l": 1}, "bodies": bodies}
    with pytest.raises((ModelError, FormulaError)) as caught:
        mechanism_from_native(tree | {key: value}, "f.json")
    assert str(caught.value).startswith("f.json: ")
    assert message in str(caught.value)
