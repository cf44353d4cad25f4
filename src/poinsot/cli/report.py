"""``poinsot report``: a page about a run, or about a model let go."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from poinsot.cli.model_file import RootOption, friendly, show_notes, with_notes
from poinsot.cli.view import FileArgument, model_or_run


def report(
    file: FileArgument,
    target: Annotated[
        Path, typer.Argument(help="The report: .html, or .pdf with Chromium.")
    ] = Path("report.html"),
    root: RootOption = None,
    seconds: Annotated[float, typer.Option(help="How long a model is simulated [s].")] = 5.0,
) -> None:
    """Write a report of a run; a model is let go at rest and simulated first."""
    import numpy as np

    from poinsot.front.drawable_system import pictured
    from poinsot.front.pictured_motion import PicturedMotion
    from poinsot.front.simulate import simulate
    from poinsot.front.system import System
    from poinsot.plots.picture_file import PlotError
    from poinsot.verification.verify import verify

    console = Console()
    shown, notes = with_notes(lambda: model_or_run(file, root))
    show_notes(console, notes)
    verified = None
    if isinstance(shown, System):
        drawn = pictured(shown)
        if drawn is None:
            raise PlotError(f"{shown.name!r}: give its parameters numbers that make sense")
        system, q = drawn
        with console.status("simulating"):
            run = simulate(system, q, np.zeros(system.nv), seconds, progress=False)
        with console.status("verifying"):
            verified = verify(system, q=q)
    elif isinstance(shown, PicturedMotion):
        run = shown
    else:
        raise PlotError(
            f"{file} holds {shown.size} runs, a report is about one of them: "
            f'ps.load_run("{file}")[0].report("{target}")'
        )
    with console.status("writing the report"), friendly(target, "written"):
        run.report(target, verified=verified)
    console.print(f"{target}", highlight=False, soft_wrap=True)
