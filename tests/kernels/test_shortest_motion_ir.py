"""The routine of shortest motions: machine code on every processor against NumPy, and a branch."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from poinsot.expr import RolledBuilder
from poinsot.expr.rolled_code import CONSTANTS, SHORTEST_MOTION, STATE
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.llvm.shortest_motion_ir import PORTS, SIZES
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel
from tests.kernels.machines import CPUS, target
from tests.kernels.test_least_norm_ir import M, N, results, states


def program(ends):
    """Return the motions and the conditioning of M dense rows of length N."""
    sizes = {"rows": M * N, "off": 1, "demand": 2 * M}
    builder = RolledBuilder(sizes, {"motion": (2, N), "conditioning": (1,)})
    index = {name: builder.state(size) for name, size in sizes.items()}
    for name, size in sizes.items():
        entries = np.arange(size)
        reads = {"x": (name, entries, 1)}
        builder.item(f"copy {name}", lambda x: {"y": x}, reads, {"y": index[name] + entries})
    blocks = [x for k in range(M) for x in (index["rows"] + k * N, k, 0, 1, N)]
    motion, conditioning = builder.state(2 * N), builder.state(1)
    ports = {
        "values": (STATE, 0),
        "blocks": (CONSTANTS, builder.constants([float(x) for x in blocks])),
        "ends": (CONSTANTS, builder.constants([float(x) for x in ends])),
        "off": (STATE, index["off"]),
        "demand": (STATE, index["demand"]),
        "motion": (STATE, motion),
        "conditioning": (STATE, conditioning),
    }
    numbers = {"n.blocks": M, "m": M, "n": N}
    builder.routine(
        SHORTEST_MOTION, [ports[name] for name in PORTS], [numbers[name] for name in SIZES], 1
    )
    builder.show("motion", motion + np.arange(2 * N))
    builder.show("conditioning", np.array([conditioning]))
    return builder.finish()


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("width", [1, 5])
def test_every_processor_does_what_numpy_does(cpu, width):
    """Lanes choose different rows in different turns."""
    ends = [min(M, width * (k // width + 1)) for k in range(M)]
    rows, off, _ = states(21)
    inputs = [rows, off, np.random.default_rng(1).normal(size=(21, 2 * M))]
    rolled = program(ends)
    expected = results(RolledInterpreterKernel(rolled), inputs)
    kernel = RolledKernel(rolled, target(cpu))
    single = [results(kernel, [x[k : k + 1] for x in inputs]) for k in range(21)]
    batch = results(kernel, inputs)
    for k, y in enumerate(expected):
        scale = 1.0 + np.abs(y).max(axis=1, keepdims=True)
        assert_allclose(batch[k] / scale, y / scale, rtol=0, atol=1e-8)
        assert_allclose(np.concatenate([x[k] for x in single]) / scale, y / scale, atol=1e-8)


@pytest.mark.parametrize("kernel", [RolledInterpreterKernel, RolledKernel])
def test_items_of_a_branch_run_if_one_state_asks_for_them(kernel):
    """A number that is 0 in all states skips two items, and nothing that follows."""
    builder = RolledBuilder({"x": 1}, {"y": (1,)})
    asks, y = builder.state(1), builder.state(1)
    reads, writes = {"y": (STATE, y, 1)}, {"y": y}
    builder.item("copy", lambda x: {"y": x}, {"x": ("x", 0, 1)}, {"y": asks})
    builder.item("zero", lambda: {"y": [0.0]}, {}, writes)
    with builder.where(asks):
        for _ in range(2):
            builder.item("add", lambda y: {"y": y + 1.0}, reads, writes)
    builder.item("last", lambda y: {"y": y + 10.0}, reads, writes)
    builder.show("y", np.array([y]))
    rolled = builder.finish()
    assert rolled.n_operations == 1
    (none,) = results(kernel(rolled), [np.zeros((19, 1))])
    assert (none == 10.0).all()
    for k in (0, 18):
        (found,) = results(kernel(rolled), [np.eye(19)[:, k : k + 1].copy()])
        assert found[k, 0] == 12.0
        assert set(found[:, 0].tolist()) <= {10.0, 12.0}
