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

__all__ = ["Film", "Look", "Trace", "animate_runs", "draw_runs"]

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


def animate_runs(
    runs: Sequence[RunLike], path: str | Path | None = None, *, fps: float = 25.0,
    seconds: float | None = None, trace: Trace | list[Trace] | None = None,
    view: View | None = None,
) -> Animation:  # fmt: skip
    """Draw a system in motion, or several motions of it in one picture.

    Bodies are lines between joints, or boxes where lines would not show them. A motion in a plane
    is seen face-on, any other one from aside and above; up is against gravity. A system that flies
    away is followed.

    Args:
        runs: The motions, at least one; one that ends before the first one stays where it ended.
        path: File to write: .gif, .apng, .png (animated too), .webp or, with FFmpeg, .mp4. Missing
            folders are made. None: show it, as a GIF.
        fps: Frames per second, at most 50.
        seconds: How long the animation takes [s]; as long as the motion by default.
        trace: Points whose paths to draw: a body, a body and a point of it [m], or a list of such;
            by default the tip that moves most.
        view: The axes that point right and up, e.g. "xz", or the direction to the eye.

    Raises:
        PlotError: If the suffix is unknown, or the animation would be too long.
    """
    target = None if path is None else checked_target(path, FILMS, "animation")
    t = _times(runs[0], fps, seconds)
    from matplotlib import style

    with style.context(["default", dict(RC)]):
        shows, stage = _staged(runs, t, trace, view, _note(runs[0], seconds))
        suffix = ".gif" if target is None else target.suffix.lower()
        data = film_bytes(Scene(shows, stage).pictures, len(shows[0].captions), suffix, fps=fps)
    film = Animation(data, suffix, target)
    if target is None:
        show_film(film, data, suffix)
    else:
        target.write_bytes(data)
    return film


def draw_runs(
    runs: Sequence[RunLike], path: str | Path | None = None, t: ArrayLike | None = None, *,
    trace: Trace | list[Trace] | None = None, view: View | None = None,
) -> "Figure":  # fmt: skip
    """Draw a system at some times, all but the last one pale; return the figure.

    Args:
        runs: The motions, at least one.
        path: File to write: .png, .svg or .pdf. None: show it.
        t: Time or times [s]; the last one of the first run by default.
        trace: Points whose whole paths to draw; see ``animate_runs``.
        view: See ``animate_runs``.
    """
    target = None if path is None else checked_target(path, FIGURES, "figure")
    first = runs[0].t
    shown = np.atleast_1d(np.asarray(first[-1] if t is None else t, dtype=float)).ravel()
    whole = np.linspace(first[0], first[-1], _STILL)
    from matplotlib import style

    with style.context(["default", dict(RC)]):
        times = np.union1d(whole, shown)
        shows, stage = _staged(runs, times, trace, view, "")
        figure = still_picture(shows, stage, np.searchsorted(times, shown).tolist())
        put_out(figure, target)
    return figure


def _staged(
    runs: Sequence[RunLike], t: Array, trace: Trace | list[Trace] | None, view: View | None,
    note: str,
) -> tuple[list[Show], Stage]:  # fmt: skip
    """Return motions prepared for the eye at these times, and a picture with room for them."""
    shows = []
    for run in runs:
        times, q = _states(run, t, keep_all=len(runs) > 1)
        chosen = _chosen(run.system, trace)
        shows.append(_prepare(run.system, times, q, note, chosen, follow=len(runs) == 1))
    points = np.concatenate([show.figure.points() for show in shows], axis=1)
    ends = [x for show in shows for x in (show.figure.origins, show.figure.tips)]
    gravity = runs[0].system.gravity
    camera = (
        given_view(view, gravity)
        if view is not None
        else (choose_view(points, np.concatenate(ends, axis=1), gravity))
    )
    floor = not camera.planar and not shows[0].follows and any(gravity)
    traced = [show.traced - show.centre[:, None] for show in shows]
    return shows, make_stage(camera, np.concatenate([points, *traced], axis=1), floor=floor)


def _states(run: RunLike, t: Array, *, keep_all: bool) -> tuple[Array, Array]:
    """Return times and configurations that are finite, shapes (n,) and (n, nq).

    Where all times are kept, a motion that has ended stays where it was.
    """
    last = float(run.t[-1])
    q = np.array([run.at(min(float(time), last) if keep_all else float(time))[0] for time in t])
    finite = np.isfinite(q).all(axis=1)
    if not finite.any():
        raise PlotError(f"picture of {run.system.name!r}: no state is finite; nothing to draw")
    if not keep_all:
        return t[finite], q[finite]
    known = np.maximum.accumulate(np.where(finite, np.arange(len(t)), 0))
    return t, q[known]


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
    system: SystemLike, t: Array, q: Array, note: str, chosen: Sequence[tuple[str, Array]], *,
    follow: bool,
) -> Show:  # fmt: skip
    figure = skeleton(system, q)
    centre = _flight(system, figure) if follow else np.zeros((len(q), 3))
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
