"""Modules of IR text for rolled programs: one function per code, and a loop that calls them.

A module holds no size and no table: those are data (``@items``, ``@constants``, ``@sizes``,
``@counts``, ``@slotsK``) that are linked to it.  Mechanisms with the same kinds of joints share one
object code, however many bodies they have.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from poinsot.expr import Rolled
from poinsot.expr.rolled_code import (
    CONSTANTS,
    LEAST_NORM,
    SHORTEST_MOTION,
    STATE,
    WHERE,
    Code,
    LoopedCode,
)
from poinsot.kernels.llvm import least_norm_ir, shortest_motion_ir
from poinsot.kernels.llvm.emit import declarations, emit_body
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout, intrinsics
from poinsot.kernels.llvm.ranged_vectors import ranged_functions
from poinsot.kernels.llvm.state_loops import (
    DECLARATIONS,
    MEMORY_IR,
    batch_driver,
    lanes_driver,
    single_driver,
)
from poinsot.kernels.llvm.target import Target


def _where_ir(name: str, layout: Layout) -> str:
    """Return ``@name(condition, count)``: the items to skip, none where the condition holds."""
    w = IrWriter(layout)
    holds = w.some(w.read_each("%condition", 0).differs(0.0))
    skipped = holds.choose(0, w.number("%count"))
    return w.returning(skipped, name, "ptr %condition", "i64 %count")


ROUTINES: Final[Mapping[str, Callable[[str, Layout], str]]] = {
    LEAST_NORM: least_norm_ir.least_norm_ir,
    SHORTEST_MOTION: shortest_motion_ir.shortest_motion_ir,
    WHERE: _where_ir,
}
"""How to write the IR of each routine."""
SIZES: Final[Mapping[str, int]] = {
    LEAST_NORM: len(least_norm_ir.SIZES),
    SHORTEST_MOTION: len(shortest_motion_ir.SIZES),
    WHERE: 1,
}
"""How many sizes follow on the ports of each routine."""


def rolled_single_ir(rolled: Rolled, target: Target) -> str:
    """Return the module that defines ``@single`` of a rolled program."""
    driver = single_driver(rolled_port_names(rolled), gathered=True)
    return f"{_code(rolled, 1, target.width)}\n{driver}"


def rolled_lanes_ir(rolled: Rolled, target: Target) -> str:
    """Return the module that defines ``@lanes`` of a rolled program."""
    width = target.width
    driver = lanes_driver(rolled_port_names(rolled), width, gathered=True)
    return f"{_code(rolled, width, width)}\n{driver}"


def rolled_batch_ir(rolled: Rolled, target: Target) -> str:
    """Return the module that defines ``@batch`` of a rolled program."""
    width = target.width
    driver = batch_driver(rolled_port_names(rolled), width, gathered=True)
    return f"{_code(rolled, width, width)}\n{driver}"


def data_names(rolled: Rolled) -> list[str]:
    """Return the names of the data that all modules use."""
    tables = [f"{name}{k}" for name in ("slots", "runs") for k in range(len(rolled.outputs))]
    return ["items", "constants", "sizes", "counts", *tables]


def rolled_port_names(rolled: Rolled) -> list[str]:
    """Return the names in0, in1, ..., out0, ... of the ports."""
    names = [f"in{k}" for k in range(len(rolled.inputs))]
    return names + [f"out{k}" for k in range(len(rolled.outputs))]


def _code(rolled: Rolled, lanes: int, trig_lanes: int) -> str:
    """Return one function for each code, and ``@body``, the loop over the items."""
    lines, functions = set(DECLARATIONS), []
    if any(isinstance(code, LoopedCode) for code in rolled.codes):
        layout = Layout(trig_lanes, in_lanes=lanes > 1)
        lines |= set(intrinsics(layout).splitlines())
        functions.append(ranged_functions(layout))
    for k, code in enumerate(rolled.codes):
        if isinstance(code, LoopedCode):
            functions.append(ROUTINES[code.name](f"code{k}", layout))
            continue
        by = code.columns
        if by is not None and lanes == 1:
            lines |= declarations(by.program, by.width, trig_lanes)
            write = partial(
                emit_body, uniform=by.uniform, shared=True, aligned=False, pitch=by.pitch
            )
            functions.append(write(f"code{k}", by.program, by.width, trig_lanes))
            continue
        lines |= declarations(code.program, lanes, trig_lanes)
        inputs = zip(code.program.inputs, code.memories, strict=False)
        uniform = frozenset(port.name for port, memory in inputs if memory == CONSTANTS)
        functions.append(
            emit_body(f"code{k}", code.program, lanes, trig_lanes, uniform=uniform, shared=True)
        )
    data = [f"@{name} = external global i8" for name in data_names(rolled)]
    return "\n".join([*data, *sorted(lines), MEMORY_IR, *functions, _loop(rolled, lanes)])


def _loop(rolled: Rolled, lanes: int) -> str:
    parameters = ", ".join(f"ptr %in{k}" for k in range(len(rolled.inputs)))
    cases = " ".join(f"i32 {k}, label %case{k}" for k in range(len(rolled.codes)))
    blocks = [line for k in range(len(rolled.codes)) for line in _case(rolled, k, lanes)]
    branches = [k for k, code in enumerate(rolled.codes) if _is_branch(code)]
    last = "%k.last" if branches else "%k"
    if branches:
        ways = {k: f"%c{k}.last" if k in branches else "%k" for k in range(len(rolled.codes))}
        joined = [f"[ {number}, %case{k} ]" for k, number in ways.items()]
        blocks.append(f"after:\n  {last} = phi i64 [ %k, %loop ], {', '.join(joined)}")
    else:
        blocks.append("after:")
    return "\n".join(
        [
            f"""define internal fastcc void @body({parameters}, ptr %state) nounwind noinline {{
  %n.items = load i64, ptr @counts
  %words.at = getelementptr i64, ptr @counts, i64 1
  %words = load i64, ptr %words.at
  %any = icmp ugt i64 %n.items, 0
  br i1 %any, label %loop, label %done
loop:
  %k = phi i64 [ 0, %0 ], [ %k.next, %after ]
  %first = mul i64 %k, %words
  %item = getelementptr i32, ptr @items, i64 %first
  %code = load i32, ptr %item
  switch i32 %code, label %after [ {cases} ]""",
            *blocks,
            f"""  %k.next = add i64 {last}, 1
  %more = icmp ult i64 %k.next, %n.items
  br i1 %more, label %loop, label %done
done:
  ret void
}}""",
        ]
    )


def _case(rolled: Rolled, k: int, lanes: int) -> list[str]:
    """Return the lines that compute the addresses of an item's ports and call its code."""
    names = [port.name for port in rolled.inputs]
    lines, arguments = [f"case{k}:"], []
    code = rolled.codes[k]
    for p, memory in enumerate(code.memories):
        entry = 8 * lanes
        if memory == CONSTANTS:
            base, entry = "@constants", 8
        elif memory == STATE:
            base = "%state"
        else:
            base = f"%in{names.index(memory)}"
        tag = f"%c{k}.p{p}"
        lines += [
            f"  {tag}.word = getelementptr i32, ptr %item, i64 {p + 1}",
            f"  {tag}.place = load i32, ptr {tag}.word",
            f"  {tag}.wide = zext i32 {tag}.place to i64",
            f"  {tag}.skip = mul i64 {tag}.wide, {entry}",
            f"  {tag} = getelementptr i8, ptr {base}, i64 {tag}.skip",
        ]
        arguments.append(f"ptr {tag}")
    if isinstance(code, LoopedCode):
        for p in range(len(code.memories), len(code.memories) + SIZES[code.name]):
            tag = f"%c{k}.p{p}"
            lines += [
                f"  {tag}.word = getelementptr i32, ptr %item, i64 {p + 1}",
                f"  {tag}.size = load i32, ptr {tag}.word",
                f"  {tag} = zext i32 {tag}.size to i64",
            ]
            arguments.append(f"i64 {tag}")
    typed = ", ".join(arguments)
    if _is_branch(code):
        lines.append(f"  %c{k}.skipped = call fastcc i64 @code{k}({typed})")
        lines.append(f"  %c{k}.last = add i64 %k, %c{k}.skipped")
    else:
        lines.append(f"  call fastcc void @code{k}({typed})")
    return [*lines, "  br label %after"]


def _is_branch(code: Code | LoopedCode) -> bool:
    return isinstance(code, LoopedCode) and code.name == WHERE
