"""Sampled states at the end of a step, as LLVM IR text."""

from __future__ import annotations

from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.simulation.laws.signals import GAP
from poinsot.simulation.stepping.control_writer import ControlWriter


def function(layout: Layout) -> str:
    """Return ``@update_states(c)``: further states after the break that was passed last, in y.

    Laws are evaluated before, so that joint forces are those of the state.  A row that was stored
    at this time becomes the state after.
    """
    w = ControlWriter(layout)
    w.do("start")
    w.set_time(w.get("t"))
    w.do("derivative", 0)
    n_clocks, number = w.get("n_clocks"), w.get("next_break") - 1
    w.copy(w.get("due"), w.address(w.get("due_rows"), number * n_clocks), n_clocks)
    w.call(w.get("sampling"))
    behind = w.get("nq") + w.get("nv")
    further = w.address(w.get("y"), behind)
    w.copy(further, w.get("sampled"), w.get("n") - behind)
    w.set("started", 0)
    with w.where(w.get("count") > 0, "rows", "done"):
        last = w.get("count") - 1
        t = w.get("t")
        near = abs(t - w.read(w.get("row_t"), last)) <= (abs(t) + 1.0) * GAP
        with w.where(near, "here", "before"):
            w.copy(w.address(w.get("row_y"), last * w.get("width")), w.get("y"), w.get("n"))
    return w.define("update_states")
