"""The inertia of a body: what ``<inertial>`` says, or else what its geoms weigh."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from poinsot.io.mjcf.compiler import Compiler
from poinsot.io.mjcf.ignored_elements import LeftOut
from poinsot.io.mjcf.lumped_mass import Lump, joined
from poinsot.io.mjcf.meshes import Meshes
from poinsot.io.mjcf.placement import ORIENTATIONS, PLACE, PlacedElement, from_to, place_of
from poinsot.io.mjcf.shapes import SHAPES, SHELLS, SIZES
from poinsot.io.xml import Element
from poinsot.model import suggestion
from poinsot.spatial import Array, Transform

__all__ = ["body_lump"]

_DENSITY = 1000.0
_WEIGHTLESS = ("plane", "hfield")
_TYPES = (*SHAPES, *_WEIGHTLESS, "mesh", "sdf")
_TAKEN_INERTIAL = (*PLACE, "mass", "diaginertia", "fullinertia")
_TAKEN_GEOM = (
    *PLACE,
    *("name", "type", "size", "fromto", "mass", "density", "mesh", "group", "shellinertia"),
)


def body_lump(
    inertial: PlacedElement | None,
    geoms: Sequence[PlacedElement],
    compiler: Compiler,
    meshes: Meshes,
    left_out: LeftOut,
) -> Lump:
    """Return mass, centre and moments of a body, in its axes.

    Args:
        inertial: Its ``<inertial>``, if it has one.
        geoms: Its geoms, with what they inherit.
        compiler: The settings.
        meshes: The meshes that geoms may be.
        left_out: Where to note what is not taken.
    """
    low, high = compiler.inertiagrouprange
    heavy = [item for item in geoms if low <= item[0].number("group", _named(item[0]), 0.0) <= high]
    for geom, _ in geoms:
        left_out.attributes(geom, _TAKEN_GEOM)
    from_geoms = compiler.inertiafromgeom == "true" or (
        compiler.inertiafromgeom == "auto" and inertial is None
    )
    lump = Lump()
    if from_geoms and heavy:
        lump = joined(_geom(geom, compiler, meshes, left_out).placed(X) for geom, X in heavy)
    elif inertial is not None:
        element, frame = inertial
        left_out.attributes(element, _TAKEN_INERTIAL)
        lump = _inertial(element, compiler).placed(frame)
    return _bounded(lump, compiler)


def _inertial(element: Element, compiler: Compiler) -> Lump:
    where = "inertial"
    mass = element.number("mass", where)
    if mass < 0.0:
        element.refuse(f"{where}: mass must not be negative, got {mass}")
    X = place_of(element, where, compiler)
    if "fullinertia" not in element.attributes:
        moments = np.diag(element.vector("diaginertia", where, (0.0, 0.0, 0.0)))
        return Lump(mass, I=moments).placed(X)
    extra = sorted((ORIENTATIONS | {"diaginertia"}) & element.attributes.keys())
    if extra:
        element.refuse(f"{where}: fullinertia excludes {' and '.join(extra)}; leave one out")
    xx, yy, zz, xy, xz, yz = element.numbers("fullinertia", where, 6)
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Lump(mass, I=tensor).placed(X)


def _geom(geom: Element, compiler: Compiler, meshes: Meshes, left_out: LeftOut) -> Lump:
    """Return the mass of a geom, in the frame in which it is placed."""
    where = _named(geom)
    kind = geom.attributes.get("type", "sphere")
    if kind not in _TYPES:
        geom.refuse(f"{where}: unknown type {kind[:60]!r}; {suggestion(kind[:60], _TYPES)}")
    if kind in _WEIGHTLESS:
        return Lump()
    if kind == "sdf" or (kind != "mesh" and "mesh" in geom.attributes):
        left_out.element("geom (its mass: a shape fitted to a mesh)", geom)
        return Lump()
    if kind == "mesh":
        X, unit = place_of(geom, where, compiler), meshes.lump(geom.text("mesh", where), geom)
    else:
        X, unit = _shape(geom, kind, where, compiler, left_out)
    if unit is None:
        return Lump()
    return unit.scaled(_mass(geom, unit.mass, where) / unit.mass).placed(X)


def _shape(
    geom: Element, kind: str, where: str, compiler: Compiler, left_out: LeftOut
) -> tuple[Transform, Lump | None]:
    """Return where a simple shape is, and itself with density one."""
    n = SIZES[kind]
    if "fromto" in geom.attributes and kind != "sphere":
        X, half = from_to(geom, where)
        radius = geom.numbers("size", where, 1, 3)[0]
        size = np.array([*[radius] * (n - 1), half])
    else:
        X = place_of(geom, where, compiler)
        size = np.array(geom.numbers("size", where, n, 3)[:n])
    if not (size > 0.0).all():
        geom.refuse(f"{where}: the {n} sizes of a {kind} must be positive, got {size.tolist()}")
    table = SHAPES
    if geom.keyword("shellinertia", where, ("true", "false"), "false") == "true":
        if kind not in SHELLS:
            left_out.element(f"geom (its mass: a shell that is a {kind})", geom)
            return X, None
        table = SHELLS
    return X, table[kind](size)


def _mass(geom: Element, volume: float, where: str) -> float:
    """Return the mass of a geom [kg]: its own, or density times volume."""
    attribute = "mass" if "mass" in geom.attributes else "density"
    value = geom.number(attribute, where, _DENSITY)
    if value < 0.0:
        geom.refuse(f"{where}: {attribute} must not be negative, got {value}")
    mass = value if attribute == "mass" else value * volume
    if not math.isfinite(mass) or not 0.0 < volume < math.inf:
        geom.refuse(f"{where}: a volume of {volume} m^3 and a mass of {mass} kg cannot be used")
    return mass


def _bounded(lump: Lump, compiler: Compiler) -> Lump:
    """Return the lump with the smallest mass and moments that the settings ask for."""
    if not (compiler.boundmass > 0.0 or compiler.boundinertia > 0.0 or compiler.balanceinertia):
        return lump
    if not np.isfinite(lump.I).all():
        return lump  # refused where the body is made
    moments, axes = np.linalg.eigh(lump.I)
    moments = np.maximum(moments, compiler.boundinertia)
    if compiler.balanceinertia and moments.max() > moments.sum() - moments.max():
        moments = np.full(3, moments.mean())
    bounded: Array = (axes * moments) @ axes.T
    return Lump(max(lump.mass, compiler.boundmass), lump.com, bounded)


def _named(geom: Element) -> str:
    name = geom.attributes.get("name", "")
    return f"geom {name[:60]!r}" if name else "geom"
