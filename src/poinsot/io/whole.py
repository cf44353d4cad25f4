"""Files written as a whole or not at all."""

import os
import secrets
from pathlib import Path

__all__ = ["write_whole"]


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
    final = path.resolve()
    beside = final.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        beside.write_text(text, encoding="utf-8", newline="\n")
        os.replace(beside, final)
    finally:
        beside.unlink(missing_ok=True)
