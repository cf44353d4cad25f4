"""The checks that need the whole mechanism: every body's own are in ``body``."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from poinsot.errors import FormulaError, ModelError
from poinsot.model.axis import Axis
from poinsot.model.body import WORLD, Body
from poinsot.model.constraints import Loop
from poinsot.model.fields import declarations
from poinsot.model.forces import AbstractForce, AbstractJointForce
from poinsot.model.joints import AbstractJoint
from poinsot.model.name_suggestion import suggestion
from poinsot.model.scalar_values import is_symbolic
from poinsot.model.topology import find_cycle

__all__ = [
    "check_axes",
    "check_bodies",
    "check_cycles",
    "check_forces",
    "check_formulas",
    "check_mimics",
    "check_names",
]

_PRINTED = 20
"""How many bodies of a cycle a message names."""


def check_bodies(bodies: Iterable[Body], where: str) -> tuple[Body, ...]:
    """Return the bodies as a tuple, rejecting none at all and what is not a body."""
    if isinstance(bodies, Body) or not isinstance(bodies, Iterable):
        raise ModelError(f"{where}: bodies must be a list of Body, got {bodies!r}")
    listed = tuple(bodies)
    if not listed:
        raise ModelError(f"{where}: there must be at least one body; give a list of Body")
    for i, body in enumerate(listed):
        if not isinstance(body, Body):
            raise ModelError(f"{where}: bodies[{i}] must be a Body, got {body!r}")
    return listed


def check_names(names: Sequence[str], what: str, where: str) -> None:
    """Reject a name that occurs twice.

    Args:
        names: The names, as listed.
        what: ``"body"`` or ``"joint"``.
        where: Opens the message of an error.
    """
    first: dict[str, int] = {}
    for i, name in enumerate(names):
        if name in first:
            raise ModelError(
                f"{where}: two {'bodies' if what == 'body' else 'joints'} are called {name!r} "
                f"(of bodies[{first[name]}] and bodies[{i}]); rename one"
            )
        first[name] = i


def check_cycles(names: Sequence[str], parents: Sequence[int], where: str) -> None:
    """Reject bodies that carry each other in a circle; the message prints the circle."""
    cycle = find_cycle(parents)
    if not cycle:
        return
    shown = [names[i] for i in cycle[:_PRINTED]]
    if len(cycle) > _PRINTED:
        shown.append(f"... ({len(cycle) - _PRINTED} more)")
    shown.append(names[cycle[0]])
    raise ModelError(
        f"{where}: the parents form a cycle: {' -> '.join(shown)} (a body, its parent, and so on); "
        "let one of them hang on 'world', and close a real loop with a loop joint"
    )


def check_mimics(bodies: Sequence[Body], joints: Sequence[str], where: str) -> None:
    """Reject a joint that mimics itself, an unknown joint, or one that is not of one velocity."""
    if all(body.joint.mimic is None for body in bodies):
        return
    index = {name: i for i, name in enumerate(joints)}
    for body, name in zip(bodies, joints, strict=True):
        if body.joint.mimic is None:
            continue
        followed = body.joint.mimic.joint
        opening = f"{where}: joint {name!r} mimics"
        if followed not in index:
            raise ModelError(
                f"{opening} the unknown joint {followed!r}; {suggestion(followed, index)}"
            )
        if followed == name:
            raise ModelError(f"{opening} itself; name another joint")
        if bodies[index[followed]].joint.nv != 1:
            raise ModelError(
                f"{opening} {followed!r}, a {bodies[index[followed]].joint.kind} joint; "
                "only joints of one velocity can be followed"
            )


def check_forces(
    forces: Iterable[AbstractForce],
    bodies: Sequence[str],
    joints: Mapping[str, AbstractJoint],
    where: str,
) -> tuple[AbstractForce, ...]:
    """Return the force elements as a tuple, rejecting unknown names and such that repeat."""
    if isinstance(forces, AbstractForce) or not isinstance(forces, Iterable):
        raise ModelError(f"{where}: forces must be a list of force elements, got {forces!r}")
    listed, names = tuple(forces), dict.fromkeys((WORLD, *bodies))
    first: dict[str, int] = {}
    for i, force in enumerate(listed):
        if not isinstance(force, AbstractForce):
            raise ModelError(
                f"{where}: forces[{i}] must be a force element, e.g. a Spring, got {force!r}"
            )
        name = force.label
        for body, _ in force.ends:
            if body not in names:
                raise ModelError(
                    f"{where}: {name} (forces[{i}]) acts on the unknown body {body!r}; "
                    + suggestion(body, names)
                )
        if isinstance(force, AbstractJointForce):
            try:
                force.check_joints(joints)
            except ModelError as error:
                raise ModelError(f"{where}: {error} (forces[{i}])") from None
        if force.name is not None and force.name in first:
            raise ModelError(
                f"{where}: two force elements are called {force.name!r} "
                f"(forces[{first[force.name]}] and forces[{i}]); rename one"
            )
        first[force.name or ""] = i
    return listed


def check_formulas(
    forces: Iterable[AbstractForce], parameters: Collection[str], where: str
) -> None:
    """Reject names in the formulas of forces that are not parameters."""
    for force in forces:
        try:
            force.check_parameters(parameters)
        except FormulaError as error:
            raise FormulaError(f"{where}: {error}") from None


def check_axes(bodies: Iterable[Body], loops: Iterable[Loop], where: str) -> None:
    """Reject axes of joints that depend on free parameters: frames are laid along them."""
    joints = [(f"body {body.name!r}", body.joint) for body in bodies]
    joints += [(f"loop {loop.name!r}", loop.joint) for loop in loops]
    for what, joint in joints:
        for key, stated in declarations(type(joint)).items():
            axis = getattr(joint, key)
            if isinstance(stated.kind, Axis) and is_symbolic(axis):
                raise ModelError(
                    f"{where}: the {key} {axis} of the joint of {what} depends on a free "
                    "parameter; turn its pose by it instead, e.g. Pose(axis='x', angle=a), or "
                    "give the parameter a number"
                )
