"""Kernels with guards: results in rows and columns, doubtful states, nothing beside them."""

import ctypes

import numpy as np
import pytest

from poinsot.expr import build, sqrt, symbol_array
from poinsot.kernels.llvm.guarded_modules import DOUBTFUL, guarded_codes
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.shared_batch import run_batch
from tests.kernels.machines import CPUS, interpret, target

BATCH = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
)
SINGLE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)
UNTOUCHED = 7e77


def program(size=5):
    """Return results of two inputs, and guards: one is NaN for x < -1, one negative for z > 1."""
    x, z = symbol_array("x", 1), symbol_array("z", 3)
    values = [x[0] * z[1], z[2] - x[0], z[0], 2.0, x[0] * z[1]][:size]
    return build({"x": x, "z": z}, {"y": values, "guards": [sqrt(x[0] + 1.0), 1.0 - z[0]]})


def states(count, seed):
    rng = np.random.default_rng(seed)
    return rng.uniform(-1.3, 2.0, (count, 1)), rng.uniform(-2.0, 1.2, (count, 3))


def pointers(*addresses):
    return (ctypes.c_void_p * len(addresses))(*addresses)


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("size", [1, 5])
@pytest.mark.parametrize("columns", [True, False])
def test_ranges_of_states_are_those_of_the_interpreter(cpu, size, columns):
    """Run ranges of all small lengths, with and without flags, and look at what lies beside."""
    made = program(size)
    code = LlvmKernel(made, target(cpu), guarded_codes(columns=columns))
    run, width = BATCH(code.batch_address), target(cpu).width
    for count in range(2 * width + 2):
        x, z = states(count + 3, count)
        y, guards = interpret(made, x, z)
        with np.errstate(invalid="ignore"):
            doubtful = ~(guards >= 0.0).all(axis=1)
        start, stop = 2, 2 + count
        shape = (size, count + 5) if columns else (count + 5, size)
        out, flags = np.full(shape, UNTOUCHED), np.full(count + 5, 9, np.uint8)
        step = ctypes.c_int64(count + 5)
        inputs = pointers(x.ctypes.data, z.ctypes.data)
        for flagged in (True, False):
            place = flags.ctypes.data if flagged else None
            goals = pointers(out.ctypes.data, ctypes.addressof(step), place)
            status = run(start, stop, ctypes.addressof(inputs), ctypes.addressof(goals))
            assert status == (DOUBTFUL if doubtful[start:stop].any() else 0)
        rows = out.T if columns else out
        np.testing.assert_allclose(rows[start:stop], y[start:stop], rtol=1e-15)
        assert np.all(rows[:start] == UNTOUCHED)
        assert np.all(rows[stop:] == UNTOUCHED)
        np.testing.assert_array_equal(flags[start:stop], doubtful[start:stop])
        assert np.all(flags[:start] == 9)
        assert np.all(flags[stop:] == 9)


def test_one_state_says_whether_it_is_doubtful():
    """Run the code for one state on sure and doubtful ones."""
    made = program()
    code = LlvmKernel(made, codes=guarded_codes(columns=True))
    run = SINGLE(code.single_address)
    x, z = states(40, 1)
    y, guards = interpret(made, x, z)
    for k in range(len(x)):
        out = np.empty(5)
        inputs, goals = pointers(x[k].ctypes.data, z[k].ctypes.data), pointers(out.ctypes.data)
        status = run(ctypes.addressof(inputs), ctypes.addressof(goals))
        assert status == (0 if np.all(guards[k] >= 0.0) else DOUBTFUL)
        np.testing.assert_allclose(out, y[k], rtol=1e-15)


def test_threads_go_on_behind_doubtful_states(monkeypatch):
    """Share out a batch whose first states are doubtful: all states are computed."""
    monkeypatch.setenv("POINSOT_NUM_THREADS", "3")
    made, count = program(), 4000
    code = LlvmKernel(made, codes=guarded_codes(columns=True))
    x, z = states(count, 2)
    x[:9] = -2.0
    y, guards = interpret(made, x, z)
    out, flags, step = np.full((5, count), UNTOUCHED), np.zeros(count, bool), ctypes.c_int64(count)
    inputs = pointers(x.ctypes.data, z.ctypes.data)
    goals = pointers(out.ctypes.data, ctypes.addressof(step), flags.ctypes.data)
    places = ctypes.addressof(inputs), ctypes.addressof(goals)
    assert run_batch(code.batch_address, count, *places, 10**6, least=1) == DOUBTFUL
    np.testing.assert_allclose(out.T, y, rtol=1e-15)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(flags, ~(guards >= 0.0).all(axis=1))
