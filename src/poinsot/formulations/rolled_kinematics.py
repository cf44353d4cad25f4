"""Kinematics and energies rolled: the steps of ``kinematics.py`` and ``energy.py`` as items."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.rolled import CONSTANTS, STATE, Rolled
from poinsot.formulations import jacobians, kinematics
from poinsot.formulations.energy import total_mass
from poinsot.formulations.rolled_bodies import RolledBodies, body_parts, unpack
from poinsot.formulations.rolled_closures import append_closure_energies
from poinsot.formulations.rolled_forces import append_energies
from poinsot.model import AbstractJoint, Mechanism
from poinsot.spatial import Array, Transform


def rolled_pose(mechanism: Mechanism, body: int) -> Rolled:
    """Return the pose of a body as a rolled program of q."""
    bodies = _bodies(mechanism, ("q",), ("pose", (4, 4)))
    _, index, _ = bodies.motions(mechanism.path(body), ("q",))[body]
    zero, one = _zero_one(bodies.builder)
    shown = np.full((4, 4), zero)
    shown[:3, :3] = index + np.arange(9).reshape(3, 3)
    shown[:3, 3] = index + 9 + np.arange(3)
    shown[3, 3] = one
    bodies.builder.show("pose", shown)
    return bodies.builder.finish()


def rolled_velocity(mechanism: Mechanism, body: int, axes: str) -> Rolled:
    """Return the velocity of a body as a rolled program of q, v and the point."""
    return _of_motion(mechanism, body, ("q", "v"), "velocity", partial(_velocity, axes))


def rolled_acceleration(mechanism: Mechanism, body: int, axes: str) -> Rolled:
    """Return the acceleration of a body as a rolled program of q, v, a and the point."""
    return _of_motion(
        mechanism, body, ("q", "v", "a"), "acceleration", partial(_acceleration, axes)
    )


def rolled_jacobian(mechanism: Mechanism, body: int, axes: str) -> Rolled:
    """Return the Jacobian of a body as a rolled program of q and the point."""
    return _columns(mechanism, body, ("q",), "jacobian", axes)


def rolled_jacobian_rate(mechanism: Mechanism, body: int, axes: str) -> Rolled:
    """Return the rate of the Jacobian of a body as a rolled program of q, v and the point."""
    return _columns(mechanism, body, ("q", "v"), "jacobian_rate", axes)


def rolled_kinetic_energy(mechanism: Mechanism) -> Rolled:
    """Return the kinetic energy as a rolled program of q and v."""
    return _sum(mechanism, ("q", "v"), ("kinetic_energy", ()), _kinetic)


def rolled_gravity_energy(mechanism: Mechanism) -> Rolled:
    """Return the potential energy of gravity as a rolled program of q."""
    return _sum(mechanism, ("q",), ("gravity_energy", ()), _weight, gravity=True)


def rolled_potential_energy(mechanism: Mechanism) -> Rolled:
    """Return the potential energy as a rolled program of q."""
    return _sum(mechanism, ("q",), ("potential_energy", ()), _potential, gravity=True)


def rolled_centre_of_mass(mechanism: Mechanism) -> Rolled:
    """Return the mass centre as a rolled program of q."""
    total_mass(mechanism)  # raises an error if there is none
    return _sum(mechanism, ("q",), ("centre_of_mass", (3,)), _share)


def rolled_momentum(mechanism: Mechanism) -> Rolled:
    """Return the momentum as a rolled program of q and v."""
    return _sum(mechanism, ("q", "v"), ("momentum", (6,)), _momentum)


def rolled_position_rate(mechanism: Mechanism) -> Rolled:
    """Return qdot as a rolled program of q and v."""
    bodies = _bodies(mechanism, ("q", "v"), ("position_rate", (mechanism.nq,)))
    rate = bodies.builder.state(mechanism.nq)
    for i, q_slice in enumerate(mechanism.q_slices):
        if mechanism.bodies[i].joint.nq:
            bodies.item("rate", i, _rate, bodies.reads(i, "q", "v"), {"rate": rate + q_slice.start})
    bodies.builder.show("position_rate", rate + np.arange(mechanism.nq))
    return bodies.builder.finish()


def _bodies(
    mechanism: Mechanism, inputs: tuple[str, ...], output: tuple[str, tuple[int, ...]]
) -> RolledBodies:
    sizes = {"q": mechanism.nq, "point": 3}
    builder = RolledBuilder(
        {name: sizes.get(name, mechanism.nv) for name in inputs}, dict([output])
    )
    return RolledBodies(mechanism, builder)


def _zero_one(builder: RolledBuilder) -> tuple[int, int]:
    """Return the indices of entries that hold 0 and 1."""
    index = builder.state(2)
    builder.item("unit", lambda: {"unit": np.array([0.0, 1.0])}, {}, {"unit": index})
    return index, index + 1


def _of_motion(
    mechanism: Mechanism, body: int, inputs: tuple[str, ...], name: str,
    trace: Callable[..., dict[str, Array]],
) -> Rolled:  # fmt: skip
    bodies = _bodies(mechanism, (*inputs, "point"), (name, (6,)))
    motion = bodies.motions(mechanism.path(body), inputs)[body]
    result = bodies.builder.state(6)
    reads = {"motion": motion, "point": ("point", 0, 3)}
    bodies.builder.item("result", trace, reads, {"result": result})
    bodies.builder.show(name, result + np.arange(6))
    return bodies.builder.finish()


def _columns(
    mechanism: Mechanism, body: int, inputs: tuple[str, ...], name: str, axes: str
) -> Rolled:
    """Return a Jacobian or its rate: from the body to the root, one joint's columns at a time."""
    bodies = _bodies(mechanism, (*inputs, "point"), (name, (6, mechanism.nv)))
    motion = bodies.motions(mechanism.path(body), inputs)[body]
    zero, _ = _zero_one(bodies.builder)
    shown = np.full((6, mechanism.nv), zero)
    behind = bodies.builder.state(18)
    bodies.builder.item("behind", _nothing_behind, {}, {"behind": behind})
    trace = partial(_column, name, axes)
    for i in reversed(mechanism.path(body)):
        nv, start = mechanism.bodies[i].joint.nv, mechanism.v_slices[i].start
        columns, further = bodies.builder.state(6 * nv), bodies.builder.state(18)
        shown[:, start : start + nv] = columns + np.arange(6 * nv).reshape(6, nv)
        bodies.item(
            "column", i, trace,
            {
                **bodies.reads(i, *inputs), "point": ("point", 0, 3),
                "motion": motion, "behind": (STATE, behind, 18),
            },
            {"columns": columns, "behind": further},
        )  # fmt: skip
        behind = further
    bodies.builder.show(name, shown)
    return bodies.builder.finish()


