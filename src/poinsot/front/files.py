"""Systems in files: ``ps.load`` and ``ps.save``."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.io import native
from poinsot.io.mjcf import mjcf_from_mechanism, read_mjcf
from poinsot.io.urdf import read_urdf
from poinsot.io.whole import write_whole
from poinsot.io.xml import outermost_tag
from poinsot.model import AbstractJoint, Fixed, Mechanism


def load(
    path: str | os.PathLike[str],
    root: AbstractJoint | None = None,
    *,
    passive: bool = True,
) -> System:
    """Return the system that a file describes.

    Args:
        path: The file; its suffix says what it is: ``.json`` or ``.toml``, our own format,
            ``.urdf``, or ``.xml``, which is MJCF (or URDF, if its outermost element is ``robot``).
        root: How the root link of a URDF moves against the world; fixed by default.  Other files
            say that themselves.
        passive: Whether to take damping, friction and springs from a URDF or MJCF.

    Raises:
        OSError: If the file cannot be opened.
        ModelError: If it describes no system; the message says where in the file.
        FormulaError: If a formula in it cannot be read.

    Warns:
        ModelWarning: If a URDF or MJCF says what is not taken; the warning lists it.
    """
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix == ".urdf" or (suffix == ".xml" and outermost_tag(file) == "robot"):
        mechanism = read_urdf(file, root=Fixed() if root is None else root, passive=passive)
    elif root is not None:
        raise ModelError(f"{file}: root is for URDF files; this one says itself how bodies move")
    elif suffix == ".xml":
        mechanism = read_mjcf(file, passive=passive).mechanism
    elif not passive:
        raise ModelError(f"{file}: passive is for URDF and MJCF files")
    else:
        mechanism = _chosen(_READERS, file, "read")(file)
    return System.from_mechanism(mechanism)


def save(system: System, path: str | os.PathLike[str]) -> None:
    """Write a system to a file, of which ``load`` makes an equal system: no number is rounded.

    MJCF (``.xml``) is made for MuJoCo: of that ``load`` makes a system that moves alike, whose
    bodies are listed depth first and whose joints with several axes are several joints.

    Args:
        system: The system.
        path: The file, replaced as a whole if it exists; its suffix, ``.json``, ``.toml`` or
            ``.xml``, says how.

    Raises:
        OSError: If the file cannot be written.
        ModelError: If the suffix is another, or MuJoCo has no counterpart of something.

    Warns:
        ModelWarning: If limits cannot be written to MJCF.

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
    write_whole(file, _chosen(_WRITERS, file, "written")(system.mechanism))


def _chosen(table: dict[str, Callable[..., Any]], file: Path, done: str) -> Callable[..., Any]:
    suffix = file.suffix.lower()
    if suffix not in table:
        raise ModelError(
            f"{file}: files with the suffix {suffix!r} cannot be {done}; "
            f"known are {', '.join(table)}{', .urdf, .xml' if table is _READERS else ''}"
        )
    return table[suffix]


def _read_json(file: Path) -> Mechanism:
    tree = native.from_json(native.read_text(file), str(file))
    return native.mechanism_from_native(tree, str(file))


def _read_toml(file: Path) -> Mechanism:
    tree = native.from_toml(native.read_text(file), str(file))
    return native.mechanism_from_native(tree, str(file))


def _write_json(mechanism: Mechanism) -> str:
    return native.to_json(native.native_from_mechanism(mechanism))


def _write_toml(mechanism: Mechanism) -> str:
    return native.to_toml(native.native_from_mechanism(mechanism))


_READERS: Final[dict[str, Callable[[Path], Mechanism]]] = {".json": _read_json, ".toml": _read_toml}
_WRITERS: Final[dict[str, Callable[[Mechanism], str]]] = {
    ".json": _write_json,
    ".toml": _write_toml,
    ".xml": mjcf_from_mechanism,
}
