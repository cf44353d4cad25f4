"""The target file of a picture: its path and the format of its suffix."""

from collections.abc import Collection
from pathlib import Path

from poinsot.errors import PoinsotError

__all__ = ["PlotError", "checked_target"]


class PlotError(PoinsotError, ValueError):
    """A picture cannot be made as requested."""


def checked_target(path: str | Path, suffixes: Collection[str], what: str) -> Path:
    """Return ``path``, rejecting an unknown suffix; missing folders are created.

    Args:
        path: File to write; one that exists will be replaced.
        suffixes: The known suffixes, lower case, with their dots.
        what: What the file is to hold, e.g. ``"figure"``; opens the message of an error.

    Raises:
        PlotError: If the suffix is unknown, or a folder cannot be made.
    """
    if not isinstance(path, str | Path):
        raise PlotError(
            f"{what}: give the path of a file, e.g. 'swing{next(iter(suffixes))}', got {path!r}"
        )
    target = Path(path).expanduser()
    if target.suffix.lower() not in suffixes:
        got = f"the suffix {target.suffix!r}" if target.suffix else "no suffix"
        suffix_list = ", ".join(suffixes)
        raise PlotError(f"{what} {str(path)!r} has {got}; known are {suffix_list}")
    if target.is_dir():
        raise PlotError(f"{what} {str(path)!r} is a folder; add a file name")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise PlotError(
            f"{what} {str(path)!r}: {str(target.parent)!r} is not a folder; choose another place"
        ) from error
    return target
