"""Sine and cosine together, as LLVM IR text, for scalars and for vectors.

The generated function takes one value per lane and returns both functions, which share the
reduction of the argument.  The algorithm, the same operations in the same order at every width:

1.  ``n = round(x * 2 / pi)`` by adding 1.5 * 2**52, which leaves ``n`` modulo 4 in the low bits of
    the sum.  Rounding intrinsics are library calls below SSE4.1 and double-to-integer conversions
    are scalar below AVX-512DQ, so neither is used.
2.  ``x - n * pi / 2 = r - t``, with pi / 2 in three parts (Cody and Waite, Software Manual for the
    Elementary Functions, 1980, chapter 8).  The first two parts have 37 bits or fewer and ``n`` has
    16, so their products are exact with or without a fused multiply-add; the subtraction of the
    first is exact, and the tail ``t`` takes up the rounding of the second.
3.  The polynomials of fdlibm on [-pi / 4, pi / 4], with ``t`` to first order.
4.  The quadrant exchanges the two results and sets their signs, by integer operations.

Lanes above ``FAST_LIMIT`` call ``sin`` and ``cos`` of the C library in a second function that is
reached only when some lane is that large.

Every multiply-add is ``llvm.fmuladd``, not ``fmul contract`` followed by ``fadd contract``: it
fixes which product is fused, so one target gives the same bits at every width.
"""

from collections.abc import Sequence

from poinsot.kernels.llvm.types import Lanes, double

#: Widths that `sincos_ir` can generate; 1 is the scalar `double`.
WIDTHS = (1, 2, 4, 8, 16)

#: The largest magnitude that stays on the fast path: n <= 63662 < 2**16.
FAST_LIMIT = 1e5

# 1.5 * 2**52: the sum has a unit in the last place of 1, for quotients of both signs.
_ROUND = 6755399441055744.0
_TWO_OVER_PI = float.fromhex("0x1.45f306dc9c883p-1")
# pi / 2 rounded to a multiple of 2**-36, the rest to a multiple of 2**-74, and the rest of that to
# a double.  What is left out, 2**-130.4, is below 2**-114 after the product with n, and no double
# within FAST_LIMIT comes closer than 2**-60.5 to a nonzero multiple of pi / 2 (the tests run
# through them all).
_HALF_PI = tuple(
    float.fromhex(bits)
    for bits in ("0x1.921fb54440000p+0", "0x1.68c234c4c0000p-39", "0x1.98a2e03707345p-77")
)

# fdlibm 5.3 k_sin.c: S6 to S1 with the opposite sign, |error / sin(x)| < 2**-58.
_SIN = (
    -1.58969099521155010221e-10,
    2.50507602534068634195e-08,
    -2.75573137070700676789e-06,
    1.98412698298579493134e-04,
    -8.33333333332248946124e-03,
    1.66666666666666324348e-01,
)
# fdlibm 5.3 k_cos.c: C6 to C1, |error| < 2**-58.
_COS = (
    -1.13596475577881948265e-11,
    2.08757232129817482790e-09,
    -2.75573143513906633035e-07,
    2.48015872894767294178e-05,
    -1.38888888888741095749e-03,
    4.16666666666666019037e-02,
)


def sincos_callees(width: int) -> tuple[str, ...]:
    """Return the declarations that `sincos_ir` of this width needs, one per line of IR.

    Declaring a function twice in a module is an error, so a caller emits the union over the widths
    it uses.  `sin` and `cos` are those of the C library and are the only symbols to resolve at
    link time; the rest are intrinsics.

    Args:
        width: Number of lanes, one of `WIDTHS`.

    Returns:
        The lines, in a fixed order.
    """
    types = WideTypes(width)
    f, m = types.real, types.suffix
    lines = [f"declare double @{g}(double)" for g in ("sin", "cos", "llvm.fabs.f64")]
    lines.append(f"declare {f} @llvm.fmuladd.{m}({f}, {f}, {f})")
    if not types.scalar:
        lines.append(f"declare {f} @llvm.fabs.{m}({f})")
        lines.append(f"declare i1 @llvm.vector.reduce.or.v{width}i1(<{width} x i1>)")
    return tuple(lines)


def sincos_declaration(width: int) -> str:
    """Return the declaration of the function that `sincos_ir` defines, for modules that call it."""
    types = WideTypes(width)
    return (
        f"declare fastcc {types.pair} @poinsot.sincos.v{width}({types.real}) nounwind memory(none)"
    )


