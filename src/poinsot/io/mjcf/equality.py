"""``<equality>``: loops and couplings of a file as ours.

``connect`` is a ball between two points, ``weld`` a fixed joint between two frames, ``joint`` a
polynomial between two coordinates.  MuJoCo's are soft, ours hold exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from poinsot.io.mjcf.defaults import MAIN, Defaults
from poinsot.io.mjcf.ignored_elements import LeftOut
from poinsot.io.mjcf.names import MjcfNames
from poinsot.io.mjcf.placement import as_pose
from poinsot.io.mjcf.reference_configuration import Reference
from poinsot.io.xml import Element
from poinsot.model import (
    WORLD,
    AbstractConstraint,
    Body,
    Fixed,
    FormulaConstraint,
    Frame,
    Gear,
    Loop,
    Pose,
    PrescribedMotion,
    Spherical,
    suggestion,
)
from poinsot.spatial import Transform

__all__ = ["closures_of"]

_COMMON = ("name", "active")
_ENDS = ("body1", "body2", "site1", "site2")
_ZERO = (0.0, 0.0, 0.0)
_DEGREE = 4
"""Of the polynomial between two joints."""


def closures_of(
    root: Element,
    defaults: Defaults,
    reference: Reference,
    bodies: Sequence[Body],
    left_out: LeftOut,
) -> tuple[list[Loop], list[AbstractConstraint]]:
    """Return the loops and the other constraints of a ``<mujoco>``, as listed.

    Args:
        root: The ``<mujoco>``.
        defaults: Its classes of attributes.
        reference: Where things are.
        bodies: Our bodies, whose joints have names already.
        left_out: Where to note what is not taken: tendons, flexes, what is not active, softness.
    """
    names = MjcfNames([body.joint.name or body.name for body in bodies])
    loops: list[Loop] = []
    constraints: list[AbstractConstraint] = []
    listed = [child for section in root.all("equality") for child in section.children]
    for k, child in enumerate(listed, start=1):
        element = defaults.resolved(child, MAIN, "equality")
        tag, where = element.tag, f"equality {element.attributes.get('name', element.tag)[:60]!r}"
        if tag not in ("connect", "weld", "joint"):
            left_out.element(f"equality/{tag}", element)
            continue
        if element.keyword("active", where, ("true", "false"), "true") == "false":
            left_out.element(f"equality/{tag} (it is not active)", element)
            continue
        left_out.element("equality (its softness: it holds exactly)", element)
        given = element.attributes.get("name", "")
        name = names.free(given if given.strip() else f"{tag} {k}")
        with element.named(where):
            if tag == "joint":
                left_out.attributes(element, (*_COMMON, "joint1", "joint2", "polycoef"))
                constraints.append(_coupling(element, name, where, reference))
            elif tag == "connect":
                left_out.attributes(element, (*_COMMON, *_ENDS, "anchor"))
                loops.append(Loop(name, *_points(element, where, reference), Spherical()))
            else:
                left_out.attributes(element, (*_COMMON, *_ENDS, "anchor", "relpose"))
                loops.append(Loop(name, *_frames(element, where, reference), Fixed()))
    return loops, constraints


def _points(element: Element, where: str, reference: Reference) -> tuple[Frame, Frame]:
    """Return the two points that coincide: those of sites, or one that both bodies carry."""
    if "site1" in element.attributes:
        return _sites(element, where, reference)
    first, second = _bodies(element, where, reference)
    element.text("anchor", where)
    anchor = element.vector("anchor", where, _ZERO)
    point = reference.bodies[first].apply_point(anchor)
    there = reference.bodies[second].inverse().apply_point(point)
    return (first, Pose(anchor)), (second, Pose(there))


def _frames(element: Element, where: str, reference: Reference) -> tuple[Frame, Frame]:
    """Return the two frames that coincide.

    The origin of both is ``anchor`` in the second body; ``relpose`` is where that is in the first,
    and how the second is turned, unless its quaternion is zero: then they are as the file places
    them.
    """
    if "site1" in element.attributes:
        return _sites(element, where, reference)
    first, second = _bodies(element, where, reference)
    anchor = element.vector("anchor", where, _ZERO)
    numbers = [0.0] * 7
    if "relpose" in element.attributes:
        numbers = element.numbers("relpose", where, 7)
    if any(numbers[3:]):
        pose = Pose(numbers[:3], quat=numbers[3:])
    else:
        X = reference.bodies[first].inverse() @ reference.bodies[second]
        pose = as_pose(X @ Transform.translation(anchor))
    return (first, pose), (second, Pose(anchor))


def _bodies(element: Element, where: str, reference: Reference) -> tuple[str, str]:
    first = element.text("body1", where)
    second = element.attributes.get("body2", WORLD)
    for name in (first, second):
        _known(element, "body", name, reference.bodies, where)
    return first, second


def _sites(element: Element, where: str, reference: Reference) -> tuple[Frame, Frame]:
    first, second = (element.text(key, where) for key in ("site1", "site2"))
    for name in (first, second):
        _known(element, "site", name, reference.sites, where)
    return reference.sites[first], reference.sites[second]


def _coupling(element: Element, name: str, where: str, reference: Reference) -> AbstractConstraint:
    """Return q1 - q1_0 = sum of c_k (q2 - q2_0)**k, with q_0 where the file places the bodies."""
    first = element.text("joint1", where)
    coefficients = [0.0, 1.0]
    if "polycoef" in element.attributes:
        coefficients = element.numbers("polycoef", where, 1, _DEGREE + 1)
    c0, c1, *higher = [*coefficients, 0.0, 0.0][: max(2, len(coefficients))]
    second = element.attributes.get("joint2")
    for joint in (first, second):
        if joint is not None:
            _known(element, "joint with one coordinate", joint, reference.joints, where)
    rest = reference.joints[first] + c0
    if second is None:
        return PrescribedMotion(name, first, rest)
    middle = reference.joints[second]
    if not any(higher):
        return Gear(name, second, first, c1, rest - c1 * middle)
    powers = [f"({c!r})*(x - ({middle!r}))**{k}" for k, c in enumerate((c1, *higher), start=1) if c]
    formula = f"y - ({rest!r}) - ({' + '.join(powers)})"
    return FormulaConstraint(name, formula, {"x": second, "y": first})


def _known(element: Element, what: str, name: str, names: Mapping[str, object], where: str) -> None:
    if name not in names:
        hint = suggestion(name[:60], names) if names else "there is none"
        element.refuse(f"{where}: unknown {what} {name[:60]!r}; {hint}")
