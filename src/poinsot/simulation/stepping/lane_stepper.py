"""The stepper for one run in each lane, ``i64 @run(control)``: fixed steps, no error control.

Vectors hold the entries of [q, v] in order, W runs of each; so the functions of the
integrator (``integrators/integrator.py``) and of ``vectors.py`` work on them as they are.  What
differs from ``stepper.py`` concerns individual runs:

    lose       runs with NaN, or that would jump, fail individually; the others continue
    project    the distance of the projection is accumulated per run
    store      rows are written to the arrays of the runs as soon as they are known
    load       the next W runs; lanes for which none is left repeat the last one

It returns when all its runs are done, when a block is done in which some have failed, and when the
stop flag is set.
"""

from __future__ import annotations

from functools import lru_cache

from poinsot.kernels.llvm.target import Library, Target, load_library
from poinsot.kernels.llvm.types import double
from poinsot.simulation.stepping import projection, stepper, vectors
from poinsot.simulation.stepping.control import LoopSignal
from poinsot.simulation.stepping.integrators import INTEGRATORS, AbstractIntegrator
from poinsot.simulation.stepping.ir_writer import IrWriter


@lru_cache(maxsize=8)
def compiled_lanes(integrator: str) -> Library:
    """Return the machine code of an integrator with a fixed step; see ``stepper.py``."""
    target = Target.current()
    ir = module(INTEGRATORS[integrator], target.width)
    return load_library(ir, ("run", "derivative"), {}, target)


def module(integrator: AbstractIntegrator, lanes: int) -> str:
    """Return the IR text of an integrator with a fixed step."""
    real, suffix = f"<{lanes} x double>", f"v{lanes}f64"
    return "\n".join(
        [
            vectors.declarations(lanes),
            f"declare {real} @llvm.sqrt.{suffix}({real})",
            vectors.copy("start", "x", "y", lanes),
            vectors.copy("keep_end", "z", "x", lanes),
            vectors.copy("advance", "y", "z", lanes),
            vectors.copy("keep_projected", "x", "p", lanes),
            vectors.shift_derivative(integrator.end, lanes),
            vectors.store_row("store_end", "z", lanes),
            vectors.store_row("store_sample", "x", lanes),
            vectors.sample(integrator.n_dense, lanes),
            _derivative(lanes),
            projection.normalise(lanes),
            _clear_shift(lanes),
            _add_shift(lanes),
            _constrain(lanes),
            projection.project(lanes),
            *integrator.functions(lanes),
            stepper.interpolate(lanes),
            stepper.samples(lanes),
            stepper.reach(integrator, lanes),
            stepper.accept(integrator, lanes),
            _not_finite(lanes),
            _lose(lanes),
            _store(lanes),
            _block(lanes),
            _spread(lanes),
            _load(lanes),
            _run(lanes),
        ]
    )


def _derivative(lanes: int) -> str:
    """Return ``@derivative(c, stage)``: k[stage] = f(t_stage, x), with the time in all lanes."""
    w = IrWriter(lanes)
    _tell_time(w)
    stepper.call_kernels(w)
    return w.function("void @derivative(ptr %c, i64 %stage)")


def _tell_time(w: IrWriter) -> None:
    """Put the time t_stage into all lanes, where kernels read it."""
    w.line(f"store {w.lanes.real} {w.splat(w.get('t_stage'))}, ptr {w.get('t_lanes')}")


def _clear_shift(lanes: int) -> str:
    """Return ``@clear_shift(c)``."""
    w = IrWriter(lanes)
    w.line(f"store {w.lanes.real} zeroinitializer, ptr {w.get('shifts')}")
    w.line("ret void")
    return w.function("internal fastcc void @clear_shift(ptr %c)")


def _add_shift(lanes: int) -> str:
    """Return ``@add_shift(c)``: for each run, the norm of p - x, scaled as errors are, is added."""
    w = vectors.vector_writer(lanes)
    squares, shifts = vectors.shift_squares(w), w.get("shifts")
    count = w.splat(w.get("n").to_double())
    size = w.intrinsic("sqrt", w.arithmetic("fdiv", squares, count))
    before = w.put(f"load {w.lanes.real}, ptr {shifts}")
    w.line(f"store {w.lanes.real} {w.arithmetic('fadd', before, size)}, ptr {shifts}")
    w.line("ret void")
    return w.function("internal fastcc void @add_shift(ptr %c)")