def sincos_ir(width: int) -> str:
    """Return LLVM IR that defines the sine and cosine of `width` lanes.

    The text defines `@poinsot.sincos.vW`, fastcc, from `<W x double>` to
    `{ <W x double>, <W x double> }` (sine first); at width 1 the types are `double` and
    `{ double, double }`.  It also defines `@poinsot.sincos.slow.vW`, which only the first calls.
    The module must contain the lines of `sincos_callees` as well.

    Within `FAST_LIMIT` the largest error seen in 15 million points is 0.89 units in the last place
    with fused multiply-add and 1.03 without; beyond, it is that of the C library.  NaN and
    infinities give NaN, the sine of a zero is that zero, and that of a subnormal is that number.

    Args:
        width: Number of lanes, one of `WIDTHS`.

    Returns:
        The definitions, ended by a newline.
    """
    types = WideTypes(width)
    return _fast(types) + _slow(types)


class WideTypes(Lanes):
    """Names of the types and the instructions that the definitions are made of."""

    def __init__(self, width: int) -> None:
        if width not in WIDTHS:
            raise ValueError(f"width must be one of {WIDTHS}, not {width!r}")
        super().__init__(width)
        self.integer = "i64" if self.scalar else f"<{width} x i64>"
        self.pair = f"{{ {self.real}, {self.real} }}"

    def integers(self, value: int) -> str:
        """Return a 64-bit integer in every lane."""
        return str(value) if self.scalar else f"splat (i64 {value})"

    def fma(self, a: str, b: str, c: str) -> str:
        """Return the instruction for a * b + c."""
        f = self.real
        return f"call {f} @llvm.fmuladd.{self.suffix}({f} {a}, {f} {b}, {f} {c})"

    def polynomial(self, name: str, coefficients: Sequence[float]) -> list[str]:
        """Return the polynomial in %z of six coefficients, highest first; its value is `%{name}`.

        Pairs are summed in powers of %z2, which the cosine needs anyway: as many operations as
        Horner's rule at three fifths of its latency.
        """
        c = [self.number(coefficient) for coefficient in coefficients]
        return [
            f"%{name}4 = {self.fma('%z', c[0], c[1])}",
            f"%{name}2 = {self.fma('%z', c[2], c[3])}",
            f"%{name}0 = {self.fma('%z', c[4], c[5])}",
            f"%{name}1 = {self.fma('%z2', f'%{name}4', f'%{name}2')}",
            f"%{name} = {self.fma('%z2', f'%{name}1', f'%{name}0')}",
        ]


