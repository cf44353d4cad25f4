"""The type of a field for which more may be given than what is stored."""

from __future__ import annotations

from typing import Any, Generic, NoReturn, Self, TypeVar, overload

__all__ = ["Stored"]

T = TypeVar("T")
G = TypeVar("G")


class Stored(Generic[T, G]):
    """The type of a field that is stored as T, for which the constructor takes G.

    It is for type checkers, which read it as a descriptor; no object of it is ever made.
    """

    def __init__(self) -> NoReturn:
        """Reject: it is a type only."""
        raise TypeError("Stored is the type of a field")

    @overload
    def __get__(self, thing: None, owner: type) -> Self: ...
    @overload
    def __get__(self, thing: object, owner: type) -> T: ...
    def __get__(self, thing: Any, owner: type) -> Any:
        """Return what is stored."""

    def __set__(self, thing: object, given: G) -> None:
        """Store what is given."""
