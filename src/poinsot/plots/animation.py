"""Pictures of a run: the stick figure of the system in motion, or at some times."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from poinsot.model import suggestion
from poinsot.plots.animation_file import FILMS, Animation, film_bytes
from poinsot.plots.camera import View, choose_view, given_view
from poinsot.plots.figure import FIGURES, put_out
from poinsot.plots.moving_picture import Scene, still_picture
from poinsot.plots.picture_file import PlotError, checked_target
from poinsot.plots.prepared_motion import Show
from poinsot.plots.run_like import RunLike, SystemLike
from poinsot.plots.shown import show_film
from poinsot.plots.skeleton import Skeleton, skeleton
from poinsot.plots.still_background import Stage, make_stage
from poinsot.plots.style import RC
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Film", "Look", "Trace", "animate_run", "draw_run"]

MAX_FRAMES = 1500
"""One minute of animation: longer files are too large."""

MAX_FPS = 50.0
"""Browsers slow down a GIF that asks for more."""

_STILL = 400
"""States from which the paths in a still picture are drawn."""

_FAR = 6.0
"""Travel, in sizes of the system, above which the camera follows it."""


class Look(TypedDict, total=False):
    """Which points to trace, and from where to look."""

    trace: "Trace | list[Trace] | None"
    view: View | None


class Film(Look, total=False):
    """The same, with pictures a second, and how long they play [s]."""

    fps: float
    seconds: float | None


Trace: TypeAlias = str | tuple[str, Sequence[float]]
"""A body, or a body and a point of it [m] in its coordinates."""


def animate_run(
    run: RunLike, path: str | Path | None = None, *, fps: float = 25.0,
    seconds: float | None = None, trace: Trace | list[Trace] | None = None,
    view: View | None = None,
) -> Animation:  # fmt: skip
    """Draw the system in motion.

    Bodies are lines between joints, or boxes where lines would not show them. A motion in a plane
    is seen face-on, any other one from aside and above; up is against gravity. A system that flies
    away is followed.

    Args:
        run: The motion.
        path: File to write: .gif, .apng, .png (animated too) or .webp. Missing folders are made.
            None: show it, as a GIF.
        fps: Frames per second, at most 50.
        seconds: How long the animation takes [s]; as long as the motion by default.
        trace: Points whose paths to draw: a body, a body and a point of it [m], or a list of such;
            by default the tip that moves most.
        view: The axes that point right and up, e.g. "xz", or the direction to the eye.

    Raises:
        PlotError: If the suffix is unknown, or the animation would be too long.
    """
    target = None if path is None else checked_target(path, FILMS, "animation")
    t = _times(run, fps, seconds)
    from matplotlib import style

    with style.context(["default", dict(RC)]):
        show, stage = _staged(run, t, trace, view, _note(run, seconds))
        suffix = ".gif" if target is None else target.suffix.lower()
        data = film_bytes(Scene(show, stage).pictures, len(show.captions), suffix, fps=fps)
    film = Animation(data, suffix, target)
    if target is None:
        show_film(film, data, suffix)
    else:
        target.write_bytes(data)
    return film


def draw_run(
    run: RunLike, path: str | Path | None = None, t: ArrayLike | None = None, *,
    trace: Trace | list[Trace] | None = None, view: View | None = None,
) -> "Figure":  # fmt: skip
    """Draw the system at some times, all but the last one pale; return the figure.

    Args:
        run: The motion.
        path: File to write: .png, .svg or .pdf. None: show it.
        t: Time or times [s]; the last one of the run by default.
        trace: Points whose whole paths to draw; see ``animate_run``.
        view: See ``animate_run``.
    """
    target = None if path is None else checked_target(path, FIGURES, "figure")
    shown = np.atleast_1d(np.asarray(run.t[-1] if t is None else t, dtype=float)).ravel()
    whole = np.linspace(run.t[0], run.t[-1], _STILL)
    from matplotlib import style

    with style.context(["default", dict(RC)]):
        times = np.union1d(whole, shown)
        show, stage = _staged(run, times, trace, view, "")
        figure = still_picture(show, stage, np.searchsorted(times, shown).tolist())
        put_out(figure, target)
    return figure


def _staged(
    run: RunLike, t: Array, trace: Trace | list[Trace] | None, view: View | None, note: str
) -> tuple[Show, Stage]:
    """Return the motion prepared for the eye at these times, and a picture with room for it."""
    q = np.array([run.at(float(time))[0] for time in t])
    finite = np.isfinite(q).all(axis=1)
    if not finite.any():
        raise PlotError(f"picture of {run.system.name!r}: no state is finite; nothing to draw")
    show = _prepare(run.system, t[finite], q[finite], note, _chosen(run.system, trace))
    points = show.figure.points()
    shape = np.concatenate([show.figure.origins, show.figure.tips], axis=1)
    gravity = run.system.gravity
    camera = choose_view(points, shape, gravity) if view is None else given_view(view, gravity)
    floor = not camera.planar and not show.follows and any(gravity)
    seen = np.concatenate([points, show.traced - show.centre[:, None]], axis=1)
    return show, make_stage(camera, seen, floor=floor)


def _chosen(system: SystemLike, trace: Trace | list[Trace] | None) -> list[tuple[str, Array]]:
    """Return bodies and points of them [m], body coordinates."""
    chosen = []
    listed = trace if isinstance(trace, list) else [] if trace is None else [trace]
    for item in listed:
        body, point = (item, (0.0, 0.0, 0.0)) if isinstance(item, str) else item
        if body not in system.body_names or np.shape(point) != (3,):
            hint = suggestion(str(body), system.body_names)
            raise PlotError(
                f"trace must be a body, or a body and a point of it, e.g. ('coupler', (0.1, 0, 0)),"
                f" got {item!r}; {hint}"
            )
        chosen.append((body, np.array(point, dtype=float)))
    return chosen


def _times(run: RunLike, fps: float, seconds: float | None) -> Array:
    """Return the times of the pictures."""
    where = f"animation of {run.system.name!r}"
    if not 0.0 < fps <= MAX_FPS:
        raise PlotError(f"{where}: fps must be above 0 and at most {MAX_FPS:g}, got {fps!r}")
    start, end = float(run.t[0]), float(run.t[-1])
    length = abs(end - start) if seconds is None else seconds
    if not (np.isfinite(length) and length >= 0.0):
        raise PlotError(f"{where}: seconds must be a finite time, not negative, got {length!r}")
    n = round(length * fps) + 1
    if n > MAX_FRAMES:
        raise PlotError(
            f"{where}: {length:g} s at {fps:g} pictures a second are {n} pictures, more than "
            f"{MAX_FRAMES}; let it play faster with seconds={MAX_FRAMES / fps / 2:g}, or lower fps"
        )
    if start == end:
        return np.array([start])
    return np.linspace(start, end, max(n, 2))


def _note(run: RunLike, seconds: float | None) -> str:
    length = abs(float(run.t[-1] - run.t[0]))
    if not seconds or length == 0.0 or abs(seconds / length - 1.0) < 0.02:
        return ""
    return f"{length / seconds:.3g} times real time"


def _prepare(
    system: SystemLike, t: Array, q: Array, note: str, chosen: Sequence[tuple[str, Array]]
) -> Show:
    figure = skeleton(system, q)
    centre = _flight(system, figure)
    if centre.any():
        note = ", ".join(filter(None, [note, "the view moves along"]))
    length = max(abs(t[-1] - t[0]), 1e-6)
    digits = max(2, 2 - math.floor(math.log10(length)))
    captions = [f"t = {time:.{digits}f} s" for time in t]
    traced = np.empty((len(q), len(chosen), 3))
    for k, (body, point) in enumerate(chosen):
        pose = system.pose(body, q)
        traced[:, k] = pose[:, :3, :3] @ point + pose[:, :3, 3]
    bodies = np.array([system.mechanism.index(body) for body, _ in chosen], dtype=int)
    return Show(system, figure.moved(-centre), centre, captions, note, traced, bodies)


def _flight(system: SystemLike, figure: Skeleton) -> Array:
    """Return the travel of the centre [m], shape (n, 3); zero if the system stays near."""
    middle = figure.coms.mean(axis=1)
    roots = system.mechanism.roots
    free = all(system.bodies[i].joint.nv == 6 for i in roots)
    size = np.linalg.norm(figure.points() - middle[:, None], axis=-1).max()
    travel = middle - middle[0]
    far = np.linalg.norm(travel, axis=-1).max() > _FAR * size
    return travel if free and far else np.zeros_like(travel)
