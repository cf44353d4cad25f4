"""The page of a turn of a crank: the slider is the crank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from poinsot.front.planar_figure import turn_panels
from poinsot.spatial import Array
from poinsot.viewer.made_scene import scene_of
from poinsot.viewer.page import Motion, PageAxis, page_html
from poinsot.viewer.scene import body_poses

if TYPE_CHECKING:
    from poinsot.front.system import System
    from poinsot.front.turn_states import TurnStates

__all__ = ["turn_page"]


def turn_page(turn: TurnStates, system: System, q: Array) -> str:
    """Return the page of a turn.

    Args:
        turn: The turn.
        system: The mechanism as a system.
        q: Its configurations at the positions of the turn, shape (n, nq).
    """
    axis = PageAxis.of_joint(turn.driver, "rad" if turn.is_angle else "m", float(np.ptp(turn.t)))
    x = axis.scale * turn.x
    rows = np.argsort(x)  # it may go backwards
    motion = Motion(turn.driver, x[rows], body_poses(system, q[rows]))
    panels = [panel.at(rows) for panel in turn_panels(turn, x) if panel.curves]
    points = [(axis.scale * point.coordinate, str(point)) for point in turn.points]
    return page_html(scene_of(system, q[rows]), [motion], panels, points, axis=axis)
