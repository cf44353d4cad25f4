"""URDF to a mechanism: links are bodies, and the frame of a link is that of its parent joint.

As wiki.ros.org/urdf/XML specifies.  Taken are links with their inertia and shapes (no mesh is ever
opened), joints of all types with origin, axis, limits, dynamics and mimic, and the loops of our
own extension (``closures``).  Not taken: transmissions, sensors, and what simulators add.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from poinsot.errors import PoinsotError
from poinsot.io.meshes import MeshFolder
from poinsot.io.urdf.bodies import body_of
from poinsot.io.urdf.closures import closures_of, gears_of_mimics
from poinsot.io.urdf.joints import joint_of, mimic_of
from poinsot.io.urdf.names import apart
from poinsot.io.urdf.origin import origin_of
from poinsot.io.urdf.shapes import materials_of, shapes_of
from poinsot.io.xml import MAX_SIZE, Element, parse_xml
from poinsot.model import WORLD, AbstractJoint, Fixed, Mechanism, Mimic, Pose, suggestion
from poinsot.model.model_warnings import Gathered, listed, warn
from poinsot.model.topology import find_cycle

__all__ = ["mechanism_from_urdf", "read_urdf"]

_FIXED = Fixed()
_SHOWN = 20
"""How many joints a warning names."""


def mechanism_from_urdf(
    text: str, *, root: AbstractJoint = _FIXED, mimic: bool = False, passive: bool = True
) -> Mechanism:
    """Return the mechanism that a URDF describes.

    Every link becomes a body of its name, those on fixed joints too, so that all frames can be
    asked for by name.  Joints keep their names; q and v are stacked as the joints are listed, the
    root's first.  A root link called ``"world"`` is the world itself if the root is fixed and the
    link has no shapes; otherwise its body is called ``"world link"``.

    Args:
        text: The URDF.
        root: How the root link moves against the world, e.g. ``Free()``.
        mimic: Whether joints follow those that they mimic, each by a ``Gear``.
        passive: Whether to take damping and friction of the joints.

    Raises:
        ModelError: If it is no URDF of one tree; the message names line and link or joint.

    Warns:
        ModelWarning: If joints mimic others and are not to follow them, no real body could have an
            inertia, or a shape is left out.

    Examples:
        >>> arm = mechanism_from_urdf('''<robot name="arm"><link name="base"/><link name="rod"/>
        ...   <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/>
        ...     <axis xyz="0 1 0"/></joint></robot>''')
        >>> arm.body_names, arm.bodies[1].joint
        (('base', 'rod'), Revolute(name='hinge', axis=(0.0, 1.0, 0.0)))
    """
    with Gathered("URDF"):
        return _mechanism(parse_xml(text, "URDF"), root, None, mimic=mimic, passive=passive)


def read_urdf(
    path: str | os.PathLike[str], *, root: AbstractJoint = _FIXED, mimic: bool = False,
    passive: bool = True,
) -> Mechanism:  # fmt: skip
    """Return the mechanism of a URDF file; see :func:`mechanism_from_urdf`.

    Args:
        path: The file.
        root: How the root link moves against the world.
        mimic: Whether joints follow those that they mimic, each by a ``Gear``.
        passive: Whether to take damping and friction of the joints.

    Raises:
        ModelError: If it is no URDF of one tree; the message begins with the file.
        OSError: If the file cannot be read.
    """
    with open(path, "rb") as file:
        data = file.read(MAX_SIZE + 1)
    folder = os.path.dirname(os.path.abspath(path))
    try:
        with Gathered(os.fspath(path)):
            return _mechanism(parse_xml(data, "URDF"), root, folder, mimic=mimic, passive=passive)
    except PoinsotError as error:
        raise type(error)(f"{os.fspath(path)}: {error}") from error


@dataclass(frozen=True, eq=False)
class _Joint:
    """A ``<joint>`` with the links it connects, by index."""

    element: Element
    name: str
    parent: int
    child: int


def _mechanism(
    robot: Element, root: AbstractJoint, folder: str | None, *, mimic: bool, passive: bool
) -> Mechanism:
    if robot.tag != "robot":
        robot.refuse(f"the outermost element must be <robot>, got <{robot.tag[:60]}>")
    name = robot.text("name", "robot")
    links = _named(robot.all("link"), "link")
    if not links:
        robot.refuse(f"robot {name!r}: there must be at least one <link>")
    joints = _joints(robot, list(links))
    base = _root(robot, list(links), joints)
    mimics = _mimics(joints, mimic=mimic)
    materials, meshes = materials_of(robot), MeshFolder(folder)
    shapes = [shapes_of(link, materials, meshes) for link in links.values()]
    meshes.warn()
    elements, names = list(links.values()), list(links)
    is_world = names[base] == WORLD and isinstance(root, Fixed) and not shapes[base]
    if WORLD in names and not is_world:
        names[names.index(WORLD)] = apart(f"{WORLD} link", names)
    bodies = []
    if not is_world:
        root_joint = _root_joint(root, names[base], [joint.name for joint in joints])
        bodies.append(body_of(elements[base], names[base], WORLD, root_joint, Pose(), shapes[base]))
    for joint in joints:
        bodies.append(
            body_of(
                elements[joint.child],
                names[joint.child],
                names[joint.parent],
                joint_of(joint.element, joint.name, mimics.get(joint.name), passive=passive),
                origin_of(joint.element, f"joint {joint.name!r}"),
                shapes[joint.child],
            )
        )
    called = dict(zip(links, names, strict=True)) | ({WORLD: WORLD} if is_world else {})
    loops, constraints = closures_of(robot, called, passive=passive)
    if mimic:
        constraints += gears_of_mimics(bodies, constraints)
    with robot.named(f"robot {name!r}"):
        return Mechanism(name, bodies, loops=loops, constraints=constraints)


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
    """Return the index of the one link without parent, rejecting cycles and several such links."""
    parents = [-1] * len(links)
    for joint in joints:
        parents[joint.child] = joint.parent
    cycle = find_cycle(parents)
    if cycle:
        shown = listed([links[i] for i in cycle], " -> ")
        robot.refuse(f"the links form a cycle: {shown} (a link, its parent, and so on)")
    roots = [i for i, parent in enumerate(parents) if parent < 0]
    if len(roots) > 1:
        shown = listed([links[i] for i in roots])
        robot.refuse(f"there must be one root link, got {len(roots)}: {shown}; join them")
    return roots[0]


def _root_joint(root: AbstractJoint, link: str, taken: Sequence[str]) -> AbstractJoint:
    """Return the root's joint, named so that no joint of the file has its name.

    It would be called after its link, and URDF lets a joint have the name of a link.
    """
    if not isinstance(root, AbstractJoint) or root.name is not None or link not in taken:
        return root
    named = copy.copy(root)
    object.__setattr__(named, "name", apart(f"{link} root", taken))
    return named


def _mimics(joints: Sequence[_Joint], *, mimic: bool) -> dict[str, Mimic]:
    """Return what joints should follow, by their names, with a warning if they are not to."""
    names = {joint.name for joint in joints}
    mimics: dict[str, Mimic] = {}
    unknown = []
    for joint in joints:
        element = joint.element.first("mimic")
        if element is not None and joint.element.attributes.get("type") != "fixed":
            leader = mimic_of(element, f"joint {joint.name!r}")
            if leader.joint in names:
                mimics[joint.name] = leader
            else:
                unknown.append(f"{joint.name!r} (of {leader.joint[:60]!r})")
    if mimics and not mimic:
        warn(f"<mimic> is kept as data only, so these joints move freely: {listed(list(mimics))}")
    if unknown:
        warn(f"<mimic> of unknown joints is left out: {', '.join(unknown[:_SHOWN])}")
    return mimics
