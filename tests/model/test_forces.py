"""Force elements as descriptions: immutable, checked when made, part of the mechanism."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import poinsot as ps
from poinsot.kernels.digest import digest
from poinsot.model import Mechanism

ROD = ps.Body("rod", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
TIP = ps.Body("tip", "rod", ps.Prismatic("x"), mass=0.5)
SPRING = ps.Spring(("rod", (0, 0, -1)), ("world", (1, 0, 0)), 100.0, 2.0, 0.5, name="left")
ELEMENTS = (
    SPRING,
    ps.ConstantForce("tip", (1, 2, 3), (0, 0, 1), point=(0, 0.1, 0), axes="body"),
    ps.FormulaForce("rod", ("-x", 0, "sin(3*t)"), moment=(0, "vx**2", 0)),
)


def mechanism(*forces):
    return Mechanism("arm", [ROD, TIP], forces=forces)


@pytest.mark.parametrize("force", ELEMENTS, ids=lambda force: force.kind)
def test_elements_are_immutable_values(force):
    """Check equality, hash, pickle, copies and that nothing can be set."""
    again = pickle.loads(pickle.dumps(force))
    assert again == force == copy.deepcopy(force)
    assert hash(again) == hash(force)
    assert len({force, again, *ELEMENTS}) == len(ELEMENTS)
    with pytest.raises(FrozenInstanceError):
        force.name = "other"


def test_numbers_are_stored_as_floats():
    """Read back what was given in other types."""
    spring = ps.Spring(["rod", np.array([0, 0, -1])], ("world", [1, 0, 0]), np.int64(100), length=1)
    assert spring.ends == (("rod", (0.0, 0.0, -1.0)), ("world", (1.0, 0.0, 0.0)))
    assert (spring.stiffness, spring.damping, spring.length) == (100.0, 0.0, 1.0)
    assert type(spring.stiffness) is float
    formula = ps.FormulaForce("rod", [1, np.float32(2), "x"])
    assert formula.force == (1.0, 2.0, "x")


def test_mechanism_includes_its_forces():
    """Check that forces distinguish mechanisms, by equality, hash, pickle and digest."""
    bare, sprung = mechanism(), mechanism(*ELEMENTS)
    assert bare.forces == ()
    assert bare != sprung == mechanism(*ELEMENTS)
    assert hash(sprung) == hash(mechanism(*ELEMENTS)) != hash(bare)
    assert pickle.loads(pickle.dumps(sprung)) == sprung
    assert digest(sprung) == digest(mechanism(*ELEMENTS))
    digests = {digest(mechanism(*ELEMENTS[:k])) for k in range(4)}
    assert len(digests) == 4
    assert sprung.depends_on_time
    assert not mechanism(*ELEMENTS[:2]).depends_on_time


def test_system_keeps_its_forces():
    """Check the property, pickles and equality of systems."""
    system = ps.System("arm", [ROD, TIP], forces=list(ELEMENTS))
    assert system.forces == ELEMENTS
    assert pickle.loads(pickle.dumps(system)) == system != ps.System("arm", [ROD, TIP])


def test_only_t_in_a_formula_makes_it_depend_on_time():
    """Look for the name itself, in force and moment."""
    assert not ps.FormulaForce("rod", ("sqrt(x**2)", "tan(y)", 0)).depends_on_time
    assert ps.FormulaForce("rod", moment=(0, 0, "select(t < 1, 2, 0)")).depends_on_time


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ps.Spring("rod", ("world", (0, 0, 0)), 1), r"spring: first must be a body's name"),
        (lambda: ps.Spring(("rod", (0, 0)), ("world", (0, 0, 0)), 1), "first: point must have 3"),
        (lambda: ps.Spring(("rod", (0, 0, 0)), ("rod", (1, 0, 0)), 1), "both ends are on 'rod'"),
        (lambda: ps.Spring(*SPRING.ends, -1, name="s"), "spring 's': stiffness must not be neg"),
        (lambda: ps.Spring(*SPRING.ends, 1, damping=-1), "damping must not be negative, got -1"),
        (lambda: ps.Spring(*SPRING.ends, 1, length=-2), "length must not be negative, got -2"),
        (lambda: ps.Spring(*SPRING.ends, np.nan), "stiffness must be finite"),
        (lambda: ps.Spring(*SPRING.ends, 1, name=""), "spring: name must not be empty"),
        (lambda: ps.ConstantForce("world", (0, 0, 1)), "a force on 'world' moves nothing"),
        (lambda: ps.ConstantForce("rod", (0, 1)), "constant force: force must have 3 numbers"),
        (lambda: ps.ConstantForce("rod", axes="own"), "axes must be 'world' or 'body', got 'own'"),
        (lambda: ps.ConstantForce(3), "body must be text, got 3"),
        (lambda: ps.FormulaForce("rod", "x"), "force must be three numbers or formulas, got 'x'"),
        (lambda: ps.FormulaForce("rod", ("x", 0)), "force must have 3"),
        (lambda: ps.FormulaForce("rod", (0, 0, None)), r"force\[2\] must be finite, got None"),
        (lambda: ps.FormulaForce("rod", (0, 0, "1/0")), r"force\[2\]: '1/0' is inf always"),
        (lambda: ps.FormulaForce("rod", (0, 0, "0*x - 1/0")), "is -inf always"),
    ],
)
def test_wrong_elements_are_refused(make, message):
    """Check that messages name the element, the value and the remedy."""
    with pytest.raises(ps.ModelError, match=message):
        make()


def test_wrong_formulas_are_pointed_at():
    """Check that the error names the element and the component."""
    wind = ps.FormulaForce("rod", (0, "1 + vw", 0), name="wind")
    with pytest.raises(ps.FormulaError) as caught:
        ps.System("m", [ps.Body("rod")], forces=[wind])
    first, shown, caret = str(caught.value).split("\n")
    assert "formula force 'wind': force[1]: unknown name 'vw'; known are t, x, y" in first
    assert shown[caret.index("^")] == "v"


@pytest.mark.parametrize(
    ("forces", "message"),
    [
        ([ps.ConstantForce("rodd")], r"constant force \(forces\[0\]\) .* 'rodd'; did you mean"),
        ([SPRING, ps.ConstantForce("tip", name="left")], "two force elements are called 'left'"),
        ([SPRING, "gravity"], r"forces\[1\] must be a force element, e.g. a Spring, got 'gravity'"),
        (SPRING, "forces must be a list of force elements"),
        (None, "forces must be a list of force elements"),
    ],
)
def test_mechanism_checks_its_forces(forces, message):
    """Check unknown bodies, repeated names and things that are no elements."""
    with pytest.raises(ps.ModelError, match=message):
        Mechanism("arm", [ROD, TIP], forces=forces)


def test_elements_without_a_name_may_repeat():
    """Check that None is no name, so that it may occur twice."""
    force = ps.ConstantForce("tip", (1, 0, 0))
    assert mechanism(force, force).forces == (force, force)
