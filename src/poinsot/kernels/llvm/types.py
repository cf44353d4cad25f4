"""Names of LLVM types and constants for a number of lanes; one lane is a plain double."""

from __future__ import annotations

import struct


class Lanes:
    """The types of ``width`` doubles side by side, and numbers in every lane."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.scalar = width == 1
        self.real = "double" if self.scalar else f"<{width} x double>"
        self.suffix = "f64" if self.scalar else f"v{width}f64"
        self.bit = "i1" if self.scalar else f"<{width} x i1>"
        self.falses = "false" if self.scalar else "zeroinitializer"
        # LLVM keeps registers on the stack as the caller left it, across cache lines if need be
        self.stack = "" if self.scalar else f"alignstack({8 * width})"

    def number(self, value: float) -> str:
        """Return a double in every lane, as its bits: decimal text may round."""
        text = double(value)
        return text if self.scalar else f"splat (double {text})"


def double(value: float) -> str:
    """Return the IR text of a double, exactly.

    >>> double(1.0)
    '0x3FF0000000000000'
    """
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
