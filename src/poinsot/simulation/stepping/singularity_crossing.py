"""Steps across kinematic singularities of closed systems, where branches of the motion meet.

The conditioning ``clear`` of the rows of the constraints falls to 0 there, about linearly in time,
and rises again behind.  The motion is smooth, but ever fewer digits keep it on its branch: rounding
of 1e-16 becomes 1e-16 / clear in positions, 1e-16 / clear² in velocities, 1e-16 / clear³ in
accelerations; and states that are off the constraints, as stages of a step are by its error, have
accelerations that are off by that error / clear.  Smaller steps come nearer to the singularity and
make it worse.  So near it

- every stage is projected onto the constraints before its derivative is evaluated (``careful``);
- a step ends early enough for the next one to have the singularity in the widest gap between its
  stages;
- the error is projected too: only errors along allowed motions count (``@error_along`` of the
  integrator);
- no step ends where hardly any digit is left.

Other steps are as they were.
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping.control_writer import ControlWriter

NEAR = 0.3
"""Conditioning relative to the best so far below which a singularity is near.

Measured in steps of regular motions of linkages of the library, the least is 0.45.
"""
FAR = 10.0
"""Steps from the singularity, as extrapolated, within which steps are careful."""
ROOM = 0.9
"""Part of the way to the widest gap that is left for the step across the singularity."""
LEAST_CLEAR = 1e-5
"""Conditioning relative to the best so far below which no step may end: velocities would have lost
too many digits."""
LEAST_PART = 0.1
"""Part of the usual step below which a step is not shortened for that."""


def plan(gap: float, layout: Layout) -> str:
    """Return ``@plan(c)``: whether to be careful, and a step with the singularity in the gap.

    Args:
        gap: Midpoint of the widest gap between stages, part of a step.
        layout: How vectors lie in registers.
    """
    w = ControlWriter(layout)
    w.set("h_usual", 0.0)
    w.set("careful", 1)
    w.leave_if(w.get("caution").differs(0), "done", otherwise="look")
    h, clear, before = (w.get(name) for name in ("h", "clear", "clear_last"))
    is_known, near = before > 0.0, is_near(w, "clear")
    fall = (before - clear) / w.get("h_last")
    distance = clear / fall
    careful = (is_known & near) & (abs(distance) < h * FAR)
    w.set("careful", careful.to_whole())
    w.enter_if(careful & (distance > 0.0), "ahead", otherwise="done")
    over = distance / gap
    short = distance - h * (ROOM * gap)
    chosen = (over <= h).choose(over, short).at_most(h)
    w.enter_if((chosen >= h * LEAST_PART) & (chosen < h), "shorten", otherwise="done")
    w.set("h_usual", h)
    w.set("h", chosen)
    w.label("done")
    return w.define("plan")


def is_near(w: ControlWriter, clear: str) -> Value:
    """Write whether a singularity is near; false for trees."""
    low = w.get("clear_most") * NEAR
    return w.get(clear) < low


def is_well_conditioned(w: ControlWriter) -> Value:
    """Write whether a step may end where it does; true for trees."""
    least = w.get("clear_most") * LEAST_CLEAR
    return w.get("clear_new") >= least


def record_conditioning(w: ControlWriter) -> None:
    """Write the update of the conditioning after an accepted step; ``clear_new`` is at its end."""
    clear = w.get("clear_new")
    w.set("clear_last", w.get("clear"))
    w.set("clear", clear)
    w.set("clear_most", w.get("clear_most").at_least(clear))
    w.set("h_last", w.get("h"))


def restore_usual_step(w: ControlWriter) -> None:
    """Write: the next step is no shorter than before it was shortened for a singularity."""
    w.set("h", w.get("h").at_least(w.get("h_usual")))
