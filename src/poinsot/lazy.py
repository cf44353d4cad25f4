"""Names of a package that are imported when they are first used (PEP 562).

A package lists its names twice: real imports under ``if TYPE_CHECKING``, which type checkers and
editors read, and a table for the running program.  A test compares the two.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

__all__ = ["lazy_names", "when_called"]


def lazy_names(
    package: str, homes: Mapping[str, str], modules: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package; its modules are found by name too.

    Args:
        package: Name of the package, ``__name__``.
        homes: Modules below the package, ``"front.system"``, each with the names it defines,
            separated by blanks.
        modules: Its modules that are public, separated by blanks.
    """
    module_of = {
        name: f"{package}.{home}" for home, names in homes.items() for name in names.split()
    }
    namespace = sys.modules[package].__dict__

    def load(name: str) -> Any:  # noqa: ANN401
        home = module_of.get(name)
        if home is not None:
            value = namespace[name] = getattr(import_module(home), name)
            return value
        if not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def names() -> list[str]:
        return sorted({*namespace, *module_of, *modules.split()})

    return load, names


def when_called(home: str) -> Callable[..., Any]:
    """Return a function that is imported when it is first called.

    Args:
        home: Its module and its name, ``"poinsot.formulations.energy:momentum"``.
    """
    return _Later(*home.split(":"))


class _Later:
    """A function of a module that need not be loaded yet."""

    __slots__ = ("_function", "_module", "_name")

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name
        self._function: Callable[..., Any] | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        if self._function is None:
            self._function = getattr(import_module(self._module), self._name)
        return self._function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"{self._module}:{self._name}"
