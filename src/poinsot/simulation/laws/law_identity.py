"""When two functions of the user are the same law: then it is traced and compiled once.

A law is traced by calling it once with symbols.  What that gives depends on its code and on the
values it reads: closure, defaults, globals, and likewise those of the functions it calls.  Numbers,
texts, tuples, lists, dictionaries and arrays count by their present values, so one that was changed
in place makes another law; functions of NumPy and of this package count by identity, objects of
this package, which are immutable, as they compare.  Of everything else (objects of other classes,
functions with attributes, random numbers, files, imports inside the law) nothing is assumed: such a
law is traced every time.
"""

from __future__ import annotations

import builtins
import dis
from collections.abc import Callable, Hashable
from functools import lru_cache, partial, wraps
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final, TypeVar

import numpy as np

from poinsot.expr import Expr
from poinsot.model import Mechanism
from poinsot.simulation.laws.callback import Callback

MOST = 64
"""Laws of a kind that are remembered."""
LARGEST = 4096
"""Entries of an array or a list beyond which its law is traced every time."""
DEEPEST = 50
"""Containers and functions within one another beyond which it is, too."""
TRUSTED: Final = ("numpy", "poinsot", "math", "cmath", "operator")
"""Packages whose functions depend on nothing but their arguments, those below excepted."""
CHANGING: Final = frozenset(
    ("random", "fromfile", "fromregex", "genfromtxt", "load", "load_run", "loadtxt", "memmap")
)
"""Names there that stand for random numbers and files."""
PLAIN: Final = (
    *(abs, all, any, bool, complex, dict, divmod, enumerate, filter, float, int, isinstance, len),
    *(list, map, max, min, pow, range, reversed, round, set, slice, sorted, str, sum, tuple, zip),
)
"""Builtins that depend on nothing but their arguments."""
_FUNCTIONS: Final = (FunctionType, BuiltinFunctionType, type, np.ufunc, type(np.where))
_SCALARS: Final = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis))

Made = TypeVar("Made")


class _UnknownError(Exception):
    """Something a law reads may change unseen."""


