"""A planetary gear train: sun, planets on an arm, ring."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.planar_description import planar
from poinsot.front.planar_mechanism import PlanarMechanism

__all__ = ["planetary_gear"]


def planetary_gear(
    sun: int = 20,
    planet: int = 16,
    *,
    module: float = 0.005,
    pressure_angle: float = np.radians(20),
    driven: str = "sun",
) -> PlanarMechanism:
    """Return a sun, one planet on an arm, and a ring that the ground holds.

    Joints are O (sun), C (arm), P (planet), s and r (meshes of the planet with sun and ring).

    Args:
        sun: Teeth of the sun.
        planet: Teeth of the planet; the ring has sun + 2 planet.
        module: Pitch diameter over teeth [m].
        pressure_angle: Of the teeth [rad].
        driven: "sun" or "arm".

    >>> train = planetary_gear(20, 20)
    >>> print(train.velocities([0.0], [4.0])["arm"])
    [0. 0. 1.]
    """
    drivers = {"sun": "O", "arm": "C"}
    if driven not in drivers:
        raise ModelError(f"planetary_gear: driven must be 'sun' or 'arm', got {driven!r}")
    centre = module * (sun + planet) / 2
    mesh = {"type": "gear", "b": "planet", "carrier": "arm", "alpha": float(pressure_angle)}
    radii = [module * teeth / 2 for teeth in (sun, planet)]
    # Discs of steel, 20 mm thick.
    masses = [7850.0 * 0.02 * np.pi * radius**2 for radius in radii]
    bodies: dict[str, dict[str, Any]] = {
        name: {"m": m, "J": m * radius**2 / 2}
        for name, m, radius in zip(("sun", "planet"), masses, radii, strict=True)
    }
    bodies["arm"] = {"m": 0.5, "J": 0.5 * centre**2 / 12, "c": (centre / 2, 0.0)}
    return planar(
        bodies,
        [
            {"id": "O", "a": "ground", "b": "sun"},
            {"id": "C", "a": "ground", "b": "arm"},
            {"id": "P", "a": "arm", "pa": (centre, 0.0), "b": "planet"},
            {"id": "s", "a": "sun", "teeth": (sun, planet), **mesh},
            {"id": "r", "a": "ground", "teeth": (sun + 2 * planet, planet), "internal": True,
             **mesh},
        ],
        [drivers[driven]],
    )  # fmt: skip
