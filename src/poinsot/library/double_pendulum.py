"""Two rods that swing in one plane: the smallest system whose equations are worth reading."""

from poinsot.front.system import System
from poinsot.model import Body, Pose, Revolute

__all__ = ["double_pendulum"]

ROD_INERTIA = (0.08, 0.08, 0.002)
"""Of a rod of 1 kg and 1 m, about its middle [kg·m²]; 1/12 for an infinitely thin one."""


def double_pendulum() -> System:
    """Return two rods of 1 kg and 1 m that turn about y and hang along -z at q = 0.

    q[0] is the angle of the upper rod from the vertical, q[1] that of the lower one from the upper
    [rad]; both increase about y.  Equations of motion: Spong, Hutchinson, Vidyasagar, Robot
    Modeling and Control (2006), section 7.4 (planar elbow arm), angles counted from the vertical.

    >>> pendulum = double_pendulum()
    >>> pendulum.nv, sum(body.mass for body in pendulum.bodies)
    (2, 2.0)
    >>> pendulum.mass_matrix([0.0, 0.0]).round(3)
    array([[2.66, 0.83],
           [0.83, 0.33]])
    """
    joint, com = Revolute("y"), (0.0, 0.0, -0.5)
    upper = Body("upper", joint=joint, mass=1.0, com=com, inertia=ROD_INERTIA)
    lower = Body(
        "lower", parent="upper", joint=joint, pose=Pose((0.0, 0.0, -1.0)),
        mass=1.0, com=com, inertia=ROD_INERTIA,
    )  # fmt: skip
    return System("double pendulum", [upper, lower])
