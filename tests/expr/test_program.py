"""Programs: laid out in order, each step once, inputs and outputs as named."""

import pickle

import numpy as np
import pytest

from poinsot.errors import ProgramError
from poinsot.expr import Op, Port, as_expr, build, constant, symbol, symbol_array, verify
from tests.expr.graphs import evaluate, follow, law, on_expr, recipes, run

x = symbol_array("x", 3)


@law(recipes)
def test_layouts_are_well_formed_and_hold_each_node_once(recipe):
    """Verify random programs and look for repeated steps."""
    outputs = [as_expr(e) for e in follow(recipe, x, on_expr)]
    program = verify(build({"x": x}, {"y": outputs}))
    assert len(set(program.steps)) == len(program.steps)
    assert len(program.steps) <= len({node.serial for node in _below(outputs) if node.args})


def _below(roots):
    seen, stack = {}, list(roots)
    while stack:
        node = stack.pop()
        if node.serial not in seen:
            seen[node.serial] = node
            stack.extend(node.args)
    return seen.values()


def test_ports_keep_names_shapes_and_order():
    """Lay out two inputs and three outputs of different shapes."""
    q, v = symbol_array("q", 2), symbol_array("v", (2, 2))
    program = build({"q": q, "v": v}, {"s": q[0], "m": v @ v, "n": np.arange(2.0)})
    assert program.inputs == (Port("q", (2,)), Port("v", (2, 2)))
    assert program.outputs == (Port("s", ()), Port("m", (2, 2)), Port("n", (2,)))
    assert [port.size for port in program.outputs] == [1, 4, 2]
    assert program.n_inputs == 6
    assert program.first_step == 6 + len(program.constants)
    numbers = np.arange(1.0, 5.0).reshape(2, 2)
    results = run(program, [7.0, 8.0], numbers)
    np.testing.assert_array_equal(results, [7.0, *(numbers @ numbers).ravel(), 0.0, 1.0])


def test_symbol_array_numbers_its_symbols_in_c_order():
    """Read the names of a matrix of symbols."""
    names = [entry.value for entry in symbol_array("m", (2, 3)).ravel()]
    assert names == [f"m[{k}]" for k in range(6)]
    assert symbol_array("m", (2, 3))[1, 0] is symbol("m[3]")


def test_shared_values_are_computed_once():
    """Count the operations of an expression that uses a value twice."""
    s = (x[0] + x[1]).sin()
    program = build({"x": x}, {"y": [s * s, s + 1]})
    assert program.counts == {Op.ADD: 2, Op.SIN: 1, Op.MUL: 1}
    assert program.n_operations == 4


def test_programs_compare_hash_and_pickle_by_value():
    """Build the same program twice and send it through a pickle."""
    first = build({"x": x}, {"y": x[0] * 2})
    second = build({"x": x}, {"y": x[0] * 2})
    assert first == second
    assert hash(first) == hash(second)
    assert pickle.loads(pickle.dumps(first)) == first
    assert first != build({"x": x}, {"y": x[0] * 3})


def test_outputs_may_be_inputs_constants_and_repeated():
    """Lay out outputs that need no step."""
    program = build({"x": x}, {"y": [x[2], x[2], constant(4.0), 4.0]})
    assert program.steps == ()
    np.testing.assert_array_equal(run(program, [1.0, 2.0, 3.0]), [3.0, 3.0, 4.0, 4.0])


def test_wrong_inputs_are_refused():
    """Forget a symbol, repeat one, and give what is no expression."""
    with pytest.raises(ProgramError, match=r"'x\[1\]' is not an input"):
        build({"x": x[:1]}, {"y": x[1] + 1})
    with pytest.raises(ProgramError, match="distinct"):
        build({"x": x, "z": x[:1]}, {"y": x[0]})
    with pytest.raises(TypeError, match="got str"):
        build({"x": x}, {"y": ["x"]})


def test_evaluation_of_a_known_expression():
    """Evaluate one expression by hand."""
    assert evaluate((x[0] - x[1]) / x[2], x, [5.0, 1.0, 8.0]) == 0.5
