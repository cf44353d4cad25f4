"""An animation of a run: the stick figure of the system in motion."""

import math
from pathlib import Path

import numpy as np

from poinsot.plots.animation_file import FILMS, write_film
from poinsot.plots.camera import choose_view
from poinsot.plots.moving_picture import Scene
from poinsot.plots.picture_file import PlotError, checked_target
from poinsot.plots.prepared_motion import Show
from poinsot.plots.run_like import RunLike, SystemLike
from poinsot.plots.skeleton import Skeleton, skeleton
from poinsot.plots.still_background import make_stage
from poinsot.plots.style import RC
from poinsot.spatial import Array

__all__ = ["animate_run"]

MAX_FRAMES = 1500
"""One minute of animation: longer files are too large."""

MAX_FPS = 50.0
"""Browsers slow down a GIF that asks for more."""

_FAR = 6.0
"""Travel, in sizes of the system, above which the camera follows it."""


def animate_run(
    run: RunLike, path: str | Path, *, fps: float = 25.0, seconds: float | None = None
) -> Path:
    """Draw the system in motion; return the file written.

    Bodies are lines between joints, or boxes where lines would not show them. A motion in a plane
    is seen face-on, any other one from aside and above; up is against gravity. A system that flies
    away is followed.

    Args:
        run: The motion.
        path: File to write: .gif, .apng, .png (animated too) or .webp. Missing folders are made.
        fps: Frames per second, at most 50.
        seconds: How long the animation takes [s]; as long as the motion by default.

    Raises:
        PlotError: If the suffix is unknown, or the animation would be too long.
    """
    target = checked_target(path, FILMS, "animation")
    t = _times(run, fps, seconds)
    q = np.array([run.at(float(time))[0] for time in t])
    finite = np.isfinite(q).all(axis=1)
    if not finite.any():
        raise PlotError(f"animation of {run.system.name!r}: no state is finite; nothing to draw")
    from matplotlib import style

    with style.context(["default", dict(RC)]):
        show = _prepare(run.system, t[finite], q[finite], _note(run, seconds))
        points = show.figure.points()
        shape = np.concatenate([show.figure.origins, show.figure.tips], axis=1)
        view = choose_view(points, shape, run.system.gravity)
        floor = not view.planar and not show.follows and any(run.system.gravity)
        scene = Scene(show, make_stage(view, points, floor=floor))
        write_film(scene.pictures, len(show.captions), target, fps=fps)
    return target


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


def _prepare(system: SystemLike, t: Array, q: Array, note: str) -> Show:
    figure = skeleton(system, q)
    centre = _flight(system, figure)
    if centre.any():
        note = ", ".join(filter(None, [note, "the view moves along"]))
    length = max(abs(t[-1] - t[0]), 1e-6)
    digits = max(2, 2 - math.floor(math.log10(length)))
    captions = [f"t = {time:.{digits}f} s" for time in t]
    return Show(system, figure.moved(-centre), centre, captions, note)


def _flight(system: SystemLike, figure: Skeleton) -> Array:
    """Return the travel of the centre [m], shape (n, 3); zero if the system stays near."""
    middle = figure.coms.mean(axis=1)
    roots = system.mechanism.roots
    free = all(system.bodies[i].joint.nv == 6 for i in roots)
    size = np.linalg.norm(figure.points() - middle[:, None], axis=-1).max()
    travel = middle - middle[0]
    far = np.linalg.norm(travel, axis=-1).max() > _FAR * size
    return travel if free and far else np.zeros_like(travel)
