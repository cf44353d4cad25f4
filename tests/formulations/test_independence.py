"""The formulations have nothing in common but the model and the screws, and yet agree."""

import ast
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from poinsot import formulations
from poinsot.errors import ModelError
from poinsot.formulations import embedding, kane, lagrange, newton_euler, screw_matrix
from poinsot.formulations.recursive import inverse
from poinsot.formulations.recursive.articulated import articulated_forward_dynamics
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.model import Body, Environment, Mechanism, Prismatic, Revolute
from tests.formulations.surrounded import (
    RiddenOracle,
    needs_surroundings,
    random_surroundings,
    still,
    traced,
)
from tests.oracles.agreement import assert_accelerations_agree, assert_agree
from tests.random_examples import examples
from tests.strategies import cases, random_case

FOLDER = Path(formulations.__file__).parent
INDEPENDENT = ("recursive", "screw_matrix", "kane", "newton_euler", "embedding", "lagrange")
PACKAGE = "poinsot.formulations"
LOWER = ("poinsot.model", "poinsot.spatial", "poinsot.expr", "poinsot.errors")
FORMULATIONS = {
    "screw_matrix": screw_matrix,
    "kane": kane,
    "lagrange": lagrange,
    "newton_euler": newton_euler,
    "embedding": embedding,
}
ROWS = [f"{PACKAGE}.constrained{part}" for part in ("", ".rows", ".rows.all_rows", ".view")]
"""What embedding has of constraints: their rows."""
TRACEABLE = [
    (name, function)
    for name in FORMULATIONS
    for function in ("mass_matrix", "bias", "inverse_dynamics", "forward_dynamics")
    if function != "forward_dynamics" or name not in ("newton_euler", "embedding")
]
INPUTS = {
    "mass_matrix": ("q",),
    "bias": ("q", "v"),
    "inverse_dynamics": ("q", "v", "a"),
    "forward_dynamics": ("q", "v", "tau"),
}

each_formulation = pytest.mark.parametrize("way", FORMULATIONS.values(), ids=FORMULATIONS)


@pytest.mark.parametrize(("one", "other"), list(combinations(INDEPENDENT, 2)))
def test_formulations_have_nothing_in_common(one, other):
    """Check that no two import, by whatever chain, the same file but that of passive forces."""
    common = _reached(one) & _reached(other) - {"__init__.py", "passive_forces.py"}
    assert not common, f"{one} and {other} must stand alone, but both use {sorted(common)}"


@pytest.mark.parametrize("name", FORMULATIONS)
def test_formulations_use_only_what_is_below(name):
    """Check that they import the model, screws and expressions, and passive forces, no more."""
    allowed = [f"{PACKAGE}.{name}", f"{PACKAGE}.passive_forces", *LOWER]
    allowed += ROWS if name == "embedding" else []
    imported = {module for path in _files(name) for module in _imported(path)}
    assert imported
    assert not [x for x in imported if _is_part(x, ["poinsot"]) and not _is_part(x, allowed)]


@each_formulation
@settings(max_examples=examples(8))
@given(case=cases(15))
def test_agrees_with_recursive(way, case):
    """Check all four functions against the recursive formulation on a base at rest."""
    m, q, v, a, tau, environment = case.mechanism, case.q, case.v, case.a, case.tau, still(case)
    M, bias = mass_matrix_along_paths(m, q), inverse.bias(m, q, v)
    assert_agree(way.mass_matrix(m, q), M)
    assert_agree(way.bias(m, q, v, environment), bias)
    expected = inverse.inverse_dynamics(m, q, v, a)
    assert_agree(way.inverse_dynamics(m, q, v, a, environment), expected)
    expected = articulated_forward_dynamics(m, q, v, tau)
    found = way.forward_dynamics(m, q, v, tau, environment)
    assert_accelerations_agree(found, expected, M, tau - bias)


@each_formulation
@settings(max_examples=examples(8))
@given(case=cases(15))
def test_agrees_with_pinocchio_on_a_moving_base(way, case):
    """Check joint forces on a base that moves, under wrenches, against Pinocchio."""
    m, q, v, a, environment = case.mechanism, case.q, case.v, case.a, random_surroundings(case)
    oracle = RiddenOracle(m, environment)
    assert_agree(way.bias(m, q, v, environment), oracle.inverse_dynamics(q, v, np.zeros(m.nv)))
    expected = oracle.inverse_dynamics(q, v, a)
    assert_agree(way.inverse_dynamics(m, q, v, a, environment), expected)


