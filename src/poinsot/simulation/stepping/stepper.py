"""The stepper as one compiled function, ``i64 @run(control)``, for any number of equations.

    derivative             the kernels of a table, in order
    step, error, dense     what the integrator writes (``integrators/integrator.py``)
    project                ``projection.py``
    watch                  whether an event happens in a step (``event_detection.py``)
    steps                  steps, error control, projection, storing of rows

Everything that persists between steps is in the control block, so that the function can return at
any step and be called again.  Step control as in DOPRI5 and DOP853
[HNW, section II.4; HNW2, section IV.2].  An integrator without error control takes fixed steps; a
step that gives NaN, or that the projection would move far, ends the run.

Many runs with a fixed step go side by side, one in each lane, through the same text: ``lanes.py``
has what concerns individual runs then.
"""

from __future__ import annotations

import sys
from functools import lru_cache

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import Layout, intrinsics
from poinsot.kernels.llvm.library import Library, load_library
from poinsot.kernels.llvm.target import Target
from poinsot.kernels.llvm.types import double
from poinsot.simulation.stepping import (
    dense_output,
    event_detection,
    event_jumps,
    lanes,
    projection,
    sampling,
    step_control,
    vectors,
)
from poinsot.simulation.stepping.control import LoopSignal
from poinsot.simulation.stepping.control_writer import EXPORTED, ControlWriter
from poinsot.simulation.stepping.event_jumps import Handled
from poinsot.simulation.stepping.integrators import INTEGRATORS, AbstractIntegrator
from poinsot.simulation.stepping.singularity_crossing import (
    is_well_conditioned,
    plan,
    record_conditioning,
    restore_usual_step,
)

SMALLEST_STEP = 10.0 * sys.float_info.epsilon
"""Part of the time below which a step is below rounding error."""
REACH = 1.01
"""Steps that would end so near before the end are taken to the end."""
LARGEST_SHIFT = 1e6
"""How far the projection may move the end of a step, in the norm of errors: beyond that it is no
correction but a jump, as at a kinematic singularity."""
JUMP = 10.0
"""The error that such a step counts as."""


@lru_cache(maxsize=16)
def compiled(integrator: str, *, in_lanes: bool = False, sampled: bool = False) -> Library:
    """Return the machine code of an integrator, which exports functions of ``EXPORTED``.

    Args:
        integrator: Its name.
        in_lanes: Whether for many runs with a fixed step, one in each lane.
        sampled: Whether there are sampled states.
    """
    target = Target.of_loops()
    layout = Layout(target.width, in_lanes=in_lanes)
    options = {"sampled": True} if sampled else {}
    text = module(INTEGRATORS[integrator], layout, **options)
    exports = tuple(name for name in EXPORTED if f"@{name}(ptr %c" in text)
    return load_library(text, exports, {}, target)


def module(integrator: AbstractIntegrator, layout: Layout, *, sampled: bool = False) -> str:
    """Return the IR text of an integrator, with that of sampled states if there are some."""
    functions = [
        intrinsics(layout),
        vectors.copy("start", "x", "y", layout),
        vectors.copy("keep_end", "z", "x", layout),
        vectors.copy("advance", "y", "z", layout),
        vectors.copy("keep_projected", "x", "p", layout),
        vectors.copy("shift", "k", "k", layout, integrator.end),
        vectors.store_row("store_end", "z", layout),
        vectors.store_row("store_sample", "x", layout),
        _derivative(integrator, layout),
        *projection.functions(layout),
        *integrator.functions(layout),
        *dense_output.functions(integrator.n_dense, layout),
        _reach(integrator, layout),
        _accept(integrator, layout),
        _steps(integrator, layout, sampled=sampled),
        *([sampling.function(layout)] if sampled else []),
    ]
    if layout.in_lanes:
        return "\n".join([*functions, *lanes.functions(layout)])
    functions += [vectors.copy("take_end", "x", "z", layout)]
    functions += event_detection.functions(integrator.n_dense, layout)
    if integrator.step_control is not None:
        functions += step_control.functions(integrator.step_control, integrator.order, layout)
        functions += event_jumps.functions(layout)
    if integrator.gap is not None:
        functions.append(plan(integrator.gap, layout))
    return "\n".join(functions)


