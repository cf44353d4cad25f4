"""Whole modules of IR text: the single-state function and the batch function of a program.

``void @single(ptr inputs, ptr outputs)``
    one state; both arguments are arrays of pointers, one for each port.
``i32 @batch(i64 start, i64 stop, ptr inputs, ptr outputs)``
    the states start..stop-1 of arrays (B, size), W at a time through lanes.  Returns 0, or 1 where
    its scratch memory could not be had.  Ranges that do not meet may run at the same time.
"""

from __future__ import annotations

from poinsot.expr import Program
from poinsot.kernels.llvm.emit import declarations, definitions, emit_body
from poinsot.kernels.llvm.layout import layout_declarations, layout_ir, padded
from poinsot.kernels.llvm.target import Target

ALIGNMENT = 64
"""Of lanes in scratch memory [bytes]: a cache line, and the widest register."""


def single_ir(program: Program, target: Target) -> str:
    """Return the module that defines ``@single``."""
    lines = _load_pointers(program)
    lines.append(f"call fastcc void @body({_arguments(program)})")
    return "\n".join(
        [
            *sorted(declarations(program, 1, target.width)),
            definitions(program, target.width),
            emit_body("body", program, 1, target.width),
            "define void @single(ptr %inputs, ptr %outputs) nounwind {",
            *("  " + line for line in lines),
            "  ret void\n}",
        ]
    )


def batch_ir(program: Program, target: Target) -> str:
    """Return the module that defines ``@batch``."""
    width = target.width
    lines = _load_pointers(program)
    offset, pack, unpack, arguments = 0, [], [], []
    for side, ports, moves, verb in (
        ("in", program.inputs, pack, "pack"),
        ("out", program.outputs, unpack, "unpack"),
    ):
        for k, port in enumerate(ports):
            name = f"{side}{k}"
            lines.append(f"%{name}.lanes = getelementptr i8, ptr %scratch, i64 {offset}")
            moves += [
                f"%{name}.skip = mul i64 %i, {port.size}",
                f"%{name}.rows = getelementptr double, ptr %{name}, i64 %{name}.skip",
                f"call fastcc void @poinsot.{verb}(ptr %{name}.rows, i64 {port.size}, "
                f"i64 %valid, ptr %{name}.lanes)",
            ]
            arguments.append(f"ptr %{name}.lanes")
            offset += padded(port.size, width) * width * 8
    return "\n".join(
        [
            "declare ptr @malloc(i64)",
            "declare void @free(ptr)",
            *sorted(declarations(program, width, width) | layout_declarations(width)),
            definitions(program, width),
            layout_ir(width),
            emit_body("body", program, width, width),
            f"""define i32 @batch(i64 %start, i64 %stop, ptr %inputs, ptr %outputs) nounwind {{
  %some = icmp ult i64 %start, %stop
  br i1 %some, label %prepare, label %done
prepare:
  %memory = call ptr @malloc(i64 {offset + ALIGNMENT})
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %begin
begin:
  %address = ptrtoint ptr %memory to i64
  %up = add i64 %address, {ALIGNMENT - 1}
  %aligned = and i64 %up, {-ALIGNMENT}
  %scratch = inttoptr i64 %aligned to ptr""",
            *("  " + line for line in lines),
            f"""  br label %block
block:
  %i = phi i64 [ %start, %begin ], [ %next, %block ]
  %left = sub i64 %stop, %i
  %full = icmp uge i64 %left, {width}
  %valid = select i1 %full, i64 {width}, i64 %left""",
            *("  " + line for line in pack),
            f"  call fastcc void @body({', '.join(arguments)})",
            *("  " + line for line in unpack),
            f"""  %next = add i64 %i, {width}
  %more = icmp ult i64 %next, %stop
  br i1 %more, label %block, label %finish
finish:
  call void @free(ptr %memory)
  br label %done
done:
  ret i32 0
failed:
  ret i32 1
}}""",
        ]
    )


def _load_pointers(program: Program) -> list[str]:
    """Return the lines that name the arrays of all ports %in0, %in1, ..., %out0, ..."""
    lines = []
    for side, ports in (("in", program.inputs), ("out", program.outputs)):
        for k in range(len(ports)):
            lines += [
                f"%{side}{k}.place = getelementptr ptr, ptr %{side}puts, i64 {k}",
                f"%{side}{k} = load ptr, ptr %{side}{k}.place",
            ]
    return lines


def _arguments(program: Program) -> str:
    names = [f"ptr %in{k}" for k in range(len(program.inputs))]
    names += [f"ptr %out{k}" for k in range(len(program.outputs))]
    return ", ".join(names)
