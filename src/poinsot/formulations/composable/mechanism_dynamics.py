"""Mass matrix, bias and dynamics of a mechanism that moves in a plane, unit by unit.

All joints of a tree are driven: its units are single links, M and the bias those of all joints.
With loops some joints of the tree are independent, chosen by their numbers; they drive the units,
the forces of all others act on the links, and accelerations of all joints follow from those of the
links:

    M_red q̈ + h = 0,    h with the forces of all joints on the links.

Constraints that units do not know, on velocities, of time, in space, have rows on the joints of the
tree, J a + γ = 0; those joints move with the drivers, a = P q̈ + c, so that

    M_red q̈ + h = Pᵀ Jᵀ λ,    J P q̈ + J c + γ = 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np

from poinsot.errors import ModelError, OverconstrainedError, SingularUnitError
from poinsot.expr.rank import pivot_rank, unit_rows
from poinsot.formulations.composable.joint_rows import driver_bias, driver_rows, joint_rows
from poinsot.formulations.composable.mechanism_plane import mechanism_plane
from poinsot.formulations.composable.motion_rows import motion_rows
from poinsot.formulations.composable.pair_rows import pair_row
from poinsot.formulations.composable.plane import rotated, scaled, stacked, turned
from poinsot.formulations.composable.positions import positions
from poinsot.formulations.composable.sweep import (
    Motions,
    Sweep,
    driver_accelerations,
    equations_of,
    mass_matrix_and_bias,
    sweep,
    velocities,
)
from poinsot.formulations.composable.unit_equations import UnitEquations
from poinsot.formulations.composable.velocity_rows import constrained_rates, least_forces
from poinsot.formulations.passive_forces import passive_force
from poinsot.model import Environment, Mechanism
from poinsot.model.planar.decomposition import planar_mobility
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage
from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Array

IN_PLANE: Final = 1e-12
"""Part of a base's rotation out of the plane that counts as rounding."""


def mass_matrix(mechanism: Mechanism, q: Array) -> Array:
    """Return M(q) of the tree, armature included, shape (nv, nv)."""
    tree = _Tree(mechanism, q)
    still = np.zeros(mechanism.nv)
    result = tree.swept(still, still, Environment(np.zeros(3)))
    n = mechanism.nv
    M: Array = mass_matrix_and_bias(result)[0][:n, :n]
    return np.tril(M) + np.tril(M, -1).T  # symmetric to the last digit


def bias(mechanism: Mechanism, q: Array, v: Array, environment: Environment) -> Array:
    """Return Coriolis, centrifugal, gravity, applied and passive forces, shape (nv,)."""
    return inverse_dynamics(mechanism, q, v, np.zeros(mechanism.nv), environment)


def inverse_dynamics(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment
) -> Array:
    """Return the joint forces of the tree that produce ``a``, shape (nv,)."""
    tree = _Tree(mechanism, q)
    forces = -passive_force(mechanism, q, v, environment)
    result = tree.swept(v, forces, environment, accelerations=a)
    return result.drivers[: mechanism.nv, 0]


def forward_dynamics(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment
) -> Array:
    """Return the accelerations under the joint forces ``tau``, shape (nv,); loops by units.

    Raises:
        SingularUnitError: Loops are singular at q: their accelerations are not determined by units.
        OverconstrainedError: Loops hold links more often than planar motion can follow.
    """
    tree = _Tree(mechanism, q)
    forces = tau - passive_force(mechanism, q, v, environment)
    plane = tree.plane
    if not plane.loops and not plane.pairs and not plane.others:
        return _accelerations(tree.swept(v, forces, environment), mechanism.nv)
    if any(np.asarray(x).dtype == object for x in (q, v, tau)):
        raise TypeError(
            "composable.forward_dynamics chooses the joints that drive by their numbers, so it "
            "takes numbers only; to trace forward dynamics of loops, take another method"
        )
    units = ClosedUnits(mechanism, q)
    return units.accelerations(v, forces, environment)


