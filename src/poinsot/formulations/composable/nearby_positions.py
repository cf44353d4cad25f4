"""Positions of mechanisms whose groups have no closed form, as formulas of poses nearby.

A fixed number of Newton steps on the equations of each such group,

    x ← x - K(x)⁻¹ φ(x, q),

the same operations at every state: expressions can be traced through them.  The result is a smooth
function of the drivers' coordinates and of the poses that it starts from.  With corrections δ₁, δ₂
and the last residual φ, lengths by the size of the mechanism, it is the assembly nearby where

    |δ₂| ≤ |δ₁| / 4   and   |φ| ≤ ``EXACT``,

the first being Newton's contraction [Deuflhard2011, section 2.1], without which another assembly
may be found.  Residuals of angles enter by their sines, so that whole turns do not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from poinsot.expr import Scalar, minimum, sin
from poinsot.formulations.composable.counted_angles import within_half_a_turn
from poinsot.formulations.composable.counted_units import has_pairs
from poinsot.formulations.composable.dyads import Placed
from poinsot.formulations.composable.numerical_group import CONTRACTION, ROUNDING
from poinsot.formulations.composable.plane import plain
from poinsot.formulations.composable.positions import closed_poses, is_closed
from poinsot.formulations.composable.turn import Turn
from poinsot.formulations.composable.unit_equations import UnitEquations
from poinsot.formulations.composable.unit_positions import Poses
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.higher_pair import HigherPair
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array

STEPS: Final = 3
EXACT: Final = 1e-11
"""Largest residual, lengths by the size of the mechanism, of what is found."""


class NearbyPositions(NamedTuple):
    """Poses of all links, and what is at least zero where they are the assembly nearby."""

    poses: Placed
    margin: Scalar


def followed_links(linkage: PlanarLinkage) -> tuple[str, ...]:
    """Return the links whose poses nearby are needed.

    Those of groups without closed form, and those whose whole turns gears in such groups see.
    """
    names: dict[str, None] = {}
    for unit in linkage.units:
        if is_closed(unit, linkage):
            continue
        for pair in (*unit.outer, *unit.inner):
            if pair.name in linkage.pair_by_name:
                names |= dict.fromkeys(linkage.pair_by_name[pair.name].bodies)
        names |= dict.fromkeys(map(str, unit.bodies))
    return tuple(name for name in linkage.links if name in names)


def linkage_size(linkage: PlanarLinkage) -> float:
    """Return the largest lever of its joints [m], 1 where all are zero."""
    levers = [np.asarray(x, float) for joint in linkage.joints for x in (joint.pa, joint.pb)]
    return max((float(np.hypot(*x)) for x in levers), default=0.0) or 1.0


def nearby_positions(
    linkage: PlanarLinkage,
    q: Array,
    modes: Mapping[str, int],
    near: Mapping[str, Array],
    size: float,
    known: Poses | None = None,
    *,
    steps: int = STEPS,
) -> NearbyPositions:
    """Return the poses of all links at one state of expressions.

    Args:
        linkage: The linkage.
        q: Coordinates of the drivers, shape (nq,).
        modes: Modes of the groups that have closed forms.
        near: Poses nearby of ``followed_links``, (3,) each.
        size: A length of the mechanism [m].
        known: Poses of the clock, of linkages that have one.
        steps: Of Newton's method; 0 leaves groups where they are nearby, as far as that is known.
    """
    given = {name: q[i] for i, name in enumerate(linkage.drivers)}
    poses = Placed({linkage.frame: np.zeros(3), **(known or {})})
    margin: Scalar = 1.0
    for unit in linkage.units:
        if not is_closed(unit, linkage):
            if not steps:
                poses.update({str(body): near[str(body)] for body in unit.bodies})
                continue
            group = _corrected(unit, linkage, poses, given, near, size, steps)
            poses.update(group.poses)
            margin = minimum(margin, group.margin)
            continue
        placed = closed_poses(unit, linkage, poses, given, modes)
        followed = set() if has_pairs(unit) else set(placed) & set(near)
        placed.update({name: within_half_a_turn(placed[name], near[name][2]) for name in followed})
        poses.update(placed)
        if isinstance(placed, Placed):
            poses.bars |= placed.bars
    return NearbyPositions(poses, margin)


def _corrected(
    unit: Unit,
    linkage: PlanarLinkage,
    known: Poses,
    q: Mapping[str, Array],
    near: Mapping[str, Array],
    size: float,
    steps: int,
) -> NearbyPositions:
    """Return the poses of the links of one group."""
    bodies = [str(body) for body in unit.bodies]
    x = np.concatenate([near[body] for body in bodies])
    lengths = np.tile([1.0 / size, 1.0 / size, 1.0], len(bodies))
    squares: list[Scalar] = []
    for _ in range(steps):
        equations = UnitEquations(unit, linkage, {**known, **_split(bodies, x)})
        correction = equations.inverse @ _residual(equations, q, 1.0)
        squares.append(np.sum((correction * lengths) ** 2))
        x = x - correction
    poses = Placed(_split(bodies, x))
    last = _residual(UnitEquations(unit, linkage, {**known, **poses}), q, size)
    contracts = CONTRACTION**2 * squares[0] + ROUNDING**2 - squares[1]
    return NearbyPositions(poses, minimum(contracts, EXACT**2 - np.sum(last**2)))


def _split(bodies: Sequence[str], x: Array) -> Poses:
    return {body: x[3 * i : 3 * i + 3] for i, body in enumerate(bodies)}


def _residual(equations: UnitEquations, q: Mapping[str, Array], size: float) -> Array:
    """Return the equations of a unit in the order of the rows of K, lengths by a size."""
    values: list[Scalar] = []
    lower = len(equations.rows)
    for k, (joint, residual) in enumerate(equations.residuals):
        phi = np.array(residual, object)
        if k >= lower:
            phi = phi - q[joint.name]
        if isinstance(joint, HigherPair | CurvePair):
            values += list(plain(phi) / (size if joint.is_length else 1.0))
        elif joint.kind == "R":
            values += [_sine(phi[0])] if k >= lower else list(phi / size)
        else:
            values += [phi[0] / size, *(_sine(turn) for turn in phi[1:])]
    return np.array(values, object)


def _sine(turn: Scalar | Turn) -> Scalar:
    return turn.s if isinstance(turn, Turn) else sin(turn)
