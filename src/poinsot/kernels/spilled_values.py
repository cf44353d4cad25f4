"""Programs split into blocks: slots for values that later blocks need."""

from __future__ import annotations

from poinsot.expr import Program


def spill_slots(program: Program, blocks: list[list[int]]) -> tuple[dict[int, int], int]:
    """Return a slot for each value that a later block needs, and the number of slots.

    A slot is reused after the last block that reads its value.
    """
    first = program.first_step
    born = {first + k: block for block, steps in enumerate(blocks) for k in steps}
    last = dict(born)
    for block, steps in enumerate(blocks):
        for k in steps:
            for a in program.steps[k][1]:
                if a >= first:
                    last[a] = max(last[a], block)
    slots: dict[int, int] = {}
    free: list[int] = []
    ending: dict[int, list[int]] = {}
    total = 0
    for block, steps in enumerate(blocks):
        free += ending.pop(block - 1, [])
        for k in steps:
            v = first + k
            if last[v] > block:
                slots[v] = free.pop() if free else total
                total = max(total, slots[v] + 1)
                ending.setdefault(last[v], []).append(slots[v])
    return slots, total
