"""Kernels touch the arrays they are given and nothing else."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.kernels.machines import CPUS, kernel, random_inputs, random_program, run_batch, target

ROOT = Path(__file__).resolve().parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="forbidden pages are made by mprotect")


def guarded(cpu, way):
    """Return the finished process of ``tests.kernels.guarded``."""
    target(cpu)  # skips the test where its code cannot run
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.kernels.guarded", cpu, way]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


@posix
@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("way", ["single", "batch"])
def test_nothing_beside_the_arrays_is_touched(cpu, way):
    """Put forbidden pages right before or behind arrays, and read-only pages under the inputs."""
    result = guarded(cpu, way)
    assert result.returncode == 0, f"died ({result.returncode}):\n{result.stderr}"
    assert result.stdout.strip() == "done"


@posix
def test_the_guard_does_guard():
    """Evaluate one state too many and see the process die."""
    result = guarded("host", "overrun")
    assert result.returncode == -signal.SIGSEGV, result.stdout + result.stderr


@pytest.mark.parametrize("cpu", CPUS)
def test_outputs_cover_their_array_exactly(cpu):
    """Surround outputs with known bytes, and find them unchanged and every output written."""
    program = random_program(5)
    code = kernel(program, cpu)
    canary = np.frombuffer(b"canary!!" * 16, dtype=float)
    for n in range(1, 2 * target(cpu).width + 2):
        inputs = random_inputs(program, n, 5)
        before = [x.tobytes() for x in inputs]
        blocks = [np.full(32 + n * port.size, np.nan) for port in program.outputs]
        for block in blocks:
            block[:16], block[-16:] = canary, canary
        outputs = [
            block[16:-16].reshape(n, port.size)
            for block, port in zip(blocks, program.outputs, strict=True)
        ]
        for run in (code.run, lambda i, o, code=code: run_batch(code, i, o)):
            for y in outputs:
                y[...] = 7e77
            run(inputs, outputs)
            assert not any((y == 7e77).any() for y in outputs)
            for block in blocks:
                assert block[:16].tobytes() == canary.tobytes()
                assert block[-16:].tobytes() == canary.tobytes()
        assert [x.tobytes() for x in inputs] == before


@pytest.mark.parametrize("cpu", CPUS)
def test_arrays_need_no_more_than_eight_byte_alignment(cpu):
    """Start the arrays at every multiple of eight bytes within a cache line."""
    program = random_program(6)
    code = kernel(program, cpu)
    n = 2 * target(cpu).width + 1
    inputs = random_inputs(program, n, 6)
    reference = [np.empty((n, port.size)) for port in program.outputs]
    run_batch(code, inputs, reference)
    for shift in range(8):
        moved = [_shifted(x.shape, shift) for x in inputs]
        for x, y in zip(moved, inputs, strict=True):
            x[...] = y
        outputs = [_shifted(y.shape, shift) for y in reference]
        run_batch(code, moved, outputs)
        for y, z in zip(outputs, reference, strict=True):
            np.testing.assert_array_equal(y, z)


def _shifted(shape, shift):
    """Return an array whose first byte is so many doubles behind a cache line's."""
    size = int(np.prod(shape))
    raw = np.empty(size + 16)
    start = (-raw.ctypes.data // 8) % 8 + shift
    result = raw[start : start + size].reshape(shape)
    assert result.ctypes.data % 64 == 8 * shift
    return result
