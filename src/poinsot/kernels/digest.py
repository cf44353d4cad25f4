"""Digests of values, the same in every process: the keys of the disk cache.

Numbers enter by their bits and objects by their class and all their fields, so that a new kind of
joint or a new field changes the digest without a line here.  A field that no kernel depends on says
so itself: ``field(metadata={"in_digest": False})``.
"""

from __future__ import annotations

import marshal
import os
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from poinsot.expr import Expr, to_rows
from poinsot.started import STARTED

PACKAGE: Final = "poinsot"
DIGITS: Final = 40
"""Hexadecimal digits of a digest: 160 bits."""

_PLAIN = frozenset({type(None), bool, int, float, str, bytes})
# The last version of the format that writes a value in one way only; later ones share objects.
_MARSHAL_VERSION = 2


def digest(*values: object) -> str:
    """Return hexadecimal digits that differ whenever the values do.

    Values are numbers, text, bytes, NumPy arrays, expressions, tuples, lists and dictionaries of
    such, and the dataclasses and enumerations of this package.

    Raises:
        TypeError: For anything else: a class of another package may change its meaning without our
            notice.

    >>> digest(1.0, "q") == digest(1.0, "q"), digest(0.0) == digest(-0.0), digest(1) == digest(1.0)
    (True, False, False)
    """
    text = marshal.dumps(_plain(values), _MARSHAL_VERSION)
    return blake2b(text, digest_size=DIGITS // 2).hexdigest()


@cache
def source_digest(names: tuple[str, ...]) -> str | None:
    """Return the digest of the source of these folders and modules of the package.

    Contents are read, about 2 ms: modification times are unreliable.  None where the source
    cannot be read, in a zip file for instance, or may not be what this process runs.
    """
    root = os.path.dirname(os.path.dirname(__file__))
    paths = [os.path.join(root, f"{name}.py") for name in names]
    paths = [path for path in paths if not os.path.isdir(path.removesuffix(".py"))]
    for name in names:
        for folder, _, files in os.walk(os.path.join(root, name)):
            paths += [os.path.join(folder, file) for file in files if file.endswith(".py")]
    content = []
    try:
        for path in sorted(paths):
            with open(path, "rb", buffering=0) as file:
                if os.fstat(file.fileno()).st_mtime > STARTED:
                    return None  # edited since
                content.append((path.removeprefix(root), file.read()))
    except OSError:
        return None
    return digest(content)


def _plain(thing: Any) -> Any:  # noqa: ANN401
    """Return a thing as nested tuples and lists of plain values; lists open with a name."""
    kind = type(thing)
    if kind in _PLAIN:
        return thing
    if kind is tuple:
        return thing if _PLAIN.issuperset(map(type, thing)) else tuple(map(_plain, thing))
    if kind is list:
        return ["list", *map(_plain, thing)]
    if kind is dict:
        return ["dict", *[(_plain(key), _plain(value)) for key, value in thing.items()]]
    if isinstance(thing, np.ndarray | np.generic) and thing.dtype.kind in "biuf":
        return ["array", thing.dtype.str, thing.shape, thing.tobytes()]
    if kind is Expr:
        return ["formula", *to_rows(thing)]
    name, entries = _description(thing.__class__)
    if entries is None:
        return [name, thing.name]
    return [name, *[_plain(getattr(thing, entry)) for entry in entries]]


@cache
def _description(kind: type) -> tuple[str, tuple[str, ...] | None]:
    """Return the name of a class and of its fields; None instead of fields for an enumeration."""
    name = f"{kind.__module__}.{kind.__qualname__}"
    if kind.__module__.partition(".")[0] == PACKAGE:
        if issubclass(kind, Enum):
            return name, None
        if is_dataclass(kind):
            kept = (field for field in fields(kind) if field.metadata.get("in_digest", True))
            return name, tuple(field.name for field in kept)
    raise TypeError(f"{name} has no digest: it is no plain value and no dataclass of {PACKAGE}")
