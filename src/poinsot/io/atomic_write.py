"""Atomic writes: a file is written completely or not at all."""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["temporary_file", "write_whole"]


def write_whole(path: Path, text: str) -> None:
    """Write a file in UTF-8, so that whoever opens it finds the old content or all of the new.

    It is written to a temporary file beside it and then renamed, which is atomic.  A link is
    followed: what it points to is replaced.

    Args:
        path: The file.
        text: Its content; lines end with a line feed.

    Raises:
        OSError: If it cannot be written; what was there stays.
    """
    with temporary_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def temporary_file(path: Path) -> Iterator[Path]:
    """Yield a temporary file that replaces ``path`` if the block succeeds.

    Args:
        path: The file; its folder must be there.

    Raises:
        FileNotFoundError: If the folder is not there.
    """
    final = path.resolve()
    if not final.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder; make it first", str(path))
    temporary = final.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        yield temporary
        os.replace(temporary, final)
    finally:
        temporary.unlink(missing_ok=True)
