"""``poinsot view``: a model or a run in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from poinsot.cli.model_file import Root, RootOption, friendly, read_model, show_notes, with_notes

if TYPE_CHECKING:
    from poinsot.front.pictured_motion import PicturedMotion
    from poinsot.front.runs import Runs
    from poinsot.front.system import System

RUNS = (".npz", ".parquet")
"""Endings of files of runs."""

FileArgument = Annotated[
    Path,
    typer.Argument(help="A model (.json, .toml, .urdf, .xml) or a saved run (.npz, .parquet)."),
]


def view(
    file: FileArgument,
    root: RootOption = None,
    host: Annotated[
        str, typer.Option(help="Where to listen; other machines reach others than 127.0.0.1.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0: any that is free.")] = 0,
    show: Annotated[bool, typer.Option("--show/--no-show", help="Open the browser.")] = True,
) -> None:
    """Show a model, to be moved and simulated, or a run in the browser until Ctrl-C."""
    console = Console()
    shown, notes = with_notes(lambda: model_or_run(file, root))
    show_notes(console, notes)
    viewer, notes = with_notes(lambda: shown.view(host=host, port=port, show=show))
    show_notes(console, notes)
    console.print(f"{viewer.url}\nCtrl-C ends it", highlight=False, soft_wrap=True)
    viewer.wait()


def model_or_run(file: Path, root: Root | None) -> System | PicturedMotion | Runs:
    """Return what a file holds: a run by its ending, else a model."""
    if file.suffix.lower() not in RUNS:
        return read_model(file, root)
    from poinsot.front.load_run import load_run

    with friendly(file, "read"):
        run: PicturedMotion | Runs = load_run(file)
    return run
