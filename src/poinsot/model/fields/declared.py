"""The decorator that makes a class of declared fields, and what such classes have in common."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
)

from numpy.typing import ArrayLike

from poinsot.model.by_structure import ByStructure
from poinsot.model.fields.documented import with_fields
from poinsot.model.fields.field import DECLARATION, Declaration, derived, field
from poinsot.model.fields.registry import register
from poinsot.model.fields.stored import Stored

__all__ = ["Declared", "declarations", "declared"]

T = TypeVar("T")

_SHORT: Final = {ArrayLike: "ArrayLike", ArrayLike | None: "ArrayLike | None"}
"""What signatures show in place of types that would fill a page."""


class Declared(ByStructure):
    """Base of classes of declared fields: checks, labels for messages, equality and repr.

    Attributes:
        kind: What messages call elements of this type, e.g. ``"spring"``.
        family: What it is one of, e.g. ``"force"``.
        file_type: Its type in files; ``kind`` with ``_`` for blanks unless it says otherwise.
        omits_defaults: Whether files omit default values.
        renamed: Attributes that have another name now.
    """

    kind: ClassVar[str]
    family: ClassVar[str]
    file_type: ClassVar[str | None]
    omits_defaults: ClassVar[bool] = True
    renamed: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401
        """Derive the type in files from the kind."""
        super().__init_subclass__(**options)
        namespace = cls.__dict__
        if "kind" in namespace and "file_type" not in namespace:
            cls.file_type = cls.kind.replace(" ", "_")

    def __post_init__(self) -> None:
        """Check and store what was given; stored defaults are cached per class."""
        kind: type = type(self)
        defaults = _stored_defaults(kind)
        held = self.__dict__
        given = dict(held)
        opening = self.called(None)
        for name, declaration in declarations(kind).items():
            value = held[name]
            if value is declaration.default and name in defaults:
                held[name] = defaults[name]
            elif value is not None or declaration.default is not None:
                held[name] = declaration.kind.stored(value, f"{opening}: {name}", self)
                if value is declaration.default:
                    defaults[name] = held[name]
            if name == "name":
                opening = self.label
        self._check_together(given)

    def _check_together(self, given: Mapping[str, Any]) -> None:
        """Reject values that do not fit together, and store what follows from them.

        Args:
            given: What the user gave, by field, for messages.
        """

    def _store(self, **values: Any) -> None:  # noqa: ANN401 (as the fields)
        """Set fields, while the object is made."""
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def called(cls, name: str | None) -> str:
        """Return what messages call an element of this name, e.g. ``"spring 'left'"``."""
        return cls.kind if name is None else f"{cls.kind} {name!r}"

    @property
    def label(self) -> str:
        """What messages call it."""
        return self.called(getattr(self, "name", None))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401
            """Say what an attribute is called now."""
            new = type(self).renamed.get(name)
            hint = "" if new is None else f"; it is called {new!r} now"
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")

    def __repr__(self) -> str:
        """Show all declared fields."""
        cls: Any = type(self)
        shown = (f"{name}={getattr(self, name)!r}" for name in declarations(cls))
        return f"{type(self).__qualname__}({', '.join(shown)})"


@dataclass_transform(field_specifiers=(field, derived))
def declared(cls: type[T]) -> type[T]:
    """Make an immutable class of the fields that a class declares; see :mod:`poinsot.model.fields`.

    The constructor is made from the fields, and so is the part of the docstring that describes
    them.  A class with a ``kind`` can be held by files.
    """
    made = dataclasses.dataclass(frozen=True, repr=False)(cls)
    given = made.__init__.__annotations__
    for name, kind in given.items():
        origin: object = get_origin(kind)
        if origin is Stored:
            given[name] = _SHORT.get(get_args(kind)[1], get_args(kind)[1])
    made.__doc__ = with_fields(made.__doc__, made)
    register(made)
    return made


@cache
def declarations(cls: type[Any]) -> Mapping[str, Declaration]:
    """Return the declared fields of a class by name."""
    metadata = {
        attribute.name: attribute.metadata.get(DECLARATION) for attribute in dataclasses.fields(cls)
    }
    return {name: declaration for name, declaration in metadata.items() if declaration is not None}


@cache
def _stored_defaults(cls: type[Any]) -> dict[str, Any]:
    """Return the cache of the stored defaults of a class, by field."""
    return {}
