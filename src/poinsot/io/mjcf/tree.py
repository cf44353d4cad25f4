"""The tree of ``<worldbody>`` as a list of bodies with what belongs to each.

``<frame>`` only places what it holds, so it disappears here.  Bodies are listed depth first, as
MuJoCo numbers them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from poinsot.io.mjcf.compiler import Compiler
from poinsot.io.mjcf.defaults import MAIN, Defaults
from poinsot.io.mjcf.inertia import Part
from poinsot.io.mjcf.left_out import LeftOut
from poinsot.io.mjcf.places import PLACE, place_of
from poinsot.io.xml import Element
from poinsot.spatial import Transform

__all__ = ["WORLD_INDEX", "Branch", "branches_of"]

WORLD_INDEX = 0
"""Where the world is in the list."""

_MOVING = ("replicate", "attach", "composite", "flexcomp")
"""Elements that stand for further bodies, without which the model would not be the same."""

_TAKEN = (*PLACE, "name", "childclass")


@dataclass
class Branch:
    """A body of the file, or the world.

    Attributes:
        element: The ``<body>``.
        parent: The place of its parent in the list.
        X: Its pose in its parent.
        inertial: Its ``<inertial>``, if it has one.
        joints, geoms, sites: Its elements with what they inherit, and the frames they are in.
    """

    element: Element
    parent: int
    X: Transform
    inertial: Part | None = None
    joints: list[Part] = field(default_factory=list)
    geoms: list[Part] = field(default_factory=list)
    sites: list[Part] = field(default_factory=list)

    @property
    def where(self) -> str:
        """What messages call the body."""
        name = self.element.attributes.get("name", "")
        return f"body {name[:60]!r}" if name else "body"


def branches_of(
    root: Element, defaults: Defaults, compiler: Compiler, left_out: LeftOut
) -> list[Branch]:
    """Return the world and all bodies of a ``<mujoco>``."""
    here = Transform.identity()
    world = Branch(Element("worldbody", {}, root.line, root.source), -1, here)
    branches = [world]
    # What is left to visit: the element, the body it belongs to, its frame in it, its class.
    stack: list[tuple[Element, int, Transform, str]] = []
    for section in reversed(root.all("worldbody")):
        name = section.attributes.get("childclass", MAIN)
        name = defaults.check(name, section)
        stack += [(child, WORLD_INDEX, here, name) for child in reversed(section.children)]
    while stack:
        element, index, frame, childclass = stack.pop()
        branch = branches[index]
        if element.tag not in ("body", "frame"):
            _put(element, branch, frame, defaults, childclass, left_out)
            continue
        where = f"<{element.tag}> {element.attributes.get('name', '')[:60]!r}"
        left_out.attributes(element, _TAKEN)
        childclass = defaults.check(element.attributes.get("childclass", childclass), element)
        X = frame @ place_of(element, where, compiler)
        if element.tag == "body":
            branches.append(Branch(element, index, X))
            index, X = len(branches) - 1, here
        stack += [(child, index, X, childclass) for child in reversed(element.children)]
    return branches


def _put(
    element: Element,
    branch: Branch,
    frame: Transform,
    defaults: Defaults,
    childclass: str,
    left_out: LeftOut,
) -> None:
    """Put an element where it belongs in its body."""
    tag = element.tag
    if tag in _MOVING:
        element.refuse(
            f"{branch.where}: <{tag}> is not supported; load the file in MuJoCo and save it "
            "(mj_saveLastXML), which writes the bodies out"
        )
    if tag in ("joint", "geom", "site"):
        part = (defaults.resolved(element, childclass), frame)
        {"joint": branch.joints, "geom": branch.geoms, "site": branch.sites}[tag].append(part)
    elif tag == "freejoint":
        branch.joints.append((element, frame))
    elif tag == "inertial" and branch.inertial is None:
        branch.inertial = (element, frame)
    elif tag == "inertial":
        element.refuse(
            f"{branch.where}: there must be one <inertial>, the first is on line "
            f"{branch.inertial[0].line if branch.inertial else 0}"
        )
    else:
        left_out.element(f"body/{tag}", element)
