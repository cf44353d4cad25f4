"""The first step of a run, as LLVM IR text."""

from __future__ import annotations

from poinsot.kernels.llvm.types import double
from poinsot.simulation import vectors
from poinsot.simulation.ir_writer import IrWriter

__all__ = ["functions"]

SMALL = 1e-5
"""Norm of the state or of its rate below which their ratio is meaningless."""
SHORT = 1e-6
"""First step to try then [s]."""
STILL = 1e-15
"""Norm below which derivatives are numerically zero."""


def functions(order: int, lanes: int) -> list[str]:
    """Return ``double @first_step(c)``: a step whose error will be small, and what it calls.

    It leaves the derivative at y in k[0] [HNW, section II.4, starting step size].

    Args:
        order: Of the integrator.
        lanes: Doubles in a register.
    """
    return [_sizes(lanes), _forward(lanes), _change(lanes), _first_step(order, lanes)]


def _first_step(order: int, lanes: int) -> str:
    w = IrWriter(lanes)
    t = w.get("t")
    rest = w.binary("fsub", w.get("t_end"), t)
    w.line("call fastcc void @start(ptr %c)")
    w.set("t_stage", t)
    w.line("call void @derivative(ptr %c, i64 0)")
    w.set("started", "1")
    sizes = w.put("call fastcc { double, double } @sizes(ptr %c)")
    state, rate = (w.put(f"extractvalue {{ double, double }} {sizes}, {k}") for k in range(2))
    small = w.put(f"fcmp olt double {w.smaller(state, rate)}, {double(SMALL)}")
    ratio = w.binary("fmul", double(0.01), w.binary("fdiv", state, rate))
    short = w.put(f"select i1 {small}, double {double(SHORT)}, double {ratio}")
    within = w.put(f"fcmp ogt double {short}, {rest}")
    h = w.put(f"select i1 {within}, double {rest}, double {short}")
    w.line(f"call fastcc void @forward(ptr %c, double {h})")
    w.set("t_stage", w.binary("fadd", t, h))
    w.line("call void @derivative(ptr %c, i64 1)")
    bend = w.binary("fdiv", w.put("call fastcc double @change(ptr %c)"), h)
    w.branch(_is_finite(w, w.binary("fadd", rate, bend)), "finite", "lost")
    w.block("lost")  # the integrator will find out where
    w.line(f"ret double {w.put(f'select i1 {_is_finite(w, rate)}, double {h}, double {rest}')}")
    w.block("finite")
    most = w.larger(rate, bend)
    w.branch(w.put(f"fcmp ole double {most}, {double(STILL)}"), "still", "moving")
    w.block("still")
    w.line(f"ret double {w.larger(w.binary('fmul', h, double(1e-3)), double(SHORT))}")
    w.block("moving")
    fair = w.power(w.binary("fdiv", double(0.01), most), 1.0 / order)
    w.line(f"ret double {w.smaller(fair, w.binary('fmul', h, double(100.0)))}")
    return w.function("double @first_step(ptr %c)")


def _sizes(lanes: int) -> str:
    """Return ``@sizes(c)``: norms of y and of k[0], scaled as errors are."""
    w = vectors.vector_writer(lanes)
    y, k = w.get("y"), w.get("k")
    scale_of = vectors.error_scale(w)
    with w.over(sums=["state", "rate"]) as totals:
        now = w.load(y)
        scale = scale_of(now, now)
        for name, vector in (("state", now), ("rate", w.load(k))):
            ratio = w.arithmetic("fdiv", vector, scale)
            totals.append(w.arithmetic("fadd", f"%{name}", w.arithmetic("fmul", ratio, ratio)))
    state, rate = (_norm(w, f"%{name}.total") for name in ("state", "rate"))
    first = w.put(f"insertvalue {{ double, double }} poison, double {state}, 0")
    both = w.put(f"insertvalue {{ double, double }} {first}, double {rate}, 1")
    w.line(f"ret {{ double, double }} {both}")
    return w.function("internal fastcc { double, double } @sizes(ptr %c)")


def _forward(lanes: int) -> str:
    """Return ``@forward(c, h)``: x = y + h k[0]."""
    w = vectors.vector_writer(lanes)
    y, x, k, h = w.get("y"), w.get("x"), w.get("k"), w.splat("%h")
    with w.over():
        w.store(w.arithmetic("fadd", w.load(y), w.arithmetic("fmul", h, w.load(k))), x)
    w.line("ret void")
    return w.function("internal fastcc void @forward(ptr %c, double %h)")


def _change(lanes: int) -> str:
    """Return ``double @change(c)``: norm of k[1] - k[0], scaled as errors at y are."""
    w = vectors.vector_writer(lanes)
    y, k = w.get("y"), w.get("k")
    later, scale_of = w.vector(k, 1), vectors.error_scale(w)
    with w.over(sums=["e"]) as totals:
        now = w.load(y)
        change = w.arithmetic("fsub", w.load(later), w.load(k))
        ratio = w.arithmetic("fdiv", change, scale_of(now, now))
        totals.append(w.arithmetic("fadd", "%e", w.arithmetic("fmul", ratio, ratio)))
    w.line(f"ret double {_norm(w, '%e.total')}")
    return w.function("internal fastcc double @change(ptr %c)")


def _norm(w: IrWriter, total: str) -> str:
    mean = w.binary("fdiv", total, w.put(f"sitofp i64 {w.get('n')} to double"))
    return w.put(f"call double @llvm.sqrt.f64(double {mean})")


def _is_finite(w: IrWriter, value: str) -> str:
    size = w.put(f"call double @llvm.fabs.f64(double {value})")
    return w.put(f"fcmp olt double {size}, {double(float('inf'))}")
