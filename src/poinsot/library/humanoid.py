"""A person-sized humanoid: free pelvis, two legs, waist, two arms and a neck."""

from dataclasses import dataclass, replace

from poinsot.front.drawable_system import shown_at
from poinsot.front.system import System
from poinsot.model import WORLD, Body, Free, Pose, Revolute
from poinsot.model.checks import Vec3

__all__ = ["humanoid"]


@dataclass(frozen=True)
class Segment:
    """A solid ellipsoid on a revolute joint; all vectors in its own axes, x forward, y left, z up.

    Attributes:
        name: Name of the body; the joint is ``joint`` turning about ``axis``.
        parent: Name of the body that carries it.
        joint: Name of the joint.
        axis: Its axis, "x" (roll), "y" (pitch) or "z" (yaw).
        offset: Where the joint sits in the parent's axes [m].
        mass: Mass [kg].
        com: Centre of the ellipsoid [m].
        size: Its three diameters [m].
    """

    name: str
    parent: str
    joint: str
    axis: str
    offset: Vec3
    mass: float
    com: Vec3
    size: Vec3


BALL = (0.08, 0.08, 0.08)
"""Size of the body between two coincident joints [m]."""

PELVIS = (7.8, (0.0, 0.0, 0.03), (0.20, 0.32, 0.20))
"""Mass [kg], centre [m] and size [m] of the body in the middle."""

TRUNK = (
    Segment("abdomen", "pelvis", "waist_yaw", "z", (0.0, 0.0, 0.10),
            11.5, (0.01, 0.0, 0.10), (0.20, 0.30, 0.24)),
    Segment("chest", "abdomen", "waist_pitch", "y", (0.0, 0.0, 0.20),
            11.2, (-0.01, 0.0, 0.12), (0.22, 0.34, 0.28)),
    Segment("neck", "chest", "neck_yaw", "z", (0.0, 0.0, 0.24),
            0.46, (0.0, 0.0, 0.03), (0.11, 0.11, 0.10)),
    Segment("head", "neck", "neck_pitch", "y", (0.0, 0.0, 0.05),
            4.4, (0.02, 0.0, 0.12), (0.19, 0.15, 0.24)),
)  # fmt: skip

LEFT_LEG = (
    Segment("left_hip_1", "pelvis", "left_hip_yaw", "z", (0.0, 0.09, 0.0),
            0.6, (0.0, 0.0, 0.0), BALL),
    Segment("left_hip_2", "left_hip_1", "left_hip_roll", "x", (0.0, 0.0, 0.0),
            0.6, (0.0, 0.0, -0.02), BALL),
    Segment("left_thigh", "left_hip_2", "left_hip_pitch", "y", (0.0, 0.0, 0.0),
            8.7, (0.0, 0.005, -0.17), (0.16, 0.15, 0.42)),
    Segment("left_shank", "left_thigh", "left_knee_pitch", "y", (0.0, 0.0, -0.42),
            3.0, (-0.01, 0.0, -0.19), (0.11, 0.10, 0.43)),
    Segment("left_ankle", "left_shank", "left_ankle_pitch", "y", (0.0, 0.0, -0.43),
            0.16, (0.0, 0.0, 0.0), (0.06, 0.06, 0.06)),
    Segment("left_foot", "left_ankle", "left_ankle_roll", "x", (0.0, 0.0, 0.0),
            0.8, (0.05, 0.005, -0.04), (0.26, 0.10, 0.06)),
)  # fmt: skip

