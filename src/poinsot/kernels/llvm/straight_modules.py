"""Modules of IR text for straight-line programs: the functions of ``state_loops.py``."""

from __future__ import annotations

from poinsot.expr import Program
from poinsot.kernels.llvm.emit import declarations, emit_body
from poinsot.kernels.llvm.state_loops import (
    DECLARATIONS,
    MEMORY_IR,
    batch_driver,
    lanes_driver,
    single_driver,
)
from poinsot.kernels.llvm.target import Target
from poinsot.kernels.llvm.value_slots import output_slots, port_names


def single_ir(program: Program, target: Target) -> str:
    """Return the module that defines ``@single``."""
    return _module(program, 1, target.width, single_driver(_names(program), gathered=False))


def lanes_ir(program: Program, target: Target) -> str:
    """Return the module that defines ``@lanes``."""
    width = target.width
    driver = lanes_driver(_names(program), width, gathered=False)
    return _module(program, width, width, driver, every_entry=True)


def batch_ir(program: Program, target: Target) -> str:
    """Return the module that defines ``@batch``."""
    driver = batch_driver(_names(program), target.width, gathered=False)
    width = target.width
    return _module(program, width, width, f"{slot_tables(program)}\n{driver}", ahead=True)


def _module(
    program: Program,
    lanes: int,
    trig_lanes: int,
    driver: str,
    *,
    every_entry: bool = False,
    ahead: bool = False,
) -> str:
    sizes = ", ".join(f"i64 {size}" for size in (0, *(p.size for _, p in port_names(program))))
    n_sizes = 1 + len(_names(program))
    return "\n".join(
        [
            f"@sizes = internal constant [{n_sizes} x i64] [{sizes}]",
            *sorted(declarations(program, lanes, trig_lanes) | DECLARATIONS),
            MEMORY_IR,
            emit_body("body", program, lanes, trig_lanes, every_entry=every_entry, ahead=ahead),
            driver,
        ]
    )


def _names(program: Program) -> list[str]:
    return [name for name, _ in port_names(program)]


def slot_tables(program: Program) -> str:
    """Return, for each output, the table of the slots that its entries show."""
    results = iter(program.results)
    lines = []
    for k, (port, slots) in enumerate(zip(program.outputs, output_slots(program), strict=True)):
        entries = ", ".join(f"i32 {slots[next(results)]}" for _ in range(port.size))
        lines.append(f"@slots{k} = internal constant [{port.size} x i32] [{entries}]")
    return "\n".join(lines)
