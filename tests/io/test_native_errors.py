"""Wrong files are refused, with words that say where and what."""

import copy
import re

import pytest

import poinsot as ps
from poinsot.front.model_files import load, save
from poinsot.io.native import from_json, from_toml, mechanism_from_native

VALID = {
    "format": "poinsot/1",
    "name": "arm",
    "parameters": {"l": 2.0},
    "bodies": [
        {"name": "upper", "joint": {"type": "revolute", "axis": "y"}, "mass": 1},
        {
            "name": "lower",
            "parent": "upper",
            "pose": {"xyz": [0, 0, 1]},
            "joint": {"type": "planar", "limits": {"velocity": 1}},
        },
    ],
    "forces": [
        {"type": "spring", "first": {"body": "upper"}, "second": {"body": "world"}, "stiffness": 1},
        {"type": "formula", "body": "upper", "force": ["t", 0, 0]},
    ],
}


def changed(path, value):
    """Return the valid tree with another value in a place; ... removes it."""
    tree = copy.deepcopy(VALID)
    node = tree
    *way, last = [int(key) if key.isdigit() else key for key in re.findall(r"\w+", path)]
    for key in way:
        node = node[key]
    if value is ...:
        del node[last]
    else:
        node[last] = value
    return tree


def test_the_valid_one_is_valid():
    assert mechanism_from_native(VALID, "f.json").n_bodies == 2


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("format", ..., "the file must have the key 'format'"),
        ("format", "poinsot/2", "format must be 'poinsot/1', got 'poinsot/2'"),
        ("name", ..., "the file must have the key 'name'"),
        ("name", 3, "name must be text, got 3"),
        ("name", " ", "mechanism: name must not be empty"),
        ("gravty", [0, 0, 0], "the file has the unknown key 'gravty'; did you mean 'gravity'?"),
        ("gravity", [0, 0], "gravity must be a list of 3 numbers, got [0, 0]"),
        ("gravity", 9.81, "gravity must be a list of 3 numbers, got 9.81"),
        ("kind", "planar", "kind is not supported yet"),
        ("parameters", [1], "parameters must be an object with keys, got [1]"),
        ("parameters.k", "2*l", "parameters.k must be a number or null, got '2*l'"),
        ("parameters.t", 1.0, "parameters has the name 't', which formulas have already (the time"),
        ("free", ["k"], "free names the unknown parameter 'k'; known are 'l'"),
        ("free", "l", "free must be a list, got 'l'"),
        ("parameters.k", True, "parameters.k must be a number or a formula, got true"),
        ("parameters.pi", 3.0, "parameters has the name 'pi', which formulas have already"),
        ("parameters.sin", 3.0, "parameters has the name 'sin'"),
        (
            "bodies",
            ...,
            "the file must have one of 'bodies', 'low_pairs', 'dh' and 'mdh', got none",
        ),
        ("dh", [{}], "got 'bodies' and 'dh'"),
        ("bodies", [], "there must be at least one body"),
        ("bodies", {}, "bodies must be a list, got {}"),
        ("bodies[1]", 4, "bodies[1] must be an object with keys, got 4"),
        ("bodies[1].name", ..., "bodies[1] must have the key 'name'"),
        ("bodies[1].name", "upper", "two bodies are called 'upper'"),
        ("bodies[1].parent", "uper", "has the unknown parent 'uper'; did you mean 'upper'?"),
        ("bodies[0].parent", "lower", "the parents form a cycle"),
        ("bodies[1].colour", "red", "bodies[1] has the unknown key 'colour'; known are"),
        ("bodies[1].inertai", [1, 1, 1], "bodies[1] has the unknown key 'inertai'; did you mean"),
        ("bodies[1].shapes", {}, "bodies[1].shapes must be a list"),
        ("bodies[1].shapes", [{"type": "box"}], "shapes[0] must have the key 'size'"),
        (
            "bodies[1].shapes",
            [{"type": "bix"}],
            "shapes[0].type must be a type of shape, got 'bix'",
        ),
        ("bodies[1].shapes", [{"type": "sphere", "size": 1}], "unknown key 'size'"),
        ("bodies[1].shapes", [{"type": "sphere", "radius": -1}], "must not be negative, got -1"),
        (
            "bodies[1].shapes",
            [{"type": "sphere", "radius": 1, "color": "blue"}],
            "bodies[1].shapes[0]: sphere: color must be '#rrggbb'",
        ),
        (
            "bodies[1].shapes",
            [{"type": "sphere", "radius": 1, "role": "look"}],
            "role must be 'visual' or 'collision', got 'look'",
        ),
        ("bodies[0].joint.limits", {"position": ["-inf", "-inf"]}, "no limit is -inf for"),
        ("bodies[0].joint.mimic", {"joint": "elbow"}, "mimics the unknown joint 'elbow'"),
        ("bodies[0].joint.mimic", {}, "joint.mimic must have the key 'joint'"),
        ("bodies[0].mass", -1, "bodies[0]: body 'upper': mass must not be negative"),
        ("bodies[0].mass", None, "bodies[0].mass must be a number or a formula, got null"),
        ("bodies[0].mass", float("nan"), "bodies[0].mass must be finite, got nan"),
        ("bodies[0].mass", 10**400, "bodies[0].mass must be finite"),
        ("bodies[0].mass", "1/0", "bodies[0].mass must be finite, but '1/0' is inf"),
        ("bodies[0].com", [0, 0, [1]], "bodies[0].com[2] must be a number or a formula, got [1]"),
        ("bodies[0].inertia", [1, 1], "bodies[0]: body 'upper': inertia must be 3 numbers"),
        ("bodies[0].inertia", [[1, 2], [3]], "inertia must be real numbers"),
        ("bodies[0].inertia", [[[1]]], "bodies[0].inertia[0][0] must be a number or a formula"),
        ("bodies[1].pose.xyz", "l", "bodies[1].pose.xyz must be a list of 3 numbers, got 'l'"),
        (
            "bodies[1].pose.rpz",
            [0],
            "bodies[1].pose has the unknown key 'rpz'; did you mean 'rpy'?",
        ),
        ("bodies[1].pose.quat", [0, 0, 0, 0], "bodies[1].pose: pose: quat must not be zero"),
        ("bodies[1].pose.matrix", [[1e200] * 3] * 3, "bodies[1].pose: pose: matrix must be a rota"),
        ("bodies[1].pose.angle", 1, "bodies[1].pose: pose: angle=1.0 needs an axis"),
        ("bodies[0].joint", "revolute", "bodies[0].joint must be an object with keys, got 'revolu"),
        ("bodies[0].joint.type", ..., "bodies[0].joint must have the key 'type'"),
        ("bodies[0].joint.type", "revolt", "joint.type must be a type of joint, got 'revolt'; did"),
        ("bodies[0].joint.type", "helical", "bodies[0].joint must have the key 'pitch'"),
        ("bodies[0].joint.type", "euler", "bodies[0].joint has the unknown key 'axis'"),
        ("bodies[0].joint.axis", [0, 0, 0], "bodies[0].joint: revolute joint: axis must not be ze"),
        ("bodies[0].joint.axis", "w", 'bodies[0].joint: revolute joint: axis must be "x", "y"'),
        ("bodies[0].joint.axis", [0, True, 0], "bodies[0].joint.axis[1] must be a number or a for"),
        ("bodies[0].joint.axis", 3, "bodies[0].joint.axis must be a list of 3 numbers, got 3"),
        ("bodies[0].joint.damping", [[1, 0]], "bodies[0].joint: revolute joint: damping must be"),
        ("bodies[0].joint.rest", {}, "bodies[0].joint.rest must be a number or a formula, got {}"),
        ("bodies[0].joint.limits", {"speed": 1}, "bodies[0].joint.limits has the unknown key"),
        (
            "bodies[0].joint.limits",
            {"position": [1]},
            "limits.position must be a list of the small",
        ),
        ("bodies[0].joint.limits", {"position": [1, 0]}, "joint.limits: limits: the smallest posi"),
        (
            "bodies[0].joint.limits",
            {"effort": [[1]]},
            "limits.effort[0] must be a number or a form",
        ),
        ("bodies[1].joint.limits.velocity", [1, 2], "velocity limits must be one number or 3, got"),
        ("forces", "none", "forces must be a list, got 'none'"),
        ("forces[0].type", "sprng", "forces[0].type must be a type of force, got 'sprng'; did you"),
        ("forces[0].stiffness", ..., "forces[0] must have the key 'stiffness'"),
        ("forces[0].stiffness", -1, "forces[0]: spring: stiffness must not be negative"),
        ("forces[0].body", "upper", "forces[0] has the unknown key 'body'"),
        ("forces[0].first.body", "upr", "acts on the unknown body 'upr'"),
        ("forces[0].first.point", [0, 0], "forces[0].first.point must be a list of 3 numbers"),
        ("forces[0].first", ["upper", []], "forces[0].first must be an object with keys"),
        ("forces[1].force", ["t", 0], "forces[1].force must be a list of 3 numbers or formulas"),
        ("forces[1].axes", "local", "axes must be 'world' or 'body', got 'local'"),
    ],
)
def test_messages(path, value, message):
    with pytest.raises(ps.ModelError) as caught:
        mechanism_from_native(changed(path, value), "f.json")
    assert str(caught.value).startswith("f.json: ")
    assert ": :" not in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("bodies[0].mass", "2*k", "f.json: bodies[0].mass: unknown name 'k'"),
        ("bodies[0].com", [0, "l +", 0], "f.json: bodies[0].com[1]: something is missing here"),
        ("bodies[0].mass", "__import__('os')", "unknown function '__import__'"),
        (
            "forces[1].force",
            ["s", 0, 0],
            "f.json: forces[1]: formula force: force[0]: unknown name",
        ),
        ("forces[1].force", ["(t", 0, 0], "f.json: forces[1].force[0]: this '(' is never closed"),
    ],
)
def test_formulas(path, value, message):
    with pytest.raises(ps.FormulaError) as caught:
        mechanism_from_native(changed(path, value), "f.json")
    assert message in str(caught.value)
    assert str(caught.value).splitlines()[-1].strip() == "^"


