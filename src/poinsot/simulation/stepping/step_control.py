"""The next step after an accepted or a rejected one, by its error, as LLVM IR text.

    h_new = h safety last_errorᵇ / errorᵃ,      within bounds

As in DOPRI5 and DOP853 [HNW, section II.4; HNW2, section IV.2].
"""

from __future__ import annotations

from poinsot.kernels.llvm.types import double
from poinsot.simulation.stepping import vectors
from poinsot.simulation.stepping.integrators.integrator import StepControl
from poinsot.simulation.stepping.ir_value import Value
from poinsot.simulation.stepping.ir_writer import IrWriter

__all__ = ["functions"]

SAFETY = 0.9
"""Part of the step that the error would allow."""
FIRST_FACTOR = 100.0
"""The second step is at most so many times the first, which is a cautious guess."""
LEAST_ERROR = 1e-4
"""The last error counts as at least this in step control."""
RETREAT = 0.1
"""Part of the step to try next when one gave NaN."""


def next_step(w: IrWriter, error: Value, control: StepControl) -> None:
    """Write: h is divided by error**alpha / last_error**beta / safety, within bounds."""
    h = w.get("h")
    divisor = error**control.alpha
    if control.beta:
        divisor = divisor / w.get("last_error") ** control.beta
    divisor = (divisor * (1.0 / SAFETY)).at_most(1.0 / control.least_factor)
    is_first, least = w.get("accepted").equals(1), w.value(double(1.0 / FIRST_FACTOR))
    new = h / divisor.at_least(is_first.choose(least, 1.0 / control.most_factor))
    after_rejection = w.get("just_rejected").differs(0)
    w.set("h", after_rejection.choose(new.at_most(h), new))
    w.set("last_error", error.at_least(LEAST_ERROR))


def reject(control: StepControl, lanes: int) -> str:
    """Return ``@reject(c, error)``: a smaller step, far smaller where the error is NaN."""
    w = IrWriter(lanes)
    h, error = w.get("h"), w.value("%error")
    divisor = (error**control.alpha * (1.0 / SAFETY)).at_most(1.0 / control.least_factor)
    is_number = error < float("inf")
    w.set("h", is_number.choose(h / divisor, h * RETREAT))
    w.set("not_finite", w.put(f"select i1 {is_number}, i64 0, i64 1"))
    w.set("just_rejected", "1")
    w.count("rejected")
    w.line("ret void")
    return w.function("internal fastcc void @reject(ptr %c, double %error)")


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
    rest = w.get("t_end") - t
    w.line("call fastcc void @start(ptr %c)")
    w.set("t_stage", t)
    w.line("call void @derivative(ptr %c, i64 0)")
    w.set("started", "1")
    sizes = w.put("call fastcc { double, double } @sizes(ptr %c)")
    state, rate = (w.put(f"extractvalue {{ double, double }} {sizes}, {k}") for k in range(2))
    small = state.at_most(rate) < SMALL
    ratio = 0.01 * (state / rate)
    short = small.choose(SHORT, ratio)
    within = short > rest
    h = within.choose(rest, short)
    w.line(f"call fastcc void @forward(ptr %c, double {h})")
    w.set("t_stage", t + h)
    w.line("call void @derivative(ptr %c, i64 1)")
    bend = (w.put("call fastcc double @change(ptr %c)")) / h
    w.branch(_is_finite(rate + bend), "finite", "lost")
    w.block("lost")  # the integrator will find out where
    w.line(f"ret double {w.put(f'select i1 {_is_finite(rate)}, double {h}, double {rest}')}")
    w.block("finite")
    most = rate.at_least(bend)
    w.branch(most <= STILL, "still", "moving")
    w.block("still")
    w.line(f"ret double {(h * (1e-3)).at_least(SHORT)}")
    w.block("moving")
    fair = (0.01 / most) ** (1.0 / order)
    w.line(f"ret double {fair.at_most(h * 100.0)}")
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


def _norm(w: IrWriter, total: str) -> Value:
    return (w.value(total) / w.get("n").to_double()).sqrt()


def _is_finite(value: Value) -> Value:
    return abs(value) < float("inf")
