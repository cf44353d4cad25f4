"""Files written as a whole or not at all."""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["whole", "write_whole"]


def write_whole(path: Path, text: str) -> None:
    """Write a file in UTF-8, so that whoever opens it finds the old content or all of the new.

    It is written beside under another name and then renamed, which systems do at once.  A link is
    followed: what it points to is replaced.

    Args:
        path: The file.
        text: Its content; lines end with a line feed.

    Raises:
        OSError: If it cannot be written; what was there stays.
    """
    with whole(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give the name of a file to write, which takes the place of ``path`` when all went well.

    Args:
        path: The file; its folder must be there.

    Raises:
        FileNotFoundError: If the folder is not there.
    """
    final = path.resolve()
    if not final.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder; make it first", str(path))
    beside = final.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        yield beside
        os.replace(beside, final)
    finally:
        beside.unlink(missing_ok=True)
