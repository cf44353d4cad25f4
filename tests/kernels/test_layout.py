"""Rows to lanes and back: programs that only copy must move every number to its place."""

import random
from itertools import pairwise

import numpy as np
import pytest

from poinsot.expr import Port, Program
from poinsot.kernels.llvm.layout import layout_ir
from tests.kernels.machines import interpret, kernel, one_by_one, run_batch

SIZES = range(1, 41)
MACHINES = [
    *[("host", width) for width in (2, 4, 8)],
    ("haswell", 4),
    ("haswell", 8),
    ("x86-64", 2),
    ("x86-64", 4),
]
CONSTANTS = (-1.0, 0.5)


def copies(seed=None):
    """Return a program with ports of all sizes that copies each input to an output.

    With a seed, the outputs show entries of any input and constants, out of order and repeated.
    """
    inputs = tuple(Port(f"x{n}", (n,)) for n in SIZES)
    outputs = tuple(Port(f"y{n}", (n,)) for n in SIZES)
    total = sum(SIZES)
    constants = () if seed is None else CONSTANTS
    results = list(range(total))
    if seed is not None:
        rng = random.Random(seed)
        for k, start in enumerate(np.cumsum([0, *SIZES[:-1]]).tolist()):
            pool = rng.sample(range(total + len(constants)), rng.randint(1, SIZES[k]))
            results[start : start + SIZES[k]] = rng.choices(pool, k=SIZES[k])
    return Program(inputs, outputs, constants, (), tuple(results))


def numbered(program, n_states):
    """Return inputs whose every entry is another number."""
    total = program.n_inputs
    every = np.arange(float(n_states * total)).reshape(n_states, total)
    edges = np.cumsum([0, *[port.size for port in program.inputs]])
    return [every[:, a:b].copy() for a, b in pairwise(edges)]


@pytest.mark.parametrize(("cpu", "width"), MACHINES)
@pytest.mark.parametrize("seed", [None, 0])
def test_copies_of_all_sizes_come_back(cpu, width, seed):
    """Copy ports of 1 to 40 entries through the lanes, in batches of all small sizes."""
    program = copies(seed)
    code = kernel(program, cpu, width)
    for n in (1, 2, width - 1, width, width + 1, 2 * width, 3 * width + 1):
        inputs = numbered(program, n)
        outputs = [np.full((n, port.size), np.nan) for port in program.outputs]
        run_batch(code, inputs, outputs)
        reference = inputs if seed is None else interpret(program, *inputs)
        for y, z in zip(outputs, reference, strict=True):
            np.testing.assert_array_equal(y, z)


@pytest.mark.parametrize("seed", [None, 2])
def test_single_states_are_copied_too(seed):
    """Copy through the code for single states."""
    program = copies(seed)
    inputs = numbered(program, 3)
    code = kernel(program, "host")
    for y, z in zip(one_by_one(code, *inputs), interpret(program, *inputs), strict=True):
        np.testing.assert_array_equal(y, z)


def test_bits_travel_unchanged():
    """Copy NaN with payloads, denormals, infinities and minus zero bit by bit."""
    program = Program((Port("x", (7,)),), (Port("y", (7,)),), (), (), tuple(range(7)))
    payload = np.array([0x7FF8_0000_0000_1234, -0x0007_FFFF_FFFF_0001], dtype=np.int64)
    row = np.array([*payload.view(float), 5e-324, -0.0, np.inf, -np.inf, 1e308])
    states = np.tile(row, (19, 1)).copy()
    outputs = [np.zeros((19, 7))]
    run_batch(kernel(program, "host"), [states], outputs)
    np.testing.assert_array_equal(outputs[0].view(np.int64), states.view(np.int64))


@pytest.mark.parametrize("width", [2, 4, 8])
def test_ports_without_entries_are_passed_over(width):
    """Copy beside an input and an output of no entries."""
    ports = (Port("e", (0,)), Port("x", (3,))), (Port("y", (3,)), Port("f", (0, 2)))
    program = Program(*ports, (), (), (2, 1, 0))
    states = np.arange(39.0).reshape(13, 3)
    outputs = [np.zeros((13, 3)), np.zeros((13, 0))]
    run_batch(kernel(program, "host", width), [np.zeros((13, 0)), states], outputs)
    np.testing.assert_array_equal(outputs[0], states[:, ::-1])


def test_layout_code_has_no_aligned_access_to_rows():
    """Check that rows are read and written as doubles lie: at multiples of eight bytes."""
    for width in (2, 4, 8):
        lines = layout_ir(width).splitlines()
        rows = [line for line in lines if "%place" in line and ("load" in line or "store" in line)]
        assert rows
        assert all(line.endswith("align 8") for line in rows)
