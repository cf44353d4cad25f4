"""An arm of seven joints: shoulder and wrist spherical, an elbow between them."""

from dataclasses import replace
from math import pi, radians

from poinsot.front.serial_arms import from_mdh
from poinsot.front.system import System
from poinsot.model import Limits

__all__ = ["seven_joint_arm"]

LIMITS = (170.0, 120.0, 170.0, 120.0, 170.0, 120.0, 175.0)
"""Of the joints, either way [degrees]."""
EFFORTS = (320.0, 320.0, 176.0, 176.0, 110.0, 40.0, 40.0)
"""Largest torques [N m]."""


def seven_joint_arm(
    *, base: float = 0.34, upper: float = 0.4, forearm: float = 0.4, hand: float = 0.126,
    masses: tuple[float, ...] = (4.0, 4.0, 3.0, 2.7, 1.7, 1.8, 0.3), g: float = 9.81,
) -> System:  # fmt: skip
    """Return an arm with the proportions of a light-weight robot; numbers of inertia are plausible.

    The axes of joints 1 to 3 meet in the shoulder, those of 5 to 7 in the wrist, so that the elbow
    can turn about the line between them while the hand stands still.  At q = 0 it stands upright;
    the body "link 7" has its origin in the wrist, the flange is ``(0, 0, hand)`` in it.

    Args:
        base: Height of the shoulder [m].
        upper: From shoulder to elbow [m].
        forearm: From elbow to wrist [m].
        hand: From wrist to flange [m]; where the last mass is.
        masses: Of the links [kg].
        g: Acceleration of free fall [m/s²].

    >>> seven_joint_arm().pose("link 7", [0.0] * 7)[:3, 3].round(12)
    array([0.  , 0.  , 1.14])
    """
    turns = (0.0, -pi / 2, pi / 2, pi / 2, -pi / 2, -pi / 2, pi / 2)
    lengths = (base, 0.0, upper, 0.0, forearm, 0.0, 0.0)
    coms = [(0, 0, -base / 4), (0, 0.05, 0.02), (0, 0, -upper / 3), (0, -0.05, 0.02),
            (0, 0, -forearm / 3), (0, 0.02, 0.01), (0, 0, hand / 2)]  # fmt: skip
    inertias = [(0.01 * m, 0.01 * m, 0.004 * m) for m in masses]
    arm = from_mdh(
        "seven-joint arm",
        [{"alpha": turn, "d": length} for turn, length in zip(turns, lengths, strict=True)],
        masses=masses, coms=coms, inertias=inertias, gravity=(0.0, 0.0, -g),
    )  # fmt: skip
    bodies = []
    for body, most, effort in zip(arm.bodies, LIMITS, EFFORTS, strict=True):
        angle = radians(most)
        limits = Limits(position=(-angle, angle), velocity=2.0, effort=effort)
        bodies.append(replace(body, joint=replace(body.joint, limits=limits)))
    return System(arm.name, bodies, gravity=arm.gravity)
