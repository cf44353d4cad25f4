"""Joint forces per unit of inertial parameters: columns of the regressor, without differentiation.

The wrench W of a link about its origin is linear in its ten inertial parameters, so each of them
has a wrench per unit, of the link's motion alone; a joint j on the way to the base feels

    ∂tau_j/∂pi = S_jᵀ ∂W/∂pi,

in two algorithms: motion subspaces S_j are carried outwards into the axes of each link, once for
all its parameters; or they and the wrenches are taken in one frame.  The recursive equations,
differentiated, carry the wrench of every parameter inwards, joint by joint.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from poinsot.expr import jacobian
from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.formulations.recursive.composite import FRAME, base_forces
from poinsot.formulations.recursive.derivative_sweep import SCREWS
from poinsot.formulations.recursive.inverse import (
    LinkMotion,
    base_motion,
    link_motion,
    turning_force,
)
from poinsot.formulations.recursive.link_tree import StraightTree
from poinsot.formulations.recursive.links import Placement, link_frame, links_of
from poinsot.formulations.sweep import BASE, step
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array, Inertia, Scalar, cross

__all__ = [
    "Columns",
    "InertialColumn",
    "columns_in_link_axes",
    "columns_in_one_frame",
    "cost_in_link_axes",
    "cost_in_one_frame",
    "inertia_changes",
    "unit_changes",
]


@dataclass(frozen=True, eq=False)
class InertialColumn:
    """How the inertia of a link changes per unit of one parameter, in the link's axes.

    Attributes:
        index: Number of the column.
        mass: Derivative of its mass.
        h: That of its first moment, shape (3,).
        sigma: That of its second moment, the integral of r rᵀ dm about its origin, shape (3, 3).
    """

    index: int
    mass: Scalar
    h: Array
    sigma: Array


Columns = Mapping[int, Sequence[InertialColumn]]
"""For links, by number, how their inertias change."""


def columns_in_link_axes(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment, *,
    columns: Columns, count: int,
) -> Array:  # fmt: skip
    """Return ∂tau/∂pi, shape (nv, count): motion subspaces are carried from link to link.

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        a: Acceleration dv/dt, shape (nv,).
        environment: Its gravity and motion of the base count.
        columns: How the inertias of links change.
        count: How many columns there are.
    """
    tree = _moving_tree(mechanism, q, v, a, environment)
    placements = tree.values("placement")
    carried: dict[int, dict[int, Array]] = {BASE: {}}
    for k in sorted(_on_the_way(tree.parents, columns)):
        link = tree.links[k]
        before = carried[link.parent].items()
        carried[k] = {j: _to_child(placements[k], S) for j, S in before}
        carried[k][k] = link.joint.motion_subspace(tree.input("q", link.q))
    return _projected(tree, columns, count, lambda k, wrench: (carried[k], wrench))


def columns_in_one_frame(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment, *,
    columns: Columns, count: int,
) -> Array:  # fmt: skip
    """Return ∂tau/∂pi, shape (nv, count): screws and wrenches are taken in one frame.

    It is that of ``derivative_sweep``.  For the arguments see :func:`columns_in_link_axes`.
    """
    tree = _moving_tree(mechanism, q, v, a, environment)
    tree.start("frame", (np.eye(3), np.zeros(3)) if tree.root is None else None)
    tree.outward([FRAME, SCREWS])
    frames, screws = tree.values("frame"), tree.values("screws")

    def in_frame(k: int, wrench: Array) -> tuple[dict[int, Array], Array]:
        path = _on_the_way(tree.parents, [k])
        return {j: screws[j].T for j in path}, base_forces(frames[k], wrench[:, None])[:, 0]

    return _projected(tree, columns, count, in_frame)


def cost_in_link_axes(mechanism: Mechanism, columns: Columns) -> float:
    """Return about how many operations :func:`columns_in_link_axes` takes."""
    links, pairs, products = _sizes(mechanism, columns)
    return 60.0 * links + 28.0 * pairs + 8.0 * products


def cost_in_one_frame(mechanism: Mechanism, columns: Columns) -> float:
    """Return about how many operations :func:`columns_in_one_frame` takes."""
    links, _, products = _sizes(mechanism, columns)
    return 100.0 * links + 30.0 * sum(map(len, columns.values())) + 8.0 * products


def inertia_changes(mechanism: Mechanism, names: Array) -> Columns:
    """Return how the inertias of links change per unit of parameters, symbols, shape (k,)."""
    changes: dict[int, list[InertialColumn]] = {}
    for k, link in enumerate(links_of(mechanism)):
        numbers = np.array([link.mass, *link.h, *link.sigma.flat], dtype=object)
        for i, column in enumerate(jacobian(numbers, names).T):
            if not all(map(is_zero, column)):
                sigma = column[4:].reshape(3, 3)
                changes.setdefault(k, []).append(InertialColumn(i, column[0], column[1:4], sigma))
    return changes


def unit_changes(mechanism: Mechanism) -> Columns:
    """Return how the inertias of links change per unit of the ten parameters of each body."""
    changes: dict[int, list[InertialColumn]] = {}
    for i in range(mechanism.n_bodies):
        k, X_CB = link_frame(mechanism, i)
        if k < 0:
            continue
        for c, unit in enumerate(_UNITS):
            moved = unit.to_parent(X_CB)
            column = InertialColumn(len(_UNITS) * i + c, moved.mass, moved.h, moved.second_moment())
            changes.setdefault(k, []).append(column)
    return changes


def wrench_of(column: InertialColumn, motion: LinkMotion) -> Array:
    """Return the wrench per unit of a parameter about the link's origin, in its axes, (6,).

        f = m a + K h,      n = h × a + vee(K sigma - (K sigma)ᵀ) = h × a + I al + w × I w

    of which the last has fewer operations where I has fewer numbers than sigma.
    """
    h, sigma, w = column.h, column.sigma, motion.w
    f = column.mass * motion.a + motion.K @ h
    I = (sigma[0, 0] + sigma[1, 1] + sigma[2, 2]) * np.eye(3) - sigma
    if _count(I) < _count(sigma):
        n = I @ motion.al + cross(w, I @ w)
    else:
        n = turning_force(sigma, motion)
    return np.concatenate([f, cross(h, motion.a) + n])


def _moving_tree(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment
) -> StraightTree:
    """Return the links with their placements and motions."""
    tree = StraightTree(mechanism, links_of(mechanism), environment, q=q, v=v, a=a)
    tree.from_environment("motion", base_motion)
    tree.place()
    tree.outward([_MOTION])
    return tree


def _projected(
    tree: StraightTree, columns: Columns, count: int,
    seen: Callable[[int, Array], tuple[Mapping[int, Array], Array]],
) -> Array:  # fmt: skip
    """Return what joints feel of the wrenches of links, shape (nv, count).

    Args:
        tree: The links with their motions.
        columns: How their inertias change.
        count: How many columns there are.
        seen: Of a link and a wrench on it, the motion subspaces (6, k) of the joints that carry
            it, by number, and the wrench, all in the same frame.
    """
    motions = tree.values("motion")
    result = np.zeros((tree.mechanism.nv, count), dtype=object)
    for k, changes in columns.items():
        for column in changes:
            subspaces, wrench = seen(k, wrench_of(column, motions[k]))
            for j, S in subspaces.items():
                rows = tree.links[j].v
                result[rows, column.index] = result[rows, column.index] + S.T @ wrench
    return np.array(result.tolist()).reshape(result.shape)


def _to_child(placement: Placement, S: Array) -> Array:
    """Return motions, columns of S (6, k), in the axes of a child at its origin, (6, k)."""
    columns = []
    for v, w in zip(S[:3].T, S[3:].T, strict=True):
        carried = v + cross(w, placement.p)
        columns.append(np.concatenate([placement.to_child(carried), placement.to_child(w)]))
    return np.array(columns).T


def _sizes(mechanism: Mechanism, columns: Columns) -> tuple[int, int, int]:
    """Return how many links carry columns, pairs of a link and a velocity, and of a column."""
    links = links_of(mechanism)
    parents = [link.parent for link in links]
    needed = _on_the_way(parents, columns)
    felt = {k: sum(links[j].joint.nv for j in _on_the_way(parents, [k])) for k in needed}
    products = sum(felt[k] * len(changes) for k, changes in columns.items())
    return len(needed), sum(felt.values()), products


def _on_the_way(parents: Sequence[int], links: Collection[int]) -> set[int]:
    """Return links and all that carry them."""
    carrying: set[int] = set()
    for outer in links:
        link = outer
        while link >= 0 and link not in carrying:
            carrying.add(link)
            link = parents[link]
    return carrying


def _count(array: Array) -> int:
    return sum(not is_zero(x) for x in array.ravel().tolist())


def _unit(index: int) -> Inertia:
    """Return one unit of m, mc or (Ixx, Iyy, Izz, Ixy, Ixz, Iyz), by number."""
    h, I = np.zeros(3), np.zeros((3, 3))
    if 0 < index < 4:
        h[index - 1] = 1.0
    elif index >= 4:
        i, k = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))[index - 4]
        I[i, k] = I[k, i] = 1.0
    return Inertia(float(index == 0), h, I)


_UNITS: Final = tuple(map(_unit, range(10)))
_MOTION = step(link_motion, "link placement parent.motion q v a", "motion")
