"""The errors that poinsot raises; each message names the thing, the value and the remedy."""

from __future__ import annotations

import sys
from collections.abc import Hashable

LONGEST = 2000
"""Most characters of a message; names and values in it come from files and may be of any length."""


class PoinsotError(Exception):
    """Base of every error that poinsot raises on purpose."""

    def __str__(self) -> str:
        text = super().__str__()
        half = LONGEST // 2
        return text if len(text) <= LONGEST else f"{text[:half]} ... {text[-half:]}"


class ModelError(PoinsotError, ValueError):
    """The description of a mechanism is wrong."""


class OverconstrainedError(ModelError):
    """Bodies of a planar mechanism have more equations than they can; ``bodies`` names them."""

    def __init__(self, message: str, bodies: tuple[Hashable, ...]) -> None:
        super().__init__(message)
        self.bodies = bodies


class DriverCountError(ModelError):
    """A planar mechanism has more or fewer drivers than degrees of freedom.

    Attributes:
        equations: Number of equations of pairs and drivers.
        coordinates: How many there should be: three for each moving body.
    """

    def __init__(self, message: str, *, equations: int, coordinates: int) -> None:
        super().__init__(message)
        self.equations = equations
        self.coordinates = coordinates


class AssemblyError(PoinsotError):
    """A mechanism cannot be assembled from a guess; the message names the violated loop."""


class SingularUnitError(PoinsotError, ArithmeticError):
    """Velocities, accelerations and forces of a unit are not determined where it is."""


class ShapeError(PoinsotError, ValueError):
    """An array has the wrong shape."""


class ArrayTypeError(PoinsotError, TypeError):
    """An argument is not an array of real numbers that can be used here."""


class ProgramError(PoinsotError, ValueError):
    """A program of expressions breaks a rule."""


class FormulaError(PoinsotError, ValueError):
    """A formula written as text cannot be read; the message points at the character."""


class MissingPackageError(PoinsotError, ImportError):
    """A package of one of the extras is not installed."""


class ModelWarning(UserWarning):
    """The description of a mechanism is valid but looks implausible."""


class CacheWarning(UserWarning):
    """Compiled code cannot be kept on disk or read from it; it is compiled again instead."""


def users_line() -> int:
    """Return the ``stacklevel`` at which a warning of our caller shows the line of our user."""
    level, frame = 1, sys._getframe(1)  # noqa: SLF001
    while frame.f_globals.get("__name__", "").partition(".")[0] == "poinsot":
        if frame.f_back is None:
            break
        level, frame = level + 1, frame.f_back
    return level
