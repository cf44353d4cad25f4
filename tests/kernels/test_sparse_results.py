"""Results with many zeros, which are cleared at once."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from poinsot.expr import build, symbol_array
from poinsot.kernels.kernel import Recipe
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.straight_modules import single_ir
from poinsot.kernels.llvm.target import Target


def sparse_program(kinds):
    """Return a program of x that shows 0, 1, x0 or x0 x1 in the entries of its first output."""
    x = symbol_array("x", 2)
    values = [0.0, 1.0, x[0], x[0] * x[1]]
    entries = np.array([values[kind] for kind in kinds], dtype=object)
    return build({"x": x}, {"y": entries, "z": np.array([0.0, x[1]], dtype=object)})


@pytest.mark.parametrize("zeros", [0.05, 0.5, 0.99])
def test_results_with_many_zeros(zeros):
    """Compare single states and batches with what the entries say, into memory full of NaN."""
    rng = np.random.default_rng(2)
    kinds = np.where(rng.random(700) < zeros, 0, rng.integers(1, 4, size=700))
    kernel = LlvmKernel(Recipe(lambda: sparse_program(kinds), None))
    for n in (1, 3, 21):
        x = rng.normal(size=(n, 2))
        outputs = [np.full((n, 700), np.nan), np.full((n, 2), np.nan)]
        kernel.run([x], outputs)
        columns = [np.zeros(n), np.ones(n), x[:, 0], x[:, 0] * x[:, 1]]
        expected = np.stack(columns, axis=1)[:, kinds]
        assert_array_equal(outputs[0], expected)
        assert_array_equal(outputs[1], np.stack([np.zeros(n), x[:, 1]], axis=1))


def test_number_of_stores():
    """Count the stores of one state: as many as there are entries that are not zero."""
    kinds = np.zeros(5000, int)
    kinds[::100] = 3
    text = single_ir(sparse_program(kinds), Target.current())
    body = text[text.index("@body") :].split("\n}")[0]
    assert body.count("store double") == 50 + 2
    assert body.count("llvm.memset") == 1


@pytest.mark.parametrize("n_values", [1, 7, 900])
def test_results_that_show_values_again_and_again(n_values):
    """Compare single states and batches of results whose values are stored once, in any order."""
    rng = np.random.default_rng(n_values)
    x = symbol_array("x", n_values)
    kinds = np.concatenate([rng.integers(0, n_values, 6000), np.repeat(np.arange(n_values), 3)])
    program = build({"x": x}, {"y": (2.0 * x)[kinds], "z": np.array([x[0], 3.0], dtype=object)})
    kernel = LlvmKernel(Recipe(lambda: program, None))
    text = single_ir(program, Target.current())
    body = text[text.index("void @body") :].split("@single")[0]
    assert body.count("store double") < 2 * n_values + 60
    for n in (1, 3, 17):
        given = rng.normal(size=(n, n_values))
        outputs = [np.full((n, len(kinds)), np.nan), np.full((n, 2), np.nan)]
        kernel.run([given], outputs)
        assert_array_equal(outputs[0], 2.0 * given[:, kinds])
        assert_array_equal(outputs[1], np.stack([given[:, 0], np.full(n, 3.0)], axis=1))
