"""One HTML file that shows a motion: it needs no server, no network and no other file."""

from __future__ import annotations

import base64
import html
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Template
from typing import Any, Final

import numpy as np

from poinsot.plots.panels import Panel
from poinsot.plots.style import SERIES
from poinsot.spatial import Array
from poinsot.viewer.asset import asset
from poinsot.viewer.scene import SolidScene

__all__ = ["Arrow", "Impulse", "Motion", "PageAxis", "page_html", "panel_json", "scene_parts"]

_DIGITS: Final = 65535
"""Steps into which a mesh is divided along each axis."""

SHORTEST: Final = 3.0
"""So long at least a motion plays [s]; shorter ones are slowed down."""


@dataclass(frozen=True, eq=False)
class Motion:
    """Where the bodies of a scene are: times (n,) and poses (n, bodies, 7)."""

    name: str
    t: Array
    poses: Array

    def as_json(self) -> dict[str, Any]:
        """Return it as a page reads it."""
        return {"name": self.name, "times": floats(self.t), "poses": floats(self.poses)}


@dataclass(frozen=True, eq=False)
class Arrow:
    """A force [N] in world axes, shape (n, 3), at a point of a body [m], -1 being the world.

    Its ``kind``, "reactions" or "forces", is what the page's switch is called.
    """

    kind: str
    name: str
    body: int
    point: tuple[float, ...]
    values: Array

    def as_json(self) -> dict[str, Any]:
        """Return it as a page reads it."""
        told = {"kind": self.kind, "name": self.name, "body": self.body}
        return {**told, "point": list(self.point), "values": floats(self.values)}


