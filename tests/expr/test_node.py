"""Nodes: one object for each expression, folded while it is made, gone when nobody uses it."""

import copy
import gc
import math
import os
import random
import re
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import assume

from poinsot.expr import Op, as_expr, build, constant, fresh_symbol, fresh_symbols, symbol
from poinsot.expr.node import ONE, ZERO  # noqa: F401 (ONE: in the rules)
from poinsot.expr.node_pool import references
from tests.expr.graphs import (
    N_LEAVES,
    evaluate,
    follow,
    is_tame,
    law,
    on_expr,
    on_floats,
    points,
    recipes,
)

a, b, c = symbol("a"), symbol("b"), symbol("c")
LEAVES = [a, b, c]


@law(recipes, points)
def test_folding_keeps_the_value(recipe, point):
    """Compare the folded expression with the same steps done directly on floats."""
    assume(is_tame(recipe, point))
    expected = follow(recipe, point, on_floats)
    exprs = follow(recipe, LEAVES, on_expr)
    got = evaluate([as_expr(e) for e in exprs], LEAVES, point)
    # Values are below 1e4 and no step amplifies rounding by more than about that.
    np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


@law(recipes)
def test_the_same_steps_give_the_same_nodes(recipe):
    """Follow a recipe twice, with other expressions made in between."""
    first = follow(recipe, LEAVES, on_expr)
    junk = follow(recipe[::-1], LEAVES[::-1], on_expr)
    second = follow(recipe, LEAVES, on_expr)
    assert len(junk) == len(first)
    assert all(p is q for p, q in zip(first, second, strict=True))


def test_equal_expressions_are_one_object():
    """Make sums, products and leaves twice, operands in either order."""
    assert a + b is b + a
    assert a * b is b * a
    assert (a + b) * c.sin() is c.sin() * (b + a)
    assert a - b is not b - a
    assert symbol("a") is a
    assert constant(2) is constant(2.0) is as_expr(np.float64(2)) is as_expr(np.int32(2))
    assert constant(math.nan) is constant(-math.nan)
    assert constant(-0.0) is ZERO
    assert fresh_symbol("a") is not fresh_symbol("a")


RULES = """
    0 + a -> a;  a + 0.0 -> a;  a - 0 -> a;  0 - a -> -a;  a * b - b * a -> ZERO
    a * 0 -> ZERO;  0 * a -> ZERO;  a * 1 -> a;  1 * a -> a;  a / 1 -> a;  +a -> a
    -(-a) -> a;  -(a - b) -> b - a;  a + (-b) -> a - b;  (-a) + b -> b - a
    (-a) + (-b) -> -(a + b);  a - (-b) -> a + b;  (-a) - b -> -(a + b)
    (-a) * b -> -(a * b);  a * (-b) -> -(a * b);  (-a) * (-b) -> a * b
    -2 * a -> -(2 * a);  2 * (3 * a) -> 6 * a;  2 * (-3 * a) -> -(6 * a);  0.5 * (2 * a) -> a
    (-a) / b -> -(a / b);  a / (-b) -> -(a / b);  a / 4 -> 0.25 * a;  a / -4 -> -(0.25 * a)
    a**0 -> ONE;  a**1 -> a;  a**2 -> a * a;  a**5 -> a * ((a * a) * (a * a))
    a**-1 -> 1 / a;  a**-2 -> 1 / (a * a);  a**0.5 -> a.sqrt()
    abs(-a) -> abs(a);  abs(abs(a)) -> abs(a)
    (-a).sin() -> -a.sin();  (-a).cos() -> a.cos();  (-a).tan() -> -a.tan()
    a > b -> b < a;  a >= b -> b <= a;  a.arctan() -> a.arctan2(1.0)
"""


@pytest.mark.parametrize("rule", [rule.strip() for rule in re.split("[;\n]", RULES.strip())])
def test_folding_rule(rule):
    """Check that the left side becomes the very node on the right."""
    left, right = [eval(side) for side in rule.split("->")]
    assert left is right


def test_what_must_not_fold_stays():
    """Keep divisions that are not exact products, and powers that are not products."""
    assert (a / 3).op is Op.DIV
    assert (a / 0).op is Op.DIV
    assert (a / math.inf).op is Op.DIV
    assert (a / 5e-324).op is Op.DIV  # its reciprocal is not a float
    for exponent in (9, 1.5, -9, math.inf, math.nan, b):
        assert (a**exponent).op is Op.POW
    assert (2**a).op is Op.POW