class ClosedUnits:
    """The units of a mechanism with loops at one configuration, independent joints driving them.

    Attributes:
        plane: The mechanism in its plane.
        linkage: The closed linkage.
        poses: Of all links.
    """

    def __init__(self, mechanism: Mechanism, q: Array) -> None:
        self._mechanism, self._q = mechanism, q
        self._tree = tree = _Tree(mechanism, q)
        self.plane, self.poses = tree.plane, tree.poses
        drivers = tree.independent()
        self.linkage = _closed(mechanism, drivers)
        self._numbers = [tree.plane.coordinates.index(name) for name in drivers]

    def swept(self, v: Array, a: Array, tau: Array, environment: Environment) -> Sweep:
        """Return the forces that hold the links when joints move so, under their forces ``tau``."""
        forces = tau - passive_force(self._mechanism, self._q, v, environment)
        return self._swept(v, forces, environment, a[self._numbers])

    def accelerations(self, v: Array, forces: Array, environment: Environment) -> Array:
        """Return the accelerations of all joints under forces in them, shape (nv,).

        Those of the drivers are free, or obey the rows of other constraints (``motion_rows``).
        """
        result, count = self._swept(v, forces, environment), len(self._numbers)
        if not self.plane.others:
            rate = _accelerations(result, count)
            rates: Array = self.joint_rates(result) @ np.append(1.0, rate)
            return rates
        M, h = mass_matrix_and_bias(_of_drivers(result, count))
        moved = self.joint_rates(result)
        J, gamma = motion_rows(self._mechanism, self.plane.others, (self._q, v, environment.t))
        rate = constrained_rates(M, -h, J @ moved[:, 1:], J @ moved[:, 0] + gamma)[0]
        obeyed: Array = moved @ np.append(1.0, rate)
        return obeyed

    def other_multipliers(
        self, v: Array, a: Array, tau: Array, environment: Environment
    ) -> tuple[Array, Array]:
        """Return λ of the other constraints at accelerations, and the joint forces Jᵀ λ."""
        J, _ = motion_rows(self._mechanism, self.plane.others, (self._q, v, environment.t))
        lacking = self.swept(v, a, tau, environment).drivers[: len(self._numbers), 0]
        moved = self.joint_rates(self._swept(v, 0.0 * tau, environment))[:, 1:]
        lam = least_forces(J @ moved, lacking)
        return lam, J.T @ lam

    def joint_rates(self, result: Sweep) -> Array:
        """Return accelerations of all joints in columns [constant | ∂/∂q̈], shape (nv, 1 + n)."""
        columns, count = result.accelerations, 1 + len(self._numbers)
        moved = {name: a[..., :count] for name, a in columns.items()}
        joints, v = self._tree.joints, result.velocities
        return np.array([self._tree.coordinate_rates(joint, v, moved) for joint in joints])

    def _swept(
        self, v: Array, forces: Array, environment: Environment, a: Array | None = None
    ) -> Sweep:
        units = equations_of(self.linkage, self.poses)
        return self._tree.swept(
            v[self._numbers], forces, environment, accelerations=a, linkage=self.linkage,
            units=units,
        )  # fmt: skip


