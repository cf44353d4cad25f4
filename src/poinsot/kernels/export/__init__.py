"""Programs as text in other languages, and as functions of other libraries.

They take programs with named inputs and outputs; nothing here depends on mechanics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from poinsot.lazy import lazy_names, when_called

if TYPE_CHECKING:
    from poinsot.kernels.export.routine import Package, Routine, identifier, printable
    from poinsot.kernels.export.sources import Sources
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "routine": "Package Routine identifier printable",
            "sources": "Sources",
        },
    )

LANGUAGES: Final[Mapping[str, Callable[[Package, str], Sources]]] = {
    "c": when_called("poinsot.kernels.export.c:to_c"),
    "cuda": when_called("poinsot.kernels.export.cuda:to_cuda"),
    "octave": when_called("poinsot.kernels.export.octave:to_octave"),
    "python": when_called("poinsot.kernels.export.python:to_python"),
}
"""What writes each language; "octave" is MATLAB too."""

__all__ = ["LANGUAGES", "Package", "Routine", "Sources", "identifier", "printable"]
