"""The stepper as one compiled function, ``i64 @run(control)``, for any number of equations.

    derivative             the kernels of a table, in order
    step, error, dense     what the integrator writes (``integrators/integrator.py``)
    watch                  whether an event happens in a step (``event_detection.py``)
    run                    steps, error control, projection, storing of rows

Everything that persists between steps is in the control block, so that the function can return at
any step and be called again.  Step control as in DOPRI5 and DOP853
[HNW, section II.4; HNW2, section IV.2].  An integrator without error control takes fixed steps; a
step that gives NaN, or that the projection would move far, ends the run.
"""

from __future__ import annotations

import sys
from functools import lru_cache

from poinsot.kernels.llvm.target import Library, Target, load_library
from poinsot.kernels.llvm.types import double
from poinsot.simulation.stepping import event_detection, vectors
from poinsot.simulation.stepping import step_control as first_step
from poinsot.simulation.stepping.control import LoopSignal
from poinsot.simulation.stepping.integrators import INTEGRATORS, AbstractIntegrator
from poinsot.simulation.stepping.ir_value import Value
from poinsot.simulation.stepping.ir_writer import IrWriter
from poinsot.simulation.stepping.projection import constrain, normalise, project
from poinsot.simulation.stepping.singularity_crossing import (
    is_well_conditioned,
    plan,
    record_conditioning,
    restore_usual_step,
)
from poinsot.simulation.stepping.step_control import next_step, reject

EXPORTS = ("run", "derivative", "observe", "samples")
"""Functions to call: ``run(control)``, ``derivative(control, stage)``, and with a time in place of
the stage ``observe`` and ``samples``.  Integrators that choose their steps have
``first_step(control)`` too."""
SMALLEST_STEP = 10.0 * sys.float_info.epsilon
"""Part of the time below which a step is below rounding error."""
REACH = 1.01
"""Steps that would end so near before the end are taken to the end."""
LARGEST_SHIFT = 1e6
"""How far the projection may move the end of a step, in the norm of errors: beyond that it is no
correction but a jump, as at a kinematic singularity."""
JUMP = 10.0
"""The error that such a step counts as."""


@lru_cache(maxsize=8)
def compiled(integrator: str) -> Library:
    """Return the machine code of an integrator."""
    target, chosen = Target.current(), INTEGRATORS[integrator]
    exports = EXPORTS if chosen.is_fixed else (*EXPORTS, "first_step")
    return load_library(module(chosen, target.width), exports, {}, target)


def module(integrator: AbstractIntegrator, lanes: int) -> str:
    """Return the IR text of an integrator."""
    chosen: tuple[str, ...] = ()
    if integrator.step_control is not None:
        chosen = (
            reject(integrator.step_control, lanes),
            *first_step.functions(integrator.order, lanes),
        )
    passing = () if integrator.gap is None else (plan(integrator.gap, lanes),)
    return "\n".join(
        [
            vectors.declarations(lanes),
            vectors.copy("start", "x", "y", lanes),
            vectors.copy("keep_end", "z", "x", lanes),
            vectors.copy("advance", "y", "z", lanes),
            vectors.copy("keep_projected", "x", "p", lanes),
            vectors.shift_derivative(integrator.end, lanes),
            vectors.copy("take_end", "x", "z", lanes),
            vectors.store_row("store_end", "z", lanes),
            vectors.store_row("store_sample", "x", lanes),
            vectors.sample(integrator.n_dense, lanes),
            _derivative(integrator, lanes),
            normalise(1),
            _clear_shift(lanes),
            _add_shift(lanes),
            constrain(lanes),
            project(lanes),
            *integrator.functions(lanes),
            interpolate(lanes),
            samples(lanes),
            *event_detection.functions(integrator.n_dense, lanes),
            reach(integrator, lanes),
            accept(integrator, lanes),
            *chosen,
            *passing,
            _run(integrator, lanes),
        ]
    )


