"""Solutions of square systems of expressions against NumPy's."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from poinsot.algebra.square_solution import square_solution
from poinsot.expr import build, symbol_array
from tests.expr.graphs import run
from tests.random_examples import examples


@settings(max_examples=examples(40))
@given(n=st.integers(1, 6), zeros=st.floats(0.0, 0.8), seed=st.integers(0, 9999))
def test_solution(n, zeros, seed):
    """Solve regular systems with zeros anywhere, also where pivots would be, by symbols."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n)) * (rng.uniform(size=(n, n)) > zeros)
    A[np.arange(n), rng.permutation(n)] += rng.choice([-3.0, 3.0], n)
    if np.linalg.cond(A) > 1e3:
        return
    b = rng.normal(size=(n, 2))
    symbols, right = symbol_array("a", (n, n)), symbol_array("b", (n, 2))
    held = np.where(A == 0.0, 0.0, symbols)
    program = build({"a": symbols, "b": right}, {"x": square_solution(held, right)})
    x = np.reshape(run(program, A, b), (n, 2))
    np.testing.assert_allclose(x, np.linalg.solve(A, b), rtol=1e-8, atol=1e-9)
