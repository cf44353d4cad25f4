"""Our own files: what is written is read again, and no number is rounded."""

import inspect
import json
import tomllib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot import library
from poinsot.front.model_files import load, save
from poinsot.io.native import (
    from_json,
    from_toml,
    mechanism_from_native,
    native_from_mechanism,
    to_json,
    to_toml,
)
from poinsot.model import Mechanism
from tests.formulations.loaded import random_forces, with_forces
from tests.random_examples import examples
from tests.random_joints import KINDS, random_joint
from tests.strategies import cases, random_case


def _is_ready(make):
    """Whether a function of the library makes a system without being told more."""
    known = inspect.signature(make)
    return "System" in str(known.return_annotation) and all(
        one.default is not one.empty for one in known.parameters.values()
    )


MODELS = {
    name: getattr(library, name) for name in library.__all__ if _is_ready(getattr(library, name))
} | {"chain": lambda: library.chain(12), "n_link_pendulum": lambda: library.n_link_pendulum(5)}

EXAMPLE = """{
  "format": "poinsot/1",
  "name": "double pendulum",
  "gravity": [0, 0, -9.81],
  "parameters": {"m": 1.0, "l": 1.0},
  "bodies": [
    {"name": "upper", "parent": "world",
     "pose": {"xyz": [0, 0, 0], "rpy": [0, 0, 0]},
     "joint": {"type": "revolute", "axis": [0, 1, 0], "damping": 0.0, "stiffness": 0.0, "rest": 0.0,
               "armature": 0.0, "limits": {"position": [-3, 3], "velocity": 5, "effort": 50}},
     "mass": 1.0, "com": [0, 0, "-l/2"], "inertia": [0.08, 0.08, 0.002, 0, 0, 0],
     "shapes": [{"type": "box", "size": [0.1, 0.1, 1.0], "pose": {"xyz": [0, 0, -0.5]},
                 "color": "#4477aa"}]}
  ],
  "forces": [{"type": "spring", "first": {"body": "upper", "point": [0, 0, -0.2]},
              "second": {"body": "world", "point": [1, 0, 0]},
              "stiffness": 100.0, "damping": 1.0, "length": 0.5}]
}"""
"""That of the format's description."""


def again_json(mechanism):
    return mechanism_from_native(from_json(to_json(native_from_mechanism(mechanism)), "f"), "f")


def again_toml(mechanism):
    return mechanism_from_native(from_toml(to_toml(native_from_mechanism(mechanism)), "f"), "f")


def of_parts(parts, **more):
    return mechanism_from_native(
        {"format": "poinsot/1", "name": "m", "bodies": [{"name": "b", **parts}], **more}, "f"
    )


@settings(max_examples=examples(11))
@given(cases(max_bodies=12))
def test_random_trees_return(case):
    mechanism = with_forces(case.mechanism, random_forces(case))
    assert again_json(mechanism) == mechanism
    assert again_toml(mechanism) == mechanism


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_joint_returns_with_all_its_numbers(kind):
    rng = np.random.default_rng(1)
    for _ in range(30):
        axis = rng.standard_normal(3)
        plain = random_joint(rng, kind, axis / np.linalg.norm(axis), passive=True)
        more = {"name": "elbow", "friction": rng.uniform(0, 1, plain.nv)}
        lower = -rng.uniform(0, 1, plain.nq)
        more["limits"] = ps.Limits((lower, lower + 1), rng.uniform(0, 9, plain.nv), 7)
        own = {"axis", "axis2", "pitch", "sequence", "damping", "stiffness", "rest", "armature"}
        given_ = {key: getattr(plain, key) for key in own if getattr(plain, key, ()) != ()}
        joint = type(plain)(**given_, **more)
        mechanism = Mechanism("m", [ps.Body("b", joint=joint)])
        assert again_json(mechanism) == mechanism
        assert again_toml(mechanism) == mechanism


