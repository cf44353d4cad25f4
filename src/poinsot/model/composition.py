"""Mechanisms made of mechanisms: one attached to another, and parts of one by themselves.

A guest's world becomes a frame F that a body of the host carries, with X_TF its pose in that body
T.  So a root of the guest, with its joint frame at X_FJ, has it at X_TF X_FJ in T; points that the
guest fixed to its world are fixed to T.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any, TypeVar

from poinsot.errors import ModelError, ModelWarning
from poinsot.expr.same import same
from poinsot.model.body import WORLD, Body
from poinsot.model.changed import changed
from poinsot.model.constraints import AbstractConstraint, Frame
from poinsot.model.forces import AbstractForce, End
from poinsot.model.joints import AbstractJoint, Free, Mimic
from poinsot.model.mechanism import Mechanism
from poinsot.model.pose import Pose
from poinsot.model.pose_products import composed
from poinsot.model.suggest import suggestion
from poinsot.model.warn import warn

__all__ = ["attached", "carried_part", "prefixed_part", "with_frame"]

C = TypeVar("C", bound=AbstractConstraint)

_IDENTITY = Pose()

_PRINTED = 5
"""How many names a message lists."""


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
        name = _checked(prefix + body.name, where)
        if body.parent != WORLD:
            return changed(
                body, name=name, parent=prefix + body.parent, joint=_prefixed(body.joint, prefix)
            )
        own = _prefixed(body.joint, prefix) if joint is None else joint
        return changed(body, name=name, parent=to, joint=own, pose=composed(pose, body.pose))

    def end(one: End) -> End:
        body, point = one
        if body != WORLD:
            return prefix + body, point
        return to, composed(pose, Pose(point)).xyz

    bodies = (*host.bodies, *map(moved, guest.bodies))
    joints = _new_joint_names(guest, bodies[len(host.bodies) :])
    moved_force = partial(_moved_force, end=end, joints=joints, prefix=prefix)
    forces = (*host.forces, *map(moved_force, guest.forces))
    renamed = _carried_closure(joints, to, pose, prefix)
    loops = (*host.loops, *map(renamed, guest.loops))
    constraints = (*host.constraints, *map(renamed, guest.constraints))
    for what, of_host, of_both in (
        ("bodies", host.body_names, [body.name for body in bodies]),
        ("joints", host.joint_names, [body.joint.name or body.name for body in bodies]),
        ("force elements", _names(host.forces), _names(forces)),
        ("loops", _names(host.loops), _names(loops)),
        ("constraints", _names(host.constraints), _names(constraints)),
    ):
        _check_clashes(what, of_host, of_both, guest.name, where)
    merged = _merged_parameters(host, guest, where)
    return _rebuilt(
        host, bodies=bodies, forces=forces, loops=loops, constraints=constraints, **merged
    )


def prefixed_part(mechanism: Mechanism, prefix: str) -> Mechanism:
    """Return the bodies whose names begin with a prefix, and all between them, by themselves.

    The names lose the prefix.  The world of the part is the body that carried it: what was fixed
    to that body is fixed to the world.  So ``attached(rest, part, to, prefix=prefix)`` is the whole
    again.

    Args:
        mechanism: The whole.
        prefix: What the names begin with, e.g. ``"gripper/"``; also the name of the part.

    Raises:
        ModelError: If there are no such bodies, or several others carry them.

    Warns:
        ModelWarning: If force elements also act on what is left out; they are left out too.
    """
    names = [name for name in mechanism.body_names if _begins(name, prefix)]
    if not names:
        raise ModelError(
            f"mechanism {mechanism.name!r} has no body whose name begins with {prefix!r}; "
            + suggestion(str(prefix), _prefixes(mechanism))
        )
    return _part(mechanism, set(names), prefix.rstrip("/ ") or prefix, prefix)


def carried_part(mechanism: Mechanism, body: str) -> Mechanism:
    """Return a body with its joint and everything that it carries, by themselves.

    Names stay as they are.  The world of the part is the body that carried it, as in
    ``prefixed_part``.

    Args:
        mechanism: The whole.
        body: Name of the body; also the name of the part.

    Raises:
        ModelError: If there is no such body.

    Warns:
        ModelWarning: If force elements also act on what is left out; they are left out too.
    """
    kept = {mechanism.index(body)}
    for i in mechanism.order:
        if mechanism.parents[i] in kept:
            kept.add(i)
    return _part(mechanism, {mechanism.body_names[i] for i in kept}, body, "")


def with_frame(mechanism: Mechanism, name: str, body: str, pose: Pose) -> Mechanism:
    """Return the mechanism with one more body: without mass, and fixed.

    Args:
        mechanism: The mechanism.
        name: Name of the frame.
        body: Name of the body that carries it, or ``"world"``.
        pose: Where it sits in that body.
    """
    bodies = (*mechanism.bodies, Body(name, parent=body, pose=pose))
    return _rebuilt(mechanism, bodies=bodies)


def _begins(name: str, prefix: str) -> bool:
    return isinstance(prefix, str) and bool(prefix) and name.startswith(prefix) and name != prefix


def _checked(name: str, where: str) -> str:
    """Return a new name of a body, refusing that of the world."""
    if name == WORLD:
        raise ModelError(f"{where}: a body would be called {WORLD!r}, as the fixed root; rename it")
    return name


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
            f"{_listed([body.name for body in roots])}; attach its parts one by one, "
            f"e.g. part({roots[0].name!r})"
        )


def _check_clashes(
    what: str, of_host: Sequence[str | None], of_both: Sequence[str | None], guest: str, where: str
) -> None:
    """Refuse names of a guest, which follow those of the host, that the host has too."""
    taken = set(of_host) - {None}
    clashes = [name for name in of_both[len(of_host) :] if name in taken]
    if clashes:
        raise ModelError(
            f"{where}: {what} of both are called {_listed(clashes)}; give another prefix, "
            f"e.g. prefix={_free_prefix(guest, of_both)!r}"
        )


def _names(things: Sequence[AbstractForce | AbstractConstraint]) -> list[str | None]:
    return [thing.name for thing in things]


def _merged_parameters(host: Mechanism, guest: Mechanism, where: str) -> dict[str, Any]:
    """Return the parameters of both, and what belongs to them; one of a name is one parameter."""
    merged = dict(host.parameters)
    for name, value in guest.parameters:
        own = merged.setdefault(name, value)
        if own is None:
            merged[name] = value
        elif value is not None and value != own:
            raise ModelError(
                f"{where}: parameter {name!r} is {own} here and {value} there; give both the same "
                f"number, with_parameters({name}=...), or rename one"
            )
    both = {key: (*getattr(host, key), *getattr(guest, key)) for key in ("free", "texts")}
    signals = dict(host.signals)
    for name, signal in guest.signals:
        if signals.setdefault(name, signal) != signal:
            raise ModelError(
                f"{where}: signal {name!r} has other samples here and there; rename one"
            )
    return {"parameters": merged, "signals": signals, **both}


def _free_prefix(name: str, names: Collection[str | None]) -> str:
    """Return a prefix with which no name begins."""
    stem, k = name.replace(" ", "_"), 1
    prefix = f"{stem}/"
    while any(other is not None and other.startswith(prefix) for other in names):
        k += 1
        prefix = f"{stem}{k}/"
    return prefix


def _part(mechanism: Mechanism, kept: set[str], name: str, prefix: str) -> Mechanism:
    bodies = [body for body in mechanism.bodies if body.name in kept]
    carriers = dict.fromkeys(body.parent for body in bodies if body.parent not in kept)
    if len(carriers) > 1:
        raise ModelError(
            f"the bodies {prefix + '...'!r} of mechanism {mechanism.name!r} hang on different "
            f"others, {_listed(list(carriers))}; a part hangs on one"
        )
    (carrier,) = carriers

    def end(one: End) -> End:
        body, point = one
        return (WORLD if body == carrier else body.removeprefix(prefix)), point

    def joint(name: str) -> str:
        return name.removeprefix(prefix) or name

    forces, cut = [], []
    carried = dict(zip(mechanism.joint_names, mechanism.body_names, strict=True))
    for force in mechanism.forces:
        ends = {body for body, _ in force.ends} | {carried[name] for name in force.joints}
        if not ends & kept:
            continue
        joined = {carried[name] for name in force.joints}
        if ends <= kept | {carrier} and joined <= kept:
            forces.append(_renamed_force(force, end, joint, _without(force.name, prefix)))
        else:
            cut.append(f"{force.label} (on {_listed(sorted(ends - kept))})")
    loops, lost = _closures_of_part(mechanism.loops, mechanism, kept, carrier, prefix)
    constraints, more = _closures_of_part(mechanism.constraints, mechanism, kept, carrier, prefix)
    cut += lost + more
    if cut:
        warnings.warn(
            f"part {name!r} of mechanism {mechanism.name!r} is without what acts on "
            f"other bodies too: {', '.join(cut[:_PRINTED])}" + ", ..." * (len(cut) > _PRINTED),
            ModelWarning,
            stacklevel=4,
        )
    joints = {body.joint.name or body.name for body in bodies}
    own = [
        changed(
            body,
            name=_checked(body.name.removeprefix(prefix), f"part {name!r}"),
            parent=WORLD if body.parent == carrier else body.parent.removeprefix(prefix),
            joint=changed(
                body.joint,
                name=_without(body.joint.name, prefix),
                mimic=_kept_mimic(body, joints, prefix, name),
            ),
        )
        for body in bodies
    ]
    return _rebuilt(
        mechanism, name=name, bodies=own, forces=forces, loops=loops, constraints=constraints
    )


def _carried_closure(
    joints: Mapping[str, str], to: str, pose: Pose, prefix: str
) -> Callable[[C], C]:
    """Return what becomes of a loop or constraint of a guest whose joints are called otherwise."""

    def frame(one: Frame) -> Frame:
        body, own = one
        return (prefix + body, own) if body != WORLD else (to, composed(pose, own))

    def renamed(one: C) -> C:
        return one.moved(prefix + one.name, frame, joints.__getitem__)

    return renamed


def _closures_of_part(
    closures: Sequence[C], mechanism: Mechanism, kept: set[str], carrier: str, prefix: str
) -> tuple[list[C], list[str]]:
    """Return the loops or constraints of a part, and those that hold other bodies too."""

    def frame(one: Frame) -> Frame:
        body, pose = one
        return (WORLD if body == carrier else body.removeprefix(prefix)), pose

    def joint(name: str) -> str:
        return name.removeprefix(prefix) or name

    inside, cut = [], []
    joints = dict(zip(mechanism.joint_names, mechanism.body_names, strict=True))
    for one in closures:
        bodies = {body for pair in one.pairs for body, _ in pair}
        bodies |= {joints[name] for name in one.joints}
        if bodies <= kept | {carrier} and bodies & kept:
            inside.append(one.moved(one.name.removeprefix(prefix) or one.name, frame, joint))
        elif bodies & kept or not bodies:
            cut.append(f"{one.label} (on {_listed(sorted(bodies - kept))})")
    return inside, cut


def _rebuilt(mechanism: Mechanism, **values: Any) -> Mechanism:  # noqa: ANN401 (as its fields)
    """Return a mechanism with other values of some fields, checked as a whole."""
    return Mechanism(**{f.name: getattr(mechanism, f.name) for f in fields(mechanism)} | values)


def _prefixed(joint: AbstractJoint, prefix: str) -> AbstractJoint:
    name = None if joint.name is None else prefix + joint.name
    mimic = joint.mimic
    if mimic is not None:
        mimic = changed(mimic, joint=prefix + mimic.joint)
    return changed(joint, name=name, mimic=mimic)


def _kept_mimic(body: Body, joints: Collection[str], prefix: str, part: str) -> Mimic | None:
    """Return what the joint of a body mimics, or None, with a warning, if that is left out."""
    mimic = body.joint.mimic
    if mimic is None:
        return None
    if mimic.joint not in joints:
        warn(
            f"part {part!r}: the joint of body {body.name!r} no longer mimics {mimic.joint!r}, "
            "which is left out",
            5,
        )
        return None
    return changed(mimic, joint=mimic.joint.removeprefix(prefix) or mimic.joint)


def _without(name: str | None, prefix: str) -> str | None:
    return None if name is None else name.removeprefix(prefix) or name


def _new_joint_names(guest: Mechanism, bodies: Sequence[Body]) -> dict[str, str]:
    """Return what the joints of a guest are called now that its bodies have become others."""
    return {
        old: new.joint.name or new.name for old, new in zip(guest.joint_names, bodies, strict=True)
    }


def _moved_force(
    force: AbstractForce, end: Callable[[End], End], joints: Mapping[str, str], prefix: str
) -> AbstractForce:
    name = None if force.name is None else prefix + force.name
    return _renamed_force(force, end, joints.__getitem__, name)


def _renamed_force(
    force: AbstractForce, end: Callable[[End], End], joint: Callable[[str], str], name: str | None
) -> AbstractForce:
    moved = force.with_ends([end(one) for one in force.ends])
    return changed(moved.with_joints([joint(one) for one in force.joints]), name=name)


def _prefixes(mechanism: Mechanism) -> list[str]:
    """Return the prefixes that end with a slash, or all names if there are none."""
    found = {name[: name.index("/") + 1]: None for name in mechanism.body_names if "/" in name}
    return list(found or mechanism.body_names)


def _listed(names: Collection[str | None]) -> str:
    shown = list(names)[:_PRINTED]
    return ", ".join(map(repr, shown)) + ", ..." * (len(names) > _PRINTED)
