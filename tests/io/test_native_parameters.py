"""Files with formulas: read and written they are the same file."""

import json

import pytest
from hypothesis import given, settings

import poinsot as ps
from poinsot.io.native import (
    from_json,
    from_toml,
    mechanism_from_native,
    native_from_mechanism,
    to_json,
    to_toml,
)
from tests.formulations.loaded import random_forces, with_forces
from tests.parametric import parametric
from tests.random_examples import examples
from tests.strategies import cases

WRITTEN = {
    "format": "poinsot/1",
    "name": "crane",
    "gravity": [0.0, 0.0, "-g"],
    "parameters": {"m": 1.5, "l": None, "g": 9.81, "λ_1": 0.25},
    "free": ["m"],
    "bodies": [
        {
            "name": "arm",
            "parent": "world",
            "pose": {"xyz": ["l/2", 0.0, 0.0], "rpy": [0.0, "λ_1", 0.0]},
            "joint": {
                "type": "helical",
                "axis": [0.0, "l", 1.0],
                "pitch": "l**2/10",
                "damping": "0.1*m",
                "limits": {"position": ["-l", "l"], "effort": "10*m"},
            },
            "mass": "2*m",
            "com": ["-l/2", 0.0, "0.5*sin(λ_1) * l"],
            "inertia": ["m*l**2/12", "m*l**2/12", "m*l**2/12", 0.0, 0.0, "m/1000"],
        },
        {
            "name": "hook",
            "parent": "arm",
            "pose": {"xyz": ["l", 0.0, 0.0], "axis": [0.0, 0.0, 1.0], "angle": "pi*λ_1"},
            "mass": "m",
        },
    ],
    "forces": [
        {
            "type": "spring",
            "first": {"body": "hook", "point": ["l", 0.0, 0.0]},
            "second": {"body": "world", "point": [0.0, 0.0, "-l"]},
            "stiffness": "100*m",
            "damping": "m/7",
            "length": "l/3",
        },
        {
            "type": "formula",
            "body": "hook",
            "force": ["-m*x + t", 0.0, "g*m"],
            "moment": [0.0, 0.0, 0.0],
            "point": [0.0, 0.0, 0.0],
            "axes": "world",
        },
    ],
}


def without_l(tree):
    """Return the tree with a number for l: an axis that depends on it is then a number."""
    return tree | {"parameters": tree["parameters"] | {"l": 0.7}}


def test_a_file_with_formulas_is_written_as_it_was():
    """Read and write a tree with formulas of every kind, letter by letter."""
    tree = without_l(WRITTEN)
    again = native_from_mechanism(mechanism_from_native(tree, "f"))
    assert again == tree
    assert list(again) == list(tree)
    for read, write in ((from_json, to_json), (from_toml, to_toml)):
        assert mechanism_from_native(read(write(tree), "f"), "f") == mechanism_from_native(
            tree, "f"
        )


def test_null_is_a_symbol_in_both_notations(tmp_path):
    tree = {
        "format": "poinsot/1",
        "name": "ball",
        "parameters": {"m": None},
        "bodies": [{"name": "ball", "joint": {"type": "translation"}, "mass": "m"}],
    }
    (tmp_path / "ball.json").write_text(json.dumps(tree), encoding="utf-8")
    ball = ps.load(tmp_path / "ball.json")
    assert ball.free == ("m",)
    assert ball.mass_matrix([0, 0, 0], parameters={"m": 2.0})[1, 1] == 2.0
    ps.save(ball, tmp_path / "ball.toml")
    assert 'm = "null"' in (tmp_path / "ball.toml").read_text(encoding="utf-8")
    assert ps.load(tmp_path / "ball.toml") == ball


@settings(max_examples=examples(5))
@given(cases(max_bodies=6))
def test_random_trees_with_formulas_return(case):
    plain = with_forces(case.mechanism, random_forces(case))
    for free in (True, False):
        mechanism, _ = parametric(case.rng, plain, free=free, axes=not free)
        tree = native_from_mechanism(mechanism)
        assert mechanism_from_native(from_json(to_json(tree), "f"), "f") == mechanism
        assert mechanism_from_native(from_toml(to_toml(tree), "f"), "f") == mechanism


def test_tables_with_formulas():
    rows = [{"a": "l", "alpha": "b"}, {"d": "2*l", "joint": "prismatic", "mass": "m"}]
    common = {"format": "poinsot/1", "name": "arm", "parameters": {"l": 0.3, "b": 0.4, "m": 2.0}}
    numbers = [{"a": 0.3, "alpha": 0.4}, {"d": 0.6, "joint": "prismatic", "mass": 2.0}]
    for kind in ("dh", "mdh"):
        symbolic = mechanism_from_native(common | {kind: rows}, "f")
        plain = mechanism_from_native(common | {kind: numbers}, "f")
        for one, other in zip(symbolic.bound.bodies, plain.bound.bodies, strict=True):
            assert one.mass == other.mass
            difference = [
                x - y
                for row, expected in zip(one.pose.matrix, other.pose.matrix, strict=True)
                for x, y in zip(row, expected, strict=True)
            ]
            assert max(map(abs, difference)) < 1e-15
            assert one.pose.xyz == pytest.approx(other.pose.xyz, abs=1e-15)


def test_mjcf_has_numbers_only(tmp_path):
    m, l = ps.symbols("m l")
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=m, com=(0, 0, -l), inertia=(m, m, m))
    system = ps.System("rod", [rod], parameters={"m": 2.0, "l": 1.0}, free=["m"])
    with pytest.warns(ps.ModelWarning, match="formulas are written as numbers"):
        ps.save(system, tmp_path / "rod.xml")
    assert ps.load(tmp_path / "rod.xml").bodies[0].mass == 2.0
    with pytest.raises(ps.ModelError, match="'l' has no number, and MJCF has no formulas"):
        ps.save(system.with_parameters(l=None), tmp_path / "rod.xml")
