"""Pages for browsers of motions and systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.front.driven_states import DrivenStates
from poinsot.front.single_motion import AbstractSingleMotion
from poinsot.model import WORLD
from poinsot.plots.panels import Panel
from poinsot.plots.picture_file import PlotError
from poinsot.spatial import Array
from poinsot.viewer.made_scene import scene_of
from poinsot.viewer.page import Arrow, Motion, PageAxis, page_html
from poinsot.viewer.scene import body_poses

if TYPE_CHECKING:
    from poinsot.front.run_plot import What

__all__ = ["motion_page", "save_page", "write_page"]

FPS: Final = 40.0
"""Stored pictures a second; a page interpolates between them."""

MOST: Final = 4000
"""Stored pictures of a motion, however long it is."""

MOST_VELOCITIES: Final = 60
"""Of systems whose reactions are shown as arrows."""

POINTS: Final = 1500
"""Of each curve, about."""

MOST_EXACT: Final = 8
"""Curves of a panel; with more of them more points are kept."""


def save_page(
    run: AbstractSingleMotion,
    path: str | Path,
    what: What | None,
    ghosts: AbstractSingleMotion | Sequence[AbstractSingleMotion],
) -> Path:
    """Write the page of a motion; see ``Run.save_html``."""
    return write_page(path, lambda: motion_page(run, what, ghosts))


def write_page(path: str | Path, page: Callable[[], str]) -> Path:
    """Write what a function makes to a file .html, once it is known to be one."""
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm"):
        raise PlotError(f"a page is a file .html, got {str(path)!r}")
    from poinsot.io.atomic_write import write_whole

    write_whole(target, page())
    return target


def motion_page(
    run: AbstractSingleMotion,
    what: What | None = None,
    ghosts: AbstractSingleMotion | Sequence[AbstractSingleMotion] = (),
) -> str:
    """Return the page of a motion as text; see ``Run.save_html``."""
    from poinsot.front.run_plot import panels_of

    numeric = run.numeric()
    t, q = _pictures(numeric)
    scene = scene_of(numeric.system, q)
    motions = [Motion(run.system.name, t, body_poses(numeric.system, q))]
    for ghost in [ghosts] if isinstance(ghosts, AbstractSingleMotion) else ghosts:
        if ghost.system.body_names != run.system.body_names:
            raise PlotError(
                f"ghosts must have the bodies of {run.system.name!r}, got {ghost.system.name!r}"
            )
        times, states = _pictures(ghost.numeric())
        motions.append(Motion(ghost.system.name, times, body_poses(ghost.numeric().system, states)))
    panels = [_thinned(panel) for panel in panels_of(numeric, what)]
    events = [(event.t, event.name) for event in run.events]
    arrows = _reactions(numeric, t)
    crank = None if ghosts else _crank(numeric)
    if crank is None:
        return page_html(scene, motions, panels, events, arrows=arrows)
    axis, x = crank
    turned = [Motion(run.system.name, np.interp(t, run.t, x), motions[0].poses)]
    panels = [replace(panel, t=np.interp(panel.t, run.t, x)) for panel in panels]
    return page_html(scene, turned, panels, arrows=arrows, axis=axis)


def _crank(run: AbstractSingleMotion) -> tuple[PageAxis, Array] | None:
    """Return the axis and coordinates, in its unit, of the only drive, if it goes one way."""
    if not isinstance(run, DrivenStates) or len(run.drives) != 1:
        return None
    (joint,), system = run.drives, run.system
    if joint not in system.joint_names:
        return None  # it closes a loop
    place = system.q_slice(joint)
    x = run.q[:, place.start]
    if place.stop - place.start != 1 or not (np.diff(x) > 0.0).all() or x.size < 2:
        return None
    unit = system.coordinate_units[place.start]
    axis = PageAxis.of_joint(joint, unit, float(run.t[-1] - run.t[0]))
    return axis, axis.scale * x


def _reactions(run: AbstractSingleMotion, t: Array) -> list[Arrow]:
    """Return the forces in joints and loops at the times of pictures; none if not determined."""
    mechanism = run.system.mechanism
    if mechanism.nv > MOST_VELOCITIES:
        return []
    try:
        wrenches = run.reactions(axes="world")
    except PoinsotError:
        return []
    places: dict[str, tuple[int, tuple[float, ...]]] = {
        name: (i, (0.0, 0.0, 0.0)) for i, name in enumerate(run.system.joint_names)
    }
    for loop in mechanism.loops:
        body, pose = loop.second
        number = -1 if body == WORLD else mechanism.index(body)
        places[loop.name] = number, tuple(map(float, pose.xyz))
    forces = [(name, wrenches[name][:, :3]) for name in places if name in wrenches]
    return [
        Arrow(name, *places[name], np.column_stack([np.interp(t, run.t, force) for force in f.T]))
        for name, f in forces
        if f.any()
    ]


def _pictures(run: AbstractSingleMotion) -> tuple[Array, Array]:
    """Return times and configurations of pictures, those that are finite."""
    start, end = float(run.t[0]), float(run.t[-1])
    n = int(np.clip(round(abs(end - start) * FPS) + 1, 2, MOST))
    if run.stored_only and run.t.size <= MOST:
        t, q = run.t, run.q
    elif start == end:
        t, q = run.t[:1], run.q[:1]
    else:
        t = np.linspace(start, end, n)
        q = run.at(t)[0]
    finite = np.isfinite(q).all(axis=1)
    if not finite.any():
        raise PlotError(f"page of {run.system.name!r}: no state is finite; nothing to show")
    return t[finite], q[finite]


def _thinned(panel: Panel) -> Panel:
    """Return a panel of fewer points, the largest and smallest of each curve kept."""
    n = panel.t.size
    if n <= POINTS:
        return panel
    edges = np.linspace(0, n, POINTS // (2 * min(len(panel.curves), MOST_EXACT)) + 1).astype(int)
    values = [np.nan_to_num(curve.values) for curve in panel.curves]
    kept = sorted(
        {
            int(a + place)
            for a, b in pairwise(edges.tolist())
            for curve in values
            for place in (np.argmin(curve[a:b]), np.argmax(curve[a:b]))
        }
        | {0, n - 1}
    )
    return panel.at(kept)
