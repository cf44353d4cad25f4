"""Derivatives of the joint forces through the loads of elements that depend on the state."""

from __future__ import annotations

import numpy as np

from poinsot.expr import Expr, derivatives_along, jacobian
from poinsot.formulations.recursive.composite import base_forces
from poinsot.formulations.recursive.link_tree import StraightTree
from poinsot.formulations.recursive.links import link_wrenches
from poinsot.model import Environment
from poinsot.spatial import Array


def element_derivatives(
    tree: StraightTree, environment: Environment, symbols: Array, basis: Array | None
) -> Array:
    """Return how joint forces of elements change as their loads do, shape (nv, nv).

    Loads keep their places in the bodies here; that those move counts with the other forces.

    Args:
        tree: The links, with ``frame`` and ``screws``.
        environment: The loads, in expressions of the symbols.
        symbols: Coordinates, or velocities.
        basis: Directions in the space of the symbols, a column each; None: each symbol itself.
    """

    def derivatives(values: Array) -> Array:
        if not any(isinstance(x, Expr) for x in (*np.ravel(values), *symbols[:1])):
            return np.zeros((*values.shape, tree.mechanism.nv))
        if basis is None:
            return jacobian(values, symbols)
        return derivatives_along(values, symbols, basis)

    total = np.zeros((tree.mechanism.nv,) * 2)
    if environment.joint_forces is not None:
        total = total + derivatives(environment.joint_forces)
    for k, load in link_wrenches(tree.mechanism, environment).items():
        change = base_forces(tree.values("frame")[k], derivatives(load))
        while k >= 0:
            rows = np.zeros(total.shape, np.result_type(total, change))
            rows[tree.links[k].v] = tree.values("screws")[k] @ change
            total, k = total + rows, tree.links[k].parent  # noqa: PLW2901
    return total
