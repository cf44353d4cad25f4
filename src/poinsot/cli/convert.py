"""``poinsot convert``: a model file in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from poinsot.cli.model_file import RootOption, read_model, show_notes, with_notes, write_model
from poinsot.errors import PoinsotError

Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace OUT if it exists.")]


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="The model file to read.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    *,
    root: RootOption = None,
    overwrite: Overwrite = False,
) -> None:
    """Write a model file in another format; the suffixes say which."""
    from poinsot.front.tree_drawing import summary

    console = Console()
    if target.exists() and not overwrite:
        raise PoinsotError(f"{target} is there already; give another name, or --overwrite")
    system, read = with_notes(lambda: read_model(source, root))
    _, written = with_notes(lambda: write_model(system, target))
    show_notes(console, [*read, *(note for note in written if note not in read)])
    console.print(
        escape(f"wrote {target}: {summary(system.mechanism)}"), highlight=False, soft_wrap=True
    )