def test_shapes_return():
    place = ps.Pose((1, 2, 3), rpy=(0.1, 0.2, 0.3))
    shapes = [
        ps.Box((0.1, 0.2, 0.3), pose=place, color="#4477aa"),
        ps.Sphere(0.1, role="collision"),
        ps.Cylinder(0.1, 0.2, color="#4477aa80"),
        ps.Capsule(0.1, 0.2, pose=place, role="collision"),
        ps.Mesh("meshes/arm.stl"),
        ps.Mesh("package://robot/arm.stl", (1e-3, 1e-3, -1e-3), pose=place),
    ]
    mechanism = Mechanism("m", [ps.Body("b", shapes=shapes)])
    assert again_json(mechanism) == again_toml(mechanism) == mechanism


def test_ranges_with_one_end_and_mimics_return():
    inf = float("inf")
    first = ps.Revolute("z", limits=ps.Limits((-inf, 3), effort=5), mimic=ps.Mimic("b", -2, 0.5))
    both = ps.Limits(((-inf, 0), (1, inf)), velocity=(inf, 3))
    bodies = [
        ps.Body("a", joint=first),
        ps.Body("b", joint=ps.Prismatic("x")),
        ps.Body("c", joint=ps.Cylindrical("x", limits=both)),
    ]
    mechanism = Mechanism("m", bodies)
    assert again_json(mechanism) == again_toml(mechanism) == mechanism
    tree = native_from_mechanism(mechanism)["bodies"]
    assert tree[0]["joint"]["limits"] == {"position": ["-inf", 3.0], "effort": 5.0}


@pytest.mark.filterwarnings("ignore::poinsot.ModelWarning")  # what is printed of the PUMA 560
@pytest.mark.parametrize("name", sorted(MODELS))
@pytest.mark.parametrize("suffix", ["json", "toml"])
def test_library_models_return(name, suffix, tmp_path):
    system = MODELS[name]()
    save(system, tmp_path / f"model.{suffix}")
    assert load(tmp_path / f"model.{suffix}") == system


def test_writing_twice_gives_the_same_file():
    mechanism = random_case(3, 9).mechanism
    text = to_json(native_from_mechanism(mechanism))
    assert to_json(native_from_mechanism(again_json(mechanism))) == text


@settings(max_examples=examples(38))
@given(st.floats(allow_nan=False, allow_infinity=False), st.text(min_size=1))
def test_any_number_and_any_name_return(number, name):
    try:
        mechanism = Mechanism(name, [ps.Body("b", pose=ps.Pose((number, 0, 0)), mass=abs(number))])
    except ps.ModelError:
        return  # a name of spaces
    assert again_json(mechanism) == mechanism
    assert again_toml(mechanism) == mechanism


def test_half_a_surrogate_pair_returns_in_json_and_is_refused_in_toml(tmp_path):
    system = ps.System("\ud800", [ps.Body("b")])
    save(system, tmp_path / "m.json")
    assert load(tmp_path / "m.json") == system
    with pytest.raises(ps.ModelError, match="TOML cannot hold"):
        save(system, tmp_path / "m.toml")


def test_the_example_of_the_description(tmp_path):
    (tmp_path / "pendulum.json").write_text(EXAMPLE, encoding="utf-8")
    system = load(tmp_path / "pendulum.json")
    limits = ps.Limits((-3, 3), 5, 50)
    upper = ps.Body(
        "upper",
        joint=ps.Revolute("y", limits=limits),
        mass=1.0,
        com=(0, 0, -0.5),
        inertia=(0.08, 0.08, 0.002),
        shapes=[ps.Box((0.1, 0.1, 1.0), pose=ps.Pose((0, 0, -0.5)), color="#4477aa")],
    )
    spring = ps.Spring(("upper", (0, 0, -0.2)), ("world", (1, 0, 0)), 100.0, 1.0, 0.5)
    assert system.mechanism == ps.System("double pendulum", [upper], forces=[spring]).mechanism
    assert system.parameters == {"m": 1.0, "l": 1.0}
    save(system, tmp_path / "again.json")
    assert load(tmp_path / "again.json") == system
    assert json.loads((tmp_path / "again.json").read_text())["bodies"][0]["com"][2] == "-l/2"


