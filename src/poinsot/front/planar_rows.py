"""Constraints of any kind as rows in the plane: what they say of links whose motion is planar.

A constraint learns how frames and joints move from a ``View``.  The one here is of links in the
plane, with their absolute rates as velocities, in symbols: what the constraint returns then are its
rows on planar links.  Combinations of rows that say nothing in the plane are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import Expr, build, fresh_symbols, jacobian, optimise, sqrt, tangent
from poinsot.expr.replay import replay
from poinsot.formulations.composable.joint_rows import driver_rows
from poinsot.front.planar_elements import DrawnEnd, end_motion
from poinsot.model.constraints.base import (
    AbstractConstraint,
    CoordinateMotion,
    Frame,
    FrameMotion,
    FramePair,
)
from poinsot.model.constraints.moving_constraint import AbstractClosure
from poinsot.model.planar.clock import CLOCK
from poinsot.model.planar.force_element import PlanarElement
from poinsot.model.planar.relation_pair import RelationCoordinate
from poinsot.model.planar.row_pair import RowPair
from poinsot.spatial import Array, Scalar, Transform, cross

SAMPLES = 5
"""Motions at which is seen what rows say in the plane."""
NOTHING = 1e-9
"""Part of the largest coefficient below which a combination of rows says nothing."""


@dataclass(frozen=True, eq=False)
class PlanarRows:
    """Rows of a constraint: those on positions, then those on velocities alone."""

    positions: tuple[RowPair, ...]
    velocities: tuple[RowPair, ...]


@dataclass(eq=False)
class _Links:
    """Poses and rates of links as symbols, each made when it is first asked for."""

    poses: dict[str, Array] = field(default_factory=dict)
    rates: dict[str, Array] = field(default_factory=dict)

    def add(self, link: str) -> None:
        if link not in self.poses:
            self.poses[link], self.rates[link] = fresh_symbols("x", 3), fresh_symbols("v", 3)

    @property
    def x(self) -> Array:
        return np.concatenate(list(self.poses.values()))

    @property
    def v(self) -> Array:
        return np.concatenate(list(self.rates.values()))


@dataclass(frozen=True, eq=False)
class PlanarView:
    """How links move in the plane, as constraints see it (``View``).

    Velocities are the absolute rates of the links, then those of all coordinates of the system's
    joints, which ``velocities`` are, and last one that moves second frames across the plane.

    Attributes:
        links: The links.
        ends: Where a frame on a body is in the drawing, and the link that carries it.
        coordinate: Coordinates of joints by name.
        names: Names of all coordinates of the system's joints.
        plane: Two unit vectors of the plane and its normal in the world, shape (3, 3).
    """

    links: _Links
    ends: Callable[[Frame], DrawnEnd]
    coordinate: Callable[[str], RelationCoordinate | float]
    names: Sequence[str]
    plane: Array

    @property
    def t(self) -> Scalar:
        """Time [s]."""
        return self.links.poses[CLOCK][0] if CLOCK in self.links.poses else 0.0

    def frame(self, pair: FramePair) -> FrameMotion:
        """Return how the second frame moves, seen from the first."""
        first, second = (self.ends(frame) for frame in pair)
        motions = []
        for end in (first, second):
            z = np.concatenate([self.links.poses[end.link], self.links.rates[end.link]])
            motions.append(end_motion(end, z, self.plane))
        E, F = motions
        apart = F.p - E.p
        V = np.concatenate(
            [F.R.T @ (F.v - E.v - cross(E.w, apart)), F.R.T @ (F.w - E.w)]
        )  # fmt: skip
        X = Transform(E.R.T @ F.R, E.R.T @ apart)
        J = self._columns(V)
        J[:3, -1] = F.R.T @ self.plane[2]
        return FrameMotion(X, V, self._bias(V), J)

    def joint(self, name: str) -> CoordinateMotion:
        """Return how the coordinate of a joint moves."""
        y = self.coordinate(name)
        if not isinstance(y, RelationCoordinate):
            nothing = np.zeros(1)
            return CoordinateMotion(
                np.array([y]), nothing, nothing, np.zeros((1, self._size)), (False,)
            )
        ends = (self.links.poses[link] for link in (y.joint.a, y.joint.b))
        own = driver_rows(y.joint, *ends).residual - y.shift
        rate = jacobian(own, self.links.x) @ self.links.v
        q = np.array([y.shown(own[0])], object)
        return CoordinateMotion(q, rate, self._bias(rate), self._columns(rate), (y.wraps,))

    def all_joints(self) -> CoordinateMotion:
        """Return how all coordinates move, by their own rates."""
        motions = self._all
        q, rate = (np.concatenate([getattr(m, x) for m in motions]) for x in ("q", "rate"))
        return CoordinateMotion(q, rate, np.zeros(len(q)), self._own)

    def velocities(self) -> tuple[Array, Array]:
        """Return the rates of all coordinates, and their derivative by the velocities."""
        return np.concatenate([m.rate for m in self._all]), self._own

    def on_links(self, J: Array, gamma: Array) -> tuple[Array, Array]:
        """Return J and gamma by the links' rates alone."""
        n, J = len(self.links.v), J[:, :-1]
        if not any(map(_is_something, J[:, n:].ravel().tolist())):
            return J[:, :n].copy(), gamma
        N = np.concatenate([m.N[:, :n] for m in self._all])
        bias = np.concatenate([m.bias for m in self._all])
        return J[:, :n] + J[:, n:] @ N, gamma + J[:, n:] @ bias

    @cached_property
    def _all(self) -> list[CoordinateMotion]:
        return [self.joint(name) for name in self.names]

    @property
    def _own(self) -> Array:
        n, count = len(self.links.v), len(self.names)
        return np.concatenate([np.zeros((count, n)), np.eye(count), np.zeros((count, 1))], axis=-1)

    @property
    def _size(self) -> int:
        return len(self.links.v) + len(self.names) + 1

    def _columns(self, rates: Array) -> Array:
        own = jacobian(rates, self.links.v)
        return np.concatenate([own, np.zeros((len(rates), len(self.names) + 1))], axis=-1)

    def _bias(self, rates: Array) -> Array:
        return tangent(rates, self.links.x, self.links.v)


