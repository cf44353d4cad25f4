"""Samples over time looked up by machine code, in simulations and by the native entry."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from poinsot.kernels.llvm.library import Library, load_library
from poinsot.kernels.llvm.target import Target

_CODE: Final = """
define void @single(ptr %in, ptr %out) nounwind {
entry:
  %p.t = load ptr, ptr %in
  %t = load double, ptr %p.t
  %a.edge = getelementptr ptr, ptr %in, i64 1
  %p.edge = load ptr, ptr %a.edge
  %edge = load double, ptr %p.edge
  %a.times = getelementptr ptr, ptr %in, i64 2
  %times = load ptr, ptr %a.times
  %a.pieces = getelementptr ptr, ptr %in, i64 3
  %pieces = load ptr, ptr %a.pieces
  %a.sizes = getelementptr ptr, ptr %in, i64 4
  %sizes = load ptr, ptr %a.sizes
  %n = load i64, ptr %sizes
  %a.m = getelementptr i64, ptr %sizes, i64 1
  %m = load i64, ptr %a.m
  %a.rates = getelementptr ptr, ptr %in, i64 5
  %rates = load ptr, ptr %a.rates
  %goal = load ptr, ptr %out
  %first = load double, ptr %times
  %n.last = sub i64 %n, 1
  %a.last = getelementptr double, ptr %times, i64 %n.last
  %last = load double, ptr %a.last
  %late = fcmp olt double %edge, %t
  %x0 = select i1 %late, double %edge, double %t
  %early = fcmp olt double %x0, %first
  %x1 = select i1 %early, double %first, double %x0
  %over = fcmp ogt double %x1, %last
  %x = select i1 %over, double %last, double %x1
  br label %search
search:
  %lo = phi i64 [ 0, %entry ], [ %lo.next, %halve ]
  %hi = phi i64 [ %n, %entry ], [ %hi.next, %halve ]
  %width = sub i64 %hi, %lo
  %more = icmp ugt i64 %width, 1
  br i1 %more, label %halve, label %found
halve:
  %sum = add i64 %lo, %hi
  %mid = lshr i64 %sum, 1
  %a.mid = getelementptr double, ptr %times, i64 %mid
  %t.mid = load double, ptr %a.mid
  %right = fcmp ole double %t.mid, %x
  %lo.next = select i1 %right, i64 %mid, i64 %lo
  %hi.next = select i1 %right, i64 %hi, i64 %mid
  br label %search
found:
  %a.lo = getelementptr double, ptr %times, i64 %lo
  %t.lo = load double, ptr %a.lo
  %s = fsub double %x, %t.lo
  %row = mul i64 %lo, %m
  br label %value
value:
  %j = phi i64 [ 0, %found ], [ %j.next, %value ]
  %number = add i64 %row, %j
  %a.piece = getelementptr [4 x double], ptr %pieces, i64 %number
  %a = load double, ptr %a.piece
  %a.b = getelementptr double, ptr %a.piece, i64 1
  %b = load double, ptr %a.b
  %a.c = getelementptr double, ptr %a.piece, i64 2
  %c = load double, ptr %a.c
  %a.d = getelementptr double, ptr %a.piece, i64 3
  %d = load double, ptr %a.d
  %sd = fmul double %s, %d
  %cd = fadd double %c, %sd
  %scd = fmul double %s, %cd
  %bcd = fadd double %b, %scd
  %sbcd = fmul double %s, %bcd
  %y = fadd double %a, %sbcd
  %a.goal = getelementptr double, ptr %goal, i64 %j
  store double %y, ptr %a.goal
  %sd2 = fadd double %sd, %sd
  %sd3 = fadd double %sd, %sd2
  %c2 = fadd double %c, %c
  %cd3 = fadd double %c2, %sd3
  %scd3 = fmul double %s, %cd3
  %r = fadd double %b, %scd3
  %r0 = select i1 %early, double 0.0, double %r
  %a.rate = getelementptr double, ptr %rates, i64 %j
  store double %r0, ptr %a.rate
  %j.next = add i64 %j, 1
  %again = icmp ult i64 %j.next, %m
  br i1 %again, label %value, label %done
done:
  ret void
}
"""
"""``single(in, out)``: values of cubic pieces at a time, found by binary search.

in: the time [s], the last time that counts [s], times (n,), pieces (n, m, 4), sizes n and m, and
where rates [1/s] go, (m,); out: where values go, (m,).
"""


@lru_cache(maxsize=1)
def lookup_library() -> Library:
    """Return the one copy of the code."""
    return load_library(_CODE, ("single",), {}, Target.of_loops())
