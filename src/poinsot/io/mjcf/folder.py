"""The folder of a model: files named in it are read from there, and from nowhere else."""

from __future__ import annotations

import os
from pathlib import Path, PureWindowsPath

from poinsot.io.xml import MAX_SIZE, Element

__all__ = ["Folder"]


class Folder:
    """Where a model lies, and how much of it may still be read.

    Links are followed before it is asked whether a file lies inside.  All files of a model together
    may be as large as one.
    """

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        """Remember the folder; None is that of a model which is a text only."""
        self._root = None if path is None else Path(os.path.realpath(path))
        self._left = MAX_SIZE

    def find(self, names: list[str], element: Element) -> tuple[str, Path]:
        """Return the first of these files that is there, by name and by path.

        Args:
            names: Names relative to the folder.
            element: What asks for the file; opens messages.

        Raises:
            ModelError: If none is there, or the first one that is there is not in the folder.
        """
        if self._root is None:
            element.refuse(f"the file {names[0][:200]!r} cannot be read: the model is a text")
        candidates = ((name, self._inside(name, element)) for name in names)
        match = next(((name, path) for name, path in candidates if path.is_file()), None)
        if match is None:
            element.refuse(f"there is no file {names[0][:200]!r} in the folder of the model")
        return match

    def read(self, path: Path, element: Element) -> bytes:
        """Return what a file holds that :meth:`find` has found."""
        try:
            with path.open("rb") as file:
                data = file.read(self._left + 1)
        except OSError as error:
            element.refuse(f"cannot read {path.name!r}: {error.strerror}")
        self._left -= len(data)
        if self._left < 0:
            element.refuse(f"the files of the model are larger than {MAX_SIZE} bytes together")
        return data

    def _inside(self, name: str, element: Element) -> Path:
        assert self._root is not None
        plain = name.replace("\\", "/")
        if not plain.isprintable() or PureWindowsPath(plain).drive or plain.startswith("/"):
            element.refuse(f"the file {name[:200]!r} must be named relative to the model's folder")
        try:
            path = Path(os.path.realpath(self._root / plain))
        except (OSError, ValueError) as error:
            element.refuse(f"{name[:200]!r} names no file: {error}")
        if not path.is_relative_to(self._root):
            element.refuse(
                f"the file {name[:200]!r} is not in the folder of the model and is not read; "
                "copy it there"
            )
        return path
