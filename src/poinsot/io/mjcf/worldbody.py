"""The tree of ``<worldbody>`` as a list of bodies with what belongs to each.

``<frame>`` only places what it holds, and ``<replicate>`` repeats it, so they disappear here.
Bodies are listed depth first, as MuJoCo numbers them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from poinsot.io.mjcf.compiler import Compiler
from poinsot.io.mjcf.defaults import MAIN, Defaults
from poinsot.io.mjcf.ignored_elements import LeftOut
from poinsot.io.mjcf.placement import PLACE, PlacedElement, euler_rotation, place_of
from poinsot.io.xml import Element
from poinsot.spatial import Transform

__all__ = ["WORLD_INDEX", "Branch", "branches_of"]

WORLD_INDEX = 0
"""Where the world is in the list."""

_MOVING = ("attach", "composite", "flexcomp")
"""Elements that stand for further bodies, without which the model would not be the same."""

_MOST_COPIES = 100_000
"""How many elements ``<replicate>`` may make."""

_TAKEN = (*PLACE, "name", "childclass")


@dataclass
class Branch:
    """A body of the file, or the world.

    Attributes:
        element: The ``<body>``.
        parent: The index of its parent in the list.
        X: Its pose in its parent.
        inertial: Its ``<inertial>``, if it has one.
        joints, geoms, sites: Its elements with what they inherit, and the frames they are in.
    """

    element: Element
    parent: int
    X: Transform
    inertial: PlacedElement | None = None
    joints: list[PlacedElement] = field(default_factory=list)
    geoms: list[PlacedElement] = field(default_factory=list)
    sites: list[PlacedElement] = field(default_factory=list)

    @property
    def where(self) -> str:
        """What messages call the body."""
        name = self.element.attributes.get("name", "")
        return f"body {name[:60]!r}" if name else "body"


@dataclass(frozen=True)
class _Visit:
    """An element that waits to be visited.

    Attributes:
        element: The element.
        index: The body to which it belongs.
        frame: The frame in which it is placed, in the axes of that body.
        childclass: The class of what names none.
        suffix: What ``<replicate>`` adds to names.
    """

    element: Element
    index: int
    frame: Transform
    childclass: str
    suffix: str = ""


def branches_of(
    root: Element, defaults: Defaults, compiler: Compiler, left_out: LeftOut
) -> list[Branch]:
    """Return the world and all bodies of a ``<mujoco>``."""
    here = Transform.identity()
    branches = [Branch(Element("worldbody", {}, root.line, root.source), -1, here)]
    stack: list[_Visit] = []
    for section in reversed(root.all("worldbody")):
        childclass = defaults.check(section.attributes.get("childclass", MAIN), section)
        stack += _inside(section, WORLD_INDEX, here, childclass, "")
    copies = 0
    while stack:
        visit = stack.pop()
        element, tag = visit.element, visit.element.tag
        if tag not in ("body", "frame", "replicate"):
            _add(visit, branches[visit.index], defaults, left_out)
            continue
        where = f"<{tag}> {element.attributes.get('name', '')[:60]!r}"
        childclass = element.attributes.get("childclass", visit.childclass)
        childclass = defaults.check(childclass, element)
        if tag == "replicate":
            frames = _frames(element, visit, where, compiler, left_out)
            copies += len(frames) * (1 + len(element.children))
            if copies > _MOST_COPIES:
                element.refuse(f"there are more than {_MOST_COPIES} replicated elements")
            for frame, suffix in reversed(frames):
                stack += _inside(element, visit.index, frame, childclass, suffix)
            continue
        left_out.attributes(element, _TAKEN)
        index, X = visit.index, visit.frame @ place_of(element, where, compiler)
        if tag == "body":
            branches.append(Branch(_renamed(element, visit.suffix), index, X))
            index, X = len(branches) - 1, here
        stack += _inside(element, index, X, childclass, visit.suffix)
    return branches


def _inside(
    element: Element, index: int, frame: Transform, childclass: str, suffix: str
) -> list[_Visit]:
    """Return the children of an element, the first one last."""
    return [_Visit(child, index, frame, childclass, suffix) for child in reversed(element.children)]


def _frames(
    element: Element, visit: _Visit, where: str, compiler: Compiler, left_out: LeftOut
) -> list[tuple[Transform, str]]:
    """Return the frames of a ``<replicate>`` and what each adds to names.

    The Euler angles of the k-th are k times those given, and each lies the offset from the one
    before, in the axes of that: R_k = R(k e), p_k+1 = p_k + R_k offset, as in MuJoCo.
    """
    left_out.attributes(element, ("count", "offset", "euler", "sep", "childclass"))
    count = element.number("count", where)
    if count != int(count) or not 0 <= count <= _MOST_COPIES:
        element.refuse(f"{where}: count must be a whole number up to {_MOST_COPIES}, got {count}")
    offset = np.array(element.vector("offset", where, (0.0, 0.0, 0.0)))
    angles = np.array(element.vector("euler", where, (0.0, 0.0, 0.0))) * compiler.unit
    width, sep = len(str(int(count) - 1)), element.attributes.get("sep", "")
    frames, p = [], np.zeros(3)
    for k in range(int(count)):
        X = Transform(euler_rotation(compiler.eulerseq, k * angles), p)
        frames.append((visit.frame @ X, f"{sep}{k:0{width}}{visit.suffix}"))
        p = X.apply_point(offset)
    return frames


def _renamed(element: Element, suffix: str) -> Element:
    """Return an element whose name, if it has one, ends with a suffix."""
    if not suffix or "name" not in element.attributes:
        return element
    attributes = element.attributes | {"name": element.attributes["name"] + suffix}
    return Element(element.tag, attributes, element.line, element.source, element.children)


def _add(visit: _Visit, branch: Branch, defaults: Defaults, left_out: LeftOut) -> None:
    """Add an element to its body."""
    element = _renamed(visit.element, visit.suffix)
    tag = element.tag
    if tag in _MOVING:
        element.refuse(
            f"{branch.where}: <{tag}> is not supported; load the file in MuJoCo and save it "
            "(mj_saveLastXML), which writes the bodies out"
        )
    if visit.index == WORLD_INDEX and tag in ("joint", "freejoint", "inertial"):
        element.refuse(f"<worldbody> cannot have a <{tag}>; put it in a <body>")
    if tag in ("joint", "geom", "site"):
        item = (defaults.resolved(element, visit.childclass), visit.frame)
        {"joint": branch.joints, "geom": branch.geoms, "site": branch.sites}[tag].append(item)
    elif tag == "freejoint":
        branch.joints.append((element, visit.frame))
    elif tag == "inertial":
        if branch.inertial is not None:
            first = branch.inertial[0].line
            element.refuse(f"{branch.where}: there must be one <inertial>, see line {first}")
        branch.inertial = (element, visit.frame)
    else:
        left_out.element(f"body/{tag}", element)
