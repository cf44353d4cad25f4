"""Positions of planar linkages with groups that have no closed form: followed from poses nearby.

From the drawing on, a driver's coordinates are gone through in small steps; where Newton's method
does not contract, in smaller ones.  States between two such *anchors* are found from the first of
them, all together by machine code.  Variants of dimensions grow out of the linkage itself in the
same way, at coordinates that rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import AssemblyError, ModelError, ShapeError
from poinsot.evaluate.planar_kernel import PlanarKernel
from poinsot.formulations.composable.clock_motion import clock_motion
from poinsot.formulations.composable.counted_units import has_pairs
from poinsot.formulations.composable.drawing import drawn_coordinates, drawn_size
from poinsot.formulations.composable.nearby_positions import followed_links, linkage_size
from poinsot.formulations.composable.positions import is_closed, positions, unwound
from poinsot.formulations.composable.unit_positions import Poses
from poinsot.model.checks import real_array
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.clock import CLOCK
from poinsot.model.planar.dimensions import dimension_value
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.model.planar.shown_coordinate import shown_coordinates
from poinsot.spatial import Array

FEW: Final = 24
"""States that floats compute before machine code is made."""
TIME_STEP: Final = 0.01
"""Largest step of the time [s], of linkages that change with it."""
STEP: Final = 0.2
"""Largest step of a driver's coordinate from anchor to anchor [rad, or sizes of the drawing]."""
HALVINGS: Final = 12
"""How often a step is halved before a dead point is said to be passed."""
GROWTHS: Final = (1, 8, 64)
"""Steps in which variants grow; those that fail are tried with the next number."""