def constraint_rows(
    constraint: AbstractConstraint,
    ends: Callable[[Frame], DrawnEnd],
    coordinate: Callable[[str], RelationCoordinate | float],
    names: Sequence[str],
    plane: Array,
    *,
    drawn: Mapping[str, Array],
) -> PlanarRows:
    """Return what a constraint says of links that move in the plane.

    Args:
        constraint: The constraint; its parameters are numbers.
        ends: Where frames on bodies are in the drawing.
        coordinate: Coordinates of joints by name, numbers where nothing in the plane moves them.
        names: Names of all coordinates of the system's joints.
        plane: Two unit vectors of the plane and its normal in the world, shape (3, 3).
        drawn: Poses of all links in the drawing, that of the clock among them.

    Raises:
        ModelError: Which rows say something in the plane depends on the configuration.
    """
    links = _Links()
    for frame in (end for pair in constraint.pairs for end in pair):
        links.add(ends(frame).link)
    whole = not constraint.pairs and not constraint.joints
    every = tuple(names) if whole else ()
    for y in map(coordinate, every or constraint.joints):
        for link in (y.joint.a, y.joint.b) if isinstance(y, RelationCoordinate) else ():
            links.add(link)
    if constraint.depends_on_time:
        links.add(CLOCK)
    view = PlanarView(links, ends, coordinate, every, plane)
    rows = constraint.rows(view)
    B, gamma = view.on_links(np.asarray(rows.J, object), np.asarray(rows.gamma, object))
    if constraint.depends_on_time:
        B[:, 3 * list(links.poses).index(CLOCK)] = rows.drift
    stacked = np.concatenate([np.asarray(rows.phi, object)[:, None], B, gamma[:, None]], axis=-1)
    z = np.concatenate([np.concatenate([links.poses[k], links.rates[k]]) for k in links.poses])
    start = np.concatenate([np.append(drawn[link], np.zeros(3)) for link in links.poses])
    count = len(constraint.locked) - constraint.velocity_rows
    groups = []
    for which in (slice(0, count), slice(count, None)):
        made = []
        across = np.asarray(rows.J, object)[which, -1]
        for name, weights in _said(constraint, which, (stacked[which], across), (z, start)):
            program = optimise(build({"z": z}, {"values": weights @ stacked[which]}))
            made.append(RowPair(name, tuple(links.poses), program))
        groups.append(tuple(made))
    return PlanarRows(*groups)


