"""Gears, racks, cams and points on curves of planar linkages as constraints of a ``System``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from poinsot.expr import as_expr, symbol
from poinsot.formulations.composable.curve_rows import curve_values
from poinsot.front.planar_relations import relation_constraint
from poinsot.model import (
    WORLD,
    AbstractConstraint,
    FormulaConstraint,
    Gear,
    PointOnSurface,
    Pose,
)
from poinsot.model.constraints.place_relation import PlaceRelation
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.higher_pair import CamFollower, HigherPair, PlanarPair
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.model.planar.relation_pair import RelationPair
from poinsot.model.planar.row_pair import RowPair

FEW: Final = 12
"""Pieces of a cam's law up to which it is written as a formula, which files can hold."""


def joints_in_tree(linkage: PlanarLinkage) -> tuple[str, ...]:
    """Return the joints that carry bodies, without loops.

    Drivers, those that pairs couple, and those with armature, which cannot close loops.
    """
    wanted = [*linkage.drivers]
    paths = [(*pair.path_a, *pair.path_b) for pair in linkage.pairs]
    wanted += [name for path in paths for name, _ in path if name in linkage.by_name]  # no clock
    wanted += [joint.name for joint in linkage.joints if joint.armature]
    roots: dict[str, str] = {}

    def root(body: str) -> str:
        while body in roots:
            body = roots[body]
        return body

    kept = []
    for name in dict.fromkeys(wanted):
        ends = [root(body) for body in (linkage.by_name[name].a, linkage.by_name[name].b)]
        if ends[0] != ends[1]:
            roots[ends[0]] = ends[1]
            kept.append(name)
    return tuple(kept)


def pair_constraint(pair: PlanarPair, linkage: PlanarLinkage) -> AbstractConstraint:
    """Return a pair as a constraint between the coordinates of joints: y_b = f(y_a).

    Of a curve: as a point on the cylinder over it.
    """
    if isinstance(pair, CurvePair):
        return _on_curve(pair, linkage.frame)
    if isinstance(pair, RelationPair):
        return relation_constraint(pair, linkage.frame)
    assert not isinstance(pair, RowPair), "others are refused"
    terms = _terms(pair, linkage)
    if pair.is_linear and len(terms[0]) == len(terms[1]) == 1:
        ((first, sign_a),), ((second, sign_b),) = terms
        ratio = pair.ratio * sign_a * sign_b
        return Gear(pair.name, first, second, ratio=ratio, offset=sign_b * (pair.offset or 0.0))
    names = list(dict.fromkeys(name for term in terms for name, _ in term))
    if isinstance(pair.shape, CamFollower) and len(pair.shape.law.starts) > FEW:
        return _table(pair, terms, names)
    symbols = {name: symbol(f"y{k}") for k, name in enumerate(names)}
    y_a, y_b = (sum((sign * symbols[name] for name, sign in term), as_expr(0.0)) for term in terms)
    value = pair.law(np.array([y_a], object))[0]
    where = {f"y{k}": name for k, name in enumerate(names)}
    return FormulaConstraint(pair.name, y_b - value[0], where=where)


def _table(
    pair: HigherPair, terms: Sequence[Sequence[tuple[str, float]]], names: Sequence[str]
) -> PlaceRelation:
    """Return a cam given by a table or a profile, as a function."""

    def function(x: Any, t: Any) -> Any:  # noqa: ANN401 (numbers or expressions)
        y_a, y_b = (sum(sign * x[names.index(name)] for name, sign in term) for term in terms)
        return y_b - pair.law(np.array([y_a], object))[0][0]

    return PlaceRelation(pair.name, (), names, function)


def _on_curve(pair: CurvePair, frame: str) -> PointOnSurface:
    a, b = (_world(link, frame) for link in pair.bodies)
    axes = Pose((*pair.origin, 0.0), rpy=(0.0, 0.0, pair.turn))

    def g(x: Any, y: Any, z: Any) -> Any:  # noqa: ANN401 (generic scalars)
        return curve_values(pair.curve, np.array([x, y], object)).g[()]

    surface = g if pair.curve.radius is not None else pair.curve.formula
    return PointOnSurface(pair.name, (b, (*pair.point, 0.0)), surface, on=(a, axes))


def _world(link: str, frame: str) -> str:
    return WORLD if link == frame else link


def _terms(pair: HigherPair, linkage: PlanarLinkage) -> list[list[tuple[str, float]]]:
    """Return y_a and y_b as sums of joints' coordinates: names and signs."""
    terms = []
    for path in (pair.path_a, pair.path_b):
        signs = [1.0 if linkage.by_name[name].b == link else -1.0 for name, link in path]
        terms.append([(name, sign) for (name, _), sign in zip(path, signs, strict=True)])
    return terms
