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

from poinsot.kernels.llvm.types import double
from poinsot.simulation.ir_writer import IrWriter

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


def plan(gap: float, lanes: int) -> str:
    """Return ``@plan(c)``: whether to be careful, and a step with the singularity in the gap.

    Args:
        gap: Midpoint of the widest gap between stages, part of a step.
        lanes: Doubles in a register.
    """
    w = IrWriter(lanes)
    w.set("h_usual", double(0.0))
    w.set("careful", "1")
    w.branch(w.put(f"icmp ne i64 {w.get('caution')}, 0"), "done", "look")
    w.block("look")
    h, clear, before = (w.get(name) for name in ("h", "clear", "clear_last"))
    is_known = w.put(f"fcmp ogt double {before}, 0.0")
    near = is_near(w, "clear")
    fall = w.binary("fdiv", w.binary("fsub", before, clear), w.get("h_last"))
    distance = w.binary("fdiv", clear, fall)
    away = w.put(f"call double @llvm.fabs.f64(double {distance})")
    close = w.put(f"fcmp olt double {away}, {w.binary('fmul', h, double(FAR))}")
    careful = w.put(f"and i1 {w.put(f'and i1 {is_known}, {near}')}, {close}")
    w.set("careful", w.put(f"zext i1 {careful} to i64"))
    ahead = w.put(f"fcmp ogt double {distance}, 0.0")
    w.branch(w.put(f"and i1 {careful}, {ahead}"), "ahead", "done")
    w.block("ahead")
    over = w.binary("fdiv", distance, double(gap))
    short = w.binary("fsub", distance, w.binary("fmul", h, double(ROOM * gap)))
    reached = w.put(f"fcmp ole double {over}, {h}")
    chosen = w.smaller(w.put(f"select i1 {reached}, double {over}, double {short}"), h)
    fair = w.put(f"fcmp oge double {chosen}, {w.binary('fmul', h, double(LEAST_PART))}")
    w.branch(w.put(f"and i1 {fair}, {w.put(f'fcmp olt double {chosen}, {h}')}"), "shorten", "done")
    w.block("shorten")
    w.set("h_usual", h)
    w.set("h", chosen)
    w.line("br label %done")
    w.block("done")
    w.line("ret void")
    return w.function("internal fastcc void @plan(ptr %c)")


def is_near(w: IrWriter, clear: str) -> str:
    """Write whether a singularity is near; false for trees."""
    low = w.binary("fmul", w.get("clear_most"), double(NEAR))
    return w.put(f"fcmp olt double {w.get(clear)}, {low}")


def is_well_conditioned(w: IrWriter) -> str:
    """Write whether a step may end where it does; true for trees."""
    least = w.binary("fmul", w.get("clear_most"), double(LEAST_CLEAR))
    return w.put(f"fcmp oge double {w.get('clear_new')}, {least}")


def record_conditioning(w: IrWriter) -> None:
    """Write the update of the conditioning after an accepted step; ``clear_new`` is at its end."""
    clear = w.get("clear_new")
    w.set("clear_last", w.get("clear"))
    w.set("clear", clear)
    w.set("clear_most", w.larger(w.get("clear_most"), clear))
    w.set("h_last", w.get("h"))


def restore_usual_step(w: IrWriter) -> None:
    """Write: the next step is no shorter than before it was shortened for a singularity."""
    w.set("h", w.larger(w.get("h"), w.get("h_usual")))
