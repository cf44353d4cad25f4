"""Parameters of a description: where they may be, their numbers, and what is refused."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings

import poinsot as ps
from poinsot.kernels.digest import digest
from poinsot.model import Mechanism, is_symbolic
from tests.formulations.loaded import random_forces, with_forces
from tests.parametric import parametric
from tests.random_examples import examples
from tests.strategies import cases

m, l, g, a = ps.symbols("m l g a")


def pendulum(m, l, g, **more):
    """Return a double pendulum with numbers or formulas."""
    rod = {
        "mass": m,
        "com": (0, 0, -l / 2),
        "inertia": (m * l**2 / 12, m * l**2 / 12, 0),
        "joint": ps.Revolute("y", damping=m / 10, stiffness=3, rest=l / 5, armature=m / 100),
    }
    spring = ps.Spring(("lower", (0, 0, -l)), ("world", (l, 0, 0)), 10 * m, 0.1, l / 3)
    return ps.System(
        "double pendulum",
        [ps.Body("upper", **rod), ps.Body("lower", "upper", pose=ps.Pose((0, 0, -l)), **rod)],
        gravity=(0, 0, -g),
        forces=[spring],
        **more,
    )


@settings(max_examples=examples(11))
@given(cases(max_bodies=8))
def test_numbers_in_place_of_parameters_give_the_plain_mechanism(case):
    """Put numbers into a description with formulas everywhere: the same description, bit by bit."""
    plain = with_forces(case.mechanism, random_forces(case))
    symbolic, values = parametric(case.rng, plain)
    assert symbolic.at(values) == plain
    folded, values = parametric(case.rng, plain, free=False, axes=True)
    assert folded.bound == plain
    assert folded.parameter_inputs == ()


@settings(max_examples=examples(8))
@given(cases(max_bodies=6))
def test_descriptions_are_values(case):
    """Hash, compare, copy, pickle and digest descriptions with formulas."""
    symbolic, values = parametric(case.rng, case.mechanism)
    parts = symbolic.name, symbolic.bodies, symbolic.gravity
    same = Mechanism(*parts, parameters=symbolic.parameters)
    for other in (same, copy.deepcopy(symbolic), pickle.loads(pickle.dumps(symbolic))):
        assert other == symbolic
        assert hash(other) == hash(symbolic)
        assert digest(other) == digest(symbolic)
    if values:
        assert symbolic != case.mechanism
        assert digest(symbolic) != digest(case.mechanism)
        name = next(iter(values))
        assert symbolic.with_parameters({name: values[name]}) != symbolic
        renamed = Mechanism("m", [ps.Body("b", mass=m)]), Mechanism("m", [ps.Body("b", mass=l)])
        assert digest(renamed[0]) != digest(renamed[1])


def test_folded_parameters_leave_no_trace():
    """Compare a system with parameters that have numbers with the one made of the numbers."""
    plain = pendulum(1.5, 0.7, 9.81)
    folded = pendulum(m, l, g, parameters={"m": 1.5, "l": 0.7, "g": 9.81})
    assert folded.mechanism == plain.mechanism
    assert folded != plain
    assert folded.free == ()
    assert folded.parameters == {"m": 1.5, "l": 0.7, "g": 9.81}
    assert folded.description.bodies[0].mass is m


def test_free_and_valueless_parameters_are_inputs():
    system = pendulum(m, l, g, parameters={"g": 9.81, "l": 0.7}, free=["l"])
    assert system.parameters == {"g": 9.81, "l": 0.7, "m": None}
    assert system.free == ("l", "m")
    assert system.gravity == (0.0, 0.0, -9.81)
    assert system.with_free("g").free == ("g", "l", "m")
    assert system.with_parameters(m=2.0).free == ("l",)
    assert system.with_parameters(m=2.0, g=None).free == ("g", "l")
    assert system.with_parameters(l=2.0).parameters["l"] == 2.0


def test_every_form_of_a_pose():
    """Give orientations as formulas in every form: the same as their numbers."""
    forms = {
        "rpy": lambda x: {"rpy": (x, 0, -2 * x)},
        "quat": lambda x: {"quat": (1, x, 0, 2 * x)},
        "angle": lambda x: {"axis": (1, 2, 3), "angle": x / 2},
        "axis": lambda x: {"axis": (x, 1, 0), "angle": 0.5},
        "matrix": lambda x: {"matrix": ps.Pose(rpy=(x, 0, 0)).matrix},
    }
    for form in forms.values():
        symbolic = Mechanism("m", [ps.Body("b", pose=ps.Pose((a, 0, 1), **form(a)))])
        numeric = symbolic.at({"a": 0.3}).bodies[0].pose
        assert numeric == ps.Pose((0.3, 0, 1), **form(0.3))
        entries = np.array(symbolic.bodies[0].pose.matrix)
        assert is_symbolic(entries)


def test_symbols():
    assert ps.symbols("m") is m
    assert ps.symbols("m, l") == (m, l)
    with pytest.raises(ps.ModelError, match="give names"):
        ps.symbols(" ")
    for name, what in (("t", "the time"), ("sin", "'sin'"), ("pi", "'pi'")):
        with pytest.raises(ps.ModelError, match=f"formulas have already .{what}"):
            ps.symbols(name)
    with pytest.raises(ps.ModelError, match="write letters, digits"):
        ps.symbols("2m")


def test_formulas_that_are_numbers_are_numbers():
    body = ps.Body("b", mass=m - m + 2, com=(m / m * 0, 0, 1))
    assert body == ps.Body("b", mass=2.0, com=(0, 0, 1))
    assert isinstance(body.mass, float)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: {"parameters": {"m": -1.0, "l": 1.0}}, r"'upper': .* negative.*\(with m = -1, l"),
        (lambda: {"parameters": {"m": "two"}}, "parameter 'm' must be real numbers, got 'two'"),
        (lambda: {"parameters": {"m": float("nan")}}, "parameter 'm' must be finite"),
        (lambda: {"parameters": {"t": 1.0}}, "has the name 't', which formulas have already"),
        (lambda: {"parameters": {"max": 1.0}}, "has the name 'max', which formulas have already"),
        (lambda: {"parameters": {"a b": 1.0}}, "write letters, digits and _"),
        (lambda: {"parameters": 3}, "parameters must be numbers by name"),
        (lambda: {"free": ["n"]}, "free names the unknown parameter 'n'; known are 'm', 'l', 'g'"),
    ],
)
def test_wrong_parameters_are_refused(make, message):
    with pytest.raises(ps.ModelError, match=message):
        pendulum(m, l, g, **make())


def test_numbers_that_formulas_give_are_checked():
    """Check that what is wrong for the numbers of now is refused as if they were written."""
    bodies = [ps.Body("b", joint=ps.Universal((1, a, 0), (1, 0, 0)), mass=1.0)]
    with pytest.raises(ps.ModelError, match=r"must not be parallel.*\(with a = 0\)"):
        ps.System("m", bodies, parameters={"a": 0.0})
    rod = ps.Body("b", mass=1 / a)
    with pytest.raises(ps.ModelError, match=r"'b': mass must be finite, got inf \(with a = 0\)"):
        ps.System("m", [rod], parameters={"a": 0.0})
    with pytest.raises(ps.ModelError, match=r"mass must be finite, got inf \(with a = 0\)"):
        ps.System("m", [rod], parameters={"a": 1.0}).with_parameters(a=0.0)
    with pytest.warns(ps.ModelWarning, match="implausible inertia"):
        ps.System("m", [ps.Body("b", mass=1.0, inertia=(1, 1, a))], parameters={"a": 5.0})


def test_axes_of_joints_are_numbers_or_folded():
    hinge = ps.Body("b", joint=ps.Revolute((1, a, 0)), mass=1.0)
    folded = ps.System("m", [hinge], parameters={"a": 1.0})
    assert folded.bodies[0].joint == ps.Revolute((1, 1, 0))
    with pytest.raises(ps.ModelError, match=r"axis .* of body 'b' depends on a free parameter"):
        ps.System("m", [hinge])
    with pytest.raises(ps.ModelError, match="turn its pose"):
        folded.with_free("a")


def test_unknown_names():
    system = pendulum(m, l, g)
    with pytest.raises(ps.ModelError, match="no parameter 'mass'"):
        system.with_parameters(mass=1.0)
    with pytest.raises(ps.ModelError, match="unknown parameter 'k'"):
        system.with_free("k")
    wind = ps.FormulaForce("b", ("-k*vx", 0, m))
    with pytest.raises(ps.FormulaError, match="unknown name 'k'"):
        ps.System("m", [ps.Body("b")], forces=[wind])
    fine = ps.System("m", [ps.Body("b")], forces=[wind], parameters={"k": None, "m": 2.0})
    assert fine.free == ("k",)
    assert fine.forces[0].force == ("-k*vx", 0.0, "(2.0)")


def test_symmetric_matrices_have_equal_formulas():
    good = ps.Body("b", inertia=((1, a, 0), (a, 1, 0), (0, 0, 1)))
    assert good.inertia[3] is a
    with pytest.raises(ps.ModelError, match="the same formulas on both sides"):
        ps.Body("b", inertia=((1, a, 0), (0, 1, 0), (0, 0, 1)))
