"""Draw the pictures of docs/bodies.md: joints.svg and joint_frames.svg.

    python docs/images/joints.py [folder]

Points are (x, y, z); x goes to the right and to the front, y to the right and to the back, z up.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Polygon

PARENT, BODY, MOTION, INK = "#9aa0a8", "#0072b2", "#d55e00", "#2b2d36"
PROJECTION = np.array([[0.86, -0.27], [0.48, 0.40], [0.0, 0.9]])
"""Where on paper the unit vectors x, y and z end."""
X, Y, Z = np.eye(3)


def paper(points):
    """Return points of space on paper, shape (..., 2)."""
    return np.asarray(points, float) @ PROJECTION


def box(axes: Axes, centre, size, colour) -> None:
    """Draw the three sides of a box that are seen."""
    half = np.asarray(size) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    for axis, side in ((0, 1), (1, -1), (2, 1)):
        points = np.insert(corners, axis, side, axis=1) * half + centre
        for opacity, look in ((0.25, {"facecolor": colour}), (0.4, {"fill": False})):
            axes.add_patch(Polygon(paper(points), alpha=opacity, edgecolor=colour, **look))


def line(axes: Axes, *points, colour="black", style="--") -> None:
    """Draw straight lines through points."""
    axes.plot(*paper(points).T, color=colour, linestyle=style, linewidth=1.1)


def arrow(axes: Axes, start, end, colour=MOTION, style="-") -> None:
    """Draw an arrow between points of the paper."""
    look = {"arrowstyle": "-|>", "mutation_scale": 11, "shrinkA": 0, "shrinkB": 0}
    axes.add_patch(FancyArrowPatch(start, end, color=colour, linestyle=style, lw=1.5, **look))


def turn(axes: Axes, centre, axis, radius=0.45, span=(-0.3, 3.9)) -> None:
    """Draw an arrow that turns about an axis through a point, by angles from the second axis."""
    first = np.cross(axis, Z if abs(axis[2]) < 0.5 else Y)
    second = np.cross(axis, first)
    angles = np.linspace(*span, 60)[:, None]
    points = paper(centre + radius * (np.cos(angles) * first + np.sin(angles) * second))
    axes.plot(*points[:-4].T, color=MOTION, linewidth=1.5)
    arrow(axes, points[-7], points[-1])


def label(axes: Axes, place, text, colour=MOTION, **look) -> None:
    """Write a text at a point of space."""
    axes.text(*paper(place), text, color=colour, ha="center", va="center", **look)


def revolute(axes: Axes) -> None:
    """Draw a turn about the vertical."""
    box(axes, (0, 0, -0.75), (0.6, 0.6, 0.6), PARENT)
    box(axes, (0.35, 0, -0.15), (1.4, 0.45, 0.45), BODY)
    line(axes, -1.3 * Z, 1.2 * Z)
    turn(axes, 0.75 * Z, Z)
    label(axes, (0.7, 0, 1.0), "q")


def prismatic(axes: Axes) -> None:
    """Draw a slide along x."""
    box(axes, (-0.55, 0, 0), (0.7, 0.7, 0.8), PARENT)
    box(axes, (0.5, 0, 0), (1.3, 0.4, 0.4), BODY)
    line(axes, -1.3 * X, 1.6 * X)
    arrow(axes, *paper([(-0.1, 0, 0.7), (1.0, 0, 0.7)]))
    label(axes, (0.4, 0, 1.0), "q")


def helical(axes: Axes) -> None:
    """Draw a screw."""
    box(axes, (0, 0, -0.85), (0.9, 0.9, 0.5), PARENT)
    angles = np.linspace(0, 15, 200)
    thread = np.stack([0.3 * np.cos(angles), 0.3 * np.sin(angles), angles / 12.5 - 0.6], axis=1)
    line(axes, *thread, colour=BODY, style="-")
    box(axes, (0, 0, 0.75), (0.8, 0.8, 0.35), BODY)
    line(axes, -1.3 * Z, 1.6 * Z)
    turn(axes, 1.25 * Z, Z)
    label(axes, (0.7, 0, 1.5), "q")
    arrow(axes, *paper([(0.95, 0, -0.2), (0.95, 0, 0.5)]))
    label(axes, (1.62, 0, 0.62), "pitch·q")


def cylindrical(axes: Axes) -> None:
    """Draw a slide and a turn on one axis."""
    box(axes, (0, 0, -0.85), (0.7, 0.7, 0.6), PARENT)
    box(axes, (0, 0, 0.2), (0.35, 0.35, 1.4), BODY)
    line(axes, -1.3 * Z, 1.6 * Z)
    turn(axes, 1.25 * Z, Z)
    label(axes, (0.75, 0, 1.5), "q₂")
    arrow(axes, *paper([(0.75, 0, -0.1), (0.75, 0, 0.7)]))
    label(axes, (1.05, 0, 0.65), "q₁")


def universal(axes: Axes) -> None:
    """Draw two axes that cross."""
    box(axes, (0, 0, -1.0), (0.5, 0.5, 0.6), PARENT)
    box(axes, (0, 0, 0), (0.3, 0.3, 0.3), "#555555")
    box(axes, (0, 0, 0.75), (0.42, 0.42, 0.75), BODY)
    line(axes, -1.5 * Z, 1.35 * Z)
    line(axes, -1.2 * X, 1.4 * X)
    turn(axes, -0.45 * Z, Z)
    label(axes, (-0.75, 0, -0.55), "q₁")
    turn(axes, 1.05 * X, X)
    label(axes, (1.6, 0, 0.45), "q₂")


def planar(axes: Axes) -> None:
    """Draw slides and a turn on a plane."""
    plane = np.array([(-1.2, -0.9, 0), (1.3, -0.9, 0), (1.3, 1.1, 0), (-1.2, 1.1, 0)])
    axes.add_patch(Polygon(paper(plane), facecolor=PARENT, alpha=0.25))
    box(axes, (0, 0.1, 0.2), (0.8, 0.55, 0.4), BODY)
    arrow(axes, *paper([(-0.9, -0.75, 0), (0.6, -0.75, 0)]))
    label(axes, (-0.1, -1.05, 0), "q₁")
    arrow(axes, *paper([(-1.05, -0.7, 0), (-1.05, 0.6, 0)]))
    label(axes, (-1.35, 0.2, 0.1), "q₂")
    turn(axes, (0, 0.1, 0.62), Z, 0.35)
    label(axes, (0.55, 0.1, 0.85), "q₃")


def spherical(axes: Axes) -> None:
    """Draw a ball."""
    box(axes, (0, 0, -0.95), (0.6, 0.6, 0.6), PARENT)
    axes.add_patch(Circle(paper((0, 0, -0.35)), 0.42, facecolor=BODY, alpha=0.25))
    box(axes, (0, 0, 0.55), (0.36, 0.36, 0.95), BODY)
    turn(axes, 1.2 * Z, Z, 0.4)
    turn(axes, (0.95, 0, -0.25), X, 0.35)
    turn(axes, (0.5, 0.5, 0.45), Y, 0.35)
    label(axes, (0, 0, 1.75), "quaternion")


def free(axes: Axes) -> None:
    """Draw a body that moves anywhere."""
    start, body = np.array([-1.3, 0, -0.75]), np.array([0.35, 0.2, 0.0])
    for axis in 0.5 * np.array([X, Y, Z]):
        arrow(axes, *paper([start, start + axis]))
    box(axes, body, (0.8, 0.6, 0.6), BODY)
    arrow(axes, *paper([start, body]), colour="black", style="--")
    label(axes, start + np.array([1.0, 0, -0.05]), "x, y, z")
    turn(axes, body + 0.7 * Z, Z, 0.35)
    label(axes, body + 1.2 * Z, "quaternion")


JOINTS: dict[str, Callable[[Axes], None]] = {
    "Revolute": revolute,
    "Prismatic": prismatic,
    "Helical": helical,
    "Cylindrical": cylindrical,
    "Universal": universal,
    "Planar": planar,
    "Spherical": spherical,
    "Free": free,
}
"""By the names that they have in poinsot."""


def joints() -> Figure:
    """Draw eight joints between a parent, grey, and a body, blue."""
    figure = Figure(figsize=(8.2, 4.4))
    for axes, (name, draw) in zip(figure.subplots(2, 4).flat, JOINTS.items(), strict=True):
        draw(axes)
        axes.set(xlim=(-1.7, 1.9), ylim=(-1.75, 1.75), aspect="equal", title=name)
        axes.set_axis_off()
    figure.subplots_adjust(0, 0, 1, 0.93, 0, 0.1)
    return figure


def joint_frames() -> Figure:
    """Draw the frame of the parent, the joint's frame J at the pose, and the body's frame B."""
    figure = Figure(figsize=(5.7, 2.8))
    axes = figure.subplots()
    parent, joint, q = np.zeros(2), np.array([3.0, 0.9]), 0.6
    along = np.array([np.cos(q), np.sin(q)])
    for start, end, colour in ((parent, joint, PARENT), (joint, joint + 3 * along, MOTION)):
        bar = {"linewidth": 22, "solid_capstyle": "round", "alpha": 0.25, "zorder": 0}
        axes.plot(*np.transpose([start, end]), color=colour, **bar)
    arrow(axes, parent, joint, BODY, "--")
    axes.text(1.3, 0.65, "pose", color=BODY)
    for origin, angle, colour in ((parent, 0.0, INK), (joint, 0.0, BODY), (joint, q, MOTION)):
        for name, turned in (("x", angle), ("z", angle + np.pi / 2)):
            direction = np.array([np.cos(turned), np.sin(turned)])
            arrow(axes, origin, origin + 0.62 * direction, colour)
            axes.text(*(origin + 0.8 * direction), name, color=colour, ha="center", va="center")
    for x, z, name, colour in ((-0.5, -0.3, "parent", INK), (3.1, 0.45, "J", BODY),
                               (2.45, 1.15, "B", MOTION)):  # fmt: skip
        axes.text(x, z, name, color=colour, weight="bold", ha="center")
    angles = np.linspace(0.0, q, 30)
    axes.plot(*(joint[:, None] + 1.2 * np.array([np.cos(angles), np.sin(angles)])), color=MOTION)
    axes.text(*(joint + 1.4 * np.array([np.cos(q / 2), np.sin(q / 2)])), "q", color=MOTION)
    axes.plot(*(joint + 1.7 * along), "o", color=INK, markerfacecolor="white", markersize=9)
    axes.text(*(joint + 1.7 * along + (0.2, -0.45)), "com, mass, inertia", color=INK)
    axes.set(xlim=(-1.0, 7.0), ylim=(-0.8, 3.1), aspect="equal")
    axes.set_axis_off()
    figure.subplots_adjust(0, 0, 1, 1)
    return figure


def main(folder: Path) -> None:
    """Write both pictures."""
    with mpl.rc_context({"svg.hashsalt": "joints"}):
        for draw in (joints, joint_frames):
            draw().savefig(folder / f"{draw.__name__}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
