"""One turn of a driver of a planar mechanism, and everything that engineers ask of it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analysis.bracketed import bracketed_zero
from poinsot.errors import ModelError
from poinsot.formulations.composable.plane import point_at, turned
from poinsot.front.joint_strokes import output_joint, outputs_of, rate_of, stroke_of
from poinsot.front.planar_branches import (
    AssemblyBranch,
    DriverPath,
    TurnPoint,
    branches_along,
    meeting_at,
)
from poinsot.front.planar_quantities import PlanarQuantities
from poinsot.front.section_results import SectionLoads
from poinsot.front.turn_cams import lift_off_points, pressure_angles
from poinsot.front.turn_samples import CLEAR, beside, check_start
from poinsot.front.turn_sections import driven_accelerations, load_in_link
from poinsot.model.bar import Bar
from poinsot.model.checks import finite_vector, not_negative, real_array
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.link_names import checked_link
from poinsot.model.planar.linkage import DRIVER_KINDS, PlanarJoint
from poinsot.model.planar.shown_coordinate import shown_coordinate
from poinsot.model.section import Section
from poinsot.simulation.running.status import SimulationWarning
from poinsot.spatial import Array

SEAM: Final = 1e-6
"""Distance from the ends of a whole turn within which dead points are at the ends [rad]."""

TurnLoad = ArrayLike | Callable[["TurnStates"], ArrayLike]
"""[Fx, Fy, M] on a link, shape (3,) or (n, 3), or a function of the turn that gives it."""


class TurnStates:
    """A planar mechanism along one turn, or stroke, of a driver at constant speed.

    Arrays have one row for each of the n positions.  Everything is computed when it is first asked
    for, in one batch.

    Attributes:
        mechanism: The mechanism, in the assembly at the start.
        driver: Name of the driver that moves.
        t: Times [s], shape (n,).
        x: Coordinate of the driver [rad or m], shape (n,).
        q: Coordinates of all drivers, shape (n, nq).
        v: Their rates, shape (n, nq).
        branches: Assemblies on the way, one unless there are branch points.
    """

    def __init__(
        self,
        mechanism: PlanarQuantities,
        path: DriverPath,
        samples: Array,
        loads: Mapping[str, TurnLoad],
    ) -> None:
        check_start(mechanism, path, samples)
        self.mechanism, self._path, self._given_loads = mechanism, path, dict(loads)
        self.driver = mechanism.linkage.drivers[path.number]
        self.branches, self._meetings = branches_along(mechanism, path, samples)
        self._is_whole = not any(point.kind == "limit" for point in self._meetings)
        reached = np.abs(samples - samples[0]) <= abs(self.branches[-1].stop - samples[0])
        self.x = beside(samples[reached], self._meetings)
        way = np.sign(samples[-1] - samples[0])
        for end, step, what in ((0, CLEAR, "begins"), (-1, -CLEAR, "ends")):
            point = meeting_at(self.branches[end].mechanism, path, float(self.x[end]), what)
            if point is None:
                continue
            if end == 0:
                self._meetings.insert(0, point)
            elif self._is_whole and not self._is_listed(point):
                self._meetings.append(point)
            self.x[end] += step * way
        self.t = path.t(self.x)
        self.q = path.q(self.x)
        self.v = np.zeros_like(self.q)
        self.v[:, path.number] = path.speed
        if not self._is_whole:
            message = f"{self._meetings[-1]}; the turn ends there"
            warnings.warn(message, SimulationWarning, stacklevel=3)

    def _is_listed(self, point: TurnPoint) -> bool:
        """Whether a branch point is known, also one whole turn away."""
        apart = [abs(point.coordinate - other.coordinate) for other in self._meetings]
        turns = self.mechanism.linkage.by_name[self.driver].kind == "R"
        return any(x < CLEAR or (turns and abs(x - 2.0 * np.pi) < CLEAR) for x in apart)

    @cached_property
    def positions(self) -> dict[str, Array]:
        """Poses of the links, (n, 3) each; angles without jumps."""
        poses: dict[str, Array] = self._along("positions", self.q)
        for pose in poses.values():
            pose[:, 2] = np.unwrap(pose[:, 2])
        return poses

    @cached_property
    def velocities(self) -> dict[str, Array]:
        """(ẋ, ẏ, φ̇) of the links, (n, 3) each."""
        return dict(self._along("velocities", self.q, self.v))

    @cached_property
    def accelerations(self) -> dict[str, Array]:
        """(ẍ, ÿ, φ̈) of the links, (n, 3) each."""
        return dict(self._along("accelerations", self.q, self.v, 0.0 * self.v))

    @cached_property
    def loads(self) -> dict[str, Array]:
        """External loads [Fx, Fy, M], (n, 3) each."""
        values = {}
        for link, load in self._given_loads.items():
            given = load(self) if callable(load) else load
            array = real_array(given, f"turn: the load on {link!r}")
            if array.shape not in ((3,), (len(self.t), 3)):
                raise ModelError(
                    f"turn: the load on {link!r} must be [Fx, Fy, M], or {len(self.t)} rows of"
                    f" them, got the shape {array.shape}"
                )
            values[link] = np.broadcast_to(array, (len(self.t), 3))
        return values

    @cached_property
    def driver_force(self) -> Array:
        """Torque [N m] or force [N] of the driver that moves, shape (n,)."""
        forces = self._along("inverse_dynamics", self.q, self.v, 0.0 * self.v, loads=self.loads)
        torque: Array = forces[:, self._path.number]
        return torque

    @cached_property
    def reactions(self) -> dict[str, Array]:
        """What each joint exerts on its second link, (n, 2) each; see the mechanism's method."""
        moved = self.q, self.v, 0.0 * self.v
        return dict(self._along("reactions", *moved, loads=self.loads))

    @property
    def bearing_forces(self) -> dict[str, Array]:
        """Size of the force in each pin, on each guide, in each gear and cam [N], (n,) each."""
        linkage = self.mechanism.linkage
        pins = {joint.name for joint in linkage.joints if joint.kind == "R"}
        return {
            name: np.linalg.norm(force, axis=-1) if name in pins else abs(force[:, 0])
            for name, force in self.reactions.items()
        }

    def section_loads(self, sections: Bar | Sequence[Section], *, cuts: int = 51) -> SectionLoads:
        """Return force and moment in sections of a link along the turn, shape (n, k, 6).

        The plane of the mechanism is z = 0; loads on the link itself act beyond all sections unless
        its ``beyond`` says otherwise, see ``System.section_loads``.

        Args:
            sections: A bar, which is cut evenly from its start to its end, or sections; places in
                the frame of the link, e.g. ``Bar("rod", (0, 0, 0), (0.4, 0, 0), density=2.0)``.
            cuts: Number of sections of a bar.
        """
        system, drivers = self.mechanism.system(), list(self.mechanism.linkage.drivers)
        states = [
            branch.mechanism.system_state(self.q[rows], self.v[rows], t=self.t[rows])
            for branch in self.branches
            for rows in [self.rows_of(branch)]
        ]
        q, v = (np.concatenate(arrays) for arrays in zip(*states, strict=True))
        times = self.t if self.mechanism.linkage.is_timed else None
        a = driven_accelerations(system, drivers, (q, v), times)
        wrenches = {
            link: load_in_link(
                load, self.positions[link][:, 2], self.mechanism.linkage.links[link].com
            )
            for link, load in self.loads.items()
        }
        loads = system.section_loads(
            sections, q, v, a=a, joints=drivers, cuts=cuts, t=self.t, wrenches=wrenches or None
        )
        return replace(loads, t=self.t)

    @cached_property
    def shaking_force(self) -> Array:
        """Force and moment about the origin on the ground [Fx, Fy, M], shape (n, 3)."""
        moved = self.q, self.v, 0.0 * self.v
        shaking: Array = self._along("shaking_force", *moved, loads=self.loads)
        return shaking

    @cached_property
    def transmission_angles(self) -> dict[str, Array]:
        """Transmission angles of dyads by their inner joints [rad], 0 to π/2, (n,) each."""
        squares = self._along("transmission", self.q)
        return {name: np.arcsin(np.sqrt(np.clip(x[:, 0], 0, 1))) for name, x in squares.items()}

    @cached_property
    def points(self) -> tuple[TurnPoint, ...]:
        """Dead points of output links, branch points, limits and lift-offs of cams, in order."""
        dead = [point for link in self.outputs for point in self._dead_points(link)]
        pairs = self.mechanism.linkage.pairs
        lifted = lift_off_points(pairs, lambda: self.reactions, self.x, self.shown)
        every = [*dead, *self._meetings, *lifted]
        return tuple(sorted(every, key=lambda p: abs(p.coordinate - self.x[0])))

    @cached_property
    def pressure_angles(self) -> dict[str, Array]:
        """Angles between the normals of cams and the motions of followers [rad], (n,) each."""
        return pressure_angles(self.mechanism.linkage, self.positions)

    @property
    def outputs(self) -> dict[str, PlanarJoint]:
        """Links on the ground that are not driven: rockers and sliders, with their joints."""
        return outputs_of(self.mechanism.linkage)

    def output(self, link: str) -> Array:
        """Return the angle [rad] or stroke [m] of a link on the ground, shape (n,)."""
        return stroke_of(self._output_joint(link), self.positions, self.mechanism.linkage.frame)

    def output_rate(self, link: str) -> Array:
        """Return its rate [rad/s or m/s], shape (n,)."""
        return rate_of(self._output_joint(link), self.velocities, self.mechanism.linkage.frame)

    def stroke(self, link: str) -> float:
        """Return how far a rocker swings [rad] or a slider goes [m], between dead points too."""
        return float(np.ptp(np.append(self.output(link), self._at_dead_points(link))))

    def time_ratio(self, link: str) -> float:
        """Return the time of the slow stroke of a link over that of the quick one, at least 1.

        It needs a whole turn with one stroke to and one fro.
        """
        dead = self._dead_points(link)
        turn = abs(self.x[-1] - self.x[0])
        if len(dead) != 2 or not self._is_whole_turn:
            raise ModelError(
                f"time_ratio: {link!r} has {len(dead)} dead points on this way; it needs two, on"
                " one whole turn"
            )
        between = abs(dead[1].coordinate - dead[0].coordinate)
        return float(max(between, turn - between) / min(between, turn - between))

    def dwell(self, link: str, within: float = 0.01) -> float:
        """Return the longest way of the driver [rad or m] on which a link nearly stands still.

        Args:
            link: A link on the ground.
            within: How much it may move meanwhile, relative to its stroke.
        """
        room = not_negative(within, "dwell: within") * self.stroke(link)
        x, y = self.x, self.output(link)
        if self._is_whole_turn:  # what stands still may do so past the seam
            x, y = (np.concatenate([s, s[1:] + (s[-1] - s[0])]) for s in (x, y))
        longest, first = 0.0, 0
        for last in range(len(y)):
            while np.ptp(y[first : last + 1]) > room:
                first += 1
            longest = max(longest, abs(float(x[last] - x[first])))
        return min(longest, abs(float(self.x[-1] - self.x[0])))

    def curve(self, link: str, point: str | ArrayLike) -> Array:
        """Return the path of a point of a link [m], shape (n, 2): a coupler curve.

        Args:
            link: The link.
            point: The point in the link's frame [m], or the name of one, of sketches.
        """
        links = self.mechanism.linkage.links
        name = checked_link(link, links, "curve", or_ground=True)
        if isinstance(point, str):
            points = links[name].points if name in links else {}
            if point not in points:
                hint = suggestion(point, points)
                raise ModelError(f"curve: {link!r} has no point {point!r}; {hint}")
            point = points[point]
        return point_at(self.positions[name], finite_vector(point, 2, f"curve: point of {link!r}"))

    def instant_centre(self, link: str, other: str | None = None) -> Array:
        """Return where two links have the same velocity [m], shape (n, 2); infinite if parallel.

        Args:
            link: A link.
            other: Another; the ground, "ground", by default.
        """
        linkage = self.mechanism.linkage
        names = [
            checked_link(name, linkage.links, "instant_centre", or_ground=True)
            for name in (link, linkage.frame if other is None else other)
        ]
        if names[0] == names[1]:
            raise ModelError(f"instant_centre: needs two different links, not {link!r} twice")
        twists = []
        for name in names:
            v, p = self.velocities[name], self.positions[name]
            twists.append((v[:, :2] - v[:, 2:] * turned(p[:, :2]), v[:, 2:]))
        (v1, w1), (v2, w2) = twists  # velocities of the points at the origin
        with np.errstate(divide="ignore", invalid="ignore"):
            centre: Array = turned(v1 - v2) / (w1 - w2)
        return centre

    @property
    def is_angle(self) -> bool:
        """Whether the driver turns."""
        return DRIVER_KINDS[self.mechanism.linkage.by_name[self.driver].kind] == "angle"

    def shown(self, x: float) -> str:
        """Return a coordinate of the driver as text: "A = 30°"."""
        return shown_coordinate(self.mechanism.linkage, self._path.number, x)

    def _along(
        self, quantity: str, *states: Array, loads: Mapping[str, Array] | None = None
    ) -> Any:  # noqa: ANN401
        """Return a quantity at all positions, branch after branch."""
        results = []
        for branch in self.branches:
            rows = self.rows_of(branch)
            given: dict[str, Any] = {}
            if loads:
                given["loads"] = {k: x[rows] for k, x in loads.items()}
            if branch.mechanism.linkage.is_timed:
                given["t"] = self.t[rows]
            method = getattr(branch.mechanism, quantity)
            results.append(method(*(state[rows] for state in states), **given))
        if len(results) == 1:
            return results[0]
        if not isinstance(results[0], dict):
            return np.concatenate(results)
        return {name: np.concatenate([result[name] for result in results]) for name in results[0]}

    def rows_of(self, branch: AssemblyBranch) -> Array:
        """Return which positions are in an assembly, truth values of shape (n,)."""
        low, high = sorted((branch.start, branch.stop))
        within = (self.x >= low) & (self.x <= high)
        if branch is self.branches[-1]:
            within |= np.abs(self.x - self.x[0]) >= abs(branch.stop - self.x[0])
        return within

    def _dead_points(self, link: str) -> list[TurnPoint]:
        rates = self.output_rate(link)
        joint = self._output_joint(link)
        frame = self.mechanism.linkage.frame
        dead = []
        for k in np.flatnonzero(np.signbit(rates[1:]) != np.signbit(rates[:-1])):
            branch = next(b for b in self.branches if self.rows_of(b)[k])

            def rate(x: Array, branch: AssemblyBranch = branch) -> Array:
                q = self._path.q(x)
                v = np.broadcast_to(self.v[0], q.shape)
                moved = branch.mechanism.velocities(q, v, **self._path.when(x))
                return rate_of(joint, moved, frame)

            dead.append(bracketed_zero(rate, float(self.x[k]), float(self.x[k + 1])))
        if self._is_whole_turn:
            # At the seam, where rates are rounding errors, it may be seen twice or not at all.
            first, last = float(self.x[0]), float(self.x[-1])
            if any(abs(x - first) < SEAM for x in dead):
                dead = [x for x in dead if abs(x - last) >= SEAM]
            if len(dead) % 2:
                dead.insert(0, first)
        return [
            TurnPoint("dead point", x, (link,), f"dead point at {self.shown(x)}: {link} reverses")
            for x in dead
        ]

    def _at_dead_points(self, link: str) -> list[float]:
        """Return angles or strokes of a link at its dead points, which samples hardly meet."""
        joint, y, frame = self._output_joint(link), self.output(link), self.mechanism.linkage.frame
        values = []
        for point in self._dead_points(link):
            k = int(np.argmin(np.abs(self.x - point.coordinate)))
            branch = next(b for b in self.branches if self.rows_of(b)[k])
            x = np.array([point.coordinate])
            poses = branch.mechanism.positions(self._path.q(x), **self._path.when(x))
            value = stroke_of(joint, poses, frame)[0]
            if joint.kind == "R":  # angles in one turn with the samples
                value += 2.0 * np.pi * np.round((y[k] - value) / (2.0 * np.pi))
            values.append(float(value))
        return values

    @property
    def _is_whole_turn(self) -> bool:
        if self.mechanism.linkage.timed_constraints:
            return False  # it does not come back to where it was
        turn = abs(self.x[-1] - self.x[0])
        return self.is_angle and bool(np.isclose(turn, 2.0 * np.pi, rtol=0, atol=4 * CLEAR))

    def _output_joint(self, link: str) -> PlanarJoint:
        return output_joint(self.mechanism.linkage, link, "turn")
