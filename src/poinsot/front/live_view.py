"""A system in the browser: sliders that move it, simulation that can be pulled."""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import PoinsotError
from poinsot.front.drawable_system import pictured
from poinsot.front.run_view import changed_scene, parameter_sliders
from poinsot.front.simulate import simulate
from poinsot.front.system import System
from poinsot.plots.picture_file import PlotError
from poinsot.spatial import Array
from poinsot.viewer.made_scene import scene_of
from poinsot.viewer.page import Motion, page_html
from poinsot.viewer.scene import body_poses, packed_poses
from poinsot.viewer.server import Viewer

__all__ = ["LiveSystem", "view_system"]

STIFFNESS: Final = 40.0
"""Of the rope of the mouse [1/s²]: times the mass of all bodies in newtons per metre."""

LONGEST: Final = 0.05
"""Time that one request simulates [s]."""

ON_LIMIT: Final = 1e-9
"""By how much a coordinate may be beyond a limit [m or rad]."""

BISECTIONS: Final = 14
"""Steps to a limit: the slider stops within 1/16000 of the way that was asked for."""

SLIDES: Final = 1.0
"""How far a slider without limits goes to either side, relative to the size of the system."""


def view_system(system: System, q: ArrayLike | None, host: str, port: int) -> Viewer:
    """Serve a page that shows and moves a system; see ``System.view``."""
    live = LiveSystem(system, q)
    return Viewer(live.page(), {"configuration": live.configuration, "step": live.step}, host, port)