def _constrain(lanes: int) -> str:
    """Return ``@constrain(c)``: p = x after one Newton step towards the constraints at t_stage."""
    w = IrWriter(lanes)
    _tell_time(w)
    w.call(w.get("projection"))
    w.line("ret void")
    return w.function("internal fastcc void @constrain(ptr %c)")


def _not_finite(lanes: int) -> str:
    """Return ``@not_finite(c)``: 0 for a run whose x is finite, NaN for others."""
    w = vectors.vector_writer(lanes)
    w.line(f"ret {w.lanes.real} {vectors.not_finite(w)}")
    return w.function(f"internal fastcc {w.lanes.real} @not_finite(ptr %c)")


def _lose(lanes: int) -> str:
    """Return ``i1 @lose(c, sizes, limit, why)``: fail runs whose size is not within the limit.

    Of those that had not failed before, the time, the state y there, the end x of the step and the
    cause are kept.  A failed run is reset to its start, so that its numbers stay finite; they are
    not used.  Returns whether some run has not failed.
    """
    w = vectors.vector_writer(lanes)
    real, bits, integers = w.lanes.real, w.lanes.bit, f"<{lanes} x i64>"
    causes, times = w.get("lost_why"), w.get("lost_t")
    why = w.put(f"load {integers}, ptr {causes}")
    bad = w.put(f"fcmp ugt {real} %sizes, {w.splat('%limit')}")
    w.branch(_any(w, bad), "found", "done")
    w.block("found")
    well = w.put(f"icmp eq {integers} {why}, zeroinitializer")
    new = w.put(f"and {bits} {bad}, {well}")
    first = w.put(f"insertelement {integers} poison, i64 %why, i32 0")
    mask = f"<{lanes} x i32> zeroinitializer"
    cause = w.put(f"shufflevector {integers} {first}, {integers} poison, {mask}")
    kept = w.put(f"select {bits} {new}, {integers} {cause}, {integers} {why}")
    w.line(f"store {integers} {kept}, ptr {causes}")
    before, now = w.put(f"load {real}, ptr {times}"), w.splat(w.get("t"))
    w.line(
        f"store {real} {w.put(f'select {bits} {new}, {real} {now}, {real} {before}')}, ptr {times}"
    )
    y, x, fresh = w.get("y"), w.get("x"), w.get("fresh")
    last, end = w.get("lost_y"), w.get("lost_x")
    with w.over():
        for goal, chosen, source in ((last, new, y), (end, new, x), (x, bad, fresh)):
            a, b = w.load(source), w.load(goal)
            w.store(w.put(f"select {bits} {chosen}, {real} {a}, {real} {b}"), goal)
    w.label("done")
    final = w.put(f"load {integers}, ptr {causes}")
    w.line(f"ret i1 {_any(w, w.put(f'icmp eq {integers} {final}, zeroinitializer'))}")
    return w.function(f"internal fastcc i1 @lose(ptr %c, {real} %sizes, double %limit, i64 %why)")


def _any(w: IrWriter, bits: str) -> str:
    """Return whether one of the bits of the lanes is set."""
    width = w.lanes.width
    return w.put(f"icmp ne i{width} {w.put(f'bitcast {w.lanes.bit} {bits} to i{width}')}, 0")


