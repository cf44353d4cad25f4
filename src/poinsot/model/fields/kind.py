"""The contract of a kind of value: the check of what is given, and what is stored of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

__all__ = ["AbstractKind"]


class AbstractKind(ABC):
    """What a field holds.

    Attributes:
        words: What is asked of values, for ``help``: ``"not negative"``.
        numbers: How many numbers it holds that may be symbols in the rolled form.
        file_form: What files hold: a key of ``io.native.values.FORMS``; empty: something else,
            for which that package has a reader and a writer.
    """

    words: str = ""
    numbers: ClassVar[int] = 0
    file_form: ClassVar[str] = ""

    @abstractmethod
    def stored(self, given: Any, where: str, owner: Any) -> Any:  # noqa: ANN401
        """Return what is stored of what a user gave, or reject it.

        Args:
            given: Whatever a user gave.
            where: Opens the message, e.g. ``"spring 'left': stiffness"``.
            owner: The element, with the fields that were declared before this one.

        Raises:
            ModelError: If it is wrong.
        """

    def with_values(self, value: Any, values: Mapping[str, float]) -> Any:  # noqa: ANN401
        """Return what is stored with numbers in place of names, where it holds formulas as text.

        Args:
            value: What is stored.
            values: The numbers by name.
        """
        return value
