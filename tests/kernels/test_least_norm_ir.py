"""The routine of least-norm solutions: machine code on every processor against NumPy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from poinsot.expr import RolledBuilder
from poinsot.expr.numeric_basis import memory_size
from poinsot.expr.rolled_code import CONSTANTS, LEAST_NORM, STATE
from poinsot.kernels.llvm.least_norm_ir import PORTS, SIZES
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.llvm.rolled_modules import rolled_batch_ir
from poinsot.kernels.llvm.target import assembly
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel
from tests.kernels.machines import CPUS, NEON, target

M, N = 14, 9
UNITS = (1, 4, 7)


def program(ends, *, solves=True):
    """Return the rests and the solution of M dense rows of length N."""
    outputs = {"rests": (1 + len(UNITS), N), "solution": (2, M)}
    builder = RolledBuilder({"rows": M * N, "off": 1, "target": N}, outputs)
    index = {}
    for name, size in {"rows": M * N, "off": 1, "target": N}.items():
        index[name] = builder.state(size)
        entries = np.arange(size)
        reads = {"x": (name, entries, 1)}
        builder.item(f"copy {name}", lambda x: {"y": x}, reads, {"y": index[name] + entries})
    memory = builder.state(memory_size(M, N))
    rests, solution = builder.state((1 + len(UNITS)) * N), builder.state(2 * M)
    builder.item("none", lambda: {"y": [0.0]}, {}, {"y": solution + np.arange(2 * M)})
    blocks = [x for k in range(M) for x in (index["rows"] + k * N, k, 0, 1, N)]
    ports = {
        "values": (STATE, 0),
        "blocks": (CONSTANTS, builder.constants([float(x) for x in blocks])),
        "ends": (CONSTANTS, builder.constants([float(x) for x in ends])),
        "nothing": (CONSTANTS, builder.constants([1e-11])),
        "off": (STATE, index["off"]),
        "target": (STATE, index["target"]),
        "units": (CONSTANTS, builder.constants([float(k) for k in UNITS])),
        "rests": (STATE, rests),
        "solution": (STATE, solution),
        "memory": (STATE, memory),
    }
    sizes = {"n.blocks": M, "m": M, "n": N, "n.units": len(UNITS), "solves": int(solves)}
    builder.routine(LEAST_NORM, [ports[name] for name in PORTS], [sizes[name] for name in SIZES], 1)
    builder.show("rests", rests + np.arange((1 + len(UNITS)) * N))
    builder.show("solution", solution + np.arange(2 * M))
    return builder.finish()


def states(n_states):
    """Return rows of every rank, some zero, some of rounding errors, some nearly parallel."""
    rng = np.random.default_rng(8)
    rows = rng.normal(size=(n_states, M, N))
    for k, state in enumerate(rows):
        state[:, k % N :] *= k % 2
        state[2] = 2.0 * state[0] - state[1]
        state[5] *= 1e-13
        state[7] = 0.0
        state[9] = state[8] + 10.0 ** -(4 + k % 6) * state[10]
    off = np.array([0.0, 1e-3, 1e-7])[np.arange(n_states) % 3]
    return [rows.reshape(n_states, -1), off[:, None], rng.normal(size=(n_states, N))]


def results(kernel, inputs):
    """Return rests and solutions of a batch."""
    outputs = [np.full((len(inputs[0]), port.size), 7.0) for port in kernel.signature.outputs]
    kernel.run(inputs, outputs)
    return outputs


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("width", [1, 5])
def test_every_processor_does_what_numpy_does(cpu, width):
    """One state after the other and in lanes, rows in blocks of one and of five."""
    ends = [min(M, width * (k // width + 1)) for k in range(M)]
    rolled, inputs = program(ends), states(21)
    expected = results(RolledInterpreterKernel(rolled), inputs)
    kernel = RolledKernel(rolled, target(cpu))
    single = [results(kernel, [x[k : k + 1] for x in inputs]) for k in range(21)]
    batch = results(kernel, inputs)
    for k, y in enumerate(expected):
        scale = 1.0 + np.abs(y).max(axis=1, keepdims=True)
        assert_allclose(batch[k] / scale, y / scale, rtol=0, atol=1e-8)
        assert_allclose(np.concatenate([x[k] for x in single]) / scale, y / scale, atol=1e-8)


def test_without_a_solution_only_rests_are_computed():
    """The entries of the solution stay what they were."""
    inputs = states(3)
    with_one, without = (
        results(RolledKernel(program(range(1, M + 1), solves=solves)), inputs)
        for solves in (True, False)
    )
    assert_allclose(without[0], with_one[0])
    assert not without[1].any()


def test_nan_stays_nan():
    """A row that is NaN leaves no number anywhere, in its own state only."""
    inputs = states(9)
    inputs[0][4, 3 * N] = np.nan
    rests, solution = results(RolledKernel(program(range(1, M + 1))), inputs)
    assert np.isnan(rests[4]).all()
    assert np.isnan(solution[4, :M]).all()
    assert np.isfinite(np.delete(rests, 4, axis=0)).all()


def test_code_for_other_processors():
    """ARM has registers of two doubles."""
    assert "fmla" in assembly(rolled_batch_ir(program(range(1, M + 1)), NEON), NEON)
