"""Mass, inertia and mass centre of links that are cut from plates.

    {"bar": [p, q], "width": w}                 with rounded ends, pins in the middle of the rounds
    {"disc": centre, "radius": R}
    {"polygon": [p_1, p_2, ...]}
    {..., "hole": true}                         taken away

each of the link's thickness and density, or of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import finite_number, finite_vector
from poinsot.model.name_suggestion import suggestion
from poinsot.spatial import Array

KEYS: Final = {
    "bar": ("bar", "width"), "disc": ("disc", "radius"), "polygon": ("polygon",),
}  # fmt: skip
OPTIONAL: Final = ("hole", "thickness", "density")
ROUND: Final = 24
"""Corners of a drawn half circle."""


class PlateShape(NamedTuple):
    """A flat shape.

    Attributes:
        area: [m²].
        centre: Its middle, shape (2,) [m].
        moment: Second moment of area about that point, across the plane [m⁴].
        outline: Corners for pictures, shape (k, 2).
    """

    area: float
    centre: Array
    moment: float
    outline: Array


class PlateBody(NamedTuple):
    """A link of plates.

    Attributes:
        mass: [kg].
        inertia: About the mass centre [kg m²].
        com: Mass centre in the link's frame [m], shape (2,).
        outlines: Of its pieces that are no holes.
    """

    mass: float
    inertia: float
    com: Array
    outlines: tuple[Array, ...]


def plate_body(entry: Mapping[str, Any], where: str) -> PlateBody:
    """Return mass, inertia and mass centre of a link's ``shape``, one or a list.

    Args:
        entry: Of the link: ``shape``, ``thickness`` [m], ``density`` [kg/m³]; ``m`` in place of
            the density.
        where: Opens messages.
    """
    given = entry["shape"]
    listed = [given] if isinstance(given, Mapping) else given
    if not isinstance(listed, list | tuple) or not listed:
        raise ModelError(
            f'{where}: shape must be like {{"bar": [(0, 0), (0.4, 0)], "width": 0.03}}, or a list, '
            f"got {given!r}"
        )
    for key in ("J", "c"):
        if key in entry:
            raise ModelError(f"{where}: {key} follows from its shape; leave one of them out")
    has_mass = "m" in entry
    masses, shapes = [], []
    for piece in listed:
        shape = _shape(piece, where)
        factor = 1.0
        if not has_mass:
            for key in ("thickness", "density"):
                number = finite_number(piece.get(key, entry.get(key, 0.0)), f"{where}: {key}")
                if number <= 0.0:
                    raise ModelError(f"{where}: its shape needs a {key}, positive, got {number:g}")
                factor *= number
        elif any(key in piece or key in entry for key in ("thickness", "density")):
            factor = finite_number(piece.get("thickness", entry.get("thickness", 1.0)), where)
        masses.append(factor * shape.area * (-1.0 if piece.get("hole") else 1.0))
        shapes.append(shape)
    weights = np.array(masses)
    total = float(weights.sum())
    if total <= 0.0:
        raise ModelError(f"{where}: its holes take away all of its shape")
    scale = finite_number(entry["m"], f"{where}: m") / total if has_mass else 1.0
    weights = scale * weights
    centres = np.array([shape.centre for shape in shapes])
    com = weights @ centres / weights.sum()
    own = np.array([shape.moment / shape.area for shape in shapes])
    inertia = float(weights @ (own + np.sum((centres - com) ** 2, axis=1)))
    outlines = tuple(
        shape.outline for piece, shape in zip(listed, shapes, strict=True) if not piece.get("hole")
    )
    return PlateBody(float(weights.sum()), inertia, com, outlines)


def _shape(entry: Any, where: str) -> PlateShape:  # noqa: ANN401 (from a file)
    kinds = [key for key in KEYS if isinstance(entry, Mapping) and key in entry]
    if len(kinds) != 1:
        raise ModelError(f"{where}: a shape is one of {', '.join(KEYS)}, got {entry!r}")
    kind = kinds[0]
    for key in entry:
        if key not in (*KEYS[kind], *OPTIONAL):
            hint = suggestion(key, (*KEYS[kind], *OPTIONAL))
            raise ModelError(f"{where}: shape: there is no key {key!r}; {hint}")
    if kind == "disc":
        centre = finite_vector(entry["disc"], 2, f"{where}: disc")
        return _disc(centre, _size(entry, "radius", where))
    points = np.array(
        [finite_vector(point, 2, f"{where}: point of {kind}") for point in entry[kind]]
    )
    if kind == "bar":
        if len(points) != 2:
            raise ModelError(f"{where}: a bar goes from one point to another, got {len(points)}")
        return _bar(points, _size(entry, "width", where))
    return _polygon(points, where)


def _size(entry: Mapping[str, Any], key: str, where: str) -> float:
    size = finite_number(entry.get(key, 0.0), f"{where}: {key}")
    if size <= 0.0:
        raise ModelError(f"{where}: {key} [m] must be positive, got {size:g}")
    return size


def _disc(centre: Array, radius: float) -> PlateShape:
    angles = np.linspace(0.0, 2.0 * np.pi, 2 * ROUND, endpoint=False)
    outline = centre + radius * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return PlateShape(np.pi * radius**2, centre, np.pi * radius**4 / 2, outline)


def _bar(points: Array, width: float) -> PlateShape:
    """Return a rectangle with half discs at its ends.

    Of a half disc about the middle of the bar, d away from its centre:
    π r⁴/4 + A d² + 2 d A x, A = π r²/2, x = 4 r/(3 π).
    """
    along = points[1] - points[0]
    length, r = float(np.hypot(*along)), width / 2
    if length <= 0.0:
        return _disc(points[0], r)
    d, half = length / 2, np.pi * r**2 / 2
    ends = np.pi * r**4 / 4 + half * d**2 + 2 * d * half * 4 * r / (3 * np.pi)
    moment = length * width * (length**2 + width**2) / 12 + 2 * ends
    angle = float(np.arctan2(along[1], along[0]))
    rounds = np.linspace(-np.pi / 2, np.pi / 2, ROUND)
    turns = np.concatenate([angle + rounds, angle + np.pi + rounds])
    middles = np.repeat(points[::-1], ROUND, axis=0)
    outline = middles + r * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    return PlateShape(length * width + 2 * half, points.mean(axis=0), moment, outline)


def _polygon(points: Array, where: str) -> PlateShape:
    """Return area, centroid and second moment by Green's theorem, corners either way round."""
    if len(points) < 3:
        raise ModelError(f"{where}: a polygon has three corners or more, got {len(points)}")
    first = points[0]
    p = points - first
    q = np.roll(p, -1, axis=0)
    cross = p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]
    area = float(cross.sum()) / 2
    if abs(area) < 1e-12 * float(np.max(np.ptp(p, axis=0))) ** 2:
        raise ModelError(f"{where}: the polygon {points.tolist()} has no area")
    centre = (cross @ (p + q)) / (6 * area)
    square = np.sum(p * p + p * q + q * q, axis=1)
    moment = float(cross @ square) / 12 / np.sign(area) - abs(area) * float(centre @ centre)
    return PlateShape(abs(area), first + centre, moment, points)


def plate_outlines(entries: Sequence[Array]) -> tuple[tuple[tuple[float, float], ...], ...]:
    """Return outlines as tuples, which links can hold."""
    return tuple(tuple((float(x), float(y)) for x, y in outline) for outline in entries)
