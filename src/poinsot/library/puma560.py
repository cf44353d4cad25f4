"""The PUMA 560, the first arm with published inertial parameters."""

import warnings
from dataclasses import dataclass
from math import pi

from poinsot.errors import ModelWarning
from poinsot.front.serial_arms import from_dh
from poinsot.front.system import System
from poinsot.model.checks import Vec3

__all__ = ["puma560"]


@dataclass(frozen=True)
class ArmLink:
    """A row of the table, all vectors in its Denavit-Hartenberg frame.

    Attributes:
        d: Offset along the joint axis [m].
        a: Length of the common normal [m].
        alpha: Twist [rad].
        mass: Mass [kg].
        com: Mass centre [m].
        inertia: Moments about the mass centre [kg·m²].
        rotor: Inertia of the motor [kg·m²].
        friction: Viscous friction of the motor [N·m·s/rad].
        gear: Turns of the motor for one of the joint.
    """

    d: float
    a: float
    alpha: float
    mass: float
    com: Vec3
    inertia: Vec3
    rotor: float
    friction: float
    gear: float


LINKS = (
    ArmLink(0.67183, 0.0, pi / 2, 0.0, (0.0, 0.0, 0.0), (0.0, 0.35, 0.0),
         200e-6, 1.48e-3, -62.6111),
    ArmLink(0.0, 0.4318, 0.0, 17.4, (-0.3638, 0.006, 0.2275), (0.130, 0.524, 0.539),
         200e-6, 0.817e-3, 107.815),
    ArmLink(0.15005, 0.0203, -pi / 2, 4.8, (-0.0203, -0.0141, 0.070), (0.066, 0.086, 0.0125),
         200e-6, 1.38e-3, -53.7063),
    ArmLink(0.4318, 0.0, pi / 2, 0.82, (0.0, 0.019, 0.0), (1.8e-3, 1.3e-3, 1.8e-3),
         33e-6, 71.2e-6, 76.0364),
    ArmLink(0.0, 0.0, -pi / 2, 0.34, (0.0, 0.0, 0.0), (0.3e-3, 0.4e-3, 0.3e-3),
         33e-6, 82.6e-6, 71.923),
    ArmLink(0.0, 0.0, 0.0, 0.09, (0.0, 0.0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3),
         33e-6, 36.7e-6, 76.686),
)  # fmt: skip


def puma560() -> System:
    """Return the Unimation PUMA 560 with its drives: six revolute joints.

    Bodies "link 1" to "link 6" have the frames of the standard Denavit-Hartenberg table; the base
    stands on the floor, z up.  The armature of a joint is gear² times the inertia of its rotor,
    the damping gear² times the viscous friction.  Coulomb friction is left out.

    Parameters: B. Armstrong, O. Khatib, J. Burdick, The explicit dynamic model and inertial
    parameters of the PUMA 560 arm, IEEE ICRA (1986) 510-518, in the frames of P. Corke and
    B. Armstrong-Hélouvry, A search for consensus among model parameters reported for the PUMA 560
    robot, IEEE ICRA (1994) 1608-1613.  Of link 1 only the moment about its joint was measured.

    >>> robot = puma560()
    >>> robot.gravity_force([0, pi / 4, pi, 0, pi / 4, 0])[1:3].round(4)
    array([31.6399,  6.0351])
    """
    with warnings.catch_warnings():
        # No body can have the printed moments of links 1 and 3, but these are the published ones.
        warnings.simplefilter("ignore", ModelWarning)
        return from_dh(
            "PUMA 560",
            [{"d": link.d, "a": link.a, "alpha": link.alpha} for link in LINKS],
            masses=[link.mass for link in LINKS],
            coms=[link.com for link in LINKS],
            inertias=[link.inertia for link in LINKS],
            armature=[link.gear**2 * link.rotor for link in LINKS],
            damping=[link.gear**2 * link.friction for link in LINKS],
        )
