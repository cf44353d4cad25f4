"""Modules of programs that say themselves which states they are not sure of.

The first output of such a program are results, the second are guards: a state is doubtful unless
all of its guards are at least zero (NaN is not).  Functions as in ``state_loops.py``, but both
return 2 where a state was doubtful.

``i32 @single(ptr inputs, ptr outputs)``
    One state.
``i32 @batch(i64 start, i64 stop, ptr inputs, ptr outputs)``
    States start..stop-1.  ``outputs`` are three addresses: of the results, of an i64 that says how
    many doubles lie between their columns, and of a byte for each state that becomes 1 where it is
    doubtful, or null.

Results are rows (B, size), or, *in columns*, a vector over all states for each entry: then lanes
are stored where they belong, and so are inputs and results of one number loaded and stored.
Nothing is taken through lanes in memory but inputs of several numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from poinsot.expr import Port, Program
from poinsot.kernels.llvm.emit import declarations, emit_body
from poinsot.kernels.llvm.layout import layout_declarations
from poinsot.kernels.llvm.straight_modules import slot_tables
from poinsot.kernels.llvm.target import Target
from poinsot.kernels.llvm.types import Lanes
from poinsot.kernels.llvm.value_slots import output_slots

DOUBTFUL: Final = 2
"""What is returned where a state was doubtful."""
COPY: Final = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"


def guarded_codes(*, columns: bool) -> dict[str, Callable[[Program, Target], str]]:
    """Return how to write the IR of each function, for ``LlvmKernel``."""
    return {
        "single": _single_ir,
        "batch": _columns_ir if columns else _rows_ir,
    }


def _single_ir(program: Program, target: Target) -> str:
    ports = program.inputs
    n_guards = program.outputs[1].size
    lines = [
        "define i32 @single(ptr %inputs, ptr %outputs) nounwind {",
        f"  %guards = alloca double, i64 {n_guards}",
        *_pointers(ports),
        "  %out = load ptr, ptr %outputs",
        f"  call fastcc void @body({_named(ports)}, ptr %out, ptr %guards)",
        *_doubtful(n_guards, Lanes(1)),
        f"  %status = select i1 %bits, i32 {DOUBTFUL}, i32 0",
        "  ret i32 %status\n}",
    ]
    body = emit_body("body", program, 1, target.width)
    return "\n".join([*sorted(declarations(program, 1, target.width)), body, *lines])


def _columns_ir(program: Program, target: Target) -> str:
    width = target.width
    body = emit_body(
        "body", program, width, width, every_entry=True, aligned=False, in_columns=True
    )
    driver = _batch(program, width, columns=True, n_guards=program.outputs[1].size)
    return "\n".join([*_declared(program, width), body, driver])


def _rows_ir(program: Program, target: Target) -> str:
    width = target.width
    body = emit_body("body", program, width, width, aligned=False)
    n_guards = len(output_slots(program)[1])
    driver = _batch(program, width, columns=False, n_guards=n_guards)
    return "\n".join([*_declared(program, width), slot_tables(program), body, driver])


def _declared(program: Program, width: int) -> list[str]:
    return [*sorted(declarations(program, width, width)), layout_declarations(width), COPY]


def _batch(program: Program, width: int, *, columns: bool, n_guards: int) -> str:
    """Return the definition of ``@batch`` and of ``@few``, which copies less than W states."""
    ports, size, types = program.inputs, program.outputs[0].size, Lanes(width)
    bits = f"i{width}"
    pack, arguments, scratch = _packed(ports, width)
    direct = columns or size == 1
    skip = "%i" if direct else f"%i.{size}"
    room = scratch + (1 if direct else size * width)
    lines = [
        "define i32 @batch(i64 %start, i64 %stop, ptr %inputs, ptr %outputs) nounwind {",
        f"  %scratch = alloca double, i64 {room}, align 64",
        f"  %guards = alloca double, i64 {n_guards * width}, align 64",
        *_pointers(ports),
        "  %out = load ptr, ptr %outputs",
        *_load("ptr", "stride.at", "%outputs", 1),
        *_load("ptr", "flags", "%outputs", 2),
        "  %flagged = icmp ne ptr %flags, null",
        *(["  %stride = load i64, ptr %stride.at"] if columns else []),
        "  %count = sub i64 %stop, %start",
        "  %some = icmp sgt i64 %count, 0",
        "  br i1 %some, label %begin, label %empty",
        "begin:",
        f"  %many = icmp uge i64 %count, {width}",
        "  br i1 %many, label %blocks, label %few",
        "blocks:",
        f"  %final = sub i64 %stop, {width}",
        "  br label %block",
        "block:",
        "  %i = phi i64 [ %start, %blocks ], [ %next, %checked ]",
        f"  %before = phi {bits} [ 0, %blocks ], [ %sofar, %checked ]",
        *([] if direct else [f"  %i.{size} = mul i64 %i, {size}"]),
        f"  %out.here = getelementptr double, ptr %out, i64 {skip}",
        *pack,
        *([] if direct else [f"  %results = getelementptr double, ptr %scratch, i64 {scratch}"]),
        f"  call fastcc void @body({arguments}, ptr {'%out.here' if direct else '%results'}, "
        f"ptr %guards{', i64 %stride' if columns else ''})",
        *([] if direct else [_unpack(size, width)]),
        *_doubtful(n_guards, types),
        f"  %sofar = or {bits} %before, %bits",
        "  br i1 %flagged, label %flag, label %checked",
        "flag:",
        "  %flags.here = getelementptr i8, ptr %flags, i64 %i",
        *_flags(types),
        "  br label %checked",
        "checked:",
        f"  %ahead = add i64 %i, {width}",
        "  %over = icmp ugt i64 %ahead, %final",
        "  %next = select i1 %over, i64 %final, i64 %ahead",
        "  %finished = icmp eq i64 %i, %final",
        "  br i1 %finished, label %done, label %block",
        "done:",
        f"  %bad = icmp ne {bits} %sofar, 0",
        f"  %status = select i1 %bad, i32 {DOUBTFUL}, i32 0",
        "  ret i32 %status",
        "few:",
        "  %status.few = call fastcc i32 @few(i64 %start, i64 %count, ptr %inputs, ptr %outputs)",
        "  ret i32 %status.few",
        "empty:",
        "  ret i32 0\n}",
    ]
    return "\n".join([*lines, _few(ports, size, width, columns=columns)])


def _few(ports: tuple[Port, ...], size: int, width: int, *, columns: bool) -> str:
    """Return the function that runs less than W states: the last one stands in for the others."""
    lines = [
        "define internal fastcc i32 @few(i64 %start, i64 %count, ptr %inputs, ptr %outputs) "
        "nounwind noinline {",
        f"  %sources = alloca ptr, i64 {len(ports)}",
        "  %goals = alloca ptr, i64 3",
        "  %step = alloca i64",
        f"  %flags.few = alloca i8, i64 {width}",
        f"  %results.few = alloca double, i64 {size * width}, align 64",
        f"  store i64 {width}, ptr %step",
        "  store ptr %results.few, ptr %goals",
        "  %goal.1 = getelementptr ptr, ptr %goals, i64 1",
        "  store ptr %step, ptr %goal.1",
        "  %goal.2 = getelementptr ptr, ptr %goals, i64 2",
        "  store ptr %flags.few, ptr %goal.2",
        *_pointers(ports),
        "  %out = load ptr, ptr %outputs",
        *_load("ptr", "stride.at", "%outputs", 1),
        *_load("ptr", "flags", "%outputs", 2),
    ]
    for k, port in enumerate(ports):
        lines += [
            f"  %whole{k} = alloca double, i64 {port.size * width}, align 64",
            f"  %skip{k} = mul i64 %start, {port.size}",
            f"  %rows{k} = getelementptr double, ptr %in{k}, i64 %skip{k}",
            f"  call fastcc void @poinsot.fill.v{width}(ptr %rows{k}, i64 {port.size}, "
            f"i64 %count, ptr %whole{k})",
            f"  %source{k} = getelementptr ptr, ptr %sources, i64 {k}",
            f"  store ptr %whole{k}, ptr %source{k}",
        ]
    lines += [
        f"  %status = call i32 @batch(i64 0, i64 {width}, ptr %sources, ptr %goals)",
        "  %bytes = shl i64 %count, 3",
        "  %flagged = icmp ne ptr %flags, null",
        "  br i1 %flagged, label %flag, label %copy",
        "flag:",
        "  %flags.here = getelementptr i8, ptr %flags, i64 %start",
        "  call void @llvm.memcpy.p0.p0.i64(ptr %flags.here, ptr %flags.few, i64 %count, i1 0)",
        "  br label %copy",
        "copy:",
        *(_copied_columns(size, width) if columns else _copied_rows(size)),
        "  ret i32 %status\n}",
    ]
    return "\n".join(lines)


def _copied_rows(size: int) -> list[str]:
    return [
        f"  %goal.skip = mul i64 %start, {size}",
        "  %goal = getelementptr double, ptr %out, i64 %goal.skip",
        f"  %bytes.rows = mul i64 %bytes, {size}",
        "  call void @llvm.memcpy.p0.p0.i64(ptr %goal, ptr %results.few, i64 %bytes.rows, i1 0)",
    ]


def _copied_columns(size: int, width: int) -> list[str]:
    return [
        "  %stride = load i64, ptr %stride.at",
        "  br label %column",
        "column:",
        "  %k = phi i64 [ 0, %copy ], [ %k.next, %column ]",
        "  %k.skip = mul i64 %k, %stride",
        "  %k.entry = add i64 %k.skip, %start",
        "  %goal = getelementptr double, ptr %out, i64 %k.entry",
        f"  %k.few = mul i64 %k, {width}",
        "  %source = getelementptr double, ptr %results.few, i64 %k.few",
        "  call void @llvm.memcpy.p0.p0.i64(ptr %goal, ptr %source, i64 %bytes, i1 0)",
        "  %k.next = add i64 %k, 1",
        f"  %more = icmp ult i64 %k.next, {size}",
        "  br i1 %more, label %column, label %end",
        "end:",
    ]


def _packed(ports: tuple[Port, ...], width: int) -> tuple[list[str], str, int]:
    """Return lines that bring inputs into lanes, the body's arguments, and doubles of scratch."""
    lines, names, start = [], [], 0
    for k, port in enumerate(ports):
        skip = "%i"
        if port.size != 1:
            lines.append(f"  %skip{k} = mul i64 %i, {port.size}")
            skip = f"%skip{k}"
        lines.append(f"  %rows{k} = getelementptr double, ptr %in{k}, i64 {skip}")
        if port.size == 1:
            names.append(f"ptr %rows{k}")
            continue
        lines += [
            f"  %lanes{k} = getelementptr double, ptr %scratch, i64 {start}",
            f"  call fastcc void @poinsot.pack.v{width}(ptr %rows{k}, i64 {port.size}, "
            f"ptr %lanes{k})",
        ]
        names.append(f"ptr %lanes{k}")
        start += port.size * width
    return lines, ", ".join(names), start


