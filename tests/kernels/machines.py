"""Processors that can run here, random programs, and kernels called in every way."""

import ctypes
import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from poinsot.errors import PoinsotError
from poinsot.expr import Op, Port, Program, verify
from poinsot.expr.ops import ARITY, LEAVES, MEANING
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.target import OLDER, Target

INNER = tuple(op for op in Op if op not in LEAVES)
CPUS = ("host", *OLDER)
NEON = Target("aarch64-unknown-linux-gnu", "cortex-a72", "", 2)
AVX512 = Target("x86_64-unknown-linux-gnu", "skylake-avx512", "", 8)

NAN, INF = float("nan"), float("inf")
TINY = 2.2250738585072014e-308
SPECIAL = (NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, TINY / 3)
HUGE = (1.7e308, -1.7e308, 1e200, -1e200, 1e22, -1e6)


@cache
def target(cpu, width=None):
    """Return a processor of this name, or skip the test where its code cannot run."""
    host = Target.current()
    if cpu == "host":
        return replace(host, width=width or host.width)
    try:
        return replace(Target.named(cpu), width=width or OLDER[cpu][0])
    except PoinsotError as error:
        pytest.skip(str(error))


def interpret(program, *inputs):
    """Return the results of the interpreter."""
    return _run(InterpreterKernel(program), inputs)


def compiled(kernel, *inputs):
    """Return the results of a kernel for a whole batch."""
    return _run(kernel, inputs)


def one_by_one(kernel, *inputs):
    """Return the results of the code for single states, a call for each."""
    parts = [_run(kernel, [x[k : k + 1] for x in inputs]) for k in range(len(inputs[0]))]
    return [np.concatenate(rows) for rows in zip(*parts, strict=True)]


def _run(kernel, inputs):
    inputs = [np.ascontiguousarray(x, dtype=float) for x in inputs]
    outputs = [np.full((len(inputs[0]), port.size), 7e77) for port in kernel.program.outputs]
    kernel.run(inputs, outputs)
    return outputs


_BATCH = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
)


def run_batch(kernel, inputs, outputs, start=0, stop=None):
    """Run the batch code itself on the states start..stop-1; ``kernel.run`` avoids it for one."""
    stop = len(inputs[0]) if stop is None else stop
    pointers = [(ctypes.c_void_p * len(a))(*[x.ctypes.data for x in a]) for a in (inputs, outputs)]
    assert _BATCH(kernel.batch_address)(start, stop, *pointers) == 0


def random_program(seed, n_steps=30, ops=INNER, everything=False):
    """Return a random program of two inputs; its results are some values, or every value."""
    rng = random.Random(seed)
    inputs = (Port("x", (3,)), Port("z", (2,)))
    constants = (0.0, 1.0, -1.25, 0.5)
    first = 5 + len(constants)
    chosen = [*ops, *rng.choices(ops, k=max(0, n_steps - len(ops)))][:n_steps]
    rng.shuffle(chosen)
    steps = []
    for k, op in enumerate(chosen):
        n = first + k
        picks = [rng.choice((rng.randrange(n), rng.randrange(max(0, n - 9), n))) for _ in range(3)]
        steps.append((op, tuple(picks[: ARITY[op]])))
    n = first + len(steps)
    results = list(range(n)) if everything else [rng.randrange(n - 12, n) for _ in range(9)]
    if not everything:
        results += [1, 4, 5, 7, n - 1]  # inputs, constants and, most likely, a repetition
    outputs = (Port("s", ()), Port("y", (len(results) - 1,)))
    return verify(Program(inputs, outputs, constants, tuple(steps), tuple(results)))


def random_inputs(program, n_states, seed, special=(), share=0.0):
    """Return inputs of random states; a share of the numbers is special."""
    rng = np.random.default_rng(seed)
    arrays = [rng.uniform(-3, 3, (n_states, port.size)) for port in program.inputs]
    if special:
        for x in arrays:
            chosen = rng.random(x.shape) < share
            x[chosen] = rng.choice(special, chosen.sum())
    return arrays


def kernel(program, cpu, width=None):
    """Return the kernel of a program for a processor."""
    return LlvmKernel(program, target(cpu, width))


def same_kind(y, z):
    """Tell where two arrays are both finite, both NaN, or the same infinity."""
    return np.where(np.isfinite(y) | np.isfinite(z), np.isfinite(y) & np.isfinite(z), _equal(y, z))


def _equal(y, z):
    return (y == z) | (np.isnan(y) & np.isnan(z))


def noisy(program, inputs, amplitude, seed):
    """Return the results of a program whose every step has a relative error."""
    rng = np.random.default_rng(seed)
    n_states = len(inputs[0])
    values = [x[:, k] for x in inputs for k in range(x.shape[1])]
    values += [np.full(n_states, c) for c in program.constants]
    with np.errstate(all="ignore"):
        for op, args in program.steps:
            exact = MEANING[op](*[values[a] for a in args])
            values.append(exact * (1 + amplitude * rng.choice((-1.0, 1.0), n_states)))
    return np.stack([values[r] for r in program.results], axis=1)
