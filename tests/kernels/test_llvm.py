"""Machine code against the interpreter, on every processor whose code runs here."""

import random
import threading
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from poinsot.expr import Op, Port, Program, build, optimise, symbol_array
from poinsot.expr.ops import MEANING
from poinsot.kernels.llvm.shared_functions import shared_ir
from poinsot.kernels.llvm.straight_modules import batch_ir
from poinsot.kernels.llvm.target import assembly
from tests.expr.graphs import N_LEAVES, follow, is_tame, on_expr
from tests.kernels.machines import (
    AVX512,
    CPUS,
    HUGE,
    INNER,
    NEON,
    SPECIAL,
    compiled,
    interpret,
    kernel,
    noisy,
    one_by_one,
    random_inputs,
    random_program,
    run_batch,
    same_kind,
    target,
)

SEEDS = range(4)
TAME = range(16)
LIBRARY = {Op.TAN, Op.ASIN, Op.ACOS, Op.ATAN2, Op.EXP, Op.LOG, Op.POW, Op.SIN, Op.COS}


def both_ways(code, *inputs):
    """Return the results of the batch code and of the code for single states."""
    return {"batch": compiled(code, *inputs), "single": one_by_one(code, *inputs)}


def bits(y):
    return np.ascontiguousarray(y).view(np.int64)


# What each step computes


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_does_what_the_table_of_meanings_says(cpu, seed):
    """Show all values of a program and repeat each step from the code's own operands."""
    program = random_program(seed, n_steps=40, everything=True)
    inputs = random_inputs(program, 90, seed, (*SPECIAL, *HUGE), share=0.4)
    for way, outputs in both_ways(kernel(program, cpu), *inputs).items():
        y = np.concatenate(outputs, axis=1)
        np.testing.assert_array_equal(y[:, :5], np.concatenate(inputs, axis=1))
        for k, (op, args) in enumerate(program.steps, start=program.first_step):
            operands = y[:, args].T
            with np.errstate(all="ignore"):
                meant = np.asarray(MEANING[op](*operands))
                slack = (
                    np.zeros_like(meant) if op not in LIBRARY else 2e-15 * np.abs(meant) + 1e-323
                )
                if op in (Op.ADD, Op.SUB):  # may be fused with a product that is stored as well
                    slack = 2e-16 * np.abs(operands).sum(axis=0)
                near = np.abs(y[:, k] - meant) <= slack
            right = same_kind(y[:, k], meant) & (near | ~np.isfinite(meant))
            assert right.all(), (way, op, operands[:, ~right], y[~right, k], meant[~right])


SPECIAL_CASES = [
    (Op.SIGN, (-0.0,), 0.0),
    (Op.SIGN, (-5e-324,), -1.0),
    (Op.FLOOR, (-0.0,), -0.0),
    (Op.FLOOR, (-0.5,), -1.0),
    (Op.FLOOR, (2.0**60 + 256,), 2.0**60 + 256),
    (Op.FLOOR, (-np.inf,), -np.inf),
    (Op.ABS, (-0.0,), 0.0),
    (Op.NEG, (0.0,), -0.0),
    (Op.SQRT, (-0.0,), -0.0),
    (Op.SIN, (-0.0,), -0.0),
    (Op.MIN, (np.inf, np.nan), np.nan),
    (Op.MAX, (np.nan, -np.inf), np.nan),
    (Op.LESS, (np.nan, 1.0), np.nan),
    (Op.LESS_EQUAL, (-0.0, 0.0), 1.0),
    (Op.EQUAL, (0.0, -0.0), 1.0),
    (Op.EQUAL, (np.nan, np.nan), np.nan),
    (Op.SELECT, (np.nan, 1.0, 2.0), np.nan),
    (Op.SELECT, (5e-324, 1.0, np.nan), 1.0),
    (Op.SELECT, (-0.0, np.nan, 2.0), 2.0),
    (Op.POW, (np.nan, 0.0), 1.0),
    (Op.POW, (1.0, np.nan), 1.0),
    (Op.ATAN2, (-0.0, -1.0), -np.pi),
    (Op.DIV, (1.0, -0.0), -np.inf),
    (Op.MUL, (0.0, np.inf), np.nan),
]


