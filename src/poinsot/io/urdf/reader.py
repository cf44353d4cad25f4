"""URDF to a mechanism: links are bodies, and the frame of a link is that of its parent joint.

As wiki.ros.org/urdf/XML specifies.  Taken are links with their inertia, and joints of all types
with origin, axis, limits and dynamics.  Not taken: shapes (no mesh is ever opened),
materials, transmissions, sensors, and what simulators add.  ``<mimic>`` is ignored with a warning.
"""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.errors import ModelError, ModelWarning
from poinsot.io.urdf.joints import joint_of
from poinsot.io.xml import MAX_SIZE, Element, parse_xml
from poinsot.model import WORLD, AbstractJoint, Body, Fixed, Mechanism, Pose, suggestion
from poinsot.model.topology import find_cycle
from poinsot.spatial import Array

__all__ = ["mechanism_from_urdf", "read_urdf"]

_ZERO = (0.0, 0.0, 0.0)
_FIXED = Fixed()
_PRINTED = 20
"""How many names a message lists."""


def mechanism_from_urdf(
    text: str, *, root: AbstractJoint = _FIXED, passive: bool = True
) -> Mechanism:
    """Return the mechanism that a URDF describes.

    Every link becomes a body of its name, those on fixed joints too, so that all frames can be
    asked for by name.  Joints keep their names; q and v are stacked as the joints are listed, the
    root's first.  A root link called ``"world"`` is the world itself.

    Args:
        text: The URDF.
        root: How the root link moves against the world, e.g. ``Free()``.
        passive: Whether to take damping and friction of the joints.

    Raises:
        ModelError: If it is no URDF of one tree; the message names line and link or joint.

    Warns:
        ModelWarning: If joints mimic others, or no real body could have an inertia.

    Examples:
        >>> arm = mechanism_from_urdf('''<robot name="arm"><link name="base"/><link name="rod"/>
        ...   <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/>
        ...     <axis xyz="0 1 0"/></joint></robot>''')
        >>> arm.body_names, arm.bodies[1].joint
        (('base', 'rod'), Revolute(name='hinge', axis=(0.0, 1.0, 0.0)))
    """
    return _mechanism(parse_xml(text, "URDF"), root, passive=passive)


def read_urdf(
    path: str | os.PathLike[str], *, root: AbstractJoint = _FIXED, passive: bool = True
) -> Mechanism:
    """Return the mechanism of a URDF file; see :func:`mechanism_from_urdf`.

    Args:
        path: The file.
        root: How the root link moves against the world.
        passive: Whether to take damping and friction of the joints.

    Raises:
        ModelError: If it is no URDF of one tree; the message begins with the file.
        OSError: If the file cannot be read.
    """
    with open(path, "rb") as file:
        data = file.read(MAX_SIZE + 1)
    try:
        return _mechanism(parse_xml(data, "URDF"), root, passive=passive)
    except ModelError as error:
        raise ModelError(f"{os.fspath(path)}: {error}") from error


@dataclass(frozen=True, eq=False)
class _Joint:
    """A ``<joint>`` with the links it connects, by index."""

    element: Element
    name: str
    parent: int
    child: int


def _mechanism(robot: Element, root: AbstractJoint, *, passive: bool) -> Mechanism:
    if robot.tag != "robot":
        robot.refuse(f"the outermost element must be <robot>, got <{robot.tag[:60]}>")
    name = robot.text("name", "robot")
    links = _named(robot.all("link"), "link")
    if not links:
        robot.refuse(f"robot {name!r}: there must be at least one <link>")
    joints = _joints(robot, list(links))
    base = _root(robot, list(links), joints)
    names = list(links)
    bodies = []
    if names[base] != WORLD:
        taken = {joint.name for joint in joints}
        bodies.append(_body(links[names[base]], WORLD, _apart(root, names[base], taken), Pose()))
    elif not isinstance(root, Fixed):
        links[WORLD].refuse(f"the root link is called {WORLD!r} and cannot move; rename it")
    for joint in joints:
        bodies.append(
            _body(
                links[names[joint.child]],
                names[joint.parent],
                joint_of(joint.element, joint.name, passive=passive),
                _pose(joint.element, f"joint {joint.name!r}"),
            )
        )
    _warn_of_mimics(joints)
    return Mechanism(name, bodies)


def _named(elements: Sequence[Element], what: str) -> dict[str, Element]:
    named: dict[str, Element] = {}
    for element in elements:
        name = element.text("name", what)
        if name in named:
            element.refuse(
                f"two {what}s are called {name!r}, the first on line {named[name].line}; rename one"
            )
        named[name] = element
    return named


