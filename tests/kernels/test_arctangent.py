"""The generated angle of a point against extended precision, and special points."""

import math

import numpy as np
import pytest

from poinsot.expr import Op, Port, Program
from poinsot.kernels.llvm.arctangent import LEAST, MOST
from tests.kernels.machines import CPUS, INF, NAN, compiled, kernel, one_by_one

Long = np.longdouble
PROGRAM = Program((Port("y", ()), Port("x", ())), (Port("a", ()),), (), ((Op.ATAN2, (0, 1)),), (2,))
BOUND = 1.6
"""Units in the last place: a half for the sum, a half, or one, for the quotient, and the rest."""

extended = pytest.mark.skipif(
    np.finfo(Long).nmant < 63, reason="numpy.longdouble is no wider than a double here"
)


def angles(y, x, cpu="host"):
    return compiled(kernel(PROGRAM, cpu), y[:, None], x[:, None])[0][:, 0]


def points(n, seed):
    """Return points in all directions, near multiples of π/8, of like and of unlike coordinates."""
    rng = np.random.default_rng(seed)
    a = rng.uniform(-np.pi, np.pi, n)
    a[: n // 4] = np.pi / 8 * rng.integers(-8, 9, n // 4) + rng.normal(size=n // 4) * 1e-3
    r = 10.0 ** rng.uniform(-290, 290, n)
    y, x = r * np.sin(a), r * np.cos(a)
    x[n // 2 : n // 2 + n // 8] = 10.0 ** rng.uniform(-300, 300, n // 8)
    return y, x


@extended
@pytest.mark.parametrize("cpu", CPUS)
def test_error_of_random_points(cpu):
    """Compare with angles of extended precision."""
    y, x = points(80_000, 1)
    exact = np.arctan2(y.astype(Long), x.astype(Long))
    keep = np.abs(exact) > 1e-300
    unit = np.spacing(np.abs(exact.astype(np.float64)))
    error = np.abs((angles(y, x, cpu) - exact) / unit)[keep]
    assert error.max() < BOUND


@pytest.mark.parametrize("cpu", CPUS)
def test_special_points_are_those_of_the_c_library(cpu):
    """Give zeros of both signs, axes, diagonals, infinities, NaN and the ends of the fast path."""
    numbers = [0.0, -0.0, 1.0, -1.0, 3.0, INF, -INF, NAN, 5e-324, 1e-310, LEAST, MOST, 1.7e308]
    numbers += [math.nextafter(LEAST, 0.0), math.nextafter(MOST, INF), -1.7e308, -1e-310]
    y, x = (grid.ravel() for grid in np.meshgrid(numbers, numbers))
    expected = np.array([math.atan2(a, b) for a, b in zip(y.tolist(), x.tolist(), strict=True)])
    result = angles(y, x, cpu)
    np.testing.assert_allclose(result, expected, rtol=3e-16, atol=5e-324)
    finite = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(result[finite]), np.signbit(expected[finite]))


def test_one_state_has_the_bits_of_lanes():
    """Compare the code for single states with that for batches."""
    y, x = points(300, 2)
    y[::50], x[::75] = 0.0, 0.0
    code = kernel(PROGRAM, "host")
    batch, single = (run(code, y[:, None], x[:, None])[0] for run in (compiled, one_by_one))
    np.testing.assert_array_equal(batch, single)
