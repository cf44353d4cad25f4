"""``poinsot info``: the content of a model file, and checks of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from poinsot.cli.model_file import RootOption, read_model, show_notes, with_notes

if TYPE_CHECKING:
    from rich.table import Table

    from poinsot.front.system import System
    from poinsot.model import AbstractForce

_VERDICTS = {
    True: ("green", "ok"),
    False: ("bold red", "PROBLEM"),
    None: ("yellow", "not checked"),
}
MOST_ROWS = 100
"""Number of joints and forces that are listed; further ones are only counted."""


def info(
    model: Annotated[Path, typer.Argument(help="A .json, .toml, .urdf or (MJCF) .xml file.")],
    root: RootOption = None,
) -> None:
    """Show the tree of a model with its masses, joints and limits, and check it."""
    console = Console()
    system, notes = with_notes(lambda: read_model(model, root))
    console.print(system.tree(), markup=False, highlight=False, soft_wrap=True)
    console.print(f"nq = {system.nq}, nv = {system.nv}", highlight=False)
    for table in (_limits(system), _forces(system.forces)):
        if table.row_count:
            console.print(table)
    show_notes(console, notes)
    if not _checked(console, system):
        raise typer.Exit(1)


def _limits(system: System) -> Table:
    from rich.table import Table

    from poinsot.front.tree_drawing import number_text, printable
    from poinsot.model import Limits

    table = Table(title="limits")
    table.add_column("joint", overflow="fold")
    for name in ("position", "velocity", "effort"):
        table.add_column(name, justify="right", overflow="fold")
    limited = [
        (name, body.joint.limits, ", ".join(dict.fromkeys(body.joint.q_units)))
        for name, body in zip(system.joint_names, system.bodies, strict=True)
        if body.joint.limits not in (None, Limits())
    ]
    for name, limits, unit in limited[:MOST_ROWS]:
        assert limits is not None
        ends = [
            f"{number_text(low)} to {number_text(high)}"
            for low, high in zip(limits.lower, limits.upper, strict=True)
        ]
        position = f"{_joined(ends)} {unit}" if ends else ""
        table.add_row(
            escape(printable(name)), position, _numbers(limits.velocity), _numbers(limits.effort)
        )
    _count_the_rest(table, len(limited))
    return table


def _forces(forces: Sequence[AbstractForce]) -> Table:
    from rich.table import Table

    from poinsot.front.tree_drawing import printable

    table = Table(title="force elements")
    table.add_column("element", overflow="fold")
    table.add_column("acts on", overflow="fold")
    for force in forces[:MOST_ROWS]:
        acted = [body for body, _ in force.ends] or [f"joint {force.joints[0]}"]
        ends = " and ".join(map(printable, acted))
        table.add_row(escape(printable(force.label)), escape(ends))
    _count_the_rest(table, len(forces))
    return table


def _count_the_rest(table: Table, n: int) -> None:
    if n > MOST_ROWS:
        table.add_row(f"and {n - MOST_ROWS} more")


def _checked(console: Console, system: System) -> bool:
    """Print the findings of the checks and return whether none failed."""
    from poinsot.front.tree_drawing import printable
    from poinsot.verification.soundness import findings

    results = findings(system)
    for finding in results:
        colour, word = _VERDICTS[finding.ok]
        console.print(
            f"[{colour}]{word}[/] {finding.name}: {escape(printable(finding.text))}",
            highlight=False,
            soft_wrap=True,
        )
    return not any(finding.ok is False for finding in results)


def _numbers(values: Sequence[float]) -> str:
    from poinsot.front.tree_drawing import number_text

    return _joined([number_text(value) for value in values])


def _joined(texts: Sequence[str]) -> str:
    return texts[0] if len(set(texts)) == 1 else "; ".join(texts)