class _Tree:
    """A mechanism at one configuration.

    Attributes:
        plane: It in its plane.
        joints: The joints of its coordinates, in the order of v.
        poses: Of all links.
    """

    def __init__(self, mechanism: Mechanism, q: Array) -> None:
        self._mechanism = mechanism
        self.plane = mechanism_plane(mechanism)
        self._linkage = _tree(mechanism)
        self.joints = [self._linkage.by_name[name] for name in self.plane.coordinates]
        self.poses = positions(self._linkage, self._with_locks(q))
        self._units = equations_of(self._linkage, self.poses)

    def _with_locks(self, x: Array, linkage: PlanarLinkage | None = None) -> Array:
        """Return coordinates or rates of drivers, zeros for what is welded behind them."""
        count = len((linkage or self._linkage).drivers) - len(x)
        return np.concatenate([x, np.zeros(count)])

    def swept(
        self,
        rates: Array,
        forces: Array,
        environment: Environment,
        *,
        accelerations: Array | None = None,
        linkage: PlanarLinkage | None = None,
        units: Sequence[UnitEquations] | None = None,
    ) -> Sweep:
        """Return accelerations and forces under joint forces (nv,) and the environment."""
        linkage, units = linkage or self._linkage, units or self._units
        driven = None if accelerations is None else self._with_locks(accelerations, linkage)
        known, base = self._base(environment)

        def outside(v: Motions, a: Motions) -> Motions:
            total = self._wrenches(environment, a[linkage.frame].shape[-1])
            for joint, force in zip(self.joints, forces, strict=True):
                if not nonzero(force):
                    continue
                rows = driver_rows(joint, self.poses[joint.a], self.poses[joint.b])
                effort = force * np.eye(a[linkage.frame].shape[-1])[0]
                for body, row in ((joint.a, rows.of_a[0]), (joint.b, rows.of_b[0])):
                    load = row[:, None] * effort[None]
                    total[body] = total[body] + load if body in total else load
            return total

        return sweep(
            linkage, units, self.poses, self._with_locks(rates, linkage), accelerations=driven,
            known={linkage.frame: (known, base)}, outside=outside,
        )  # fmt: skip

    def independent(self) -> tuple[str, ...]:
        """Return the joints of the tree that drive the closed linkage, far from singular ones.

        Rows J of the loops along the velocities of the tree, J P = Q R with pivots of falling size:
        all but the first columns are independent [Golub2013, section 5.4].
        """
        from scipy.linalg import qr

        plane, n = self.plane, self._mechanism.nv
        counts = _loop_rows(self._mechanism)
        columns = [
            velocities(self._linkage, self._units, self._with_locks(unit)) for unit in np.eye(n)
        ]
        blocks = []
        for joint in plane.loops:
            rows = joint_rows(joint, self.poses[joint.a], self.poses[joint.b])
            parts = [(rows.of_a, rows.of_b, counts[joint.name])]
            if joint.name in plane.locked:
                lock = driver_rows(joint, self.poses[joint.a], self.poses[joint.b])
                parts.append((lock.of_a, lock.of_b, 1))
            for of_a, of_b, count in parts:
                moved = [of_a @ v[joint.a] + of_b @ v[joint.b] for v in columns]
                blocks.append(np.stack(moved, axis=-1)[:count])
        for pair in plane.pairs:
            row = pair_row(pair, self.poses).blocks
            moved = [sum(block @ v[body] for body, block in row.items()) for v in columns]
            blocks.append(np.stack(moved, axis=-1))
        if not blocks:
            return plane.coordinates
        J = np.concatenate(blocks)
        _, R, order = qr(unit_rows(J)[0], mode="economic", pivoting=True)
        rank = pivot_rank(R)
        if rank < len(J):
            mobility = planar_mobility(_closed(self._mechanism, ()).graph)
            if mobility.redundant:
                raise OverconstrainedError(
                    f"method 'composable': bodies {list(mobility.overconstrained)} of "
                    f"{self._mechanism.name!r} are over-constrained in their plane; remove a joint "
                    "among them, or choose another method",
                    mobility.overconstrained,
                )
            raise SingularUnitError(
                f"method 'composable': loops of {self._mechanism.name!r} are singular at this "
                "configuration, so that units do not determine their motion; choose another one, "
                "or another method"
            )
        return tuple(plane.coordinates[k] for k in sorted(order[rank:].tolist()))

    def coordinate_rates(self, joint: PlanarJoint, v: Motions, a: Motions) -> Array:
        """Return the second derivative of a joint's coordinate in columns [constant | ...]."""
        rows = driver_rows(joint, self.poses[joint.a], self.poses[joint.b])
        rates: Array = (rows.of_a @ a[joint.a] + rows.of_b @ a[joint.b])[0]
        rates[0] += self._bias(joint, v)
        return rates

    def _bias(self, joint: PlanarJoint, v: Motions) -> Array:
        poses = self.poses[joint.a], self.poses[joint.b]
        return np.asarray(driver_bias(joint, poses, (v[joint.a], v[joint.b]))[0])

    def _base(self, environment: Environment) -> tuple[Array, Array]:
        """Return velocity and acceleration of the base in the plane, gravity taken from it."""
        axes, normal = self.plane.axes, self.plane.normal
        v, rate = environment.velocity, environment.acceleration
        w = v[3:]
        if np.asarray(w).dtype == object:
            raise ModelError(
                "method 'composable': whether a base turns in the plane is decided by its numbers; "
                "choose backend='floats', or another method"
            )
        if np.linalg.norm(w - (w @ normal) * normal) > IN_PLANE * (1.0 + np.linalg.norm(w)):
            raise ModelError(
                f"method 'composable': the base of {self._mechanism.name!r} turns out of the plane "
                "in which the mechanism moves; choose another method"
            )
        spin = w @ normal
        linear = axes @ v[:3]
        fall = axes @ (rate[:3] - environment.gravity) + scaled(spin, turned(linear))
        return stacked(linear[0], linear[1], spin), stacked(fall[0], fall[1], rate[3:] @ normal)

    def _wrenches(self, environment: Environment, columns: int) -> Motions:
        """Return external wrenches as forces in the plane and couples, (3, columns) each."""
        total: Motions = {}
        for i, wrench in environment.wrenches.items():
            body = self._mechanism.bodies[i].name
            P = self.plane.projections[body]
            force = rotated(self.poses[body][2], P[:2] @ wrench[:3])
            load = stacked(force[0], force[1], P[2] @ wrench[3:])
            total[body] = load[:, None] * np.eye(columns)[0]
        return total


def _accelerations(result: Sweep, count: int) -> Array:
    """Return q̈ of the first drivers of M_red q̈ + h = 0; the others are welds."""
    return driver_accelerations(_of_drivers(result, count), np.zeros(count))


def _of_drivers(result: Sweep, count: int) -> Sweep:
    """Return a sweep with the forces of the first drivers alone."""
    return replace(result, drivers=result.drivers[:count, : count + 1])


@lru_cache(maxsize=64)
def _tree(mechanism: Mechanism) -> PlanarLinkage:
    plane = mechanism_plane(mechanism)
    return plane.linkage(plane.coordinates, closed=False)


@lru_cache(maxsize=64)
def _closed(mechanism: Mechanism, drivers: tuple[str, ...]) -> PlanarLinkage:
    return mechanism_plane(mechanism).linkage(drivers, closed=True)


@lru_cache(maxsize=64)
def _loop_rows(mechanism: Mechanism) -> Mapping[str, int]:
    """Return the number of equations of each joint that closes a loop."""
    return _closed(mechanism, ()).rows
