"""A planar linkage: links with masses, pins and slides with their places, drivers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import ModelError
from poinsot.model.checks import finite_number, finite_vector
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.clock import CLOCK
from poinsot.model.planar.curve_pair import CURVE, TANGENT
from poinsot.model.planar.decomposition import Unit, decompose
from poinsot.model.planar.description_checks import (
    check_block,
    check_names,
    driver_entries,
    entries_of,
)
from poinsot.model.planar.force_element import PlanarElement
from poinsot.model.planar.frame_names import FRAME, FRAME_NAMES, shown_links
from poinsot.model.planar.graph import KinematicPair, PlanarGraph
from poinsot.model.planar.higher_pair import PlanarPair
from poinsot.model.planar.joint import (
    CoupledRotors,
    PlanarAngle,
    PlanarJoint,
    PlanarLink,
    PlanarSpring,
    PlanarVector,
)
from poinsot.model.planar.pair_description import (
    PAIR_KEYS,
    read_curve,
    read_pair,
    storable_pair,
)
from poinsot.model.planar.parts import flattened
from poinsot.model.planar.plate import plate_body, plate_outlines
from poinsot.model.planar.row_pair import RowPair
from poinsot.model.planar.state_rates import StateRates
from poinsot.model.planar.system_content import OF_SYSTEM, system_content

__all__ = [
    "DRIVER_KINDS",
    "PlanarAngle",
    "PlanarJoint",
    "PlanarLink",
    "PlanarLinkage",
    "PlanarSpring",
    "PlanarVector",
    "read_linkage",
]

DRIVER_KINDS = {"R": "angle", "P": "stroke"}
"""What the driver of a pair prescribes."""

JOINT_KEYS = ("id", "type", "a", "pa", "b", "pb", "ua", "beta", "k", "c", "rest", "armature",
              "mu", "radius", "length", "slip")  # fmt: skip
OPTIONAL = ("pa", "pb", "ua", "beta", "k", "c", "rest", "armature", "mu", "radius", "length",
            "slip")  # fmt: skip
POSITIVE = ("k", "c", "armature", "mu", "radius", "length", "slip")
SPRING_KEYS = ("id", "a", "pa", "b", "pb", "k", "c", "length")
LINK_KEYS = ("m", "J", "c", "pose", "points", "shape", "thickness", "density")
KEYS = ("bodies", "joints", "drivers", "gravity", "modes", "ports", "parts", "springs")


@dataclass(frozen=True)
class PlanarLinkage:
    """Links, joints, drivers and gravity; checked when made.

    Attributes:
        links: The moving links by name.
        joints: Pins and slides; a hinge of k links is k - 1 pins.
        drivers: Names of the driven joints, in the order of the coordinates q: angles φ_b - φ_a of
            pins, strokes of slides.
        gravity: Acceleration of gravity [m/s²].
        frame: Name of the link that rests, at the pose (0, 0, 0).
        ports: Names of links whose motion is given from outside, as those of other units are; the
            clock's is one of them where something changes with time (``clock.py``).
        springs: Springs and dampers between points of links.
        pairs: Gears, racks, cams and points on curves, one equation each.
        elements: Force elements of a system.
        velocity_rows: Its constraints on velocities, one equation each.
        coupled_rotors: What armature of two joints has in common.
        drawn_at: Time of the drawing [s].
        state_rates: Rates of the states that force elements read.
        pair_entries: How files describe them.
    """

    links: Mapping[str, PlanarLink]
    joints: tuple[PlanarJoint, ...]
    drivers: tuple[str, ...] = ()
    gravity: Sequence[float] = (0.0, 0.0)
    frame: str = FRAME
    ports: tuple[str, ...] = ()
    springs: tuple[PlanarSpring, ...] = ()
    pairs: tuple[PlanarPair, ...] = ()
    elements: tuple[PlanarElement, ...] = ()
    velocity_rows: tuple[RowPair, ...] = ()
    coupled_rotors: tuple[CoupledRotors, ...] = ()
    drawn_at: float = 0.0
    state_rates: StateRates | None = None
    pair_entries: tuple[Mapping[str, Any], ...] = field(
        default=(), repr=False, compare=False, metadata={"in_digest": False}
    )
    by_name: Mapping[str, PlanarJoint] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {joint.name: joint for joint in self.joints})
        for joint in self.joints:
            if joint.kind not in DRIVER_KINDS:
                raise ModelError(
                    f"joint {joint.name!r}: type {joint.kind!r} is none of R (pin), P (slide),"
                    " gear, rack, cam, curve, circles, profiles, slot"
                )
        _ = self.graph  # checks names
        known = (*self.links, self.frame, *self.ports)
        check_names("springs", [spring.name for spring in self.springs])
        for spring in self.springs:
            if spring.a == spring.b:
                raise ModelError(
                    f"spring {spring.name!r} needs two different links, not {spring.a!r} twice"
                )
            for body in (spring.a, spring.b):
                if body not in known:
                    hint = suggestion(body, shown_links(known))
                    raise ModelError(f"spring {spring.name!r}: there is no link {body!r}; {hint}")

    @cached_property
    def graph(self) -> PlanarGraph:
        """The bodies, pairs and drivers; ports are known as the frame is."""
        given = dict.fromkeys(self.ports, self.frame)
        pairs = [
            KinematicPair(j.name, j.kind, (given.get(j.a, j.a), given.get(j.b, j.b)))
            for j in self.joints
        ]
        for pair in self.pairs:
            touched = tuple(dict.fromkeys(given.get(body, body) for body in pair.bodies))
            pairs.append(KinematicPair(pair.name, "H", touched))
        return PlanarGraph(tuple(self.links), tuple(pairs), self.drivers, self.frame)

    @cached_property
    def is_timed(self) -> bool:
        """Whether equations or force elements change with time."""
        return CLOCK in self.ports

    @property
    def of_systems(self) -> list[str]:
        """Names of equations and force elements that come from a System."""
        described = {str(entry.get("id")) for entry in self.pair_entries}
        names = [pair.name for pair in self.pairs if pair.name not in described]
        names += [element.name for element in self.elements]
        names += [] if self.state_rates is None else self.state_rates.names
        names += [f"rotors of {pair.first}, {pair.second}" for pair in self.coupled_rotors]
        return names + [row.name for row in self.velocity_rows]

    @property
    def timed_constraints(self) -> list[str]:
        """Names of pairs that change with time."""
        return [pair.name for pair in self.pairs if CLOCK in pair.bodies]

    def check_constraints_of_time(self, where: str) -> None:
        """Reject constraints that change with time where poses are asked of coordinates alone."""
        timed = self.timed_constraints
        if timed:
            raise ModelError(
                f"{where}: constraints {timed} change with time; drive their joints instead, or"
                " simulate, or ask methods with t="
            )

    @property
    def open_ports(self) -> tuple[str, ...]:
        """Ports that a larger mechanism gives."""
        return tuple(port for port in self.ports if port != CLOCK)

    @cached_property
    def pair_by_name(self) -> Mapping[str, PlanarPair]:
        """Pairs of one equation by name."""
        return {pair.name: pair for pair in self.pairs}

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Driver units and Assur groups in an order of assembly."""
        return decompose(self.graph)

    @cached_property
    def drawn(self) -> Mapping[str, NDArray[Any]] | None:
        """Poses in the drawing, the frame's among them; None unless all links have one."""
        poses = {name: link.pose for name, link in self.links.items()}
        if self.open_ports or not poses or any(pose is None for pose in poses.values()):
            return None
        rest = {self.frame: np.zeros(3)}
        if self.is_timed:
            rest[CLOCK] = np.array([self.drawn_at, 0.0, 0.0])
        return rest | {name: np.array(pose, float) for name, pose in poses.items()}

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """Number of equations of each joint; one for slides that close loops of slides."""
        owners = [e.pair.name for e in self.graph.equations() if not e.is_driver]
        return {joint.name: owners.count(joint.name) for joint in self.joints}


