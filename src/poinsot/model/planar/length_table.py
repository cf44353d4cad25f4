"""Planar linkages from a table of lengths: rows of a link, two of its points and their distance.

A link of two points needs one row, one of k points the three rows of a first triangle and two rows
for each further point, to points that it has already.  Which side of the first two points another
one is on is told by ``sides``.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import finite_number, finite_vector, not_negative
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.frame_names import FRAME, FRAME_NAMES
from poinsot.model.planar.joint import PlanarVector
from poinsot.model.planar.sketch import check_drivers
from poinsot.spatial import Array

COLUMNS: Final = ("link", "from", "to", "length")
"""Of a file."""

LengthRow = tuple[str, str, str, float]


def read_lengths(table: Sequence[Sequence[Any]] | str | os.PathLike[str]) -> list[LengthRow]:
    """Return the rows of a table, or of a CSV file with the columns link, from, to, length."""
    if isinstance(table, str | os.PathLike):
        with Path(table).open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, skipinitialspace=True)
            names = tuple(name.strip() for name in reader.fieldnames or ())
            if names != COLUMNS:
                raise ModelError(f"{table}: the columns must be {', '.join(COLUMNS)}, got {names}")
            given: Sequence[Sequence[Any]] = [list(row.values()) for row in reader]
    else:
        given = table
    if not isinstance(given, Iterable):
        raise ModelError(f"lengths must be rows ({', '.join(COLUMNS)}) or a file, got {given!r}")
    rows: list[LengthRow] = []
    for row in given:
        if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != 4:
            raise ModelError(f"lengths: a row is ({', '.join(COLUMNS)}), got {row!r}")
        link, first, last = (str(name).strip() for name in row[:3])
        try:
            number = float(row[3])
        except (TypeError, ValueError):
            raise ModelError(f"lengths: {link!r}: {row[3]!r} is no length [m]") from None
        length = finite_number(number, f"lengths: {link!r}, {first} to {last}")
        if length <= 0.0 or first == last:
            raise ModelError(
                f"lengths: {link!r}, {first} to {last}: must be positive, between two points, got"
                f" {length:g}"
            )
        rows.append((link, first, last, length))
    return rows


FITS: Final = 1e-3
"""Relative error of a length beyond those that place a point: tables are rounded."""


def length_block(
    rows: Sequence[LengthRow],
    ground: Mapping[str, PlanarVector],
    *,
    drivers: Sequence[str],
    slides: Mapping[str, Sequence[Any]],
    sides: Mapping[str, int],
    masses: Mapping[str, float],
    density: float,
    gravity: Sequence[float],
    modes: Mapping[str, int],
) -> dict[str, Any]:
    """Return the short description of a linkage of lengths; see ``ps.from_lengths``."""
    if not isinstance(ground, Mapping):
        raise ModelError(f"lengths: ground must be places by name, {{'A': (0, 0)}}, got {ground!r}")
    density = not_negative(density, "lengths: density")
    fixed = {name: finite_vector(place, 2, f"ground: {name!r}") for name, place in ground.items()}
    names = list(dict.fromkeys(link for link, *_ in rows))
    for link in names:
        if link in FRAME_NAMES:
            raise ModelError(
                "lengths: give the points of the ground as places, ground={'A': (0, 0)}"
            )
    links = {link: _corners(link, rows, sides) for link in names}
    for point in sides:
        if not any(point in corners for corners in links.values()):
            raise ModelError(f"sides: no link has a point {point!r}")
    blocks = {name: _slide(name, slide, links) for name, slide in slides.items()}
    for link in masses:
        if link not in links:
            raise ModelError(f"masses: there is no link {link!r}; {suggestion(link, links)}")
    bodies = {link: _body(corners, masses.get(link), density) for link, corners in links.items()}
    joints: list[dict[str, Any]] = []
    points = dict.fromkeys([*fixed, *(p for corners in links.values() for p in corners)])
    for point in points:
        joined = [(FRAME, fixed[point])] if point in fixed else []
        joined += [(link, corners[point]) for link, corners in links.items() if point in corners]
        for k, (link, place) in enumerate(joined[1:], start=1):
            name = point if len(joined) == 2 else f"{point}{k}"
            pa, pb = joined[0][1].tolist(), place.tolist()
            joints.append({"id": name, "a": joined[0][0], "pa": pa, "b": link, "pb": pb})
    check_drivers(drivers, points, joints)
    joints += blocks.values()
    return {"bodies": bodies, "joints": joints, "drivers": list(drivers),
            "gravity": list(gravity), "modes": dict(modes)}  # fmt: skip


def _corners(link: str, rows: Sequence[LengthRow], sides: Mapping[str, int]) -> dict[str, Array]:
    """Return the points of a link in its frame: origin at the first, x axis to the second."""
    own = {frozenset((a, b)): length for name, a, b, length in rows if name == link}
    order = list(dict.fromkeys(p for name, a, b, _ in rows if name == link for p in (a, b)))
    if frozenset(order[:2]) not in own:
        raise ModelError(f"lengths: {link!r}: begin with its base, {order[0]} to {order[1]}")
    corners = {order[0]: np.zeros(2), order[1]: np.array([own[frozenset(order[:2])], 0.0])}
    for point in order[2:]:
        near = [other for other in corners if frozenset((point, other)) in own]
        if len(near) < 2:
            raise ModelError(
                f"lengths: {link!r}: the place of {point!r} needs distances from two points of it"
                f" that stand before, got {len(near)}"
            )
        A, B = corners[near[0]], corners[near[1]]
        a, b = (own[frozenset((point, other))] for other in near[:2])
        d = float(np.hypot(*(B - A)))
        along = (d * d + a * a - b * b) / (2.0 * d)
        if abs(along) > a * (1.0 + FITS):
            raise ModelError(
                f"lengths: {link!r}: {a:g} and {b:g} m to {point!r} do not meet over {d:g} m"
            )
        side = sides.get(point, 1)
        if side not in (1, -1):
            raise ModelError(f"sides: {point!r} must be 1 (left) or -1 (right), got {side!r}")
        u = (B - A) / d
        along = min(max(along, -a), a)  # rounded lengths of points on one line
        height = side * float(np.sqrt(a * a - along * along))
        corners[point] = A + along * u + height * np.array([-u[1], u[0]])
    for name, first, second, length in rows:
        distance = float(np.hypot(*(corners[second] - corners[first]))) if name == link else length
        if abs(distance - length) > FITS * length:
            raise ModelError(
                f"lengths: {link!r}: {first} to {second} is {length:g} m in one row and"
                f" {distance:.6g} m by others; mend one, or take a row away"
            )
    return corners


def _slide(name: str, slide: Sequence[Any], links: dict[str, dict[str, Array]]) -> dict[str, Any]:
    """Return a slide on the ground; its link, if no row has it, gets the point as its only one."""
    if not isinstance(slide, tuple | list) or len(slide) != 4:
        raise ModelError(
            f"slide {name!r} must be (link, its point, place of the guide, direction [rad]), e.g. "
            f"('slider', 'C', (0, 0), 0.0), got {slide!r}"
        )
    link, point, place, along = slide
    corners = links.setdefault(str(link), {str(point): np.zeros(2)})
    if point not in corners:
        raise ModelError(f"slide {name!r}: {link!r} has no point {point!r}; "
                         f"{suggestion(str(point), corners)}")  # fmt: skip
    pa = finite_vector(place, 2, f"slide {name!r}: place of the guide").tolist()
    angle = finite_number(along, f"slide {name!r}: direction")
    return {"id": name, "type": "P", "a": FRAME, "pa": pa, "b": link,
            "pb": corners[str(point)].tolist(), "ua": angle, "beta": 0.0}  # fmt: skip


def _body(corners: Mapping[str, Array], mass: float | None, density: float) -> dict[str, Any]:
    """Return thin rods between the points."""
    places = np.array(list(corners.values()))
    points = {name: place.tolist() for name, place in corners.items()}
    if len(places) == 1:
        return {"m": mass or 0.0, "points": points}
    ends = np.roll(places, -1, axis=0) if len(places) > 2 else places[1:]
    starts = places if len(places) > 2 else places[:1]
    lengths = np.hypot(*(ends - starts).T)
    middles, total = (starts + ends) / 2, float(lengths.sum())
    c = lengths @ middles / total
    spread = lengths**2 / 12 + np.sum((middles - c) ** 2, axis=1)
    m = density * total if mass is None else mass
    return {"m": m, "J": float(m * (lengths @ spread) / total), "c": c.tolist(), "points": points}
