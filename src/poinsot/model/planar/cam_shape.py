"""How a follower touches a cam: a roller, a knife edge or a flat face on a slide or a lever.

All in the axes of the carrier, on which the cam turns about O with the angle θ and the follower
slides along u or turns about C.  With y the coordinate of the follower,

    slide     F(y) = F_0 + y u
    lever     F(y) = C + A(y) s

F is the tip, the roller's centre, or a point of the face; e is the normal of a face, away from the
cam, which turns with a lever.  At lift zero the follower rests on the base circle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.spatial import Array

FOLLOWERS: Final = ("knife", "roller", "flat")


@dataclass(frozen=True, eq=False)
class FollowerPath:
    """Where the follower is for its coordinate, in the axes of the carrier.

    Attributes:
        cam: O, the centre of the cam.
        pivot: C of a lever; F_0 of a slide.
        arm: s of a lever, at the coordinate zero; u of a slide.
        turns: 1.0 for a lever, 0.0 for a slide.
        face: Angle of e at the coordinate zero [rad]; None for knives and rollers.
        roller: Radius of the roller [m].
    """

    cam: Array
    pivot: Array
    arm: Array
    turns: float
    face: float | None
    roller: float

    def place(self, y: Any) -> tuple[Array, Array, Array]:  # noqa: ANN401 (arrays)
        """Return F, dF/dy and d²F/dy², (..., 2) each."""
        y = np.asarray(y)
        if not self.turns:
            flat = np.broadcast_to(self.arm, (*y.shape, 2))
            return self.pivot + y[..., None] * self.arm, flat, 0.0 * flat
        lever = _turned_by(y, self.arm)
        across = np.stack([-lever[..., 1], lever[..., 0]], axis=-1)
        return self.pivot + lever, across, -lever

    def normal(self, y: Any) -> Array:  # noqa: ANN401
        """Return e of a face, (..., 2)."""
        angle = np.asarray(y) * self.turns + float(self.face or 0.0)
        return np.stack([np.cos(angle), np.sin(angle)], axis=-1)

    def start(self, base: float, side: int, where: str) -> tuple[float, float]:
        """Return the coordinate on the base circle, and the sign of y that lifts the follower."""
        if self.face is not None:
            return self._start_of_face(base, side, where)
        reach, d = base + self.roller, self.pivot - self.cam
        if not self.turns:
            u = self.arm
            across = float(u[0] * d[1] - u[1] * d[0])
            if abs(across) >= reach:
                raise ModelError(
                    f"{where}: the follower passes the centre at {abs(across):.4g} m, outside of"
                    f" its lowest circle of {reach:.4g} m; make base larger"
                )
            return float(-u @ d + np.sqrt(reach**2 - across**2)), 1.0
        length, distance = float(np.hypot(*self.arm)), float(np.hypot(*d))
        cosine = (reach**2 - length**2 - distance**2) / (2.0 * length * distance)
        if abs(cosine) >= 1.0:
            raise ModelError(
                f"{where}: the lever of {length:.4g} m, {distance:.4g} m from the cam, does not"
                f" reach its base circle of {reach:.4g} m"
            )
        # Angle of s from d = C - O, turned to the one side or the other.
        turn = side * float(np.arccos(cosine))
        y = float(np.arctan2(d[1], d[0]) + turn - np.arctan2(self.arm[1], self.arm[0]))
        y = (y + np.pi) % (2.0 * np.pi) - np.pi
        return y, -float(side)

    def _start_of_face(self, base: float, side: int, where: str) -> tuple[float, float]:
        d = self.pivot - self.cam
        if not self.turns:
            e = self.normal(0.0)
            along = float(e @ self.arm)
            if abs(along) < 0.1:
                raise ModelError(f"{where}: the face must stand across the guide, not along it")
            return float((base - e @ d) / along), float(np.sign(along))
        # e · (C - O) + e · s = base, where e · s is the same at every angle.
        offset = float(self.normal(0.0) @ self.arm)
        distance = float(np.hypot(*d))
        cosine = (base - offset) / distance
        if abs(cosine) >= 1.0:
            raise ModelError(
                f"{where}: the face of the lever, {distance:.4g} m from the cam, does not reach its"
                f" base circle of {base:.4g} m"
            )
        y = float(np.arctan2(d[1], d[0]) + side * np.arccos(cosine)) - float(self.face or 0.0)
        return (y + np.pi) % (2.0 * np.pi) - np.pi, -float(side)


def _turned_by(angle: Any, vector: Array) -> Array:  # noqa: ANN401
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]], axis=-1)
