"""Equations of motion of the drivers without reactions, by virtual power.

Velocities of all links are linear in the drivers' rates, accelerations affine,

    v_b = J_b q̇ + ν_b,    a_b = J_b q̈ + γ_b,

both by the factored matrices of the units; ν_b is there where something changes with time.
Reactions do no work along J_b, which leaves

    τ = M_red q̈ + h,   M_red = Σ J_bᵀ M_b J_b,   h = Σ J_bᵀ (M_b γ_b - f_b)

in which the columns of J_b are Kane's partial velocities (``kane.py``).  There are fewer operations
than in the sweep of forces, which gives the same: expressions take this one, floats the sweep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from poinsot.formulations.composable.armature_forces import armature_forces, armature_terms
from poinsot.formulations.composable.element_forces import element_forces
from poinsot.formulations.composable.plane import rotated, scaled, turned
from poinsot.formulations.composable.sweep import Loads, Motions, forwards
from poinsot.formulations.composable.unit_equations import UnitEquations
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array


class DriverEquations(NamedTuple):
    """M_red, shape (nq, nq), and h, (nq,), or the forces τ at given q̈ in its place."""

    mass_matrix: Array
    forces: Array


def driver_equations(
    linkage: PlanarLinkage,
    units: Sequence[UnitEquations],
    poses: Motions,
    rates: Array,
    *,
    accelerations: Array | None = None,
    loads: Loads | None = None,
    known: Mapping[str, tuple[Array, Array]] | None = None,
) -> DriverEquations:
    """Return M_red and h, or τ, of one state.

    Args:
        linkage: The linkage.
        units: Equations of its units.
        poses: Poses of all links.
        rates: q̇, shape (nq,).
        accelerations: q̈, shape (nq,): then for τ; zero for h.
        loads: External loads by link: force at the mass centre and couple [Fx, Fy, M].
        known: Velocity and acceleration of links that are given besides the frame, (3,) each.
    """
    n = len(linkage.drivers)
    nothing: list[Array | None] = [None] * len(units)
    still = dict.fromkeys(known or {}, np.zeros((3, n)))
    J = forwards(linkage, units, np.eye(n), still, nothing)
    v = {name: columns @ rates for name, columns in J.items()}
    if known:
        given = {name: motion[0][:, None] for name, motion in known.items()}
        for name, drift in forwards(linkage, units, np.zeros((n, 1)), given, nothing).items():
            v[name] = v[name] + drift[:, 0]
    driven = (np.zeros(n) if accelerations is None else accelerations)[:, None]
    given = {name: motion[1][:, None] for name, motion in (known or {}).items()}
    a = forwards(linkage, units, driven, given, [unit.bias(v) for unit in units])
    elements = element_forces(linkage, poses, v)
    rotors = armature_forces(linkage, poses, v, a)
    inertias, forces = [], []
    for body, link in linkage.links.items():
        J_b, a_b, load = J[body], a[body][:, 0], np.asarray((loads or {}).get(body, np.zeros(3)))
        r = rotated(poses[body][2], link.com)
        J_c = J_b[:2] + turned(r)[:, None] * J_b[2]
        a_c = a_b[:2] + scaled(a_b[2], turned(r)) - scaled(v[body][2] ** 2, r)
        weighted = link.mass * J_c
        forces += list((a_c - np.asarray(linkage.gravity))[:, None] * weighted)
        forces.append((link.inertia * a_b[2] - load[2]) * J_b[2] - load[:2] @ J_c)
        if body in elements:
            forces.append(-(elements[body] @ J_b))
        if body in rotors:
            forces.append(-(rotors[body][:, 0] @ J_b))
        inertias += [np.outer(*rows) for rows in zip(weighted, J_c, strict=True)]
        inertias.append(link.inertia * np.outer(J_b[2], J_b[2]))
    for inertia, *both, _ in armature_terms(linkage, poses):
        J_x, J_y = (sum(row @ J[body] for body, row in rows.items()) for rows in both)
        inertias.append(inertia * np.outer(J_x, J_y))
    return DriverEquations(_sum(inertias), _sum(forces))


def _sum(terms: list[Array]) -> Array:
    """Return the sum in pairs, so that no addition waits for many others."""
    while len(terms) > 1:
        terms = [sum(terms[k + 1 : k + 2], terms[k]) for k in range(0, len(terms), 2)]
    return terms[0]
