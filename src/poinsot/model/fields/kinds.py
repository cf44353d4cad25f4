"""Kinds of values that many elements have; what one family alone has is beside that family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.checks import Vec3, checked_name, scalar_number, scalar_vector
from poinsot.model.fields.kind import AbstractKind
from poinsot.model.fields.stored import Stored
from poinsot.model.name_suggestion import suggestion
from poinsot.model.scalar_values import is_symbolic
from poinsot.spatial import Scalar

__all__ = [
    "Choice",
    "Instance",
    "Name",
    "Number",
    "Truth",
    "Vector",
    "Vector3",
    "Whole",
]

Vector3 = Stored[Vec3, ArrayLike]
"""The type of a field of three numbers."""

Sign = Literal["", "not negative", "positive", "not zero"]


@dataclass(frozen=True)
class Number(AbstractKind):
    """A finite number, or a formula of parameters.

    Attributes:
        words: What its sign may be.
        hint: What else may be meant where the sign is wrong.
    """

    words: Sign = ""
    hint: str = ""
    numbers: ClassVar[int] = 1
    file_form: ClassVar[str] = "number"

    def stored(self, given: Any, where: str, owner: Any) -> Scalar:  # noqa: ANN401
        """Return a float or a formula."""
        number = scalar_number(given, where)
        if not is_symbolic(number):
            hint = f"; {self.hint}" if self.hint else ""
            if self.words == "not negative" and number < 0.0:
                raise ModelError(f"{where} must not be negative, got {given!r}{hint}")
            if self.words == "positive" and number <= 0.0:
                raise ModelError(f"{where} must be positive, got {given!r}{hint}")
            if self.words == "not zero" and number == 0.0:
                raise ModelError(f"{where} must not be zero{hint}")
        return number


@dataclass(frozen=True)
class Vector(AbstractKind):
    """Three numbers or formulas.

    Attributes:
        words: What the signs of all of them may be.
    """

    words: Literal["", "not negative"] = ""
    numbers: ClassVar[int] = 3
    file_form: ClassVar[str] = "vector"

    def stored(self, given: Any, where: str, owner: Any) -> Vec3:  # noqa: ANN401
        """Return three floats or formulas."""
        x, y, z = scalar_vector(given, 3, where).tolist()
        if self.words and not is_symbolic((x, y, z)) and min(x, y, z) < 0:
            raise ModelError(f"{where} must not be negative, got {given!r}")
        return x, y, z


@dataclass(frozen=True)
class Whole(AbstractKind):
    """A whole number of at least 0.

    Attributes:
        of: What it is the number of, for the message.
    """

    of: str
    file_form: ClassVar[str] = "whole"

    def stored(self, given: Any, where: str, owner: Any) -> int:  # noqa: ANN401
        """Return the number."""
        if isinstance(given, bool) or not isinstance(given, int) or given < 0:
            raise ModelError(f"{where} must be the number of {self.of}, 0 or more, got {given!r}")
        return given


class Name(AbstractKind):
    """A text that is not empty."""

    file_form: ClassVar[str] = "text"

    def stored(self, given: Any, where: str, owner: Any) -> str:  # noqa: ANN401
        """Return the text."""
        return checked_name(given, where)


class Truth(AbstractKind):
    """True or False."""

    file_form: ClassVar[str] = "truth"

    def stored(self, given: Any, where: str, owner: Any) -> bool:  # noqa: ANN401
        """Return it."""
        if not isinstance(given, bool):
            raise ModelError(f"{where} must be True or False, got {given!r}")
        return given


@dataclass(frozen=True, init=False)
class Choice(AbstractKind):
    """One of several words."""

    options: tuple[str, ...]
    words: str
    file_form: ClassVar[str] = "text"

    def __init__(self, *options: str) -> None:
        """Store the words."""
        object.__setattr__(self, "options", options)
        object.__setattr__(self, "words", " or ".join(map(repr, options)))

    def stored(self, given: Any, where: str, owner: Any) -> str:  # noqa: ANN401
        """Return the word."""
        if given not in self.options:
            hint = suggestion(str(given), self.options)
            raise ModelError(f"{where} must be {self.words}, got {given!r}; {hint}")
        return str(given)


@dataclass(frozen=True)
class Instance(AbstractKind):
    """An object of a class.

    Attributes:
        of: The class.
        example: How one is written, for the message.
        called: What messages call one; by default after its class.
    """

    of: type[Any]
    example: str
    called: str = ""

    def stored(self, given: Any, where: str, owner: Any) -> Any:  # noqa: ANN401
        """Return the object."""
        if isinstance(given, self.of):
            return given
        asked = f"{where} must be {self.called or f'a {self.of.__name__}'}, e.g. {self.example}"
        if isinstance(given, type) and issubclass(given, self.of):
            name = given.__name__
            raise ModelError(f"{asked}, not its class; write {name}() for {name}")
        raise ModelError(f"{asked}, got {given!r}")
