"""``poinsot demo``: a mechanism simulated, cross-checked and shown."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

if TYPE_CHECKING:
    from rich.table import Table

    from poinsot.front.run import Run


DURATION = 10.0
START = ((2.2, 0.6), (0.0, 0.0))


def demo(
    folder: Annotated[Path, typer.Argument(help="Where to put the pictures.")] = Path(
        "poinsot-demo"
    ),
) -> None:
    """Simulate a double pendulum, verify it, write a figure and an animation."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from poinsot.cli.demo_checks import compared
    from poinsot.front.simulate import simulate
    from poinsot.library import double_pendulum

    console = Console()
    system = double_pendulum()
    console.print(
        f"[bold]{system.name}[/]: {len(system.bodies)} bodies, {system.nv} degrees of freedom, "
        f"{DURATION:g} s from q = {START[0]} rad at rest"
    )
    figure, animation = folder / "double_pendulum.png", folder / "double_pendulum.gif"
    with Progress(
        TextColumn("{task.description:28}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
        console=console,
    ) as progress:
        task = progress.add_task("making machine code", total=5)
        start = time.perf_counter()
        simulate(system, *START, 0.1)
        compiled = time.perf_counter() - start
        progress.update(task, advance=1, description="simulating")
        run = simulate(system, *START, DURATION)
        progress.update(task, advance=1, description="cross-checking")
        checks = compared(system, run)
        progress.update(task, advance=1, description="drawing the figure")
        run.plot(figure)
        progress.update(task, advance=1, description="drawing the animation")
        run.animate(animation)
        progress.update(task, advance=1, description="done")
    console.print(_summary(run, compiled, figure, animation))
    console.print(_check_table(checks))
    if not run.status.ok or any(difference > limit for _, difference, limit in checks):
        console.print("[bold red]something does not agree[/]")
        raise typer.Exit(1)
    console.print("[bold green]all checks agree[/]")


def _summary(run: Run, compiled: float, figure: Path, animation: Path) -> Table:
    from rich.table import Table

    table = Table(title="summary", show_header=False)
    table.add_column(style="dim")
    table.add_column()
    statistics = run.statistics
    rate = DURATION / statistics.wall_time
    for name, value in (
        ("status", run.status.message),
        ("machine code made in", f"{compiled:.2f} s (kept on disk for the next time)"),
        (
            "simulated in",
            f"{statistics.wall_time * 1e3:.1f} ms: {statistics.steps} steps, "
            f"{statistics.evaluations} evaluations, {rate:,.0f} times real time",
        ),
        ("figure", str(figure)),
        ("animation", str(animation)),
    ):
        table.add_row(name, value)
    return table


def _check_table(checks: list[tuple[str, float, float]]) -> Table:
    from rich.table import Table

    table = Table(title="cross-checks along the run")
    table.add_column("compared")
    table.add_column("largest relative difference", justify="right")
    table.add_column("accepted", justify="right")
    for name, difference, limit in checks:
        colour = "green" if difference <= limit else "red"
        table.add_row(name, f"[{colour}]{difference:.1e}[/]", f"{limit:.0e}")
    return table
