"""Point masses on a chain of massless rods."""

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.model import WORLD, Body, Pose, Revolute

__all__ = ["n_link_pendulum"]


def n_link_pendulum(n: int, *, length: float = 1.0, mass: float = 1.0) -> System:
    """Return ``n`` equal point masses on massless rods that turn about y and hang along -z.

    q[0] is the angle of the first rod from the vertical, q[i] that of rod i + 1 from rod i [rad].
    Small swings have the frequencies omega² = x g / length, x the n zeros of the Laguerre
    polynomial of degree n: those of a loaded string, Daniel Bernoulli's problem.

    Args:
        n: Number of rods, at least 1.
        length: Length of each rod [m].
        mass: Mass at the end of each rod [kg].

    >>> n_link_pendulum(3).mass_matrix([0.0, 0.0, 0.0])
    array([[14.,  8.,  3.],
           [ 8.,  5.,  2.],
           [ 3.,  2.,  1.]])
    """
    if n < 1:
        raise ModelError(f"n_link_pendulum: n must be at least 1, got {n}")
    end = (0.0, 0.0, -length)
    bodies = [
        Body(
            f"rod {i}",
            parent=WORLD if i == 1 else f"rod {i - 1}",
            joint=Revolute("y"),
            pose=Pose() if i == 1 else Pose(end),
            mass=mass,
            com=end,
        )
        for i in range(1, n + 1)
    ]
    return System(f"pendulum of {n} links", bodies)