class LiveSystem:
    """A system that a page moves; requests come one at a time."""

    def __init__(self, system: System, q: ArrayLike | None) -> None:
        self._system = system
        shown = pictured(system)
        if shown is None:
            raise PlotError(f"view of {system.name!r}: give its parameters numbers that make sense")
        numeric, own = shown
        self._q = own if q is None else self._checked(q)
        self._numeric = numeric
        self._lock = threading.Lock()
        self._made_for: dict[str, float] | None = None
        self._mass = sum(float(body.mass) for body in numeric.bodies) or 1.0

    def page(self) -> str:
        """Return the page."""
        scene = scene_of(self._numeric, self._q[None])
        motion = Motion(self._system.name, np.zeros(1), body_poses(self._numeric, self._q[None]))
        live = {
            "q": self._q.tolist(),
            "nv": self._system.nv,
            "joints": self._sliders(scene.size),
            "parameters": parameter_sliders(self._system),
            "closed": bool(self._system.row_names),
        }
        return page_html(scene, [motion], play=False, live=live)

    def configuration(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a closed configuration with a joint where the slider has it.

        Args:
            given: ``q``, and the ``joint`` with the ``index`` of its coordinate and the ``value``
                that it shall have; without joint the nearest closed configuration.  Where the
                joint, or one that follows it, comes to a limit, it stops there, and ``limit`` of
                the answer says which.
        """
        q = self._checked(given["q"])
        held: tuple[str, ...] = ()
        if "joint" in given:
            q[int(given["index"])] = float(given["value"])
            held = (str(given["joint"]),)
        with self._lock:
            start = self._checked(given["q"])
            moved = self._closed(q, held, given)
            if not held or self._beyond(start, moved) is None:
                return self._told(moved, given)
            inside, name = self._up_to_limit(start, q, held, given)
            return {**self._told(inside, given), "limit": name}

    def _closed(self, q: Array, held: tuple[str, ...], given: Mapping[str, Any]) -> Array:
        """Return the nearest closed configuration with some joints held."""
        if not self._system.row_names:
            return q
        closed: Array = self._system.assemble(q, joints=held, parameters=self._values(given))
        return closed

    def _beyond(self, start: Array, q: Array) -> str | None:
        """Return which joint is beyond a limit, further than it was at the start; None: none is."""
        limits = self._numeric.limits
        excess, before = (np.maximum(limits.lower - x, x - limits.upper) for x in (q, start))
        worst = int(np.argmax(excess - np.maximum(before, 0.0))) if q.size else 0
        if not q.size or excess[worst] <= max(float(before[worst]), 0.0) + ON_LIMIT:
            return None
        name, unit = (
            self._numeric.coordinate_names[worst],
            self._numeric.coordinate_units[worst],
        )
        limit = limits.upper[worst] if q[worst] > limits.upper[worst] else limits.lower[worst]
        return f"{name!r} has reached its limit, {limit:.4g} {unit}"

    def _up_to_limit(
        self, start: Array, q: Array, held: tuple[str, ...], given: Mapping[str, Any]
    ) -> tuple[Array, str]:
        """Return the configuration where the first limit is reached on the way, and which it is.

        By bisection between the configuration now and the one that is asked for.
        """
        low, high, inside, name = 0.0, 1.0, start, ""
        for _ in range(BISECTIONS):
            middle = 0.5 * (low + high)
            try:
                closed = self._closed(start + middle * (q - start), held, given)
                reached = self._beyond(start, closed)
            except PoinsotError as error:
                closed, reached = start, str(error)
            if reached is None:
                low, inside = middle, closed
            else:
                high, name = middle, reached
        return inside, name

    def step(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the state a little later, with a rope from a point of a body to the mouse."""
        q, v = self._checked(given["q"]), np.array(given["v"], dtype=float)
        length = min(max(float(given["length"]), 1e-3), LONGEST)
        with self._lock, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            values = self._values(given)
            tau = self._pulled(q, v, given.get("pull"), values)
            run = simulate(
                self._system, q, v, length, tau=tau, start=float(given["t"]), rtol=1e-6, atol=1e-8,
                parameters=values, progress=False,
            )  # fmt: skip
            if not run.status.ok or not np.isfinite(run.q[-1]).all():
                return {"error": f"the simulation stopped: {run.status.message}"}
            told = self._told(run.q[-1], given)
            energy = run.kinetic_energy()[-1] + run.potential_energy()[-1]
            return {**told, "v": run.v[-1].tolist(), "t": float(run.t[-1]), "energy": float(energy)}

    def _pulled(
        self, q: Array, v: Array, pull: Mapping[str, Any] | None, values: dict[str, float] | None
    ) -> Array:
        """Return the joint forces of the rope: Jᵀ f with f = m k (target - point) - 2 m √k v."""
        if pull is None:
            return np.zeros(self._system.nv)
        name, point = (
            self._system.body_names[int(pull["body"])],
            np.array(pull["point"], dtype=float),
        )
        jacobian = self._system.jacobian(name, q, point, axes="world", parameters=values)[:3]
        pose = self._system.pose(name, q, parameters=values)
        place, speed = pose[:3, :3] @ point + pose[:3, 3], jacobian @ v
        mass = min(self._mass, 1e3)
        target = np.array(pull["target"], dtype=float)
        force = mass * (STIFFNESS * (target - place) - 2.0 * math.sqrt(STIFFNESS) * 0.3 * speed)
        tau: Array = jacobian.T @ force
        return tau

    def _told(self, q: Array, given: Mapping[str, Any]) -> dict[str, Any]:
        values, system = self._values(given), self._system
        residual = 0.0
        if self._system.row_names:
            rows = self._system.constraint_residual(q, parameters=values)
            residual = float(np.abs(rows).max(initial=0.0))
        if values is None:
            poses = body_poses(self._numeric, q[None])
        else:
            listed = [system.pose(name, q, parameters=values) for name in system.body_names]
            poses = packed_poses(np.stack(listed))
        told = {"q": q.tolist(), "poses": poses.ravel().tolist(), "residual": residual}
        if values is not None and values != self._made_for:  # links are as long as they are now
            self._made_for = values
            told |= changed_scene(system, q[None], values)
        return told

    def _checked(self, q: Any) -> Array:  # noqa: ANN401 (whatever a page sends)
        try:
            values = np.array(q, dtype=float)
        except (TypeError, ValueError):
            values = np.zeros(0)
        if values.shape != (self._system.nq,) or not np.isfinite(values).all():
            raise PlotError(
                f"view of {self._system.name!r}: q must be {self._system.nq} finite numbers, "
                f"got {q}"
            )
        return values

    def _values(self, given: Mapping[str, Any]) -> dict[str, float] | None:
        if not self._system.free:
            return None
        told = {str(name): float(value) for name, value in dict(given["parameters"]).items()}
        return {**dict.fromkeys(self._system.free, 1.0), **told}

    def _sliders(self, size: float) -> list[dict[str, Any]]:
        """Return the coordinates that a slider can move: of joints whose q are not quaternions."""
        sliders = []
        system = self._numeric
        limits = system.limits
        for joint, body in zip(system.joint_names, system.bodies, strict=True):
            place = system.q_slice(joint)
            if body.joint.nq != body.joint.nv:
                continue
            for k in range(place.start, place.stop):
                unit = system.coordinate_units[k]
                reach = math.pi if unit == "rad" else SLIDES * size
                low, high = float(limits.lower[k]), float(limits.upper[k])
                sliders.append({
                    "name": system.coordinate_names[k], "joint": joint, "index": k, "unit": unit,
                    "low": low if math.isfinite(low) else min(-reach, float(self._q[k])),
                    "high": high if math.isfinite(high) else max(reach, float(self._q[k])),
                })  # fmt: skip
        return sliders
