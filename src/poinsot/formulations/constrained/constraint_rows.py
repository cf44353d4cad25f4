"""All rows of a mechanism's constraints at one state, and what their multipliers do to bodies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poinsot.expr.least_squares import significant
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.model import WORLD, AbstractClosure, Environment, FramePair, Mechanism, Rows
from poinsot.spatial import Array, Scalar


def all_rows(mechanism: Mechanism, q: Array, v: Array, t: Scalar = 0.0) -> Rows:
    """Return the rows of the loops and constraints, one under the other.

        J a + gamma = 0,        J v + drift = 0,        phi = 0

    Args:
        mechanism: The bodies, loops and constraints.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        t: Time [s].
    """
    return rows_of(mechanism, MechanismView(mechanism, q, v, t))


def rows_of(mechanism: Mechanism, view: MechanismView) -> Rows:
    """Return the rows as a view shows them."""
    parts = [one.rows(view) for one in mechanism.closures]
    if not parts:
        return Rows(np.zeros(0), np.zeros((0, mechanism.nv)), np.zeros(0), np.zeros(0))
    return Rows(
        np.concatenate([part.phi for part in parts]),
        significant(np.concatenate([part.J for part in parts])),
        np.concatenate([part.drift for part in parts]),
        np.concatenate([part.gamma for part in parts]),
    )


def constraint_residual(mechanism: Mechanism, q: Array, environment: Environment) -> Array:
    """Return phi, what the positions miss, shape (m,)."""
    return all_rows(mechanism, q, np.zeros(mechanism.nv), environment.t).phi


def constraint_rate(mechanism: Mechanism, q: Array, v: Array, environment: Environment) -> Array:
    """Return J v + drift, what the velocities miss, shape (m,)."""
    rows = all_rows(mechanism, q, v, environment.t)
    rate: Array = rows.J @ v + rows.drift
    return rate


def constraint_bias(mechanism: Mechanism, q: Array, v: Array, environment: Environment) -> Array:
    """Return gamma, the second rate of phi while no joint accelerates, shape (m,)."""
    return all_rows(mechanism, q, v, environment.t).gamma


def constraint_jacobian(mechanism: Mechanism, q: Array, environment: Environment) -> Array:
    """Return J, shape (m, nv)."""
    return all_rows(mechanism, q, np.zeros(mechanism.nv), environment.t).J


def closure_wrenches(mechanism: Mechanism, view: MechanismView, lam: Array) -> dict[int, Array]:
    """Return the wrenches of all constraints on bodies, by number as listed, each (6,).

    At the body's origin in its axes.  Couplings of coordinates act inside joints and are no
    wrenches on bodies.
    """
    total: dict[int, Array] = {}
    for one, part in zip(mechanism.closures, mechanism.row_slices, strict=True):
        for pair, wrench in zip(one.pairs, one.loads(view, lam[part]), strict=False):
            add_wrench(mechanism, view, pair, wrench, total)
    return total


def with_closures(
    mechanism: Mechanism, q: Array, v: Array, environment: Environment
) -> Environment:
    """Return the surroundings with the wrenches of springs, dampers and drives in loops and curves.

    Args:
        mechanism: The bodies, loops and constraints.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        environment: What acts from outside.
    """
    view, total = MechanismView(mechanism, q, v, environment.t), dict(environment.wrenches)
    for k, one in enumerate(mechanism.closures):
        if isinstance(one, AbstractClosure) and (one.is_passive or k in environment.drives):
            wrench = one.applied(view.frame(one.pair), environment.drives.get(k))
            add_wrench(mechanism, view, one.pair, wrench, total)
    return replace(environment, wrenches=total)


def add_wrench(
    mechanism: Mechanism,
    view: MechanismView,
    pair: FramePair,
    wrench: Array,
    total: dict[int, Array],
) -> None:
    """Add a wrench on the second frame's body, and the opposite on the first's.

    Args:
        mechanism: The bodies.
        view: Where they are.
        pair: The two frames.
        wrench: [f; n] on the second, in its frame's axes at its origin, shape (6,).
        total: The sums by body, changed.
    """
    (first, E), (second, F) = pair
    at_first = view.frame(pair).X.force_to_parent(-wrench)
    for body, load in (
        (first, E.transform().force_to_parent(at_first)),
        (second, F.transform().force_to_parent(wrench)),
    ):
        if body != WORLD:
            i = mechanism.index(body)
            total[i] = total[i] + load if i in total else load
