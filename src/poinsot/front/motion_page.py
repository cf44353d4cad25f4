"""Pages for browsers of motions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poinsot.front.driven_states import DrivenStates
from poinsot.front.motion_arrows import applied_forces, impulses, reactions
from poinsot.front.single_motion import AbstractSingleMotion
from poinsot.plots.panels import Panel
from poinsot.plots.picture_file import PlotError
from poinsot.spatial import Array
from poinsot.viewer.made_scene import scene_of
from poinsot.viewer.page import SHORTEST, Motion, PageAxis, page_html
from poinsot.viewer.scene import body_poses

if TYPE_CHECKING:
    from poinsot.front.run_plot import What

__all__ = [
    "FPS",
    "MOST",
    "TURN",
    "fastest_turn",
    "motion_page",
    "pictures",
    "save_page",
    "thinned",
    "write_page",
]

FPS: Final = 40.0
"""Stored pictures per second of playback at least; a page interpolates between them."""

MOST: Final = 4000
"""Stored pictures of a motion, however long it is."""

TURN: Final = 0.6
"""Angle that a body may turn from picture to picture [rad], unless there would be too many."""

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
    if not isinstance(path, str | Path):
        raise PlotError(f"a page is a file .html, got {path!r}")
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm"):
        films = "; films are made by animate(...)" if target.suffix.lower() in FILMS else ""
        raise PlotError(f"a page is a file .html, got {str(path)!r}{films}")
    from poinsot.io.atomic_write import write_whole

    write_whole(target, page())
    return target


FILMS: Final = (".gif", ".mp4", ".webp", ".apng", ".png")


def motion_page(
    run: AbstractSingleMotion,
    what: What | None = None,
    ghosts: AbstractSingleMotion | Sequence[AbstractSingleMotion] = (),
    *,
    panels: Sequence[Panel] | None = None,
    most: int = MOST,
    served: dict[str, Any] | None = None,
) -> str:
    """Return the page of a motion as text; see ``Run.save_html``.

    Args:
        run: The motion.
        what: Curves beside the scene.
        ghosts: Further motions.
        panels: The curves themselves, in place of ``what``.
        most: Pictures at most.
        served: What a server has besides.
    """
    from poinsot.front.run_plot import panels_of

    others = _checked_ghosts(run, ghosts)
    numeric = run.numeric()
    t, q, v = pictures(numeric, most)
    scene = scene_of(numeric.system, q)
    motions = [Motion(run.system.name, t, body_poses(numeric.system, q))]
    for ghost in (other.numeric() for other in others):
        times, states, _ = pictures(ghost, most)
        motions.append(Motion(ghost.system.name, times, body_poses(ghost.system, states)))
    curves = [thinned(panel) for panel in (panels or panels_of(numeric, what))]
    events = [(event.t, event.name) for event in run.events]
    arrows = [*reactions(numeric, t, q, v), *applied_forces(numeric, t, q, v)]
    crank = None if others else _crank(numeric)
    if crank is None:
        return page_html(
            scene, motions, curves, events, arrows=arrows, impulses=impulses(numeric), served=served
        )
    axis, x = crank
    turned = [Motion(run.system.name, np.interp(t, run.t, x), motions[0].poses)]
    curves = [replace(panel, t=np.interp(panel.t, run.t, x)) for panel in curves]
    return page_html(scene, turned, curves, arrows=arrows, axis=axis)


def _checked_ghosts(
    run: AbstractSingleMotion, ghosts: AbstractSingleMotion | Sequence[AbstractSingleMotion]
) -> list[AbstractSingleMotion]:
    """Return the ghosts, which must be motions of the same bodies."""
    listed: list[Any] = [ghosts] if isinstance(ghosts, AbstractSingleMotion) else []
    if not listed:
        try:
            listed = list(ghosts)  # type: ignore[arg-type]
        except TypeError:
            listed = [ghosts]
    for ghost in listed:
        if not isinstance(ghost, AbstractSingleMotion):
            raise PlotError(
                f"ghosts must be runs or studies of {run.system.name!r}, e.g. "
                f"ghosts=[other_run], got {type(ghost).__name__}"
            )
        if ghost.system.body_names != run.system.body_names:
            raise PlotError(
                f"ghosts must have the bodies of {run.system.name!r}, got {ghost.system.name!r}"
            )
    return listed


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


def pictures(run: AbstractSingleMotion, most: int = MOST) -> tuple[Array, Array, Array]:
    """Return times and states of pictures, those that are finite.

    ``FPS`` for each second of playback, more where bodies turn fast, ``most`` at most: of longer
    motions the pictures are further apart.

    Args:
        run: The motion, of a system with numbers.
        most: How many at most.
    """
    start, end = float(run.t[0]), float(run.t[-1])
    n = int(np.clip(round(max(abs(end - start), SHORTEST) * FPS) + 1, 2, most))
    if start == end:
        t, q, v = run.t[:1], run.q[:1], run.v[:1]
    elif run.stored_only:
        rows = np.unique(np.linspace(0, run.t.size - 1, min(run.t.size, most)).astype(int))
        t, q, v = run.t[rows], run.q[rows], run.v[rows]
    else:
        t = np.linspace(start, end, n)
        speed = fastest_turn(run)
        if speed * (end - start) / n > TURN:
            t = np.linspace(start, end, int(min(most, speed * (end - start) / TURN)))
        q, v = run.at(t)
    finite = np.isfinite(q).all(axis=1)
    if not finite.any():
        raise PlotError(f"page of {run.system.name!r}: no state is finite; nothing to show")
    return t[finite], q[finite], v[finite]


def fastest_turn(run: AbstractSingleMotion) -> float:
    """Return the largest rate of a rotating joint among the stored states [rad/s]."""
    turning = [k for k, unit in enumerate(run.system.velocity_units) if unit == "rad/s"]
    speeds = np.abs(run.v[:, turning])
    return float(np.nanmax(speeds, initial=0.0))


def thinned(panel: Panel) -> Panel:
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
