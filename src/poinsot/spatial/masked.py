"""Masked arrays of NumPy, whose masks conversions leave behind."""

import sys

from poinsot.errors import ArrayTypeError

__all__ = ["refuse_masked"]


def refuse_masked(value: object, where: str) -> None:
    """Reject an array with entries that are masked: it would lose its mask silently.

    Args:
        value: What was given, of any kind.
        where: Opens the message.
    """
    ma = sys.modules.get("numpy.ma")  # who has a masked array has imported it
    if ma is not None and isinstance(value, ma.MaskedArray) and ma.is_masked(value):
        raise ArrayTypeError(
            f"{where} has entries that are masked, and no number stands for those; fill them, "
            "e.g. with array.filled(0.0)"
        )
