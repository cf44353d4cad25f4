"""The rotary pendulum of K. Furuta: an arm that turns and carries a pendulum at its end."""

from poinsot.front.system import System
from poinsot.model import Body, Pose, Revolute

__all__ = ["furuta_pendulum"]


def furuta_pendulum(
    *, arm_length: float = 0.25, arm_mass: float = 0.3, length: float = 0.3, mass: float = 0.1
) -> System:
    """Return a rod that turns about the vertical with a rod that swings about it at its end.

    q = [angle of the arm about z, angle of the pendulum about the arm] [rad]; at zero the arm
    points along x and the pendulum hangs down.  Both are thin uniform rods.  Equations of motion:
    B. S. Cazzolato, Z. Prime, On the dynamics of the Furuta pendulum, Journal of Control Science
    and Engineering (2011) 528341, for slender arms.

    Args:
        arm_length: Length of the arm [m].
        arm_mass: Mass of the arm [kg].
        length: Length of the pendulum [m].
        mass: Mass of the pendulum [kg].

    >>> furuta_pendulum().mass_matrix([0.0, 0.0]).round(6)
    array([[0.0125 , 0.00375],
           [0.00375, 0.003  ]])
    """
    across = arm_mass * arm_length**2 / 12.0
    arm = Body(
        "arm", joint=Revolute("z"), mass=arm_mass, com=(arm_length / 2.0, 0.0, 0.0),
        inertia=(0.0, across, across),
    )  # fmt: skip
    across = mass * length**2 / 12.0
    swing = Body(
        "pendulum", "arm", Revolute("x"), Pose((arm_length, 0.0, 0.0)), mass=mass,
        com=(0.0, 0.0, -length / 2.0), inertia=(across, across, 0.0),
    )  # fmt: skip
    return System("Furuta pendulum", [arm, swing])