def _said(
    constraint: AbstractConstraint, which: slice, said: tuple[Array, Array],
    drawing: tuple[Array, Array],
) -> list[tuple[str, Array]]:  # fmt: skip
    """Return names and weights of the combinations of rows that say something in the plane.

    Args:
        constraint: The constraint.
        which: Which of its rows.
        said: φ, B and γ, and what the rows say of motion across the plane.
        drawing: z, and its values in the drawing.
    """
    (rows, across), (z, start) = said, drawing
    labels = constraint.locked[which]
    if not labels:
        return []
    program = build({"z": z}, {"B": rows[:, 1:-1]})
    turns = np.random.default_rng(0).uniform(-0.3, 0.3, (SAMPLES, len(z)))
    samples = [replay(program, start + turn)[0].reshape(len(labels), -1) for turn in turns]
    coefficients = np.concatenate(samples, axis=-1).astype(float)
    sizes = np.linalg.norm(coefficients, axis=-1)
    if not np.max(sizes) > NOTHING:
        return []
    moving = np.flatnonzero(sizes > NOTHING * np.max(sizes))
    U, s, _ = np.linalg.svd(coefficients)
    rank = int(np.sum(s > NOTHING * s[0]))
    if len(labels) == 2 and all(_rank(B, s[0]) == 1 for B in samples) and rank == 2:
        # One of two directions is across the plane; the other is in it, however both turn.
        weights = np.array([-across[1], across[0]]) / sqrt(
            across[0] * across[0] + across[1] * across[1]
        )
        return [(constraint.name, weights)]
    if any(_rank(B, s[0]) < rank for B in samples):
        raise ModelError(
            f"{constraint.label}: which of its rows {list(labels)} say something in the plane"
            " depends on the configuration; keep the System"
        )
    weights = np.eye(len(labels))[moving] if len(moving) == rank else U[:, :rank].T
    if len(constraint.locked) == 1:
        return [(constraint.name, weights[0])]
    if len(moving) == rank:
        chosen = [labels[k] for k in moving]
        return [(f"{constraint.name}: {x}", w) for x, w in zip(chosen, weights, strict=True)]
    return [(f"{constraint.name}: in the plane {k}", w) for k, w in enumerate(weights, start=1)]


def closure_element(closure: AbstractClosure, *view: Any) -> PlanarElement:  # noqa: ANN401
    """Return the spring and damper of a closure as a force element.

    Args:
        closure: A loop or a point on a curve.
        view: ``ends``, ``coordinate``, ``names`` and ``plane``, as of ``PlanarView``.
    """
    links = _Links()
    ends: Callable[[Frame], DrawnEnd] = view[0]
    for frame in closure.pair:
        links.add(ends(frame).link)
    seen = PlanarView(links, *view)
    motion = seen.frame(closure.pair)
    wrench = closure.applied(motion, None)
    moved = {}
    for frame in closure.pair:
        link = ends(frame).link
        z = np.concatenate([links.poses[link], links.rates[link]])
        moved[link] = end_motion(ends(frame), z, seen.plane)
    first, second = (ends(frame).link for frame in closure.pair)
    F, place = moved[second].R @ wrench[:3], moved[second].p
    couple = seen.plane[2] @ (moved[second].R @ wrench[3:])
    force, on_links = seen.plane[:2] @ F, {}
    for link, sign in ((first, -1.0), (second, 1.0)):
        lever = seen.plane[:2] @ place - links.poses[link][:2]
        turn = couple + lever[0] * force[1] - lever[1] * force[0]
        on_links[link] = sign * np.array([*force, turn], object)
    values = np.array([*np.concatenate([on_links[k] for k in links.poses]),
                       closure.spring_energy(motion)[()]], object)  # fmt: skip
    z = np.concatenate([np.concatenate([links.poses[k], links.rates[k]]) for k in links.poses])
    program = optimise(build({"z": z}, {"values": values}))
    return PlanarElement(closure.name, tuple(links.poses), (), program)


def _rank(B: Array, size: float) -> int:
    """Return the rank of rows at one motion; ``size`` is that of all motions together."""
    sizes = np.linalg.svd(B.astype(float), compute_uv=False)
    return int(np.sum(sizes > NOTHING * size))


def _is_something(x: Scalar) -> bool:
    return isinstance(x, Expr) or x != 0.0