def _steps(integrator: AbstractIntegrator, layout: Layout, *, sampled: bool) -> str:
    """Return ``i64 @run(c)``: steps until the end, a failure, an event, or ``pause``.

    A step with an event is pending until the function is called again.  Of runs in lanes it is
    ``i64 @block(c)``, which ends when all have failed.
    """
    w = ControlWriter(layout)
    if not layout.in_lanes:
        w.leave_if(w.get("waiting").differs(0), "watch", otherwise="enter")
    _begin(w)
    if integrator.gap is not None:
        w.do("plan")
    t_new, last = _equal_step(w) if integrator.is_fixed else _fair_step(w)
    w.do("step")
    error = _error_of_step(w, integrator)
    w.enter_if(_within(w, error, 1.0, LoopSignal.NOT_FINITE), "fair", otherwise="bad")
    w.set_time(t_new)
    w.do("project")
    held = _within(w, w.get_each("shift"), LARGEST_SHIFT, LoopSignal.JUMPED)
    if not integrator.is_fixed:  # another step ends elsewhere
        held = held & is_well_conditioned(w)
    w.enter_if(held, "good", otherwise="jump")
    w.set("t_new", t_new)
    if not integrator.is_fixed:
        w.set("error", error)
    w.set("last", last.to_whole())
    w.do("reach")
    if not layout.in_lanes:
        _look_for_events(w, integrator)
    w.do("accept")
    if layout.in_lanes:
        w.do("store")
    w.enter_if(w.get("last").differs(0), "reached", otherwise="next")
    w.leave_if(w.get("t") >= w.get("t_end"), "finished", otherwise="pass")
    _pass_break(w, integrator)
    if sampled:
        w.do("update_states")
    w.go("begin")
    if layout.in_lanes:
        _end_block(w)
    elif integrator.is_fixed:
        _give_up(w, error)
    else:
        _try_again(w, error)
    w.block("paused")
    w.give(int(LoopSignal.PAUSED))
    w.block("finished")
    finished = w.number(str(int(LoopSignal.FINISHED)))
    return w.returning(finished, "block" if layout.in_lanes else "run")


def _begin(w: ControlWriter) -> None:
    """Write what comes before a step: the first derivative, and whether to pause."""
    w.leave_if(w.get("started").differs(0), "next", otherwise="begin")
    w.do("start")
    w.set_time(w.get("t"))
    w.do("derivative", 0)
    w.set("started", 1)
    w.label("next")
    tried = w.get("accepted") + w.get("rejected")
    w.leave_if(tried >= w.get("pause"), "paused", otherwise="choose")
    if w.lanes.in_lanes:
        w.leave_if(lanes.is_asked_to_stop(w), "paused", otherwise="take")


def _fair_step(w: ControlWriter) -> tuple[Value, Value]:
    """Write the step to try, in h; return when it ends and whether it is the last."""
    t, h = w.get("t"), w.get("h").at_most(w.get("h_most"))
    least = (abs(t) * SMALLEST_STEP).at_least(w.get("h_floor"))
    w.enter_if(h >= least, "try", otherwise="failed")
    return _to_the_end(w, t + h, h)


def _equal_step(w: ControlWriter) -> tuple[Value, Value]:
    """Write likewise one of many equal steps; times are products, so that rounding stays small."""
    h, number = w.get("h"), w.get("fixed_steps") + 1
    passed = number.to_double() * h
    return _to_the_end(w, w.get("t_first") + passed, h)


def _to_the_end(w: ControlWriter, t_new: Value, h: Value) -> tuple[Value, Value]:
    """Write h = the step given, or the rest where hardly more is left."""
    t, end = w.get("t"), w.get("t_goal")
    last = t + h * REACH >= end
    w.set("h", last.choose(end - t, h))
    return last.choose(end, t_new), last


def _error_of_step(w: ControlWriter, integrator: AbstractIntegrator) -> Value:
    """Write the error of the step, in careful ones that along motions the constraints allow."""
    kind = w.lanes.per_run
    if integrator.gap is None:
        return w.ask(kind, "error")
    w.enter_if(w.get("careful").differs(0), "along", otherwise="whole")
    along = w.ask(kind, "error_along")
    w.go("judged")
    w.block("whole")
    total = w.ask(kind, "error")
    w.label("judged")
    return w.put(f"phi {kind} [ {along}, %along ], [ {total}, %whole ]")


def _within(w: ControlWriter, sizes: Value, limit: float, why: LoopSignal) -> Value:
    """Write whether a size is within its limit; in lanes, of one run at least, and others fail."""
    return lanes.fail_beyond(w, sizes, limit, why) if w.lanes.in_lanes else sizes <= limit


