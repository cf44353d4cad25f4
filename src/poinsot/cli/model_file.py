"""Model files on the command line: reading with collected warnings, and friendly errors."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer
from rich.console import Console
from rich.markup import escape

from poinsot.errors import ModelWarning, PoinsotError

if TYPE_CHECKING:
    from poinsot.front.system import System

T = TypeVar("T")


class Root(Enum):
    """How the root link of a robot is mounted."""

    FREE = "free"
    FIXED = "fixed"


RootOption = Annotated[
    Root | None,
    typer.Option("--root", help="How the root link of a URDF moves against the world."),
]


def read_model(path: Path, root: Root | None) -> System:
    """Return the system in a file; operating-system errors become ``PoinsotError``."""
    from poinsot.front.model_files import load
    from poinsot.model import Fixed, Free

    joint = {None: None, Root.FREE: Free(), Root.FIXED: Fixed()}[root]
    with friendly(path, "read"):
        return load(path, joint)


def write_model(system: System, path: Path) -> None:
    """Write a system to a file, likewise."""
    from poinsot.front.model_files import save

    with friendly(path, "written"):
        save(system, path)


@contextmanager
def friendly(path: Path, done: str) -> Iterator[None]:
    """Convert errors of the operating system into ``PoinsotError``."""
    try:
        yield
    except OSError as error:
        raise PoinsotError(f"{path} cannot be {done}: {error.strerror or error}") from error


def with_notes(make: Callable[[], T]) -> tuple[T, list[str]]:
    """Return the result of a function, and the model warnings that it raised."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ModelWarning)
        made = make()
    notes = [
        str(warning.message) for warning in caught if issubclass(warning.category, ModelWarning)
    ]
    return made, list(dict.fromkeys(notes))


def show_notes(console: Console, notes: list[str]) -> None:
    """Print warnings, one per line."""
    for note in notes:
        console.print(f"[yellow]note:[/] {escape(note)}", highlight=False, soft_wrap=True)
