"""What ``<compiler>`` and ``<option>`` say about how a file is to be read."""

from __future__ import annotations

import math
from dataclasses import dataclass

from poinsot.io.mjcf.ignored_elements import LeftOut
from poinsot.io.xml import Element
from poinsot.model.checks import Vec3

__all__ = ["Compiler", "compiler_of", "gravity_of", "merged"]

_GRAVITY = (0.0, 0.0, -9.81)
_BOOLEAN = ("true", "false")
_TAKEN = (
    *("angle", "assetdir", "autolimits", "balanceinertia", "boundinertia", "boundmass"),
    *("coordinate", "eulerseq", "inertiafromgeom", "inertiagrouprange", "meshdir", "settotalmass"),
    "strippath",
)


@dataclass(frozen=True)
class Compiler:
    """The settings, with MuJoCo's names and defaults.

    Attributes:
        unit: What one unit of an angle is [rad].
        eulerseq: Axes of ``euler``; lower case turns about moving axes, upper case about fixed.
        autolimits: Whether a range alone makes a joint limited.
        inertiafromgeom: ``"true"``, ``"false"`` or ``"auto"``, where there is no ``<inertial>``.
        inertiagrouprange: Smallest and largest group of the geoms that have mass.
        boundmass, boundinertia: Smallest mass [kg] and principal moment [kg·m²] of a body.
        balanceinertia: Whether impossible moments are replaced by their mean.
        settotalmass: Mass to which the model is scaled [kg]; not positive: it is not scaled.
        meshdir: Folder of meshes, relative to that of the model.
        strippath: Whether folders in names of files are dropped.
    """

    unit: float = math.pi / 180.0
    eulerseq: str = "xyz"
    autolimits: bool = True
    inertiafromgeom: str = "auto"
    inertiagrouprange: tuple[float, float] = (0.0, 5.0)
    boundmass: float = 0.0
    boundinertia: float = 0.0
    balanceinertia: bool = False
    settotalmass: float = -1.0
    meshdir: str = ""
    strippath: bool = False


def merged(root: Element, tag: str) -> Element:
    """Return all sections with a tag as one: what comes later holds."""
    result = Element(tag, {}, root.line, root.source)
    for section in root.all(tag):
        result.line, result.source = section.line, section.source
        result.attributes |= section.attributes
        result.children += section.children
    return result


def compiler_of(root: Element, left_out: LeftOut) -> Compiler:
    """Return the settings of a ``<mujoco>``."""
    element = merged(root, "compiler")
    left_out.attributes(element, _TAKEN)
    for child in element.children:
        left_out.element(f"compiler/{child.tag}", child)
    if element.keyword("coordinate", "compiler", ("local", "global"), "local") == "global":
        element.refuse("compiler: global coordinates are not supported; MuJoCo 2.3.3 converts them")
    default = Compiler()
    degree = element.keyword("angle", "compiler", ("degree", "radian"), "degree") == "degree"
    low, high = default.inertiagrouprange
    if "inertiagrouprange" in element.attributes:
        low, high = element.numbers("inertiagrouprange", "compiler", 2)
    return Compiler(
        unit=default.unit if degree else 1.0,
        eulerseq=_sequence(element, default.eulerseq),
        autolimits=_flag(element, "autolimits", "true"),
        inertiafromgeom=element.keyword("inertiafromgeom", "compiler", (*_BOOLEAN, "auto"), "auto"),
        inertiagrouprange=(low, high),
        boundmass=element.number("boundmass", "compiler", 0.0),
        boundinertia=element.number("boundinertia", "compiler", 0.0),
        balanceinertia=_flag(element, "balanceinertia", "false"),
        settotalmass=element.number("settotalmass", "compiler", default.settotalmass),
        meshdir=element.attributes.get("meshdir", element.attributes.get("assetdir", "")),
        strippath=_flag(element, "strippath", "false"),
    )


def gravity_of(root: Element, left_out: LeftOut) -> Vec3:
    """Return the acceleration of free fall [m/s²] that ``<option>`` gives."""
    option = merged(root, "option")
    left_out.attributes(option, ("gravity",))
    gravity = option.vector("gravity", "option", _GRAVITY)
    flags = Element("flag", {}, option.line, option.source)
    for child in option.children:
        if child.tag == "flag":
            flags.attributes |= child.attributes
        else:
            left_out.element(f"option/{child.tag}", child)
    left_out.attributes(flags, ("gravity",))
    disabled = flags.keyword("gravity", "flag", ("enable", "disable"), "enable") == "disable"
    return (0.0, 0.0, 0.0) if disabled else gravity


def _flag(element: Element, attribute: str, default: str) -> bool:
    return element.keyword(attribute, "compiler", _BOOLEAN, default) == "true"


def _sequence(element: Element, default: str) -> str:
    sequence = element.attributes.get("eulerseq", default)
    if len(sequence) != 3 or not set(sequence) <= set("xyzXYZ"):
        element.refuse(
            f"compiler: eulerseq must be three of the letters x, y, z, X, Y, Z, "
            f"got {sequence[:60]!r}"
        )
    return sequence
