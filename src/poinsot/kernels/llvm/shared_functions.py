"""Functions that many modules call, compiled once for all: sines, rows to lanes and back.

A module declares them; whoever links it finds them by name (``library.py``).
"""

from __future__ import annotations

from poinsot.kernels.llvm.layout import layout_ir
from poinsot.kernels.llvm.prefetch import DECLARATION
from poinsot.kernels.llvm.trig import sincos_callees, sincos_ir


def shared_names(width: int) -> tuple[str, ...]:
    """Return the names of the functions for registers of so many doubles."""
    return tuple(f"poinsot.{name}.v{width}" for name in ("sincos", "pack", "unpack"))


def shared_ir(width: int) -> str:
    """Return the module that defines them."""
    return "\n".join([DECLARATION, *sincos_callees(width), sincos_ir(width), layout_ir(width)])
