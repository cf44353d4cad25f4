"""What a simulation rests on travels as plain values and comes back the same, or is refused."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import poinsot as ps
from poinsot.errors import PoinsotError, ProgramError
from poinsot.expr.program_tree import program_from_tree, program_tree
from poinsot.io import native
from poinsot.io.native.node import Node
from poinsot.simulation.files import saved_simulation
from poinsot.simulation.integrate import integrate
from poinsot.simulation.laws.equations import MotionEquations, equations
from poinsot.simulation.running.checks import accuracy
from poinsot.simulation.running.run_plan import Plan


def arm() -> ps.System:
    m = ps.symbols("m")
    upper = ps.Body("upper", joint=ps.Revolute("y"), mass=m, com=(0, 0, -0.5))
    lower = ps.Body(
        "lower", "upper", ps.Revolute("x"), ps.Pose((0, 0, -1)), mass=1, com=(0, 0, -0.4)
    )
    return ps.System("arm", [upper, lower], parameters={"m": 2.0}, free=["m"])


def driven() -> MotionEquations:
    mechanism = arm().mechanism

    def tau(t, q, v):
        pull = np.where(q[1] > 0.1, -v[1], np.sin(3 * t))
        return [ps.symbols("m") * pull, -0.3 * v[1]]

    def base(t):
        return np.eye(3), np.zeros(6), [0, 0, np.sin(t), 0, 0, 0]

    return equations(mechanism, tau, base, np.array([1.5]))


def through_json(tree):
    """What a file does to a tree: plain values become text and come back, arrays stay."""
    if isinstance(tree, dict):
        return {key: through_json(one) for key, one in tree.items()}
    return tree if isinstance(tree, np.ndarray) else json.loads(json.dumps(tree, allow_nan=False))


def test_equations_come_back_with_the_same_bits():
    made = driven()
    tree = through_json(saved_simulation.equations_tree(made))
    again = saved_simulation.equations_from_tree(made.mechanism, Node(tree, "equations", "run.npz"))
    assert [use.kernel.program for use in again.drives] == [
        use.kernel.program for use in made.drives
    ]
    plan, start, how = Plan(1.0), np.array([0.3, 0.1, 0.0, 1.0]), accuracy("dp8", 1e-8, None, None)
    one, other = (integrate(laws, start, how, plan) for laws in (made, again))
    assert np.array_equal(one.q, other.q)
    assert np.array_equal(one.v, other.v)


def test_settings_come_back():
    tolerances = accuracy("dp5", 1e-6, 1e-9, None), accuracy("dp8", 1e-6, None, 0.1)
    for how in (*tolerances, accuracy("rk4", step=1e-3)):
        tree = through_json(saved_simulation.accuracy_tree(how))
        assert saved_simulation.accuracy_from_tree(Node(tree, "accuracy", "run")) == how
    for plan in (Plan(2.0), Plan(2.0, 0.1, 77, np.array([0.5, 1.0, 2.0]))):
        tree = through_json(saved_simulation.plan_tree(plan))
        again = saved_simulation.plan_from_tree(Node(tree, "plan", "run"))
        assert (again.duration, again.first_step, again.max_steps) == (
            plan.duration,
            plan.first_step,
            plan.max_steps,
        )
        assert (again.times is None) == (plan.times is None)
        assert plan.times is None or np.array_equal(again.times, plan.times)


def test_a_mechanism_comes_back():
    tree = through_json(native.native_from_mechanism(arm().description))
    again = saved_simulation.mechanism_from_tree(Node(tree, "model", "run.npz"))
    assert again == arm().description


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda tree: tree.pop("tau"), "must have the key 'tau'"),
        (lambda tree: tree.update(tau=np.zeros(3)), r"tau must have shape \(2,\), got \(3,\)"),
        (lambda tree: tree.update(tau=[0.0, 0.0]), "tau must be an array of float64"),
        (lambda tree: tree.update(base=np.full(15, np.nan)), "base must be finite"),
        (lambda tree: tree.update(moving=1), "moving must be true or false"),
        (lambda tree: tree["drives"][1].update(gives="q"), "must be one of tau, base"),
        (lambda tree: tree["drives"][1]["program"]["inputs"].update(q=[9]), "drives"),
        (lambda tree: tree["drives"][1]["program"]["steps"].append(["OPEN", 0]), "unknown op"),
        (lambda tree: tree["drives"][1]["program"]["results"].__setitem__(0, 10**6), "exist"),
        (lambda tree: tree["drives"][1]["program"].update(steps="x"), "must be a list"),
    ],
)  # fmt: skip
def test_files_that_lie_are_refused(change, message):
    made = driven()
    tree = through_json(saved_simulation.equations_tree(made))
    change(tree)
    with pytest.raises(PoinsotError, match=message):
        saved_simulation.equations_from_tree(made.mechanism, Node(tree, "equations", "run.npz"))


def test_a_program_may_not_read_beyond_the_state():
    """Compiled code reads by the sizes of its ports: larger ones than the model's are refused."""
    made = driven()
    tree = through_json(saved_simulation.equations_tree(made))
    program = tree["drives"][1]["program"]
    program["inputs"] = {"t": [1], "q": [100000], "v": [2], "parameters": [1]}
    program.update(constants=[], steps=[], results=[5000, 5001])
    with pytest.raises(PoinsotError, match="has 'q' of 100000 numbers; the model has 2"):
        saved_simulation.equations_from_tree(made.mechanism, Node(tree, "equations", "run.npz"))


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["inputs", "outputs", "constants", "steps", "results", "x"]), inner),
))  # fmt: skip
def test_whatever_stands_in_the_place_of_a_program_is_refused(tree):
    with pytest.raises(ProgramError):
        program_from_tree(tree, "run")


def test_numbers_that_json_does_not_know():
    x = ps.expr.symbol_array("x", 1)
    made = ps.expr.build(
        {"x": x}, {"y": ps.expr.minimum(x[0], np.inf) + ps.select(x[0], 2, -np.inf)}
    )
    assert program_from_tree(through_json(program_tree(made)), "run") == made


def test_a_law_that_cannot_be_kept_says_so_when_asked():
    made = driven()
    tree = through_json(saved_simulation.equations_tree(made))
    tree["drives"][1]["program"] = None
    again = saved_simulation.equations_from_tree(made.mechanism, Node(tree, "equations", "run.npz"))
    with pytest.raises(PoinsotError, match="tau of this run was a Python function"):
        integrate(again, np.zeros(4), accuracy("dp8", 1e-8, None, None), Plan(1.0))
