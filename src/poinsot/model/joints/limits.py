"""Limits of a joint: data that travels with it.

They are not enforced by the dynamics; checks, controllers and files read them.  No limit is
infinity where numbers stand beside it (a range with one end), and nothing where none does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.expr.same import same
from poinsot.model.by_structure import ByStructure
from poinsot.model.checks import real_array, scalar_array
from poinsot.model.numbers import is_symbolic
from poinsot.spatial import Scalar

__all__ = ["Limits"]

Numbers = tuple[Scalar, ...]


@dataclass(frozen=True, init=False)
class Limits(ByStructure):
    """Ranges of a joint: immutable, hashable; one number for all coordinates, or one for each.

    Attributes:
        lower, upper: Smallest and largest coordinate [m or rad]; empty: not limited.  An end that
            is not limited is -inf or inf.
        velocity: Largest speed [m/s or rad/s]; empty or inf: not limited.
        effort: Largest joint force [N or N·m]; empty or inf: not limited.

    Examples:
        >>> Limits(position=(-3, 3), velocity=5, effort=50).upper
        (3.0,)
        >>> Limits(position=(0, math.inf)).upper, Limits(velocity=math.inf) == Limits()
        ((inf,), True)
    """

    lower: Numbers
    upper: Numbers
    velocity: Numbers
    effort: Numbers

    def __init__(
        self,
        position: tuple[ArrayLike, ArrayLike] | None = None,
        velocity: ArrayLike | None = None,
        effort: ArrayLike | None = None,
    ) -> None:
        """Check and store the limits.

        Args:
            position: Smallest and largest coordinates [m or rad]; -inf and inf are no limits.
            velocity: Largest speeds [m/s or rad/s], not negative; inf is no limit.
            effort: Largest joint forces [N or N·m], not negative; inf is no limit.
        """
        lower, upper = ((), ()) if position is None else _range(position)
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)
        object.__setattr__(self, "velocity", _size("velocity", velocity))
        object.__setattr__(self, "effort", _size("effort", effort))

    def check(self, nq: int, nv: int, where: str) -> None:
        """Raise :class:`ModelError` unless there is one number for all, or one for each."""
        for name, values, size in (
            ("position", self.lower, nq),
            ("velocity", self.velocity, nv),
            ("effort", self.effort, nv),
        ):
            if len(values) not in (0, 1, size):
                raise ModelError(
                    f"{where}: {name} limits must be one number or {size}, got {len(values)}"
                )


def _range(position: tuple[ArrayLike, ArrayLike]) -> tuple[Numbers, Numbers]:
    if not isinstance(position, tuple | list) or len(position) != 2:
        raise ModelError(f"limits: position must be (smallest, largest), got {position!r}")
    lower, upper = (_numbers("position", part) for part in position)
    if len(lower) != len(upper) or any(_exceeds(a, b) for a, b in zip(lower, upper, strict=True)):
        raise ModelError(
            f"limits: the smallest position must not exceed the largest, got {position!r}"
        )
    if any(same(x, math.inf) for x in lower) or any(same(x, -math.inf) for x in upper):
        raise ModelError(
            f"limits: no limit is -inf for the smallest and inf for the largest, got {position!r}"
        )
    unlimited = all(map(_is_infinite, (*lower, *upper)))
    return ((), ()) if unlimited else (lower, upper)


def _size(name: str, value: ArrayLike | None) -> Numbers:
    numbers = () if value is None else _numbers(name, value)
    if any(_exceeds(0.0, x) for x in numbers):
        raise ModelError(f"limits: {name} must not be negative, got {value!r}")
    return () if all(map(_is_infinite, numbers)) else numbers


def _numbers(name: str, value: ArrayLike) -> Numbers:
    where = f"limits: {name}"
    array = scalar_array(value, where) if is_symbolic(value) else real_array(value, where)
    if not is_symbolic(array) and np.isnan(array).any():
        raise ModelError(f"limits: {name} must be numbers, got {value!r}")
    if array.ndim > 1:
        raise ModelError(f"limits: {name} must be one number or a flat list of them, got {value!r}")
    return tuple(np.atleast_1d(array).tolist())


def _exceeds(a: Scalar, b: Scalar) -> bool:
    """Say whether a > b; of formulas it is not known."""
    return not is_symbolic(a, b) and a > b


def _is_infinite(x: Scalar) -> bool:
    return not is_symbolic(x) and math.isinf(x)