def _store(lanes: int) -> str:
    """Return ``@store(c)``: the rows that were made go to the arrays of the runs.

    Run r of the block has its row i at out_q + r stride_q + i nq, and likewise for v.
    """
    w = IrWriter(lanes)
    rows, n_runs, first = w.get("count"), w.get("n_runs"), w.get("out_row")
    source, width = w.get("row_y"), w.get("width")
    targets = [
        (w.get(f"out_{name}"), w.get(f"stride_{name}"), w.get(f"n{name}")) for name in ("q", "v")
    ]
    w.label("begin")
    w.branch(rows > 0, "row", "done")
    w.block("row")
    w.line("%i = phi i64 [ 0, %begin ], [ %i.next, %row.end ]")
    w.line("br label %lane")
    w.block("lane")
    w.line("%r = phi i64 [ 0, %row ], [ %r.next, %lane.end ]")
    offset = w.put(f"mul i64 %i, {width}")
    entry = w.put(f"add i64 {offset}, %r")
    address = w.put(f"getelementptr double, ptr {source}, i64 {entry}")
    number = w.put(f"add i64 {first}, %i")
    before = "lane"
    for name, (out, stride, size) in zip("qv", targets, strict=True):
        run = w.put(f"mul i64 %r, {stride}")
        row = number * size
        goal = w.put(f"getelementptr double, ptr {out}, i64 {w.put(f'add i64 {run}, {row}')}")
        w.line(f"br label %{name}")
        w.block(name)
        w.line(f"%k.{name} = phi i64 [ 0, %{before} ], [ %k.{name}.next, %{name} ]")
        skip = w.put(f"mul i64 %k.{name}, {lanes}")
        value = w.put(
            f"load double, ptr {w.put(f'getelementptr double, ptr {address}, i64 {skip}')}"
        )
        w.line(
            f"store double {value}, ptr {w.put(f'getelementptr double, ptr {goal}, i64 %k.{name}')}"
        )
        w.line(f"%k.{name}.next = add i64 %k.{name}, 1")
        w.branch(w.put(f"icmp slt i64 %k.{name}.next, {size}"), name, f"{name}.end")
        w.block(f"{name}.end")
        past = size * lanes
        address = w.put(f"getelementptr double, ptr {address}, i64 {past}")
        before = f"{name}.end"
    w.label("lane.end")
    w.line("%r.next = add i64 %r, 1")
    w.branch(w.put(f"icmp slt i64 %r.next, {n_runs}"), "lane", "row.end")
    w.block("row.end")
    w.line("%i.next = add i64 %i, 1")
    w.branch(w.put(f"icmp slt i64 %i.next, {rows}"), "row", "done")
    w.block("done")
    w.set("out_row", first + rows)
    w.set("count", "0")
    w.line("ret void")
    return w.function("internal fastcc void @store(ptr %c)")


def _block(lanes: int) -> str:
    """Return ``i64 @block(c)``: steps until the end, ``pause``, or until no run is left."""
    w = IrWriter(lanes)
    real = w.lanes.real
    stepper.begin(w)
    stop = w.put(f"load volatile i64, ptr {w.get('asked')}")
    w.branch(stop.differs(0), "paused", "try")
    w.block("try")
    t_new = stepper.equal_step(w)
    w.line("call fastcc void @step(ptr %c)")
    sizes = w.put(f"call fastcc {real} @not_finite(ptr %c)")
    w.put(
        f"call fastcc i1 @lose(ptr %c, {real} {sizes}, double {double(0.0)}, "
        f"i64 {int(LoopSignal.NOT_FINITE)})"
    )
    w.set("t_stage", t_new)
    w.line("call fastcc void @project(ptr %c)")
    shifts = w.put(f"load {real}, ptr {w.get('shifts')}")
    some = w.put(
        f"call fastcc i1 @lose(ptr %c, {real} {shifts}, double {double(stepper.LARGEST_SHIFT)}, "
        f"i64 {int(LoopSignal.JUMPED)})"
    )
    w.branch(some, "good", "finished")
    w.block("good")
    w.set("t_new", t_new)
    w.line("call fastcc void @reach(ptr %c)")
    w.line("call fastcc void @accept(ptr %c)")
    w.line("call fastcc void @store(ptr %c)")
    w.branch("%last", "finished", "next")
    w.block("paused")
    w.line(f"ret i64 {int(LoopSignal.PAUSED)}")
    w.block("finished")
    w.line(f"ret i64 {int(LoopSignal.FINISHED)}")
    return w.function("internal fastcc i64 @block(ptr %c)")


