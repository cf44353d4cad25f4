"""How far a driver can go, and where branches of a planar mechanism meet on the way."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from poinsot.analysis.bracketed import bracketed_minimum, bracketed_zero
from poinsot.errors import AssemblyError
from poinsot.formulations.composable.positions import has_closed_forms
from poinsot.formulations.composable.transmission import joints_between_guides
from poinsot.front.planar_quantities import PlanarQuantities
from poinsot.model.planar.shown_coordinate import shown_coordinate
from poinsot.spatial import Array

LOW: Final = 0.1
"""sin² of a transmission angle below which minima between samples are looked at."""
TOUCHES: Final = 1e-12
"""sin² below which two branches meet."""
FINE: Final = 360
"""Steps at least in which branch points are sought, however few positions are asked for."""
BESIDE: Final = 1e-4
"""Distance from a branch point at which tangents are compared [rad or m]."""


@dataclass(frozen=True)
class TurnPoint:
    """A special position along a turn.

    Attributes:
        kind: "dead point" (an output link reverses), "branch point" (two assemblies meet and the
            motion goes on smoothly), "limit" (two assemblies meet and the driver cannot go on) or
            "lift-off" (a follower leaves its cam).
        coordinate: Of the driver [rad or m].
        links: The links concerned.
        text: The same for people.
    """

    kind: str
    coordinate: float
    links: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return self.text


class AssemblyBranch(NamedTuple):
    """A mechanism in the assembly that it has from one coordinate of the driver to another."""

    mechanism: PlanarQuantities
    start: float
    stop: float


class DriverPath(NamedTuple):
    """All drivers but one at rest: coordinates q from those of the one that moves.

    Attributes:
        rest: Coordinates of all drivers, shape (nq,).
        number: Which of them moves.
        start: Coordinate at which it begins [rad or m].
        speed: Its rate [rad/s or m/s].
        begin: Time of the beginning [s].
        is_timed: Whether methods of the mechanism look at the time.
    """

    rest: Array
    number: int
    start: float
    speed: float
    begin: float = 0.0
    is_timed: bool = False

    def q(self, x: Array) -> Array:
        """Return the coordinates of all drivers, shape (n, nq)."""
        q = np.repeat(self.rest[None], len(x), axis=0)
        q[:, self.number] = x
        return q

    def t(self, x: Array) -> Array:
        """Return the times [s] at coordinates of the one that moves, shape (n,)."""
        return self.begin + (x - self.start) / self.speed

    def when(self, x: Array) -> dict[str, Any]:
        """Return the times as methods take them: nothing where they do not look at them."""
        return {"t": self.t(x)} if self.is_timed else {}


def branches_along(
    mechanism: PlanarQuantities, path: DriverPath, samples: Array
) -> tuple[list[AssemblyBranch], list[TurnPoint]]:
    """Follow a mechanism along samples of a driver's coordinate, branch points included.

    Args:
        mechanism: In the assembly that it has at the start.
        path: Which driver moves.
        samples: Its coordinates, shape (n,), increasing or decreasing.

    Returns:
        Branches one after the other, the last up to the end or a limit; limits and branch points.
    """
    branches: list[AssemblyBranch] = []
    points: list[TurnPoint] = []
    reach = _reach(mechanism, path, samples)
    if reach is not None:
        samples = np.append(samples[np.abs(samples - samples[0]) < abs(reach - samples[0])], reach)
    start, end = float(samples[0]), float(samples[-1])
    samples = _finer(samples)
    while True:
        ahead = np.concatenate([[start], samples[np.abs(samples - end) < abs(start - end)]])
        place = _next_place(mechanism, path, ahead)
        if place is None:
            points += [] if reach is None else [_end_of_reach(mechanism, path, reach)]
            return [*branches, AssemblyBranch(mechanism, start, end)], points
        branches.append(AssemblyBranch(mechanism, start, place.coordinate))
        where = shown_coordinate(mechanism.linkage, path.number, place.coordinate)
        unit = next(
            unit for unit in mechanism.units if place.joint in [pair.name for pair in unit.inner]
        )
        links = tuple(map(str, unit.bodies))
        if place.is_limit:
            named = ", ".join(links)
            how = f"{named} are stretched or folded"
            how = f"guides of {named} are parallel" if place.is_between_guides else how
            text = f"limit at {where}: {how}, no way on"
            points.append(TurnPoint("limit", place.coordinate, links, text))
            return branches, points
        other = _smoother(mechanism, path, place, np.sign(end - start), links)
        change = "mode stays" if other is mechanism else f"mode {other.modes[place.joint]} follows"
        text = f"branch point at {where}: the assemblies of {', '.join(links)} meet; {change}"
        points.append(TurnPoint("branch point", place.coordinate, links, text))
        mechanism, start = other, place.coordinate


def meeting_at(
    mechanism: PlanarQuantities, path: DriverPath, x: float, what: str
) -> TurnPoint | None:
    """Return the limit or branch point at which a turn begins or ends; None if it does at none.

    Args:
        mechanism: The mechanism there.
        path: Which driver moves.
        x: Its coordinate.
        what: "begins" or "ends".
    """
    here = np.array([x])
    squares = mechanism.transmission(path.q(here), **path.when(here))
    joint = min(squares, key=lambda name: float(np.min(squares[name])), default=None)
    if joint is None or float(np.min(squares[joint])) >= TOUCHES:
        return None
    links = next(
        tuple(map(str, unit.bodies))
        for unit in mechanism.units
        if joint in [pair.name for pair in unit.inner]
    )
    sides = [_fits(mechanism, path, x + step) for step in (-BESIDE, BESIDE)]
    guided = joint in joints_between_guides(mechanism.linkage)
    kind = "branch point" if all(sides) and not guided else "limit"
    where = shown_coordinate(mechanism.linkage, path.number, x)
    named = ", ".join(links)
    how = f"guides of {named} are parallel" if guided else f"the assemblies of {named} meet"
    text = f"{kind} at {where}: {how} where the turn {what}"
    return TurnPoint(kind, x, links, text)


def _fits(mechanism: PlanarQuantities, path: DriverPath, x: float) -> bool:
    """Say whether the mechanism can be assembled at a coordinate of the driver."""
    here = np.array([x])
    try:
        mechanism.positions(path.q(here), **path.when(here))
    except AssemblyError:
        return False
    return True


def _finer(samples: Array) -> Array:
    """Return samples with others between them: branch points show in narrow minima."""
    parts = -(-FINE // max(1, len(samples) - 1))
    inner = np.arange(parts) / parts
    between = samples[:-1, None] + np.diff(samples)[:, None] * inner
    return np.append(between.ravel(), samples[-1])


def _reach(mechanism: PlanarQuantities, path: DriverPath, samples: Array) -> float | None:
    """Return how far groups without closed form let the driver go; None where to the end."""
    if has_closed_forms(mechanism.linkage):
        return None

    count = 1 + bisect_left(
        range(1, len(samples)),
        1,
        key=lambda k: int(not _fits(mechanism, path, float(samples[k]))),
    )
    if count == len(samples):
        return None
    good, bad = float(samples[count - 1]), float(samples[count])
    while abs(bad - good) > BESIDE**2:
        middle = (good + bad) / 2.0
        good, bad = (middle, bad) if _fits(mechanism, path, middle) else (good, middle)
    return good


def _end_of_reach(mechanism: PlanarQuantities, path: DriverPath, reach: float) -> TurnPoint:
    """Return the limit at which a group without closed form is stretched."""
    here = np.array([reach])
    near = mechanism.nearness(path.q(here), **path.when(here))
    unit = min(near, key=lambda links: float(near[links][0]))
    where = shown_coordinate(mechanism.linkage, path.number, reach)
    text = f"limit at {where}: {', '.join(unit)} are in a singular position, no way on"
    return TurnPoint("limit", reach, unit, text)


class _Place(NamedTuple):
    coordinate: float
    joint: str
    is_limit: bool
    is_between_guides: bool = False


def _next_place(mechanism: PlanarQuantities, path: DriverPath, x: Array) -> _Place | None:
    """Return the first limit or branch point after x[0], where it may stand already."""
    if len(x) < 2:
        return None
    places, guided = [], joints_between_guides(mechanism.linkage)
    for joint, squares in mechanism.transmission(path.q(x), **path.when(x)).items():
        values = squares[..., 0]

        def square(at_x: Array, joint: str = joint) -> Array:
            squares = mechanism.transmission(path.q(at_x), **path.when(at_x))
            return np.nan_to_num(squares[joint][..., 0], nan=-1.0)

        negative = np.flatnonzero(values[1:] < -TOUCHES) + 1
        last = int(negative[0]) if negative.size else len(x)
        inner = range(1, min(last, len(x) - 1))
        for i in inner:
            if values[i] < LOW and values[i - 1] >= values[i] <= values[i + 1]:
                lowest = bracketed_minimum(square, float(x[i - 1]), float(x[i + 1]))
                least = float(square(np.array([lowest]))[0])
                if joint in guided and least < TOUCHES:
                    # Beyond it the one assembly comes back from infinitely far away.
                    places.append(_Place(lowest, joint, is_limit=True, is_between_guides=True))
                    break
                if least < TOUCHES and abs(lowest - x[0]) > BESIDE:
                    is_limit = least < -TOUCHES
                    if is_limit:
                        lowest = bracketed_zero(square, float(x[i - 1]), lowest)
                    places.append(_Place(lowest, joint, is_limit))
                    break
        else:
            if negative.size:
                zero = bracketed_zero(square, float(x[last - 1]), float(x[last]))
                places.append(_Place(zero, joint, is_limit=True))
    return min(places, key=lambda place: abs(place.coordinate - x[0]), default=None)


def _smoother(
    mechanism: PlanarQuantities,
    path: DriverPath,
    place: _Place,
    sign: float,
    links: tuple[str, ...],
) -> PlanarQuantities:
    """Return the mechanism in the mode in which it goes on with the least change of direction."""
    mode = mechanism.modes.get(place.joint, 1)
    x = place.coordinate + sign * BESIDE * np.array([-2.0, -1.0, 1.0, 2.0])
    before = mechanism.positions(path.q(x[:2]), **path.when(x[:2]))
    bends = {}
    for candidate in (mode, -mode):
        chosen = mechanism.with_modes(**{place.joint: candidate})
        after = chosen.positions(path.q(x[2:]), **path.when(x[2:]))
        steps = [np.diff(poses[link], axis=0)[0] for link in links for poses in (before, after)]
        turns = [(step + np.pi) % (2.0 * np.pi) - np.pi for step in steps]
        bends[candidate] = sum(
            float(np.linalg.norm(b - a)) for a, b in zip(turns[::2], turns[1::2], strict=True)
        )
    best = min(bends, key=lambda candidate: bends[candidate])
    return mechanism if best == mode else mechanism.with_modes(**{place.joint: best})