def test_a_parameter_is_not_a_place():
    tree = changed("parameters.x", 1.0)
    tree["forces"][1]["force"] = ["x", 0, 0]
    with pytest.raises(ps.FormulaError, match=r"forces\[1\]: .* force\[0\]: 'x' is a parameter"):
        mechanism_from_native(tree, "f")


def test_numbers_of_formulas_are_checked():
    """Check that the message has the body, the number and the parameters."""
    tree = changed("bodies[0].mass", "1 - l")
    with pytest.raises(ps.ModelError, match=r"f: .*'upper': mass must not .* -1\.0 \(with l = 2"):
        mechanism_from_native(tree, "f")


def test_names_of_parameters():
    tree = VALID | {"parameters": {"a b": 1}}
    with pytest.raises(ps.ModelError, match="parameters has the name 'a b'; write letters"):
        mechanism_from_native(tree, "f")


def test_what_is_no_tree():
    for value in (None, [], 3, "text"):
        with pytest.raises(ps.ModelError, match="the file must be an object with keys"):
            mechanism_from_native(value, "f")
    with pytest.raises(ps.ModelError, match="the file has the unknown key 3"):
        mechanism_from_native({3: 4}, "f")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "f: not JSON: Expecting value: line 1 column 1"),
        ('{"a": 1,}', "f: not JSON: "),
        ("[1]", "f: the file must be an object with keys"),
        ('{"a": NaN}', "f: NaN is no number"),
        ('{"a": -Infinity}', "f: -Infinity is no number"),
        ('{"b": {"a": 1, "c": 2, "a": 1}}', "f: the key 'a' occurs twice in {a, c, a}"),
        ('{"a": ' + "[" * 100_000, "f: not JSON: too many brackets"),
        ('{"a": ' + "1" * 10_000 + "}", "f: not JSON: "),
    ],
)
def test_wrong_json(text, message):
    with pytest.raises(ps.ModelError) as caught:
        from_json(text, "f")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = ", "f: not TOML: Invalid value"),
        ("a = 1\na = 2", "f: not TOML: Cannot overwrite a value"),
        ("a = " + "[" * 100_000, "f: not TOML: too many brackets"),
    ],
)
def test_wrong_toml(text, message):
    with pytest.raises(ps.ModelError) as caught:
        from_toml(text, "f")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("value", ["nan", "inf", f"0x{2**1030:x}", "1979-05-27", "true"])
def test_what_toml_has_and_json_has_not(value):
    tree = changed("bodies[0].mass", from_toml(f"a = {value}", "f")["a"])
    with pytest.raises(ps.ModelError, match=r"f: bodies\[0\]\.mass must be"):
        mechanism_from_native(tree, "f")


def test_numbers_too_long_to_print():
    with pytest.raises(ps.ModelError, match="mass must be finite, got a number of thousands"):
        mechanism_from_native(changed("bodies[0].mass", 10**5000), "f")
    with pytest.raises(ps.ModelError, match="name must be text, got a number of thousands"):
        mechanism_from_native(changed("name", [10**5000]), "f")


def test_files(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.json"):
        load(tmp_path / "none.json")
    (tmp_path / "arm.json").write_bytes(b'{"name": "\xff"}')
    with pytest.raises(ps.ModelError, match="not text in UTF-8"):
        load(tmp_path / "arm.json")
    with pytest.raises(ps.ModelError, match=r"suffix '\.yaml' cannot be read; known are \.json, "):
        load(tmp_path / "arm.yaml")
    with pytest.raises(ps.ModelError, match=r"suffix '' cannot be written; known are \.json, "):
        save(ps.System("s", [ps.Body("b")]), tmp_path / "arm")
