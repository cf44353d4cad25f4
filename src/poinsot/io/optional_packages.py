"""Optional packages, imported when used; the message names the extra that installs them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from poinsot.errors import MissingPackageError

__all__ = ["imported"]


def imported(package: str, extra: str, what: str) -> Any:  # noqa: ANN401 (a module)
    """Return a package of one of the extras.

    Args:
        package: Its name.
        extra: The extra of poinsot that installs it.
        what: What needs it; opens the message.

    Raises:
        MissingPackageError: If it is not installed.
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise MissingPackageError(
            f"{what} needs the package {package!r}, which is not installed; "
            f"pip install 'poinsot[{extra}]'"
        ) from error
