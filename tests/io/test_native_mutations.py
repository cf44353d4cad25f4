"""Valid files with random damage: they are read or refused, and nothing else happens."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.io.native import from_json, from_toml, mechanism_from_native, native_from_mechanism
from poinsot.io.native.notation import to_json, to_toml
from tests.formulations.loaded import random_forces, with_forces
from tests.random_examples import examples
from tests.random_joints import KINDS
from tests.strategies import random_case

pytestmark = pytest.mark.filterwarnings("ignore::poinsot.ModelWarning")


def whole_tree():
    """Return a tree with every key and every joint."""
    case = random_case(1, 20, kinds=KINDS)
    tree = native_from_mechanism(with_forces(case.mechanism, random_forces(case)))
    tree["parameters"] = {"m": 2.0, "l": 0.5}
    for body, kind in zip(tree["bodies"], KINDS, strict=False):
        body["joint"] = {"type": kind, "name": f"joint {kind}", "limits": {"velocity": "l"}}
        body["joint"] |= {"helical": {"axis": "x", "pitch": 1}, "euler": {"sequence": "xyz"}}.get(
            kind, {}
        )
    tree["forces"] = [one for one in tree["forces"] if "joint" not in one] + JOINT_FORCES
    tree["signals"] = {"u": {"times": [0.0, 1.0, 2], "values": [1.0, 2.0, 3.0], "kind": "hold"}}
    tree["bodies"][1]["joint"] |= {"damping": 1.0, "stiffness": 1, "rest": 0.3, "friction": 0.1}
    tree["bodies"][1]["joint"]["limits"]["position"] = [-1, 1]
    poses = [{"rpy": [0, 1, 2]}, {"quat": [1, 0, 0, 1]}, {"axis": "z", "angle": "m"}]
    for body, pose in zip(tree["bodies"], poses, strict=False):
        body["pose"] = {"xyz": [0, "l", 1]} | pose
    return tree


_TABLE = {"x": [0.0, 1.0, 3], "y": [1.0, 2.0, 5.0], "kind": "linear"}
JOINT_FORCES = [
    {"joint": "joint revolute", **one}
    for one in (
        {"type": "joint_force", "formula": "m*u - x", "where": {"x": {"joint": "joint prismatic"}}},
        {"type": "joint_force", "potential": "q**2", "name": "well"},
        {"type": "joint_friction", "kinetic": 1.0, "static": "2*m", "smoothing": 0.1},
        {"type": "joint_stop", "upper": 1.0, "stiffness": 5.0, "exponent": 1.5},
        {"type": "joint_spring", "spring": _TABLE, "damper": _TABLE, "scale": "l"},
        {"type": "motor", "ratio": 3, "inertia": 0.1, "voltage": "sin(t)", "constant": 0.1,
         "resistance": 1.0},
    )
]  # fmt: skip
TREE = whole_tree()
ROWS = [{"a": 1.0, "alpha": 0.5, "mass": 1.0, "com": [0, 0, 1], "damping": 0.1}] * 2
TABLES = [{"format": "poinsot/1", "name": "t", key: ROWS} for key in ("low_pairs", "dh", "mdh")]

WORDS = st.sampled_from(
    [
        *("x", "xyz", "world", "m", "l/0", "m**999", "revolute", "free", "fixed", "spring", ""),
        *("formula", "name", "axis", "limits", "(", "t", "joint", "pose", "poinsot/1"),
    ]
)
NUMBERS = st.one_of(
    st.integers(-3, 3),
    st.integers(),
    st.floats(),
    st.sampled_from([1e308, -1e308, 5e-324, 1e200, 10**400, 1e-200]),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, WORDS, st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(WORDS, inner, max_size=3),
        st.lists(NUMBERS, min_size=3, max_size=6),
        st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=3, max_size=3),
    ),
    max_leaves=6,
)


def places(node):
    """Return (container, key) of every value in a tree."""
    keys = node.keys() if isinstance(node, dict) else range(len(node))
    found = []
    for key in keys:
        found.append((node, key))
        if isinstance(node[key], dict | list):
            found += places(node[key])
    return found


def damaged(tree, data):
    tree = copy.deepcopy(tree)
    for _ in range(data.draw(st.integers(1, 3))):
        found = places(tree)
        node, key = found[data.draw(st.integers(0, len(found) - 1))] if found else (tree, "name")
        how = data.draw(st.sampled_from(["replace", "replace", "delete", "add", "move"]))
        if how == "replace":
            node[key] = data.draw(VALUES)
        elif how == "move":
            other, name = found[data.draw(st.integers(0, len(found) - 1))] if found else (tree, key)
            node[key] = copy.deepcopy(other[name])
        elif how == "delete" and found:
            del node[key]
        elif isinstance(node, dict):
            node[data.draw(WORDS)] = data.draw(VALUES)
        else:
            node.insert(key, data.draw(VALUES))
    return tree


def value_or_refusal(read, given):
    """Return what is read, or None if it is refused with words that name the file."""
    try:
        return read(given, "f")
    except (ps.ModelError, ps.FormulaError) as error:
        message = str(error)
    assert message.startswith("f: ")
    return None


def read_or_refused(tree):
    mechanism = value_or_refusal(mechanism_from_native, tree)
    if mechanism is not None:
        assert mechanism_from_native(native_from_mechanism(mechanism), "f") == mechanism


def test_the_undamaged_ones_are_valid():
    kinds = {body.joint.kind for body in mechanism_from_native(TREE, "f").bodies}
    assert kinds == set(KINDS)
    for tree in TABLES:
        assert mechanism_from_native(tree, "f").nv == 2


@settings(max_examples=examples(29))
@given(st.data())
def test_damaged_trees(data):
    read_or_refused(damaged(TREE, data))


@settings(max_examples=examples(29))
@given(st.sampled_from(TABLES), st.data())
def test_damaged_tables(tree, data):
    read_or_refused(damaged(tree, data))


@settings(max_examples=examples(29))
@given(st.data())
def test_damaged_bodies(data):
    """One small body, so that the damage hits every key often."""
    joint = {"type": data.draw(st.sampled_from(KINDS)), "axis": [1, 2, 3], "stiffness": [1.0]}
    body = {"name": "b", "pose": {"matrix": np.eye(3).tolist()}, "joint": joint}
    body |= {"mass": 1.0, "inertia": [1, 1, 1, 0, 0, 0], "com": [0, 0, 1]}
    read_or_refused(damaged({"format": "poinsot/1", "name": "n", "bodies": [body]}, data))


@settings(max_examples=examples(29))
@given(st.sampled_from([(to_json, from_json), (to_toml, from_toml)]), st.data())
def test_damaged_texts(notation, data):
    write, read = notation
    text = write({"format": "poinsot/1", "name": "n", "bodies": TREE["bodies"][:2]})
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(len(text), start + 20)))
    text = text[:start] + data.draw(st.one_of(st.text(max_size=5), WORDS)) + text[stop:]
    tree = value_or_refusal(read, text)
    if tree is not None:
        read_or_refused(tree)
