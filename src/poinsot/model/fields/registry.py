"""The types of elements by the names that files give them, users' own among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from poinsot.errors import ModelError

__all__ = ["register", "types_of"]

_TYPES: dict[str, dict[str, type[Any]]] = {}


def register(cls: type[Any]) -> None:
    """Let files hold elements of a class: of its ``family``, under its ``file_type``.

    A class that is made again, as by running a cell of a notebook twice, takes the place of the
    first.
    """
    family, name = getattr(cls, "family", None), getattr(cls, "file_type", None)
    if family is None or name is None:
        return
    types = _TYPES.setdefault(family, {})
    other = types.setdefault(name, cls)
    if (other.__module__, other.__qualname__) != (cls.__module__, cls.__qualname__):
        raise ModelError(
            f"{cls.__qualname__}: files call {other.__qualname__} {name!r} already; "
            "give file_type another name"
        )
    types[name] = cls


def types_of(family: str) -> Mapping[str, type[Any]]:
    """Return the types of a family, ``"force"`` for instance, that are known, by their names."""
    return _TYPES.get(family, {})
