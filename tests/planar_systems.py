"""Random systems that move in a plane, with what systems have: for tests of planar mechanisms."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import null_space, qr

import poinsot as ps
from poinsot.spatial import Transform

SHAPE = {"inertia": (0.1, 0.1, 0.1)}
LAWS = ("0.2*sin(2*t)", "0.1*t - 0.3*t**2")


@dataclass
class Drawn:
    """A system closed at a state.

    Attributes:
        system: The system.
        q: Its configuration.
        v: A velocity that constraints allow.
        t: The time [s].
        drivers: Names of coordinates that drive it, as independent as they can be.
        numbers: Their places in v.
    """

    system: ps.System
    q: np.ndarray
    v: np.ndarray
    t: float
    drivers: list
    numbers: list


class RandomPlane:
    """Two chains of links on a slanted table, closed at their ends, with what is asked for."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.bodies = [ps.Body("table", joint=ps.Fixed(), pose=self._slanted())]

    def _slanted(self):
        return ps.Pose(tuple(self.rng.uniform(-1, 1, 3)), rpy=tuple(self.rng.uniform(-3, 3, 3)))

    def numbers(self, *sizes, low=-1.0, high=1.0):
        return self.rng.uniform(low, high, sizes)

    def joint(self, kind):
        """Return a hinge either way round, a slide in any direction, or a planar joint."""
        k, c, b = self.numbers(3, low=0.1)
        passive = {"stiffness": 5 * k, "damping": c, "armature": 0.2 * b}
        if self.rng.random() < 0.5:
            passive = {}
        if kind == "R":
            return ps.Revolute(self.rng.choice(["z", "-z"]), **passive)
        if kind == "P":
            angle = self.rng.uniform(-3, 3)
            return ps.Prismatic((np.cos(angle), np.sin(angle), 0.0), **passive)
        matrices = {}
        for key, size in (("stiffness", 3.0), ("damping", 0.3), ("armature", 0.1)):
            root = self.numbers(3, 3)
            matrices[key] = size * root @ root.T
        return ps.Planar("x", (0, self.rng.choice([-1, 1]), 0), **matrices)

    def chain(self, letter, kinds):
        """Add links, each on the last; return the name of the outermost."""
        parent = "table"
        for k, kind in enumerate(kinds):
            x, y, turn = self.numbers(3, low=0.2)
            pose = ps.Pose((x, y * 0.5, self.rng.uniform(-0.1, 0.1)), rpy=(0, 0, 2 * turn))
            name = f"{letter}{k}"
            com = tuple(self.numbers(3) * 0.2)
            joint = ps.Fixed() if kind == "F" else self.joint(kind)
            mass = self.rng.uniform(0.5, 2.0)
            self.bodies.append(ps.Body(name, parent, joint, pose, mass=mass, com=com, **SHAPE))
            parent = name
        return parent

    def loop(self, first, second, joint):
        """Return a loop that is closed where all coordinates are zero."""
        tree = ps.System("tree", self.bodies)
        q = tree.neutral()
        poses = {name: Transform(X[:3, :3], X[:3, 3]) for name in (first, second)
                 for X in [np.asarray(tree.pose(name, q, backend="floats"))]}  # fmt: skip
        here = ps.Pose((0.3, 0.1, 0.0))
        apart = poses[second].inverse() @ poses[first] @ here.transform()
        there = ps.Pose(tuple(apart.p), rpy=(0, 0, np.arctan2(apart.R[1, 0], apart.R[0, 0])))
        return ps.Loop("end", (first, here), (second, there), joint)


def coordinate_names(system):
    """Return the names of all coordinates of the tree."""
    names = []
    for body, name in zip(system.bodies, system.joint_names, strict=True):
        is_planar = isinstance(body.joint, ps.Planar)
        names += (
            [f"{name}.{x}" for x in body.joint.v_parts] if is_planar else [name] * body.joint.nv
        )
    return names


def at_state(system, q, rng, t=0.0):
    """Return a system near a configuration, with the drivers that are most independent."""
    q = system.assemble(q, joints=[], t=t)
    rows = list(system.mechanism.position_rows)
    J = (
        system.constraint_jacobian(q, t=t, backend="floats")[rows]
        if rows
        else np.zeros((0, system.nv))
    )
    free = null_space(J) if len(J) else np.eye(system.nv)
    order = qr(free.T, pivoting=True)[2][: free.shape[1]]
    numbers = sorted(order.tolist())
    v = system.consistent_velocity(q, rng.uniform(-1, 1, system.nv), joints=[], t=t)
    names = coordinate_names(system)
    return Drawn(system, q, v, t, [names[k] for k in numbers], numbers)