def _sum(
    mechanism: Mechanism, inputs: tuple[str, ...], output: tuple[str, tuple[int, ...]],
    trace: Callable[..., dict[str, Array]], *, gravity: bool = False,
) -> Rolled:  # fmt: skip
    """Return the sum of a term over all bodies."""
    bodies = _bodies(mechanism, inputs, output)
    motion = bodies.motions(mechanism.order, inputs)
    size = int(np.prod(output[1], dtype=int))
    total = bodies.builder.state(size)
    bodies.builder.item(("none", size), lambda: {"total": np.zeros(size)}, {}, {"total": total})
    given = {}
    if gravity:
        given["gravity"] = (CONSTANTS, bodies.builder.constants(mechanism.gravity), 3)
    if trace is _share:
        given["share"] = (CONSTANTS, bodies.builder.constants([1 / total_mass(mechanism)]), 1)
    for i, body in enumerate(mechanism.bodies):
        joint = body.joint
        if trace is _potential:
            values = [*joint.stiffness_matrix().ravel(), *joint.rest_position()]
            given["spring"] = (CONSTANTS, bodies.builder.constants(values), len(values))
        if trace is _kinetic:
            values = joint.armature_matrix().ravel().tolist()
            given["armature"] = (CONSTANTS, bodies.builder.constants(values), len(values))
        bodies.item(
            trace.__name__, i, trace,
            {
                **bodies.reads(i, *inputs), **given, "motion": motion[i],
                "total": (STATE, total, size),
            },
            {"total": total},
        )  # fmt: skip
    if trace is _potential:
        append_energies(bodies, motion, total)
        append_closure_energies(bodies, motion, total)
    bodies.builder.show(output[0], total + np.arange(size))
    return bodies.builder.finish()


