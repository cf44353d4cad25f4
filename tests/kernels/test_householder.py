"""Least squares in machine code against singular values."""

import ctypes

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poinsot.kernels.llvm.householder import SHORTEST, householder_functions
from poinsot.kernels.llvm.ir_writer import Layout, intrinsics
from poinsot.kernels.llvm.library import load_library
from poinsot.kernels.llvm.target import Target
from tests.random_examples import examples

POINTERS = ("A", "B", "x", "y", "order", "diagonal", "factors")
SIZES = ("stride", "n", "rows", "first")
TOLERANCE = 1e-9


@pytest.fixture(scope="module")
def shortest():
    """Return the function, and the library that it lives in."""
    layout = Layout(Target.current().width)
    typed = [f"ptr %{x}" for x in ("A", "B")] + [f"i64 %{x}" for x in SIZES]
    typed += ["double %tolerance"] + [f"ptr %{x}" for x in POINTERS[2:]]
    entry = f"""
define void @entry({", ".join(typed)}) {{
  call fastcc void @{SHORTEST}({", ".join(typed)})
  ret void
}}"""
    text = "\n".join([intrinsics(layout), householder_functions(layout), entry])
    library = load_library(text, ("entry",), {}, Target.current())
    kinds = [ctypes.c_void_p] * 2 + [ctypes.c_int64] * 4 + [ctypes.c_double]
    function = ctypes.CFUNCTYPE(None, *kinds, *[ctypes.c_void_p] * 5)(library.address("entry"))
    return function, library


def solved(function, matrix, right, *, tolerance=TOLERANCE, first=None):
    """Return x, by machine code."""
    m, n = matrix.shape
    stride = -(-(m + n) // 8) * 8 + 8
    columns = np.zeros((n + 1, stride))
    columns[:n, :m], columns[n, :m] = matrix.T, right
    others, x, y = np.full((n, stride), np.nan), np.full(n, np.nan), np.full(stride, np.nan)
    order, diagonal, factors = np.zeros(2 * n, np.int64), np.zeros(n), np.zeros(n)
    places = [array.ctypes.data for array in (columns, others, x, y, order, diagonal, factors)]
    function(*places[:2], stride, n, m, m if first is None else first, tolerance, *places[2:])
    return x


@given(st.integers(1, 20), st.integers(1, 20), st.integers(0, 20), st.integers(0, 10**6))
@settings(max_examples=examples(60))
def test_the_solution_is_the_shortest_one_of_any_rank(shortest, m, n, rank, seed):
    """Compare with the pseudoinverse: more rows, more columns, dependent rows and columns."""
    rng = np.random.default_rng(seed)
    rank = min(rank, m, n)
    matrix = rng.normal(size=(m, rank)) @ rng.normal(size=(rank, n))
    right = rng.normal(size=m)
    inverse = np.linalg.pinv(matrix, rcond=TOLERANCE)
    scale = np.linalg.norm(inverse, 2) ** 2 * np.linalg.norm(matrix, 2) if rank else 1.0
    x = solved(shortest[0], matrix, right)
    np.testing.assert_allclose(x, inverse @ right, rtol=0, atol=1e-12 * scale * (m + n))


def test_columns_below_a_staircase_are_not_touched(shortest):
    """Damp by rows of a multiple of the unit matrix, of which each step reads one more."""
    rng = np.random.default_rng(3)
    J, right = rng.normal(size=(7, 12)), rng.normal(size=7)
    damped = np.vstack([J, 0.3 * np.eye(12)])
    x = solved(shortest[0], damped, np.append(right, np.zeros(12)), tolerance=0.0, first=8)
    np.testing.assert_allclose(
        x, np.linalg.solve(J.T @ J + 0.09 * np.eye(12), J.T @ right), rtol=0, atol=1e-13
    )
