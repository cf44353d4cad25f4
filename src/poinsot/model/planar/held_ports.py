"""Links whose coordinates are driven: ports of a part used alone, and platforms.

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
from poinsot.model.planar.system_content import system_content
from poinsot.spatial import Array

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
        pose = finite_vector(drawn.get(port, np.zeros(3)), 3, f"alone: drawn: {port!r}").tolist()
        given = pose if drawn else None
        drivers += _hold(
            bodies, joints, f"alone: port {port!r}", port, given, _is_point(flat, port)
        )
        bodies[port] = {} if given is None else {"pose": given}
    drivers += flat.get("drivers", ())
    return flat | {"bodies": bodies, "joints": joints, "drivers": drivers, "ports": []}


def with_driven_links(
    block: Mapping[str, Any], drivers: Sequence[Any], poses: Mapping[str, Array]
) -> dict[str, Any]:
    """Return a description with joints in place of the links among its drivers, three for each.

    Args:
        block: Description of a mechanism, without parts.
        drivers: Names of joints, or of links whose x, y and angle are driven; {"link", "point"} for
            x and y of a point of a link.
        poses: Of the links in its drawing.
    """
    bodies, joints = dict(block["bodies"]), list(block["joints"])
    known = [joint["id"] for joint in joints]
    driven: list[Any] = []
    for driver in drivers:
        if isinstance(driver, Mapping) and "link" in driver:
            driven += _hold_point(bodies, joints, driver, poses)
        elif isinstance(driver, str) and driver in bodies and driver not in known:
            pose = poses[driver].tolist()
            driven += _hold(bodies, joints, f"with_drivers: link {driver!r}", driver, pose, False)
        else:
            driven.append(driver)
    return {**block, "bodies": bodies, "joints": joints, "drivers": driven}


def _hold_point(
    bodies: dict[str, Any], joints: list[Any], driver: Mapping[str, Any],
    poses: Mapping[str, Array],
) -> list[str]:  # fmt: skip
    """Add what carries a point of a link along x and y, and return the names of the slides."""
    link = str(driver["link"])
    where = f"with_drivers: the point of link {link!r}"
    for key in driver:
        if key not in ("link", "point"):
            raise ModelError(f"{where} has no key {key!r}; {suggestion(key, ('link', 'point'))}")
    if link not in bodies:
        raise ModelError(f"with_drivers: there is no link {link!r}; {suggestion(link, bodies)}")
    point = finite_vector(driver.get("point", (0.0, 0.0)), 2, where)
    x, y, angle = poses[link].tolist()
    c, s = np.cos(angle), np.sin(angle)
    place = [x + c * point[0] - s * point[1], y + s * point[0] + c * point[1], 0.0]
    carrier = f"{link} point"
    names = _hold(bodies, joints, where, carrier, place, True)
    bodies[carrier] = {"pose": place}
    joints.append({"id": carrier, "a": carrier, "b": link, "pb": point.tolist()})
    return names


def _hold(
    bodies: dict[str, Any], joints: list[Any], where: str, link: str, pose: list[float] | None,
    is_point: bool,
) -> list[str]:  # fmt: skip
    """Add what carries a link along x and y, and return the names of the joints.

    Args:
        bodies: Those of a description, to which carriers are added.
        joints: Its joints, likewise.
        where: Opens the message of an error.
        link: The link.
        pose: Where it is drawn.
        is_point: Whether it is carried without turning.
    """
    chain = [f"{link} x", link] if is_point else [f"{link} x", f"{link} y", link]
    x, y = (0.0, 0.0) if pose is None else pose[:2]
    names = []
    for carrier, body, key, place in zip(
        [FRAME, *chain],
        chain,
        ("x", "y", "angle"),
        ([x, 0.0, 0.0], [x, y, 0.0], None),
        strict=False,
    ):
        if body != link:
            if body in bodies:
                raise ModelError(
                    f"{where} needs a link {body!r}, and there is one already; give that another"
                    " name"
                )
            bodies[body] = {} if pose is None else {"pose": place}
        joint = {"id": f"{link} {key}", "type": "R" if key == "angle" else "P"}
        along = {"ua": RIGHT} if key == "y" else {}
        joints.append(joint | {"a": carrier, "b": body} | along)
        names.append(joint["id"])
    return names


def _is_point(flat: Mapping[str, Any], port: str) -> bool:
    """Whether the angle of a port is of no meaning."""
    if port in system_content(flat).touched:
        return False
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
