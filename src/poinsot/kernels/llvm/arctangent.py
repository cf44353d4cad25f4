"""The angle of a point, atan2(y, x), as LLVM IR text, for vectors.

With n and d the smaller and the larger of |x| and |y|, one quotient is enough:

    t = n / d,                        n < 7/16 d       φ = 0
        (2 n - d) / (2 d + n)         n < 11/16 d      φ = atan 1/2
        (n - d) / (n + d)             else             φ = π/4

    angle = φ + atan t, π/2 - (φ + atan t), ... by octants, with the sign of y

The intervals and the polynomial are those of fdlibm's ``s_atan.c``, where they end at 7/16 and
19/16; φ and what octants make of it are in two parts as there.  Lanes whose d is zero, infinite,
NaN or near the ends of the range call ``atan2`` of the C library in a second function.  Every
multiply-add is ``llvm.fmuladd``, as in ``trig.py``: one target gives the same bits at every width.
"""

from __future__ import annotations

from typing import Final

from poinsot.kernels.llvm.trig import WideTypes

LEAST: Final = 2.0**-1000
MOST: Final = 2.0**1000
"""The larger coordinate on the fast path: sums do not overflow, quotients keep all digits."""
_TURNS: Final = {
    "right": (
        ("0x0p+0", "0x0p+0"),
        ("0x1.dac670561bb4fp-2", "0x1.a2b7f222f65e2p-56"),
        ("0x1.921fb54442d18p-1", "0x1.1a62633145c07p-55"),
    ),
    "up": (
        ("0x1.921fb54442d18p+0", "0x1.1a62633145c07p-54"),
        ("0x1.1b6e192ebbe44p+0", "0x1.b1b466a88828ep-54"),
        ("0x1.921fb54442d18p-1", "0x1.1a62633145c07p-55"),
    ),
    "upleft": (
        ("0x1.921fb54442d18p+0", "0x1.1a62633145c07p-54"),
        ("0x1.0468a8ace4df6p+1", "0x1.0620bf7406affp-55"),
        ("0x1.2d97c7f3321d2p+1", "0x1.a79394c9e8a0ap-54"),
    ),
    "left": (
        ("0x1.921fb54442d18p+1", "0x1.1a62633145c07p-53"),
        ("0x1.56c6e7397f5aep+1", "0x1.660b64ece6f4bp-53"),
        ("0x1.2d97c7f3321d2p+1", "0x1.a79394c9e8a0ap-54"),
    ),
}
"""φ, π/2 - φ, π/2 + φ and π - φ for each φ: the nearest double, and that nearest to the rest."""
_ODD: Final = (  # fdlibm 5.3 s_atan.c: aT[0], aT[2], ...
    3.33333333333329318027e-01, 1.42857142725034663711e-01, 9.09088713343650656196e-02,
    6.66107313738753120669e-02, 4.97687799461593236017e-02, 1.62858201153657823623e-02,
)  # fmt: skip
_EVEN: Final = (  # aT[1], aT[3], ...
    -1.99999999998764832476e-01, -1.11111104054623557880e-01, -7.69187620504482999495e-02,
    -5.83357013379057348645e-02, -3.65315727442169155270e-02,
)  # fmt: skip


def atan2_callees(width: int) -> tuple[str, ...]:
    """Return the declarations that ``atan2_ir`` needs besides those of ``sincos_ir``."""
    types = WideTypes(width)
    f, m = types.real, types.suffix
    return (
        "declare double @atan2(double, double)",
        f"declare {f} @llvm.copysign.{m}({f}, {f})",
    )


def atan2_declaration(width: int) -> str:
    """Return the declaration of the function that ``atan2_ir`` defines."""
    f = WideTypes(width).real
    return f"declare fastcc {f} @poinsot.atan2.v{width}({f}, {f}) nounwind memory(none)"


def atan2_ir(width: int) -> str:
    """Return LLVM IR that defines ``@poinsot.atan2.vW`` of two vectors, y first.

    On the fast path the largest error seen in 10 million points is 1.46 units in the last place,
    where the quotient is above a power of two and the angle below; elsewhere it is that of the C
    library.

    Args:
        width: Number of lanes, two or more.
    """
    types = WideTypes(width)
    return _fast(types) + _slow(types)


