"""Values as vectors: scalars, arrays, and records of them (dataclasses, tuples), entry by entry.

A layout says how: it is found from a value once, and then packs and unpacks every value alike.
Symmetric matrices are stored as one triangle, triangular ones with a unit diagonal below it; a
field of a dataclass says so by its ``metadata``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.sparse_arithmetic import is_zero

Value: TypeAlias = Any
"""A scalar, an array, None, or a record of such values."""

SYMMETRIC: Final = {"triangle": "symmetric"}
"""Metadata of a field that holds a symmetric matrix."""
UNIT_LOWER: Final = {"triangle": "unit lower"}
"""Metadata of a field that holds a lower triangular matrix with ones on its diagonal."""


class AbstractLayout(ABC):
    """How the values of one shape lie in a vector; equal layouts are interchangeable."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of entries."""

    @abstractmethod
    def packed(self, value: Value) -> list[Any]:
        """Return the entries of a value, numbers or expressions."""

    @abstractmethod
    def unpacked(self, entries: NDArray[Any], owner: Value = None) -> Value:
        """Return the value from its entries, shape (size,).

        Args:
            entries: Numbers or expressions.
            owner: What the value belongs to, for layouts that leave out what it knows.
        """


@final
@dataclass(frozen=True)
class ArrayLayout(AbstractLayout):
    """An array, or a scalar of shape (); ``triangle`` is "", "symmetric" or "unit lower"."""

    shape: tuple[int, ...]
    triangle: str = ""

    @cached_property
    def size(self) -> int:
        """Number of entries."""
        return len(self._stored[0]) if self.triangle else int(np.prod(self.shape, dtype=int))

    @cached_property
    def _stored(self) -> tuple[NDArray[Any], ...]:
        n = self.shape[0]
        return np.triu_indices(n) if self.triangle == "symmetric" else np.tril_indices(n, -1)

    def packed(self, value: Value) -> list[Any]:
        """Return the entries by rows."""
        if not self.shape:
            return [value]
        array = np.asarray(value)
        entries: list[Any] = (array[self._stored] if self.triangle else array.ravel()).tolist()
        return entries

    def unpacked(self, entries: NDArray[Any], owner: Value = None) -> Value:
        """Return the array, or the scalar."""
        if not self.triangle:
            return entries.reshape(self.shape) if self.shape else entries[0]
        full: NDArray[Any] = np.eye(self.shape[0]).astype(object)
        full[self._stored] = entries
        if self.triangle == "symmetric":
            full.T[self._stored] = entries
        return np.array(full.tolist())


@final
@dataclass(frozen=True)
class RecordLayout(AbstractLayout):
    """A dataclass or a tuple: its fields in order."""

    kind: type
    names: tuple[str, ...]
    layouts: tuple[AbstractLayout, ...]

    @cached_property
    def size(self) -> int:
        """Number of entries."""
        return sum(layout.size for layout in self.layouts)

    def packed(self, value: Value) -> list[Any]:
        """Return the entries of all fields."""
        members = value if self.kind is tuple else [getattr(value, name) for name in self.names]
        pairs = zip(self.layouts, members, strict=True)
        return [entry for layout, member in pairs for entry in layout.packed(member)]

    def unpacked(self, entries: NDArray[Any], owner: Value = None) -> Value:
        """Return the record."""
        values, start = [], 0
        for layout in self.layouts:
            values.append(layout.unpacked(entries[start : start + layout.size], owner))
            start += layout.size
        return tuple(values) if self.kind is tuple else self.kind(*values)

    def field(self, name: str) -> tuple[int, AbstractLayout]:
        """Return where a field begins, and its layout."""
        k = self.names.index(name)
        return sum(layout.size for layout in self.layouts[:k]), self.layouts[k]


@final
@dataclass(frozen=True)
class KindLayout(AbstractLayout):
    """The parameters of objects of one kind, which differ in nothing else.

    Attributes:
        kind: An object with other parameters.
        numbers: Gives the parameters of an object.
        rebuilt: Gives an object from another one of its kind and parameters, or symbols.
    """

    kind: Any
    numbers: Callable[[Any], list[float]] = field(repr=False)
    rebuilt: Callable[[Any, NDArray[Any]], Any] = field(repr=False)

    @cached_property
    def size(self) -> int:
        """Number of parameters."""
        return len(self.numbers(self.kind))

    def packed(self, value: Value) -> list[Any]:
        """Return the parameters of an object."""
        return self.numbers(value)

    def unpacked(self, entries: NDArray[Any], owner: Value = None) -> Value:
        """Return an object with these parameters."""
        return self.rebuilt(self.kind, entries)


@final
@dataclass(frozen=True)
class NoLayout(AbstractLayout):
    """What is known without entries: None, or zeros of a shape."""

    zeros: tuple[int, ...] | None = None

    @property
    def size(self) -> int:
        """No entries."""
        return 0

    def packed(self, value: Value) -> list[Any]:
        """Return nothing."""
        return []

    def unpacked(self, entries: NDArray[Any], owner: Value = None) -> Value:
        """Return None or the zeros."""
        return None if self.zeros is None else np.zeros(self.zeros)


def layout_of(value: Value, *, sparse: bool = False) -> AbstractLayout:
    """Return the layout of a value.

    Args:
        value: A scalar, an array, None, a dataclass or tuple of them, or what has a ``layout``.
        sparse: Whether fields of records that are arrays of zeros are left out.

    >>> layout = layout_of((np.zeros(3), np.zeros((3, 3)), 1.0))
    >>> layout.size
    13
    """
    own: AbstractLayout | None = getattr(value, "layout", None)
    if own is not None:
        return own
    if value is None:
        return NoLayout()
    if isinstance(value, tuple):
        kind: type = tuple
        names, triangles = list(map(str, range(len(value)))), [""] * len(value)
    elif is_dataclass(value) and not isinstance(value, type):
        names = [entry.name for entry in fields(value)]
        triangles = [entry.metadata.get("triangle", "") for entry in fields(value)]
        kind = type(value)
    else:
        return ArrayLayout(value.shape if isinstance(value, np.ndarray) else ())
    layouts = []
    for entry, triangle in zip(_fields(value), triangles, strict=True):
        layout = ArrayLayout(entry.shape, triangle) if triangle else layout_of(entry, sparse=sparse)
        if sparse and isinstance(entry, np.ndarray) and all(map(is_zero, entry.ravel().tolist())):
            layout = NoLayout(entry.shape)
        layouts.append(layout)
    return RecordLayout(kind, tuple(names), tuple(layouts))


def _fields(value: Value) -> tuple[Value, ...]:
    if isinstance(value, tuple):
        return value
    return tuple(getattr(value, entry.name) for entry in fields(value))
