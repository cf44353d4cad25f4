"""``poinsot derive``: the equations of a model as a program or as text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from poinsot.cli.model_file import RootOption, friendly, read_model, show_notes, with_notes
from poinsot.errors import PoinsotError
from poinsot.evaluate.formulation import METHODS
from poinsot.kernels.export import LANGUAGES

if TYPE_CHECKING:
    from poinsot.front.system import System
    from poinsot.kernels.export import Sources

TEXTS = {"latex": ".tex", "markdown": ".md", "text": ".txt"}
"""Endings of the files in which people read equations."""

To = Annotated[
    str,
    typer.Option(
        "--to",
        metavar="LANGUAGE",
        help=f"{', '.join([*LANGUAGES, *TEXTS])} (MATLAB: octave).",
    ),
]
Method = Annotated[str, typer.Option("--method", help=f"Which formulation: {', '.join(METHODS)}.")]
Precision = Annotated[str, typer.Option("--precision", help="Of programs: double or float.")]
Out = Annotated[
    Path | None, typer.Option("--out", help="Folder for the files; shown on the screen otherwise.")
]
Quantities = Annotated[
    list[str] | None,
    typer.Option(
        "--quantity",
        help="E.g. forward_dynamics, of programs also pose:BODY, jacobian:BODY:world; may be "
        "repeated.",
    ),
]
Name = Annotated[str | None, typer.Option("--name", help="Begins the names of files.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace files that exist.")]


def derive(
    model: Annotated[Path, typer.Argument(help="A .json, .toml, .urdf or (MJCF) .xml file.")],
    to: To,
    *,
    out: Out = None,
    quantity: Quantities = None,
    method: Method = "recursive",
    precision: Precision = "double",
    name: Name = None,
    root: RootOption = None,
    overwrite: Overwrite = False,
) -> None:
    """Write the equations of a model as a program in another language, or for people to read."""
    from poinsot.front.export import DEFAULT_QUANTITIES
    from poinsot.kernels.export import LANGUAGES
    from poinsot.model import suggestion

    if to not in LANGUAGES and to not in TEXTS:
        formats = [*LANGUAGES, *TEXTS]
        raise PoinsotError(f"derive: cannot write {to!r}; {suggestion(to, formats)}")
    system, notes = with_notes(lambda: read_model(model, root))
    if to in TEXTS:
        sources = _text(system, to, quantity or [], name, precision, method)
    else:
        asked = quantity or DEFAULT_QUANTITIES
        sources = system.export(to, asked, name=name, precision=precision, method=method)
    show_notes(Console(stderr=True), notes)
    if out is None:
        typer.echo(_shown(sources))
        return
    _write(sources, out, overwrite=overwrite)
    for file in sources.files:
        Console().print(escape(f"wrote {out / file}"), highlight=False, soft_wrap=True)


def _text(
    system: System, to: str, quantities: list[str], name: str | None, precision: str, method: str
) -> Sources:
    """Return equations for people as one file."""
    from poinsot.front.derive import derive as equations_of
    from poinsot.kernels.export import Sources, identifier

    if precision != "double":
        raise PoinsotError(f"derive: {to} has no precision; leave out --precision {precision}")
    equations = equations_of(system, method)
    texts = {"latex": equations.document, "markdown": equations.markdown, "text": equations.text}
    file = identifier(system.name if name is None else name) + TEXTS[to]
    return Sources({file: texts[to](*quantities)})


def _shown(sources: Sources) -> str:
    """Return the text of one file, or of several with their names."""
    texts = list(sources.files.values())
    return texts[0].rstrip("\n") if len(texts) == 1 else str(sources).rstrip("\n")


def _write(sources: Sources, folder: Path, *, overwrite: bool) -> None:
    there = [folder / file for file in sources.files if (folder / file).exists()]
    if there and not overwrite:
        raise PoinsotError(f"{there[0]} is there already; choose another --out, or --overwrite")
    with friendly(folder, "written"):
        sources.write(folder)
