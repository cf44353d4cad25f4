"""Where a picture goes: its path and the format that the suffix asks for."""

from collections.abc import Collection
from pathlib import Path

from poinsot.errors import PoinsotError

__all__ = ["PlotError", "checked_target"]


class PlotError(PoinsotError, ValueError):
    """A picture cannot be made as asked."""


def checked_target(path: str | Path, suffixes: Collection[str], what: str) -> Path:
    """Return ``path``, refusing an unknown suffix; missing folders are made.

    Args:
        path: File to write; one that exists will be replaced.
        suffixes: The known suffixes, lower case, with their dots.
        what: What the file is to hold, e.g. ``"figure"``; opens the message of an error.

    Raises:
        PlotError: If the suffix is unknown, or a folder cannot be made.
    """
    target = Path(path).expanduser()
    if target.suffix.lower() not in suffixes:
        got = f"the suffix {target.suffix!r}" if target.suffix else "no suffix"
        known = ", ".join(suffixes)
        raise PlotError(f"{what} {str(path)!r} has {got}; known are {known}")
    if target.is_dir():
        raise PlotError(f"{what} {str(path)!r} is a folder; add a file name")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise PlotError(
            f"{what} {str(path)!r}: {str(target.parent)!r} is not a folder; choose another place"
        ) from error
    return target
