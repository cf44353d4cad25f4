"""Equations of points and coordinates of planar linkages as constraints of a ``System``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import formula_text, symbol
from poinsot.expr.formula_tokens import LONGEST
from poinsot.expr.replay import replay
from poinsot.model import (
    WORLD,
    AbstractConstraint,
    FormulaConstraint,
    Holonomic,
    PointOnSurface,
    Pose,
)
from poinsot.model.planar.relation_pair import RelationPair


def is_formula(pair: RelationPair) -> bool:
    """Whether it has points, or an equation short enough to be written as a formula."""
    symbols = [symbol(f"y{k}") for k, _ in enumerate(pair.coordinates)]
    return bool(pair.points) or len(formula_text(_value(pair, [], symbols))) <= LONGEST


def relation_constraint(pair: RelationPair, frame: str) -> AbstractConstraint:
    """Return a point on the surface over a curve, or a formula of places and coordinates."""
    if len(pair.points) == 1 and not pair.coordinates:
        point = pair.points[0]
        axes = _world(point.a, frame), Pose((*point.origin, 0.0))
        end = _world(point.b, frame), (*point.point, 0.0)
        return PointOnSurface(pair.name, end, lambda x, y, z: _value(pair, [(x, y)], []), axes)
    if any(point.a != frame or np.any(point.origin) for point in pair.points):
        raise ModelError(
            f"system: {pair.name!r} relates points on moving links to coordinates of joints, which"
            " a System has not; simulate the mechanism itself"
        )
    where: dict[str, Any] = {f"y{k}": y.joint.name for k, y in enumerate(pair.coordinates)}
    places = []
    for k, point in enumerate(pair.points):
        names = (f"p{k}x", f"p{k}y")
        end = _world(point.b, frame), (*point.point, 0.0)
        where |= {name: (*end, axis) for name, axis in zip(names, "xy", strict=True)}
        places.append([symbol(name) for name in names])
    coordinates = [symbol(f"y{k}") for k, _ in enumerate(pair.coordinates)]
    return FormulaConstraint(pair.name, _value(pair, places, coordinates), where=where)


def relation_of_coordinates(pair: RelationPair, places: Mapping[str, int]) -> Holonomic:
    """Return an equation of coordinates as a function of all of them.

    Args:
        pair: The equation; it has no points.
        places: Where coordinates of joints are in q.

    Raises:
        ModelError: A joint closes a loop.
    """
    names = [y.joint.name for y in pair.coordinates]
    for name in names:
        if name not in places:
            raise ModelError(
                f"system: {pair.name!r} has the coordinate of {name!r}, which closes a loop, in a"
                " function of Python; simulate the mechanism itself"
            )

    def function(q: Any, t: Any) -> Any:  # noqa: ANN401 (numbers or expressions)
        return _value(pair, [], [q[places[name]] for name in names])

    return Holonomic(pair.name, function)


def _value(pair: RelationPair, places: Sequence[Any], coordinates: Sequence[Any]) -> Any:  # noqa: ANN401
    """Return g of places of points along the axes of their first links, and of coordinates."""
    x: list[Any] = []
    for point, place in zip(pair.points, places, strict=True):
        x += [c * place[0] + s * place[1] + h
              for (c, s), h in zip(point.axes, point.height, strict=True)]  # fmt: skip
    x += [y - own.shift for y, own in zip(coordinates, pair.coordinates, strict=True)]
    return replay(pair.program, np.array([*x, *(0.0 for _ in x)], object))[0][0]


def _world(link: str, frame: str) -> str:
    return WORLD if link == frame else link
