"""Run a function on symbols, then give the symbols numbers."""

import numpy as np
from numpy.testing import assert_allclose

from poinsot.expr import build, symbol_array
from poinsot.expr.ops import MEANING


def traced(function, *arrays):
    """Return ``function(*arrays)`` by way of its graph."""
    symbols = [symbol_array(f"x{k}", np.shape(array)) for k, array in enumerate(arrays)]
    inputs = {f"x{k}": entries for k, entries in enumerate(symbols)}
    program = build(inputs, {"y": function(*symbols)})
    values = [float(x) for array in arrays for x in np.ravel(array)] + list(program.constants)
    for op, operands in program.steps:
        values.append(float(MEANING[op](*[values[k] for k in operands])))
    return np.reshape([values[k] for k in program.results], program.outputs[0].shape)


def assert_traces(function, *shapes):
    """Check that numbers and symbols give the same result, and that numbers stay float64."""
    rng = np.random.default_rng(1)
    arrays = [rng.uniform(-2.0, 2.0, shape) for shape in shapes]
    direct = np.asarray(function(*arrays))
    assert direct.dtype == np.float64
    # The graph may add and multiply in another order.
    assert_allclose(traced(function, *arrays), direct, rtol=1e-12, atol=1e-12)