LEFT_ARM = (
    Segment("left_shoulder_1", "chest", "left_shoulder_pitch", "y", (0.0, 0.19, 0.19),
            0.3, (0.0, 0.0, 0.0), BALL),
    Segment("left_shoulder_2", "left_shoulder_1", "left_shoulder_roll", "x", (0.0, 0.0, 0.0),
            0.3, (0.0, 0.01, -0.02), BALL),
    Segment("left_upper_arm", "left_shoulder_2", "left_shoulder_yaw", "z", (0.0, 0.0, 0.0),
            1.3, (0.0, 0.0, -0.17), (0.09, 0.09, 0.28)),
    Segment("left_elbow", "left_upper_arm", "left_elbow_pitch", "y", (0.0, 0.0, -0.28),
            0.6, (0.0, 0.0, -0.06), (0.08, 0.08, 0.13)),
    Segment("left_forearm", "left_elbow", "left_forearm_yaw", "z", (0.0, 0.0, -0.13),
            0.53, (0.0, 0.0, -0.06), (0.07, 0.06, 0.14)),
    Segment("left_wrist", "left_forearm", "left_wrist_roll", "x", (0.0, 0.0, -0.14),
            0.05, (0.0, 0.0, 0.0), (0.05, 0.05, 0.05)),
    Segment("left_hand", "left_wrist", "left_wrist_pitch", "y", (0.0, 0.0, 0.0),
            0.38, (0.0, 0.005, -0.08), (0.09, 0.03, 0.18)),
)  # fmt: skip


def humanoid() -> System:
    """Return a humanoid of 70 kg and 1.75 m: 36 degrees of freedom.

    The pelvis is free (q[:7], v[:6]); 30 revolute joints follow: waist 2, neck 2, each leg 6 (hip
    yaw, roll, pitch; knee; ankle pitch, roll), each arm 7 (shoulder pitch, roll, yaw; elbow;
    forearm yaw; wrist roll, pitch).  At q = neutral it stands upright with arms and legs straight
    down; x points forward, y left, z up, and the origin of the pelvis is midway between the hips,
    0.92 m above the soles.  Both sides have the same axes, so the mirror image of a posture has
    the opposite yaw and roll.

    Masses of the body segments are those of P. de Leva, Adjustments to Zatsiorsky-Seluyanov's
    segment inertia parameters, Journal of Biomechanics 29 (1996) 1223-1230, table 4, males, rounded
    for 70 kg.  How a segment's mass is shared between its joints, and lengths, centres and
    diameters, are plausible values, not measured ones.

    >>> robot = humanoid()
    >>> robot.nq, robot.nv, round(sum(body.mass for body in robot.bodies), 9)
    (37, 36, 70.0)
    >>> robot.joint_names[:4]
    ('pelvis', 'waist_yaw', 'waist_pitch', 'neck_yaw')
    """
    mass, com, size = PELVIS
    pelvis = Body("pelvis", WORLD, Free(), Pose(), mass, com, _ellipsoid(mass, size))
    left = (*LEFT_LEG, *LEFT_ARM)
    right = tuple(_mirrored(segment) for segment in left)
    segments = [_body(segment) for segment in (*TRUNK, *left, *right)]
    system = System("humanoid", [pelvis, *segments])
    return shown_at(system, system.neutral)


def _body(segment: Segment) -> Body:
    return Body(
        segment.name,
        parent=segment.parent,
        joint=Revolute(segment.axis, name=segment.joint),
        pose=Pose(segment.offset),
        mass=segment.mass,
        com=segment.com,
        inertia=_ellipsoid(segment.mass, segment.size),
    )


def _ellipsoid(mass: float, size: Vec3) -> Vec3:
    """Return the principal moments of a solid ellipsoid of these diameters [kg·m²]."""
    xx, yy, zz = (diameter**2 for diameter in size)
    return mass * (yy + zz) / 20.0, mass * (xx + zz) / 20.0, mass * (xx + yy) / 20.0


def _mirrored(segment: Segment) -> Segment:
    """Return the right-hand segment that belongs to a left-hand one."""
    return replace(
        segment,
        name=segment.name.replace("left", "right"),
        parent=segment.parent.replace("left", "right"),
        joint=segment.joint.replace("left", "right"),
        offset=(segment.offset[0], -segment.offset[1], segment.offset[2]),
        com=(segment.com[0], -segment.com[1], segment.com[2]),
    )
