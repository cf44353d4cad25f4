"""Load and call machine code where free addresses are single pages, gigabytes apart.

``python -m tests.kernels.fragmented`` prints "done" if the code could be loaded and is right.
"""

import ctypes
import math
import mmap
from itertools import pairwise
from pathlib import Path

from poinsot.kernels.llvm.library import load_library
from poinsot.kernels.llvm.target import Target

PAGE = mmap.PAGESIZE
APART = 3 << 30
"""Distance of the free pages [bytes]: more than a 32-bit offset reaches."""
HOLES = 40

CODE = """
declare double @sin(double)

define double @scaled(double %x) {{
  %s = call double @sin(double %x)
  %y = fmul double %s, {factor}
  ret double %y
}}
"""
"""Code that reads a constant from memory and calls a function far away; each fits into a page."""

_C = ctypes.CDLL(None, use_errno=True)
_C.mmap.restype = ctypes.c_void_p
_C.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *([ctypes.c_int] * 3), ctypes.c_long)
_C.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)


def block(size, at=None):
    """Take addresses without memory, where they are wanted if they are free; return the first."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000  # MAP_NORESERVE
    address = _C.mmap(at, size, 0, flags, -1, 0)
    assert address not in (None, 2**64 - 1), ctypes.get_errno()
    return address


def fill_gaps():
    """Take what is free between mappings, but not the terabytes that separate their areas."""
    maps = Path("/proc/self/maps").read_text().splitlines()
    ends = [[int(end, 16) for end in line.split()[0].split("-")] for line in maps]
    for (_, start), (stop, _) in pairwise(ends):
        if 0 < stop - start < 1 << 40:
            taken = block(stop - start, start)
            if taken != start:  # kept free for the stack
                _C.munmap(taken, stop - start)


def scatter():
    """Leave free pages far from each other, and nothing between them."""
    start = block(HOLES * APART)
    fill_gaps()
    for k in range(HOLES):
        assert _C.munmap(start + k * APART + (APART >> 1), PAGE) == 0


def called(library, x):
    """Return what the code gives."""
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(library.address("scaled"))(x)


def main():
    """Load several pieces of code, each with a constant of its own, and call them all."""
    target = Target.current()
    load_library(CODE.format(factor="2.5"), ("scaled",), {}, target)  # LLVM has its memory now
    scatter()
    codes = {k: CODE.format(factor=f"{k + 0.5}") for k in range(3, 9)}
    loaded = {k: load_library(code, ("scaled",), {}, target) for k, code in codes.items()}
    for k, library in loaded.items():
        assert called(library, 2.0) == math.sin(2.0) * (k + 0.5)
    print("done")


if __name__ == "__main__":
    main()
