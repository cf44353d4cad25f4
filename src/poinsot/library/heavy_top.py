"""A spinning top with a fixed point, or a gyroscope on a stand."""

from poinsot.front.system import System
from poinsot.model import Body, Spherical

__all__ = ["heavy_top"]


def heavy_top(
    *, mass: float = 15.0, length: float = 1.0, axial: float = 0.46875, across: float = 0.234375
) -> System:
    """Return a symmetric top that turns about the world's origin, its axis along z at q = neutral.

    q is the quaternion of the top, v its angular velocity in its own axes [rad/s], v[2] the spin.
    At the angle θ from the vertical it precesses steadily at the rate W if

        A cos(θ) W² - C v[2] W + m g l = 0,      A = across + m l²,   C = axial

    and a fast top does so at nearly W = m g l / (C v[2]) [Goldstein, Classical Mechanics, 1980,
    section 5.7].  The numbers are those of the benchmark of O. Brüls and A. Cardona, On the use of
    Lie group time integrators in multibody dynamics, Journal of Computational and Nonlinear
    Dynamics 5 (2010) 031002.

    Args:
        mass: m [kg].
        length: l, from the fixed point to the mass centre [m].
        axial: C, moment of inertia about the axis [kg·m²].
        across: Moment of inertia across the axis, about the mass centre [kg·m²].

    >>> heavy_top().mass_matrix([1.0, 0.0, 0.0, 0.0]).diagonal()
    array([15.234375, 15.234375,  0.46875 ])
    """
    top = Body(
        "top", joint=Spherical(), mass=mass, com=(0.0, 0.0, length), inertia=(across, across, axial)
    )
    return System("heavy top", [top])