def _spread(lanes: int) -> str:
    """Return ``@spread(c, rows, goal, size)``: a row of each of W runs, from ``first`` on."""
    w = IrWriter(lanes)
    first, last = w.get("first"), (w.get("total") - 1)
    w.label("begin")
    w.branch(w.put("icmp sgt i64 %size, 0"), "lane", "done")
    w.block("lane")
    w.line("%r = phi i64 [ 0, %begin ], [ %r.next, %lane.end ]")
    number = w.put(f"add i64 {first}, %r")
    there = number < last
    run = there.choose(number, last)
    row = w.put(f"getelementptr double, ptr %rows, i64 {w.put(f'mul i64 {run}, %size')}")
    lane = w.put("getelementptr double, ptr %goal, i64 %r")
    w.line("br label %one")
    w.block("one")
    w.line("%k = phi i64 [ 0, %lane ], [ %k.next, %one ]")
    value = w.put(f"load double, ptr {w.put(f'getelementptr double, ptr {row}, i64 %k')}")
    skip = w.put(f"mul i64 %k, {lanes}")
    w.line(f"store double {value}, ptr {w.put(f'getelementptr double, ptr {lane}, i64 {skip}')}")
    w.line("%k.next = add i64 %k, 1")
    w.branch(w.put("icmp slt i64 %k.next, %size"), "one", "lane.end")
    w.block("lane.end")
    w.line("%r.next = add i64 %r, 1")
    w.branch(w.put(f"icmp slt i64 %r.next, {lanes}"), "lane", "done")
    w.block("done")
    w.line("ret void")
    return w.function("internal fastcc void @spread(ptr %c, ptr %rows, ptr %goal, i64 %size)")


def _load(lanes: int) -> str:
    """Return ``@load(c)``: all that the runs from ``first`` on need, at their start."""
    w = IrWriter(lanes)
    table, count = w.get("spread"), w.get("n_spread")
    w.label("begin")
    w.label("part")
    w.line("%i = phi i64 [ 0, %begin ], [ %next, %part ]")
    entry = w.put(f"getelementptr [3 x i64], ptr {table}, i64 %i")
    operands = []
    for number, kind in enumerate(("ptr", "ptr", "i64")):
        address = w.put(f"getelementptr i64, ptr {entry}, i64 {number}")
        operands.append(f"{kind} {w.put(f'load {kind}, ptr {address}')}")
    w.line(f"call fastcc void @spread(ptr %c, {', '.join(operands)})")
    w.line("%next = add i64 %i, 1")
    w.branch(w.put(f"icmp slt i64 %next, {count}"), "part", "set")
    w.block("set")
    for field in ("started", "accepted", "equal_steps", "has_dense", "count"):
        w.set(field, "0")
    w.set("t", w.get("t_first"))
    w.set("h", w.get("h_equal"))
    w.set("next_time", w.get("n_known"))
    w.set("out_row", w.get("n_known"))
    w.line(f"store <{lanes} x i64> zeroinitializer, ptr {w.get('lost_why')}")
    first = w.get("first")
    rest = w.get("total") - first
    few = rest < lanes
    w.set("n_runs", few.choose(rest, lanes))
    for name in ("q", "v"):
        skip = first * w.get(f"stride_{name}")
        address = w.put(f"getelementptr double, ptr {w.get(f'all_{name}')}, i64 {skip}")
        w.set(f"out_{name}", address)
    w.set("loaded", "1")
    w.line("ret void")
    return w.function("internal fastcc void @load(ptr %c)")


def _run(lanes: int) -> str:
    """Return ``i64 @run(c)``: the runs from ``first`` to ``past``, W at a time."""
    w = IrWriter(lanes)
    integers = f"<{lanes} x i64>"
    w.label("next")
    w.branch(w.get("first") < w.get("past"), "block", "finished")
    w.block("block")
    w.branch(w.get("loaded").differs(0), "go", "load")
    w.block("load")
    w.line("call fastcc void @load(ptr %c)")
    w.label("go")
    signal = w.put("call fastcc i64 @block(ptr %c)")
    w.branch(signal.equals(int(LoopSignal.PAUSED)), "paused", "check")
    w.block("check")
    why = w.put(f"load {integers}, ptr {w.get('lost_why')}")
    w.branch(_any(w, w.put(f"icmp ne {integers} {why}, zeroinitializer")), "lost", "advance")
    w.block("advance")
    w.set("first", w.get("first") + lanes)
    w.set("loaded", "0")
    w.line("br label %next")
    for name, value in (("finished", "FINISHED"), ("paused", "PAUSED"), ("lost", "LOST")):
        w.block(name)
        w.line(f"ret i64 {int(LoopSignal[value])}")
    return w.function("i64 @run(ptr %c)")
