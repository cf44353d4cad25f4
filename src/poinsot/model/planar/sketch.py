"""Planar linkages as they are sketched: points in one position, links that join them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import finite_number, finite_vector, not_negative
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.frame_names import FRAME, FRAME_NAMES, shown_links
from poinsot.model.planar.linkage import PlanarVector
from poinsot.spatial import Array

ROUNDING = 1e-15
"""Distance from an axis, relative to that from the origin, up to which a place is on it."""

PLATE_KEYS = ("width", "thickness", "density")
"""Of links that are cut from a plate: width of bars [m], thickness [m], density [kg/m³]."""


def sketched_block(
    points: Mapping[str, PlanarVector],
    links: Mapping[str, Sequence[str]],
    *,
    slides: Mapping[str, Sequence[Any]],
    drivers: Sequence[str],
    masses: Mapping[str, float],
    density: float,
    gravity: Sequence[float],
    plate: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """Return the short description of a sketch; see ``ps.sketch``."""
    if plate is not None and (not isinstance(plate, Mapping) or set(plate) != set(PLATE_KEYS)):
        raise ModelError(f"sketch: plate must have the keys {', '.join(PLATE_KEYS)}, got {plate!r}")
    _check_names(points=points, links=links, slides=slides, masses=masses)
    density = not_negative(density, "sketch: density")
    places = {name: finite_vector(x, 2, f"point {name!r}") for name, x in points.items()}
    for link, corners in links.items():
        if not isinstance(corners, (str, tuple, list)) or not corners:
            raise ModelError(f"link {link!r} must name its points, e.g. 'AB', got {corners!r}")
        for corner in corners:
            if corner not in places:
                hint = suggestion(corner, places)
                raise ModelError(f"link {link!r}: there is no point {corner!r}; {hint}")
        if len(corners) > 1 and not np.any(np.ptp([places[c] for c in corners], axis=0)):
            raise ModelError(
                f"link {link!r}: its points {', '.join(map(repr, corners))} are in one place; move"
                " one, or make them one point"
            )
    named = {FRAME if link in FRAME_NAMES else link: tuple(c) for link, c in links.items()}
    if len(named) < len(links):
        ground = [link for link in links if link in FRAME_NAMES]
        raise ModelError(f"sketch: {ground} are the same link, the ground; name its points once")
    if FRAME not in named and _carries_slides(slides):
        named[FRAME] = ()
    if FRAME not in named:
        raise ModelError("sketch: no link is the ground; name its points: 'ground': 'AD'")
    poses = {link: _pose([places[c] for c in named[link]]) for link in named if link != FRAME}
    poses[FRAME] = np.zeros(3)
    bodies = {
        link: _body(corners, places, poses[link], masses.get(link), density, plate)
        for link, corners in named.items()
        if link != FRAME
    }
    for link in masses:
        if link not in bodies:
            raise ModelError(f"masses: there is no link {link!r}; {suggestion(link, bodies)}")
    joints: list[dict[str, Any]] = []
    for point, place in places.items():
        joined = [link for link, corners in named.items() if point in corners]
        joined.sort(key=lambda link: link != FRAME)
        pinned = joined[1:]
        for k, link in enumerate(pinned, start=1):
            name = point if len(pinned) == 1 else f"{point}{k}"
            joints.append(_pin(name, joined[0], link, place, poses))
    check_drivers(drivers, places, joints)
    for name, slide in slides.items():
        if not isinstance(slide, tuple | list) or len(slide) != 4:
            raise ModelError(
                f"slide {name!r} must be (carrier of the guide, other link, its point, direction), "
                f"e.g. ('ground', 'ram', 'C', 0.0), got {slide!r}"
            )
        a, b, through, along = slide
        ends = _known(name, a, poses), _known(name, b, poses)
        if through not in places:
            raise ModelError(
                f"slide {name!r}: there is no point {through!r}; {suggestion(through, places)}"
            )
        joints.append(_slide(name, ends, places[through], _angle(name, along, places), poses))
    return {"bodies": bodies, "joints": joints, "drivers": drivers, "gravity": gravity}


def check_drivers(
    drivers: object, points: Collection[str], joints: Sequence[Mapping[str, Any]]
) -> None:
    """Tell the pins of a point of three or more links, where the point is named as a driver."""
    by_name = {joint["id"]: joint for joint in joints}
    for driver in drivers if isinstance(drivers, list | tuple) else ():
        if not isinstance(driver, str) or driver not in points or driver in by_name:
            continue
        numbered = [f"{driver}{k}" for k in range(1, len(joints) + 1)]
        pins = [by_name[name] for name in numbered if name in by_name]
        if pins:
            listed = ", ".join(f"{j['id']!r} of {j['b']!r}" for j in pins)
            carrier = "the ground" if pins[0]["a"] == FRAME else repr(pins[0]["a"])
            raise ModelError(
                f"drivers: point {driver!r} joins several links to {carrier}, and its pins are"
                f" {listed}; name one of them"
            )


def _check_names(**given: Mapping[str, Any]) -> None:
    examples = {"points": "{'A': (0, 0)}", "links": "{'crank': 'AB'}", "masses": "{'crank': 2.0}",
                "slides": "{'guide': ('ground', 'ram', 'C', 0.0)}"}  # fmt: skip
    for what, value in given.items():
        if not isinstance(value, Mapping):
            raise ModelError(
                f"sketch: {what} must have names, e.g. {examples[what]}, got {value!r}"
            )
    for link, mass in given["masses"].items():
        if finite_number(mass, f"masses: {link!r}") < 0.0:
            raise ModelError(f"masses: {link!r} must not be negative, got {mass!r}")


def _pose(corners: Sequence[PlanarVector]) -> Array:
    """Return the pose of a link: origin at its first point, x axis to its second."""
    first = np.asarray(corners[0])
    if len(corners) == 1:
        return np.array([*first, 0.0])
    x, y = np.asarray(corners[1]) - first
    return np.array([*first, np.arctan2(y, x)])


def _body(
    corners: Sequence[str],
    places: Mapping[str, Array],
    pose: Array,
    mass: float | None,
    density: float,
    plate: Mapping[str, float] | None,
) -> dict[str, Any]:
    """Return mass, inertia and mass centre of thin rods between the points, or the plate."""
    local = [_local(pose, places[corner]) for corner in corners]
    if plate is not None and len(local) > 1:
        named = {name: p.tolist() for name, p in zip(corners, local, strict=True)}
        shape = _plate_shape([p.tolist() for p in local], plate)
        known = {"m": mass} if mass is not None else {k: plate[k] for k in PLATE_KEYS[1:]}
        return {"shape": shape, **known, "pose": pose.tolist(), "points": named}
    closed = [*local, local[0]] if len(local) > 2 else local
    sides = list(pairwise(closed))
    lengths = np.array([np.hypot(*(q - p)) for p, q in sides])
    total = float(lengths.sum())
    points = {name: p.tolist() for name, p in zip(corners, local, strict=True)}
    body: dict[str, Any] = {"m": density * total if mass is None else mass, "pose": pose.tolist()}
    body["points"] = points
    if total == 0.0:
        return body
    middles = np.array([(p + q) / 2 for p, q in sides])
    c = lengths @ middles / total
    spread = lengths**2 / 12 + np.sum((middles - c) ** 2, axis=1)
    return body | {"J": float(body["m"] * (lengths @ spread) / total), "c": c.tolist()}


def _plate_shape(corners: list[list[float]], plate: Mapping[str, float]) -> dict[str, Any]:
    """Return a bar with rounded ends between two points, a polygon of more."""
    if len(corners) == 2:
        return {"bar": corners, "width": plate["width"]}
    return {"polygon": corners}


def _local(pose: Array, place: Array) -> Array:
    """Return a place in the frame of a link; rounding beside its x axis is none."""
    c, s = np.cos(pose[2]), np.sin(pose[2])
    x, y = place - pose[:2]
    local = np.array([c * x + s * y, c * y - s * x])
    return np.where(np.abs(local) > ROUNDING * np.hypot(x, y), local, 0.0)


def _carries_slides(slides: Mapping[str, Sequence[Any]]) -> bool:
    """Whether the ground is named by slides, and needs no points."""
    ends = [slide[:2] for slide in slides.values() if isinstance(slide, tuple | list)]
    return any(link in FRAME_NAMES for pair in ends for link in pair)


def _pin(name: str, a: str, b: str, place: Array, poses: Mapping[str, Array]) -> dict[str, Any]:
    ends = {key: _local(poses[link], place).tolist() for key, link in (("pa", a), ("pb", b))}
    return {"id": name, "type": "R", "a": a, "b": b, **ends}


def _slide(
    name: str, links: tuple[str, str], place: Array, along: float, poses: Mapping[str, Array]
) -> dict[str, Any]:
    a, b = links
    guide = {"ua": float(along - poses[a][2]), "beta": float(poses[b][2] - poses[a][2])}
    return _pin(name, a, b, place, poses) | {"type": "P"} | guide


def _known(slide: str, link: str, poses: Mapping[str, Array]) -> str:
    name = FRAME if link in FRAME_NAMES else link
    if name not in poses:
        hint = suggestion(link, shown_links(poses))
        raise ModelError(f"slide {slide!r}: there is no link {link!r}; {hint}")
    return name


def _angle(slide: str, along: float | Sequence[str], places: Mapping[str, Array]) -> float:
    """Return the direction of a guide: an angle, or from one point to another."""
    if not isinstance(along, Sequence):
        return finite_number(along, f"slide {slide!r}: direction")
    if len(along) != 2 or not all(point in places for point in along):
        raise ModelError(
            f"slide {slide!r}: the guide must be an angle [rad] or two points, got {along!r}"
        )
    x, y = places[along[1]] - places[along[0]]
    if x == 0.0 and y == 0.0:
        raise ModelError(f"slide {slide!r}: {along[0]!r} and {along[1]!r} are in one place")
    return float(np.arctan2(y, x))