def _fast(types: WideTypes) -> str:
    f, number, fma, bit = types.real, types.number, types.fma, types.bit
    lines = [
        f"%ay = call {f} @llvm.fabs.{types.suffix}({f} %y)",
        f"%ax = call {f} @llvm.fabs.{types.suffix}({f} %x)",
        f"%steep = fcmp ogt {f} %ay, %ax",
        f"%n = select {bit} %steep, {f} %ax, {f} %ay",
        f"%d = select {bit} %steep, {f} %ay, {f} %ax",
        f"%nn = fadd {f} %n, %n",
        f"%dd = fadd {f} %d, %d",
        f"%low = fmul {f} %d, {number(7 / 16)}",
        f"%high = fmul {f} %d, {number(11 / 16)}",
        f"%some = fcmp oge {f} %n, %low",
        f"%most = fcmp oge {f} %n, %high",
        # Differences are exact: both numbers are less than twice as large as each other.
        f"%n2 = select {bit} %most, {f} %n, {f} %nn",
        f"%d2 = select {bit} %most, {f} %d, {f} %dd",
        f"%less = fsub {f} %n2, %d",
        f"%more = fadd {f} %d2, %n",
        f"%above = select {bit} %some, {f} %less, {f} %n",
        f"%below = select {bit} %some, {f} %more, {f} %d",
        f"%t = fdiv {f} %above, %below",
        f"%z = fmul {f} %t, %t",
        f"%w = fmul {f} %z, %z",
        *_horner("odd", _ODD, types),
        *_horner("even", _EVEN, types),
        f"%s2 = fmul {f} %w, %even",
        f"%s = {fma('%z', '%odd', '%s2')}",
        # Angles fall with n / d where just one of the two is so.
        f"%left = fcmp olt {f} %x, {number(0.0)}",
        f"%back = xor {bit} %steep, %left",
        f"%minus = fneg {f} %t",
        f"%u = select {bit} %back, {f} %minus, {f} %t",
        *_turn("hi", 0, types),
        *_turn("lo", 1, types),
        f"%rest = fneg {f} %lo",
        f"%us = {fma('%u', '%s', '%rest')}",
        f"%du = fsub {f} %us, %u",
        f"%r = fsub {f} %hi, %du",
        f"%angle = call {f} @llvm.copysign.{types.suffix}({f} %r, {f} %y)",
        f"%tiny = fcmp ult {f} %d, {number(LEAST)}",
        f"%huge = fcmp ugt {f} %d, {number(MOST)}",
        f"%odd.lanes = or {bit} %tiny, %huge",
        f"%any = call i1 @llvm.vector.reduce.or.v{types.width}i1({bit} %odd.lanes)",
        'br i1 %any, label %slow, label %fast, !prof !{!"branch_weights", i32 1, i32 1048575}',
    ]
    body = "\n".join(f"  {line}" for line in lines)
    name = f"@poinsot.atan2.slow.v{types.width}"
    return f"""\
define fastcc {f} @poinsot.atan2.v{types.width}({f} %y, {f} %x)
    noinline nounwind memory(none) {{
entry:
{body}
fast:
  ret {f} %angle
slow:
  %g = tail call fastcc {f} {name}({f} %y, {f} %x, {f} %angle, {bit} %odd.lanes)
  ret {f} %g
}}
"""


def _horner(name: str, coefficients: tuple[float, ...], types: WideTypes) -> list[str]:
    """Return the polynomial in %w, lowest coefficient first; its value is ``%{name}``."""
    lines, last = [], types.number(coefficients[-1])
    for k, c in reversed(list(enumerate(coefficients[:-1]))):
        value = f"%{name}" if k == 0 else f"%{name}{k}"
        lines.append(f"{value} = {types.fma('%w', last, types.number(c))}")
        last = value
    return lines


def _turn(name: str, digits: int, types: WideTypes) -> list[str]:
    """Return what is added to ± atan t, by octant and interval: its leading part, or the rest."""
    f, bit, lines = types.real, types.bit, list[str]()
    for where, angles in _TURNS.items():
        zero, half, unity = (types.number(float.fromhex(pair[digits])) for pair in angles)
        lines += [
            f"%{name}.{where}.some = select {bit} %most, {f} {unity}, {f} {half}",
            f"%{name}.{where} = select {bit} %some, {f} %{name}.{where}.some, {f} {zero}",
        ]
    return [
        *lines,
        f"%{name}.steep = select {bit} %left, {f} %{name}.upleft, {f} %{name}.up",
        f"%{name}.flat = select {bit} %left, {f} %{name}.left, {f} %{name}.right",
        f"%{name} = select {bit} %steep, {f} %{name}.steep, {f} %{name}.flat",
    ]


def _slow(types: WideTypes) -> str:
    f, width = types.real, types.width
    return f"""\
define internal fastcc {f} @poinsot.atan2.slow.v{width}({f} %y, {f} %x, {f} %r, {types.bit} %odd)
    noinline cold nounwind memory(none) {{
entry:
  %ys = alloca {f}
  %xs = alloca {f}
  %rs = alloca {f}
  %odds = alloca <{width} x i8>
  %bytes = zext {types.bit} %odd to <{width} x i8>
  store {f} %y, ptr %ys
  store {f} %x, ptr %xs
  store {f} %r, ptr %rs
  store <{width} x i8> %bytes, ptr %odds
  br label %lane
lane:
  %k = phi i64 [ 0, %entry ], [ %next, %done ]
  %op = getelementptr i8, ptr %odds, i64 %k
  %ok = load i8, ptr %op
  %is = icmp ne i8 %ok, 0
  br i1 %is, label %libm, label %done
libm:
  %yp = getelementptr double, ptr %ys, i64 %k
  %yk = load double, ptr %yp
  %xp = getelementptr double, ptr %xs, i64 %k
  %xk = load double, ptr %xp
  %a = call double @atan2(double %yk, double %xk) nobuiltin nounwind memory(none)
  %rp = getelementptr double, ptr %rs, i64 %k
  store double %a, ptr %rp
  br label %done
done:
  %next = add i64 %k, 1
  %more = icmp ult i64 %next, {width}
  br i1 %more, label %lane, label %exit
exit:
  %rr = load {f}, ptr %rs
  ret {f} %rr
}}
"""
