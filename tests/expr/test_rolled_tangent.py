"""Derivatives of rolled programs along a direction."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from poinsot.errors import ProgramError
from poinsot.expr import RolledBuilder
from poinsot.expr.rolled_code import CONSTANTS, LEAST_NORM, STATE
from poinsot.expr.rolled_tangent import with_tangents
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel


def sum_of_powers(n):
    """Return y = sum of c_k sin(x_k) p, c_k = k, an item per term, which adds in place."""
    builder = RolledBuilder({"x": n, "p": 1}, {"y": (1,)})
    factors, total = builder.constants([float(k) for k in range(n)]), builder.state(1)
    builder.item("zero", lambda: {"y": [0.0]}, {}, {"y": total})
    reads = {
        "x": ("x", np.arange(n), 1), "p": ("p", np.zeros(n, int), 1),
        "c": (CONSTANTS, factors + np.arange(n), 1), "y": (STATE, np.full(n, total), 1),
    }  # fmt: skip
    builder.item(
        "term", lambda x, p, c, y: {"z": y + c * np.sin(x) * p}, reads, {"z": np.full(n, total)}
    )
    builder.show("y", np.array([total]))
    return builder.finish()


@pytest.mark.parametrize("by", [("x",), ("x", "p")])
def test_tangent_of_a_sum(by):
    """Compare with the derivative by hand, along x alone and along all inputs."""
    rng = np.random.default_rng(4)
    x, p, dx, dp = rng.normal(size=(4, 3, 5))
    p, dp = p[:, :1].copy(), dp[:, :1].copy() if "p" in by else np.zeros((3, 1))
    y = np.empty((3, 1))
    inputs = [x, p, dx, dp] if "p" in by else [x, p, dx]
    RolledInterpreterKernel(with_tangents(sum_of_powers(5), by)).run(inputs, [y])
    terms = np.arange(5.0) * (np.cos(x) * dx * p + np.sin(x) * dp)
    assert_allclose(y[:, 0], terms.sum(axis=1), rtol=1e-14)


def test_routines_have_none():
    """A routine that decides a rank in loops is named."""
    builder = RolledBuilder({}, {})
    builder.routine(LEAST_NORM, [], [], 1)
    with pytest.raises(ProgramError, match="least norm"):
        with_tangents(builder.finish(), ())