def _velocity(axes: str, *, motion: Array, point: Array) -> dict[str, Array]:
    return {"result": kinematics.velocity_at(unpack(motion), axes, point)}


def _acceleration(axes: str, *, motion: Array, point: Array) -> dict[str, Array]:
    return {"result": kinematics.acceleration_at(unpack(motion), axes, point)}


def _rate(*, kind: AbstractJoint, numbers: Array, q: Array, v: Array) -> dict[str, Array]:
    return {"rate": body_parts(kind, numbers)[1].position_rate(q, v)}


def _nothing_behind() -> dict[str, Array]:
    return {"behind": _packed(jacobians.AT_BODY)}


def _packed(behind: jacobians.Behind) -> Array:
    return np.concatenate([behind.X_jB.R.ravel(), behind.X_jB.p, behind.V_rel])


def _column(
    name: str, axes: str, *, kind: AbstractJoint, numbers: Array, q: Array, point: Array,
    motion: Array, behind: Array, v: Array | None = None,
) -> dict[str, Array]:  # fmt: skip
    """Return the columns of one joint, and the motion of the body relative to the next one."""
    X_PJ, joint, _ = body_parts(kind, numbers)
    seen = jacobians.Behind(Transform(behind[:9].reshape(3, 3), behind[9:12]), behind[12:])
    rate = np.zeros(kind.nv) if v is None else v
    screws, rates = jacobians.joint_columns(seen, joint, q, rate)
    body = unpack(motion)
    if v is None:
        columns = jacobians.jacobian_at(body.X_WB.R, axes, point, screws)
    else:
        columns = jacobians.rate_at(body, axes, point, screws, rates)
    further = jacobians.behind_parent(seen, X_PJ, joint, q, rate)
    return {"columns": columns, "behind": _packed(further)}


def _kinetic(
    *, kind: AbstractJoint, numbers: Array, q: Array, v: Array, armature: Array, motion: Array,
    total: Array,
) -> dict[str, Array]:  # fmt: skip
    inertia = body_parts(kind, numbers)[2]
    drive = 0.5 * (v @ armature.reshape(kind.nv, kind.nv) @ v) if kind.nv else 0.0
    return {"total": total + inertia.kinetic_energy(unpack(motion).V) + drive}


def _weight(
    *, kind: AbstractJoint, numbers: Array, q: Array, gravity: Array, motion: Array, total: Array
) -> dict[str, Array]:
    inertia, X = body_parts(kind, numbers)[2], unpack(motion).X_WB
    return {"total": total - gravity @ (X.R @ inertia.h + inertia.mass * X.p)}


def _potential(
    *, kind: AbstractJoint, numbers: Array, q: Array, gravity: Array, spring: Array,
    motion: Array, total: Array,
) -> dict[str, Array]:  # fmt: skip
    weight = _weight(kind=kind, numbers=numbers, q=q, gravity=gravity, motion=motion, total=total)[
        "total"
    ]
    if kind.nq != kind.nv or not kind.nv:
        return {"total": weight}
    K, rest = spring[: kind.nv**2].reshape(kind.nv, kind.nv), spring[kind.nv**2 :]
    return {"total": weight + 0.5 * ((q - rest) @ K @ (q - rest))}


def _share(
    *, kind: AbstractJoint, numbers: Array, q: Array, share: Array, motion: Array, total: Array
) -> dict[str, Array]:
    inertia, X = body_parts(kind, numbers)[2], unpack(motion).X_WB
    return {"total": total + share[0] * (X.R @ inertia.h + inertia.mass * X.p)}


def _momentum(
    *, kind: AbstractJoint, numbers: Array, q: Array, v: Array, motion: Array, total: Array
) -> dict[str, Array]:
    inertia, body = body_parts(kind, numbers)[2], unpack(motion)
    return {"total": total + body.X_WB.force_to_parent(inertia.apply(body.V))}
