"""Composition of mechanisms: a guest attached to a body of a host.

A guest's world becomes a frame F that a body of the host carries, with X_TF its pose in that body
T.  So a root of the guest, with its joint frame at X_FJ, has it at X_TF X_FJ in T; points that the
guest fixed to its world are fixed to T.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from poinsot.errors import ModelError, ModelWarning
from poinsot.expr.same_formula import same
from poinsot.model.body import WORLD, Body
from poinsot.model.changed import changed
from poinsot.model.constraints import AbstractConstraint, Frame, Loop
from poinsot.model.forces import AbstractForce
from poinsot.model.joints import AbstractJoint, Free
from poinsot.model.mechanism import Mechanism
from poinsot.model.mechanism_parts import checked_name, listed_names
from poinsot.model.name_suggestion import suggestion
from poinsot.model.pose import Pose
from poinsot.model.pose_products import composed
from poinsot.model.states.carried import carried_states, check_names_kept

__all__ = ["attached", "with_frame"]

E = TypeVar("E", AbstractForce, Loop, AbstractConstraint)

_IDENTITY = Pose()


def attached(
    host: Mechanism,
    guest: Mechanism,
    to: str,
    *,
    pose: Pose = _IDENTITY,
    prefix: str = "",
    joint: AbstractJoint | None = None,
) -> Mechanism:
    """Return the host with a guest that one of its bodies carries.

    Bodies, forces, loops and constraints of the guest follow those of the host, so
    q = [q_host, q_guest] and v alike.  Name and gravity are the host's.

    Args:
        host: What carries.
        guest: What is carried.
        to: Name of the host's body that carries it, or ``"world"``.
        pose: Where the guest's world frame sits in that body.
        prefix: Put in front of the guest's names: of bodies, joints, forces, loops, constraints.
        joint: In place of the joint of the guest's only root; its name gets no prefix.

    Raises:
        ModelError: If ``to`` is unknown, names clash, a free root would float, there is not one
            root for the joint, or a parameter has two numbers.

    Warns:
        ModelWarning: If the guest was described with another gravity.
    """
    where = f"attach {guest.name!r} to {to!r} of {host.name!r}"
    if to != WORLD and to not in host.body_names:
        raise ModelError(f"{where}: no such body; {suggestion(str(to), (WORLD, *host.body_names))}")
    if not isinstance(pose, Pose):
        raise ModelError(f"{where}: pose must be a Pose, e.g. Pose((0, 0, 1)), got {pose!r}")
    if not isinstance(prefix, str):
        raise ModelError(f"{where}: prefix must be text, e.g. 'gripper/', got {prefix!r}")
    _check_roots(guest, to, joint, where)
    if not same(guest.gravity, host.gravity):
        warnings.warn(
            f"{where}: its gravity {guest.gravity} is not {host.gravity}, which holds for the "
            "whole; describe it with the same, System(..., gravity=...), to be rid of this warning",
            ModelWarning,
            stacklevel=3,
        )

    def moved(body: Body) -> Body:
        name = checked_name(prefix + body.name, where)
        if body.parent != WORLD:
            return changed(
                body, name=name, parent=prefix + body.parent, joint=_prefixed(body.joint, prefix)
            )
        carrying = _prefixed(body.joint, prefix) if joint is None else joint
        return changed(body, name=name, parent=to, joint=carrying, pose=composed(pose, body.pose))

    bodies = (*host.bodies, *map(moved, guest.bodies))
    joints = _new_joint_names(guest, bodies[len(host.bodies) :])
    joints = _with_coordinates(guest, joints | {x.name: prefix + x.name for x in guest.loops})
    carried = partial(_carried, joints=joints, to=to, pose=pose, prefix=prefix)
    forces = (*host.forces, *map(carried, guest.forces))
    loops = (*host.loops, *map(carried, guest.loops))
    constraints = (*host.constraints, *map(carried, guest.constraints))
    for what, of_host, of_both in (
        ("bodies", host.body_names, [body.name for body in bodies]),
        ("joints", host.joint_names, [body.joint.name or body.name for body in bodies]),
        ("force elements", _names(host.forces), _names(forces)),
        ("loops", _names(host.loops), _names(loops)),
        ("constraints", _names(host.constraints), _names(constraints)),
    ):
        _check_clashes(what, of_host, of_both, guest.name, where)
    merged = _merged_parameters(host, guest, where)
    merged["states"] = _both_states(host, guest, prefix, where)
    return host.rebuilt(
        bodies=bodies, forces=forces, loops=loops, constraints=constraints, **merged
    )


def with_frame(mechanism: Mechanism, name: str, body: str, pose: Pose) -> Mechanism:
    """Return the mechanism with one more body: without mass, and fixed.

    Args:
        mechanism: The mechanism.
        name: Name of the frame.
        body: Name of the body that carries it, or ``"world"``.
        pose: Where it sits in that body.
    """
    bodies = (*mechanism.bodies, Body(name, parent=body, pose=pose))
    return mechanism.rebuilt(bodies=bodies)


def _check_roots(guest: Mechanism, to: str, joint: AbstractJoint | None, where: str) -> None:
    roots = [guest.bodies[i] for i in guest.roots]
    if joint is None:
        floating = [body.name for body in roots if isinstance(body.joint, Free)]
        if floating and to != WORLD:
            remedy = "give joint=Fixed() to weld it, or joint=Free() to let it float"
            if len(roots) > 1:
                remedy = f"attach its parts one by one: part({floating[0]!r}) with joint=Fixed()"
            raise ModelError(
                f"{where}: its root {floating[0]!r} is free and would not be held; {remedy}"
            )
        return
    if not isinstance(joint, AbstractJoint):
        raise ModelError(f"{where}: joint must be a joint, e.g. Fixed(), got {joint!r}")
    if len(roots) > 1:
        raise ModelError(
            f"{where}: joint= is for a guest with one root, and it has {len(roots)}: "
            f"{listed_names([body.name for body in roots])}; attach its parts one by one, "
            f"e.g. part({roots[0].name!r})"
        )


def _check_clashes(
    what: str, of_host: Sequence[str | None], of_both: Sequence[str | None], guest: str, where: str
) -> None:
    """Reject names of a guest, which follow those of the host, that the host has too."""
    taken = set(of_host) - {None}
    clashes = [name for name in of_both[len(of_host) :] if name in taken]
    if clashes:
        raise ModelError(
            f"{where}: {what} of both are called {listed_names(clashes)}; give another prefix, "
            f"e.g. prefix={_free_prefix(guest, of_both)!r}"
        )


def _names(things: Sequence[AbstractForce | AbstractConstraint]) -> list[str | None]:
    return [thing.name for thing in things]


def _merged_parameters(host: Mechanism, guest: Mechanism, where: str) -> dict[str, Any]:
    """Return the parameters of both, and signals; the same name is the same parameter."""
    merged = dict(host.parameters)
    for name, value in guest.parameters:
        current = merged.setdefault(name, value)
        if current is None:
            merged[name] = value
        elif value is not None and value != current:
            raise ModelError(
                f"{where}: parameter {name!r} is {current} here and {value} there; give both the "
                f"same number, with_parameters({name}=...), or rename one"
            )
    both = {key: (*getattr(host, key), *getattr(guest, key)) for key in ("free", "texts")}
    signals = dict(host.signals)
    for name, signal in guest.signals:
        if signals.setdefault(name, signal) != signal:
            raise ModelError(
                f"{where}: signal {name!r} has other samples here and there; rename one"
            )
    return {"parameters": merged, "signals": signals, **both}


def _both_states(host: Mechanism, guest: Mechanism, prefix: str, where: str) -> list[Any]:
    """Return the states of both; they keep their names, as parameters do."""
    known = (*dict(guest.parameters), *guest.state_values)
    check_names_kept(guest.states, known, prefix, where)
    sizes = (host.nq, host.nv), (guest.nq, guest.nv)
    whole = host.nq + guest.nq, host.nv + guest.nv
    return [
        *carried_states(host.states, (0, 0), sizes[0], whole),
        *carried_states(guest.states, *sizes, whole),
    ]


def _free_prefix(name: str, names: Collection[str | None]) -> str:
    """Return a prefix with which no name begins."""
    stem, k = name.replace(" ", "_"), 1
    prefix = f"{stem}/"
    while any(other is not None and other.startswith(prefix) for other in names):
        k += 1
        prefix = f"{stem}{k}/"
    return prefix


def _with_coordinates(guest: Mechanism, joints: Mapping[str, str]) -> dict[str, str]:
    """Return the new names of joints, and of single coordinates of them, as in ``"base.x"``."""
    olds = ((name, guest.joint_and_entry(name)[0]) for name in guest.coordinate_sizes)
    return {name: joints[joint] + name[len(joint) :] for name, joint in olds}


def _carried(element: E, joints: Mapping[str, str], to: str, pose: Pose, prefix: str) -> E:
    """Return a force element, loop or constraint of a guest, with its joints renamed."""

    def frame(attached: Frame) -> Frame:
        body, local = attached
        return (prefix + body, local) if body != WORLD else (to, composed(pose, local))

    name: Any = None if element.name is None else prefix + element.name
    return element.moved(name, frame, joints.__getitem__)


def _prefixed(joint: AbstractJoint, prefix: str) -> AbstractJoint:
    name = None if joint.name is None else prefix + joint.name
    mimic = joint.mimic
    if mimic is not None:
        mimic = changed(mimic, joint=prefix + mimic.joint)
    return changed(joint, name=name, mimic=mimic)


def _new_joint_names(guest: Mechanism, bodies: Sequence[Body]) -> dict[str, str]:
    """Return the new names of a guest's joints, by their old ones."""
    return {
        old: new.joint.name or new.name for old, new in zip(guest.joint_names, bodies, strict=True)
    }
