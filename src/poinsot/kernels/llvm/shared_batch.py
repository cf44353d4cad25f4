"""A batch of states worked on by several threads, which share out its ranges in machine code."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any, Final

from poinsot.kernels.llvm.library import Library, load_library
from poinsot.kernels.llvm.target import Target
from poinsot.kernels.threads import GRAIN, run_together, threads_for

LEAST_RANGE: Final = 32
"""Groups of ``GRAIN`` states that a thread takes at least: to begin a range costs 0.3 us."""

_CODE: Final = f"""
define i32 @work(ptr %next, i64 %threads, i64 %states, i64 %least, ptr %batch, ptr %in, ptr %out) {{
entry:
  %shares = mul i64 %threads, {4 * GRAIN}
  %begin = load atomic i64, ptr %next monotonic, align 8
  br label %look
look:
  %start = phi i64 [ %begin, %entry ], [ %seen, %take ], [ %seen.after, %range ]
  %before = phi i32 [ 0, %entry ], [ %before, %take ], [ %sofar, %range ]
  %left = sub i64 %states, %start
  %more = icmp sgt i64 %left, 0
  br i1 %more, label %take, label %done
take:
  %groups = sdiv i64 %left, %shares
  %few = icmp slt i64 %groups, %least
  %taken = select i1 %few, i64 %least, i64 %groups
  %size = mul i64 %taken, {GRAIN}
  %end = add i64 %start, %size
  %pair = cmpxchg ptr %next, i64 %start, i64 %end monotonic monotonic
  %seen = extractvalue {{ i64, i1 }} %pair, 0
  %mine = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %mine, label %range, label %look
range:
  %beyond = icmp sgt i64 %end, %states
  %stop = select i1 %beyond, i64 %states, i64 %end
  %status = call i32 %batch(i64 %start, i64 %stop, ptr %in, ptr %out)
  %failed = icmp eq i32 %status, 1
  %sofar = or i32 %before, %status
  %seen.after = load atomic i64, ptr %next monotonic, align 8
  br i1 %failed, label %lost, label %look
lost:
  ret i32 %status
done:
  ret i32 %before
}}
"""
"""Takes ranges from the shared number of the next state until none is left.

Each is a quarter of a thread's share of what is left, so that all threads end together.
"""

_BATCH = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p
)
_WORK = ctypes.CFUNCTYPE(
    ctypes.c_int32, ctypes.c_void_p, *[ctypes.c_int64] * 3, *[ctypes.c_void_p] * 3
)  # fmt: skip


@lru_cache(maxsize=1)
def _work() -> tuple[Any, Library]:
    """Return the function, and the library that it lives in."""
    library = load_library(_CODE, ("work",), {}, Target.of_loops())
    return _WORK(library.address("work")), library


def run_batch(
    batch: int, n_states: int, inputs: int, outputs: int, work: int, least: int = LEAST_RANGE
) -> int:
    """Run all states of a batch; return 0, 1 where memory is short, or what else ``batch`` returns.

    The GIL is released meanwhile.

    Args:
        batch: Where ``int batch(start, stop, inputs, outputs)`` starts; see ``state_loops.py``.
        n_states: States in the batch.
        inputs: Where the addresses of the inputs are.
        outputs: Where the addresses of the outputs are.
        work: Operations per state.
        least: Groups of ``GRAIN`` states that a thread takes at least.
    """
    n_threads = threads_for(n_states, work)
    if n_threads == 1:
        return int(_BATCH(batch)(0, n_states, inputs, outputs))
    next_state = ctypes.c_int64(0)
    place, take = ctypes.addressof(next_state), _work()[0]
    results: list[int] = []
    run_together(
        lambda: results.append(take(place, n_threads, n_states, least, batch, inputs, outputs)),
        n_threads,
    )
    return 1 if 1 in results else max(results)
