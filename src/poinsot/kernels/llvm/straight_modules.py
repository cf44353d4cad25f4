"""Modules of IR text for straight-line programs: the functions of ``state_loops.py``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from poinsot.expr import Program
from poinsot.kernels.llvm.emit import declarations, emit_body
from poinsot.kernels.llvm.gathering import runs_of
from poinsot.kernels.llvm.state_loops import (
    DECLARATIONS,
    MEMORY_IR,
    batch_driver,
    lanes_driver,
    single_driver,
    spread_driver,
)
from poinsot.kernels.llvm.target import Target
from poinsot.kernels.llvm.value_slots import output_slots, port_names, repeats_much


def single_ir(program: Program, target: Target) -> str:
    """Return the module that defines ``@single``."""
    names = _names(program)
    if not repeats_much(program):
        return _module(program, 1, target.width, single_driver(names, gathered=False))
    tables = "\n".join([slot_tables(program), *_runs(program)])
    sizes = [len(slots) for slots in output_slots(program)]
    driver = f"{tables}\n{spread_driver(names, sizes)}"
    return _module(program, 1, target.width, driver, every_entry=False)


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
    every_entry: bool | None = None,
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


def _shown(program: Program) -> Iterator[list[int]]:
    """Return, for each output, the slots that its entries show."""
    results = iter(program.results)
    for port, slots in zip(program.outputs, output_slots(program), strict=True):
        yield [slots[next(results)] for _ in range(port.size)]


def _runs(program: Program) -> list[str]:
    """Return, for each output, the table of the runs by which one state gathers its entries."""
    lines = []
    for k, shown in enumerate(_shown(program)):
        runs = runs_of(np.array(shown, np.int32)).tolist()
        entries = ", ".join(f"i32 {x}" for x in runs)
        lines.append(f"@runs{k} = internal constant [{len(runs)} x i32] [{entries}]")
    return lines


def slot_tables(program: Program) -> str:
    """Return, for each output, the table of the slots that its entries show."""
    lines = []
    for k, shown in enumerate(_shown(program)):
        entries = ", ".join(f"i32 {slot}" for slot in shown)
        lines.append(f"@slots{k} = internal constant [{len(shown)} x i32] [{entries}]")
    return "\n".join(lines)
