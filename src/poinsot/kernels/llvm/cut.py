"""Long programs cut into functions that hand values on through an array.

LLVM's time grows faster than the length of a function beyond about 15 000 steps; cut, it grows with
the length only, and the code is as fast.
"""

from __future__ import annotations

from typing import Final

LONGEST_FUNCTION: Final = 4000
"""Steps in one function."""

LARGEST_ON_STACK: Final = 1 << 17
"""Bytes of kept values up to which they live on the stack."""


def parts_of(steps: list[int]) -> list[list[int]]:
    """Return the steps of each function."""
    size = LONGEST_FUNCTION
    return [steps[k : k + size] for k in range(0, len(steps), size)] or [[]]


def around_keep(head: str, size: int, calls: list[str]) -> str:
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
