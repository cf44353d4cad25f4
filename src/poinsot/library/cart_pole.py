"""A pendulum on a cart: the first exercise of nonlinear control."""

from poinsot.front.system import System
from poinsot.model import Body, Prismatic, Revolute

__all__ = ["cart_pole"]


def cart_pole(*, cart_mass: float = 1.0, pole_mass: float = 0.1, length: float = 0.5) -> System:
    """Return a cart that slides along x with a point mass on a massless rod.

    q = [x of the cart [m], angle of the pole [rad]]; at angle 0 the pole hangs along -z, and a
    positive angle moves its end towards +x.  The equations are

        (mc + mp) x'' + mp l cos(θ) θ'' - mp l sin(θ) θ'² = f
        mp l cos(θ) x'' + mp l² θ'' + mp g l sin(θ) = 0

    [Tedrake, Underactuated Robotics, chapter "Acrobots, Cart-Poles, and Quadrotors"].

    Args:
        cart_mass: mc [kg].
        pole_mass: mp, at the end of the rod [kg].
        length: l [m].

    >>> cart_pole().mass_matrix([0.0, 0.0])
    array([[1.1  , 0.05 ],
           [0.05 , 0.025]])
    """
    cart = Body("cart", joint=Prismatic("x"), mass=cart_mass)
    pole = Body("pole", "cart", Revolute("-y"), mass=pole_mass, com=(0.0, 0.0, -length))
    return System("cart and pole", [cart, pole])
