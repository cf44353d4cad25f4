"""Systems in files: ``ps.load`` and ``ps.save``."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.formulations.singular import warn_if_singular
from poinsot.front.system import System
from poinsot.io import native
from poinsot.io.atomic_write import write_whole
from poinsot.io.mjcf import mjcf_from_mechanism, read_mjcf
from poinsot.io.urdf import read_urdf, urdf_from_mechanism
from poinsot.io.xml import outermost_tag
from poinsot.model import AbstractJoint, Fixed, Mechanism
from poinsot.model.fixed_bodies import warn_of_merged
from poinsot.model.model_warnings import Gathered, listed, warn


def load(
    path: str | os.PathLike[str],
    root: AbstractJoint | None = None,
    *,
    mimic: bool = False,
    passive: bool = True,
) -> System:
    """Return the system that a file describes.

    Args:
        path: The file; its suffix says what it is: ``.json`` or ``.toml``, our own format,
            ``.urdf``, or ``.xml``, which is MJCF (or URDF, if its outermost element is ``robot``).
        root: How the root link of a URDF moves against the world; fixed by default.  Other files
            say that themselves.
        mimic: Whether joints of a URDF follow those that they mimic, each by a ``Gear``.  If not
            they move freely, and what they mimic is kept as data.
        passive: Whether to take damping, friction and springs from a URDF or MJCF.

    Raises:
        OSError: If the file cannot be opened.
        ModelError: If it describes no system; the message says where in the file.
        FormulaError: If a formula in it cannot be read.

    Warns:
        ModelWarning: Once for all that is doubtful: inertias that no body could have, joints that
            move nothing, meshes outside the folder of the model, joints that should mimic others,
            and what a URDF or MJCF says and is not taken.
    """
    file = Path(path)
    with Gathered(str(file)):
        mechanism = _read(file, root, mimic=mimic, passive=passive)
        warn_of_merged(mechanism.at({}))
        warn_if_singular(mechanism.at({}))
    return System.from_mechanism(mechanism)


def save(system: System, path: str | os.PathLike[str]) -> None:
    """Write a system to a file.

    From our own files ``load`` restores an equal system: no number is rounded.  A URDF has the same
    coordinates and dynamics; what it cannot hold, a warning names.

    MJCF (``.xml``) is made for MuJoCo: of that ``load`` makes a system that moves alike, whose
    bodies are listed depth first and whose joints with several axes are several joints.

    Args:
        system: The system.
        path: The file, replaced as a whole if it exists; its suffix, ``.json``, ``.toml``,
            ``.urdf`` or ``.xml``, says how.

    Raises:
        OSError: If the file cannot be written.
        ModelError: If the suffix is another, or URDF or MuJoCo has no counterpart of something.

    Warns:
        ModelWarning: If a URDF or MJCF cannot hold all, e.g. forces, or springs of joints.

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
    write = _chosen(_WRITERS, file, "written")
    with Gathered(str(file)):
        if system.parameters and file.suffix.lower() in (".urdf", ".xml"):
            names = listed(list(system.parameters))
            warn(f"formulas are written as numbers; the file knows no parameters {names}")
        if system.states and file.suffix.lower() in (".urdf", ".xml"):
            warn(f"the file holds no states; lost are {listed(list(system.states))}")
        text = write(system.description)
    write_whole(file, text)


def _read(file: Path, root: AbstractJoint | None, *, mimic: bool, passive: bool) -> Mechanism:
    suffix = file.suffix.lower()
    if suffix == ".urdf" or (suffix == ".xml" and outermost_tag(file) == "robot"):
        root = Fixed() if root is None else root
        return read_urdf(file, root=root, mimic=mimic, passive=passive)
    if root is not None:
        raise ModelError(f"{file}: root is for URDF files; this one says itself how bodies move")
    if mimic:
        raise ModelError(f"{file}: mimic is for URDF files")
    if suffix == ".xml":
        return read_mjcf(file, passive=passive).mechanism
    if not passive:
        raise ModelError(f"{file}: passive is for URDF and MJCF files")
    mechanism: Mechanism = _chosen(_READERS, file, "read")(file)
    return mechanism


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
    return native.mechanism_from_native(tree, str(file), str(file.parent))


def _read_toml(file: Path) -> Mechanism:
    tree = native.from_toml(native.read_text(file), str(file))
    return native.mechanism_from_native(tree, str(file), str(file.parent))


def _write_json(mechanism: Mechanism) -> str:
    return native.to_json(native.native_from_mechanism(mechanism))


def _write_toml(mechanism: Mechanism) -> str:
    return native.to_toml(native.native_from_mechanism(mechanism))


def _write_urdf(mechanism: Mechanism) -> str:
    return urdf_from_mechanism(_with_numbers(mechanism, "URDF"))


def _write_mjcf(mechanism: Mechanism) -> str:
    return mjcf_from_mechanism(_with_numbers(mechanism, "MJCF"))


def _with_numbers(mechanism: Mechanism, language: str) -> Mechanism:
    """Return a mechanism with all its formulas evaluated."""
    numeric = mechanism.at({})
    for name, _ in numeric.parameters:
        raise ModelError(
            f"mechanism {mechanism.name!r}: parameter {name!r} has no number, and {language} has "
            f"no formulas; give it one: system.with_parameters({name}=...)"
        )
    return numeric


_READERS: Final[dict[str, Callable[[Path], Mechanism]]] = {".json": _read_json, ".toml": _read_toml}
_WRITERS: Final[dict[str, Callable[[Mechanism], str]]] = {
    ".json": _write_json,
    ".toml": _write_toml,
    ".urdf": _write_urdf,
    ".xml": _write_mjcf,
}
