"""Planar mechanisms by name, each a sketch: points in one position and links through them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.planar_description import sketch
from poinsot.front.planar_mechanism import PlanarMechanism
from poinsot.library.jansen_leg import jansen_leg_points
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.linkage import PlanarVector

__all__ = ["PLANAR_LINKAGES", "planar_linkage"]


class PlanarSketch(NamedTuple):
    """Points [m], links through them, slides (carrier, slider, point, direction), drivers."""

    points: Mapping[str, PlanarVector]
    links: str
    drivers: str = "A"
    slides: Mapping[str, Sequence[Any]] = {}
    masses: Mapping[str, float] = {}


def _jansen() -> dict[str, PlanarVector]:
    pins = jansen_leg_points(0.3)
    return {"O": (0.0, 0.0), **{name: (p.real, p.imag) for name, p in pins.items()}}


_BAR: Final = {"A": (0.0, 0.0), "B": (0.08, 0.06), "C": (0.35, 0.3), "D": (0.4, 0.0)}
_FOUR: Final = "crank: A B, coupler: B C, rocker: D C"

PLANAR_LINKAGES: Final[Mapping[str, PlanarSketch]] = {
    "four-bar": PlanarSketch(_BAR, f"ground: A D, {_FOUR}"),
    "slider-crank": PlanarSketch(
        {"A": (0.0, 0.0), "B": (0.08, 0.06), "C": (0.45, 0.0)},
        "ground: A, crank: A B, rod: B C, slider: C",
        slides={"guide": ("ground", "slider", "C", 0.0)},
        masses={"slider": 1.0},
    ),
    "Watt I": PlanarSketch(
        _BAR | {"E": (0.2, 0.4), "F": (0.5, 0.25), "G": (0.48, 0.55)},
        "ground: A D, crank: A B, coupler: B C E, rocker: D C F, arm: F G, link: E G",
    ),
    "Watt II": PlanarSketch(
        _BAR | {"E": (0.5, 0.2), "F": (0.75, 0.25), "G": (0.8, 0.0)},
        "ground: A D G, crank: A B, coupler: B C, rocker: D C E, link: E F, output: G F",
    ),
    "Stephenson I": PlanarSketch(
        _BAR | {"E": (-0.03, 0.09), "F": (0.45, 0.4), "G": (0.15, 0.5)},
        "ground: A D, crank: A B E, coupler: B C, rocker: D C F, link: E G, arm: F G",
    ),
    "Stephenson II": PlanarSketch(
        {
            "A": (0.0, 0.0), "B": (0.04, 0.03), "C": (0.25, 0.3), "E": (-0.04, 0.05),
            "F": (0.1, 0.45), "G": (0.4, 0.45), "D": (0.5, 0.0),
        },
        "ground: A D, crank: A B E, first: B C, second: E F, plate: C F G, rocker: D G",
    ),
    "Stephenson III": PlanarSketch(
        _BAR | {"E": (0.2, 0.35), "F": (0.45, 0.6), "G": (0.75, 0.3)},
        "ground: A D G, crank: A B, coupler: B C E, rocker: D C, link: E F, output: G F",
    ),
    "Whitworth": PlanarSketch(
        {"A": (0, 0), "P": (0.1, 0), "D": (0, 0.04), "E": (-0.08, 0.072), "C": (0.3, 0.04)},
        "ground: A D, crank: A P, block: P, arm: D E, link: E C, ram: C",
        slides={"slot": ("arm", "block", "P", "DP"), "guide": ("ground", "ram", "C", 0.0)},
        masses={"block": 0.2, "ram": 2.0},
    ),
    "crank and slotted lever": PlanarSketch(
        {"O": (0.0, 0.0), "A": (0.0, 0.3), "P": (0.1, 0.3), "B": (0.19, 0.57), "C": (0.44, 0.55)},
        "ground: O A, crank: A P, block: P, arm: O B, link: B C, ram: C",
        slides={"slot": ("arm", "block", "P", "OB"), "guide": ("ground", "ram", "C", 0.0)},
        masses={"block": 0.5, "ram": 15.0},
    ),
    "Jansen": PlanarSketch(
        _jansen(),
        "ground: O B, crank: O A, upper rod: A C, upper triangle: B C D, lower rod: A E, link: B E,"
        " foot: E F G, tie: D F",
        drivers="O",
    ),
    "Klann": PlanarSketch(
        {
            "Z": (1.599, 0.75), "M": (1.331, 0.75), "B": (1.009, 0.574), "C": (0.741, 0.75),
            "D": (0.232, 0.866), "A": (1.366, 1.366), "E": (0.866, 1.5), "F": (0.0, 0.0),
        },
        "ground: Z A B, crank: Z M, connecting rod: M C D, lower rocker: B C, upper rocker: A E,"
        " leg: D E F",
        drivers="Z",
    ),
    "toggle press": PlanarSketch(
        {"A": (-0.35, 0.3), "B": (-0.31, 0.33), "C": (-0.06, 0.28), "D": (0, 0.5), "E": (0, 0.05)},
        "ground: A D, crank: A B, rod: B C, upper: D C, lower: C E, ram: E",
        slides={"guide": ("ground", "ram", "E", np.pi / 2)},
        masses={"ram": 5.0},
    ),
    "scotch yoke": PlanarSketch(
        {"A": (0.0, 0.0), "B": (0.08, 0.06), "C": (0.08, 0.0)},
        "ground: A, crank: A B, block: B, yoke: C",
        slides={"slot": ("yoke", "block", "B", np.pi / 2), "guide": ("ground", "yoke", "C", 0.0)},
        masses={"block": 0.1, "yoke": 2.0},
    ),
    "pantograph": PlanarSketch(
        {
            "O": (0, 0), "A": (0.1, 0.2), "B": (0.2, 0.4), "C": (0.3, 0.2), "D": (0.2, 0),
            "E": (0.4, 0),
        },
        "ground: O, long arm: O A B, pen arm: B C E, first: A D, second: C D",
        drivers="O B",
    ),
    "five-bar": PlanarSketch(
        {"A": (0.0, 0.0), "B": (-0.1, 0.15), "C": (0.1, 0.35), "D": (0.3, 0.15), "E": (0.2, 0.0)},
        "ground: A E, left: A B, left rod: B C, right rod: D C, right: E D",
        drivers="A E",
    ),
    "3-RRR": PlanarSketch(
        {
            "A1": (0, 0), "B1": (0.22, 0.475), "C1": (0.37, 0.215), "A2": (1, 0),
            "B2": (0.48, -0.045), "C2": (0.63, 0.215), "A3": (0.5, 0.87), "B3": (0.8, 0.44),
            "C3": (0.5, 0.44),
        },
        "ground: A1 A2 A3, crank 1: A1 B1, rod 1: B1 C1, crank 2: A2 B2, rod 2: B2 C2,"
        " crank 3: A3 B3, rod 3: B3 C3, platform: C1 C2 C3",
        drivers="A1 A2 A3",
    ),
    "double A-arm": PlanarSketch(
        {"A": (0.0, 0.0), "B": (0.35, -0.02), "C": (0.32, 0.28), "D": (0.08, 0.25)},
        "ground: A D, lower arm: A B, upright: B C, upper arm: D C",
        masses={"upright": 12.0},
    ),
    "excavator arm": PlanarSketch(
        {
            "A": (0.0, 0.0), "B": (0.3, -0.1), "C": (0.9, 0.9), "D": (1.6, 1.8), "E": (1.4, 2.2),
            "F": (1.0, 1.6), "G": (2.6, 0.6),
        },
        "ground: A B, boom: A C D F, boom barrel: B, boom piston: C, stick: D E G,"
        " stick barrel: F, stick piston: E",
        drivers="boom cylinder,stick cylinder",
        slides={
            "boom cylinder": ("boom barrel", "boom piston", "C", "BC"),
            "stick cylinder": ("stick barrel", "stick piston", "E", "FE"),
        },
        masses={
            "boom barrel": 20.0, "boom piston": 10.0, "stick barrel": 15.0, "stick piston": 8.0,
        },
    ),
}  # fmt: skip
"""The sketches by name."""


def planar_linkage(
    name: str,
    *,
    points: Mapping[str, PlanarVector] | None = None,
    masses: Mapping[str, float] | None = None,
    density: float = 1.0,
    gravity: Sequence[float] = (0.0, -9.81),
) -> PlanarMechanism:
    """Return a planar mechanism of the library.

    Args:
        name: One of ``PLANAR_LINKAGES``.
        points: Other places of its points in the sketch [m]; lengths follow from them.
        masses: Of links [kg]; others are thin rods between their points.
        density: Mass of the rods per length [kg/m].
        gravity: Acceleration of gravity [m/s²].

    >>> print(planar_linkage("Watt II"))
    planar mechanism, 5 bodies, 14 equations of pairs: 1 degrees of freedom, 1 drivers
      1. driver unit R: crank
      2. RRR, class II: coupler, rocker
      3. RRR, class II: link, output
    """
    if name not in PLANAR_LINKAGES:
        hint = suggestion(name, PLANAR_LINKAGES)
        raise ModelError(
            f"planar_linkage: there is no {name!r}; {hint}; cams: library.cam_and_follower"
        )
    entry = PLANAR_LINKAGES[name]
    for point in points or {}:
        if point not in entry.points:
            hint = suggestion(point, entry.points)
            raise ModelError(f"planar_linkage {name!r}: there is no point {point!r}; {hint}")
    links = {}
    for text in entry.links.split(", "):
        link, corners = text.split(":")
        links[link.strip()] = corners.split()
    named = entry.drivers.split(",") if "," in entry.drivers else entry.drivers.split()
    return sketch(
        {**entry.points, **(points or {})}, links, drivers=named, slides=entry.slides,
        masses={**entry.masses, **(masses or {})}, density=density, gravity=gravity,
    )  # fmt: skip
