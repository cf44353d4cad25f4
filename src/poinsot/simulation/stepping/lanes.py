"""Many runs with a fixed step, one in each lane, as LLVM IR text: what concerns individual runs.

Vectors hold the entries of [q, v] in order, W runs of each; so the functions of ``stepper.py`` and
of the integrator work on them as they are, and take W runs through one block of steps.

    lose       runs with NaN, or that would jump, fail individually; the others continue
    store      rows are written to the arrays of the runs as soon as they are known
    load       the next W runs; lanes for which none is left repeat the last one
    run        block after block

It returns when all its runs are done, when a block is done in which some have failed, and when the
stop flag is set.
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout
from poinsot.kernels.llvm.types import double
from poinsot.simulation.stepping.control import LoopSignal
from poinsot.simulation.stepping.control_writer import ControlWriter, VectorWriter


def functions(layout: Layout) -> list[str]:
    """Return ``i64 @run(c)``, and what it and ``@block(c)`` call."""
    return [_lose(layout), _store(layout), _spread(layout), _load(layout), _run(layout)]


def is_asked_to_stop(w: ControlWriter) -> Value:
    """Write whether the stop flag is set."""
    return w.put(f"load volatile i64, ptr {w.get('asked')}").differs(0)


def fail_beyond(w: ControlWriter, sizes: Value, limit: float, why: LoopSignal) -> Value:
    """Write: runs whose size is beyond a limit, or NaN, fail; return whether some have not."""
    return w.ask("i1", "lose", sizes, w.value(double(limit)), int(why))


def _lose(layout: Layout) -> str:
    """Return ``i1 @lose(c, sizes, limit, why)``: fail runs whose size is not within the limit.

    Of those that had not failed before, the time, the state y there, the end x of the step and the
    cause are kept.  A failed run is reset to its start, so that its numbers stay finite; they are
    not used.  Returns whether some run has not failed.
    """
    w = VectorWriter(layout)
    real, whole = layout.real, f"<{layout.width} x i64>"
    sizes, limit, why = w.value("%sizes", real), w.value("%limit"), w.number("%why")
    causes, times = w.get("lost_why"), w.get("lost_t")
    cause = w.put(f"load {whole}, ptr {causes}")
    bad = sizes.exceeds(w.splat(limit))
    with w.where(w.any(bad), "found", "done"):
        new = bad & cause.equals(0)
        w.line(f"store {whole} {new.choose(w.splat(why), cause)}, ptr {causes}")
        before, now = w.put(f"load {real}, ptr {times}"), w.splat(w.get("t"))
        w.line(f"store {real} {new.choose(now, before)}, ptr {times}")
        y, x, fresh = w.get("y"), w.get("x"), w.get("fresh")
        last, end = w.get("lost_y"), w.get("lost_x")
        with w.over():
            for goal, chosen, source in ((last, new, y), (end, new, x), (x, bad, fresh)):
                w.store(chosen.choose(w.load(source), w.load(goal)), goal)
    left = w.put(f"load {whole}, ptr {causes}").equals(0)
    return w.returning(w.any(left), "lose", f"{real} %sizes", "double %limit", "i64 %why")


def _store(layout: Layout) -> str:
    """Return ``@store(c)``: the rows that were made go to the arrays of the runs.

    Run r of the block has its row i at out_q + r stride_q + i nq, and likewise for v.
    """
    w = ControlWriter(layout)
    rows, n_runs, first = w.get("count"), w.get("n_runs"), w.get("out_row")
    source, width = w.get("row_y"), w.get("width")
    sizes = w.get("nq"), w.get("n") - w.get("nq")  # further states are stored with v
    arrays = [
        [w.get(f"out_{name}"), w.get(f"stride_{name}"), size]
        for name, size in zip("qv", sizes, strict=True)
    ]
    i, r = w.number("%i"), w.number("%r")
    with w.loop("i", 0, rows), w.loop("r", 0, n_runs):
        entry = w.address(source, i * width + r)
        for name, (out, stride, size) in zip("qv", arrays, strict=True):
            goal, k = w.address(out, r * stride + (first + i) * size), w.number(f"%{name}")
            with w.loop(name, 0, size):
                w.write(w.read(entry, k * layout.width), goal, k)
            entry = w.address(entry, size * layout.width)
    w.set("out_row", first + rows)
    w.set("count", 0)
    return w.define("store")


def _spread(layout: Layout) -> str:
    """Return ``@spread(c, rows, goal, size)``: a row of each of W runs, from ``first`` on."""
    w = ControlWriter(layout)
    first, last = w.get("first"), w.get("total") - 1
    r, k, size = (w.number(name) for name in ("%r", "%k", "%size"))
    with w.loop("r", 0, layout.width):
        row = w.address("%rows", (first + r).at_most(last) * size)
        with w.loop("k", 0, size):
            w.write(w.read(row, k), "%goal", k * layout.width + r)
    return w.define("spread", "ptr %rows", "ptr %goal", "i64 %size")


def _load(layout: Layout) -> str:
    """Return ``@load(c)``: all that the runs from ``first`` on need, at their start."""
    w = ControlWriter(layout)
    table = w.get("spread")
    with w.loop("i", 0, w.get("n_spread")):
        entry = w.address(table, "%i", "[3 x i64]")
        rows, goal, size = (w.read(entry, k, kind) for k, kind in enumerate(("ptr", "ptr", "i64")))
        w.do("spread", rows, goal, size)
    for field in ("started", "accepted", "fixed_steps", "has_dense", "count"):
        w.set(field, 0)
    w.set("t", w.get("t_first"))
    w.set("h", w.get("h_equal"))
    w.set("next_time", w.get("n_known"))
    w.set("out_row", w.get("n_known"))
    w.line(f"store <{layout.width} x i64> zeroinitializer, ptr {w.get('lost_why')}")
    first = w.get("first")
    w.set("n_runs", (w.get("total") - first).at_most(layout.width))
    for name in ("q", "v"):
        skip = first * w.get(f"stride_{name}")
        w.set(f"out_{name}", w.address(w.get(f"all_{name}"), skip))
    w.set("loaded", 1)
    return w.define("load")


def _run(layout: Layout) -> str:
    """Return ``i64 @run(c)``: the runs from ``first`` to ``past``, W at a time."""
    w = ControlWriter(layout)
    w.label("next")
    w.enter_if(w.get("first") < w.get("past"), "block", otherwise="finished")
    w.leave_if(w.get("loaded").differs(0), "go", otherwise="load")
    w.do("load")
    w.label("go")
    signal = w.ask("i64", "block")
    w.leave_if(signal.equals(int(LoopSignal.PAUSED)), "paused", otherwise="check")
    why = w.put(f"load <{layout.width} x i64>, ptr {w.get('lost_why')}")
    w.leave_if(w.any(why.differs(0)), "lost", otherwise="advance")
    w.set("first", w.get("first") + layout.width)
    w.set("loaded", 0)
    w.go("next")
    for name in ("paused", "lost"):
        w.block(name)
        w.give(int(LoopSignal[name.upper()]))
    w.block("finished")
    return w.returning(w.number(str(int(LoopSignal.FINISHED))), "run")
