"""Functions that many modules call, compiled once for all: sines, angles, rows to lanes and back.

A module declares them; whoever links it finds them by name (``library.py``).
"""

from __future__ import annotations

from poinsot.kernels.llvm.arctangent import atan2_callees, atan2_ir
from poinsot.kernels.llvm.layout import layout_ir
from poinsot.kernels.llvm.prefetch import DECLARATION
from poinsot.kernels.llvm.trig import sincos_callees, sincos_ir


def shared_names(width: int) -> tuple[str, ...]:
    """Return the names of the functions for registers of so many doubles."""
    names = ("sincos", "atan2", "pack", "unpack", "fill", "return", "stream")
    return tuple(f"poinsot.{name}.v{width}" for name in names)


def shared_ir(width: int) -> str:
    """Return the module that defines them."""
    copy = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
    callees = [DECLARATION, copy, *sincos_callees(width), *atan2_callees(width)]
    return "\n".join([*callees, sincos_ir(width), atan2_ir(width), layout_ir(width)])
