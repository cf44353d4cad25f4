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
    """Simulate a double pendulum and a walking leg, check them, write pictures, pages, a report."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from poinsot.cli.demo_checks import compared
    from poinsot.front.simulate import simulate
    from poinsot.library import double_pendulum
    from poinsot.verification.verify import verify

    console = Console()
    system = double_pendulum()
    console.print(
        f"[bold]{system.name}[/]: {len(system.bodies)} bodies, {system.nv} degrees of freedom, "
        f"{DURATION:g} s from q = {START[0]} rad at rest"
    )
    figure, animation = folder / "double_pendulum.png", folder / "double_pendulum.gif"
    page, report = folder / "walking_leg.html", folder / "walking_leg_report.html"
    with Progress(
        TextColumn("{task.description:28}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
        console=console,
    ) as progress:
        task = progress.add_task("making machine code", total=8)
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
        progress.update(task, advance=1, description="a mechanism with loops")
        walk = walking_leg()
        progress.update(task, advance=1, description="verifying it")
        verified = verify(walk.system, q=walk.q[0])
        progress.update(task, advance=1, description="writing its page and report")
        walk.save_html(page)
        walk.report(report, verified=verified)
        progress.update(task, advance=1, description="done")
    console.print(_summary(run, compiled, {"figure": figure, "animation": animation,
                                           "Jansen's leg, for any browser": page,
                                           "report about it": report}))  # fmt: skip
    console.print(_check_table(checks))
    if (
        not run.status.ok
        or not verified.ok
        or any(difference > limit for _, difference, limit in checks)
    ):
        console.print("[bold red]something does not agree[/]")
        raise typer.Exit(1)
    console.print("[bold green]all checks agree[/]")


def walking_leg() -> Run:
    """Return two turns of Jansen's leg, seven links in three loops, set in motion by its crank."""
    import numpy as np

    from poinsot.front.simulate import simulate
    from poinsot.library import jansen_leg, jansen_leg_configuration

    system, q = jansen_leg(), jansen_leg_configuration(0.3)
    crank = system.joint_names[0]
    v = system.consistent_velocity(q, np.r_[6.0, np.zeros(system.nv - 1)], joints=[crank])
    run: Run = simulate(system, q, v, 4.0, progress=False)
    return run


def _summary(run: Run, compiled: float, files: dict[str, Path]) -> Table:
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
        *((what, str(file)) for what, file in files.items()),
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
