"""The most floating-point operations that one core does in a second.

``python -m benchmarks.peak`` runs independent chains of fused multiply-adds on the widest vectors,
enough of them to hide the latency, and nothing else.
"""

import ctypes
from collections.abc import Callable

from benchmarks.timing import Case, median_times, use_one_core
from poinsot.kernels.llvm.library import Library
from poinsot.kernels.llvm.target import Target, compile_object
from poinsot.kernels.llvm.types import Lanes

CHAINS = 12
"""Two units with a latency of 5 cycles need 10; with two constants they fit in 16 registers."""

ROUNDS = 100_000


def peak_gflops(*, repeats: int = 70) -> float:
    """Return the measured peak of this core [GFLOP/s]; a fused multiply-add counts as two."""
    width = Target.current().width
    case = Case("function(rounds)", {"function": peak_function(width), "rounds": ROUNDS})
    (seconds,) = median_times([case], repeats=repeats)
    return 2 * width * CHAINS * ROUNDS / seconds / 1e9


def peak_function(width: int) -> Callable[[int], float]:
    """Return the compiled function of a number of rounds; it lets other threads run meanwhile."""
    target = Target.current()
    library = Library(compile_object(peak_ir(width), target), ("peak",), {})
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64)(library.address("peak"))

    def call(rounds: int) -> float:
        return float(function(rounds))

    call.code = library  # the code lives as long as the function
    return call


def peak_ir(width: int) -> str:
    """Return the module of ``double @peak(i64 rounds)``: x = 0.5 x + 1 in every chain and lane."""
    lanes = Lanes(width)
    real, fma = lanes.real, f"@llvm.fmuladd.{lanes.suffix}"
    half, one = lanes.number(0.5), lanes.number(1.0)
    start = [
        f"  %x{k} = phi {real} [ {lanes.number(float(k))}, %entry ], [ %y{k}, %loop ]"
        for k in range(CHAINS)
    ]
    step = [
        f"  %y{k} = call {real} {fma}({real} %x{k}, {real} {half}, {real} {one})"
        for k in range(CHAINS)
    ]
    total = [
        f"  %s{k} = fadd {real} %{f's{k - 1}' if k > 1 else 'y0'}, %y{k}" for k in range(1, CHAINS)
    ]
    return "\n".join(
        [
            f"declare {real} {fma}({real}, {real}, {real})",
            "define double @peak(i64 %rounds) {",
            "entry:",
            "  br label %loop",
            "loop:",
            "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
            *start,
            *step,
            "  %next = add i64 %i, 1",
            "  %more = icmp ult i64 %next, %rounds",
            "  br i1 %more, label %loop, label %done",
            "done:",
            *total,
            f"  %first = extractelement {real} %s{CHAINS - 1}, i32 0",
            "  ret double %first",
            "}",
        ]
    )


if __name__ == "__main__":
    use_one_core()
    print(f"{peak_gflops():.1f} GFLOP/s")
