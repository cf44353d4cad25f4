"""Subsystems of a mechanism as mechanisms of their own."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

from poinsot.errors import ModelError, ModelWarning
from poinsot.model.body import WORLD, Body
from poinsot.model.changed import changed
from poinsot.model.constraints import AbstractConstraint, Frame
from poinsot.model.joints import Mimic
from poinsot.model.mechanism import Mechanism
from poinsot.model.mechanism_parts import (
    PRINTED,
    begins_with,
    checked_name,
    listed_names,
)
from poinsot.model.model_warnings import warn
from poinsot.model.name_suggestion import suggestion
from poinsot.model.states.carried import states_of_part

__all__ = ["carried_part", "prefixed_part"]

C = TypeVar("C", bound=AbstractConstraint)


def prefixed_part(mechanism: Mechanism, prefix: str) -> Mechanism:
    """Return the bodies whose names begin with a prefix, and all between them, by themselves.

    The names lose the prefix.  The world of the part is the body that carried it: what was fixed
    to that body is fixed to the world.  So ``attached(rest, part, to, prefix=prefix)`` restores the
    original.

    Args:
        mechanism: The whole.
        prefix: What the names begin with, e.g. ``"gripper/"``; also the name of the part.

    Raises:
        ModelError: If there are no such bodies, or several others carry them.

    Warns:
        ModelWarning: If force elements also act on what is left out; they are left out too.
    """
    names = [name for name in mechanism.body_names if begins_with(name, prefix)]
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


def _part(mechanism: Mechanism, kept: set[str], name: str, prefix: str) -> Mechanism:
    bodies = [body for body in mechanism.bodies if body.name in kept]
    carriers = dict.fromkeys(body.parent for body in bodies if body.parent not in kept)
    if len(carriers) > 1:
        raise ModelError(
            f"the bodies {prefix + '...'!r} of mechanism {mechanism.name!r} hang on different "
            f"others, {listed_names(list(carriers))}; a part hangs on one"
        )
    (carrier,) = carriers
    frame, joint = _renaming(carrier, prefix)
    forces, cut = [], []
    joined_by = _bodies_of_joints(mechanism)
    for force in mechanism.forces:
        joined = {body for name in force.joints for body in joined_by[name]}
        ends = {body for body, _ in force.ends} | joined
        if not ends & kept:
            continue
        own = {
            body for name in force.joints if name in mechanism.joints for body in joined_by[name]
        }
        if ends <= kept | {carrier} and own <= kept:
            forces.append(force.moved(_without(force.name, prefix), frame, joint))
        else:
            cut.append(f"{force.label} (on {listed_names(sorted(ends - kept))})")
    loops, lost = _closures_of_part(mechanism.loops, mechanism, kept, carrier, prefix)
    constraints, more = _closures_of_part(mechanism.constraints, mechanism, kept, carrier, prefix)
    cut += lost + more
    if cut:
        warnings.warn(
            f"part {name!r} of mechanism {mechanism.name!r} is without what acts on "
            f"other bodies too: {', '.join(cut[:PRINTED])}" + ", ..." * (len(cut) > PRINTED),
            ModelWarning,
            stacklevel=4,
        )
    joints = {body.joint.name or body.name for body in bodies}
    inside = [
        changed(
            body,
            name=checked_name(body.name.removeprefix(prefix), f"part {name!r}"),
            parent=WORLD if body.parent == carrier else body.parent.removeprefix(prefix),
            joint=changed(
                body.joint,
                name=_without(body.joint.name, prefix),
                mimic=_kept_mimic(body, joints, prefix, name),
            ),
        )
        for body in bodies
    ]
    used = {read for force in forces for read in force.parameters}
    known = dict(mechanism.parameters)
    states = states_of_part(mechanism.states, used, known, prefix, f"part {name!r}")
    return mechanism.rebuilt(
        name=name, bodies=inside, forces=forces, loops=loops, constraints=constraints, states=states
    )


def _renaming(carrier: str, prefix: str) -> tuple[Callable[[Frame], Frame], Callable[[str], str]]:
    """Return the maps of frames and of joint names for a part that a body carried."""

    def frame(attached: Frame) -> Frame:
        body, pose = attached
        return (WORLD if body == carrier else body.removeprefix(prefix)), pose

    def joint(name: str) -> str:
        return name.removeprefix(prefix) or name

    return frame, joint


def _closures_of_part(
    closures: Sequence[C], mechanism: Mechanism, kept: set[str], carrier: str, prefix: str
) -> tuple[list[C], list[str]]:
    """Return the loops or constraints of a part, and those that hold other bodies too."""
    frame, joint = _renaming(carrier, prefix)
    inside, cut = [], []
    joined_by = _bodies_of_joints(mechanism)
    for constraint in closures:
        bodies = {body for pair in constraint.pairs for body, _ in pair}
        joints = (mechanism.joint_and_entry(name)[0] for name in constraint.joints)
        bodies |= {body for joint in joints for body in joined_by[joint]}
        if bodies <= kept | {carrier} and bodies & kept:
            inside.append(
                constraint.moved(
                    constraint.name.removeprefix(prefix) or constraint.name, frame, joint
                )
            )
        elif bodies & kept or not bodies:
            cut.append(f"{constraint.label} (on {listed_names(sorted(bodies - kept))})")
    return inside, cut


def _bodies_of_joints(mechanism: Mechanism) -> dict[str, set[str]]:
    """Return the body that each joint carries, or those that a cut one connects, by its name."""
    carried = {name: {body} for name, body in zip(mechanism.joint_names, mechanism.body_names,
                                                  strict=True)}  # fmt: skip
    return carried | {loop.name: {body for body, _ in loop.pair} for loop in mechanism.loops}


def _kept_mimic(body: Body, joints: Collection[str], prefix: str, name: str) -> Mimic | None:
    """Return what the joint of a body mimics, or None, with a warning, if that is left out."""
    mimic = body.joint.mimic
    if mimic is None:
        return None
    if mimic.joint not in joints:
        warn(
            f"part {name!r}: the joint of body {body.name!r} no longer mimics {mimic.joint!r}, "
            "which is left out",
            5,
        )
        return None
    return changed(mimic, joint=mimic.joint.removeprefix(prefix) or mimic.joint)


def _without(name: str | None, prefix: str) -> str | None:
    return None if name is None else name.removeprefix(prefix) or name


def _prefixes(mechanism: Mechanism) -> list[str]:
    """Return the prefixes that end with a slash, or all names if there are none."""
    prefixes = {name[: name.index("/") + 1]: None for name in mechanism.body_names if "/" in name}
    return list(prefixes or mechanism.body_names)
