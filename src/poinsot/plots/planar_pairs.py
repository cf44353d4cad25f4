"""Gears, racks, cams and curves in drawings of planar linkages: pitch circles and profiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poinsot.formulations.composable.cam_contact import cam_profile
from poinsot.formulations.composable.curve_rows import curve_axes, curve_values
from poinsot.formulations.composable.pair_forces import mesh_axes
from poinsot.formulations.composable.pair_rows import pair_coordinates
from poinsot.formulations.composable.plane import direction, point_at, rotated, turned
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.higher_pair import CamFollower, GearMesh, HigherPair, PlanarPair
from poinsot.model.planar.relation_pair import RelationPair
from poinsot.model.planar.row_pair import RowPair
from poinsot.plots.style import GREY
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS: Final = 361
CELLS: Final = 200
"""Points along each side of the grid whose contour a curve is; the origin is none of them."""
FACE: Final = 0.6
"""Half the length of a drawn face, relative to the base circle."""
RACK: Final = 1.6
"""Half the length of a drawn rack, relative to its pinion."""

Poses = Mapping[str, Array]


def draw_pair(
    axes: Axes, pair: PlanarPair, poses: Poses, colours: Mapping[str, str], alpha: float,
    size: float,
) -> None:  # fmt: skip
    """Draw pitch circles of gears, or profile and follower of a cam, in the colours of the links.

    Args:
        axes: Where to.
        pair: The pair.
        poses: Poses of all links, shape (3,).
        colours: Of the links by name.
        alpha: Of the drawing.
        size: Of the linkage [m]: so far to all sides of their axes curves are drawn.
    """
    look: dict[str, Any] = {"lw": 1.4, "alpha": alpha}
    first, second = colours.get(pair.a, GREY), colours.get(pair.b, GREY)
    if isinstance(pair, CurvePair) and pair.is_tangent:
        return
    if isinstance(pair, CurvePair):
        _curve(axes, pair, poses, (first, second), look, size)
    elif isinstance(pair, RelationPair | RowPair):
        return
    elif isinstance(pair.shape, GearMesh):
        mesh, carrier = pair.shape, poses[pair.carrier]
        _wheel(axes, point_at(carrier, mesh.centre_a), mesh.radius_a, poses[pair.a], first, look)
        if mesh.radius_b:
            centre = point_at(carrier, mesh.centre_b)
            _wheel(axes, centre, mesh.radius_b, poses[pair.b], second, look)
            return
        along, _, place = mesh_axes(mesh)
        ends = place + np.array([[-1.0], [1.0]]) * RACK * mesh.radius_a * along
        axes.plot(*point_at(carrier, ends).T, color=second, ls="-.", **look)
    elif isinstance(pair.shape, CamFollower):
        _cam(axes, pair, pair.shape, poses, (first, second), look)


def pair_places(pair: PlanarPair, poses: Poses) -> Array:
    """Return the corners of the box around a pair, (..., 2), for the size of a drawing."""
    if isinstance(pair, CurvePair):
        return np.reshape(point_at(poses[pair.b], pair.point), (-1, 2))
    if isinstance(pair, RelationPair | RowPair):
        return np.zeros((0, 2))
    if isinstance(pair.shape, GearMesh):
        mesh = pair.shape
        centres = [(mesh.centre_a, mesh.radius_a)]
        centres += [(mesh.centre_b, mesh.radius_b)] if mesh.radius_b else []
    elif isinstance(pair.shape, CamFollower):
        reach = pair.shape.base + pair.shape.law.rise
        centres = [(tuple(pair.shape.path.cam.tolist()), reach)]
    else:
        return np.zeros((0, 2))
    carrier = poses[pair.carrier]
    corners = [
        np.reshape(point_at(carrier, centre) + sign * abs(radius), (-1, 2))
        for centre, radius in centres
        for sign in (1.0, -1.0)
    ]
    return np.concatenate(corners)


def _curve(
    axes: Axes, pair: CurvePair, poses: Poses, colours: tuple[str, str], look: Mapping[str, Any],
    size: float,
) -> None:  # fmt: skip
    """Draw a curve as the contour g = 0 of its formula, and the point on it."""
    x = np.linspace(-size, size, CELLS)
    points = np.stack(np.meshgrid(x, x), axis=-1)
    g = curve_values(pair.curve, points).g
    across, up = np.moveaxis(point_at(curve_axes(pair, poses[pair.a]), points), -1, 0)
    axes.contour(across, up, g, [0.0], colors=[colours[0]], linewidths=look["lw"],
                 alpha=look["alpha"])  # fmt: skip
    place = point_at(poses[pair.b], pair.point)
    axes.plot(*place, "o", color=colours[1], ms=5, alpha=look["alpha"])


def _wheel(
    axes: Axes, centre: Array, radius: float, pose: Array, colour: str, look: Mapping[str, Any]
) -> None:
    """Draw a pitch circle and a radius that shows how the wheel has turned."""
    angles = np.linspace(0.0, 2.0 * np.pi, POINTS)
    axes.plot(*(centre + abs(radius) * direction(angles)).T, color=colour, ls="-.", **look)
    mark = centre + np.array([[0.75], [1.0]]) * abs(radius) * direction(pose[2])
    axes.plot(*mark.T, color=colour, **look)


def _cam(
    axes: Axes, pair: HigherPair, cam: CamFollower, poses: Poses, colours: tuple[str, str],
    look: Mapping[str, Any],
) -> None:  # fmt: skip
    path, carrier = cam.path, poses[pair.carrier]
    angles = np.linspace(0.0, 2.0 * np.pi, POINTS)
    y, first, _ = pair.law(angles)
    profile = cam_profile(path, y, first, angles)
    centre = point_at(carrier, path.cam)
    turn = carrier[2] + pair_coordinates(pair, poses)[0]
    outline = centre + rotated(turn, profile)
    axes.plot(*outline.T, color=colours[0], **look)
    axes.fill(*outline.T, color=colours[0], alpha=0.15 * look["alpha"], lw=0)
    now = pair_coordinates(pair, poses)[1]
    place = point_at(carrier, path.place(now)[0])
    if path.roller:
        axes.plot(*(place + path.roller * direction(angles)).T, color=colours[1], **look)
    if path.face is not None:
        along = rotated(carrier[2], turned(path.normal(now)))
        ends = place + np.array([[-1.0], [1.0]]) * FACE * cam.base * along
        axes.plot(*ends.T, color=colours[1], lw=2.4, alpha=look["alpha"])
