"""Motion forwards and forces backwards through the units of a planar linkage.

Everything is affine in the accelerations q̈ of the drivers.  Accelerations and multipliers are
carried as columns [constant | ∂/∂q̈] through the one factored matrix of each unit; the rows of the
drivers then hold the equations of motion,

    τ = M_red(q) q̈ + h(q, q̇, loads),

so that forward dynamics closes its algebraic loop by one small solution, not by iteration
[Wang2007, (31)].
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.formulations.composable.armature_forces import armature_forces, armature_terms
from poinsot.formulations.composable.element_forces import element_forces
from poinsot.formulations.composable.plane import dot, rotated, scaled, stacked, turned
from poinsot.formulations.composable.unit_equations import UnitEquations
from poinsot.model.planar.linkage import PlanarJoint, PlanarLink, PlanarLinkage
from poinsot.spatial import Array

Motions = dict[str, Array]
Loads = Mapping[str, ArrayLike]
Outside = Callable[[Motions, Motions], Mapping[str, Array]]
"""Further forces and couples about links' origins (..., 3, columns), from velocities (..., 3) and
accelerations (..., 3, columns) of all links."""


@dataclass(frozen=True, eq=False)
class Sweep:
    """Accelerations and multipliers of a linkage, in columns [constant | ...].

    Attributes:
        velocities: Of every link (ẋ, ẏ, φ̇), shape (..., 3).
        accelerations: Of every link, shape (..., 3, columns).
        multipliers: Of the rows of each joint, shape (..., k, columns).
        drivers: Forces and torques of the drivers, shape (..., nq, columns).
        loads: What the units put on links that were known before: on the frame, and ports of
            units used alone: forces and couple about the link's origin, shape (..., 3, columns).
        poses: Of every link (x, y, φ), shape (..., 3).
    """

    velocities: Motions
    accelerations: Motions
    multipliers: Motions
    drivers: Array
    loads: Motions
    poses: Motions

    def at(self, rates: Array) -> Sweep:
        """Return the sweep for given q̈, one column."""
        ones = np.ones((*rates.shape[:-1], 1))
        weights = np.concatenate([ones, rates], axis=-1)[..., None]

        def summed(values: Mapping[str, Array]) -> Motions:
            return {name: columns @ weights for name, columns in values.items()}

        return Sweep(
            self.velocities,
            summed(self.accelerations),
            summed(self.multipliers),
            self.drivers @ weights,
            summed(self.loads),
            self.poses,
        )


def equations_of(linkage: PlanarLinkage, poses: Motions) -> list[UnitEquations]:
    """Return the equations of the units, in the order of assembly."""
    return [UnitEquations(unit, linkage, poses) for unit in linkage.units]


def velocities(
    linkage: PlanarLinkage,
    units: Sequence[UnitEquations],
    rates: ArrayLike,
    known: Motions | None = None,
) -> Motions:
    """Return the velocities of all links.

    Args:
        linkage: The linkage.
        units: Equations of its units at the poses.
        rates: q̇, shape (..., nq).
        known: Velocities of links that are given, besides the frame.
    """
    right = np.asarray(rates)[..., None]
    columns = {name: motion[..., None] for name, motion in (known or {}).items()}
    columns = forwards(linkage, units, right, columns, [None] * len(units))
    return {name: motion[..., 0] for name, motion in columns.items()}


def sweep(
    linkage: PlanarLinkage,
    units: Sequence[UnitEquations],
    poses: Motions,
    rates: ArrayLike,
    *,
    accelerations: Array | None = None,
    loads: Loads | None = None,
    known: Mapping[str, tuple[Array, Array]] | None = None,
    outside: Outside | None = None,
    further: int = 0,
) -> Sweep:
    """Return accelerations and forces as columns [constant | ∂/∂q̈], or one column at given q̈.

    Args:
        linkage: The linkage.
        units: Equations of its units.
        poses: Poses of all links.
        rates: q̇, shape (..., nq).
        accelerations: q̈, shape (..., nq).
        loads: External loads by link: force at the mass centre and couple [Fx, Fy, M].
        known: Velocity and acceleration of links that are given besides the frame, or of the frame
            itself, (..., 3) each.
        outside: Further forces on links, which may depend on the accelerations.
        further: Number of further columns, which ``outside`` fills.
    """
    known = known or {}
    nq = len(linkage.drivers)
    v = velocities(linkage, units, rates, {name: motion[0] for name, motion in known.items()})
    if accelerations is None:
        driven = np.concatenate([np.zeros((nq, 1)), np.eye(nq)], axis=-1)
    else:
        driven = accelerations[..., None]
    if further:
        driven = np.concatenate([driven, np.zeros((*driven.shape[:-1], further))], axis=-1)
    columns = {name: _first_column(motion[1], driven.shape[-1]) for name, motion in known.items()}
    a = forwards(linkage, units, driven, columns, [unit.bias(v) for unit in units])
    more = {} if outside is None else outside(v, a)
    return _backwards(linkage, units, poses, v, a, loads or {}, more)


def mass_matrix_and_bias(result: Sweep) -> tuple[Array, Array]:
    """Return M_red (..., nq, nq) and h (..., nq) of a sweep."""
    nq = result.drivers.shape[-2]
    return result.drivers[..., 1 : 1 + nq], result.drivers[..., 0]


def driver_accelerations(result: Sweep, tau: Array) -> Array:
    """Return q̈ of M_red q̈ = τ - h, shape (..., nq); M_red is symmetric and positive definite."""
    M, h = mass_matrix_and_bias(result)
    if M.dtype == object or tau.dtype == object:
        return ldl_solve(*ldl(M), tau - h)
    solution: Array = np.linalg.solve(M, (tau - h)[..., None])[..., 0]
    return solution


def forwards(
    linkage: PlanarLinkage,
    units: Sequence[UnitEquations],
    driven: Array,
    known: Motions,
    biases: Sequence[Array | None],
) -> Motions:
    """Solve K x = -K_o x_o - bias + S driven, unit after unit.

    Args:
        linkage: The linkage.
        units: Equations of its units.
        driven: Motions of the drivers, shape (..., nq, columns).
        known: Motions of links that are given, besides the frame, (..., 3, columns) each.
        biases: Of each unit, in the first column; None: there is none.
    """
    columns = driven.shape[-1]
    motions: Motions = {linkage.frame: np.zeros((3, columns)), **known}
    for unit, bias in zip(units, biases, strict=True):
        right = 0.0 * unit.K[..., :1] * np.zeros(columns)
        for body, K_o in unit.outer.items():
            right = right - K_o @ motions[body]
        if bias is not None:
            right = right - _first_column(bias, columns)
        for name, row in unit.driver_rows.items():
            unity = np.zeros((right.shape[-2], 1))
            unity[row] = 1.0
            right = right + unity * driven[..., linkage.drivers.index(name), None, :]
        solution = unit.solve(right)
        for i, body in enumerate(map(str, unit.unit.bodies)):
            motions[body] = solution[..., 3 * i : 3 * i + 3, :]
    return motions


def _backwards(
    linkage: PlanarLinkage,
    units: Sequence[UnitEquations],
    poses: Motions,
    v: Motions,
    a: Motions,
    loads: Loads,
    more: Mapping[str, Array],
) -> Sweep:
    """Solve Kᵀ λ = M a - f, last unit first, and pass K_oᵀ λ on to the links before it."""
    columns = a[linkage.frame].shape[-1]
    elements = element_forces(linkage, poses, v)
    passed: Motions = {body: _first_column(force, columns) for body, force in elements.items()}
    for acting in (armature_forces(linkage, poses, v, a), more):
        for body, force in acting.items():
            passed[body] = passed[body] + force if body in passed else force
    multipliers: Motions = {}
    torques: dict[str, Array] = {}
    for unit in reversed(units):
        required = []
        for body in map(str, unit.unit.bodies):
            f = _required_force(linkage, body, poses[body], v[body], loads.get(body, np.zeros(3)))
            M = _mass_matrix(linkage.links[body], poses[body])
            need = M @ a[body] - _first_column(f, columns)
            required.append(need - passed[body] if body in passed else need)
        lam = unit.solve_transposed(_stacked_rows(required))
        for body, K_o in unit.outer.items():
            load = np.swapaxes(K_o, -1, -2) @ lam
            passed[body] = passed[body] + load if body in passed else load
        multipliers |= {name: lam[..., rows, :] for name, rows in unit.rows.items()}
        torques |= {name: lam[..., row, :] for name, row in unit.driver_rows.items()}
    drivers = [torques[name] for name in linkage.drivers]
    own = set(linkage.links)
    on_known = {name: load for name, load in passed.items() if name not in own}
    stacked_torques = np.stack(drivers, axis=-2) if drivers else np.zeros((0, columns))
    return Sweep(v, a, multipliers, stacked_torques, on_known, poses)


def _required_force(
    linkage: PlanarLinkage, body: str, pose: Array, v: Array, load: ArrayLike
) -> Array:
    """Return f = Pᵀ (F + m g + m φ̇² r_c) + (0, 0, couple), P = [I, J r_c]."""
    link, given = linkage.links[body], np.asarray(load)
    r = rotated(pose[..., 2], link.com)
    F = given[..., :2] + link.mass * (np.asarray(linkage.gravity) + scaled(v[..., 2] ** 2, r))
    return stacked(F[..., 0], F[..., 1], dot(turned(r), F) + given[..., 2])


def _mass_matrix(link: PlanarLink, pose: Array) -> Array:
    """Return the mass matrix about the origin of the link's frame, shape (..., 3, 3)."""
    r = rotated(pose[..., 2], link.com)
    m, zero = link.mass + 0.0 * r[..., 0], 0.0 * r[..., 0]
    x, y = link.mass * r[..., 0], link.mass * r[..., 1]
    polar = link.inertia + link.mass * dot(r, r)
    return np.stack([stacked(m, zero, -y), stacked(zero, m, x), stacked(-y, x, polar)], axis=-2)


