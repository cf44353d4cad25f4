"""Functions on ranges of vectors as LLVM IR text: product, and subtraction of a multiple."""

from __future__ import annotations

from poinsot.kernels.llvm.types import Lanes


def product_ir(name: str, width: int) -> str:
    """Return ``@name.product(a, b, start, stop)``: whole registers, then single entries."""
    lanes = Lanes(width)
    real = lanes.real
    return f"""
define internal fastcc double @{name}.product(ptr %a, ptr %b, i64 %start, i64 %stop) nounwind {{
entry:
  %near = sub i64 %stop, {width - 1}
  br label %head
head:
  %i = phi i64 [ %start, %entry ], [ %i.next, %body ]
  %sum = phi {real} [ zeroinitializer, %entry ], [ %sum.next, %body ]
  %more = icmp slt i64 %i, %near
  br i1 %more, label %body, label %reduce
body:
  %a.at = getelementptr double, ptr %a, i64 %i
  %b.at = getelementptr double, ptr %b, i64 %i
  %x = load {real}, ptr %a.at, align 8
  %y = load {real}, ptr %b.at, align 8
  %xy = fmul contract {real} %x, %y
  %sum.next = fadd contract {real} %sum, %xy
  %i.next = add i64 %i, {width}
  br label %head
reduce:
  %whole = call reassoc double @llvm.vector.reduce.fadd.{lanes.suffix}(double -0.0, {real} %sum)
  br label %rest
rest:
  %j = phi i64 [ %i, %reduce ], [ %j.next, %single ]
  %total = phi double [ %whole, %reduce ], [ %total.next, %single ]
  %left = icmp slt i64 %j, %stop
  br i1 %left, label %single, label %done
single:
  %c.at = getelementptr double, ptr %a, i64 %j
  %d.at = getelementptr double, ptr %b, i64 %j
  %u = load double, ptr %c.at
  %v = load double, ptr %d.at
  %uv = fmul contract double %u, %v
  %total.next = fadd contract double %total, %uv
  %j.next = add i64 %j, 1
  br label %rest
done:
  ret double %total
}}
"""


def subtract_ir(name: str, width: int) -> str:
    """Return ``@name.subtract(a, factor, b, start, stop)``: a - factor b in the place of a."""
    real = Lanes(width).real
    mask = f"<{width} x i32> zeroinitializer"
    return f"""
define internal fastcc void @{name}.subtract(ptr %a, double %factor, ptr %b, i64 %start, i64 %stop)
 nounwind {{
entry:
  %near = sub i64 %stop, {width - 1}
  %first = insertelement {real} poison, double %factor, i32 0
  %factors = shufflevector {real} %first, {real} poison, {mask}
  br label %head
head:
  %i = phi i64 [ %start, %entry ], [ %i.next, %body ]
  %more = icmp slt i64 %i, %near
  br i1 %more, label %body, label %rest
body:
  %a.at = getelementptr double, ptr %a, i64 %i
  %b.at = getelementptr double, ptr %b, i64 %i
  %x = load {real}, ptr %a.at, align 8
  %y = load {real}, ptr %b.at, align 8
  %fy = fmul contract {real} %factors, %y
  %z = fsub contract {real} %x, %fy
  store {real} %z, ptr %a.at, align 8
  %i.next = add i64 %i, {width}
  br label %head
rest:
  %j = phi i64 [ %i, %head ], [ %j.next, %single ]
  %left = icmp slt i64 %j, %stop
  br i1 %left, label %single, label %done
single:
  %c.at = getelementptr double, ptr %a, i64 %j
  %d.at = getelementptr double, ptr %b, i64 %j
  %u = load double, ptr %c.at
  %v = load double, ptr %d.at
  %fv = fmul contract double %factor, %v
  %r = fsub contract double %u, %fv
  store double %r, ptr %c.at
  %j.next = add i64 %j, 1
  br label %rest
done:
  ret void
}}
"""
