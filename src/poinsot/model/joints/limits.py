"""Limits of a joint: data that travels with it.

They are not enforced by the dynamics; checks, controllers and files read them.  No limit is
infinity where numbers stand beside it (a range with one end), and nothing where none does.
"""

import math
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.expr.same_formula import same
from poinsot.model.checks import real_array, scalar_array
from poinsot.model.fields import AbstractKind, Declared, Stored, declared, field
from poinsot.model.scalar_values import is_symbolic
from poinsot.spatial import Scalar

__all__ = ["Limits", "Positions", "Sizes"]

Numbers = tuple[Scalar, ...]


class Positions(AbstractKind):
    """The smallest and the largest of each coordinate."""

    def stored(self, given: Any, where: str, owner: Any) -> tuple[Numbers, ...]:  # noqa: ANN401
        """Return both, or nothing where nothing is limited."""
        return _range(given) if given is not None and given != () else ()


class Sizes(AbstractKind):
    """The largest size of each of several numbers."""

    words = "not negative"

    def stored(self, given: Any, where: str, owner: Any) -> Numbers:  # noqa: ANN401
        """Return the sizes, or nothing where nothing is limited."""
        numbers = () if given is None else _numbers(given, where)
        if any(_exceeds(0.0, x) for x in numbers):
            raise ModelError(f"{where} must not be negative, got {given!r}")
        return () if all(map(_is_infinite, numbers)) else numbers


@final
@declared
class Limits(Declared):
    """Ranges of a joint: immutable, hashable; one number for all coordinates, or one for each.

    Examples:
        >>> Limits(position=(-3, 3), velocity=5, effort=50).upper
        (3.0,)
        >>> Limits(position=(0, math.inf)).upper, Limits(velocity=math.inf) == Limits()
        ((inf,), True)
    """

    kind: ClassVar[str] = "limits"

    position: Stored[tuple[Numbers, ...], tuple[ArrayLike, ...] | None] = field(
        Positions(),
        "Smallest and largest coordinates; -inf and inf are no limits; empty: none is limited",
        unit="m or rad", default=(),
    )  # fmt: skip
    velocity: Stored[Numbers, ArrayLike | None] = field(
        Sizes(), "Largest speeds; inf or empty: no limit", unit="m/s or rad/s", default=()
    )
    effort: Stored[Numbers, ArrayLike | None] = field(
        Sizes(), "Largest joint forces; inf or empty: no limit", unit="N or N·m", default=()
    )

    @property
    def lower(self) -> Numbers:
        """The smallest coordinates; empty: not limited."""
        return self.position[0] if self.position else ()

    @property
    def upper(self) -> Numbers:
        """The largest coordinates; empty: not limited."""
        return self.position[1] if self.position else ()

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


def _range(position: Any) -> tuple[Numbers, ...]:  # noqa: ANN401 (whatever a user gives)
    if not isinstance(position, tuple | list) or len(position) != 2:
        raise ModelError(f"limits: position must be (smallest, largest), got {position!r}")
    lower, upper = (_numbers(bound, "limits: position") for bound in position)
    if len(lower) != len(upper) or any(_exceeds(a, b) for a, b in zip(lower, upper, strict=True)):
        raise ModelError(
            f"limits: the smallest position must not exceed the largest, got {position!r}"
        )
    if any(same(x, math.inf) for x in lower) or any(same(x, -math.inf) for x in upper):
        raise ModelError(
            f"limits: no limit is -inf for the smallest and inf for the largest, got {position!r}"
        )
    unlimited = all(map(_is_infinite, (*lower, *upper)))
    return () if unlimited else (lower, upper)


def _numbers(value: ArrayLike, where: str) -> Numbers:
    array = scalar_array(value, where) if is_symbolic(value) else real_array(value, where)
    if not is_symbolic(array) and np.isnan(array).any():
        raise ModelError(f"{where} must be numbers, got {value!r}")
    if array.ndim > 1:
        raise ModelError(f"{where} must be one number or a flat list of them, got {value!r}")
    return tuple(np.atleast_1d(array).tolist())


def _exceeds(a: Scalar, b: Scalar) -> bool:
    """Say whether a > b; False for formulas."""
    return not is_symbolic(a, b) and a > b


def _is_infinite(x: Scalar) -> bool:
    return not is_symbolic(x) and math.isinf(x)