def _unpack(size: int, width: int) -> str:
    return (
        f"  call fastcc void @poinsot.unpack.v{width}(ptr %out.here, i64 {size}, ptr %results, "
        "ptr @slots0)"
    )


def _doubtful(n_guards: int, types: Lanes) -> list[str]:
    """Return lines that set %bits, one for each lane, where a guard is not at least zero."""
    lines = []
    for k in range(n_guards):
        lines += [
            f"  %guard{k}.at = getelementptr double, ptr %guards, i64 {k * types.width}",
            f"  %guard{k} = load {types.real}, ptr %guard{k}.at",
            f"  %under{k} = fcmp ult {types.real} %guard{k}, {types.number(0.0)}",
            f"  %any{k} = or {types.bit} %under{k}, {f'%any{k - 1}' if k else types.falses}",
        ]
    lines.append(f"  %doubtful = or {types.bit} %any{n_guards - 1}, {types.falses}")
    whole = "i1" if types.scalar else f"i{types.width}"
    lines.append(f"  %bits = bitcast {types.bit} %doubtful to {whole}")
    return lines


def _flags(types: Lanes) -> list[str]:
    kind = "i8" if types.scalar else f"<{types.width} x i8>"
    return [
        f"  %bytes = zext {types.bit} %doubtful to {kind}",
        f"  store {kind} %bytes, ptr %flags.here, align 1",
    ]


def _pointers(ports: tuple[Port, ...]) -> list[str]:
    return [line for k in range(len(ports)) for line in _load("ptr", f"in{k}", "%inputs", k)]


def _load(kind: str, name: str, base: str, index: int) -> list[str]:
    return [
        f"  %{name}.place = getelementptr {kind}, ptr {base}, i64 {index}",
        f"  %{name} = load {kind}, ptr %{name}.place",
    ]


def _named(ports: tuple[Port, ...]) -> str:
    return ", ".join(f"ptr %in{k}" for k in range(len(ports)))
