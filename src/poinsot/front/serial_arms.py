"""Serial arms from tables: low pairs, Denavit-Hartenberg of both kinds, and joint tables."""

from collections.abc import Sequence
from typing import Unpack

from numpy.typing import ArrayLike

from poinsot.front.system import System
from poinsot.model.dh_tables import Links, Row, dh_bodies, low_pair_bodies, mdh_bodies
from poinsot.model.joint_table import JointRow, joint_table_bodies

__all__ = ["from_dh", "from_joint_table", "from_low_pairs", "from_mdh"]

GRAVITY = (0.0, 0.0, -9.81)


def from_low_pairs(
    name: str, rows: Sequence[Row], *, gravity: ArrayLike = GRAVITY, **links: Unpack[Links]
) -> System:
    """Return a serial arm from its table (a, b, alpha, nu) of low pairs [Liu1988, eq. (34)-(36)].

        A(j-1, j) = Rx(alpha) Rz((1 - nu) q),   r = (a, -d sin(alpha), d cos(alpha)),   d = b + nu q

    The frame of link j sits at joint j with z along its axis; nu = 0 turns, nu = 1 slides.

    Args:
        name: Name of the system.
        rows: (a [m], b [m], alpha [rad], nu) or a mapping with these names (0 where missing) for
            each joint, from the base outwards.
        gravity: Acceleration of free fall in the world [m/s²], shape (3,).
        **links: Lists with an entry for each row: ``names``, ``masses`` [kg], ``coms`` [m],
            ``inertias`` [kg·m²] (about the mass centres) in the frames of the table, ``damping``,
            ``stiffness``, ``rest`` and ``armature`` of the joints.

    >>> arm = from_low_pairs("arm", [(0, 0.3, 0, 0), (0.25, 0, 0, 1)], masses=[2.0, 1.0])
    >>> arm.pose("link 2", [0.0, 0.1])[:3, 3]
    array([0.25, 0.  , 0.4 ])
    """
    return System(name, low_pair_bodies(rows, **links), gravity=gravity)


def from_mdh(
    name: str, rows: Sequence[Row], *, gravity: ArrayLike = GRAVITY, **links: Unpack[Links]
) -> System:
    """Return a serial arm from its modified Denavit-Hartenberg table (Craig's).

        X(i-1, i) = Rx(alpha) Tx(a) Rz(theta) Tz(d)

    The frame of link i sits at joint i with z along its axis.  The variable q is added to theta,
    or to d where the joint is prismatic.

    Args:
        name: Name of the system.
        rows: A mapping with some of the names a [m], alpha [rad], d [m], theta [rad] (0 where
            missing) and joint ("revolute" or "prismatic", default the former) for each joint.
        gravity: Acceleration of free fall in the world [m/s²], shape (3,).
        **links: As those of :func:`from_low_pairs`.

    >>> rows = [{"d": 0.3}, {"a": 0.25, "joint": "prismatic"}]
    >>> arm = from_mdh("arm", rows, masses=[1.0, 1.0])
    >>> arm.pose("link 2", [0.0, 0.1])[:3, 3]
    array([0.25, 0.  , 0.4 ])
    """
    return System(name, mdh_bodies(rows, **links), gravity=gravity)


def from_dh(
    name: str, rows: Sequence[Row], *, gravity: ArrayLike = GRAVITY, **links: Unpack[Links]
) -> System:
    """Return a serial arm from its standard Denavit-Hartenberg table.

        X(i-1, i) = Rz(theta) Tz(d) Tx(a) Rx(alpha)

    The frame of link i sits at its far end; joint i moves it about z of frame i - 1.  The variable
    q is added to theta, or to d where the joint is prismatic.  A massless body "link i axis" sits
    at each joint; the joint is called after the link.

    Args:
        name: Name of the system.
        rows: As those of :func:`from_mdh`.
        gravity: Acceleration of free fall in the world [m/s²], shape (3,).
        **links: As those of :func:`from_low_pairs`.

    >>> arm = from_dh("arm", [{"a": 0.5}, {"a": 0.4}], masses=[1.0, 1.0])
    >>> arm.pose("link 2", [0.0, 0.0])[:3, 3]
    array([0.9, 0. , 0. ])
    """
    return System(name, dh_bodies(rows, **links), gravity=gravity)


def from_joint_table(
    name: str, rows: Sequence[JointRow], *, gravity: ArrayLike = GRAVITY, **links: Unpack[Links]
) -> System:
    """Return a serial arm from its table (n, O, theta) [Zaremba1990, (1.1)].

    ``n`` = 4, 5, 6: the joint turns about axis x, y, z; shift by O, then turn by C1(theta1)
    C2(theta2) C3(theta3).  ``n`` = 1, 2, 3: it slides along this axis; turn, then shift by O in the
    link's own axes.  q is added to the entry that the joint changes; angles behind the joint's own
    must be zero.

    Args:
        name: Name of the system.
        rows: (n, O [m], theta [rad]) for each joint, from the base outwards.
        gravity: Acceleration of free fall in the world [m/s²], shape (3,).
        **links: As those of :func:`from_low_pairs`.

    >>> rows = [(6, (0, 0, 0.3), (0, 0, 0)), (1, (0.2, 0, 0), (0, 0, 0))]
    >>> arm = from_joint_table("arm", rows, masses=[1.0, 1.0])
    >>> arm.pose("link 2", [0.0, 0.1])[:3, 3].round(12)
    array([0.3, 0. , 0.3])
    """
    return System(name, joint_table_bodies(rows, **links), gravity=gravity)
