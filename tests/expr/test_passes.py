"""Passes change programs, never their values."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume

from poinsot.expr import Op, as_expr, build, optimise, symbol_array, verify
from poinsot.expr.passes import PASSES, drop_unused, share_reciprocals, share_subexpressions
from tests.expr.graphs import follow, is_tame, law, on_expr, points, recipes, run

x = symbol_array("x", 3)


@pytest.mark.parametrize("change", [*PASSES, optimise])
@law(recipe=recipes, point=points)
def test_passes_keep_values_and_rules(change, recipe, point):
    """Run each pass on random programs; compare values, verify, and run it again."""
    assume(is_tame(recipe, point))
    values = [as_expr(e) for e in follow(recipe, x, on_expr)]
    quotients = [v / (1.5 + x[0] * x[0]) for v in values]
    program = build({"x": x}, {"y": values, "z": quotients})
    changed = verify(change(program))
    assert (changed.inputs, changed.outputs) == (program.inputs, program.outputs)
    assert changed.counts.get(Op.DIV, 0) <= program.counts.get(Op.DIV, 0)
    np.testing.assert_allclose(run(changed, point), run(program, point), rtol=1e-13, atol=1e-13)
    assert change(changed) == changed


def test_divisions_by_one_value_share_a_reciprocal():
    """Divide three values by one, and one value by another."""
    program = build({"x": x}, {"y": [x[0] / x[2], x[1] / x[2], 1 / x[2], x[2] / x[1]]})
    shared = share_reciprocals(program)
    assert shared.counts == Counter({Op.DIV: 2, Op.MUL: 2})
    assert 1.0 in shared.constants
    np.testing.assert_allclose(run(shared, [1.0, 2.0, 3.0]), run(program, [1.0, 2.0, 3.0]))


def test_single_divisions_stay():
    """Leave a program alone where no divisor occurs twice."""
    program = build({"x": x}, {"y": [x[0] / x[2], x[1] / x[0]]})
    assert share_reciprocals(program) is program


def test_equal_steps_are_merged():
    """Repeat a step, once with its operands swapped, and merge."""
    program = build({"x": x}, {"y": [x[0] * x[1], x[2].sin()]})
    steps = (*program.steps, (Op.MUL, (1, 0)), (Op.SUB, (0, 1)), (Op.SUB, (1, 0)))
    doubled = replace(program, steps=steps, results=(5, 4))
    merged = share_subexpressions(doubled)
    assert merged.counts == {Op.MUL: 1, Op.SIN: 1, Op.SUB: 2}
    np.testing.assert_array_equal(run(merged, [2.0, 3.0, 1.0]), run(doubled, [2.0, 3.0, 1.0]))


def test_unused_steps_and_constants_are_dropped():
    """Forget all outputs but one and drop what they needed."""
    program = build({"x": x}, {"y": [x[0] * 3 + 5, x[1].sin() * 7]})
    one = replace(program, results=program.results[1:] * 2)
    small = drop_unused(one)
    assert small.constants == (7.0,)
    assert small.counts == {Op.SIN: 1, Op.MUL: 1}
    np.testing.assert_array_equal(run(small, [2.0, 3.0, 1.0]), run(one, [2.0, 3.0, 1.0]))
    assert drop_unused(small) is small