@pytest.mark.parametrize("cpu", CPUS)
def test_special_cases_come_out_to_the_sign_of_zero(cpu):
    """Compare known results of special operands, minus zero apart from zero."""
    steps, results, values, first = [], [], [], sum(len(x) for _, x, _ in SPECIAL_CASES)
    for op, operands, _ in SPECIAL_CASES:
        steps.append((op, tuple(range(len(values), len(values) + len(operands)))))
        results.append(first + len(results))
        values += operands
    ports = (Port("x", (first,)),), (Port("y", (len(results),)),)
    program = Program(*ports, (), tuple(steps), tuple(results))
    meant = np.array([y for _, _, y in SPECIAL_CASES])
    states = np.tile(values, (20, 1))
    for (y,) in both_ways(kernel(program, cpu), states).values():
        np.testing.assert_array_equal(y, np.tile(meant, (20, 1)))
        known = ~np.isnan(meant)
        np.testing.assert_array_equal(np.signbit(y[0, known]), np.signbit(meant[known]))


# Whole programs, in which products and sums may be fused


@cache
def tame_program(seed):
    """Return a program of all kinds of steps and states where it is well-conditioned."""
    rng, points = random.Random(seed), np.random.default_rng(seed)
    x = symbol_array("x", N_LEAVES)
    while True:
        recipe = [(rng.choice(INNER), *[rng.randrange(40) for _ in range(3)]) for _ in range(18)]
        states = [p for p in points.uniform(-2, 2, (60, N_LEAVES)) if is_tame(recipe, p)]
        if len(states) > 20:
            values = follow(recipe, x, on_expr)
            return optimise(build({"x": x}, {"y": values[-6:]})), np.array(states)


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("seed", TAME)
def test_programs_agree_with_the_interpreter_to_rounding(cpu, seed):
    """Compare with the interpreter, within what errors of rounding in each step may do."""
    program, states = tame_program(seed)
    (reference,) = interpret(program, states)
    amplitude = 2.0**-51
    spread = [np.abs(noisy(program, [states], amplitude, k) - reference) for k in range(8)]
    for way, (y,) in both_ways(kernel(program, cpu), states).items():
        error = np.abs(y - reference)
        assert (error <= 4 * np.max(spread, axis=0) + 1e-15 * np.abs(reference)).all(), way


def test_tame_programs_use_every_operation():
    """Check that the programs above leave no operation out."""
    used = {op for seed in TAME for op in tame_program(seed)[0].counts}
    assert used == set(INNER)


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("seed", range(10, 16))
def test_nan_and_infinity_are_those_of_the_interpreter(cpu, seed):
    """Mix NaN, infinities, zeros and denormals into the inputs of programs of all operations."""
    program = random_program(seed, n_steps=35)
    inputs = random_inputs(program, 120, seed, SPECIAL, share=0.3)
    reference = interpret(program, *inputs)
    for way, outputs in both_ways(kernel(program, cpu), *inputs).items():
        for y, z in zip(outputs, reference, strict=True):
            wrong = ~same_kind(y, z)
            assert not wrong.any(), (way, y[wrong], z[wrong])


@pytest.mark.parametrize("cpu", CPUS)
def test_products_and_sums_are_fused_where_the_processor_can(cpu):
    """Compute a product less its rounded value: the rounding error if fused, else zero."""
    program = Program(
        (Port("x", (3,)),), (Port("y", ()),), (), ((Op.MUL, (0, 1)), (Op.SUB, (3, 2))), (4,)
    )
    a = 1 + 2.0**-30
    states = np.tile([a, a, a * a], (9, 1))
    for (y,) in both_ways(kernel(program, cpu), states).values():
        assert set(y.ravel()) in {"haswell": ({2.0**-60},), "x86-64": ({0.0},)}.get(
            cpu, ({0.0}, {2.0**-60})
        )


# Batches


