"""Assemblies of groups of class IV and higher by one virtual input, scanned.

A link with two joints is taken out, so that the group moves with one freedom; another joint is
driven, s its coordinate, so that what is left falls apart into smaller units whose assemblies are
known.  The link goes back in where its demand on the links at its ends (``triad_legs.py``) is met,

    f(s, modes of the smaller units) = 0,

one equation for each combination of their modes, along ``samples`` values of s.  Between two of
them a change of sign is bisected; at a least |f| two roots may lie close together, or in one place;
where an assembly of the smaller units ends its last s is sought, as roots may lie before it.  Then
Newton's method on all equations of the group.  Two roots and a turn of f, or an assembly that comes
and goes, may be missed between two samples: the list is complete only as far as they reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from poinsot.errors import AssemblyError, ModelError
from poinsot.formulations.composable.dyads import outer_joint
from poinsot.formulations.composable.searched_group import SearchedGroup
from poinsot.formulations.composable.triad_legs import TriadLeg, triad_leg
from poinsot.formulations.composable.triads import is_triad
from poinsot.formulations.composable.unit_positions import is_numbered, unit_choices
from poinsot.model.planar.decomposition import Unit, decompose
from poinsot.model.planar.graph import KinematicPair, PlanarGraph
from poinsot.model.planar.linkage import PlanarJoint
from poinsot.spatial import Array

Poses: TypeAlias = dict[str, Array]
Joints: TypeAlias = Mapping[str, PlanarJoint]
Modes: TypeAlias = tuple[tuple[str, int], ...]

SAMPLES: Final = 360
"""Values of the virtual input."""
HALVINGS: Final = 50
"""Bisections of a step, which leave rounding errors."""
THIRDS: Final = 80
"""Rounds of the search for a least |f|, each of which leaves two thirds."""
SAME: Final = 1e-6
"""Distance, relative to the size of the group, below which two assemblies are one."""


class VirtualInput(NamedTuple):
    """How a group is opened.

    Attributes:
        removed: The link that is taken out.
        joint: Name of the joint that is driven.
        units: What is left, in the order of assembly.
    """

    removed: str
    joint: str
    units: tuple[Unit, ...]


class _Value(NamedTuple):
    """f at a value of the parameter of s, and the poses there, of the removed link too."""

    t: float
    f: float
    poses: Poses


def scanned_assemblies(
    unit: Unit, joints: Joints, known: Poses, samples: int = SAMPLES
) -> list[Poses] | None:
    """Return the poses of the links of a group in all assemblies that the scan finds.

    None: the group needs more than one virtual input.

    Args:
        unit: The group.
        joints: Joints by name.
        known: Poses of the links that it hangs on.
        samples: Number of steps of the virtual input over a turn, or over the whole guide.
    """
    opened = virtual_input(unit, joints)
    if opened is None:
        return None
    group = SearchedGroup(unit, joints, known)
    distinct: list[Poses] = []
    for candidate in _Scan(group, joints, opened).candidates(samples):
        poses = group.refined(candidate)
        if poses is not None and all(group.distance(poses, other) > SAME for other in distinct):
            distinct.append(poses)
    return distinct


def virtual_input(unit: Unit, joints: Joints) -> VirtualInput | None:
    """Return how a group is opened, best without triads, by a pin, into few units.

    None: it needs more than one virtual input.
    """
    pairs = (*unit.outer, *unit.inner)
    bodies = tuple(map(str, unit.bodies))
    ways: list[tuple[tuple[int, bool, int], VirtualInput]] = []
    for removed, driven in product(bodies, pairs):
        left = [pair for pair in pairs if removed not in pair.bodies]
        if len(left) != len(pairs) - 2 or driven not in left:
            continue
        moving = tuple(body for body in bodies if body != removed)
        try:
            units = _units(moving, left, driven.name)
            listed = all(is_numbered(smaller, joints) for smaller in units)
        except ModelError:  # it does not move as its driver does
            continue
        if listed:
            cost = sum(map(is_triad, units)), driven.kind != "R", len(units)
            ways.append((cost, VirtualInput(removed, driven.name, units)))
    return min(ways, key=lambda way: way[0])[1] if ways else None


def _units(
    moving: tuple[str, ...], pairs: Sequence[KinematicPair], driver: str
) -> tuple[Unit, ...]:
    """Return the units of the opened group."""
    frame = ("known",)
    shown = tuple(
        KinematicPair(p.name, p.kind, tuple(x if x in moving else frame for x in p.bodies))
        for p in pairs
    )
    return decompose(PlanarGraph(moving, shown, (driver,), frame))


class _Scan:
    """f of one group along its virtual input."""

    def __init__(self, group: SearchedGroup, joints: Joints, opened: VirtualInput) -> None:
        self._group, self._opened = group, opened
        unit, self._known, self._joints = group.unit, group.known, group.joints
        ends = [j for j in self._joints.values() if opened.removed in (j.a, j.b)]
        self._ends = sorted(ends, key=lambda j: j.other(opened.removed) in unit.bodies)
        self._is_turn = joints[opened.joint].kind == "R"
        self._size = group.size

    def candidates(self, samples: int) -> Iterator[Poses]:
        """Yield poses near assemblies of the group."""
        # Half a step from where guides end in infinity; one step more than a turn of a pin, as
        # least values are seen from both sides.
        steps = np.arange(samples + 2 if self._is_turn else samples) + 0.5
        parameters = (-np.pi + 2.0 * np.pi * steps / samples).tolist()
        values = [self._at(t) for t in parameters]
        for modes in dict.fromkeys(key for value in values for key in value):
            for run in self._runs(modes, values, parameters):
                yield from self._in_run(modes, run)

    def _runs(
        self,
        modes: Modes,
        values: Sequence[Mapping[Modes, _Value]],
        parameters: Sequence[float],
    ) -> Iterator[list[_Value]]:
        """Yield neighbouring values in one combination of modes, up to where it ends."""
        run: list[_Value] = []
        for k, value in enumerate(values):
            if modes in value:
                if not run and k:
                    run.append(self._edge(modes, value[modes], parameters[k - 1]))
                run.append(value[modes])
            elif run:
                run.append(self._edge(modes, run[-1], parameters[k]))
                yield run
                run = []
        if run:
            yield run

    def _in_run(self, modes: Modes, run: Sequence[_Value]) -> Iterator[Poses]:
        for left, right in pairwise(run):
            if (left.f < 0.0) != (right.f < 0.0):
                yield self._root(modes, left, right)
        for k, middle in enumerate(run):
            left, right = run[max(k - 1, 0)], run[min(k + 1, len(run) - 1)]
            is_one_sided = (left.f < 0.0) == (middle.f < 0.0) == (right.f < 0.0)
            if is_one_sided and abs(left.f) >= abs(middle.f) <= abs(right.f):
                yield from self._least(modes, left, right)

    def _at(self, t: float) -> dict[Modes, _Value]:
        """Return f in all combinations of modes that there are at a parameter."""
        s = t if self._is_turn else self._size * np.tan(t / 2.0)
        given = {self._opened.joint: np.asarray(s)}
        placed: list[tuple[dict[str, int], Poses]] = [({}, {})]
        for smaller in self._opened.units:
            further = []
            for modes, poses in placed:
                try:
                    more = unit_choices(smaller, self._joints, self._known | poses, given)
                except AssemblyError:
                    continue
                further += [(modes | chosen, poses | x) for chosen, x in more]
            placed = further
        return {tuple(sorted(modes.items())): self._closed(t, poses) for modes, poses in placed}

    def _closed(self, t: float, poses: Poses) -> _Value:
        """Return f where all links but the removed one have poses."""
        removed = self._opened.removed
        first, last = self._ends
        at_first = (self._known | poses)[first.other(removed)]
        leg: TriadLeg = triad_leg(outer_joint(first, removed, at_first), last, last.other(removed))
        other = poses[last.other(removed)]
        try:
            own = leg.pose(other)
        except AssemblyError:  # parallel guides: no root is there
            own = np.full(3, np.nan)
        return _Value(t, leg.residual(other)[0], poses | {removed: own})

    def _between(self, modes: Modes, left: float, right: float) -> _Value | None:
        return self._at((left + right) / 2.0).get(modes)

    def _edge(self, modes: Modes, inside: _Value, outside: float) -> _Value:
        """Return the last value in these modes before a parameter at which there is none."""
        for _ in range(HALVINGS):
            value = self._between(modes, inside.t, outside)
            if value is None:
                outside = (inside.t + outside) / 2.0
            else:
                inside = value
        return inside

    def _root(self, modes: Modes, left: _Value, right: _Value) -> Poses:
        """Return where f changes its sign, or jumps."""
        for _ in range(HALVINGS):
            middle = self._between(modes, left.t, right.t)
            if middle is None:
                break
            is_left = (middle.f < 0.0) == (left.f < 0.0)
            left, right = (middle, right) if is_left else (left, middle)
        return min(left, right, key=lambda value: abs(value.f)).poses

    def _least(self, modes: Modes, left: _Value, right: _Value) -> Iterator[Poses]:
        """Yield where |f| is least between two values of one sign; two roots if f crosses zero."""
        start, end = left, right
        least = min(left, right, key=lambda value: abs(value.f))
        for _ in range(THIRDS):
            third = (end.t - start.t) / 3.0
            first = self._at(start.t + third).get(modes)
            second = self._at(end.t - third).get(modes)
            if first is None or second is None:
                return
            for value in (first, second):
                if (value.f < 0.0) != (left.f < 0.0):
                    yield self._root(modes, left, value)
                    yield self._root(modes, value, right)
                    return
            start, end = (start, second) if abs(first.f) < abs(second.f) else (first, end)
            least = min(least, first, second, key=lambda value: abs(value.f))
        yield least.poses
