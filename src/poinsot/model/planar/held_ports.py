"""A part used alone: its ports are links whose coordinates are driven, and numbers.

A port is a point, x and y, where nothing but pins at its origin hangs on it, and else a guide: x,
y and its angle.  Links without mass carry it: slides along x and y, and a pin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import finite_vector
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.frame_names import FRAME
from poinsot.model.planar.parts import flattened

RIGHT: Final = np.pi / 2.0
OF_PINS: Final = ("k", "c", "mu")
"""What makes a pin turn a link."""


def with_held_ports(
    block: Mapping[str, Any], drawn: Mapping[str, Sequence[float]]
) -> dict[str, Any]:
    """Return a description without ports, in which their coordinates are the first drivers.

    Args:
        block: Description of a part.
        drawn: Poses of the ports in its drawing, if it has one.
    """
    flat = flattened(block)
    ports = [str(port) for port in flat.get("ports", ())]
    for port in drawn:
        if port not in ports:
            raise ModelError(f"alone: there is no port {port!r}; {suggestion(port, ports)}")
    missing = [port for port in ports if drawn and port not in drawn]
    if missing:
        raise ModelError(f"alone: drawn has no pose of port {missing[0]!r}; give (x, y, angle)")
    bodies = dict(flat.get("bodies", {}))
    joints = list(flat.get("joints", ()))
    drivers: list[Any] = []
    for port in ports:
        place = finite_vector(drawn.get(port, np.zeros(3)), 3, f"alone: drawn: {port!r}").tolist()
        chain = [f"{port} x", port] if _is_point(flat, port) else [f"{port} x", f"{port} y", port]
        poses = ([place[0], 0.0, 0.0], [place[0], place[1], 0.0], place)
        for carrier, body, key, pose in zip(
            [FRAME, *chain], chain, ("x", "y", "angle"), poses, strict=False
        ):
            if body in bodies:
                raise ModelError(
                    f"alone: port {port!r} needs a link {body!r}, and there is one already; give"
                    " that another name"
                )
            bodies[body] = {"pose": pose} if drawn else {}
            joint = {"id": f"{port} {key}", "type": "R" if key == "angle" else "P"}
            along = {"ua": RIGHT} if key == "y" else {}
            joints.append(joint | {"a": carrier, "b": body} | along)
            drivers.append(joint["id"])
    drivers += flat.get("drivers", ())
    return flat | {"bodies": bodies, "joints": joints, "drivers": drivers, "ports": []}


def _is_point(flat: Mapping[str, Any], port: str) -> bool:
    """Whether the angle of a port is of no meaning."""
    for entry in (*flat.get("joints", ()), *flat.get("springs", ())):
        ends = [end for end in ("a", "b") if entry.get(end) == port]
        if "partner" in entry or entry.get("carrier") == port:
            return False
        if not ends:
            continue
        is_pin = entry.get("type", "R") == "R"
        at_origin = not np.any(entry.get(f"p{ends[0]}", 0.0))
        turns = is_pin and entry in flat.get("joints", ()) and any(map(entry.get, OF_PINS))
        if turns or not is_pin or not at_origin:
            return False
    return True