def _first_column(vector: Array, columns: int) -> Array:
    first = np.zeros(columns)
    first[0] = 1.0
    product: Array = np.asarray(vector)[..., None] * first
    return product


def _stacked_rows(blocks: Sequence[Array]) -> Array:
    batch = np.broadcast_shapes(*(block.shape[:-2] for block in blocks))
    return np.concatenate(
        [np.broadcast_to(block, (*batch, *block.shape[-2:])) for block in blocks], axis=-2
    )


def reaction_on_b(joint: PlanarJoint, multipliers: Array) -> Array:
    """Return what a joint exerts on its second link.

    Pins: force [Fx, Fy] [N] in the axes of the frame.  Slides: [N, T], force N n [N] through p_b
    and couple T [N m].
    """
    return -multipliers if joint.kind == "R" else multipliers


def port_inertia(linkage: PlanarLinkage, unit: UnitEquations, poses: Motions, joint: str) -> Array:
    """Return how the force on a unit at one of its outer pins grows with the pin's acceleration.

    Args:
        linkage: The linkage.
        unit: Equations of the unit.
        poses: Poses of its links.
        joint: Name of the pin.

    Returns:
        R_1 of R = R_0 + R_1 p̈ [kg], shape (..., 2, 2), symmetric and positive semidefinite.
    """
    bodies = [str(body) for body in unit.unit.bodies]
    mass = np.zeros(unit.K.shape, unit.K.dtype)
    for i, body in enumerate(bodies):
        block = slice(3 * i, 3 * i + 3)
        mass[..., block, block] = _mass_matrix(linkage.links[body], poses[body])
    for inertia, *both, _ in armature_terms(linkage, poses):
        stacked_rows = [np.zeros(unit.K.shape[:-1], unit.K.dtype) for _ in both]
        for row, rows_of in zip(stacked_rows, both, strict=True):
            for body in set(rows_of) & set(bodies):
                first = 3 * bodies.index(body)
                row[..., first : first + 3] = rows_of[body]
        mass = mass + inertia * stacked_rows[0][..., :, None] * stacked_rows[1][..., None, :]
    rows = unit.rows[joint]
    return unit.solve_transposed(mass @ unit.inverse)[..., rows, rows]
