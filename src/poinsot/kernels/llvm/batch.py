"""The function that evaluates many states, one in each lane.

``i32 @batch(i64 start, i64 stop, ptr inputs, ptr outputs)``: the states start..stop-1 of arrays
(B, size), W at a time.  Returns 0, or 1 where its scratch memory could not be had.  Ranges that do
not meet may run at the same time.

The last block of a range ends where the range ends, and may do some states again.  A range of fewer
states than lanes is copied to scratch memory, with its last state in place of the missing ones.
"""

from __future__ import annotations

from poinsot.expr import Program
from poinsot.kernels.llvm.emit import (
    declarations,
    definitions,
    emit_body,
    load_pointers,
    output_slots,
    port_names,
)
from poinsot.kernels.llvm.layout import layout_ir
from poinsot.kernels.llvm.target import Target

ALIGNMENT = 64
"""Of lanes in scratch memory [bytes]: a cache line, and the widest register."""


def batch_ir(program: Program, target: Target) -> str:
    """Return the module that defines ``@batch``."""
    width = target.width
    return "\n".join(
        [
            "declare ptr @malloc(i64)",
            "declare void @free(ptr)",
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
            *sorted(declarations(program, width, width)),
            definitions(program, width),
            layout_ir(width),
            emit_body("body", program, width, width),
            _slot_tables(program),
            _block(program, width),
            _batch(program, width),
        ]
    )


def _slot_tables(program: Program) -> str:
    """Return, for each output, the table of the slots that its entries show."""
    results = iter(program.results)
    lines = []
    for k, (port, slots) in enumerate(zip(program.outputs, output_slots(program), strict=True)):
        entries = ", ".join(f"i32 {slots[next(results)]}" for _ in range(port.size))
        lines.append(f"@slots{k} = internal constant [{port.size} x i32] [{entries}]")
    return "\n".join(lines)


def _block(program: Program, width: int) -> str:
    """Return the function that takes W whole rows of every port through the lanes."""
    places, pack, unpack, offset = [], [], [], 0
    for name, port in port_names(program):
        places.append(f"  %{name}.lanes = getelementptr i8, ptr %scratch, i64 {offset}")
        offset += port.size * width * 8
        move = f"ptr %{name}, i64 {port.size}, ptr %{name}.lanes"
        if name.startswith("in"):
            pack.append(f"  call fastcc void @poinsot.pack({move})")
        else:
            table = f"ptr @slots{name.removeprefix('out')}"
            unpack.append(f"  call fastcc void @poinsot.unpack({move}, {table})")
    rows = ", ".join(f"ptr %{name}" for name, _ in port_names(program))
    lanes = ", ".join(f"ptr %{name}.lanes" for name, _ in port_names(program))
    return "\n".join(
        [
            f"define internal fastcc void @block({rows}, ptr %scratch) nounwind noinline {{",
            *places,
            *pack,
            f"  call fastcc void @body({lanes})",
            *unpack,
            "  ret void\n}",
        ]
    )


def _batch(program: Program, width: int) -> str:
    ports = port_names(program)
    all_lanes = sum(port.size for _, port in ports) * width * 8
    rows = ", ".join(f"ptr %{name}.rows" for name, _ in ports)
    few = ", ".join(f"ptr %{name}.few" for name, _ in ports)
    advance, few_places = [], []
    for name, port in ports:
        advance += [
            f"  %{name}.skip = mul i64 %i, {port.size * 8}",
            f"  %{name}.rows = getelementptr i8, ptr %{name}, i64 %{name}.skip",
        ]
    offset = all_lanes
    for name, port in ports:
        few_places.append(f"  %{name}.few = getelementptr i8, ptr %scratch, i64 {offset}")
        offset += port.size * width * 8
    newline = "\n"
    return f"""define i32 @batch(i64 %start, i64 %stop, ptr %inputs, ptr %outputs) nounwind {{
  %count = sub i64 %stop, %start
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %prepare, label %done
prepare:
  %memory = call ptr @malloc(i64 {offset + ALIGNMENT})
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %begin
begin:
  %address = ptrtoint ptr %memory to i64
  %up = add i64 %address, {ALIGNMENT - 1}
  %aligned = and i64 %up, {-ALIGNMENT}
  %scratch = inttoptr i64 %aligned to ptr
{newline.join(load_pointers(program))}
  %many = icmp uge i64 %count, {width}
  br i1 %many, label %blocks, label %few
blocks:
  %final = sub i64 %stop, {width}
  br label %block
block:
  %i = phi i64 [ %start, %blocks ], [ %next, %block ]
{newline.join(advance)}
  call fastcc void @block({rows}, ptr %scratch)
  %ahead = add i64 %i, {width}
  %over = icmp ugt i64 %ahead, %final
  %next = select i1 %over, i64 %final, i64 %ahead
  %finished = icmp eq i64 %i, %final
  br i1 %finished, label %finish, label %block
few:
{newline.join(few_places)}
{newline.join(_copies(program, width))}
finish:
  call void @free(ptr %memory)
  br label %done
done:
  ret i32 0
failed:
  ret i32 1
}}""".replace("@few", few)


def _copies(program: Program, width: int) -> list[str]:
    """Return the lines that run fewer states than lanes through whole rows in scratch memory."""
    lines = ["  %last = sub i64 %count, 1"]
    for r in range(width):
        lines += [
            f"  %has{r} = icmp ugt i64 %count, {r}",
            f"  %near{r} = select i1 %has{r}, i64 {r}, i64 %last",
            f"  %row{r} = add i64 %start, %near{r}",
        ]
    for name, port in port_names(program):
        if name == "out0":
            lines.append("  call fastcc void @block(@few, ptr %scratch)")
        for r in range(width):
            tag, size = f"{name}.{r}", port.size * 8
            goal, source = f"%{tag}.near", f"%{tag}.far"
            if name.startswith("out"):
                goal, source = source, goal
            lines += [
                f"  %{tag}.skip = mul i64 %row{r}, {size}",
                f"  %{tag}.far = getelementptr i8, ptr %{name}, i64 %{tag}.skip",
                f"  %{tag}.near = getelementptr i8, ptr %{name}.few, i64 {r * size}",
                f"  call void @llvm.memcpy.p0.p0.i64(ptr {goal}, ptr {source}, i64 {size}, i1 0)",
            ]
    return [*lines, "  br label %finish"]
