"""The functions around the code of a program: one state, or a range of states in lanes.

``void @single(ptr inputs, ptr outputs)``
    One state; both arguments are arrays of pointers, one for each port.
``void @lanes(ptr inputs, ptr outputs)``
    W states, for callers that keep them in lanes: entry k of a port is the W doubles at k W, and
    every port is aligned to W doubles.
``i32 @batch(i64 start, i64 stop, ptr inputs, ptr outputs)``
    The states start..stop-1 of arrays (B, size), W at a time.  Returns 0, or 1 where its scratch
    memory could not be had.  Ranges that do not meet may run at the same time.

The last block of a range ends where the range ends, and may do some states again.  A range of fewer
states than lanes is copied to scratch memory, with its last state in place of the missing ones.

All call ``@body(ptr in0, ..., ptr out0, ...)``, or, where outputs are gathered, ``@body(ptr in0,
..., ptr state)``; ``@batch`` adds to the former where the rows of the outputs will be
(``prefetch.py``).  Sizes are data: ``@sizes`` is an array of i64, the size of the state first and
then that of each port.  ``@slotsK`` says which lanes the entries of output K show: lanes of its
own, or of the state where outputs are gathered.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from poinsot.kernels.llvm.gathering import GATHER_OF_ONE, RUN, gather_ir
from poinsot.kernels.llvm.layout import layout_declarations
from poinsot.kernels.llvm.prefetch import DECLARATION

ALIGNMENT = 64
"""Of lanes in scratch memory [bytes]: a cache line, and the widest register."""
STREAMED: Final = 32 << 20
"""Bytes of results of a range from which on they are written past the caches; see ``layout.py``."""

MEMORY_IR = """
define internal fastcc ptr @poinsot.memory(i64 %bytes) nounwind {
  %memory = call ptr @malloc(i64 %bytes)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %found
found:
  ret ptr %memory
failed:
  call void @llvm.trap()
  unreachable
}
"""
"""Memory, or the end of the process: where no error can be returned, nothing may be written."""

DECLARATIONS = frozenset(
    {
        "declare void @llvm.trap()",
        "declare ptr @malloc(i64)",
        "declare void @free(ptr)",
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
        DECLARATION,
    }
)


def single_driver(ports: Sequence[str], *, gathered: bool) -> str:
    """Return the definition of ``@single`` for ports in0, in1, ..., out0, ..."""
    lines = ["define void @single(ptr %inputs, ptr %outputs) nounwind {", *_load_pointers(ports)]
    if not gathered:
        return "\n".join([*lines, f"  call fastcc void @body({_named(ports)})", "  ret void\n}"])
    return "\n".join(
        [
            GATHER_OF_ONE,
            *lines,
            "  %n.state = load i64, ptr @sizes",
            "  %bytes.state = shl i64 %n.state, 3",
            f"  %bytes = add i64 %bytes.state, {8 * RUN}",
            "  %state = call fastcc ptr @poinsot.memory(i64 %bytes)",
            *_load_sizes(ports),
            f"  call fastcc void @body({_named(_inputs(ports))}, ptr %state)",
            *(
                f"  call fastcc void @poinsot.gather(ptr %{name}, i64 %{name}.size, ptr %state, "
                f"ptr @slots{k}, ptr @runs{k})"
                for name in ports
                if name.startswith("out")
                for k in [name.removeprefix("out")]
            ),
            "  call void @free(ptr %state)",
            "  ret void\n}",
        ]
    )


def spread_driver(ports: Sequence[str], sizes: Sequence[int]) -> str:
    """Return ``@single`` of a body that writes each value once; entries are gathered from those.

    Args:
        ports: Names of the ports.
        sizes: How many values each output shows.
    """
    outputs = [name for name in ports if name.startswith("out")]
    lines = ["define void @single(ptr %inputs, ptr %outputs) nounwind {", *_load_pointers(ports)]
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size + RUN)  # runs are copied whole
    lines.append(f"  %values = call fastcc ptr @poinsot.memory(i64 {8 * starts[-1]})")
    for name, start in zip(outputs, starts, strict=False):
        lines.append(f"  %{name}.values = getelementptr double, ptr %values, i64 {start}")
    named = ", ".join(filter(None, [_named(_inputs(ports)), _named(outputs, ".values")]))
    lines += [f"  call fastcc void @body({named})", *_load_sizes(ports)]
    lines += [
        f"  call fastcc void @poinsot.gather(ptr %{name}, i64 %{name}.size, ptr %{name}.values, "
        f"ptr @slots{k}, ptr @runs{k})"
        for k, name in enumerate(outputs)
    ]
    return "\n".join([GATHER_OF_ONE, *lines, "  call void @free(ptr %values)", "  ret void\n}"])


def lanes_driver(ports: Sequence[str], width: int, *, gathered: bool) -> str:
    """Return the definition of ``@lanes`` for ports in0, in1, ..., out0, ..."""
    lines = ["define void @lanes(ptr %inputs, ptr %outputs) nounwind {", *_load_pointers(ports)]
    if not gathered:
        return "\n".join([*lines, f"  call fastcc void @body({_named(ports)})", "  ret void\n}"])
    return "\n".join(
        [
            gather_ir(width),
            *lines,
            "  %n.state = load i64, ptr @sizes",
            f"  %bytes.state = mul i64 %n.state, {8 * width}",
            f"  %bytes = add i64 %bytes.state, {ALIGNMENT}",
            "  %memory = call fastcc ptr @poinsot.memory(i64 %bytes)",
            "  %address = ptrtoint ptr %memory to i64",
            f"  %up = add i64 %address, {ALIGNMENT - 1}",
            f"  %aligned = and i64 %up, {-ALIGNMENT}",
            "  %state = inttoptr i64 %aligned to ptr",
            *_load_sizes(ports),
            f"  call fastcc void @body({_named(_inputs(ports))}, ptr %state)",
            *(
                f"  call fastcc void @poinsot.gather(ptr %{name}, i64 %{name}.size, ptr %state, "
                f"ptr @slots{name.removeprefix('out')})"
                for name in ports
                if name.startswith("out")
            ),
            "  call void @free(ptr %memory)",
            "  ret void\n}",
        ]
    )


def batch_driver(ports: Sequence[str], width: int, *, gathered: bool) -> str:
    """Return the definition of ``@batch``, and of what it calls besides ``@body``."""
    begin = f"""define i32 @batch(i64 %start, i64 %stop, ptr %inputs, ptr %outputs) nounwind {{
  %count = sub i64 %stop, %start
  %some = icmp sgt i64 %count, 0
  br i1 %some, label %prepare, label %done
prepare:
  %n.state = load i64, ptr @sizes
  %total.0 = add i64 %n.state, {ALIGNMENT // 8}"""
    middle = f"""  %bytes = mul i64 %total.{len(ports)}, {8 * width}
  %memory = call ptr @malloc(i64 %bytes)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %begin
begin:
  %address = ptrtoint ptr %memory to i64
  %up = add i64 %address, {ALIGNMENT - 1}
  %aligned = and i64 %up, {-ALIGNMENT}
  %scratch = inttoptr i64 %aligned to ptr
  %many = icmp uge i64 %count, {width}
  br i1 %many, label %blocks, label %few
blocks:
  %final = sub i64 %stop, {width}
  %results = mul i64 %count, %shown.{len(ports)}
  %stream = icmp ugt i64 %results, {STREAMED // 8}
  br label %block
block:
  %i = phi i64 [ %start, %blocks ], [ %next, %block ]"""
    end = f"""  call fastcc void @block({_named(ports, ".rows")}, ptr %scratch, i1 %stream)
  %ahead = add i64 %i, {width}
  %over = icmp ugt i64 %ahead, %final
  %next = select i1 %over, i64 %final, i64 %ahead
  %finished = icmp eq i64 %i, %final
  br i1 %finished, label %finish, label %block
few:
  call fastcc void @few({_named(ports)}, i64 %start, i64 %count, ptr %scratch)
  br label %finish
finish:
  fence seq_cst
  call void @free(ptr %memory)
  br label %done
done:
  ret i32 0
failed:
  ret i32 1
}}"""
    total, advance = ["  %shown.0 = add i64 0, 0"], []
    for k, name in enumerate(ports):
        size = f"%{name}.size" if name.startswith("out") else "0"
        total.append(f"  %shown.{k + 1} = add i64 %shown.{k}, {size}")
        # lanes, and as much again for whole rows
        total += [
            f"  %twice.{k} = mul i64 %{name}.size, 2",
            f"  %total.{k + 1} = add i64 %total.{k}, %twice.{k}",
        ]
        advance += [
            f"  %{name}.skip = mul i64 %i, %{name}.size",
            f"  %{name}.rows = getelementptr double, ptr %{name}, i64 %{name}.skip",
        ]
    return "\n".join(
        [
            layout_declarations(width),
            _block(ports, width, gathered=gathered),
            _few(ports, width),
            begin,
            *_load_pointers(ports),
            *_load_sizes(ports),
            *total,
            middle,
            *advance,
            end,
        ]
    )


def _block(ports: Sequence[str], width: int, *, gathered: bool) -> str:
    """Return the function that takes W whole rows of every port through the lanes."""
    pack, unpack, targets = [], [], []
    layout = [
        "  %n.state = load i64, ptr @sizes",
        f"  %state.bytes = mul i64 %n.state, {8 * width}",
        "  %state.end = getelementptr i8, ptr %scratch, i64 %state.bytes",
    ]
    cursor = "%state.end"
    for name in ports:
        lanes = f"%{name}.lanes"
        if name.startswith("out") and gathered:
            lanes = "%scratch"
        else:
            layout += [
                f"  {lanes} = getelementptr i8, ptr {cursor}, i64 0",
                f"  %{name}.bytes = mul i64 %{name}.size, {8 * width}",
                f"  %{name}.end = getelementptr i8, ptr {cursor}, i64 %{name}.bytes",
            ]
            cursor = f"%{name}.end"
        if name.startswith("in"):
            move = f"ptr %{name}, i64 %{name}.size, ptr {lanes}"
            pack.append(f"  call fastcc void @poinsot.pack.v{width}({move})")
            continue
        move = f"ptr %{name}.target, i64 %{name}.size, ptr {lanes}"
        table = f"ptr @slots{name.removeprefix('out')}"
        targets.append(name)
        unpack += [
            f"  call fastcc void @poinsot.unpack.v{width}({move}, {table})",
            f"  call fastcc void @poinsot.stream.v{width}(ptr %{name}, ptr %{name}.target, "
            f"i64 %{name}.size, i1 %stream)",
        ]
    for name in targets:
        layout += [
            f"  %{name}.target = select i1 %stream, ptr {cursor}, ptr %{name}",
            f"  %{name}.whole = mul i64 %{name}.size, {8 * width}",
            f"  %{name}.beyond = getelementptr i8, ptr {cursor}, i64 %{name}.whole",
        ]
        cursor = f"%{name}.beyond"
    inputs = _inputs(ports)
    if gathered:
        arguments = f"{_named(inputs, '.lanes')}, ptr %scratch"
    else:
        arguments = f"{_named(ports, '.lanes')}, {_named(targets, '.target')}"
    return "\n".join(
        [
            f"define internal fastcc void @block({_named(ports)}, ptr %scratch, i1 %stream) "
            "nounwind noinline {",
            *_load_sizes(ports),
            *layout,
            *pack,
            f"  call fastcc void @body({arguments})",
            *unpack,
            "  ret void\n}",
        ]
    )


def _few(ports: Sequence[str], width: int) -> str:
    """Return the function that runs fewer states than lanes by way of whole rows in scratch."""
    parameters = f"{_named(ports)}, i64 %start, i64 %count, ptr %scratch"
    lines = [
        f"define internal fastcc void @few({parameters}) nounwind noinline {{",
        *_load_sizes(ports),
    ]
    cursor = "%scratch"
    for name in ports:
        lines += [
            f"  %{name}.few = getelementptr i8, ptr {cursor}, i64 0",
            f"  %{name}.bytes = mul i64 %{name}.size, {8 * width}",
            f"  %{name}.end = getelementptr i8, ptr {cursor}, i64 %{name}.bytes",
            f"  %{name}.skip = mul i64 %start, %{name}.size",
            f"  %{name}.rows = getelementptr double, ptr %{name}, i64 %{name}.skip",
        ]
        cursor = f"%{name}.end"
    for name in ports:
        rows = f"ptr %{name}.rows, i64 %{name}.size, i64 %count, ptr %{name}.few"
        if name == "out0":
            lines.append(f"  call fastcc void @block({_named(ports, '.few')}, ptr {cursor}, i1 0)")
        move = "fill" if name.startswith("in") else "return"
        lines.append(f"  call fastcc void @poinsot.{move}.v{width}({rows})")
    return "\n".join([*lines, "  ret void\n}"])


def _inputs(ports: Sequence[str]) -> list[str]:
    return [name for name in ports if name.startswith("in")]


def _named(ports: Sequence[str], suffix: str = "") -> str:
    return ", ".join(f"ptr %{name}{suffix}" for name in ports)


def _load_pointers(ports: Sequence[str]) -> list[str]:
    """Return the lines that load %in0, ... from the array %inputs and %out0, ... from %outputs."""
    lines = []
    for name in ports:
        side = name.rstrip("0123456789")
        lines += [
            f"  %{name}.place = getelementptr ptr, ptr %{side}puts, i64 {name.removeprefix(side)}",
            f"  %{name} = load ptr, ptr %{name}.place",
        ]
    return lines


def _load_sizes(ports: Sequence[str]) -> list[str]:
    """Return the lines that load the size of each port."""
    lines = []
    for k, name in enumerate(ports):
        lines += [
            f"  %{name}.size.at = getelementptr i64, ptr @sizes, i64 {k + 1}",
            f"  %{name}.size = load i64, ptr %{name}.size.at",
        ]
    return lines
