"""Rolled programs: machine code on every processor against NumPy and the interpreter."""

import numpy as np
import pytest

from poinsot.errors import ProgramError
from poinsot.expr import RolledBuilder
from poinsot.expr.rolled_code import CONSTANTS, STATE
from poinsot.kernels.llvm import rolled_kernel
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.llvm.rolled_modules import rolled_batch_ir
from poinsot.kernels.llvm.target import assembly
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel
from tests.kernels.machines import CPUS, NEON, target


def waves(n):
    """Return y_k = sin(x_k + c_k y_(k-1)) and z = sum of y, in two kinds of items."""
    builder = RolledBuilder({"x": n}, {"y": (n,), "z": ()})
    y, z = builder.state(n + 1), builder.state(1)
    builder.item("start", lambda: {"y": [0.5], "z": [0.0]}, {}, {"y": y, "z": z})
    for k in range(n):
        builder.item(
            "wave",
            lambda c, x, before: {"y": [(x[0] + c[0] * before[0]).sin()]},
            {
                "c": (CONSTANTS, builder.constants([0.1 * k]), 1),
                "x": ("x", k, 1),
                "before": (STATE, y + k, 1),
            },
            {"y": y + k + 1},
        )
    builder.item(
        "sum",
        lambda y, z: {"z": z + y},
        {"y": (STATE, y + 1 + np.arange(n), 1), "z": (STATE, z, 1)},
        {"z": z},
    )
    builder.show("y", y + 1 + np.arange(n))
    builder.show("z", np.array(z))
    return builder.finish()


def expected(x):
    """Return the same by plain loops."""
    y = np.empty_like(x)
    before = np.full(len(x), 0.5)
    for k in range(x.shape[1]):
        y[:, k] = before = np.sin(x[:, k] + 0.1 * k * before)
    return y, y.sum(axis=1)[:, None]


def run(kernel, x, n):
    outputs = [np.full((len(x), n), np.nan), np.full((len(x), 1), np.nan)]
    kernel.run([x], outputs)
    return outputs


@pytest.mark.parametrize("n", [1, 2, 7, 33])
def test_interpreter_does_what_the_items_say(n):
    """Compare the interpreter with plain loops."""
    x = np.random.default_rng(n).normal(size=(5, n))
    for y, z in zip(run(RolledInterpreterKernel(waves(n)), x, n), expected(x), strict=True):
        np.testing.assert_allclose(y, z, rtol=1e-14)


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("n", [1, 5, 16])
def test_machine_code_does_what_the_items_say(cpu, n):
    """Compare single states and batches of every size around the width with plain loops."""
    kernel = RolledKernel(waves(n), target(cpu))
    rng = np.random.default_rng(n)
    for n_states in (0, 1, 2, 3, 7, 8, 9, 16, 17, 40):
        x = rng.normal(size=(n_states, n))
        for y, z in zip(run(kernel, x, n), expected(x), strict=True):
            np.testing.assert_allclose(y, z, rtol=1e-13)


def test_states_too_large_for_lanes_go_one_by_one(monkeypatch):
    """Compare a batch without lanes with one in lanes."""
    x = np.random.default_rng(0).normal(size=(9, 6))
    in_lanes = run(RolledKernel(waves(6)), x, 6)
    monkeypatch.setattr(rolled_kernel, "LARGEST_IN_LANES", 0)
    kernel = RolledKernel(waves(6))
    assert not kernel.has_lanes
    for y, z in zip(run(kernel, x, 6), in_lanes, strict=True):
        np.testing.assert_allclose(y, z, rtol=1e-14)


@pytest.mark.parametrize("n_states", [1, 3, 8, 19])
def test_nothing_is_written_beside_the_outputs(n_states):
    """Let the outputs lie between canaries, and the inputs be read-only."""
    kernel = RolledKernel(waves(5))
    x = np.random.default_rng(0).normal(size=(n_states, 5))
    x.setflags(write=False)
    guarded = [np.full(n_states * size + 32, 7.25) for size in (5, 1)]
    inner = [g[16:-16].reshape(n_states, -1) for g in guarded]
    kernel.run([x], inner)
    for y, z in zip(inner, expected(x), strict=True):
        np.testing.assert_allclose(y, z, rtol=1e-13)
    for g in guarded:
        assert (g[:16] == 7.25).all()
        assert (g[-16:] == 7.25).all()


def test_object_code_does_not_depend_on_the_number_of_items():
    """Check that sizes and tables are data: the text of the module is the same."""
    host = target(CPUS[0])
    assert rolled_batch_ir(waves(3), host) == rolled_batch_ir(waves(300), host)


def test_code_for_neon_is_made_here():
    """Cross-compile for a processor with two lanes."""
    text = assembly(rolled_batch_ir(waves(3), NEON), NEON)
    assert "fadd" in text or "fmla" in text


def test_number_of_operations_counts_every_item():
    """Count: each wave two and its sine, each term of the sum one."""
    assert waves(10).n_operations == 10 * 3 + 10


def test_codes_must_write_what_they_say():
    """Check that a code with other results is refused."""
    builder = RolledBuilder({"x": 1}, {"y": (1,)})
    with pytest.raises(ProgramError, match=r"must write \['y'\], it gives \['z'\]"):
        builder.item("bad", lambda: {"z": [0.0]}, {}, {"y": 0})