def _derivative(integrator: AbstractIntegrator, lanes: int) -> str:
    """Return ``@derivative(c, stage)``: k[stage] = f(t_stage, x), by the kernels of its table.

    In careful steps x is projected onto the constraints before.
    """
    w = IrWriter(lanes)
    if integrator.gap is not None:
        w.branch(w.get("careful").differs(0), "careful", "usual")
        w.block("careful")
        w.line("call fastcc void @project(ptr %c)")
        w.label("usual")
    call_kernels(w)
    return w.function("void @derivative(ptr %c, i64 %stage)")


def call_kernels(w: IrWriter) -> None:
    """Write the calls of the kernels in the table of ``%stage``, and return."""
    w.count("evaluations")
    n_kernels = w.get("n_kernels")
    first = w.put(f"mul i64 %stage, {n_kernels}")
    past = first + n_kernels
    table = w.get("kernels")
    w.label("begin")
    w.label("kernel")
    w.line(f"%i = phi i64 [ {first}, %begin ], [ %next, %kernel ]")
    entry = w.put(f"getelementptr [3 x ptr], ptr {table}, i64 %i")
    w.call(entry)
    w.line("%next = add i64 %i, 1")
    w.branch(w.put(f"icmp ult i64 %next, {past}"), "kernel", "done")
    w.block("done")
    w.line("ret void")


def _clear_shift(lanes: int) -> str:
    """Return ``@clear_shift(c)``: shift = 0."""
    w = IrWriter(lanes)
    w.set("shift", double(0.0))
    w.line("ret void")
    return w.function("internal fastcc void @clear_shift(ptr %c)")


def _add_shift(lanes: int) -> str:
    """Return ``@add_shift(c)``: the norm of p - x, scaled as errors are, is added to shift."""
    w = vectors.vector_writer(lanes)
    total = w.reduced(vectors.shift_squares(w))
    mean = total / (w.get("n").to_double())
    size = mean.sqrt()
    w.set("shift", w.get("shift") + size)
    w.line("ret void")
    return w.function("internal fastcc void @add_shift(ptr %c)")


def interpolate(lanes: int) -> str:
    """Return ``@interpolate(c)``: compute the polynomial of the step, unless it is there."""
    w = IrWriter(lanes)
    w.branch(w.get("has_dense").differs(0), "done", "dense")
    w.block("dense")
    w.line("call fastcc void @dense(ptr %c)")
    w.set("has_dense", "1")
    w.label("done")
    w.line("ret void")
    return w.function("internal fastcc void @interpolate(ptr %c)")


def samples(lanes: int) -> str:
    """Return ``@samples(c, end)``: rows for all times of the step up to ``end``."""
    w = IrWriter(lanes)
    w.branch(_is_due(w, w.value("%end")), "dense", "done")
    w.block("dense")
    w.line("call fastcc void @interpolate(ptr %c)")
    w.label("sample")
    address = w.put(f"getelementptr double, ptr {w.get('times')}, i64 {w.get('next_time')}")
    time = w.put(f"load double, ptr {address}")
    w.line(f"call fastcc void @sample(ptr %c, double {time})")
    w.line(f"call fastcc void @store_sample(ptr %c, double {time})")
    w.count("next_time")
    w.branch(_is_due(w, w.value("%end")), "sample", "done")
    w.block("done")
    w.line("ret void")
    return w.function("void @samples(ptr %c, double %end)")


def _is_due(w: IrWriter, end: Value) -> Value:
    """Return whether the next time to store is before the end of the step."""
    number, count = w.get("next_time"), w.get("n_times")
    some = number < count
    last = count - 1
    safe = some.choose(number, last)
    address = w.put(f"getelementptr double, ptr {w.get('times')}, i64 {safe}")
    due = w.put(f"load double, ptr {address}") <= end
    return some & due


def reach(integrator: AbstractIntegrator, lanes: int) -> str:
    """Return ``@reach(c)``: z = the end of the step, k[end] the derivative there."""
    w = IrWriter(lanes)
    record_conditioning(w)
    w.line("call fastcc void @keep_end(ptr %c)")
    w.set("t_stage", w.get("t_new"))
    if integrator.end_is_known:  # unless the state has moved
        moves = w.get("n_quaternions") + w.get("n_projections")
        w.branch(moves > 0, "derive", "done")
    else:
        w.line("br label %derive")
    w.block("derive")
    w.line(f"call void @derivative(ptr %c, i64 {integrator.end})")
    w.label("done")
    w.line("ret void")
    return w.function("internal fastcc void @reach(ptr %c)")


