"""Planar mechanisms from links and joints, from sketches and from files: ``ps.planar``."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from poinsot.errors import ModelError
from poinsot.front.planar_mechanism import PlanarMechanism
from poinsot.model.planar.length_table import length_block, read_lengths
from poinsot.model.planar.linkage import PlanarVector
from poinsot.model.planar.sketch import sketched_block


def planar(
    bodies: Mapping[str, Mapping[str, Any]],
    joints: Sequence[Mapping[str, Any]],
    drivers: Sequence[str | Mapping[str, str]],
    *,
    gravity: Sequence[float] = (0.0, 0.0),
    modes: Mapping[str, int] | None = None,
    ports: Sequence[str] = (),
    parts: Mapping[str, Mapping[str, Any]] | None = None,
    springs: Sequence[Mapping[str, Any]] = (),
) -> PlanarMechanism:
    """Return a planar mechanism from links, pins, slides and drivers.

    Args:
        bodies: Links by name: mass ``m`` [kg], inertia about the mass centre ``J`` [kg m²], mass
            centre ``c`` in the link's frame [m], or a ``shape`` of plates with ``thickness`` [m]
            and ``density`` [kg/m³]; what is left out is zero.  Where all have a
            ``pose`` (x, y, angle) in a drawing, it tells the modes.
        joints: Each {"id": name, "type": "R" or "P", "a": link, "pa": point of a, "b": link,
            "pb": point of b}; slides also "ua", the direction of their guide in a, and "beta",
            the constant angle of b relative to a [rad].  "ground" is the link that rests.  "k",
            "c" and "rest" are stiffness, damping and rest of the angle or stroke; "armature" is
            the inertia of a rotor that turns or moves with it [kg m² or kg].
        drivers: Names of the driven joints, as many as there are degrees of freedom.
        gravity: Acceleration of gravity [m/s²].
        modes: Assembly modes, 1 or -1, by the inner joints of groups; 1 where nothing is said.
        ports: Links that joints name and a larger mechanism will give: this is to be a part.
        parts: Mechanisms with ports that become units of this one, by name: {"mechanism": a part,
            "ports": {its port: link of this one, or (link, (x, y, angle) of the port on it)}}.
        springs: Springs and dampers between points: {"id": name, "a": link, "pa": point of a, "b",
            "pb", "k": stiffness [N/m], "c": damping [N s/m], "length": relaxed [m]}.

    Raises:
        OverconstrainedError: Some links have too many joints; it names them.
        DriverCountError: There are more or fewer drivers than degrees of freedom.

    Examples:
        >>> import poinsot as ps
        >>> rocker = ps.planar(
        ...     {"crank": {"m": 1.0}, "rod": {}, "rocker": {}},
        ...     [
        ...         {"id": "A", "a": "ground", "b": "crank"},
        ...         {"id": "B", "a": "crank", "pa": (1, 0), "b": "rod"},
        ...         {"id": "C", "a": "rod", "pa": (3, 0), "b": "rocker", "pb": (2, 0)},
        ...         {"id": "D", "a": "ground", "pa": (3, 0), "b": "rocker"},
        ...     ],
        ...     ["A"],
        ... )
        >>> print(rocker)
        planar mechanism, 3 bodies, 8 equations of pairs: 1 degrees of freedom, 1 drivers
          1. driver unit R: crank
          2. RRR, class II: rod, rocker
    """
    block: dict[str, Any] = {"bodies": bodies, "joints": joints, "drivers": drivers}
    block |= {"gravity": gravity, "modes": modes or {}, "ports": ports, "springs": springs}
    if parts:
        block["parts"] = _described(parts)
    return PlanarMechanism.from_description(block)


def sketch(
    points: Mapping[str, PlanarVector],
    links: Mapping[str, Sequence[str]],
    *,
    drivers: Sequence[str],
    slides: Mapping[str, Sequence[Any]] | None = None,
    masses: Mapping[str, float] | None = None,
    density: float = 1.0,
    gravity: Sequence[float] = (0.0, -9.81),
    plate: Mapping[str, float] | None = None,
    pairs: Sequence[Mapping[str, Any]] = (),
) -> PlanarMechanism:
    """Return a planar mechanism as it is sketched in one position: points, and links through them.

    A point of several links is a pin, called like the point; of three or more links it is pins
    "B1", "B2", ... to the first of them.  A link's frame is at its first point, its x axis towards
    the second.  The sketch tells the assembly, so that no modes are needed; ``mechanism.drawn`` are
    the drivers' coordinates in it.

    Args:
        points: Places [m] by name.
        links: Names of points of each link; "ground" is the one that rests.
        drivers: Names of the driven joints.
        slides: By name (carrier of the guide, other link, point of the other link, direction); the
            direction is an angle [rad] or two points.
        masses: Of links [kg]; others are thin rods between their points.
        density: Mass of the rods per length [kg/m].
        gravity: Acceleration of gravity [m/s²].
        plate: {"width": [m], "thickness": [m], "density": [kg/m³]}: links of two points are bars
            with rounded ends, those of more polygons, in place of thin rods.
        pairs: Gears, racks and cams between the links, as among the joints of ``ps.planar``.

    Examples:
        >>> import poinsot as ps
        >>> press = ps.sketch(
        ...     {"A": (0, 0), "B": (0.06, 0.08), "C": (0.5, 0)},
        ...     {"ground": "A", "crank": "AB", "rod": "BC", "ram": "C"},
        ...     slides={"guide": ("ground", "ram", "C", 0.0)},
        ...     drivers=["A"],
        ... )
        >>> print(press.drawn.round(4))
        [0.9273]
    """
    block = sketched_block(
        points, links, slides=slides or {}, drivers=drivers, masses=masses or {}, density=density,
        gravity=gravity, plate=plate,
    )  # fmt: skip
    if not isinstance(pairs, tuple | list):
        raise ModelError(f"sketch: pairs must be a list of gears, racks and cams, got {pairs!r}")
    block["joints"] = [*block["joints"], *pairs]
    return PlanarMechanism.from_description(block)


def from_lengths(
    lengths: Sequence[Sequence[Any]] | str | os.PathLike[str],
    ground: Mapping[str, PlanarVector],
    *,
    drivers: Sequence[str],
    slides: Mapping[str, Sequence[Any]] | None = None,
    sides: Mapping[str, int] | None = None,
    masses: Mapping[str, float] | None = None,
    density: float = 1.0,
    gravity: Sequence[float] = (0.0, -9.81),
    modes: Mapping[str, int] | None = None,
) -> PlanarMechanism:
    """Return a planar mechanism from a table of lengths; points of several links are pins.

    Args:
        lengths: Rows (link, point, point, length [m]), or a CSV file with the columns link, from,
            to, length.  A link of three points has three rows, its base first.
        ground: Places of the points of the ground [m].
        drivers: Names of the driven joints: of pins their points.
        slides: On the ground, by name (link, its point, place of the guide, direction [rad]).
        sides: Of further points of a link, 1: to the left of the way between the first two that
            tell its place, or -1; 1 where nothing is said.
        masses: Of links [kg]; others are thin rods between their points.
        density: Mass of the rods per length [kg/m].
        gravity: Acceleration of gravity [m/s²].
        modes: Assembly modes, as in ``ps.planar``.

    Examples:
        >>> import poinsot as ps
        >>> bar = ps.from_lengths(
        ...     [("crank", "A", "B", 0.1), ("rod", "B", "C", 0.4), ("rocker", "D", "C", 0.3)],
        ...     ground={"A": (0, 0), "D": (0.35, 0)}, drivers=["A"],
        ... )
        >>> bar.grashof()
        {'C': 'crank-rocker'}
    """
    block = length_block(
        read_lengths(lengths), ground, drivers=drivers, slides=slides or {}, sides=sides or {},
        masses=masses or {}, density=density, gravity=gravity, modes=modes or {},
    )  # fmt: skip
    return PlanarMechanism.from_description(block)


def load_planar(source: str | os.PathLike[str] | Mapping[str, Any]) -> PlanarMechanism:
    """Return the planar mechanism that ``PlanarMechanism.save`` wrote, or someone by hand.

    Args:
        source: The file, ``.json`` or ``.toml``, with the arguments of ``ps.planar`` as keys,
            ``bodies`` and ``joints`` among them, and ``kind = "planar"`` if it says what it is; or
            what such a file holds, a dictionary.

    Raises:
        ModelError: It is none; the message names the key.
    """
    top, where = _read(source)
    if not isinstance(top, Mapping) or top.get("kind", "planar") != "planar":
        raise ModelError(f'{where}: no planar mechanism; it must have "kind": "planar"')
    # Descriptions of systems list their bodies.
    missing = [key for key in ("bodies", "joints") if key not in top]
    if "kind" not in top and (missing or not isinstance(top["bodies"], Mapping)):
        raise ModelError(
            f'{where}: no planar mechanism; it must have "kind": "planar", or bodies by name and a'
            f" list of joints, got the keys {list(top)}"
        )
    return PlanarMechanism.from_description(
        {key: top[key] for key in top if key not in ("format", "kind")}
    )


def _read(source: str | os.PathLike[str] | Mapping[str, Any]) -> tuple[Any, str]:
    """Return what a file holds, or the dictionary that is given, and how messages call it."""
    if isinstance(source, Mapping):
        return source, "load_planar"
    file = Path(source)
    text = file.read_text(encoding="utf-8")
    try:
        top = tomllib.loads(text) if file.suffix.lower() == ".toml" else json.loads(text)
    except ValueError as error:
        raise ModelError(f"{file}: {error}") from error
    return top, str(file)


def _described(parts: Mapping[str, Mapping[str, Any]]) -> Any:  # noqa: ANN401
    """Return parts as files hold them; what is none is left to the checks."""
    if not isinstance(parts, Mapping):
        return parts
    described = {}
    for name, entry in parts.items():
        described[name] = entry
        if isinstance(entry, PlanarMechanism):
            raise ModelError(
                f"part {name!r}: say where its ports {list(entry.linkage.ports)} are: "
                f'{{"mechanism": ..., "ports": {{"in": "rocker"}}}}'
            )
        if isinstance(entry, Mapping) and isinstance(entry.get("mechanism"), PlanarMechanism):
            described[name] = {**entry, "mechanism": entry["mechanism"].carried_description}
    return described