@pytest.mark.parametrize("cpu", CPUS)
def test_results_do_not_depend_on_the_place_in_the_batch(cpu):
    """Compare, bit by bit, batches of all small sizes and a shuffled one with a large one."""
    program = random_program(20)
    width = target(cpu).width
    code = kernel(program, cpu)
    inputs = random_inputs(program, 1000, 20, SPECIAL, share=0.1)
    whole = compiled(code, *inputs)
    for n in (*range(3 * width + 2), 999):
        part = [np.ascontiguousarray(x[1000 - n :]) for x in inputs]
        outputs = [np.full((n, port.size), 7e77) for port in program.outputs]
        run_batch(code, part, outputs)
        for y, z in zip(outputs, whole, strict=True):
            np.testing.assert_array_equal(bits(y), bits(z[1000 - n :]))
    order = np.random.default_rng(0).permutation(1000)
    for y, z in zip(compiled(code, *[x[order] for x in inputs]), whole, strict=True):
        np.testing.assert_array_equal(bits(y), bits(z[order]))


@pytest.mark.parametrize("cpu", CPUS)
def test_single_states_and_batches_agree(cpu):
    """Compare the two codes, which may fuse differently, and NaN and infinities exactly."""
    for seed in SEEDS:
        program, states = tame_program(seed)
        single, batch = (one_by_one, compiled)
        code = kernel(program, cpu)
        (y,), (z,) = single(code, states), batch(code, states)
        spread = np.abs(noisy(program, [states], 2.0**-50, 0) - z)
        assert (np.abs(y - z) <= 8 * spread + 1e-14 * np.abs(z)).all()


@pytest.mark.parametrize("cpu", CPUS)
def test_ranges_write_their_own_states_and_no_others(cpu):
    """Run every range of a batch by itself."""
    program = random_program(21)
    code = kernel(program, cpu)
    n = 2 * target(cpu).width + 3
    inputs = random_inputs(program, n, 21)
    whole = compiled(code, *inputs)
    for start in range(n + 1):
        for stop in range(start, n + 1):
            outputs = [np.full((n, port.size), 7e77) for port in program.outputs]
            run_batch(code, inputs, outputs, start, stop)
            for y, z in zip(outputs, whole, strict=True):
                np.testing.assert_array_equal(bits(y[start:stop]), bits(z[start:stop]))
                assert (y[:start] == 7e77).all()
                assert (y[stop:] == 7e77).all()


def test_ranges_may_run_at_the_same_time():
    """Share a batch among threads."""
    program = random_program(22)
    code = kernel(program, "host")
    inputs = random_inputs(program, 4003, 22)
    whole = compiled(code, *inputs)
    outputs = [np.full((4003, port.size), 7e77) for port in program.outputs]
    edges = [0, 1, 7, 1000, 1003, 2500, 4003]
    threads = [
        threading.Thread(target=run_batch, args=(code, inputs, outputs, start, stop))
        for start, stop in pairwise(edges)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for y, z in zip(outputs, whole, strict=True):
        np.testing.assert_array_equal(bits(y), bits(z))


def test_large_programs_fit():
    """Compile a program whose ports and scratch memory are larger than a page."""
    x = symbol_array("x", 700)
    program = build({"x": x}, {"y": np.outer(x[:30].tolist(), x[300:330].tolist()), "z": x[::-1]})
    states = np.random.default_rng(0).uniform(-1, 1, (11, 700))
    code = kernel(program, "host")
    for y, z in (both_ways(code, states)).values():
        np.testing.assert_array_equal(
            y.reshape(11, 30, 30), states[:, :30, None] * states[:, None, 300:330]
        )
        np.testing.assert_array_equal(z, states[:, ::-1])


# Processors other than this one


def modules(target):
    """Return the modules in which steps on lanes are fused: a sum of products, and the sines."""
    x, y = symbol_array("x", 4), symbol_array("y", 4)
    return batch_ir(build({"x": x, "y": y}, {"z": x @ y}), target), shared_ir(target.width)


def test_neon_code_is_made_here():
    """Cross-compile for a 64-bit ARM processor and look for fused steps on two lanes."""
    for ir in modules(NEON):
        text = assembly(ir, NEON)
        assert "fmla\tv" in text
        assert ".2d" in text
        assert "zmm" not in text


def test_eight_lanes_take_one_register():
    """Cross-compile for AVX-512 and look for its registers and fused steps."""
    for ir in modules(AVX512):
        text = assembly(ir, AVX512)
        assert "zmm" in text
        assert any("vfmadd" in line and "zmm" in line for line in text.splitlines())
