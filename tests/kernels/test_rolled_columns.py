"""Items of a rolled program that do the same in columns, whose rows may lie apart."""

import numpy as np
import pytest

from poinsot.errors import ProgramError
from poinsot.expr import RolledBuilder
from poinsot.expr.rolled_code import STATE
from poinsot.expr.rolled_tree import rolled_from_tree, rolled_tree
from poinsot.formulations.recursive.rolled_columns import CHUNK, ColumnChunks
from poinsot.formulations.recursive.rolled_inverse import append_inverse
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel


def results(rolled, x):
    """Return what many states, one state and the interpreter give."""
    found = []
    for kernel, n in ((RolledKernel(rolled), len(x)), (RolledKernel(rolled), 1),
                      (RolledInterpreterKernel(rolled), len(x))):  # fmt: skip
        y = np.zeros((len(x), rolled.outputs[0].size))
        for start in range(0, len(x), n):
            kernel.run([x[start : start + n].copy()], [y[start : start + n]])
        found.append(y)
    return found


def products(width):
    """Return sums of a row of three times columns that are part of rows of eight."""
    builder = RolledBuilder({"x": 27}, {"y": (width,)})
    start, y = builder.state(27), builder.state(8)
    builder.item("copy", lambda x: {"y": x}, {"x": ("x", 0, 27)}, {"y": start})
    builder.column_item(
        "product", lambda u, A: {"y": [u[0] * A[0] + u[1] * A[1] + u[2] * A[2]]},
        {"A": (STATE, start + 1, 3)}, {"y": y}, {"u": (STATE, start + 24, 3)},
        width=width, pitch=8, beside=2,
    )  # fmt: skip
    builder.show("y", y + np.arange(width))
    return builder.finish()


@pytest.mark.parametrize("width", [1, 2, 4])
def test_rows_apart(width):
    """Compare with NumPy, also after a way through a file."""
    x = np.random.default_rng(0).normal(size=(11, 27))
    expected = np.einsum("sk,skj->sj", x[:, 24:], x[:, :24].reshape(-1, 3, 8))[:, 1 : width + 1]
    rolled = products(width)
    for program in (rolled, rolled_from_tree(rolled_tree(rolled), "here")):
        for found in results(program, x):
            assert np.allclose(found, expected, rtol=1e-13, atol=1e-13)


def test_several_rows_of_results_lie_together():
    """Check that a program of a file is rejected where its columns would be written elsewhere."""
    tree = rolled_tree(products(4))
    columns = next(code["columns"] for code in tree["codes"] if code["columns"])
    columns["pitch"] = 9
    with pytest.raises(ProgramError, match="must have its ports"):
        rolled_from_tree(tree, "here")


def test_memory_that_is_needed_for_a_while():
    """Check that what comes afterwards takes its place, and that it counts."""
    builder = RolledBuilder({"x": 1}, {"y": ()})
    first = builder.state(2)
    with builder.temporary():
        between = builder.state(5)
    assert builder.state(3) == between == first + 2
    builder.show("y", np.array(first))
    assert builder.finish().n_state == 7


@pytest.mark.parametrize("n", [5, 16, 27])
def test_inverse_of_a_tree_with_blocks_of_zeros(n):
    """Invert M of trees in which whole blocks are zero, and stay so as long as they can."""
    rng = np.random.default_rng(n)
    parent = [-1, *(max(-1, k - int(rng.integers(1, 12))) for k in range(1, n))]
    related = np.eye(n, dtype=bool)
    for i in range(n):
        k = parent[i]
        while k >= 0:
            related[i, k] = related[k, i] = True
            k = parent[k]
    J = np.tril(related) * rng.normal(size=(9, n, n))
    matrices = np.einsum("sij,sik->sjk", J, J) + 3.0 * np.eye(n)
    assert (matrices[:, ~related] == 0.0).all() or n < CHUNK
    builder = RolledBuilder({"x": n * n}, {"y": (n, n)})
    chunks = ColumnChunks.new(builder, n)
    every = np.arange(n)
    where = chunks.index(every[:, None], every)
    zeros = CHUNK * -(-n // CHUNK) * n
    builder.item("zeros", lambda: {"z": np.zeros(zeros)}, {}, {"z": chunks.start})
    builder.item("copy", lambda x: {"y": x}, {"x": ("x", np.arange(n * n), 1)},
                 {"y": where.ravel()})  # fmt: skip
    inverse = append_inverse(builder, chunks, related)
    builder.show("y", inverse.index(every[:, None], every))
    for found in results(builder.finish(), matrices.reshape(9, -1)):
        assert np.allclose(found.reshape(9, n, n) @ matrices, np.eye(n), atol=1e-9)
