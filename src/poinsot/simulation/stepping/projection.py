"""Projection of states onto the constraints, and normalisation of quaternions, as LLVM IR text."""

from __future__ import annotations

from poinsot.simulation.stepping.ir_writer import IrWriter
from poinsot.simulation.stepping.singularity_crossing import is_near


def normalise(runs: int) -> str:
    """Return ``@normalise(c, y)``: normalise every quaternion of a state.

    Args:
        runs: Number of interleaved runs in every entry of a state.
    """
    w = IrWriter(runs)
    real = w.lanes.real
    count, starts = w.get("n_quaternions"), w.get("quaternions")
    w.label("begin")
    w.branch(count > 0, "quaternion", "done")
    w.block("quaternion")
    w.line("%i = phi i64 [ 0, %begin ], [ %next, %quaternion ]")
    start = w.put(f"load i64, ptr {w.put(f'getelementptr i64, ptr {starts}, i64 %i')}")
    addresses, entries, total = [], [], w.lanes.number(0.0)
    first = w.put(f"getelementptr {real}, ptr %y, i64 {start}")
    for number in range(4):
        addresses.append(w.put(f"getelementptr {real}, ptr {first}, i64 {number}"))
        entries.append(w.put(f"load {real}, ptr {addresses[-1]}"))
        total = w.arithmetic("fadd", total, w.arithmetic("fmul", entries[-1], entries[-1]))
    length = w.intrinsic("sqrt", total)
    for address, entry in zip(addresses, entries, strict=True):
        w.line(f"store {real} {w.arithmetic('fdiv', entry, length)}, ptr {address}")
    w.line("%next = add i64 %i, 1")
    w.branch(w.put(f"icmp slt i64 %next, {count}"), "quaternion", "done")
    w.block("done")
    w.line("ret void")
    return w.function("internal fastcc void @normalise(ptr %c, ptr %y)")


def constrain(lanes: int) -> str:
    """Return ``@constrain(c)``: p = x after one Newton step towards the constraints.

    Behind the state the kernel writes the conditioning of the rows, for ``clear_new``.
    """
    w = IrWriter(lanes)
    w.call(w.get("projection"))
    clear = w.put(f"getelementptr double, ptr {w.get('p')}, i64 {w.get('n')}")
    w.set("clear_new", w.put(f"load double, ptr {clear}"))
    w.line(f"store double 0.0, ptr {clear}")
    w.line("ret void")
    return w.function("internal fastcc void @constrain(ptr %c)")


def project(lanes: int) -> str:
    """Return ``@project(c)``: x at time t_stage projected, quaternions normalised.

    ``@add_shift`` accumulates the distance.  Near a singularity velocities are projected twice
    more: the last change of positions, although small, has changed their constraints, and the
    rows are ill-conditioned.
    """
    w = IrWriter(lanes)
    w.line("call fastcc void @clear_shift(ptr %c)")
    x, count = w.get("x"), w.get("n_projections")
    w.line(f"call fastcc void @normalise(ptr %c, ptr {x})")
    w.label("begin")
    w.branch(count > 0, "pass", "done")
    w.block("pass")
    w.line("%i = phi i64 [ 0, %begin ], [ %next, %pass ]")
    w.line("call fastcc void @constrain(ptr %c)")
    w.line("call fastcc void @add_shift(ptr %c)")
    w.line("call fastcc void @keep_projected(ptr %c)")
    w.line(f"call fastcc void @normalise(ptr %c, ptr {x})")
    w.line("%next = add i64 %i, 1")
    w.branch(w.put(f"icmp slt i64 %next, {count}"), "pass", "passed")
    w.block("passed")
    w.branch(is_near(w, "clear_new"), "near", "done")
    w.block("near")
    p, nq = w.get("p"), w.get("nq")
    target, source = [w.put(f"getelementptr double, ptr {state}, i64 {nq}") for state in (x, p)]
    size = w.put(f"shl i64 {w.get('nv')}, 3")
    for _ in range(2):
        w.line("call fastcc void @constrain(ptr %c)")
        w.line(f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {size}, i1 0)")
    w.label("done")
    w.line("ret void")
    return w.function("internal fastcc void @project(ptr %c)")
