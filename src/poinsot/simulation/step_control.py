"""The next step after an accepted or a rejected one, by its error, as LLVM IR text.

    h_new = h safety last_errorᵇ / errorᵃ,      within bounds

As in DOPRI5 and DOP853 [HNW, section II.4; HNW2, section IV.2].
"""

from __future__ import annotations

from poinsot.kernels.llvm.types import double
from poinsot.simulation.integrators.integrator import StepControl
from poinsot.simulation.ir_value import Value
from poinsot.simulation.ir_writer import IrWriter

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
