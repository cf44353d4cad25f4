"""The next step after an accepted or a rejected one, by its error, and the first, as LLVM IR text.

    h_new = h safety last_errorᵇ / errorᵃ,      within bounds

As in DOPRI5 and DOP853 [HNW, section II.4; HNW2, section IV.2].
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping.control_writer import ControlWriter, VectorWriter
from poinsot.simulation.stepping.error_estimate import error_scale, root_mean_square
from poinsot.simulation.stepping.integrators.integrator import StepControl

SAFETY = 0.9
"""Part of the step that the error would allow."""
FIRST_FACTOR = 100.0
"""The second step is at most so many times the first, which is a cautious guess."""
LEAST_ERROR = 1e-4
"""The last error counts as at least this in step control."""
RETREAT = 0.1
"""Part of the step to try next when one gave NaN."""
SMALL = 1e-5
"""Norm of the state or of its rate below which their ratio is meaningless."""
SHORT = 1e-6
"""First step to try then [s]."""
STILL = 1e-15
"""Norm below which derivatives are numerically zero."""


def next_step(w: ControlWriter, error: Value, control: StepControl) -> None:
    """Write: h is divided by error**alpha / last_error**beta / safety, within bounds."""
    h = w.get("h")
    divisor = error**control.alpha
    if control.beta:
        divisor = divisor / w.get("last_error") ** control.beta
    divisor = (divisor * (1.0 / SAFETY)).at_most(1.0 / control.least_factor)
    is_first = w.get("accepted").equals(1)
    least = is_first.choose(1.0 / FIRST_FACTOR, 1.0 / control.most_factor)
    new = h / divisor.at_least(least)
    w.set("h", w.get("just_rejected").differs(0).choose(new.at_most(h), new))
    w.set("last_error", error.at_least(LEAST_ERROR))


def functions(control: StepControl, order: int, layout: Layout) -> list[str]:
    """Return ``@reject(c, error)``, ``double @first_step(c)`` and what they call.

    Args:
        control: Of the integrator.
        order: Its order.
        layout: How vectors lie in registers.
    """
    vectors = _forward(layout), _change(layout), _scaled_norm(layout)
    return [_reject(control, layout), *vectors, _first_step(order, layout)]


def _reject(control: StepControl, layout: Layout) -> str:
    """Return ``@reject(c, error)``: a smaller step, far smaller where the error is NaN."""
    w = ControlWriter(layout)
    h, error = w.get("h"), w.value("%error")
    divisor = (error**control.alpha * (1.0 / SAFETY)).at_most(1.0 / control.least_factor)
    is_number = error < float("inf")
    w.set("h", is_number.choose(h / divisor, h * RETREAT))
    w.set("not_finite", is_number.choose(0, 1))
    w.set("just_rejected", 1)
    w.count("rejected")
    return w.define("reject", "double %error")


def _first_step(order: int, layout: Layout) -> str:
    """Return ``double @first_step(c)``: a step whose error will be small.

    It leaves the derivative at y in k[0] [HNW, section II.4, starting step size].
    """
    w = ControlWriter(layout)
    t = w.get("t")
    rest = w.get("t_end") - t
    w.do("start")
    w.set_time(t)
    w.do("derivative", 0)
    w.set("started", 1)
    state, rate = (w.ask("double", "scaled_norm", w.get(name)) for name in ("y", "k"))
    short = (state.at_most(rate) < SMALL).choose(SHORT, 0.01 * (state / rate))
    h = (short > rest).choose(rest, short)
    w.do("forward", h)
    w.set_time(t + h)
    w.do("derivative", 1)
    w.do("change")
    bend = w.ask("double", "scaled_norm", w.get("x")) / h
    w.leave_if(_is_finite(rate + bend), "finite", otherwise="lost")
    w.give(_is_finite(rate).choose(h, rest))  # the integrator will find out where
    w.block("finite")
    most = rate.at_least(bend)
    w.enter_if(most <= STILL, "still", otherwise="moving")
    w.give((h * 1e-3).at_least(SHORT))
    w.block("moving")
    fair = (0.01 / most) ** (1.0 / order)
    return w.returning(fair.at_most(h * 100.0), "first_step")


def _forward(layout: Layout) -> str:
    """Return ``@forward(c, h)``: x = y + h k[0]."""
    w = VectorWriter(layout)
    y, x, k, h = w.get("y"), w.get("x"), w.get("k"), w.splat(w.value("%h"))
    with w.over():
        w.store(w.load(y) + h * w.load(k), x)
    return w.define("forward", "double %h")


def _change(layout: Layout) -> str:
    """Return ``@change(c)``: x = k[1] - k[0]."""
    w = VectorWriter(layout)
    x, k = w.get("x"), w.get("k")
    later = w.vector(k, 1)
    with w.over():
        w.store(w.load(later) - w.load(k), x)
    return w.define("change")


def _scaled_norm(layout: Layout) -> str:
    """Return ``double @scaled_norm(c, vector)``: its norm, scaled as errors at y are."""
    w = VectorWriter(layout)
    y, scale = w.get("y"), error_scale(w)
    with w.over(sums=1) as sums:
        now = w.load(y)
        ratio = w.load("%vector") / scale(now, now)
        sums[0] = sums[0] + ratio * ratio
    return w.returning(root_mean_square(w, sums[0]), "scaled_norm", "ptr %vector")


def _is_finite(value: Value) -> Value:
    return abs(value) < float("inf")
