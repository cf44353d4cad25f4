"""Projection of states onto the constraints, and normalisation of quaternions, as LLVM IR text."""

from __future__ import annotations

from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.kernels.llvm.types import Lanes
from poinsot.simulation.stepping.control_writer import ControlWriter, VectorWriter
from poinsot.simulation.stepping.error_estimate import root_mean_square
from poinsot.simulation.stepping.singularity_crossing import is_near

PROJECTIONS = 2
"""Newton steps that project the end of each step, and each stored state, onto the constraints.

One squares the distance, which after a step is about its error; the second is for coarse steps.
"""


def functions(layout: Layout) -> list[str]:
    """Return ``@project(c)``, ``@normalise(c, y)`` and what they call."""
    return [_normalise(layout), _add_shift(layout), _constrain(layout), _project(layout)]


def _project(layout: Layout) -> str:
    """Return ``@project(c)``: x at time t_stage projected, quaternions normalised.

    Its distance is added up in ``shift``.  Near a singularity velocities are projected twice
    more: the last change of positions, although small, has changed their constraints, and the
    rows are ill-conditioned.
    """
    w = ControlWriter(layout)
    w.set_each("shift", 0.0)
    x, count = w.get("x"), w.get("n_projections")
    w.do("normalise", x)
    with w.loop("i", 0, count):
        w.do("constrain")
        w.do("add_shift")
        w.do("keep_projected")
        w.do("normalise", x)
    w.enter_if(is_near(w, "clear_new"), "near", otherwise="done")
    p, nq = w.get("p"), w.get("nq")
    target, source = (w.address(state, nq) for state in (x, p))
    for _ in range(2):
        w.do("constrain")
        w.copy(target, source, w.get("nv"))
    w.label("done")
    return w.define("project")


def _normalise(layout: Layout) -> str:
    """Return ``@normalise(c, y)``: normalise every quaternion of the state of each run."""
    w = ControlWriter(layout)
    starts, kind = w.get("quaternions"), layout.per_run
    with w.loop("i", 0, w.get("n_quaternions")):
        first = w.address("%y", w.read(starts, "%i", "i64"), kind)
        entries = [w.read(first, number, kind) for number in range(4)]
        total = w.value(Lanes(layout.runs).number(0.0), kind)
        for entry in entries:  # sums and products may fuse, in one run too
            square = w.put(f"fmul contract {kind} {entry}, {entry}")
            total = w.put(f"fadd contract {kind} {total}, {square}")
        length = total.sqrt()
        for number, entry in enumerate(entries):
            w.write(entry / length, first, number, kind)
    return w.define("normalise", "ptr %y")


def _constrain(layout: Layout) -> str:
    """Return ``@constrain(c)``: p = x after one Newton step towards the constraints.

    Behind q and v the kernel writes the conditioning of the rows, for ``clear_new``.  Further
    states stay as they are.
    """
    w = ControlWriter(layout)
    w.call(w.get("projection"))
    behind = w.get("nq") + w.get("nv")
    p = w.address(w.get("p"), behind, layout.per_run)
    if not layout.in_lanes:
        w.set("clear_new", w.put(f"load double, ptr {p}"))
        w.line(f"store double 0.0, ptr {p}")
    w.copy(p, w.address(w.get("x"), behind, layout.per_run), (w.get("n") - behind) * layout.runs)
    return w.define("constrain")


def _add_shift(layout: Layout) -> str:
    """Return ``@add_shift(c)``: the norm of p - x, scaled as errors are, is added to shift."""
    w = VectorWriter(layout)
    x, p = w.get("x"), w.get("p")
    rtol, atol = w.splat(w.get("rtol")), w.splat(w.get("atol"))
    with w.over(sums=1) as sums:
        before, after = w.load(x), w.load(p)
        e = (after - before) / (atol + rtol * abs(before))
        sums[0] = sums[0] + e * e
    w.set_each("shift", w.get_each("shift") + root_mean_square(w, sums[0]))
    return w.define("add_shift")
