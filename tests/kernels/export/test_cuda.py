"""CUDA sources: compiled as C++ for the host, by nvcc, and run where there is a device."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

from poinsot.kernels.export.cuda import to_cuda
from tests.kernels.export.routines import assert_right, every_operation, packed, random_routine

HOST = """\
#define __device__
#define __global__
struct Place { long x; };
static Place blockIdx, blockDim, threadIdx;
#include "model.cuh"
extern "C" void run(long n, const double *x, const double *z, double *s, double *y)
{
    blockDim.x = 8;
    for (blockIdx.x = 0; blockIdx.x < n / 8 + 1; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < 8; threadIdx.x++)
            model_f2_batch(n, x, z, s, y);
}
extern "C" void run_every(long n, const double *z, double *y)
{
    blockDim.x = n, blockIdx.x = 0;
    for (threadIdx.x = 0; threadIdx.x < n; threadIdx.x++)
        model_f_batch(n, z, y);
}
"""


@pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")
def test_kernels_compute_every_state_once(tmp_path):
    """Compile kernels for the host, with CUDA's words defined away, and run their threads."""
    routines = random_routine(2), every_operation()
    to_cuda(packed(*routines), "double").write(tmp_path)
    (tmp_path / "host.cpp").write_text(HOST)
    done = subprocess.run(
        ["c++", "-std=c++11", "-O1", "-ffp-contract=off", "-fPIC", "-shared", "host.cpp"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[:3000]
    library = ctypes.CDLL(str(tmp_path / "a.out"))
    for one, run in zip(routines, (library.run, library.run_every), strict=True):
        n = len(one.states[0])
        outputs = [np.full((n, port.size), 7.0) for port in one.program.outputs]
        arrays = [np.ascontiguousarray(x) for x in one.states] + outputs
        run(ctypes.c_long(n), *[ctypes.c_void_p(x.ctypes.data) for x in arrays])
        assert_right(outputs, one)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_nvcc_compiles_them_and_a_device_agrees(tmp_path):
    """Compile kernels and test; where there is a device, run it."""
    routines = [random_routine(seed, n_states=4) for seed in range(2)]
    to_cuda(packed(*routines), "double").write(tmp_path)
    flags = ["-std=c++17", "-Werror", "all-warnings", "-fmad=false"]
    done = subprocess.run(
        ["nvcc", *flags, "model_test.cu", "-o", "test"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[:3000]
    ran = subprocess.run([tmp_path / "test"], capture_output=True, text=True)
    if ran.returncode == 2:
        assert ran.stdout == "there is no CUDA device\n"
    else:
        assert ran.returncode == 0, ran.stdout
        assert ran.stdout.endswith("all right\n")


def test_every_operation_is_written():
    """Look for the function of each operation of C."""
    text = to_cuda(packed(every_operation()), "double")["model.cuh"]
    called = ("sqrt(", "atan2(", "model_choice(", "model_less_equal(", "fabs(", "pow(", "floor(")
    for name in called:
        assert name in text
