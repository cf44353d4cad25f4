"""Long programs cut into functions: the same numbers, however short the pieces."""

import numpy as np
import pytest

from poinsot.expr import build, symbol_array
from poinsot.kernels.llvm import function_splitting
from poinsot.kernels.spilled_values import spill_slots
from tests.kernels.machines import (
    CPUS,
    compiled,
    interpret,
    kernel,
    one_by_one,
    random_inputs,
    random_program,
)


def long_program(n):
    """Return a program whose first values are used again at its end."""
    x = symbol_array("x", 4)
    values = list(x)
    for k in range(n):
        values.append((0.3 * values[k] * x[k % 4] + 0.2 * values[-1]).sin())
    return build({"x": x}, {"y": np.array(values[4:]) * np.array(values[4:][::-1])})


def cut_after(n_steps, monkeypatch):
    """Let no function have more than ``n_steps``, for one state and in lanes."""
    monkeypatch.setattr(function_splitting, "LONGEST_FUNCTION", n_steps)
    monkeypatch.setattr(function_splitting, "LONGEST_IN_LANES", n_steps)
    monkeypatch.setattr(function_splitting, "SPLIT_IN_LANES", n_steps)


def test_parts_hold_every_step_once_in_order():
    """Cut lists of all small lengths, for one state and in lanes."""
    in_lanes = function_splitting.LONGEST_IN_LANES
    assert len(function_splitting.split_steps(list(range(in_lanes)), 8)) == 1
    for lanes, longest, whole in (
        (1, function_splitting.LONGEST_FUNCTION, 0),
        (8, function_splitting.SPLIT_IN_LANES, in_lanes),
    ):
        for n in (0, 1, longest - 1, longest, longest + 1, 2 * longest + 1, 5 * longest):
            if 1 < n <= whole:
                continue  # short enough for one function
            parts = function_splitting.split_steps(list(range(n)), lanes)
            assert [k for part in parts for k in part] == list(range(n))
            assert len(parts) == max(1, -(-n // longest))
            assert max(map(len, parts)) - min(map(len, parts)) <= 1


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("longest", [1, 7, 64])
def test_cut_programs_agree_with_the_interpreter(cpu, longest, monkeypatch):
    """Compare single states and batches for pieces of several lengths."""
    cut_after(longest, monkeypatch)
    program = long_program(60)
    inputs = random_inputs(program, 21, seed=longest)
    expected = interpret(program, *inputs)[0]
    for run in (compiled, one_by_one):
        (y,) = run(kernel(program, cpu), *inputs)
        np.testing.assert_allclose(y, expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("seed", range(3))
def test_every_operation_survives_the_cut(seed, monkeypatch):
    """Cut programs of all operations after every third step and show all their values."""
    program = random_program(seed, n_steps=40, everything=True)
    inputs = random_inputs(program, 19, seed)
    whole = compiled(kernel(program, CPUS[0]), *inputs)
    cut_after(3, monkeypatch)
    parts = compiled(kernel(program, CPUS[0]), *inputs)
    for x, y in zip(whole, parts, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-12)


def test_values_kept_off_the_stack(monkeypatch):
    """Let the kept values live in memory of their own."""
    cut_after(5, monkeypatch)
    monkeypatch.setattr(function_splitting, "LARGEST_ON_STACK", 0)
    program = long_program(40)
    inputs = random_inputs(program, 11, seed=1)
    (y,) = compiled(kernel(program, CPUS[0]), *inputs)
    np.testing.assert_allclose(y, interpret(program, *inputs)[0], rtol=1e-12, atol=1e-13)


def test_slots_are_used_again():
    """Check that no slot holds two values at a time, and that few are needed for a chain."""
    x = symbol_array("x", 1)
    value = x[0]
    for _ in range(100):
        value = value.sin() * 2.0
    program = build({"x": x}, {"y": value})
    parts = [list(range(k, k + 5)) for k in range(0, 200, 5)]
    slots, total = spill_slots(program, parts)
    assert total == 2  # one is read while the other is written
    assert len(slots) == 39