def accept(integrator: AbstractIntegrator, lanes: int) -> str:
    """Return ``@accept(c)``: advance to the end of the step and choose the next one."""
    w = IrWriter(lanes)
    end, error = w.get("t_new"), w.get("error")
    w.branch(w.get("n_times") > 0, "some", "every")
    w.block("every")
    w.line(f"call fastcc void @store_end(ptr %c, double {end})")
    w.line("br label %advance")
    w.block("some")
    w.line(f"call void @samples(ptr %c, double {end})")
    w.label("advance")
    w.line("call fastcc void @advance(ptr %c)")
    w.line("call fastcc void @shift(ptr %c)")
    w.set("t", end)
    w.set("has_dense", "0")
    w.count("accepted")
    if integrator.step_control is None:
        w.count("equal_steps")
    else:
        next_step(w, error, integrator.step_control)
        if integrator.gap is not None:
            restore_usual_step(w)
        w.set("just_rejected", "0")
    w.line("ret void")
    return w.function("internal fastcc void @accept(ptr %c)")


def _run(integrator: AbstractIntegrator, lanes: int) -> str:
    """Return ``i64 @run(c)``: steps until the end, a failure, an event, or ``pause``.

    A step with an event is pending until the function is called again.
    """
    w = IrWriter(lanes)
    w.branch(w.get("waiting").differs(0), "watch", "enter")
    w.block("enter")
    begin(w)
    if integrator.gap is not None:
        w.line("call fastcc void @plan(ptr %c)")
    t_new = equal_step(w) if integrator.is_fixed else _fair_step(w)
    w.line("call fastcc void @step(ptr %c)")
    error = _error_of_step(w, integrator)
    w.branch(error <= 1.0, "fair", "bad")
    w.block("fair")
    w.set("t_stage", t_new)
    w.line("call fastcc void @project(ptr %c)")
    held = w.get("shift") <= LARGEST_SHIFT
    if not integrator.is_fixed:  # another step ends elsewhere
        held = held & is_well_conditioned(w)
    w.branch(held, "good", "jump")
    w.block("good")
    w.set("t_new", t_new)
    w.set("error", error)
    w.set("last", w.put("zext i1 %last to i64"))
    w.line("call fastcc void @reach(ptr %c)")
    w.branch(w.get("n_events") > 0, "look", "complete")
    w.block("look")
    w.line("call fastcc void @begin_watch(ptr %c)")
    w.label("watch")
    w.branch(w.put("call fastcc i1 @watch(ptr %c)"), "event", "complete")
    w.block("event")
    w.set("waiting", "1")
    w.line(f"ret i64 {int(LoopSignal.EVENT)}")
    w.block("complete")
    w.set("waiting", "0")
    w.line("call fastcc void @accept(ptr %c)")
    w.branch(w.get("last").differs(0), "reached", "next")
    w.block("reached")
    w.branch(w.get("t") >= w.get("t_end"), "finished", "pass")
    w.block("pass")
    _pass_break(w, integrator)
    w.line("br label %begin")
    if integrator.is_fixed:
        _give_up(w, error)
    else:
        _try_again(w, error)
    w.block("paused")
    w.line(f"ret i64 {int(LoopSignal.PAUSED)}")
    w.block("finished")
    w.line(f"ret i64 {int(LoopSignal.FINISHED)}")
    return w.function("i64 @run(ptr %c)")


def begin(w: IrWriter) -> None:
    """Write what comes before a step: the first derivative, and whether to pause."""
    w.branch(w.get("started").differs(0), "next", "begin")
    w.block("begin")
    w.line("call fastcc void @start(ptr %c)")
    w.set("t_stage", w.get("t"))
    w.line("call void @derivative(ptr %c, i64 0)")
    w.set("started", "1")
    w.label("next")
    tried = w.get("accepted") + w.get("rejected")
    w.branch(tried >= w.get("pause"), "paused", "choose")
    w.block("choose")