def read_linkage(block: Mapping[str, Any]) -> PlanarLinkage:
    """Return the linkage of a short description, as files hold it.

    Args:
        block: ``bodies``: name → {m, J, c, pose, points}; ``joints``: list of {id, type, a, pa, b,
            pb, ua, beta, k, c, rest, armature}; ``drivers``: list of {joint, kind}, or of names;
            ``gravity``: two numbers [m/s²].
            Body 0 is the frame; "ground", "frame" and "world" mean it too.  ``ports``: names of
            links that a larger mechanism gives; ``parts``: name → {mechanism, ports}, mechanisms
            with such ports (``parts.py``); ``modes`` are read by mechanisms; ``springs``: list of
            {id, a, pa, b, pb, k, c, length}.

    Examples:
        >>> pendulum = read_linkage({
        ...     "bodies": {"1": {"m": 2.0, "J": 0.1, "c": [0.5, 0.0]}},
        ...     "joints": [{"id": "A", "type": "R", "a": 0, "b": 1}],
        ...     "drivers": ["A"],
        ... })
        >>> [unit.form for unit in pendulum.units]
        ['R']
    """
    _check_keys("linkage", {key: x for key, x in block.items() if key != OF_SYSTEM}, KEYS)
    check_block(block)
    block = flattened(block)
    content = system_content(block)
    links = {}
    for name, entry in block.get("bodies", {}).items():
        _check_keys(f"body {name!r}", entry, LINK_KEYS)
        _check_numbers(f"body {name!r}", entry, {"c": 2, "pose": 3}, ("m", "J"))
        links[str(name)] = _link(str(name), entry)
    joints, pairs = [], []
    for entry in entries_of("joints", block):
        where = f"joint {entry.get('id')!r}"
        if entry.get("type") in PAIR_KEYS:
            kind = str(entry["type"])
            _check_keys(f"{kind} {entry.get('id')!r}", entry, PAIR_KEYS[kind])
            pairs.append(entry)
            continue
        _check_keys(where, entry, JOINT_KEYS)
        _check_numbers(where, entry, {"pa": 2, "pb": 2}, POSITIVE, ("ua", "beta", "rest"))
        _check_friction(where, entry)
        optional = {key: entry[key] for key in OPTIONAL if entry.get(key) is not None}
        ends = [body_named(entry.get(end)) for end in ("a", "b")]
        kind = entry.get("type", "R")
        joints.append(PlanarJoint(str(entry.get("id")), kind, ends[0], ends[1], **optional))
    drivers = [_driver(entry, joints) for entry in driver_entries(block)]
    gravity = tuple(finite_vector(block.get("gravity", (0.0, 0.0)), 2, "gravity").tolist())
    ports = tuple(map(str, block.get("ports", ())))
    springs = tuple(_spring(entry) for entry in entries_of("springs", block))
    higher = tuple(_pair(entry, links, ports, joints) for entry in pairs)
    return PlanarLinkage(
        links, tuple(joints), tuple(drivers), gravity, springs=springs,
        ports=(*ports, CLOCK) if content.is_timed else ports, pairs=(*higher, *content.pairs),
        pair_entries=tuple(map(storable_pair, pairs)), **content.others,
    )  # fmt: skip