def _look_for_events(w: ControlWriter, integrator: AbstractIntegrator) -> None:
    """Write: handle an event in the step, or return; it is pending then."""
    w.enter_if(w.get("n_events") > 0, "look", otherwise="complete")
    w.do("begin_watch")
    w.label("watch")
    w.enter_if(w.ask("i1", "watch"), "event", otherwise="complete")
    if not integrator.is_fixed:
        handled = w.ask("i64", "handle")
        w.leave_if(handled.equals(int(Handled.RECORDED)), "watch", otherwise="moved")
        w.leave_if(handled.equals(int(Handled.JUMPED)), "next", otherwise="stays")
        w.set("rests", handled.equals(int(Handled.RESTS)).to_whole())
        w.set("crowded", handled.equals(int(Handled.CROWDED)).to_whole())
        w.leave_if(handled.equals(int(Handled.RESTS)), "told", otherwise="pending")
    w.set("waiting", 1)
    w.label("told")
    w.give(int(LoopSignal.EVENT))
    w.block("complete")
    w.set("waiting", 0)


def _pass_break(w: ControlWriter, integrator: AbstractIntegrator) -> None:
    """Write: aim at the next break or the end; the derivative changes here."""
    w.count("next_break")
    number, end = w.get("next_break"), w.get("t_end")
    some = number < w.get("n_breaks")
    safe = some.choose(number, 0)  # there is one, since it is passed
    ahead, edge = (w.read(w.get(name), safe) for name in ("breaks", "edges"))
    w.set("t_goal", some.choose(ahead, end))
    w.set("t_edge", some.choose(edge, w.get("t_before")))
    if integrator.is_fixed:
        w.set("h", w.get("h_equal"))
        w.set("t_first", w.get("t"))
        w.set("fixed_steps", 0)


def _try_again(w: ControlWriter, error: Value) -> None:
    """Write what follows a rejected step: a shorter one, unless it is too short."""
    w.block("bad")
    w.do("reject", error)
    w.go("next")
    w.block("jump")
    w.do("reject", w.value(double(JUMP)))
    w.go("next")
    w.block("failed")
    bad = w.get("not_finite").differs(0)
    w.give(bad.choose(int(LoopSignal.NOT_FINITE), int(LoopSignal.COLLAPSED)))


def _give_up(w: ControlWriter, error: Value) -> None:
    """Write what follows a failed fixed step: the end of the run."""
    w.block("bad")
    w.give(error.is_nan().choose(int(LoopSignal.NOT_FINITE), int(LoopSignal.UNSOLVED)))
    w.block("jump")
    w.give(int(LoopSignal.JUMPED))


def _end_block(w: ControlWriter) -> None:
    """Write what follows a step in which the last run has failed."""
    w.block("bad")
    w.go("finished")
    w.block("jump")
    w.go("finished")


def _derivative(integrator: AbstractIntegrator, layout: Layout) -> str:
    """Return ``@derivative(c, stage)``: k[stage] = f(t_stage, x), by the kernels of its table.

    In careful steps x is projected onto the constraints before.
    """
    w = ControlWriter(layout)
    if integrator.gap is not None:
        with w.where(w.get("careful").differs(0), "careful", "usual"):
            w.do("project")
    w.count("evaluations")
    n_kernels = w.get("n_kernels")
    first = w.number("%stage") * n_kernels
    past = first + n_kernels
    table = w.get("kernels")
    w.label("begin")
    w.label("kernel")
    w.line(f"%i = phi i64 [ {first}, %begin ], [ %next, %kernel ]")
    w.call(w.address(table, "%i", "[3 x ptr]"))
    w.line("%next = add i64 %i, 1")
    w.leave_if(w.put(f"icmp ult i64 %next, {past}"), "kernel", otherwise="done")
    return w.define("derivative", "i64 %stage")


def _reach(integrator: AbstractIntegrator, layout: Layout) -> str:
    """Return ``@reach(c)``: z = the end of the step, k[end] the derivative there."""
    w = ControlWriter(layout)
    record_conditioning(w)
    w.do("keep_end")
    w.set_time(w.get("t_new"))
    if integrator.end_is_known:  # unless the state has moved
        moves = w.get("n_quaternions") + w.get("n_projections")
        w.branch(moves > 0, "derive", "done")
    else:
        w.go("derive")
    w.block("derive")
    w.do("derivative", integrator.end)
    w.label("done")
    return w.define("reach")


def _accept(integrator: AbstractIntegrator, layout: Layout) -> str:
    """Return ``@accept(c)``: advance to the end of the step and choose the next one."""
    w = ControlWriter(layout)
    end = w.get("t_new")
    w.leave_if(w.get("n_times") > 0, "some", otherwise="every")
    w.do("store_end", end)
    w.go("advance")
    w.block("some")
    w.do("samples", end)
    w.label("advance")
    w.do("advance")
    w.do("shift")
    w.set("t", end)
    w.set("has_dense", 0)
    w.count("accepted")
    if integrator.step_control is None:
        w.count("fixed_steps")
    else:
        step_control.next_step(w, w.get("error"), integrator.step_control)
        if integrator.gap is not None:
            restore_usual_step(w)
        w.set("just_rejected", 0)
    return w.define("accept")
