"""Long programs split into functions that pass values on through an array.

LLVM's time grows faster than the length of a function beyond about 15 000 steps; split, it grows
linearly.  The code of one state is as fast; in lanes, where each value passed on takes a cache
line, a split costs more and functions are longer (mass matrix of 30 joints without a split: 6 to
14 % faster, 1.5 times the compile time).
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

LONGEST_FUNCTION: Final = 4000
"""Steps in one function for one state."""

LONGEST_IN_LANES: Final = 10_000
"""Steps up to which a program for states in lanes is one function."""

SPLIT_IN_LANES: Final = 2500
"""Steps in one function for states in lanes of longer programs.

Instruction selection takes the square of the stores and loads of values that are passed on: a
program of 20 000 steps took 6.7 s to compile in functions of 10 000, 1.1 s in these, and both
take as long to run.
"""

LARGEST_ON_STACK: Final = 1 << 17
"""Bytes of spilled values up to which they live on the stack."""


def split_steps(steps: list[int], lanes: int) -> list[list[int]]:
    """Return the steps of each function, about the same number in each.

    Args:
        steps: All steps in order.
        lanes: How many states at once.
    """
    longest = LONGEST_FUNCTION
    if lanes > 1:
        longest = LONGEST_IN_LANES if len(steps) <= LONGEST_IN_LANES else SPLIT_IN_LANES
    n_parts = -(-len(steps) // longest) or 1
    edges = [k * len(steps) // n_parts for k in range(n_parts + 1)]
    return [steps[a:b] for a, b in pairwise(edges)]


def with_spill_array(head: str, size: int, calls: list[str]) -> str:
    """Return a function that runs the calls with an array %keep of ``size`` bytes."""
    if size <= LARGEST_ON_STACK:
        before, after = [f"%keep = alloca i8, i64 {size}, align 64"], []
    else:
        before = [
            f"%memory = call fastcc ptr @poinsot.memory(i64 {size + 64})",
            "%address = ptrtoint ptr %memory to i64",
            "%up = add i64 %address, 63",
            "%aligned = and i64 %up, -64",
            "%keep = inttoptr i64 %aligned to ptr",
        ]
        after = ["call void @free(ptr %memory)"]
    body = "\n  ".join([*before, *calls, *after, "ret void"])
    return f"define internal fastcc void {head} nounwind noinline {{\n  {body}\n}}\n"
