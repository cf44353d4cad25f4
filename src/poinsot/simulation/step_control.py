"""The next step after an accepted or a rejected one, by its error, as LLVM IR text.

    h_new = h safety last_errorᵇ / errorᵃ,      within bounds

As in DOPRI5 and DOP853 [HNW, section II.4; HNW2, section IV.2].
"""

from __future__ import annotations

from poinsot.kernels.llvm.types import double
from poinsot.simulation.integrators.integrator import StepControl
from poinsot.simulation.ir_writer import IrWriter

SAFETY = 0.9
"""Part of the step that the error would allow."""
FIRST_FACTOR = 100.0
"""The second step is at most so many times the first, which is a cautious guess."""
LEAST_ERROR = 1e-4
"""The last error counts as at least this in step control."""
RETREAT = 0.1
"""Part of the step to try next when one gave NaN."""


def next_step(w: IrWriter, error: str, control: StepControl) -> None:
    """Write: h is divided by error**alpha / last_error**beta / safety, within bounds."""
    h = w.get("h")
    divisor = w.power(error, control.alpha)
    if control.beta:
        divisor = w.binary("fdiv", divisor, w.power(w.get("last_error"), control.beta))
    divisor = w.binary("fmul", divisor, double(1.0 / SAFETY))
    divisor = w.smaller(divisor, double(1.0 / control.least_factor))
    first = w.put(f"icmp eq i64 {w.get('accepted')}, 1")
    least = double(1.0 / FIRST_FACTOR), double(1.0 / control.most_factor)
    bound = w.put(f"select i1 {first}, double {least[0]}, double {least[1]}")
    divisor = w.larger(divisor, bound)
    new = w.binary("fdiv", h, divisor)
    after_rejection = w.put(f"icmp ne i64 {w.get('just_rejected')}, 0")
    w.set("h", w.put(f"select i1 {after_rejection}, double {w.smaller(new, h)}, double {new}"))
    w.set("last_error", w.larger(error, double(LEAST_ERROR)))


def reject(control: StepControl, lanes: int) -> str:
    """Return ``@reject(c, error)``: a smaller step, far smaller where the error is NaN."""
    w = IrWriter(lanes)
    h = w.get("h")
    divisor = w.power("%error", control.alpha)
    divisor = w.binary("fmul", divisor, double(1.0 / SAFETY))
    divisor = w.smaller(divisor, double(1.0 / control.least_factor))
    is_number = w.put(f"fcmp olt double %error, {double(float('inf'))}")
    smaller, far = w.binary("fdiv", h, divisor), w.binary("fmul", h, double(RETREAT))
    w.set("h", w.put(f"select i1 {is_number}, double {smaller}, double {far}"))
    w.set("not_finite", w.put(f"select i1 {is_number}, i64 0, i64 1"))
    w.set("just_rejected", "1")
    w.count("rejected")
    w.line("ret void")
    return w.function("internal fastcc void @reject(ptr %c, double %error)")
