"""A motion in the browser with a server behind it: finer pictures of long runs, other parameters.

The page has an overview of the motion; of the seconds that are looked at it asks for pictures, so
that a run of any length is shown without ever being sent as a whole.  Free parameters have sliders:
the run is simulated again from its start, and scene and curves follow.
"""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

import numpy as np

from poinsot.front.motion_page import (
    FPS,
    MOST,
    TURN,
    fastest_turn,
    motion_page,
    pictures,
    thinned,
)
from poinsot.front.parameter_numbers import with_numbers
from poinsot.front.run_plot import panels_of
from poinsot.front.single_motion import AbstractSingleMotion
from poinsot.model import Mesh
from poinsot.spatial import Array
from poinsot.viewer.made_scene import scene_of
from poinsot.viewer.page import Motion, panel_json, scene_parts
from poinsot.viewer.scene import body_poses, packed_poses
from poinsot.viewer.server import Viewer

if TYPE_CHECKING:
    from poinsot.front.run_plot import What
    from poinsot.front.system import System

__all__ = ["changed_scene", "parameter_sliders", "view_motion"]


@runtime_checkable
class Repeatable(Protocol):
    """What can be simulated again: a ``Run``."""

    def repeat(self, *, parameters: Mapping[str, float] | None = None) -> Any:  # noqa: ANN401
        """Return the run with other parameters."""


OVERVIEW: Final = 1000
"""Pictures of a motion that the page has from the start."""

CHUNK: Final = 400
"""Pictures that the server hands out at once, where nothing turns fast."""


def view_motion(
    run: AbstractSingleMotion,
    what: What | None,
    ghosts: AbstractSingleMotion | Sequence[AbstractSingleMotion],
    host: str,
    port: int,
) -> Viewer:
    """Serve the page of a motion; see ``Run.view``."""
    served = ServedMotion(run, what)
    page = motion_page(run, what, ghosts, most=OVERVIEW, served=served.as_json())
    return Viewer(page, {"pictures": served.pictures, "parameters": served.repeat}, host, port)


def parameter_sliders(system: System) -> list[dict[str, Any]]:
    """Return name, value and range of a slider for each free parameter."""
    sliders = []
    for name in system.free:
        if name in system.signals:
            continue
        value = system.parameters.get(name)
        number = 1.0 if value is None or not isinstance(value, float | int) else float(value)
        reach = abs(number) or 1.0
        low = min(0.05 * number, number - 0.95 * reach)
        sliders.append({"name": name, "value": number, "low": low, "high": number + 2.0 * reach})
    return sliders


def changed_scene(system: System, q: Array, values: Mapping[str, float]) -> dict[str, Any]:
    """Return made shapes with other parameters, as the entry ``scene``; of files none changes.

    Args:
        system: The system.
        q: The configurations that are shown, shape (n, nq).
        values: The free parameters, by name.
    """
    if any(isinstance(shape, Mesh) for body in system.bodies for shape in body.shapes):
        return {}
    scene = scene_of(with_numbers(system, "view", values), q)
    return {"scene": scene_parts(scene)}


class ServedMotion:
    """A motion of which a page asks for more; requests come one at a time."""

    def __init__(self, run: AbstractSingleMotion, what: What | None) -> None:
        self._run, self._shown, self._what = run, run, what
        self._lock = threading.Lock()
        self._chunk = CHUNK / FPS

    def as_json(self) -> dict[str, Any]:
        """Return what the page knows of it: length and number of its chunks, and parameters."""
        length = float(self._run.t[-1] - self._run.t[0])
        is_long = length * FPS > OVERVIEW or self._run.t.size > OVERVIEW
        count = math.ceil(length / self._chunk) if is_long and length > 0.0 else 0
        sliders = parameter_sliders(self._run.system) if isinstance(self._run, Repeatable) else []
        own = self._run.parameters
        for slider in sliders:
            slider["value"] = own.get(slider["name"], slider["value"])
        return {"chunk": self._chunk, "count": count, "parameters": sliders}

    def pictures(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return times and poses of one chunk of the motion, by its ``number``."""
        with self._lock:
            run, number = self._shown, int(given["number"])
            start = float(run.t[0]) + number * self._chunk
            end = min(start + self._chunk, float(run.t[-1]))
            if number < 0 or start > end:
                raise ValueError(f"the motion has no chunk {number}")
            if run.stored_only:
                first, last = np.searchsorted(run.t, [start, end]).tolist()
                last = max(min(last, run.t.size - 1), first)
                rows = np.unique(np.linspace(first, last, self._pictures(run) + 1).astype(int))
                t, q = run.t[rows], run.q[rows]
            else:
                t = np.linspace(start, end, self._pictures(run) + 1)
                q = run.at(t)[0]
            return Motion("", t, self._poses(run, q)).as_json()

    def repeat(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return motion and curves with other values of the free ``parameters``."""
        assert isinstance(self._run, Repeatable)
        values = {str(name): float(value) for name, value in dict(given["parameters"]).items()}
        with self._lock, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run = self._run.repeat(parameters=values)
            t, q, _ = pictures(run, OVERVIEW)
            self._shown = run
            motion = Motion("", t, self._poses(run, q)).as_json()
            panels = [panel_json(thinned(panel)) for panel in panels_of(run, self._what)]
            events = [{"t": event.t, "name": event.name} for event in run.events]
            note = "" if run.status.ok else run.status.message
            told = {"motion": motion, "panels": panels, "events": events, "note": note}
            return {**told, **changed_scene(run.system, q, run.parameters)}

    def _pictures(self, run: AbstractSingleMotion) -> int:
        """Return how many pictures a chunk has: more where bodies turn fast."""
        return int(np.clip(fastest_turn(run) * self._chunk / TURN, CHUNK, MOST))

    @staticmethod
    def _poses(run: AbstractSingleMotion, q: Array) -> Array:
        """Return the poses of all bodies, shape (n, bodies, 7), without folding parameters in."""
        if not run.parameters:
            return body_poses(run.system, q)
        values: dict[str, Any] = {"parameters": run.parameters}
        poses = [run.system.pose(name, q, **values) for name in run.system.body_names]
        return packed_poses(np.stack(poses, axis=1))