@dataclass(frozen=True)
class Impulse:
    """An impulse [N s] in world axes on a body, at a point of it [m], at the time of an event."""

    t: float
    name: str
    body: int
    point: tuple[float, ...]
    value: tuple[float, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as a page reads it."""
        told = {"t": self.t, "name": self.name, "body": self.body}
        return {**told, "point": list(self.point), "value": list(self.value)}


@dataclass(frozen=True)
class PageAxis:
    """What the slider of a page moves: time, or the coordinate of a joint.

    Attributes:
        name: Of it.
        unit: Its unit.
        duration: Time that the motion takes [s]; None: the slider is time.
        scale: Of its unit, 180/π for degrees.
    """

    name: str = "t"
    unit: str = "s"
    duration: float | None = None
    scale: float = 1.0

    @classmethod
    def of_joint(cls, name: str, unit: str, duration: float) -> PageAxis:
        """Return that of a joint whose coordinate is in "rad" or "m"."""
        if unit == "rad":
            return cls(name, "°", duration, math.degrees(1.0))
        return cls(name, unit, duration)

    def as_json(self, t: Array) -> dict[str, Any]:
        """Return it as a page reads it; ``rate`` is how much passes in a second of playback."""
        length = float(t[-1] - t[0])
        seconds = self.seconds(t)
        rate = _rate(seconds) * (length / seconds if seconds > 0.0 else 1.0)
        return {"name": self.name, "unit": self.unit, "digits": _decimals(length), "rate": rate}

    def seconds(self, t: Array) -> float:
        """Return the time that the motion takes [s]."""
        return float(t[-1] - t[0]) if self.duration is None else self.duration


TIME: Final = PageAxis()


def page_html(
    scene: SolidScene, motions: Sequence[Motion], panels: Sequence[Panel] = (),
    events: Sequence[tuple[float, str]] = (), *, note: str = "", play: bool = True,
    live: Mapping[str, Any] | None = None, served: Mapping[str, Any] | None = None,
    arrows: Sequence[Arrow] = (), impulses: Sequence[Impulse] = (), axis: PageAxis = TIME,
) -> str:  # fmt: skip
    """Return the page.

    Args:
        scene: What is shown.
        motions: Where its bodies are; those after the first are shown as ghosts.
        panels: Curves over the same time.
        events: Times and names.
        note: A line under the title.
        play: Whether it plays by itself.
        live: Joints and parameters of a system that a server moves; None: it is no such page.
        served: Finer pictures and parameters of a motion that a server has; None: it has none.
        arrows: Forces at the times of the first motion.
        impulses: Those of impacts, shown for a moment.
        axis: What the slider moves: what the "times" of motions, panels and events are.
    """
    told = {
        **scene_json(scene, motions, axis),
        "panels": [panel_json(panel) for panel in panels],
        "arrows": [arrow.as_json() for arrow in arrows],
        "impulses": [impulse.as_json() for impulse in impulses],
        "events": [{"t": t, "name": name} for t, name in events],
        "play": play,
        "live": live,
        "served": served,
    }
    # In JSON "<" only occurs in strings; written so, no name can end the script element.
    text = json.dumps(told, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    scripts = ["solids.js", "viewer.js"]
    scripts += ["live.js"] if live is not None else []
    scripts += ["served.js"] if served is not None else []
    return Template(asset("page.html")).substitute(
        title=html.escape(scene.name),
        note=html.escape(note or _tempo(axis.seconds(motions[0].t))),
        scrub=html.escape("time" if axis.duration is None else axis.name),
        style=asset("viewer.css"),
        scene=text,
        three=asset("three.bundle.js"),
        viewer="".join(map(asset, scripts)),
    )


def scene_json(
    scene: SolidScene, motions: Sequence[Motion], axis: PageAxis = TIME
) -> dict[str, Any]:
    """Return a scene and its motions as the page reads them."""
    return {
        **scene_parts(scene),
        "meshes": [_mesh(*mesh) for mesh in scene.meshes],
        "size": scene.size,
        "up": scene.up,
        "normal": _normal(motions[0].poses),
        "gravity": scene.has_gravity,
        "palette": list(SERIES),
        "axis": axis.as_json(motions[0].t),
        "motions": [motion.as_json() for motion in motions],
    }


def scene_parts(scene: SolidScene) -> dict[str, Any]:
    """Return what a scene is made of, but for meshes, as the page reads it."""
    return {
        "bodies": [body.as_json() for body in scene.bodies],
        "ground": [solid.as_json() for solid in scene.ground],
        "struts": [strut.as_json() for strut in scene.struts],
        "axes": [line.as_json() for line in scene.axes],
    }


def panel_json(panel: Panel) -> dict[str, Any]:
    """Return curves as the page reads them."""
    curves = [
        {"label": curve.label, "values": floats(curve.values), "dashed": curve.dashed}
        for curve in panel.curves
    ]
    return {
        "title": panel.title, "unit": panel.unit, "log": panel.log, "t": floats(panel.t),
        "curves": curves,
    }  # fmt: skip


def floats(values: Array) -> str:
    """Return numbers as base64 text of little-endian 32-bit floats."""
    return _text(np.asarray(values, dtype="<f4"))


def _text(values: Array) -> str:
    return base64.b64encode(np.ascontiguousarray(values).tobytes()).decode("ascii")


def _mesh(vertices: Array, triangles: Array) -> dict[str, Any]:
    """Return a mesh, its vertices as steps of 1/65535 of its size along each axis."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    step = np.maximum(high - low, 1e-12) / _DIGITS
    return {
        "low": low.tolist(),
        "step": step.tolist(),
        "vertices": _text(np.round((vertices - low) / step).astype("<u2")),
        "triangles": _text(triangles.astype("<u4")),
    }


def _normal(poses: Array) -> int | None:
    """Return the axis (0, 1, 2) across which nothing moves, or None where all moves in space."""
    if not poses.size:
        return None
    places = poses[..., :3].reshape(-1, 3)
    extent = np.ptp(places, axis=0)
    thin = [k for k in range(3) if extent[k] <= 1e-6 * max(float(extent.max()), 1e-12)]
    for k in (1, 0, 2):
        others = [c for c in range(3) if c != k]
        turns = np.abs(poses[..., 3:6])[..., others]
        if k in thin and float(turns.max(initial=0.0)) < 1e-6:
            return k
    return None


def _tempo(seconds: float) -> str:
    rate = _rate(seconds)
    return "" if rate == 1.0 else f"slowed down {1.0 / rate:.3g} times"


def _rate(length: float) -> float:
    """Return seconds of motion per second of playback: 1, unless it would be over in no time."""
    return 1.0 if length >= SHORTEST or length <= 0.0 else length / SHORTEST


def _decimals(length: float) -> int:
    return min(max(2, 2 - math.floor(math.log10(length))), 9) if length > 0.0 else 2
