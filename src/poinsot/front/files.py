"""Systems in files: ``ps.load`` and ``ps.save``."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.io import native
from poinsot.io.urdf import read_urdf
from poinsot.io.whole import write_whole
from poinsot.model import AbstractJoint, Fixed, Mechanism


def load(
    path: str | os.PathLike[str],
    root: AbstractJoint | None = None,
    *,
    passive: bool = True,
) -> System:
    """Return the system that a file describes.

    Args:
        path: The file; its suffix says what it is: ``.json`` or ``.toml``, our own format, or
            ``.urdf``.
        root: How the root link of a URDF moves against the world; fixed by default.  Our own files
            say that themselves.
        passive: Whether to take damping and friction from a URDF.

    Raises:
        OSError: If the file cannot be opened.
        ModelError: If it describes no system; the message says where in the file.
        FormulaError: If a formula in it cannot be read.
    """
    file = Path(path)
    if file.suffix.lower() == ".urdf":
        mechanism = read_urdf(file, root=Fixed() if root is None else root, passive=passive)
    elif root is not None or not passive:
        raise ModelError(f"{file}: root and passive are for URDF files")
    else:
        mechanism = _chosen(_READERS, file, "read")(file)
    return System.from_mechanism(mechanism)


def save(system: System, path: str | os.PathLike[str]) -> None:
    """Write a system to a file, of which ``load`` makes an equal system: no number is rounded.

    Args:
        system: The system.
        path: The file, replaced as a whole if it exists; its suffix, ``.json`` or ``.toml``, says
            how.

    Raises:
        OSError: If the file cannot be written.
        ModelError: If the suffix is another.

    >>> import tempfile
    >>> import poinsot as ps
    >>> rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -0.5))
    >>> pendulum = ps.System("pendulum", [rod])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(pendulum, f"{folder}/pendulum.toml")
    ...     load(f"{folder}/pendulum.toml") == pendulum
    True
    """
    file = Path(path)
    text = _chosen(_WRITERS, file, "written")(native.native_from_mechanism(system.mechanism))
    write_whole(file, text)


def _chosen(table: dict[str, Callable[..., Any]], file: Path, done: str) -> Callable[..., Any]:
    suffix = file.suffix.lower()
    if suffix not in table:
        raise ModelError(
            f"{file}: files with the suffix {suffix!r} cannot be {done}; "
            f"known are {', '.join(table)}{', .urdf' if table is _READERS else ''}"
        )
    return table[suffix]


def _read_json(file: Path) -> Mechanism:
    tree = native.from_json(native.read_text(file), str(file))
    return native.mechanism_from_native(tree, str(file))


def _read_toml(file: Path) -> Mechanism:
    tree = native.from_toml(native.read_text(file), str(file))
    return native.mechanism_from_native(tree, str(file))


_READERS: Final[dict[str, Callable[[Path], Mechanism]]] = {".json": _read_json, ".toml": _read_toml}
_WRITERS: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    ".json": native.to_json,
    ".toml": native.to_toml,
}
