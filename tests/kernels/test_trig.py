"""The generated sine and cosine against extended and multiple precision."""

import ctypes
import math
import platform
from functools import cache

import llvmlite.binding as llvm
import mpmath
import numpy as np
import pytest

from poinsot.kernels.llvm.trig import FAST_LIMIT, WIDTHS, sincos_callees, sincos_ir

Long = np.longdouble
HALF_PI_BITS = 220
with mpmath.workprec(HALF_PI_BITS + 40):
    HALF_PI = int(mpmath.nint(mpmath.ldexp(mpmath.pi / 2, HALF_PI_BITS)))

# LLVM CPU names, with the features of the host that running their code takes.
CPUS = {"host": (), "haswell": ("avx2", "fma", "bmi2"), "x86-64": ()}
BOUND = {"host": 1.1, "haswell": 0.9, "x86-64": 1.1}

extended = pytest.mark.skipif(
    np.finfo(Long).nmant < 63, reason="numpy.longdouble is no wider than a double here"
)


def wrapper(width):
    """IR of a loop over an array whose length is a multiple of the width."""
    real = "double" if width == 1 else f"<{width} x double>"
    pair = f"{{ {real}, {real} }}"
    return f"""
define void @run{width}(ptr %x, ptr %s, ptr %c, i64 %n) {{
entry:
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %xp = getelementptr double, ptr %x, i64 %k
  %sp = getelementptr double, ptr %s, i64 %k
  %cp = getelementptr double, ptr %c, i64 %k
  %v = load {real}, ptr %xp, align 8
  %g = call fastcc {pair} @poinsot.sincos.v{width}({real} %v)
  %gs = extractvalue {pair} %g, 0
  %gc = extractvalue {pair} %g, 1
  store {real} %gs, ptr %sp, align 8
  store {real} %gc, ptr %cp, align 8
  %next = add i64 %k, {width}
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}}
"""


def module_text():
    """One module with every width."""
    declarations = dict.fromkeys(d for w in WIDTHS for d in sincos_callees(w))
    return "\n".join(declarations) + "\n" + "".join(sincos_ir(w) + wrapper(w) for w in WIDTHS)


@cache
def engine(cpu, passes):
    host = llvm.get_host_cpu_features()
    if cpu != "host":
        if platform.machine() not in ("x86_64", "AMD64"):
            pytest.skip("the restricted processors are x86")
        if missing := [name for name in CPUS[cpu] if not host.get(name)]:
            pytest.skip(f"the host lacks {missing}")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=llvm.get_host_cpu_name() if cpu == "host" else cpu,
        features=host.flatten() if cpu == "host" else "",
        opt=2,
        jit=True,
    )
    module = llvm.parse_assembly(module_text())
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    if passes:
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(3))
        builder.getModulePassManager().run(module, builder)
    result = llvm.create_mcjit_compiler(module, machine)
    result.finalize_object()
    return result


def sincos(x, cpu="host", width=1, passes=False):
    """Sines and cosines by the generated code, padded to a multiple of the width."""
    x = np.asarray(x, dtype=np.float64)
    padded = np.concatenate([x, np.zeros(-x.size % width)])
    s, c = np.empty_like(padded), np.empty_like(padded)
    code = engine(cpu, passes)
    prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64)
    run = prototype(code.get_function_address(f"run{width}"))
    run(padded.ctypes.data, s.ctypes.data, c.ctypes.data, padded.size)
    return s[: x.size], c[: x.size]


def ulps(value, reference):
    """Errors in units in the last place of the reference rounded to a double."""
    unit = np.spacing(np.abs(reference.astype(np.float64)))
    return np.abs((value - reference) / unit).astype(np.float64)


def precise(x):
    """Sines and cosines as extended numbers, from multiple precision."""

    def extend(value):
        head = float(value)
        return Long(head) + Long(float(value - head))

    with mpmath.workprec(200):
        pairs = [(mpmath.sin(v), mpmath.cos(v)) for v in map(mpmath.mpf, x.tolist())]
        return tuple(np.array([extend(v) for v in column]) for column in zip(*pairs, strict=True))


@cache
def near_multiples():
    """Every double next to a multiple k pi / 2 on the fast path: x, k and x - k pi / 2."""
    points, factors, rests = [], [], []
    for k in range(1, round(FAST_LIMIT * 2 / math.pi) + 1):
        multiple = k * HALF_PI
        nearest = multiple / (1 << HALF_PI_BITS)
        for x in (math.nextafter(nearest, 0.0), nearest, math.nextafter(nearest, math.inf)):
            rest = (int(math.ldexp(x, 52)) << (HALF_PI_BITS - 52)) - multiple
            head = rest / (1 << HALF_PI_BITS)
            tail = rest - int(math.ldexp(head, HALF_PI_BITS))
            points.append(x)
            factors.append(k)
            rests.append(Long(head) + Long(tail / (1 << HALF_PI_BITS)))
    x = np.array(points)
    keep = x <= FAST_LIMIT
    return x[keep], np.array(factors)[keep], np.array(rests)[keep]


def bulk(n, seed):
    rng = np.random.default_rng(seed)
    parts = [rng.uniform(-b, b, n) for b in (math.pi / 4, 4.0, 100.0, FAST_LIMIT)]
    return np.concatenate([*parts, rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(-12, 5, n)])


