"""Liu's four bodies with two loops, the example of the loop matrix."""

import numpy as np

from poinsot.formulations.kinematics import body_pose
from poinsot.front.system import System
from poinsot.model import WORLD, AbstractJoint, Body, Loop, Mechanism, Pose, Spherical, Universal
from poinsot.spatial import Array

__all__ = ["two_loops", "two_loops_configuration"]

JOINTS: tuple[tuple[str, AbstractJoint, Pose], ...] = (
    (WORLD, Spherical(), Pose((0.514, -0.515, -0.444), quat=(5, 1, -3, 0))),
    (
        "body 1",
        Universal((-1, 1, 0), (-1, -1, -3)),
        Pose((0.064, -0.02, -0.176), quat=(7, 3, -3, -2)),
    ),
    ("body 2", Spherical(), Pose((-0.193, -0.58, -0.408), quat=(4, -1, 3, 1))),
    ("body 2", Spherical(), Pose((-0.447, 0.287, -0.365), quat=(1, 2, -3, 0))),
)
"""Parent, joint and pose of each body."""

MASSES = (0.91, 2.56, 1.08, 1.01)
"""[kg]"""

COMS = (
    (0.269, 0.073, -0.079), (-0.134, -0.25, 0.238), (0.298, -0.024, 0.115), (-0.263, 0.059, 0.237)
)  # fmt: skip
"""Centres of mass in the bodies [m]."""

INERTIAS = (
    (0.0672, 0.0595, 0.0643, -0.0036, 0.0112, 0.0037),
    (0.1172, 0.1905, 0.1697, -0.0105, 0.0171, -0.0174),
    (0.054, 0.0806, 0.0481, -0.0035, 0.0307, 0.0041),
    (0.0492, 0.0675, 0.0575, -0.015, 0.0224, 0.0077),
)
"""xx, yy, zz, xy, xz, yz about the centres of mass [kg·m²]."""

CUTS = (
    ("O5", "body 1", "body 3", (0.85, -0.64, -0.37)),
    ("O6", "body 3", "body 4", (0.75, -0.82, -1.26)),
)
"""Name, bodies and closed position in the world of the joints that close the loops."""


def two_loops(*, gravity: tuple[float, float, float] = (0.3, -0.4, -9.7)) -> System:
    """Return the system of [Liu1988, figure 2]: bodies 1-4 on parents 0, 1, 2, 2 and two loops.

    The joint O5 joins bodies 1 and 3, O6 bodies 3 and 4; both are balls.  In the tree, body 2 hangs
    on body 1 by a universal joint, all others by balls, so nv = 11, with six constraints and five
    degrees of freedom.  The paper gives no numbers; those here are arbitrary.  The loops
    are closed at ``two_loops_configuration``.

    Args:
        gravity: Acceleration of free fall in the world [m/s²].

    >>> system = two_loops()
    >>> system.mobility(two_loops_configuration()).degrees
    5
    """
    bodies = [
        Body(f"body {i}", parent, joint, pose, mass=mass, com=com, inertia=inertia)
        for i, ((parent, joint, pose), mass, com, inertia) in enumerate(
            zip(JOINTS, MASSES, COMS, INERTIAS, strict=True), start=1
        )
    ]
    tree, q = Mechanism("tree", bodies), two_loops_configuration()
    loops = []
    for name, first, second, point in CUTS:
        X = [body_pose(tree, tree.index(body), q) for body in (first, second)]
        ends = [Pose(pose.inverse().apply_point(point)) for pose in X]
        loops.append(Loop(name, (first, ends[0]), (second, ends[1]), Spherical()))
    return System("two loops", bodies, gravity=gravity, loops=loops)


def two_loops_configuration() -> Array:
    """Return a q in which both loops are closed, shape (14,).

    Quaternion of body 1 [-], two angles of body 2 [rad], quaternions of bodies 3 and 4.

    >>> miss = two_loops().constraint_residual(two_loops_configuration())
    >>> bool(abs(miss).max() < 1e-14)
    True
    """
    turns = [np.array(quaternion) for quaternion in ((4, -2, -1, 3), (1, -3, 0, -1), (1, 1, 3, 1))]
    first, third, fourth = (turn / np.linalg.norm(turn) for turn in turns)
    return np.concatenate([first, [0.88, -0.32], third, fourth])
