"""Code for callers that keep their states in lanes: against batches of the same kernels."""

import ctypes

import numpy as np
import pytest

from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.llvm.straight_modules import lanes_ir
from poinsot.kernels.llvm.target import assembly
from tests.kernels.machines import (
    CPUS,
    NEON,
    SPECIAL,
    compiled,
    kernel,
    random_inputs,
    random_program,
    target,
)
from tests.kernels.test_rolled import expected, waves

_LANES = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
BESIDE = 7e77
"""What lies behind every output, and must stay."""


def aligned(size):
    """Return doubles that begin at a cache line."""
    memory = np.full(size + 8, BESIDE)
    return memory[-(memory.ctypes.data // 8) % 8 :][:size]


def run_lanes(code, inputs):
    """Return the outputs for as many states as there are lanes, rows again."""
    width = len(inputs[0])
    given = [aligned(x.size) for x in inputs]
    for lanes, x in zip(given, inputs, strict=True):
        lanes[:] = x.T.ravel()
    sizes = [port.size for port in code.signature.outputs]
    results = [aligned(width * (size + 1)) for size in sizes]
    pointers = [
        (ctypes.c_void_p * len(arrays))(*[x.ctypes.data for x in arrays])
        for arrays in (given, results)
    ]
    _LANES(code.lanes_address)(*pointers)
    assert all((y[-width:] == BESIDE).all() for y in results)
    return [y[:-width].reshape(-1, width).T for y in results]


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("seed", range(5))
def test_straight_programs_give_every_entry(cpu, seed):
    """Compare bits with a batch; entries that show one value twice are both there."""
    program = random_program(seed)
    inputs = random_inputs(program, target(cpu).width, seed, SPECIAL, share=0.1)
    code = kernel(program, cpu)
    for y, z in zip(run_lanes(code, inputs), compiled(code, *inputs), strict=True):
        np.testing.assert_array_equal(y, z)


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("n", [1, 6, 16])
def test_rolled_programs_do_what_the_items_say(cpu, n):
    x = np.random.default_rng(n).normal(size=(target(cpu).width, n))
    for y, z in zip(run_lanes(RolledKernel(waves(n), target(cpu)), [x]), expected(x), strict=True):
        np.testing.assert_allclose(y, z, rtol=1e-13)


def test_code_for_neon_is_made_here():
    text = assembly(lanes_ir(random_program(3), NEON), NEON)
    assert "fadd" in text
