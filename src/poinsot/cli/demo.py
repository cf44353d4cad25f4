"""``poinsot demo``: a mechanism simulated, cross-checked and shown."""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from poinsot.front import Run, System, simulate
from poinsot.library import double_pendulum
from poinsot.spatial import Array

AGREEMENT = 1e-11
"""Relative difference up to which two ways of computing count as the same."""

DRIFT = 1e-8
"""Largest change of energy that is accepted, relative to the largest kinetic energy."""

DURATION = 10.0
START = ((2.2, 0.6), (0.0, 0.0))


def demo(
    folder: Annotated[Path, typer.Argument(help="Where to put the pictures.")] = Path(
        "poinsot-demo"
    ),
) -> None:
    """Simulate a double pendulum, check it in several ways, write a figure and an animation."""
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
        checks = _checks(system, run)
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


def _checks(system: System, run: Run) -> list[tuple[str, float, float]]:
    """Return what was compared, the largest relative difference, and how much is accepted."""
    q, v = run.q, run.v
    a = system.forward_dynamics(q, v)
    energy = run.energy()
    M = system.mass_matrix(q)
    checks = [
        (
            "energy over the run",
            float(np.ptp(energy) / np.max(run.kinetic_energy())),
            DRIFT,
        ),
        (
            "machine code and interpreter",
            _difference(a, system.forward_dynamics(q, v, backend="interpreter")),
            AGREEMENT,
        ),
        (
            "forward and inverse dynamics",
            _difference(system.inverse_dynamics(q, v, a) - system.bias(q, v), -system.bias(q, v)),
            AGREEMENT,
        ),
        (
            "vᵀ M v / 2 and the sum over the bodies",
            _difference(0.5 * np.einsum("ti,tij,tj->t", v, M, v), run.kinetic_energy()),
            AGREEMENT,
        ),
    ]
    if find_spec("pinocchio") is not None:
        checks.append(
            ("poinsot and Pinocchio", _difference(a, _pinocchio(system, q, v)), AGREEMENT)
        )
    return checks


def _difference(x: Array, y: Array) -> float:
    return float(np.max(np.abs(x - y)) / np.max(np.abs(y)))


def _summary(run: Run, compiled: float, figure: Path, animation: Path) -> Table:
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
    table = Table(title="cross-checks along the run")
    table.add_column("compared")
    table.add_column("largest relative difference", justify="right")
    table.add_column("accepted", justify="right")
    for name, difference, limit in checks:
        colour = "green" if difference <= limit else "red"
        table.add_row(name, f"[{colour}]{difference:.1e}[/]", f"{limit:.0e}")
    return table


def _pinocchio(system: System, q: Array, v: Array) -> Array:
    """Return the accelerations of the same pendulum described to Pinocchio."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity = pin.Motion(np.array(system.gravity), np.zeros(3))
    parent = 0
    for body in system.bodies:
        placement = pin.SE3(np.eye(3), np.array(body.pose.xyz))
        parent = model.addJoint(parent, pin.JointModelRY(), placement, body.name)
        inertia = pin.Inertia(body.mass, np.array(body.com), body.inertia_matrix())
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    data = model.createData()
    still = np.zeros(system.nv)
    return np.array([pin.aba(model, data, *state, still) for state in zip(q, v, strict=True)])
