"""A disc cam with a follower that rises, dwells and returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from poinsot.front.planar_description import planar
from poinsot.front.planar_mechanism import PlanarMechanism

__all__ = ["cam_and_follower"]

LAW: Final = (
    ("cycloidal", np.pi / 2, 0.02), ("dwell", np.pi / 3, 0.0), ("3-4-5", np.pi / 2, -0.02),
    ("dwell", 2 * np.pi / 3, 0.0),
)  # fmt: skip
"""Rise, dwell, return, dwell: (law, angle of the cam [rad], rise [m])."""


def cam_and_follower(
    follower: str = "roller",
    *,
    law: Sequence[Sequence[Any]] = LAW,
    base: float = 0.04,
    offset: float = 0.0,
    spring: float = 2000.0,
    gravity: Sequence[float] = (0.0, -9.81),
) -> PlanarMechanism:
    """Return a cam on the ground and a follower on a vertical slide, held down by a spring.

    Joints are O (the cam's pin, driven), S (the slide) and k (the cam itself).

    Args:
        follower: "roller" (of a quarter of the base circle's radius), "knife" or "flat".
        law: Segments (law, angle [rad], rise [m]) of one turn.
        base: Radius of the base circle [m].
        offset: Of the guide, to the right of the cam's centre [m].
        spring: Stiffness of the spring [N/m], relaxed where the follower's point would be at the
            height of the cam's centre.
        gravity: Acceleration of gravity [m/s²].

    >>> print(cam_and_follower("flat"))
    planar mechanism, 2 bodies, 5 equations of pairs: 1 degrees of freedom, 1 drivers
      1. driver unit R: cam
      2. PH, class single: follower
    """
    pair = {"id": "k", "type": "cam", "a": "cam", "b": "follower", "follower": follower,
            "base": base, "law": [list(segment) for segment in law]}  # fmt: skip
    pair |= {"radius": base / 4} if follower == "roller" else {}
    return planar(
        {"cam": {"m": 1.0, "J": 0.001}, "follower": {"m": 0.4, "c": (0.03, 0.0)}},
        [
            {"id": "O", "a": "ground", "b": "cam"},
            {"id": "S", "type": "P", "a": "ground", "pa": (offset, 0.0), "b": "follower",
             "ua": np.pi / 2, "beta": np.pi / 2, "k": spring},
            pair,
        ],
        ["O"],
        gravity=gravity,
    )  # fmt: skip
