"""Derivatives: against complex steps, SymPy and each other."""

import gc
from itertools import pairwise

import numpy as np
import pytest
import sympy
from hypothesis import assume

from poinsot.expr import (
    Op,
    as_expr,
    atan2,
    build,
    constant,
    equal,
    gradient,
    jacobian,
    maximum,
    minimum,
    select,
    show,
    sign,
    symbol,
    symbol_array,
    tangent,
)
from poinsot.expr.derivative import CHOICES, PARTIALS
from poinsot.expr.node import ONE, ZERO
from poinsot.expr.node_pool import references
from poinsot.expr.ops import MEANING
from tests.expr.graphs import (
    BUILD,
    evaluate,
    follow,
    is_tame,
    law,
    on_expr,
    points,
    recipes,
    run,
)

x, y, z = symbol("x"), symbol("y"), symbol("z")
LEAVES = [x, y, z]
STEP = 1e-30

COMPLEX = {
    **MEANING,
    Op.ATAN2: lambda b, a: _angle(b + 0j, a + 0j),
    Op.MIN: lambda a, b: a if np.real(a) <= np.real(b) else b,
    Op.MAX: lambda a, b: a if np.real(a) >= np.real(b) else b,
    Op.ABS: lambda a: -a if np.real(a) < 0 else a,
    Op.SIGN: lambda a: np.sign(np.real(a)),
    Op.FLOOR: lambda a: np.floor(np.real(a)),
    Op.LESS: lambda a, b: float(np.real(a) < np.real(b)),
    Op.LESS_EQUAL: lambda a, b: float(np.real(a) <= np.real(b)),
    Op.EQUAL: lambda a, b: float(np.real(a) == np.real(b)),
    Op.SELECT: lambda c, a, b: a if np.real(c) else b,
}
"""The operations continued to complex numbers, as far as a complex step goes."""


def _angle(b, a):
    turn = (a.real * b.imag - b.real * a.imag) / (a.real**2 + b.real**2)
    return np.arctan2(b.real, a.real) + 1j * turn


def complex_jacobian(outputs, point):
    """Return the derivatives by a complex step: Im f(x + i h) / h."""
    program = build({"x": np.array(LEAVES, dtype=object)}, {"y": outputs})
    columns = []
    for j in range(len(point)):
        moved = np.array(point, dtype=complex)
        moved[j] += 1j * STEP
        columns.append(np.imag(run(program, moved, meaning=COMPLEX)) / STEP)
    return np.array(columns).T


@law(recipes, points)
def test_derivatives_agree_with_complex_steps(recipe, point):
    """Differentiate random expressions forward and in reverse."""
    assume(is_tame(recipe, point))
    outputs = [as_expr(e) for e in follow(recipe, LEAVES, on_expr)]
    expected = complex_jacobian(outputs, point)
    assume(np.abs(expected).max() < 1e6)
    forward = jacobian(outputs, LEAVES)
    backward = jacobian(outputs[-1:], LEAVES)
    tolerance = {"rtol": 1e-8, "atol": 1e-8}  # as the values: see test_node
    np.testing.assert_allclose(evaluate(forward, LEAVES, point), expected, **tolerance)
    np.testing.assert_allclose(evaluate(backward, LEAVES, point), expected[-1:], **tolerance)


@law(recipes, points)
def test_tangent_is_the_jacobian_times_the_direction(recipe, point):
    """Contract the Jacobian with seeds that are themselves symbols."""
    assume(is_tame(recipe, point))
    outputs = np.array([as_expr(e) for e in follow(recipe, LEAVES, on_expr)])
    seeds = symbol_array("s", 3)
    along = tangent(outputs, LEAVES, seeds)
    across = jacobian(outputs, LEAVES) @ seeds
    got, expected = evaluate([along, across], [*LEAVES, *seeds], [*point, 0.3, -0.7, 1.1])
    assume(np.abs(expected).max() < 1e6)
    np.testing.assert_allclose(got, expected, rtol=1e-8, atol=1e-8)