def _joints(robot: Element, links: Sequence[str]) -> list[_Joint]:
    index = {name: i for i, name in enumerate(links)}
    joints: list[_Joint] = []
    carrier: dict[int, str] = {}
    for name, element in _named(robot.all("joint"), "joint").items():
        parent, child = (_end(element, end, name, index) for end in ("parent", "child"))
        if child in carrier:
            element.refuse(
                f"link {links[child]!r} is the child of two joints, {carrier[child]!r} and "
                f"{name!r}; a URDF describes trees only"
            )
        carrier[child] = name
        joints.append(_Joint(element, name, parent, child))
    return joints


def _end(element: Element, end: str, name: str, index: Mapping[str, int]) -> int:
    where = f"joint {name!r}"
    link = element.the(end, where).text("link", where)
    if link not in index:
        element.refuse(f"{where}: unknown {end} link {link!r}; {suggestion(link, index)}")
    return index[link]


def _root(robot: Element, links: Sequence[str], joints: Sequence[_Joint]) -> int:
    """Return the index of the one link without parent, refusing cycles and several such links."""
    parents = [-1] * len(links)
    for joint in joints:
        parents[joint.child] = joint.parent
    cycle = find_cycle(parents)
    if cycle:
        shown = _listed([links[i] for i in cycle], " -> ")
        robot.refuse(f"the links form a cycle: {shown} (a link, its parent, and so on)")
    roots = [i for i, parent in enumerate(parents) if parent < 0]
    if len(roots) > 1:
        shown = _listed([links[i] for i in roots], ", ")
        robot.refuse(f"there must be one root link, got {len(roots)}: {shown}; join them")
    return roots[0]


def _listed(names: Sequence[str], between: str) -> str:
    more = [f"... ({len(names) - _PRINTED} more)"] if len(names) > _PRINTED else []
    return between.join([*map(repr, names[:_PRINTED]), *more])


def _apart(root: AbstractJoint, link: str, taken: set[str]) -> AbstractJoint:
    """Return the root's joint, named so that no joint of the file has its name.

    It would be called after its link, and URDF lets a joint have the name of a link.
    """
    if not isinstance(root, AbstractJoint) or root.name is not None or link not in taken:
        return root
    name = f"{link} root"
    while name in taken:
        name += "'"
    named = copy.copy(root)
    object.__setattr__(named, "name", name)
    return named


def _body(link: Element, parent: str, joint: AbstractJoint, pose: Pose) -> Body:
    name = link.attributes["name"]
    where = f"link {name!r}"
    inertial = link.first("inertial")
    mass, com, inertia = 0.0, _ZERO, np.zeros(6)
    if inertial is not None:
        mass = inertial.the("mass", where).number("value", where)
        placed = _pose(inertial, where)
        com = placed.xyz
        inertia = _inertia(inertial.the("inertia", where), np.array(placed.matrix), where)
        if not np.isfinite(inertia).all():
            inertial.refuse(f"{where}: the inertia is too large")
    try:
        return Body(name, parent, joint, pose, mass=mass, com=com, inertia=inertia)
    except ModelError as error:
        (inertial or link).refuse(str(error))


def _inertia(element: Element, rotation: Array, where: str) -> Array:
    """Return the six numbers in link axes: R I Rᵀ, with R from the inertia's axes to the link's."""
    xx, yy, zz, xy, xz, yz = (
        element.number(name, where) for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    )
    if not np.array_equal(rotation, np.eye(3)):
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        with np.errstate(over="ignore", invalid="ignore"):  # checked by the caller
            turned = rotation @ tensor @ rotation.T
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = turned.tolist()
    return np.array([xx, yy, zz, xy, xz, yz])


def _pose(element: Element, where: str) -> Pose:
    origin = element.first("origin")
    if origin is None:
        return Pose()
    return Pose(origin.vector("xyz", where, _ZERO), rpy=origin.vector("rpy", where, _ZERO))


def _warn_of_mimics(joints: Sequence[_Joint]) -> None:
    mimics = [
        joint.name
        for joint in joints
        if joint.element.first("mimic") is not None and joint.element.attributes["type"] != "fixed"
    ]
    if mimics:
        warnings.warn(
            f"URDF: <mimic> is ignored, so these joints move freely: {_listed(mimics, ', ')}",
            ModelWarning,
            stacklevel=4,
        )
