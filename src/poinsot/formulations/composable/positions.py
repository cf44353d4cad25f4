"""Poses of all links from the drivers' coordinates, unit after unit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import AssemblyError, ModelError
from poinsot.formulations.composable.counted_units import (
    counted_poses,
    has_pairs,
    is_counted,
    keeps_turns,
)
from poinsot.formulations.composable.dyads import Placed
from poinsot.formulations.composable.led_link import led_poses
from poinsot.formulations.composable.numerical_group import numerical_poses
from poinsot.formulations.composable.unit_positions import (
    Choice,
    Poses,
    has_closed_form,
    unit_choices,
    unit_poses,
)
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array


def positions(
    linkage: PlanarLinkage,
    q: ArrayLike,
    modes: Mapping[str, int] | None = None,
    known: Mapping[str, Array] | None = None,
    *,
    guess: Poses | None = None,
    numbered: bool = False,
) -> Placed:
    """Return the pose of every link, each of shape (..., 3), the frame's among them.

    Angles of expressions may be turns, which know their cosines and sines: ``plain`` makes them
    expressions.

    Args:
        linkage: The linkage.
        q: Coordinates of the drivers [rad, m], shape (..., nq).
        modes: Assembly modes by the name of an inner joint of the group; 1 where nothing is said.
            Of triads: 1, 2, ... for their modes by increasing angle of the ternary link, of groups
            of class IV and higher of the first link, counted at each state by itself: no branch is
            tracked.
        known: Poses of the ports.
        guess: Poses of all links at a state nearby, one state, for groups without closed form.
        numbered: Whether modes of triads go before the guess.

    Raises:
        AssemblyError: A unit cannot be assembled.
    """
    coordinates = np.asarray(q)
    given = {name: coordinates[..., i] for i, name in enumerate(linkage.drivers)}
    poses = Placed({linkage.frame: np.zeros((*coordinates.shape[:-1], 3)), **(known or {})})
    for unit in linkage.units:
        chosen = numbered and any(pair.name in (modes or {}) for pair in unit.inner)
        if guess is not None and not chosen and not is_closed(unit, linkage):
            poses.update(numerical_poses(unit, linkage, poses, given, guess))
            continue
        placed = closed_poses(unit, linkage, poses, given, modes or {})
        is_wound = guess is None or has_pairs(unit)
        poses.update(placed if is_wound else unwound(placed, guess or {}))
        if isinstance(placed, Placed):
            poses.bars |= placed.bars
    return poses


def closed_poses(
    unit: Unit,
    linkage: PlanarLinkage,
    known: Poses,
    q: Mapping[str, Array],
    modes: Mapping[str, int],
) -> Poses:
    """Return the poses of the links of a unit by formulas; arguments as of ``unit_poses``."""
    if has_pairs(unit):
        _refuse_open(unit, linkage)
        return counted_poses(unit, linkage, known)
    return unit_poses(unit, linkage.by_name, known, q, modes)


def is_closed(unit: Unit, linkage: PlanarLinkage) -> bool:
    """Whether positions of a unit of a linkage are formulas."""
    if has_pairs(unit):
        return is_counted(unit, linkage) and keeps_turns(unit, linkage)
    return has_closed_form(unit, linkage.by_name)


def _refuse_open(unit: Unit, linkage: PlanarLinkage) -> None:
    if is_closed(unit, linkage):
        return
    curves = [
        pair.name
        for pair in (*unit.outer, *unit.inner)
        if isinstance(linkage.pair_by_name.get(pair.name), CurvePair)
    ]
    if curves:
        no_formula = (
            f"links {list(unit.bodies)} on the curve {curves[0]!r} have no closed form for their"
            " positions"
        )
        if linkage.drawn is None:
            raise ModelError(
                f'{no_formula}; draw the mechanism: give each body a "pose" (x, y, angle), with'
                " the point on the curve, and it is followed from there"
            )
        raise ModelError(
            f"{no_formula}, which are followed from the drawing by numbers; assemblies cannot be"
            " listed then, and expressions need near=, poses nearby; circles have formulas"
        )
    raise ModelError(
        f"links {list(unit.bodies)} with gears or cams ({unit.form}) have no closed form for"
        " their positions, or whole turns of what drives them are not known; draw the"
        ' mechanism: give each body a "pose" (x, y, angle), and it is followed from there'
    )


def unwound(poses: Poses, guess: Mapping[str, Array]) -> Poses:
    """Return poses whose angles are within half a turn of those nearby."""
    whole = {}
    for body, pose in poses.items():
        whole[body] = np.array(pose)
        away = guess[body][..., 2] - pose[..., 2]
        whole[body][..., 2] += 2.0 * np.pi * np.round(away / (2.0 * np.pi))
    return whole


def has_closed_forms(linkage: PlanarLinkage) -> bool:
    """Whether the positions of all units are formulas: of dyads, wedges and drivers they are."""
    return all(is_closed(unit, linkage) for unit in linkage.units)


def assemblies(
    linkage: PlanarLinkage, q: ArrayLike, known: Poses | None = None, *, most: int | None = None
) -> Iterator[dict[str, int]]:
    """Yield the modes of all assemblies at one state, by the first inner joint of each group.

    One after the other, unit by unit: a linkage of many groups has very many.  Of units whose
    drivers move links against each other: by the joints inside the groups that remain when drivers
    are locked.  After ``most`` units that were placed no more are sought.

    Raises:
        ModelError: Assemblies of a group cannot be listed.
    """
    return (modes for modes, _ in placed_assemblies(linkage, q, known, most=most))


def placed_assemblies(
    linkage: PlanarLinkage, q: ArrayLike, known: Poses | None = None, *, most: int | None = None
) -> Iterator[Choice]:
    """Yield the modes of all assemblies at one state, and the poses of all links in each.

    Args:
        linkage: The linkage.
        q: Coordinates of the drivers, shape (nq,).
        known: Pose of the clock, of linkages that have one.
        most: Units that are placed at most.
    """
    given = dict(zip(linkage.drivers, np.asarray(q), strict=True))
    start = {linkage.frame: np.zeros(3), **(known or {})}
    started: list[tuple[int, dict[str, int], Poses]] = [(0, {}, start)]
    for _ in count() if most is None else range(most):
        if not started:
            return
        n_placed, chosen, placed = started.pop()
        if n_placed == len(linkage.units):
            yield chosen, placed
            continue
        unit = linkage.units[n_placed]
        try:
            led = led_poses(unit, linkage, placed) if has_pairs(unit) else None
            if led is not None:
                choices: list[Choice] = [({}, led)]
            elif has_pairs(unit):
                _refuse_open(unit, linkage)
                choices = [({}, counted_poses(unit, linkage, placed))]
            else:
                choices = unit_choices(unit, linkage.by_name, placed, given)
        except AssemblyError:
            continue
        for named, poses in reversed(choices):
            started.append((n_placed + 1, chosen | named, placed | poses))