def test_every_operation_is_covered():
    """Check that what has no rule is flat: signs and comparisons."""
    flat = {Op.SIGN, Op.FLOOR, Op.LESS, Op.LESS_EQUAL, Op.EQUAL}
    assert set(MEANING) == PARTIALS.keys() | CHOICES.keys() | flat
    assert not PARTIALS.keys() & CHOICES.keys()


FORMULAS = [
    "x*y - x/y",
    "sqrt(x*y) * exp(x)",
    "sin(x)**3 * cos(x*y) + tan(y)",
    "asin(x/4) + acos(y/4)",
    "atan2(x, y)",
    "log(x)**2 / x",
    "x**y + y**2.5 + 2**x",
    "x**9 - x**(-3)",
]


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize("order", [1, 2, 3])
def test_derivatives_agree_with_sympy(formula, order):
    """Compare all derivatives up to the third order at a point."""
    point = [0.7, 1.9]
    p, q = sympy.symbols("x y")
    expected = sympy.Array([sympy.sympify(formula, {"x": p, "y": q})])
    names = {f.lower(): BUILD[Op[f]] for f in ("SQRT", "SIN", "COS", "TAN", "ASIN", "ACOS", "EXP")}
    ours = np.array(
        [eval(formula, {**names, "log": BUILD[Op.LOG], "atan2": atan2, "x": x, "y": y})]
    )
    for _ in range(order):
        expected = sympy.derive_by_array(expected, [p, q])
        ours = jacobian(ours, [x, y])
    numbers = np.array(expected.subs({p: point[0], q: point[1]})).astype(float)
    got = evaluate(ours, [x, y], point)[0]
    # SymPy puts the newest derivative first; all orders of differentiation are equal.
    np.testing.assert_allclose(np.ravel(got), np.ravel(numbers), rtol=1e-10, atol=1e-10)


