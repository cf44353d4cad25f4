"""Any number of parallelograms side by side: the loops of the IFToMM benchmark A02."""

from math import pi

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.library.rod import rod
from poinsot.model import Body, Loop, Pose, Revolute
from poinsot.spatial import Array

__all__ = ["n_four_bar", "n_four_bar_state"]


def n_four_bar(n: int, *, length: float = 1.0, mass: float = 1.0, g: float = 9.81) -> System:
    """Return ``n`` equal four-bars in a row: n + 1 rods on the ground, n couplers between them.

    Rod i turns about z at (i length, 0); coupler i hangs on the end of rod i - 1, and the loop
    "pin i" joins its end to that of rod i.  All are thin rods along their x, gravity acts along -y.
    q = [rod 0, coupler 1, rod 1, coupler 2, rod 2, ...] [rad], rods from x, couplers from the rods
    that carry them.  As parallelograms all rods turn alike, one degree of freedom; where they lie
    along x there are n + 1, and other branches begin.  The pins are joints in space: of their five
    rows two are independent.

    It is benchmark A02 of the IFToMM library of computational benchmark problems.

    Args:
        n: Number of loops, at least 1.
        length: Of all rods and couplers [m].
        mass: Of each of them [kg].
        g: Acceleration of free fall [m/s²].

    >>> system = n_four_bar(3)
    >>> system.nv, len(system.loops), system.mobility(n_four_bar_state(3)[0]).degrees
    (7, 3, 1)
    """
    if n < 1:
        raise ModelError(f"n_four_bar: n must be at least 1, got {n}")
    end, bodies, pins = Pose((length, 0.0, 0.0)), [_rod(0, length, mass)], []
    for i in range(1, n + 1):
        bodies.append(rod(f"coupler {i}", f"rod {i - 1}", end, length=length, mass=mass))
        bodies.append(_rod(i, length, mass))
        pins.append(Loop(f"pin {i}", (f"coupler {i}", end), (f"rod {i}", end), Revolute("z")))
    return System(f"{n} four-bars", bodies, gravity=(0.0, -g, 0.0), loops=pins)


def n_four_bar_state(n: int, *, angle: float = pi / 2.0, rate: float = -1.0) -> tuple[Array, Array]:
    """Return q and v of n parallelograms, shape (2 n + 1,) each.

    Args:
        n: Number of loops.
        angle: Of the rods from x [rad]; upright by default, as in the benchmark.
        rate: Its rate [rad/s]; by default rods of 1 m move with 1 m/s to the right at their ends.

    >>> q, v = n_four_bar_state(2)
    >>> v
    array([-1.,  1., -1.,  1., -1.])
    """
    alternating = np.where(np.arange(2 * n + 1) % 2 == 0, 1.0, -1.0)
    return angle * alternating, rate * alternating


def _rod(i: int, length: float, mass: float) -> Body:
    return rod(f"rod {i}", pose=Pose((i * length, 0.0, 0.0)), length=length, mass=mass)
