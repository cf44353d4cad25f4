"""A SCARA robot: two links that turn in a plane, a quill that slides and turns."""

from poinsot.front.system import System
from poinsot.model import WORLD, Body, Limits, Pose, Prismatic, Revolute

__all__ = ["scara"]


def scara(
    *, upper: float = 0.35, lower: float = 0.3, height: float = 0.4, stroke: float = 0.2,
    masses: tuple[float, float, float] = (6.0, 4.0, 1.0), g: float = 9.81,
) -> System:  # fmt: skip
    """Return a robot of four joints: shoulder and elbow about z, a quill along -z, a wrist about z.

    q = [shoulder, elbow [rad], how far the quill is down [m], wrist [rad]].  The tool is the body
    "tool", whose z axis points down, at the end of the quill.

    Args:
        upper: Length of the upper arm [m].
        lower: Length of the forearm [m].
        height: Of the arms above the base [m].
        stroke: Of the quill [m].
        masses: Of upper arm and forearm, uniform rods, and of the quill [kg].
        g: Acceleration of free fall [m/s²].

    >>> scara().pose("tool", [0.0, 0.0, 0.1, 0.0])[:3, 3].round(12)
    array([0.65, 0.  , 0.3 ])
    """
    m1, m2, m3 = masses
    bodies = [
        Body("upper arm", WORLD, Revolute("z", name="shoulder", limits=_turn(2.5, 300.0)),
             Pose((0, 0, height)), m1, (upper / 2, 0, 0), _rod(m1, upper)),
        Body("forearm", "upper arm", Revolute("z", name="elbow", limits=_turn(2.6, 150.0)),
             Pose((upper, 0, 0)), m2, (lower / 2, 0, 0), _rod(m2, lower)),
        Body("quill", "forearm",
             Prismatic("z", limits=Limits(position=(0.0, stroke), velocity=1.0, effort=200.0)),
             Pose((lower, 0, 0), rpy=(3.141592653589793, 0, 0)), 0.5 * m3, (0, 0, 0),
             (1e-4, 1e-4, 1e-4)),
        Body("tool", "quill", Revolute("z", name="wrist", limits=_turn(6.0, 20.0)), Pose(),
             0.5 * m3, (0, 0, 0), (1e-3, 1e-3, 1e-3)),
    ]  # fmt: skip
    return System("SCARA", bodies, gravity=(0.0, 0.0, -g))


def _turn(most: float, effort: float) -> Limits:
    return Limits(position=(-most, most), velocity=6.0, effort=effort)


def _rod(mass: float, length: float) -> tuple[float, float, float]:
    moment = mass * length**2 / 12.0
    return (1e-3 * moment, moment, moment)
