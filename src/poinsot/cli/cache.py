"""``poinsot cache``: the machine code that is cached on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from poinsot.errors import PoinsotError

if TYPE_CHECKING:
    from poinsot.kernels.cache import Usage

Clear = Annotated[bool, typer.Option("--clear", help="Remove all of it.")]


def cache(*, clear_all: Clear = False) -> None:
    """Show how much compiled code is cached on disk, or remove it."""
    from rich.table import Table

    from poinsot.kernels.cache import usage

    console = Console()
    held = usage()
    if held is None:
        console.print("the cache is turned off by POINSOT_CACHE; unset it to keep compiled code")
        return
    if clear_all:
        n_files = _cleared(held)
        console.print(f"removed {n_files} file{'' if n_files == 1 else 's'} from {held.folder}")
        return
    table = Table(title="compiled code on disk")
    table.add_column("what")
    table.add_column("value", justify="right", overflow="fold")
    absent = "" if held.folder.exists() else " (not made yet)"
    table.add_row("folder (POINSOT_CACHE_DIR)", f"{held.folder}{absent}")
    table.add_row("files", str(held.n_files))
    table.add_row("size", f"{held.n_bytes / 1e6:.1f} MB")
    table.add_row("limit (POINSOT_CACHE_MB)", f"{held.limit / 1e6:g} MB")
    console.print(table)


def _cleared(held: Usage) -> int:
    from poinsot.kernels.cache import clear

    try:
        return clear()
    except OSError as error:
        raise PoinsotError(f"cannot remove the code in {held.folder}: {error}") from error