@law(recipes, points)
def test_second_derivatives_are_symmetric(recipe, point):
    """Differentiate a gradient; compare with the transpose and with a complex step."""
    assume(is_tame(recipe, point))
    output = as_expr(follow(recipe, LEAVES, on_expr)[-1])
    slope = gradient(output, LEAVES)
    hessian = evaluate(jacobian(slope, LEAVES), LEAVES, point)
    assume(np.abs(hessian).max() < 1e6)
    np.testing.assert_allclose(hessian, hessian.T, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(hessian, complex_jacobian(slope, point), rtol=1e-7, atol=1e-7)


def test_nodes_are_reused():
    """Find the function itself in its derivative, and no second sine or root."""
    assert gradient(x.exp(), [x])[0] is x.exp()
    assert gradient(x.tan(), [x])[0] is 1 + x.tan() * x.tan()
    assert gradient(x.sqrt(), [x])[0] is 0.5 / x.sqrt()
    assert gradient(x.sin(), [x])[0] is x.cos()
    assert gradient(x**y, [y])[0] is x.log() * x**y
    assert gradient(1 / x, [x])[0] is -((1 / x) * (1 / x))


def test_flat_operations_have_derivative_zero():
    """Differentiate signs and comparisons, and through the condition of a choice."""
    for flat in (sign(x), x < y, x <= y, equal(x, y), select(x < y, 1.0, 2.0), as_expr(3.0)):
        assert gradient(flat, [x, y]).tolist() == [ZERO, ZERO]
        assert tangent(flat, x, 1.0).item() is ZERO


def test_kinks_take_the_side_that_is_taken():
    """Differentiate choices on both sides of their kink, and on it."""
    exprs = [abs(x), minimum(x, y), maximum(x, y), select(x < y, x * x, y)]
    symbols = [x, y]
    slopes = np.stack([gradient(e, symbols) for e in exprs])
    np.testing.assert_array_equal(
        evaluate(slopes, symbols, [-2.0, 1.0]), [[-1, 0], [1, 0], [0, 1], [-4, 0]]
    )
    np.testing.assert_array_equal(
        evaluate(slopes, symbols, [2.0, 1.0]), [[1, 0], [0, 1], [1, 0], [0, 1]]
    )
    assert np.all(evaluate(slopes[1:3], symbols, [1.0, 1.0]).sum(axis=1) == 1)
    np.testing.assert_array_equal(
        evaluate(jacobian(exprs, symbols), symbols, [2.0, 1.0])[0], [1, 0]
    )


def test_branches_that_are_not_taken_do_not_leak():
    """Differentiate sin(r) / r with r = sqrt(x), guarded at 0 where its derivative is infinite."""
    root = x.sqrt()
    guarded = select(x > 0, select(y < 9, root.sin() / root + root * root.log(), y), 1 - x / 6) * z
    for derivative in (gradient(guarded, [x])[0], tangent(guarded, x, 1.0).item()):
        assert evaluate(derivative, LEAVES, [0.0, 1.0, 3.0]) == -0.5
        assert np.isfinite(evaluate(derivative, LEAVES, [0.5, 1.0, 3.0]))


def test_shapes_follow_outputs_and_symbols():
    """Differentiate scalars, vectors and matrices by arrays of any shape."""
    q = symbol_array("q", (2, 3))
    assert jacobian(q.T @ q, q).shape == (3, 3, 2, 3)
    assert jacobian(q[0, 0], q).shape == (2, 3)
    assert jacobian(q, q[0, 0]).shape == (2, 3)
    assert gradient(q.sum(), q).shape == (2, 3)
    assert gradient(q[0, 0] * 2, q[0, 0]).item() is constant(2)
    assert tangent(q, q[0, 0], 1.0).shape == (2, 3)
    assert jacobian(q.ravel(), q.ravel()).tolist() == [
        [ONE if i == j else ZERO for j in range(6)] for i in range(6)
    ]
    assert jacobian(np.zeros(2), q).tolist() == np.full((2, 2, 3), ZERO).tolist()


def test_only_symbols_are_differentiated_by():
    """Ask for the derivative by a number and by an expression."""
    for wrong in (2.0, constant(2.0), x * y):
        with pytest.raises(TypeError, match="by symbols"):
            gradient(x * y, [x, wrong])
    with pytest.raises(TypeError, match="by symbols"):
        tangent(x, x * y, 1.0)


def test_reverse_mode_costs_a_small_multiple():
    """Count the operations of a gradient by a hundred symbols."""
    q = symbol_array("q", 100)
    energy = sum((a * b).sin() for a, b in pairwise(q))
    cost = build({"q": q}, {"e": energy}).n_operations
    together = build({"q": q}, {"e": energy, "g": gradient(energy, q)}).n_operations
    assert together <= 5 * cost


@pytest.mark.slow
def test_deep_chains_need_no_recursion():
    """Build, show, lay out, differentiate both ways and drop a chain 20 000 deep."""
    gc.collect()
    before, depth = len(references), 20_000
    chain = x
    for _ in range(depth):
        chain = chain.sin()
    assert "over 200 nodes" in repr(chain)
    program = build({"x": [x]}, {"y": chain})
    assert program.n_operations == depth
    assert show(program).count("sin") == depth
    assert tangent(chain, x, 1.0).item().op is Op.MUL
    assert gradient(chain, [x]).item().op is Op.MUL
    del chain
    gc.collect()
    assert len(references) == before


def test_long_chains_of_choices_are_differentiated():
    """Nest more choices than a derivative keeps apart, and compare both modes."""
    chain = x
    for k in range(200):
        chain = minimum(chain * 1.01, x + k * 0.1) if k % 2 else maximum(chain, y - k) - z * chain
    forward = [tangent(chain, leaf, 1.0).item() for leaf in LEAVES]
    backward = gradient(chain, LEAVES)
    got, expected = evaluate([backward, forward], LEAVES, [0.3, 0.5, 0.01])
    np.testing.assert_allclose(got, expected, rtol=1e-9)
    assert build({"x": LEAVES}, {"y": backward}).n_operations < 200 * 30