class PlanarFollower:
    """Positions of one linkage by those nearby.

    Coordinates have the time behind them, (..., nq + 1), where the linkage changes with it.
    """

    def __init__(self, linkage: PlanarLinkage, modes: Mapping[str, int]) -> None:
        self._linkage, self._modes = linkage, modes
        self._links = followed_links(linkage)
        size = linkage_size(linkage) if linkage.drawn is None else drawn_size(linkage)
        joints = [linkage.by_name[name] for name in linkage.drivers]
        sizes = [STEP * (1.0 if j.kind == "R" else size) for j in joints]
        self._step_sizes = np.array([*sizes, TIME_STEP] if linkage.is_timed else sizes)
        self._kernels: dict[tuple[str, ...], PlanarKernel] = {}
        self._seen = 0

    def from_drawing(self, q: Array) -> Poses:
        """Return the poses at states one after the other, each followed from the last.

        Args:
            q: Coordinates, shape (..., nq).
        """
        drawn = self._drawn
        anchors: list[tuple[Array, Poses]] = [(self._drawn_coordinates(), drawn)]
        targets = q.reshape(-1, q.shape[-1])
        anchor_of = np.empty(len(targets), int)
        for k, target in enumerate(targets):
            reached, last = anchors[-1]
            if self._steps(reached, target) > 1.0:
                anchors.append((target, self._walked(reached, last, target)))
            anchor_of[k] = len(anchors) - 1
        starts = {name: np.array([poses[name] for _, poses in anchors]) for name in drawn}
        near = {name: array[anchor_of] for name, array in starts.items()}
        poses, doubtful = self._at_once(targets, near)
        for k in np.flatnonzero(doubtful).tolist():
            reached, start = anchors[anchor_of[k]]
            for name, pose in self._walked(reached, start, targets[k]).items():
                poses[name][k] = pose
        return {name: pose.reshape(*q.shape[:-1], 3) for name, pose in poses.items()}

    @cached_property
    def _drawn(self) -> Poses:
        """Poses of the drawing, or of the assembly that modes name where drivers are as drawn."""
        if self._linkage.drawn is None:
            raise AssertionError("there is no drawing to start from")
        drawn = {name: pose for name, pose in self._linkage.drawn.items() if name != CLOCK}
        given = False
        for unit in self._linkage.units:
            named = [pair.name for pair in unit.inner if pair.name in self._modes]
            if not named or is_closed(unit, self._linkage):
                continue
            if has_pairs(unit):
                raise ModelError(
                    f"modes: {named[0]!r} is inside of {list(unit.bodies)} ({unit.form}), whose"
                    " assemblies are not numbered; draw the one that is meant"
                )
            given = True
        if not given:
            return dict(drawn)
        return self._placed(self._drawn_coordinates(), drawn, numbered=True)

    def _drawn_coordinates(self) -> Array:
        q = drawn_coordinates(self._linkage)
        return np.append(q, self._linkage.drawn_at) if self._linkage.is_timed else q

    def near(self, q: Array, near: Mapping[str, Array]) -> Poses:
        """Return the poses at states (..., nq) from poses nearby, shapes (..., 3)."""
        missing = [name for name in self._links if name not in near]
        if missing:
            raise ModelError(
                f"near must have the poses of {', '.join(self._links)}; {missing[0]!r} is missing"
            )
        lead = np.broadcast_shapes(q.shape[:-1], *(x.shape[:-1] for x in near.values()))
        rows = np.broadcast_to(q, (*lead, q.shape[-1])).reshape(-1, q.shape[-1])
        flat = {name: np.broadcast_to(x, (*lead, 3)).reshape(-1, 3) for name, x in near.items()}
        poses, doubtful = self._by_machine_code(rows, flat, {})
        for k in np.flatnonzero(doubtful)[:1].tolist():
            guess = {name: pose[k] for name, pose in poses.items()}
            self._on_floats(rows[k], guess | {name: x[k] for name, x in flat.items()})
            raise AssemblyError(self._refusal(rows[k]))
        return {name: pose.reshape(*lead, 3) for name, pose in poses.items()}

    def grown(self, q: Array, near: Poses, dimensions: Mapping[str, Array]) -> Poses:
        """Return the poses of variants; NaN of those that cannot be assembled.

        Args:
            q: Coordinates, shape (..., nq).
            near: Poses of the linkage itself there.
            dimensions: By name, shapes (..., size).
        """
        lead = np.broadcast_shapes(q.shape[:-1], *(x.shape[:-1] for x in dimensions.values()))
        rows = np.broadcast_to(q, (*lead, q.shape[-1])).reshape(-1, q.shape[-1])
        ends = {
            name: np.broadcast_to(x, (*lead, x.shape[-1])).reshape(-1, x.shape[-1])
            for name, x in dimensions.items()
        }
        starts = {name: np.ravel(dimension_value(self._linkage, name)) for name in ends}
        origin = {name: np.broadcast_to(x, (*lead, 3)).reshape(-1, 3) for name, x in near.items()}
        poses = {name: np.full((len(rows), 3), np.nan) for name in origin}
        left = np.arange(len(rows))
        for count in GROWTHS:
            variants = {name: x[left] for name, x in origin.items()}
            failed = np.zeros(len(left), bool)
            for share in np.arange(1, count + 1) / count:
                values = {k: starts[k] + share * (x[left] - starts[k]) for k, x in ends.items()}
                variants, doubtful = self._by_machine_code(rows[left], variants, values)
                failed |= doubtful
            for name, pose in variants.items():
                poses[name][left[~failed]] = pose[~failed]
            left = left[failed]
            if not len(left):
                break
        return {name: pose.reshape(*lead, 3) for name, pose in poses.items()}

    def neighbours(self, q: Array) -> NDArray[np.intp]:
        """Return which states (n, nq) are within a step of the one after them."""
        steps = np.abs(np.diff(q, axis=0)) / self._step_sizes
        near: NDArray[np.intp] = np.flatnonzero(np.max(steps, axis=-1, initial=0.0) <= 1.0)
        return near

    def followed(
        self, q: Array, poses: Poses, states: NDArray[np.intp]
    ) -> tuple[Poses, NDArray[np.bool_]]:
        """Return the poses of the states after these, and which cannot be followed there.

        Args:
            q: Coordinates, shape (n, nq).
            poses: Poses at all of them, (n, 3) each.
            states: Numbers of the states from which to go on.
        """
        starts = {name: x[states] for name, x in poses.items()}
        ends, lost = self._at_once(q[states + 1], starts)
        for k in np.flatnonzero(lost).tolist():
            start = {name: x[k] for name, x in starts.items()}
            try:
                walked = self._walked(q[states[k]], start, q[states[k] + 1])
            except AssemblyError:
                continue
            lost[k] = False
            for name, pose in walked.items():
                ends[name][k] = pose
        return ends, lost

    def _steps(self, start: Array, end: Array) -> float:
        """Return how many steps lie between coordinates, a fraction."""
        return float(np.max(np.abs(end - start) / self._step_sizes, initial=0.0))

    def _walked(self, start: Array, poses: Poses, end: Array) -> Poses:
        """Return the poses at ``end``, in steps from a state."""
        count = max(1, math.ceil(self._steps(start, end)))
        goals = [start + (end - start) * (k / count) for k in range(count, 0, -1)]
        least = np.max(np.abs(end - start)) / count * 0.5**HALVINGS
        reached = start
        while goals:
            stepped = self._step(goals[-1], poses)
            if stepped is not None:
                reached, poses = goals.pop(), stepped
            elif np.max(np.abs(goals[-1] - reached)) > least:
                goals.append((reached + goals[-1]) / 2.0)
            else:
                raise AssemblyError(self._refusal(goals[-1]))
        return poses

    def _step(self, q: Array, near: Poses) -> Poses | None:
        """Return the poses of one state; None where Newton's method does not contract."""
        if self._seen < FEW or not self._linkage.drivers:
            self._seen += 1
            try:
                return self._on_floats(q, near)
            except AssemblyError:
                return None
        rows = {name: pose[None] for name, pose in near.items()}
        poses, doubtful = self._by_machine_code(q[None], rows, {})
        return None if doubtful[0] else {name: pose[0] for name, pose in poses.items()}

    def _at_once(self, q: Array, near: Poses) -> tuple[Poses, NDArray[np.bool_]]:
        """Return poses of many states, and which of them are doubtful."""
        if self._seen + len(q) > FEW and self._linkage.drivers:
            return self._by_machine_code(q, near, {})
        poses = {name: x.copy() for name, x in near.items()}
        doubtful = np.zeros(len(q), bool)
        for k, row in enumerate(q):
            stepped = self._step(row, {name: x[k] for name, x in near.items()})
            doubtful[k] = stepped is None
            for name, pose in (stepped or {}).items():
                poses[name][k] = pose
        return poses, doubtful

    def _by_machine_code(
        self, q: Array, near: Poses, dimensions: Mapping[str, Array]
    ) -> tuple[Poses, NDArray[np.bool_]]:
        self._seen += len(q)
        names = tuple(dimensions)
        if names not in self._kernels:
            self._kernels[names] = PlanarKernel(
                self._linkage, self._modes, "positions", (), names, followed=True
            )
        rows = np.concatenate([near[name] for name in self._links], axis=-1)
        nq = len(self._linkage.drivers)
        time = [q[:, nq:]] if self._linkage.is_timed else []
        inputs = [q[:, :nq], rows, *time, *dimensions.values()]
        poses, doubtful = self._kernels[names].run(inputs, (len(q),))
        known = {name: near.get(name, pose) for name, pose in poses.items()}
        with np.errstate(invalid="ignore"):
            whole = unwound(poses, known)
        return whole, np.zeros(len(q), bool) if doubtful is None else doubtful

    def _on_floats(self, q: Array, near: Poses) -> Poses:
        return self._placed(q, near, numbered=False)

    def _placed(self, q: Array, near: Poses, *, numbered: bool) -> Poses:
        nq = len(self._linkage.drivers)
        known = clock_motion(self._linkage, q[nq:]).poses
        placed = positions(self._linkage, q[:nq], self._modes, known, guess=near, numbered=numbered)
        return {name: pose for name, pose in placed.items() if name != CLOCK}

    def shown(self, q: Array) -> str:
        """Return the drivers' coordinates at one state, for messages."""
        return shown_coordinates(self._linkage, q.tolist()[: len(self._linkage.drivers)])

    def _refusal(self, q: Array) -> str:
        return (
            f"links {list(self._links)} cannot be assembled near the poses they come from: a dead"
            " point is passed, or the drawing does not fit; change lengths, coordinates or the"
            f" drawing (at {self.shown(q)})"
        )


def checked_near(linkage: PlanarLinkage, near: Mapping[str, ArrayLike]) -> Poses:
    """Return poses nearby as arrays (..., 3), of floats or expressions."""
    links = (*linkage.links, linkage.frame)
    if not isinstance(near, Mapping):
        raise ModelError(
            f'near must be poses by link, {{"{links[0]}": (x, y, angle)}}, such as positions()'
            f" returns, got {type(near).__name__}"
        )
    checked = {}
    for name, pose in near.items():
        if name not in links:
            raise ModelError(f"near: there is no link {name!r}; {suggestion(name, links)}")
        array = np.asarray(pose)
        array = array if array.dtype == object else real_array(array, f"near: {name!r}")
        if array.shape[-1:] != (3,):
            raise ShapeError(
                f"near: the pose of {name!r} must have the shape (..., 3), got {array.shape}"
            )
        checked[name] = array
    return checked
