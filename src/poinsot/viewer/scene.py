"""What pages show: bodies made of simple solids and meshes, struts between them, where all are.

Everything that is shown in a browser is made from one ``SolidScene``, so that a mechanism looks the
same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.plots.all_poses import all_poses
from poinsot.plots.run_like import SystemLike
from poinsot.spatial import Array

__all__ = ["JointAxis", "SceneBody", "Solid", "SolidScene", "Strut", "body_poses", "packed_poses"]


@dataclass(frozen=True, eq=False)
class Solid:
    """A box, sphere, cylinder, capsule, something toothed, or a mesh, fixed to a body.

    Attributes:
        kind: "box", "sphere", "cylinder", "capsule", "gear", "ring", "rack" or "mesh".
        size: Edges of a box; radius of a sphere; radius and length of a cylinder or, without its
            half balls, of a capsule, which are along z; pitch radius, width along z and number of
            teeth of a gear or, teeth inwards, of a ring, one tooth on the x axis; length along x,
            width along z and pitch of a rack, teeth along +y, a gap in the middle; factors along
            x, y and z of a mesh [m].
        pose: Of the solid in the body, shape (4, 4).
        colour: "#rrggbb"; None: the body's.
        opacity: From 0 to 1.
        mesh: Number of the mesh among those of the scene; None: it is no mesh.
    """

    kind: str
    size: tuple[float, ...]
    pose: Array
    colour: str | None = None
    opacity: float = 1.0
    mesh: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it as a page reads it: the pose as position and quaternion (x, y, z, w)."""
        pose = packed_poses(self.pose[None])[0]
        told: dict[str, Any] = {
            "kind": self.kind,
            "size": [round(float(x), 9) for x in self.size],
            "pose": [round(float(x), 9) for x in pose],
        }
        if self.colour is not None:
            told["colour"] = self.colour
        if self.opacity < 1.0:
            told["opacity"] = self.opacity
        if self.mesh is not None:
            told["mesh"] = self.mesh
        return told


@dataclass(frozen=True, eq=False)
class SceneBody:
    """A body: its name, colour, solids, and for those who ask its mass [kg] and its centre [m]."""

    name: str
    colour: str
    solids: tuple[Solid, ...]
    mass: float
    com: tuple[float, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as a page reads it."""
        return {
            "name": self.name,
            "colour": self.colour,
            "solids": [solid.as_json() for solid in self.solids],
            "mass": self.mass,
            "com": list(self.com),
        }


@dataclass(frozen=True, eq=False)
class JointAxis:
    """The axis of a joint, fixed to a body, -1 being the world: a point and a unit vector."""

    joint: str
    body: int
    point: tuple[float, ...]
    direction: tuple[float, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as a page reads it."""
        return {
            "joint": self.joint,
            "body": self.body,
            "point": list(self.point),
            "direction": list(self.direction),
        }


@dataclass(frozen=True, eq=False)
class Strut:
    """A spring, damper, piston or massless rod between points of two bodies, -1 being the world.

    Of a piston, ``length`` is that of its cylinder [m].
    """

    kind: str
    bodies: tuple[int, int]
    points: tuple[tuple[float, ...], tuple[float, ...]]
    length: float = 0.0

    def as_json(self) -> dict[str, Any]:
        """Return it as a page reads it."""
        return {
            "kind": self.kind,
            "bodies": list(self.bodies),
            "points": list(map(list, self.points)),
            "length": self.length,
        }


@dataclass(frozen=True, eq=False)
class SolidScene:
    """All that is shown of a system, but for where its bodies are.

    Attributes:
        name: Of the system.
        bodies: The bodies, in the order of the system.
        ground: Solids fixed to the world.
        struts: What is between points of bodies.
        axes: Axes of joints, those that close loops too.
        meshes: Vertices (n, 3) [m] and triangles (m, 3) of each mesh.
        size: A typical length [m].
        up: Axis nearest to against gravity: "x", "y", "z", "-x", "-y" or "-z".
        has_gravity: Whether there is any, and so a ground.
    """

    name: str
    bodies: tuple[SceneBody, ...]
    ground: tuple[Solid, ...]
    struts: tuple[Strut, ...]
    axes: tuple[JointAxis, ...]
    meshes: tuple[tuple[Array, Array], ...]
    size: float
    up: str
    has_gravity: bool


def body_poses(system: SystemLike, q: Array) -> Array:
    """Return positions and quaternions (x, y, z, w) of all bodies at n configurations.

    Args:
        system: The system.
        q: The configurations, shape (n, nq).

    Returns:
        Shape (n, bodies, 7).
    """
    return packed_poses(all_poses(system, q))


def packed_poses(poses: Array) -> Array:
    """Return positions and quaternions (x, y, z, w), shape (..., 7), of poses (..., 4, 4)."""
    from scipy.spatial.transform import Rotation

    flat = poses[..., :3, :3].reshape(-1, 3, 3)
    quaternions = Rotation.from_matrix(flat).as_quat().reshape(*poses.shape[:-2], 4)
    return np.concatenate([poses[..., :3, 3], quaternions], axis=-1)