class _Same:
    """An object as part of a key, by identity; it is kept alive, so the identity stays its own."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


class _Law:
    """A function with its key, by which it is compared; the function is dropped once traced."""

    def __init__(self, function: object, key: Hashable) -> None:
        self.function, self.key = function, key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Law) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def once_per_law(trace: Callable[[Mechanism, Any], Made]) -> Callable[[Mechanism, Any], Made]:
    """Return a tracing function that remembers its results by mechanism and law.

    Args:
        trace: Of a mechanism and a law: a function, or tuples, lists and dictionaries of functions.
    """

    @lru_cache(maxsize=MOST)
    def remembered(mechanism: Mechanism, law: _Law) -> Made:
        function, law.function = law.function, None
        return trace(mechanism, function)

    @wraps(trace)
    def traced(mechanism: Mechanism, law: Any) -> Made:  # noqa: ANN401 (a law of any kind)
        key = law_key(law)
        return trace(mechanism, law) if key is None else remembered(mechanism, _Law(law, key))

    return traced


def law_key(law: object) -> Hashable | None:
    """Return what a law is and what it reads, to be compared; None where that cannot be known.

    >>> laws = [lambda t, q, v, gain=gain: -gain * v for gain in (1.0, 1.0, 2.0)]
    >>> [law_key(law) == law_key(laws[0]) for law in laws]
    [True, True, False]
    """
    try:
        key = _key(law, frozenset(), ())
        hash(key)
    except (_UnknownError, TypeError):  # what cannot be hashed may change
        return None
    return key


def _key(value: Any, attributes: frozenset[str], above: tuple[object, ...]) -> Hashable:  # noqa: ANN401
    """Return a value as part of a key.

    Args:
        value: The value.
        attributes: Names of attributes that the code around it reads.
        above: Containers and functions around it; what contains itself is not followed.
    """
    kind = type(value)
    if kind in _SCALARS:
        return kind, repr(value)  # tells 0.0 and -0.0 apart, and NaN is itself
    if any(value is outer for outer in above) or len(above) > DEEPEST:
        raise _UnknownError
    if kind in (tuple, list, dict) and len(value) > LARGEST:
        raise _UnknownError
    inside = (*above, value)
    if kind in (tuple, list):
        return kind, *(_key(entry, attributes, inside) for entry in value)
    if kind is dict:
        return kind, *(_key(pair, attributes, inside) for pair in value.items())
    if kind is np.ndarray or isinstance(value, np.generic):
        return _array_key(np.asarray(value), attributes, inside)
    if kind is FunctionType and not _is_trusted(value):
        return _function_key(value, inside)
    if kind is MethodType:
        return kind, _Same(value.__func__), _key(value.__self__, attributes, inside)
    if kind is partial:
        fields = value.func, value.args, value.keywords
        return kind, *(_key(field, attributes, inside) for field in fields)
    if kind is ModuleType:
        return _module_key(value, attributes, inside)
    if isinstance(value, _FUNCTIONS) and _is_trusted(value):
        return _Same(value)
    if kind.__module__.split(".")[0] == "poinsot" and kind is not Callback:
        return _Same(value) if isinstance(value, Expr) else value
    raise _UnknownError


def _is_trusted(function: Any) -> bool:  # noqa: ANN401 (a function or a class)
    """Return whether a function, or a class, depends on nothing but its arguments."""
    if not isinstance(getattr(function, "__self__", None), ModuleType | None):
        return False  # a method of something that may change
    if "<" in getattr(function, "__qualname__", ""):
        return False  # made in a function, of values that may change
    module = getattr(function, "__module__", None) or "numpy"  # of ufuncs
    if module == "builtins":
        return function in PLAIN
    is_changing = function.__name__ in CHANGING or module.startswith("numpy.random")
    return module.split(".")[0] in TRUSTED and not is_changing


def _array_key(array: np.ndarray[Any, Any], attributes: frozenset[str], above: Any) -> Hashable:  # noqa: ANN401
    if array.size > LARGEST or array.dtype.names:
        raise _UnknownError
    if array.dtype == object:
        return array.shape, *(_key(entry, attributes, above) for entry in array.ravel())
    return array.dtype.str, array.shape, array.tobytes()


def _module_key(
    module: ModuleType, attributes: frozenset[str], above: tuple[object, ...]
) -> Hashable:
    """Return a module and those of its members whose names the law reads as attributes."""
    if module.__name__.split(".")[0] in TRUSTED:
        if attributes & CHANGING or module.__name__.startswith("numpy.random"):
            raise _UnknownError
        return _Same(module)
    read = sorted(attributes & vars(module).keys())
    return _Same(module), *((name, _key(vars(module)[name], attributes, above)) for name in read)


def _function_key(function: FunctionType, above: tuple[object, ...]) -> Hashable:
    """Return the code of a function and the values that it reads."""
    code, given = function.__code__, function.__globals__
    names = _names_read(code)
    if names is None or function.__dict__:
        raise _UnknownError
    read, attributes = names
    try:
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
    except ValueError:  # a cell is still empty
        raise _UnknownError from None
    variables = {
        name: given[name] if name in given else getattr(builtins, name, None) for name in read
    }
    values = cells, function.__defaults__, function.__kwdefaults__, variables
    return code, *(_key(value, attributes, above) for value in values)


@lru_cache(maxsize=4 * MOST)
def _names_read(code: CodeType) -> tuple[tuple[str, ...], frozenset[str]] | None:
    """Return the names of globals and of attributes that code reads, that in it included.

    None where it changes globals or imports something.
    """
    read: dict[str, None] = {}
    attributes: set[str] = set()
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"):
            read[str(step.argval)] = None
        elif step.opname.startswith(("IMPORT_", "STORE_GLOBAL", "DELETE_GLOBAL", "STORE_DEREF")):
            if step.opname != "STORE_DEREF" or step.argval in code.co_freevars:
                return None
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD", "LOAD_SUPER_ATTR"):
            attributes.add(str(step.argval))
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            names = _names_read(inner)
            if names is None:
                return None
            read |= dict.fromkeys(names[0])
            attributes |= names[1]
    return tuple(read), frozenset(attributes)
