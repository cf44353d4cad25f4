"""Programs as text in other languages, and as functions of other libraries.

They know programs with named inputs and outputs, and no mechanics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from poinsot.kernels.export.c import to_c
from poinsot.kernels.export.cuda import to_cuda
from poinsot.kernels.export.octave import to_octave
from poinsot.kernels.export.python import to_python
from poinsot.kernels.export.routine import Package, Routine, identifier, printable
from poinsot.kernels.export.sources import Sources

LANGUAGES: Final[Mapping[str, Callable[[Package, str], Sources]]] = {
    "c": to_c,
    "cuda": to_cuda,
    "octave": to_octave,
    "python": to_python,
}
"""What writes each language; "octave" is MATLAB too."""

__all__ = ["LANGUAGES", "Package", "Routine", "Sources", "identifier", "printable"]
