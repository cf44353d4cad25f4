"""Friction in one point that does not slip, as LLVM IR text (``impacts/slip_onset.py``).

It holds where -K_tt⁺ K_tn is within the disc of radius μ; else slip begins in the direction s with

    (μ K_tt + λ 1) s = K_tn,      |s| = 1,      λ > 0

by Newton's method for 1 / |s(λ)| = 1, which is concave: from the left it does not go too far.
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.stepping.contact_arrays import array
from poinsot.simulation.stepping.contact_slip import TINY, length
from poinsot.simulation.stepping.control_writer import ControlWriter

REGULAR = 1e-12
"""Determinant of K_tt, relative to the product of its diagonal, up to which its rank is one."""
STUCK = 1e-12
"""Part of μ by which friction that holds may be larger, by rounding."""
STEPS = 50
"""Steps of Newton's method, at most."""
CLOSE = 1e-15
"""Change of λ, relative to it, which ends them."""


def function(layout: Layout) -> str:
    """Return ``@friction_from_rest(c, friction)``: it by the normal impulse, in ``rubbing``."""
    w = ControlWriter(layout)
    K, rubbing, friction = array(w, "K"), array(w, "rubbing"), w.value("%friction")
    b = [w.read(K, 3), w.read(K, 6)]
    xx, xy, yy = w.read(K, 4), w.read(K, 5), w.read(K, 8)
    determinant, trace = xx * yy - xy * xy, xx + yy
    is_regular = determinant > REGULAR * (xx * yy)
    size = (trace * trace).at_least(TINY)  # of rank one, as in plane motion: K⁺ = K / trace²
    inverse = (xy * b[1] - yy * b[0]) / determinant, (xy * b[0] - xx * b[1]) / determinant
    plane = -((xx * b[0] + xy * b[1]) / size), -((xy * b[0] + yy * b[1]) / size)
    holding = [is_regular.choose(*pair) for pair in zip(inverse, plane, strict=True)]
    with w.when(length(*holding) <= friction * (1.0 + STUCK)):
        for k, value in enumerate(holding):
            w.write(value, rubbing, k)
        w.line("ret void")
        w.block("slips")
    spread = xx - yy
    largest = 0.5 * (trace + (spread * spread + 4.0 * (xy * xy)).sqrt())
    least = length(*b) - friction * largest
    root = w.variable(least.at_least(REGULAR * REGULAR * friction * largest))
    with w.loop("step", 0, STEPS):
        add = root.value
        p, q, r = friction * xx + add, friction * xy, friction * yy + add
        det = p * r - q * q
        s = [(r * b[0] - q * b[1]) / det, (p * b[1] - q * b[0]) / det]
        far = length(*s)
        for k, x in enumerate(s):
            w.write(-(friction * (x / far)), rubbing, k)
        # d|s|/dλ = -s (μ K_tt + λ)⁻¹ s / |s|
        fall = (r * s[0] * s[0] - 2.0 * (q * s[0] * s[1]) + p * s[1] * s[1]) / det
        change = (far - 1.0) * (far * far) / fall
        root.value = add + change
        w.leave_if(~(change > CLOSE * add), "found", otherwise="not.yet")
    w.go("found")
    w.block("found")
    return w.define("friction_from_rest", "double %friction")