def _pass_break(w: IrWriter, integrator: AbstractIntegrator) -> None:
    """Write: aim at the next break or the end; the derivative changes here."""
    w.count("next_break")
    number, end = w.get("next_break"), w.get("t_end")
    some = number < w.get("n_breaks")
    safe = w.put(f"select i1 {some}, i64 {number}, i64 0")  # there is one, since it is passed
    ahead, edge = (
        w.put(f"load double, ptr {w.put(f'getelementptr double, ptr {w.get(name)}, i64 {safe}')}")
        for name in ("breaks", "edges")
    )
    w.set("t_goal", some.choose(ahead, end))
    w.set("t_edge", some.choose(edge, w.get("t_before")))
    if integrator.is_fixed:
        w.set("h", w.get("h_equal"))
        w.set("t_first", w.get("t"))
        w.set("equal_steps", "0")


def equal_step(w: IrWriter) -> Value:
    """Write likewise one of many equal steps; times are products, so that rounding stays small."""
    h, number = w.get("h"), (w.get("equal_steps") + 1)
    passed = number.to_double() * h
    return _to_the_end(w, (w.get("t_first") + passed), h)


def _to_the_end(w: IrWriter, t_new: Value, h: Value) -> Value:
    """Write h = the step given, or the rest where hardly more is left; return when it ends."""
    t, end = w.get("t"), w.get("t_goal")
    reach = t + (h * REACH)
    w.line(f"%last = fcmp oge double {reach}, {end}")
    rest = end - t
    w.set("h", w.put(f"select i1 %last, double {rest}, double {h}"))
    return w.put(f"select i1 %last, double {end}, double {t_new}")


def _fair_step(w: IrWriter) -> Value:
    """Write the step to try, in h and, if it is the last, ``%last``; return when it ends."""
    t, h = w.get("t"), w.get("h").at_most(w.get("h_most"))
    size = abs(t)
    least = (size * SMALLEST_STEP).at_least(w.get("h_floor"))
    w.branch(h >= least, "try", "failed")
    w.block("try")
    return _to_the_end(w, (t + h), h)


def _error_of_step(w: IrWriter, integrator: AbstractIntegrator) -> Value:
    """Write the error of the step, in careful ones that along motions the constraints allow."""
    if integrator.gap is None:
        return w.put("call fastcc double @error(ptr %c)")
    w.branch(w.get("careful").differs(0), "along", "whole")
    w.block("along")
    along = w.put("call fastcc double @error_along(ptr %c)")
    w.line("br label %judged")
    w.block("whole")
    total = w.put("call fastcc double @error(ptr %c)")
    w.label("judged")
    return w.put(f"phi double [ {along}, %along ], [ {total}, %whole ]")


def _try_again(w: IrWriter, error: str) -> None:
    """Write what follows a rejected step: a shorter one, unless it is too short."""
    w.block("bad")
    w.line(f"call fastcc void @reject(ptr %c, double {error})")
    w.line("br label %next")
    w.block("jump")
    w.line(f"call fastcc void @reject(ptr %c, double {double(JUMP)})")
    w.line("br label %next")
    w.block("failed")
    bad = w.get("not_finite").differs(0)
    w.line(
        f"%why = select i1 {bad}, i64 {int(LoopSignal.NOT_FINITE)}, i64 {int(LoopSignal.COLLAPSED)}"
    )
    w.line("ret i64 %why")


def _give_up(w: IrWriter, error: str) -> None:
    """Write what follows a failed fixed step: the end of the run."""
    w.block("bad")
    number = w.put(f"fcmp ord double {error}, {error}")
    w.line(
        f"%why = select i1 {number}, i64 {int(LoopSignal.UNSOLVED)}, i64 "
        f"{int(LoopSignal.NOT_FINITE)}"
    )
    w.line("ret i64 %why")
    w.block("jump")
    w.line(f"ret i64 {int(LoopSignal.JUMPED)}")