def _link(name: str, entry: Mapping[str, Any]) -> PlanarLink:
    pose, points = entry.get("pose"), entry.get("points", {})
    if not isinstance(points, Mapping):
        raise ModelError(f"body {name!r}: points must be places by name, got {points!r}")
    for point, place in points.items():
        finite_vector(place, 2, f"body {name!r}: point {point!r}")
    if "shape" in entry:
        body = plate_body(entry, f"body {name!r}")
        com = tuple(body.com.tolist())
        outlines = plate_outlines(body.outlines)
        return PlanarLink(body.mass, body.inertia, com, pose, points, outlines)
    for key in ("thickness", "density"):
        if key in entry:
            raise ModelError(f"body {name!r}: {key} needs a shape")
    m, inertia, com = entry.get("m", 0.0), entry.get("J", 0.0), entry.get("c", (0.0, 0.0))
    return PlanarLink(m, inertia, com, pose, points)


def _check_friction(where: str, entry: Mapping[str, Any]) -> None:
    is_pin = entry.get("type", "R") == "R"
    wrong = "length" if is_pin else "radius"
    if entry.get(wrong):
        raise ModelError(f"{where}: {wrong} belongs to {'slides' if is_pin else 'pins'}")
    for key in ("ua", "beta") if is_pin else ():
        if entry.get(key):
            raise ModelError(f"{where}: {key} belongs to slides; of a pin nothing is turned")
    if is_pin and entry.get("mu") and not entry.get("radius"):
        raise ModelError(f"{where}: friction in a pin needs its radius [m]")


