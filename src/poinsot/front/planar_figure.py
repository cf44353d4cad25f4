"""Figures of planar mechanisms: a turn of the crank on one page, the mechanism alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from poinsot.front.planar_quantities import PlanarQuantities
from poinsot.front.turn_states import TurnStates
from poinsot.plots.figure import FIGURES, draw_panel, put_out
from poinsot.plots.panels import Panel, PlottedCurve
from poinsot.plots.picture_file import checked_target
from poinsot.plots.planar_drawing import draw_linkage, linkage_size
from poinsot.plots.style import INK, RC
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import Locator

PALE = 6
"""Further positions that the drawing of a turn shows."""
TICKS = 7
"""Most intervals of the horizontal axis of a drawing: more numbers would run into each other."""
ROUNDING = 1e-12
"""Part of the largest force times the size below which a moment is shown as zero."""


def plot_turn(
    turn: TurnStates, path: str | Path | None, curves: Mapping[str, str | ArrayLike]
) -> Figure:
    """Draw a turn; see ``CrankTurn.plot``."""
    target = None if path is None else checked_target(path, FIGURES, "figure")
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with style.context(["default", dict(RC)]):
        figure = Figure(figsize=(15.0, 8.4), layout="constrained")
        FigureCanvasAgg(figure)
        grid = figure.add_gridspec(3, 3, width_ratios=(1.25, 1.0, 1.0))
        cells = [(0, 1), (1, 1), (2, 1), (0, 2), (1, 2), (2, 2)]
        joint = turn.mechanism.linkage.by_name[turn.driver]
        is_angle = joint.kind == "R"
        along = f"{turn.driver} [°]" if is_angle else f"{turn.driver} [m]"
        x = np.degrees(turn.x) if is_angle else turn.x
        marks = [
            (float(np.degrees(p.coordinate) if is_angle else p.coordinate), p.kind)
            for p in turn.points
        ]
        panels = turn_panels(turn, x)
        below = len(panels) > len(cells)  # the first panel stands below the drawing
        _draw_motion(figure.add_subplot(grid[:2, 0] if below else grid[:, 0]), turn, curves)
        for cell, panel in zip([(2, 0)] * below + cells, panels, strict=False):
            axes = figure.add_subplot(grid[cell])
            draw_panel(axes, panel, marks)
            axes.margins(x=0.01)
            if is_angle:
                axes.xaxis.set_major_locator(_degrees(float(np.ptp(x))))
            if cell[0] == 2:
                axes.set_xlabel(along)
        put_out(figure, target)
    return figure


def draw_mechanism(
    mechanism: PlanarQuantities, poses: Mapping[str, Array], path: str | Path | None
) -> Figure:
    """Draw a mechanism at poses, units in colours; see ``PlanarMechanism.draw``."""
    target = None if path is None else checked_target(path, FIGURES, "figure")
    from matplotlib import style
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with style.context(["default", dict(RC)]):
        figure = Figure(figsize=(7.0, 5.0), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        _plane(axes)
        size = linkage_size(mechanism.linkage, poses)
        draw_linkage(axes, mechanism.linkage, poses, size=size, named=True)
        put_out(figure, target)
    return figure


def _draw_motion(axes: Axes, turn: TurnStates, curves: Mapping[str, str | ArrayLike]) -> None:
    """Draw the mechanism at the start, pale ones on the way, and paths of points."""
    _plane(axes)
    linkage, poses = turn.mechanism.linkage, turn.positions
    size = linkage_size(linkage, poses)
    for k in np.linspace(0, len(turn.t) - 1, PALE, endpoint=False).astype(int)[::-1]:
        state = {link: pose[k] for link, pose in poses.items()}
        draw_linkage(axes, linkage, state, size=size, alpha=0.18 if k else 1.0, named=not k)
    for link, point in curves.items():
        curve = turn.curve(link, point)
        axes.plot(*curve.T, color=INK, lw=1.2, zorder=3.5)
        axes.plot(*curve[0], ".", color=INK, ms=7, zorder=4)
    axes.set_title("units in colours; the driver's joint is filled", loc="left")


def _plane(axes: Axes) -> None:
    axes.set_aspect("equal", adjustable="datalim")
    axes.locator_params(axis="x", nbins=TICKS)
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")


def turn_panels(turn: TurnStates, x: Array) -> list[Panel]:
    """Return the panels of a turn over the driver's coordinate."""
    outputs = turn.outputs
    pins = [link for link, joint in outputs.items() if joint.kind == "R"]
    slides = [link for link, joint in outputs.items() if joint.kind == "P"]
    chosen, unit = (slides, "m") if slides else (pins, "rad")
    forces = turn.bearing_forces
    is_torque = turn.mechanism.linkage.by_name[turn.driver].kind == "R"
    shaking = turn.shaking_force
    angles = turn.transmission_angles
    size = linkage_size(turn.mechanism.linkage, turn.positions)
    rounding = ROUNDING * size * np.abs(shaking).max()
    moment = np.where(np.abs(shaking[:, 2]) > rounding, shaking[:, 2], 0.0)

    def panel(title: str, unit: str, curves: Mapping[str, Array]) -> Panel:
        return Panel(title, unit, x, tuple(PlottedCurve(k, v) for k, v in curves.items()))

    panels = [
        panel("Transmission angles", "°", {k: np.degrees(v) for k, v in angles.items()}),
        panel("Pressure angles", "°", {k: np.degrees(v) for k, v in turn.pressure_angles.items()}),
        panel("Output", unit, {link: turn.output(link) for link in chosen}),
        panel("Output rates", f"{unit}/s", {link: turn.output_rate(link) for link in chosen}),
        panel("Shaking force", "N", {"x": shaking[:, 0], "y": shaking[:, 1]}),
        panel("Driver", "N m" if is_torque else "N", {turn.driver: turn.driver_force}),
        panel("Forces in joints", "N", forces),
        panel("Shaking moment about the origin", "N m", {"M": moment}),
    ]
    return [shown for shown in panels if shown.curves]


def _degrees(span: float) -> Locator:
    from matplotlib.ticker import MultipleLocator

    return MultipleLocator(next(step for step in (5, 15, 30, 60, 90, 360) if span / step <= 6))