@extended
@pytest.mark.parametrize("cpu", CPUS)
def test_error_of_random_points(cpu):
    x = bulk(40_000, seed=1)
    s, c = sincos(x, cpu, width=8)
    assert ulps(s, np.sin(x.astype(Long))).max() < BOUND[cpu]
    assert ulps(c, np.cos(x.astype(Long))).max() < BOUND[cpu]


@extended
def test_extended_reference_is_precise():
    x = np.concatenate([bulk(100, seed=2), near_multiples()[0][::500]])
    s, c = precise(x)
    assert ulps(np.sin(x.astype(Long)), s).max() < 1e-3
    assert ulps(np.cos(x.astype(Long)), c).max() < 1e-3


@pytest.mark.parametrize("cpu", CPUS)
def test_error_at_every_multiple_of_half_pi(cpu):
    x, k, rest = near_multiples()
    # |rest| < 1e-10: the function that vanishes is +-rest to 2e-21, and the other is +-1.
    assert np.abs(rest).max() < 1e-10
    s, c = sincos(x, cpu, width=4)
    odd = k % 2 == 1
    sign = np.array([1.0, -1.0, -1.0, 1.0])[k % 4]
    assert ulps(np.where(odd, c, s), sign * rest).max() < 0.51
    np.testing.assert_array_equal(np.where(odd, s, c), np.array([1.0, 1.0, -1.0, -1.0])[k % 4])


@pytest.mark.parametrize("cpu", CPUS)
def test_hard_points_against_multiple_precision(cpu):
    multiples = near_multiples()[0][::400]
    quarter = np.arange(1, 127_000, 700) * (math.pi / 4)
    edge = [FAST_LIMIT, math.nextafter(FAST_LIMIT, 0.0), math.nextafter(FAST_LIMIT, math.inf)]
    x = np.concatenate([multiples, -multiples, quarter, edge, 2.0 ** np.arange(-60.0, 17.0)])
    reference_s, reference_c = precise(x)
    s, c = sincos(x, cpu, width=2)
    assert ulps(s, reference_s).max() < BOUND[cpu]
    assert ulps(c, reference_c).max() < BOUND[cpu]


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("width", WIDTHS)
def test_huge_arguments(cpu, width):
    rng = np.random.default_rng(3)
    x = rng.choice([-1.0, 1.0], 96) * 10.0 ** rng.uniform(5, 300, 96)
    x[:2] = 1.7976931348623157e308, 2.0**1000
    reference_s, reference_c = precise(x)
    s, c = sincos(x, cpu, width)
    assert ulps(s, reference_s).max() < 1.0
    assert ulps(c, reference_c).max() < 1.0
    # The double nearest to a multiple of pi / 2 of all, where glibc 2.36 itself is 8 ulp off.
    worst = 6381956970095103.0 * 2.0**797
    s, c = sincos([worst], cpu, width)
    assert (s[0], c[0]) == (math.sin(worst), math.cos(worst))


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("width", WIDTHS)
def test_special_values(cpu, width):
    for value in (math.nan, math.inf, -math.inf):
        x = np.full((width, width), 0.5)
        np.fill_diagonal(x, value)
        for result in sincos(x.ravel(), cpu, width):
            np.testing.assert_array_equal(np.isnan(result), np.eye(width, dtype=bool).ravel())
    tiny = np.array([0.0, 5e-324, 3e-310, 2.2250738585072014e-308, 1e-200, 1e-30, 1e-9])
    x = np.concatenate([tiny, -tiny])
    s, c = sincos(x, cpu, width)
    np.testing.assert_array_equal(s.view(np.int64), x.view(np.int64))  # -0.0 is not 0.0 here
    np.testing.assert_array_equal(c, np.ones_like(x))


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("width", WIDTHS)
def test_large_lane_leaves_the_others_alone(cpu, width):
    x = np.tile(np.linspace(-3.0, 90.0, width), (width, 1))
    plain_s, plain_c = sincos(x.ravel(), cpu, width)
    large = np.eye(width, dtype=bool)
    x[large] = 1e22
    s, c = (values.reshape(width, width) for values in sincos(x.ravel(), cpu, width))
    np.testing.assert_array_equal(s[~large], plain_s.reshape(width, width)[~large])
    np.testing.assert_array_equal(c[~large], plain_c.reshape(width, width)[~large])
    reference_s, reference_c = precise(np.array([1e22]))
    assert ulps(s[large], reference_s).max() < 1.0
    assert ulps(c[large], reference_c).max() < 1.0


@pytest.mark.parametrize("cpu", CPUS)
@pytest.mark.parametrize("passes", [False, True])
def test_every_width_gives_the_same_bits(cpu, passes):
    x = bulk(20_000, seed=4)
    s, c = sincos(x, cpu, width=1)
    for width in WIDTHS[passes ^ 1 :]:
        ws, wc = sincos(x, cpu, width, passes)
        np.testing.assert_array_equal(ws, s)
        np.testing.assert_array_equal(wc, c)


def test_other_widths_are_refused():
    for width in (0, 3, 32):
        with pytest.raises(ValueError, match="width must be one of"):
            sincos_ir(width)
        with pytest.raises(ValueError, match="width must be one of"):
            sincos_callees(width)