@settings(max_examples=examples(6))
@given(case=cases(20))
def test_agree_with_each_other_on_a_moving_base(case):
    """Check all with the recursive one, on a base that moves and under wrenches."""
    m, q, v, a, tau, environment = (
        *(case.mechanism, case.q, case.v, case.a, case.tau),
        random_surroundings(case),
    )
    M, bias = mass_matrix_along_paths(m, q), inverse.bias(m, q, v, environment)
    forces = inverse.inverse_dynamics(m, q, v, a, environment)
    expected = articulated_forward_dynamics(m, q, v, tau, environment)
    for way in FORMULATIONS.values():
        assert_agree(way.mass_matrix(m, q), M)
        assert_agree(way.bias(m, q, v, environment), bias)
        assert_agree(way.inverse_dynamics(m, q, v, a, environment), forces)
        found = way.forward_dynamics(m, q, v, tau, environment)
        assert_accelerations_agree(found, expected, M, tau - bias)


@pytest.mark.parametrize(("name", "function"), TRACEABLE)
@settings(max_examples=examples(4))
@given(case=cases(6))
def test_symbols_give_what_floats_give(name, function, case):
    """Check the path of expressions against the path of floats, surroundings as symbols too."""
    m, environment = case.mechanism, random_surroundings(case)
    run = getattr(FORMULATIONS[name], function)
    inputs = {key: getattr(case, key) for key in INPUTS[function]}
    found = traced(run, m, environment, **inputs)
    arguments = (*inputs.values(), environment) if needs_surroundings(run) else inputs.values()
    expected = run(m, *arguments)
    assert expected.dtype == np.float64
    if function == "forward_dynamics":
        M, bias = kane.mass_matrix(m, case.q), kane.bias(m, case.q, case.v, environment)
        assert_accelerations_agree(found, expected, M, case.tau - bias)
    else:
        assert_agree(found, expected)


@each_formulation
def test_mass_matrix_is_symmetric_to_the_last_digit(way):
    """Check that nobody need mirror it."""
    case = random_case(5, 9, kinds=("revolute", "spherical"))
    M = way.mass_matrix(case.mechanism, case.q)
    assert np.array_equal(M, M.T)


@each_formulation
def test_falling_with_the_base_is_weightless(way):
    """Check that a base that falls freely without turning leaves no trace of gravity."""
    case = random_case(8, 6, passive=False)
    g = case.rng.uniform(-10.0, 10.0, 3)
    falling = Environment(g, acceleration=np.concatenate([g, np.zeros(3)]))
    floating = Environment(np.zeros(3))
    found = way.bias(case.mechanism, case.q, case.v, falling)
    assert_agree(found, way.bias(case.mechanism, case.q, case.v, floating))


@each_formulation
def test_bodies_without_mass_between_joints(way):
    """Check a point mass that two sliders without mass let move in a plane: a = f / m."""
    bodies = [
        Body("rail", joint=Prismatic("x")),
        Body("cart", "rail", joint=Prismatic("y")),
        Body("load", "cart", mass=2.0, com=(0.3, 0.0, 0.0)),
    ]
    m = Mechanism("gantry", bodies, gravity=(0.0, -9.0, 0.0))
    a = way.forward_dynamics(m, np.zeros(2), np.ones(2), np.array([4.0, 6.0]), Environment.of(m))
    assert_agree(a, np.array([2.0, 3.0 - 9.0]))


@each_formulation
def test_drive_of_a_body_without_mass(way):
    """Check that armature alone makes an acceleration."""
    m = Mechanism("wheel", [Body("wheel", joint=Revolute("z", armature=0.5))])
    a = way.forward_dynamics(m, np.zeros(1), np.zeros(1), np.ones(1), Environment.of(m))
    assert_agree(a, np.array([2.0]))


@each_formulation
def test_nothing_to_accelerate(way):
    """Check that a mechanism with a joint that moves no mass is refused by name."""
    m = Mechanism("empty", [Body("nothing", joint=Revolute("z"))])
    with pytest.raises(ModelError, match=r"mechanism 'empty'.*singular"):
        way.forward_dynamics(m, np.zeros(1), np.zeros(1), np.ones(1), Environment.of(m))


def _reached(formulation):
    """Return its files and all of the formulations' folder that they import, directly or not."""
    todo, seen = _files(formulation), set()
    while todo:
        path = todo.pop()
        if path not in seen:
            seen.add(path)
            todo += [file for module in _imported(path) for file in _file_of(module)]
    return {path.relative_to(FOLDER).as_posix() for path in seen}


def _files(formulation):
    """Return the files of a formulation, or of its folder; none if there is no such yet."""
    return [*FOLDER.glob(f"{formulation}.py"), *FOLDER.glob(f"{formulation}/**/*.py")]


def _file_of(module):
    """Return the file of a module or package of the formulations' folder; none if it is neither."""
    if not _is_part(module, [PACKAGE]):
        return []
    path = FOLDER.joinpath(*module.split(".")[2:])
    return [file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()]


def _imported(path):
    """Yield the names of all modules that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)  # may be modules


def _is_part(module, packages):
    return any(module == name or module.startswith(f"{name}.") for name in packages)
