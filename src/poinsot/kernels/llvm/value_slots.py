"""Where the values of a program are stored: ports, and entries of outputs."""

from __future__ import annotations

from typing import Final

from poinsot.expr import Port, Program

MANY_ZEROS: Final = 64
"""Zeros of an output from which on it is cleared at once, if they are not few among its entries."""
RARE: Final = 1 / 8
"""The part of the entries below which they are."""


MANY_REPEATED: Final = 2000
"""Entries that show a value which another entry shows, from which on values are stored once."""


def repeats_much(program: Program) -> bool:
    """Say whether most entries of the outputs show what others show too, and there are many.

    A store for each would make rows of stores without any work between them: of 27 000 entries
    with 4 900 values, second derivatives of a planar ring of 30, LLVM took 10 s.
    """
    entries = sum(port.size for port in program.outputs)
    zeros = {v for v, x in enumerate(program.constants, start=program.n_inputs) if x == 0.0}
    values = sum(len(slots) for slots in output_slots(program))
    repeated = entries - values - sum(v in zeros for v in program.results)
    return repeated > max(MANY_REPEATED, values)


def distinct_stores(program: Program) -> dict[int, list[tuple[int, int]]]:
    """Return, for each value, its slot in each output port whose entries show it.

    In lanes a value is kept once in a port, however many entries show it (a symmetric matrix shows
    most of its values twice, and one with branches many zeros).
    """
    stores: dict[int, list[tuple[int, int]]] = {}
    for port, slots in enumerate(output_slots(program)):
        for value, slot in slots.items():
            stores.setdefault(value, []).append((port, slot))
    return stores


def port_names(program: Program) -> list[tuple[str, Port]]:
    """Return all ports with the names of their arrays: in0, in1, ..., out0, ..."""
    named = [(f"in{k}", port) for k, port in enumerate(program.inputs)]
    return named + [(f"out{k}", port) for k, port in enumerate(program.outputs)]


def output_slots(program: Program) -> list[dict[int, int]]:
    """Return, for each output port, the slots of the values it shows, in order of appearance."""
    results = iter(program.results)
    tables: list[dict[int, int]] = []
    for port in program.outputs:
        slots: dict[int, int] = {}
        for _ in range(port.size):
            slots.setdefault(next(results), len(slots))
        tables.append(slots)
    return tables


def entry_stores(program: Program) -> dict[int, list[tuple[int, int]]]:
    """Return, for each value, the output entries (port, index) that show it."""
    stores: dict[int, list[tuple[int, int]]] = {}
    results = iter(program.results)
    for port, shape in enumerate(program.outputs):
        for k in range(shape.size):
            stores.setdefault(next(results), []).append((port, k))
    return stores


def split_zeros(
    program: Program, stores: dict[int, list[tuple[int, int]]]
) -> tuple[list[int], dict[int, list[tuple[int, int]]]]:
    """Return the output ports that are better cleared at once, and the stores that remain.

    A store for each zero of a sparse result would make long rows of stores without any work between
    them, and LLVM's time grows much faster than such a row: 25 s for 41 000 zeros.

    Args:
        program: The program.
        stores: For each value, the slots (port, index) where it is stored.
    """
    inner = enumerate(program.constants, start=program.n_inputs)
    zeros = [v for v, x in inner if x == 0.0 and v in stores]
    shown = [port for v in zeros for port, _ in stores[v]]
    cleared = [
        k
        for k, port in enumerate(program.outputs)
        if shown.count(k) > max(MANY_ZEROS, RARE * port.size)
    ]
    rest = {v: [slot for slot in stores[v] if slot[0] not in cleared] for v in zeros}
    return cleared, stores | rest