def test_toml_as_people_write_it(tmp_path):
    text = """
        format = "poinsot/1"
        name = "arm"
        [parameters]
        l = 2
        [[bodies]]
        name = "hand"
        com = ["l/4", 0, 0]
        [bodies.joint]
        type = "revolute"
        axis = "y"
    """
    (tmp_path / "arm.TOML").write_text(text, encoding="utf-8")
    hand = ps.Body("hand", joint=ps.Revolute("y"), com=(0.5, 0, 0))
    assert load(str(tmp_path / "arm.TOML")).mechanism == ps.System("arm", [hand]).mechanism


@pytest.mark.parametrize(
    "pose",
    [
        {"rpy": [0.1, 0.2, 0.3]},
        {"quat": [2, 0, 1, 0]},
        {"axis": [1, 2, 3], "angle": 0.4},
        {"axis": "-z", "angle": 0.4},
        {"xyz": [1, 2, 3], "matrix": [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]},
    ],
)
def test_poses(pose):
    assert of_parts({"pose": pose}).bodies[0].pose == ps.Pose(**pose)


def test_parameters_are_everywhere():
    parts = {
        "mass": "2*m",
        "inertia": [["m", 0, 0], [0, "m", 0], [0, 0, "m"]],
        "joint": {"type": "helical", "axis": ["m", 0, 0], "pitch": "h", "limits": {"effort": "m"}},
    }
    numbers = {"m": 3, "h": -0.5, "long_1": 1e-5}
    formula = {"type": "formula", "body": "b", "force": ["h*x + long_1", "t", "m"]}
    mechanism = of_parts(parts, parameters=numbers, forces=[formula], gravity=[0, 0, "-m"])
    joint = ps.Helical("x", -0.5, limits=ps.Limits(effort=3))
    body = ps.Body("b", joint=joint, mass=6, inertia=(3, 3, 3))
    force = ps.FormulaForce("b", ("(-0.5)*x + (1e-05)", "t", "(3.0)"))
    assert mechanism.bound == Mechanism("m", [body], (0, 0, -3), [force])
    assert again_json(mechanism) == mechanism
    assert again_toml(mechanism) == mechanism


def test_what_is_not_there_yet_may_be_empty():
    assert of_parts({"shapes": []}, loops=[], constraints=[]).n_bodies == 1


def test_tables_in_place_of_bodies():
    rows = [{"a": 0.1, "alpha": "pi/2"}, {"d": 0.3, "joint": "prismatic"}]
    common = {"format": "poinsot/1", "name": "arm"}
    radians = [{"a": 0.1, "alpha": np.pi / 2}, rows[1]]
    assert mechanism_from_native(common | {"dh": rows}, "f") == ps.from_dh("arm", radians).mechanism
    assert (
        mechanism_from_native(common | {"mdh": rows}, "f") == ps.from_mdh("arm", radians).mechanism
    )
    pairs = [{"a": 0.1, "b": 0.2, "alpha": 0.3, "nu": 0, "mass": 2, "com": [1, 0, 0], "name": "x"}]
    expected = ps.from_low_pairs(
        "arm", [(0.1, 0.2, 0.3, 0)], masses=[2], coms=[(1, 0, 0)], names=["x"]
    )
    assert mechanism_from_native(common | {"low_pairs": pairs}, "f") == expected.mechanism


def test_files_are_plain_json_and_toml():
    tree = native_from_mechanism(library.puma560().mechanism)
    assert json.loads(to_json(tree)) == tree
    assert tomllib.loads(to_toml(tree)) == tree


def test_large_files(tmp_path, monkeypatch):
    monkeypatch.setattr("poinsot.io.native.notation.LARGEST", 2**20)
    (tmp_path / "arm.json").write_bytes(b" " * (2**20 + 1))
    with pytest.raises(ps.ModelError, match="at most 1 MiB"):
        load(tmp_path / "arm.json")
