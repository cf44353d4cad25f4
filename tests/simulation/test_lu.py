"""Linear equations in machine code against NumPy's."""

import ctypes
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from poinsot.kernels.llvm.ir_writer import Layout, intrinsics
from poinsot.kernels.llvm.library import load_library
from poinsot.kernels.llvm.target import Target
from poinsot.simulation.stepping import lu

WRAPPER = """
define void @equations(ptr %A, ptr %L, ptr %order, ptr %b, ptr %z, ptr %x, i64 %n, i64 %width) {
  call fastcc void @factor(ptr %A, ptr %L, ptr %order, i64 %n, i64 %width)
  call fastcc void @solve(ptr %A, ptr %L, ptr %order, ptr %b, ptr %z, ptr %x, i64 %n, i64 %width)
  ret void
}
"""
POINTERS = [ctypes.c_void_p] * 6 + [ctypes.c_int64] * 2


def solver(lanes):
    """Return a function that solves A x = b with registers of so many doubles."""
    layout = Layout(lanes)
    ir = "\n".join([intrinsics(layout), lu.factor(layout), lu.solve(layout), WRAPPER])
    library = load_library(ir, ("equations",), {}, replace(Target.current(), width=lanes))
    function = ctypes.CFUNCTYPE(None, *POINTERS)(library.address("equations"))

    def solve(A, b, dirt=np.nan):
        n = len(b)
        width = -(-n // lanes) * lanes
        padded = np.zeros((n, width))
        padded[:, :n] = A
        lower, order = np.full((n, width), dirt), np.zeros(n, np.int64)
        right, forward, x = np.zeros(width), np.full(width, dirt), np.full(width, dirt)
        right[:n] = b
        arrays = padded, lower, order, right, forward, x
        function(*(array.ctypes.data for array in arrays), n, width)
        assert library is not None
        return x[:n]

    return solve


SOLVERS = {lanes: solver(lanes) for lanes in (2, 4, 8)}


@given(st.integers(1, 20), st.sampled_from([2, 4, 8]), st.integers(0, 2**32 - 1))
def test_solves_random_equations(n, lanes, seed):
    """Check all lengths around those of registers, on memory that holds anything."""
    rng = np.random.default_rng(seed)
    A, x = rng.normal(size=(n, n)), rng.normal(size=n)
    found = SOLVERS[lanes](A, A @ x)
    assert_allclose(found, x, atol=1e-13 * np.linalg.cond(A) * (1.0 + np.abs(x).max()))


@pytest.mark.parametrize("lanes", SOLVERS)
def test_rows_change_places(lanes):
    """Check a matrix whose diagonal is 0, and one with a tiny pivot."""
    assert_allclose(SOLVERS[lanes]([[0.0, 2.0], [3.0, 0.0]], [4.0, 9.0]), [3.0, 2.0])
    assert_allclose(SOLVERS[lanes]([[1e-20, 1.0], [1.0, 1.0]], [1.0, 2.0]), [1.0, 1.0])


def test_singular_equations_have_no_solution():
    assert not np.isfinite(SOLVERS[4]([[1.0, 2.0], [2.0, 4.0]], [1.0, 1.0])).all()