def test_numbers_fold_to_numbers():
    """Combine constants with every kind of operator."""
    two, three = constant(2), constant(3)
    results = [two + three, two - three, two * three, two / three, two**three, -two, two < three]
    assert [float(r) for r in results] == [5, -1, 6, 2 / 3, 8, -2, 1]
    assert float(two / 0) == math.inf
    assert math.isnan(float(constant(-1).sqrt()))
    assert float(constant(0.5).sin()) == math.sin(0.5)


def test_misuse_is_refused_with_a_remedy():
    """Ask for the truth or the number of an expression, and lift what is no number."""
    with pytest.raises(TypeError, match="select"):
        bool(a < b)
    with pytest.raises(TypeError, match="symbolic"):
        float(a + b)
    with pytest.raises(TypeError, match="got str"):
        as_expr("a")
    with pytest.raises(TypeError):
        a + "a"
    with pytest.raises(TypeError):
        a * 1j


def test_copies_are_the_node_itself():
    """Copy an expression and an array of them."""
    assert copy.copy(a + b) is a + b
    assert copy.deepcopy({"k": [a + b]})["k"][0] is a + b


def test_operators_broadcast_over_arrays():
    """Let NumPy spread an expression over an array from either side."""
    for result in (a * np.array([1.0, 2.0]), np.array([1.0, 2.0]) * a):
        assert result.tolist() == [a, 2 * a]


def test_pool_lets_go_of_unused_nodes():
    """Count the nodes of the pool before, during and after the life of an expression."""
    gc.collect()
    before = len(references)
    expr = sum((symbol(f"pool{k}") * k).sin() for k in range(100))
    assert len(references) >= before + 300
    del expr
    gc.collect()
    assert len(references) == before


def test_wide_graphs_of_many_nodes_are_built():
    """Build a hundred thousand distinct nodes, all alive together."""
    nodes = [a * k + b for k in range(2, 50_002)]
    assert len({node.serial for node in nodes}) == 50_000


def test_threads_get_identical_nodes():
    """Build the same expressions in four threads at once, each in its own order."""
    n_threads, n_exprs = 4, 2000
    start = threading.Barrier(n_threads)
    made = [{} for _ in range(n_threads)]

    def work(k):
        order = list(range(n_exprs))
        random.Random(k).shuffle(order)
        start.wait()
        for i in order:
            made[k][i] = ((a + (i + 0.5)) * b).sin() - symbol(f"thread{i}")

    threads = [threading.Thread(target=work, args=(k,)) for k in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(made[0][i] is other[i] for other in made[1:] for i in range(n_exprs))


def laid_out(recipe):
    """Return the contents of the program of a recipe, and keep none of its expressions."""
    outputs = [as_expr(e) for e in follow(recipe, LEAVES, on_expr)]
    program = build({"x": np.array(LEAVES, dtype=object)}, {"y": outputs})
    return repr(program.constants), program.steps, program.results


@law(recipes)
def test_programs_do_not_depend_on_what_was_dropped_before(recipe):
    """Lay out an expression, make and drop others, lay it out again."""
    first = laid_out(recipe)
    for k in range(len(recipe)):
        follow(recipe[:k], LEAVES[::-1], on_expr)
    assert laid_out(recipe) == first


@law(recipes)
def test_programs_of_fresh_symbols_do_not_depend_on_what_else_is_alive(recipe):
    """Lay out an expression of fresh symbols, keep others alive, lay it out again."""

    def fresh_layout():
        leaves = list(fresh_symbols("x", N_LEAVES))
        outputs = [as_expr(e) for e in follow(recipe, leaves, on_expr)]
        program = build({"x": np.array(leaves, dtype=object)}, {"y": outputs})
        return repr(program.constants), program.steps, program.results

    first = fresh_layout()
    junk = [follow(recipe[:k], LEAVES[::-1], on_expr) for k in range(len(recipe))]
    assert fresh_layout() == first
    assert len(junk[0]) == N_LEAVES


def test_programs_are_the_same_in_every_process():
    """Build one program under two seeds of Python's string hash."""
    code = (
        "from poinsot.expr import *\n"
        "x = symbol_array('x', 5)\n"
        "y = [(p * q + r).sin() * (q - 0.3) for p in x for q in x for r in x]\n"
        "print(show(build({'x': x}, {'y': [sum(y), *y]})))"
    )

    def text(seed):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}
        command = [sys.executable, "-c", code]
        return subprocess.run(command, env=environment, capture_output=True, check=True).stdout

    assert text("1") == text("2")
