"""Reaction wrenches of large systems, rolled: a sweep over bodies after the wrenches on them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from poinsot.expr import Rolled, RolledBuilder
from poinsot.expr.packing import layout_of
from poinsot.expr.rolled_code import CONSTANTS
from poinsot.formulations.body_tree import Mount
from poinsot.formulations.constrained.reactions import closure_turned, turned
from poinsot.formulations.constrained.rolled_rows import PairsView, coordinates
from poinsot.formulations.forces import wrenches_of_elements
from poinsot.formulations.kinematics import BodyMotion, add_motions
from poinsot.formulations.pair_motion import PairMotion
from poinsot.formulations.rolled_bodies import RolledBodies
from poinsot.formulations.rolled_closures import (
    append_closure_wrenches,
    drive_slots,
    kind_of,
)
from poinsot.formulations.rolled_sweep import Slot
from poinsot.formulations.sweep import BASE as WORLD_NODE
from poinsot.formulations.sweep import WHOLE, step
from poinsot.model import (
    WORLD,
    AbstractClosure,
    AbstractConstraint,
    LoadInputs,
    Mechanism,
)
from poinsot.model.environment import BASE, N_BASE, TIME, WRENCHES
from poinsot.spatial import Array, Inertia, Scalar, Transform, cross_force

_STILL = np.zeros((6, 0))
"""No Jacobian is needed."""


def rolled_reactions(
    mechanism: Mechanism,
    axes: str,
    load_inputs: LoadInputs = LoadInputs(),  # noqa: B008
) -> Rolled:
    """Return the wrenches in all joints, loops and constraints: a program of q, v, a and lam."""
    return _Reactions(mechanism, axes, load_inputs, ("q", "v", "a")).program("reactions")


def rolled_multiplier_reactions(
    mechanism: Mechanism,
    axes: str,
    load_inputs: LoadInputs = LoadInputs(),  # noqa: B008
) -> Rolled:
    """Return the wrenches due to the multipliers alone as a rolled program of q and lam."""
    return _Reactions(mechanism, axes, load_inputs, ("q",)).program("multiplier_reactions")


class _Reactions:
    """The items of one program.

    Args:
        mechanism: The bodies, loops and constraints.
        axes: In which wrenches are shown.
        load_inputs: Which external loads are inputs.
        inputs: Of the motion; with q alone nothing moves, and only multipliers act.
    """

    def __init__(
        self, mechanism: Mechanism, axes: str, load_inputs: LoadInputs, inputs: tuple[str, ...]
    ) -> None:
        self._mechanism, self._axes, self._loads = mechanism, axes, load_inputs
        self._is_loaded = len(inputs) > 1
        sizes = {"q": mechanism.nq, "v": mechanism.nv, "a": mechanism.nv}
        given = {key: sizes[key] for key in inputs} | {"lam": len(mechanism.row_names)}
        self._builder = RolledBuilder(given | load_inputs.inputs(mechanism), {})
        self._bodies = RolledBodies(mechanism, self._builder, (*inputs, TIME))

    def program(self, name: str) -> Rolled:
        """Return the program with this output."""
        bodies = self._bodies
        self._start()
        force = step(_inertial if self._is_loaded else _nothing, "inertia motion", "force")
        add_motions(bodies, None, [force])
        shown = self._constraint_wrenches()
        if self._is_loaded:
            self._applied_wrenches()
        bodies.inward([step(_to_parent, "mount q force parent.force", "parent.force")])
        joints = [body.joint for body in self._mechanism.bodies]
        for backwards in (False, True):
            nodes = [i for i, joint in enumerate(joints) if joint.backwards is backwards]
            show = partial(_shown, self._axes, backwards)
            bodies.outward([step(show, "mount q motion force", "shown")], nodes=nodes)
        slots = [bodies.values("shown")[i] for i in range(len(joints))] + shown
        entries = [slot.entries for slot in slots]
        self._builder.show(name, np.array(entries).reshape(len(slots), 6))
        return self._builder.finish()

    def _start(self) -> None:
        """Append the motion of the base, less gravity; without loads it is at rest."""
        bodies, builder = self._bodies, self._builder
        if not self._is_loaded:
            return
        still = np.zeros(6)
        layout = layout_of(BodyMotion(Transform.identity(), still, still))
        slot = bodies.values("motion")[WORLD_NODE] = bodies.new(layout)
        source = (BASE, 0, N_BASE)
        if not self._loads.base:
            source = (CONSTANTS, builder.constants(self._mechanism.gravity), 3)
        builder.item(("base motion", source[0]), _base, {"numbers": source}, {"motion": slot.start})

    def _subtract(self, body: int, frame: Transform, wrench: Slot) -> None:
        """Append the subtraction of a wrench on a body, given in a frame of it."""
        force = self._bodies.values("force")[body]
        self._bodies.apply(_less, self._bodies.constant(frame), wrench, force, into=force)

    def _applied_wrenches(self) -> None:
        """Append external wrenches, and those of force elements, springs and drives."""
        mechanism, here = self._mechanism, Transform.identity()
        moving = RolledBodies(mechanism, self._builder, ("q", "v", TIME))  # relative to the base
        for k, body in enumerate(self._loads.wrenches):
            self._subtract(body, here, Slot(WRENCHES, 6 * k, moving.vector(6)))
        for body, point, wrench in wrenches_of_elements(moving):
            self._subtract(body, Transform(np.eye(3), np.array(point)), wrench)
        moving = RolledBodies(mechanism, self._builder, ("q", "v", TIME))
        for body, wrench in append_closure_wrenches(moving, self._loads):
            self._subtract(body, here, wrench)

    def _constraint_wrenches(self) -> list[Slot]:
        """Append the wrenches of multipliers on bodies; return the slots of those to be shown."""
        mechanism, bodies, shown = self._mechanism, self._bodies, []
        drives = drive_slots(bodies, self._loads) if self._is_loaded else {}
        for k, (constraint, rows) in enumerate(
            zip(mechanism.closures, mechanism.row_slices, strict=True)
        ):
            frames = tuple(tuple(pose.transform() for _, pose in pair) for pair in constraint.pairs)
            ends = [
                WORLD_NODE if body == WORLD else mechanism.index(body)
                for pair in constraint.pairs
                for body, _ in pair
            ]
            states = [
                bodies.joint_state(name, joint)
                for joint in constraint.joints
                for name in ("qv" if self._is_loaded else "q")
            ]
            nothing = bodies.constant(None)
            slots = bodies.apply(
                lambda *values, element=constraint: self._wrenches(element, *values),
                Slot("lam", rows.start, bodies.vector(rows.stop - rows.start)),
                bodies.values(TIME)[WHOLE] if constraint.depends_on_time else nothing,
                drives.get(k) or nothing,
                bodies.constant(frames),
                *(bodies.values("motion")[i] for i in ends),
                *states,
                label=kind_of(constraint),
            )
            shown.append(slots[0])
            for number, body in enumerate(ends, start=1):
                if body >= 0:
                    self._subtract(body, Transform.identity(), slots[number])
        return shown

    def _wrenches(self, constraint: AbstractConstraint, *values: Any) -> tuple[Array, ...]:  # noqa: ANN401
        names, bodies = self._mechanism.joint_names, self._mechanism.bodies
        joints = [bodies[names.index(name)].joint for name in constraint.joints]
        return _constraint(constraint, joints, self._axes, self._is_loaded, *values)


def _base(*, numbers: Array) -> dict[str, Array]:
    still = np.zeros(6)
    velocity, rate = (numbers[3:9], numbers[9:]) if len(numbers) == N_BASE else (still, still)
    A = np.concatenate([rate[:3] - numbers[:3], rate[3:]])
    return {"motion": np.concatenate([np.eye(3).ravel(), np.zeros(3), velocity, A])}


def _inertial(inertia: Inertia, motion: BodyMotion) -> Array:
    return inertia.apply(motion.A) + cross_force(motion.V, inertia.apply(motion.V))


def _nothing(_inertia: Inertia, _motion: BodyMotion) -> Array:
    return np.zeros(6)


def _less(frame: Transform, wrench: Array, force: Array) -> Array:
    return force - frame.force_to_parent(wrench)


def _to_parent(mount: Mount, q: Array, force: Array, parent: Array) -> Array:
    return parent + (mount.X_PJ @ mount.joint.transform(q)).force_to_parent(force)


def _shown(
    axes: str, backwards: bool, mount: Mount, q: Array, motion: BodyMotion, force: Array
) -> Array:
    X_JB = mount.joint.transform(q)
    return turned(axes, force, X_JB, motion.X_WB.R, backwards=backwards)


def _constraint(
    constraint: AbstractConstraint, joints: Sequence[Any], axes: str, loaded: bool, lam: Array,
    t: Scalar | None, drive: Array | None, frames: tuple[Any, ...], *given: Any,  # noqa: ANN401
) -> tuple[Array, ...]:  # fmt: skip
    """Return the wrench of a constraint as it is shown, and those on the bodies of each pair."""
    n_bodies, still = 2 * len(frames), np.zeros(6)
    bodies, states = given[:n_bodies], given[n_bodies:]
    pairs, poses = [], []
    for (X_E, X_F), first, second in zip(frames, bodies[::2], bodies[1::2], strict=True):
        both = first, second
        V = [still if body.V is None else body.V for body in both]
        A = [still if body.A is None else body.A for body in both]
        pairs.append(PairMotion.from_bodies([X_E, X_F], [body.X_WB for body in both], V, A))
        poses.append(second.X_WB @ X_F)
    motions = [pair.seen(_STILL) for pair in pairs]
    width = 2 if loaded else 1
    moving = {
        name: coordinates(
            joint, 0, dict(zip(("q0", "v0"), states[width * j :], strict=False)),
            np.zeros((joint.nv, 0)),
        )
        for j, (name, joint) in enumerate(zip(constraint.joints, joints, strict=True))
    }  # fmt: skip
    view = PairsView(
        dict(zip(constraint.pairs, motions, strict=True)), moving, 0.0 if t is None else t
    )
    loads = constraint.loads(view, lam)
    on_bodies = [
        on_body
        for pair, load in zip(pairs, loads, strict=False)
        for (on_body,) in pair.on_bodies(load[None])
    ]
    on_bodies += [still] * (n_bodies - len(on_bodies))
    if len(loads) != 1:
        return (still, *on_bodies)
    total = loads[0]
    if loaded and isinstance(constraint, AbstractClosure):
        total = total + constraint.applied(motions[0], drive)
    return (closure_turned(axes, total, motions[0].X.R, poses[0].R), *on_bodies)
