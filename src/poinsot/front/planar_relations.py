"""Equations of points and coordinates of planar linkages as constraints of a ``System``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from poinsot.expr import formula_text, symbol
from poinsot.expr.formula_tokens import LONGEST
from poinsot.expr.replay import replay
from poinsot.model import (
    WORLD,
    AbstractConstraint,
    FormulaConstraint,
    PointOnSurface,
    Pose,
)
from poinsot.model.constraints.place_relation import PlaceRelation
from poinsot.model.planar.clock import TIME
from poinsot.model.planar.relation_pair import RelationPair


def relation_constraint(pair: RelationPair, frame: str) -> AbstractConstraint:
    """Return a point on the surface over a curve, a formula that files hold, or a function."""
    if len(pair.points) == 1 and not pair.coordinates:
        point = pair.points[0]
        axes = _world(point.a, frame), Pose((*point.origin, 0.0))
        end = _world(point.b, frame), (*point.point, 0.0)
        return PointOnSurface(pair.name, end, lambda x, y, z: _value(pair, [(x, y)], []), axes)
    return _formula(pair, frame) or _function(pair, frame)


def _formula(pair: RelationPair, frame: str) -> FormulaConstraint | None:
    """Return it in world coordinates; None where axes move, or where it is too long."""
    if any(point.a != frame or np.any(point.origin) for point in pair.points):
        return None
    where: dict[str, Any] = {}
    places, coordinates = [], []
    for k, point in enumerate(pair.points):
        names = (f"p{k}x", f"p{k}y")
        end = _world(point.b, frame), (*point.point, 0.0)
        where |= {name: (*end, axis) for name, axis in zip(names, "xy", strict=True)}
        places.append([symbol(name) for name in names])
    for k, y in enumerate(pair.coordinates):
        coordinates.append(symbol("t" if y == TIME else f"y{k}"))
        where |= {} if y == TIME else {f"y{k}": y.joint.name}
    value = _value(pair, places, coordinates)
    if len(formula_text(value)) > LONGEST:
        return None
    return FormulaConstraint(pair.name, value, where=where)


def _function(pair: RelationPair, frame: str) -> PlaceRelation:
    """Return it as a function of places in the frames of links, and of coordinates."""
    seen = []
    for point in pair.points:
        axes = _world(point.a, frame), Pose((*point.origin, 0.0))
        seen.append((axes, (_world(point.b, frame), Pose((*point.point, 0.0)))))
    used = [y.joint.name for y in pair.coordinates if y != TIME]

    def function(x: Any, t: Any) -> Any:  # noqa: ANN401 (numbers or expressions)
        own = iter(x[3 * len(seen) :])
        coordinates = [t if y == TIME else next(own) for y in pair.coordinates]
        return _value(pair, [x[3 * k : 3 * k + 2] for k in range(len(seen))], coordinates)

    return PlaceRelation(pair.name, seen, used, function)


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
