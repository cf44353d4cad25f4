"""The page of a system at rest."""

from __future__ import annotations

import numpy as np

from poinsot.front.drawable_system import pictured
from poinsot.front.system import System
from poinsot.viewer.made_scene import scene_of
from poinsot.viewer.page import Motion, page_html
from poinsot.viewer.scene import body_poses

__all__ = ["system_page"]


def system_page(system: System) -> str | None:
    """Return the page of a system at rest, in a configuration that shows how it moves.

    None if its parameters have no numbers that make sense.
    """
    shown = pictured(system)
    if shown is None:
        return None
    numeric, q = shown
    motion = Motion(system.name, np.zeros(1), body_poses(numeric, q[None]))
    return page_html(scene_of(numeric, q[None]), [motion], play=False)
