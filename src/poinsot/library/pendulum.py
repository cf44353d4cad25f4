"""A point mass on a massless rod."""

from poinsot.front.system import System
from poinsot.model import Body, Revolute

__all__ = ["pendulum"]


def pendulum(*, length: float = 1.0, mass: float = 1.0) -> System:
    """Return a simple pendulum that turns about y and hangs along -z at q = 0.

    Its period is 4 sqrt(length / g) K(sin(amplitude / 2)), K the complete elliptic integral of the
    first kind of this modulus [NIST Digital Library of Mathematical Functions, section 22.19(i)].

    Args:
        length: Length of the rod [m].
        mass: Mass at its end [kg].

    >>> pendulum(length=2.0).mass_matrix([0.0])
    array([[4.]])
    """
    bob = Body("bob", joint=Revolute("y"), mass=mass, com=(0.0, 0.0, -length))
    return System("pendulum", [bob])