def _fast(types: WideTypes) -> str:
    f, i, pair = types.real, types.integer, types.pair
    fma, number, integers = types.fma, types.number, types.integers
    p1, p2, p3 = _HALF_PI
    lines = [
        f"%n = {fma('%x', number(_TWO_OVER_PI), number(_ROUND))}",
        f"%q = fsub {f} %n, {number(_ROUND)}",
        f"%r1 = {fma('%q', number(-p1), '%x')}",
        f"%r = {fma('%q', number(-p2), '%r1')}",
        # The tail is kept as what to take away from r: it is then +0 where x is a zero, so that
        # r - (+0) keeps the sign of that zero.
        f"%d = fsub {f} %r, %r1",
        f"%t2 = {fma('%q', number(p2), '%d')}",
        f"%t = {fma('%q', number(p3), '%t2')}",
        f"%z = fmul {f} %r, %r",
        f"%z2 = fmul {f} %z, %z",
        f"%z3 = fmul {f} %z, %r",
        # sin(r - t) = r - (z3 * sp + t): t * (1 - cos(r)), below 0.15 ulp, is left out.
        *types.polynomial("sp", _SIN),
        f"%sd = {fma('%z3', '%sp', '%t')}",
        f"%s = fsub {f} %r, %sd",
        # cos(r - t) = 1 + (-r * r / 2 + (z2 * cp + r * t)): with a fused multiply-add the square
        # of r goes in unrounded, which z would not.
        *types.polynomial("cp", _COS),
        f"%rt = fmul {f} %r, %t",
        f"%ct = {fma('%z2', '%cp', '%rt')}",
        f"%rh = fmul {f} %r, {number(-0.5)}",
        f"%cd = {fma('%rh', '%r', '%ct')}",
        f"%c = fadd {f} %cd, {number(1.0)}",
        # Bit 0 of the quadrant exchanges the two, from the sign bit, where blends of AVX read it;
        # bit 1 of n is the sign of the sine, bit 1 of n + 1 that of the cosine.
        f"%bits = bitcast {f} %n to {i}",
        f"%bit0 = shl {i} %bits, {integers(63)}",
        f"%odd = icmp slt {i} %bit0, {integers(0)}",
        f"%sm = select {types.bit} %odd, {f} %c, {f} %s",
        f"%cm = select {types.bit} %odd, {f} %s, {f} %c",
        f"%sbit = shl {i} %bits, {integers(62)}",
        f"%cbit = add {i} %sbit, {integers(1 << 62)}",
        f"%ssign = and {i} %sbit, {integers(-(1 << 63))}",
        f"%csign = and {i} %cbit, {integers(-(1 << 63))}",
        f"%si = bitcast {f} %sm to {i}",
        f"%ci = bitcast {f} %cm to {i}",
        f"%sx = xor {i} %si, %ssign",
        f"%cx = xor {i} %ci, %csign",
        f"%sin = bitcast {i} %sx to {f}",
        f"%cos = bitcast {i} %cx to {f}",
        # Unordered lanes stay here: the arithmetic above carries NaN through.
        f"%abs = call {f} @llvm.fabs.{types.suffix}({f} %x)",
        f"%large = fcmp ogt {f} %abs, {number(FAST_LIMIT)}",
    ]
    if types.scalar:
        any_large = "%large"
    else:
        any_large = "%any"
        lines.append(f"%any = call i1 @llvm.vector.reduce.or.v{types.width}i1({types.bit} %large)")
    weights = '!{!"branch_weights", i32 1, i32 1048575}'
    lines.append(f"br i1 {any_large}, label %slow, label %fast, !prof {weights}")
    entry = "\n".join(f"  {line}" for line in lines)
    return f"""\
define fastcc {pair} @poinsot.sincos.v{types.width}({f} %x)
    noinline nounwind memory(none) {{
entry:
{entry}
fast:
  %f0 = insertvalue {pair} poison, {f} %sin, 0
  %f1 = insertvalue {pair} %f0, {f} %cos, 1
  ret {pair} %f1
slow:
  %g = tail call fastcc {pair} @poinsot.sincos.slow.v{types.width}({f} %x, {f} %sin, {f} %cos)
  ret {pair} %g
}}
"""


def _slow(types: WideTypes) -> str:
    # A function of its own, so that its stack frame and spills cost the fast path nothing.
    # `nobuiltin` keeps LLVM from merging the two calls into `sincos`, one more symbol to resolve;
    # `memory(none)` is what C compilers assume of them without errno.
    f, pair = types.real, types.pair
    calls = "\n".join(
        f"  %{g}v = call double @{g}(double %xk) nobuiltin nounwind memory(none)\n"
        f"  %{g}p = getelementptr double, ptr %{g}s, i64 %k\n"
        f"  store double %{g}v, ptr %{g}p"
        for g in ("sin", "cos")
    )
    return f"""\
define internal fastcc {pair} @poinsot.sincos.slow.v{types.width}({f} %x, {f} %s, {f} %c)
    noinline cold nounwind memory(none) {{
entry:
  %xs = alloca {f}
  %sins = alloca {f}
  %coss = alloca {f}
  store {f} %x, ptr %xs
  store {f} %s, ptr %sins
  store {f} %c, ptr %coss
  br label %lane
lane:
  %k = phi i64 [ 0, %entry ], [ %next, %done ]
  %xp = getelementptr double, ptr %xs, i64 %k
  %xk = load double, ptr %xp
  %abs = call double @llvm.fabs.f64(double %xk)
  %large = fcmp ogt double %abs, {double(FAST_LIMIT)}
  br i1 %large, label %libm, label %done
libm:
{calls}
  br label %done
done:
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, {types.width}
  br i1 %more, label %lane, label %exit
exit:
  %sr = load {f}, ptr %sins
  %cr = load {f}, ptr %coss
  %p0 = insertvalue {pair} poison, {f} %sr, 0
  %p1 = insertvalue {pair} %p0, {f} %cr, 1
  ret {pair} %p1
}}
"""
