"""Drawings of planar linkages: links in the colours of their units, pins, slides, the ground."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from poinsot.expr.rank import rank
from poinsot.formulations.composable.plane import direction, point_at
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage
from poinsot.plots.label_places import label_places
from poinsot.plots.planar_pairs import draw_pair, pair_places
from poinsot.plots.style import GREY, INK, SERIES, label_of
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLOCK: Final = (0.055, 0.03)
"""Sides of the block of a slide, relative to the size of the linkage."""
SUPPORT: Final = 0.03
"""Height of the triangle below a pin on the ground, relative to that size."""


def linkage_size(linkage: PlanarLinkage, poses: Mapping[str, Array]) -> float:
    """Return the larger side of the box that holds all joints at all positions [m]."""
    joints = [
        np.reshape(point_at(poses[body], joint.point(body)), (-1, 2))
        for joint in linkage.joints
        for body in (joint.a, joint.b)
    ]
    places = np.concatenate([*joints, *(pair_places(pair, poses) for pair in linkage.pairs)])
    return float(np.max(np.ptp(places, axis=0))) or 1.0


def draw_linkage(
    axes: Axes,
    linkage: PlanarLinkage,
    poses: Mapping[str, Array],
    *,
    size: float,
    alpha: float = 1.0,
    named: bool = False,
) -> None:
    """Draw a linkage at one state.

    Args:
        axes: Where to.
        linkage: The linkage.
        poses: Poses of all links, shape (3,).
        size: Length that symbols are measured by [m].
        alpha: Below 1: pale, without symbols.
        named: Whether names of links are written beside them.
    """
    colours: dict[str, str] = {}
    outlines: dict[str, Array] = {}
    for number, unit in enumerate(linkage.units):
        colour = SERIES[number % len(SERIES)]
        for body in map(str, unit.bodies):
            colours[body] = colour
            corners = _corners(linkage, body, poses)
            closed = corners if len(corners) < 3 else np.concatenate([corners, corners[:1]])
            axes.plot(*closed.T, color=colour, lw=2.6, alpha=alpha, solid_capstyle="round")
            for outline in linkage.links[body].outlines:
                axes.fill(
                    *point_at(poses[body], np.array(outline)).T,
                    fc=colour,
                    ec=colour,
                    alpha=0.2 * alpha,
                )
            if len(corners) > 2:
                axes.fill(*corners.T, color=colour, alpha=0.15 * alpha, lw=0)
            outlines[body] = corners
    for joint in linkage.joints:
        if joint.kind == "P" and joint.a in colours:  # the link reaches as far as its block
            slot = np.array([point_at(poses[x], joint.point(x)) for x in (joint.a, joint.b)])
            axes.plot(*slot.T, color=colours[joint.a], lw=2.6, alpha=alpha)
    for pair in linkage.pairs:
        draw_pair(axes, pair, poses, colours, alpha, size)
    if alpha < 1.0:
        return
    for joint in linkage.joints:
        _draw_joint(axes, joint, linkage, poses, size, colours)
    if named:
        _write_names(axes, linkage, poses, outlines, colours, size)


def _write_names(
    axes: Axes,
    linkage: PlanarLinkage,
    poses: Mapping[str, Array],
    outlines: Mapping[str, Array],
    colours: Mapping[str, str],
    size: float,
) -> None:
    from matplotlib.patheffects import withStroke

    blocks = [point_at(poses[j.b], j.pb) for j in linkage.joints if j.kind == "P"]
    for body, place in label_places(outlines, np.array(blocks), size).items():
        halo = [withStroke(linewidth=2.5, foreground="white")]
        x, y = place.tolist()
        axes.text(
            x, y, label_of(body), color=colours[body], ha="center", va="center", zorder=5,
            path_effects=halo,
        )  # fmt: skip


def _corners(linkage: PlanarLinkage, body: str, poses: Mapping[str, Array]) -> Array:
    """Return the distinct places of a link's joints in order around their middle, (k, 2)."""
    points = [joint.point(body) for joint in linkage.joints if body in (joint.a, joint.b)]
    points += [np.asarray(point) for point in linkage.links[body].points.values()]
    curves = [pair for pair in linkage.pairs if isinstance(pair, CurvePair)]
    points += [np.array(pair.point) for pair in curves if pair.b == body]
    points = points or [np.array(pair.origin) for pair in curves if pair.a == body]
    distinct = np.unique(np.round(np.array(points, float), 12), axis=0)
    spread = distinct - distinct.mean(axis=0)
    order = np.argsort(np.arctan2(spread[:, 1], spread[:, 0]), kind="stable")
    corners = distinct[order]
    if len(corners) > 2 and rank(spread) < 2:
        corners = distinct  # on one line
    return point_at(poses[body], corners)


def _draw_joint(
    axes: Axes,
    joint: PlanarJoint,
    linkage: PlanarLinkage,
    poses: Mapping[str, Array],
    size: float,
    colours: Mapping[str, str],
) -> None:
    grounded = linkage.frame in (joint.a, joint.b)
    place = point_at(poses[joint.b], joint.pb)
    if joint.kind == "R":
        if grounded:
            h = SUPPORT * size
            foot = place + h * np.array([[0.0, 0.0], [-0.7, -1.3], [0.7, -1.3]])
            axes.fill(*foot.T, color=GREY, lw=0, zorder=1.8)
        filled = INK if joint.name in linkage.drivers else "white"
        above = 4.1 if joint.name in linkage.drivers else 4.0  # several pins in one place
        axes.plot(*place, "o", ms=6, mfc=filled, mec=INK, mew=1.2, zorder=above)
        return
    u = direction(poses[joint.a][2] + joint.ua)
    n = np.array([-u[1], u[0]])
    if grounded:
        ends = np.array([place - 1.5 * BLOCK[0] * size * u, place + 1.5 * BLOCK[0] * size * u])
        axes.plot(*(ends - BLOCK[1] * size * n).T, color=GREY, lw=1.5, zorder=1.8)
    length, height = BLOCK[0] * size * u, BLOCK[1] * size * n
    box = place + np.array([length + height, height - length, -length - height, length - height])
    filled = INK if joint.name in linkage.drivers else "white"
    edge = colours.get(joint.b, colours.get(joint.a, INK))
    axes.fill(*box.T, fc=filled, ec=edge, lw=1.5, zorder=3)
