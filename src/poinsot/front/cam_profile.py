"""What a cam is cut to, and what its designer asks of it: pressure angles, curvature, undercut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.formulations.composable.cam_contact import (
    CamContact,
    cam_contact,
    cam_profile,
    pressure_angle,
)
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.higher_pair import CamFollower, HigherPair
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array

KNIFE: Final = 1e-12
"""Radius [m] of a roller below which a follower is a knife edge."""


@dataclass(frozen=True, eq=False)
class CamProfile:
    """A cam and its follower over one turn; arrays have one row for each angle.

    Attributes:
        angle: Of the cam [rad], shape (n,).
        lift: Of the follower from the base circle [m or rad].
        rate: dS/dθ.
        bend: d²S/dθ².
        profile: Where the cam is touched, in its axes from its centre [m], shape (n, 2).
        pitch: The same of the roller's centre, of the knife edge, or of the face's point.
        pressure_angle: Between the normal and the follower's motion [rad].
        radius: Of curvature of the profile [m]: positive where convex, negative where hollow.
        undercut: Where a roller or a face would cut away what it has to rest on.
    """

    angle: Array
    lift: Array
    rate: Array
    bend: Array
    profile: Array
    pitch: Array
    pressure_angle: Array
    radius: Array
    undercut: Array

    @staticmethod
    def of_pair(pair: HigherPair, count: int) -> CamProfile:
        """Return the profile of a pair at so many angles, the turn's end among them."""
        angle = np.linspace(0.0, 2.0 * np.pi, count + 1)
        cam = _checked(pair)
        y, first, second = pair.law(angle)
        contact = cam_contact(cam.path, y, first, second)
        lift, rate, bend = cam.law(cam.turn_sense * angle)
        return CamProfile(
            angle, lift, cam.turn_sense * rate, bend, cam_profile(cam.path, y, first, angle),
            _in_cam(cam.path.place(y)[0] - cam.path.cam, angle),
            pressure_angle(contact, cam.lift_sense), contact.radius, undercut_at(cam, contact),
        )  # fmt: skip

    def __str__(self) -> str:
        """Return what is largest and least, and where it is undercut."""
        worst = int(np.argmax(np.abs(self.pressure_angle)))
        convex = np.where(self.radius > 0.0, self.radius, np.inf)
        least = int(np.argmin(convex))
        lines = [
            f"cam, lift {np.ptp(self.lift):.6g}",
            f"  largest pressure angle {np.degrees(abs(self.pressure_angle[worst])):.3g}° at"
            f" {np.degrees(self.angle[worst]):.4g}°",
            f"  least radius where convex {convex[least]:.4g} m at"
            f" {np.degrees(self.angle[least]):.4g}°",
        ]
        for start, stop in _stretches(self.undercut):
            lines.append(
                f"  undercut from {np.degrees(self.angle[start]):.4g}° to"
                f" {np.degrees(self.angle[stop]):.4g}°: make the base circle larger, or the roller"
                " smaller"
            )
        return "\n".join(lines)


def cam_of(linkage: PlanarLinkage, name: str) -> HigherPair:
    """Return the cam of a name.

    Raises:
        ModelError: There is none.
    """
    cams = {
        pair.name: pair
        for pair in linkage.pairs
        if isinstance(pair, HigherPair) and pair.kind == "cam"
    }
    if name not in cams:
        hint = suggestion(str(name), cams) if cams else "there are none"
        raise ModelError(f"there is no cam {name!r}; {hint}")
    return cams[name]


def undercut_at(cam: CamFollower, contact: CamContact) -> Array:
    """Return where what touches the cam would cut away more than it leaves."""
    radius, pitch = contact.radius, contact.pitch_radius
    if cam.path.face is not None:
        return radius < 0.0
    return (pitch > 0.0) & (radius < 0.0) & (cam.path.roller > KNIFE)


def _checked(pair: HigherPair) -> CamFollower:
    if not isinstance(pair.shape, CamFollower):
        raise ModelError(f"{pair.name!r} is no cam")
    return pair.shape


def _in_cam(place: Array, angle: Array) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    x, y = place.T
    return np.stack([c * x + s * y, c * y - s * x], axis=-1)


def _stretches(flags: Array) -> list[tuple[int, int]]:
    """Return the first and last index of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return [(int(a), int(b) - 1) for a, b in edges.reshape(-1, 2)]