def _pair(
    entry: Mapping[str, Any], links: Mapping[str, PlanarLink], ports: Sequence[str],
    joints: Sequence[PlanarJoint],
) -> PlanarPair:  # fmt: skip
    a, b, carrier = (body_named(entry.get(key, FRAME)) for key in ("a", "b", "carrier"))
    known = (*links, FRAME, *ports)
    for link in (a, b, carrier):
        if link not in known:
            raise ModelError(
                f"{entry['type']} {entry.get('id')!r}: there is no link {link!r}; "
                f"{suggestion(link, shown_links(known))}"
            )
    if entry["type"] in (CURVE, TANGENT):
        return read_curve(entry, a, b)
    return read_pair(entry, (a, b, carrier), joints)


def _spring(entry: Mapping[str, Any]) -> PlanarSpring:
    where = f"spring {entry.get('id')!r}"
    _check_keys(where, entry, SPRING_KEYS)
    _check_numbers(where, entry, {"pa": 2, "pb": 2}, ("k", "c", "length"))
    ends = [body_named(entry.get(end)) for end in ("a", "b")]
    points = [entry.get(key, (0.0, 0.0)) for key in ("pa", "pb")]
    numbers = [entry.get(key, 0.0) for key in ("k", "c", "length")]
    return PlanarSpring(str(entry.get("id")), ends[0], ends[1], *points, *numbers)


def body_named(name: object) -> str:
    """Return the name of a link as linkages have it: those that mean the frame are one."""
    return FRAME if name in FRAME_NAMES else str(name)


def _check_keys(what: str, entry: Mapping[str, Any], known: Sequence[str]) -> None:
    if not isinstance(entry, Mapping):
        keys = ", ".join(known)
        raise ModelError(f"{what} must be a dictionary with keys {keys}, got {entry!r}")
    for key in entry:
        if key not in known:
            raise ModelError(f"{what}: there is no key {key!r}; {suggestion(key, known)}")


def _check_numbers(
    what: str,
    entry: Mapping[str, Any],
    vectors: Mapping[str, int],
    positive: Sequence[str],
    numbers: Sequence[str] = (),
) -> None:
    """Reject numbers that are none, vectors of other lengths, negative masses and stiffnesses."""
    for key, length in vectors.items():
        if entry.get(key) is not None:
            finite_vector(entry[key], length, f"{what}: {key}")
    for key in (*positive, *numbers):
        if entry.get(key) is None:
            continue
        if finite_number(entry[key], f"{what}: {key}") < 0.0 and key in positive:
            raise ModelError(f"{what}: {key} must not be negative, got {entry[key]!r}")


def _driver(entry: Mapping[str, str] | str, joints: Sequence[PlanarJoint]) -> str:
    if isinstance(entry, str):
        return entry
    kinds = {joint.name: DRIVER_KINDS.get(joint.kind) for joint in joints}
    name, kind = entry["joint"], entry.get("kind")
    if name in kinds and kind not in (None, kinds[name]):
        raise ModelError(
            f"driver of {name!r}: kind {kind!r} does not fit the joint; write {kinds[name]!r}"
        )
    return name
