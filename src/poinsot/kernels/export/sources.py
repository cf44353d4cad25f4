"""Texts of files by name, which can be inspected before they are written."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from poinsot.io.atomic_write import write_whole


@dataclass(frozen=True)
class Sources:
    """Files of one export.

    Attributes:
        files: The text of each file by its name.

    >>> print(Sources({"a.txt": "one", "b.txt": "two"}))
    a.txt
    one
    b.txt
    two
    """

    files: Mapping[str, str]

    def write(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Write the files into a folder, made if it is not there, and return their paths.

        Raises:
            OSError: If a file cannot be written; it is then as it was.
        """
        directory = Path(folder)
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in self.files.items():
            write_whole(directory / name, text)
        return [directory / name for name in self.files]

    def __getitem__(self, name: str) -> str:
        return self.files[name]

    def __str__(self) -> str:
        return "\n".join(f"{name}\n{text}" for name, text in self.files.items())
