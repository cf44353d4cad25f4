"""The commands of ``poinsot``, each in a file of its own."""

from __future__ import annotations

import io
import sys
from importlib import metadata
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from poinsot.cli.cache import cache
from poinsot.cli.convert import convert
from poinsot.cli.demo import demo
from poinsot.cli.derive import derive
from poinsot.cli.info import info
from poinsot.cli.report import report
from poinsot.cli.view import view
from poinsot.errors import PoinsotError

app = typer.Typer(
    name="poinsot",
    help="Dynamics of systems of rigid bodies.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(cache)
app.command()(convert)
app.command()(demo)
app.command()(derive)
app.command()(info)
app.command()(report)
app.command()(view)


@app.callback(invoke_without_command=True)
def options(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Dynamics of systems of rigid bodies."""
    if version:
        typer.echo(f"poinsot {metadata.version('poinsot')}")
        raise typer.Exit


def main() -> None:
    """Run the command line; errors that users can mend are shown without a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names that a terminal cannot show
    try:
        app()
    except PoinsotError as error:
        message = f"[bold red]error:[/] {escape(str(error))}"
        Console(stderr=True).print(message, highlight=False, soft_wrap=True)
        sys.exit(2)
