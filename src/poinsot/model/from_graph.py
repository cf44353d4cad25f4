"""Mechanisms from graphs: bodies and joints between them, without a given tree.

The spanning tree says which joint carries each body; the other joints become loops.  A joint used
from its second body to its first is mirrored.  Body frames are as given: where the joint that
carries a body has its frame elsewhere, a massless frame moves with the joint and the body is fixed
to it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.body import WORLD, Body
from poinsot.model.changed import changed
from poinsot.model.checks import checked_name
from poinsot.model.connection import Connection
from poinsot.model.constraints import AbstractConstraint, Loop
from poinsot.model.forces import AbstractForce
from poinsot.model.joints import AbstractJoint, Fixed, Free
from poinsot.model.mechanism import Mechanism
from poinsot.model.name_suggestion import suggestion
from poinsot.model.pose import Pose
from poinsot.model.pose_products import inverse
from poinsot.model.reversed_joint import mirrored
from poinsot.model.scalar_values import nonzero
from poinsot.model.signal import Signal
from poinsot.model.spanning_tree import Edge, breadth_first, spanning_tree
from poinsot.model.validate import check_bodies, check_names
from poinsot.model.validate_closures import check_constraints

__all__ = ["mechanism_from_graph"]

NEVER = 1_000_000
"""Weight of a joint that must not be cut, beside 1 of those that are only named by something."""
_PRINTED = 8
"""How many names a message lists."""


def mechanism_from_graph(
    name: str,
    bodies: Iterable[Body],
    connections: Iterable[Connection],
    gravity: ArrayLike = (0.0, 0.0, -9.81),
    forces: Iterable[AbstractForce] = (),
    constraints: Iterable[AbstractConstraint] = (),
    parameters: Mapping[str, float | Signal | None] | None = None,
    free: Iterable[str] = (),
    driven: Iterable[str] = (),
    states: Iterable[Any] = (),
) -> Mechanism:
    """Return the mechanism of a graph: a tree of the bodies, and loops.

    The tree does not depend on the order of bodies and connections: where nothing else decides,
    joints that come first in the alphabet are kept.

    Args:
        name: Name of the mechanism.
        bodies: The bodies, without parent, joint and pose.
        connections: The joints between them and the world.
        gravity: Acceleration of free fall [m/s²] in the world frame, shape (3,).
        forces: Force elements between its bodies and the world.
        constraints: Other equations that its motion obeys; the joints they name are not cut, nor
            those that force elements act on.
        parameters: Numbers of the parameters in formulas, by name.
        free: Names of those that stay inputs of every computation.
        driven: Names of joints that are to stay in the tree.
        states: Further states.

    Raises:
        ModelError: If names repeat or are unknown, a body has a place in a tree already or is not
            connected to the world, or a joint cannot be used as the tree needs it.
    """
    where = f"graph {checked_name(name, 'graph: name')!r}"
    listed = check_bodies(bodies, where)
    check_names([body.name for body in listed], "body", where)
    for body in listed:
        _check_unplaced(body, where)
    joints = sorted(_checked(connections, where), key=lambda connection: connection.name)
    numbers = {WORLD: -1} | {body.name: i for i, body in enumerate(listed)}
    others, elements = check_constraints(constraints, where), tuple(forces)
    uncut = {connection.name for connection in joints if _cannot_close(connection.joint)}
    uncut |= _checked_driven(driven, joints, where)
    named = {name for constraint in others for name in constraint.joints}
    held = uncut | named | {name.rpartition(".")[0] for name in named} | _driven(elements)
    weights = dict.fromkeys(held, 1) | dict.fromkeys(uncut, NEVER)
    edges = [_edge(connection, numbers, weights, where) for connection in joints]
    _check_connected(listed, breadth_first(edges), where)
    carriers = {listed[i].name: joints[e] for i, e in spanning_tree(edges).items()}
    names = _Names([*numbers, *(connection.name for connection in joints)])
    for body in listed:
        _check_direction(body, carriers[body.name], elements, where)
    tree = [placed for body in listed for placed in _placed(body, carriers[body.name], names)]
    kept = {connection.name for connection in carriers.values()}
    loops = [
        _loop(connection, uncut, where) for connection in joints if connection.name not in kept
    ]
    description = name, tree, gravity, elements, loops, others
    return Mechanism(*description, parameters or {}, free, states=states)


class _Names:
    """Names that are taken."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def new(self, wish: str) -> str:
        """Reserve a name, with a number appended if it is taken."""
        name, k = wish, 1
        while name in self._taken:
            k += 1
            name = f"{wish} {k}"
        self._taken.add(name)
        return name


def _placed(body: Body, carrier: Connection, names: _Names) -> list[Body]:
    """Return a body on its joint, after the massless frame between them if there is one."""
    joint: AbstractJoint = changed(carrier.joint, name=carrier.name, backwards=False)
    (parent, pose_parent), (_, pose_body) = carrier.first, carrier.second
    if carrier.first[0] == body.name:
        (parent, pose_parent), (_, pose_body) = carrier.second, carrier.first
        joint = changed(mirrored(joint), backwards=True)
    if pose_body == Pose():
        return [changed(body, parent=parent, joint=joint, pose=pose_parent)]
    frame = Body(names.new(f"{carrier.name} frame"), parent, joint, pose_parent)
    held = Fixed(name=names.new(f"{carrier.name} to {body.name}"))
    return [frame, changed(body, parent=frame.name, joint=held, pose=inverse(pose_body))]


def _checked_driven(driven: Iterable[str], joints: Sequence[Connection], where: str) -> set[str]:
    """Return the names of joints that are to stay in the tree."""
    known = {connection.name: connection for connection in joints}
    if isinstance(driven, str):
        raise ModelError(f"{where}: driven must be a list of names, e.g. [{driven!r}]")
    names = set(driven)
    for name in sorted(names - set(known)):
        raise ModelError(f"{where}: driven names the unknown joint {name!r}; "
                         + suggestion(name, known))  # fmt: skip
    return names


def _loop(connection: Connection, uncut: Collection[str], where: str) -> Loop:
    if connection.name in uncut:
        raise ModelError(
            f"{where}: connection {connection.name!r} closes a loop of joints none of which can be "
            "cut, since they are free, have armature or are to stay in the tree (driven); take the "
            "armature from one of them, or leave out one that is free or driven"
        )
    return Loop(connection.name, connection.first, connection.second, connection.joint)


def _cannot_close(joint: AbstractJoint) -> bool:
    """Return whether a joint cannot be cut."""
    return isinstance(joint, Free) or nonzero(joint.armature)


def _driven(forces: Iterable[AbstractForce]) -> set[str]:
    """Return the joints that force elements act on or read."""
    return {name for force in forces for name in getattr(force, "joints", ())}


def _check_direction(
    body: Body, carrier: Connection, forces: Iterable[AbstractForce], where: str
) -> None:
    """Reject forces in a joint of several velocities that the tree traverses backwards."""
    if carrier.first[0] == body.name and carrier.joint.nv > 1 and carrier.name in _driven(forces):
        raise ModelError(
            f"{where}: a force acts in joint {carrier.name!r} ({carrier.joint.kind}), which the "
            f"tree takes from {carrier.second[0]!r} to {body.name!r}; connect the two in this order"
        )


def _edge(
    connection: Connection, numbers: Mapping[str, int], held: Mapping[str, int], where: str
) -> Edge:
    for body, _ in (connection.first, connection.second):
        if body not in numbers:
            raise ModelError(
                f"{where}: connection {connection.name!r} joins the unknown body {body!r}; "
                + suggestion(body, numbers)
            )
    ends = numbers[connection.first[0]], numbers[connection.second[0]]
    return Edge(ends, connection.joint.nv, held.get(connection.name, 0))


def _checked(connections: Iterable[Connection], where: str) -> tuple[Connection, ...]:
    """Return the connections as a tuple, rejecting what is not one and names that repeat."""
    if isinstance(connections, Connection) or not isinstance(connections, Iterable):
        raise ModelError(f"{where}: joints must be a list of Connection, got {connections!r}")
    listed = tuple(connections)
    first: dict[str, int] = {}
    for i, connection in enumerate(listed):
        if not isinstance(connection, Connection):
            raise ModelError(f"{where}: joints[{i}] must be a Connection, got {connection!r}")
        if connection.name in first:
            raise ModelError(
                f"{where}: two connections are called {connection.name!r} "
                f"(joints[{first[connection.name]}] and joints[{i}]); rename one"
            )
        first[connection.name] = i
    return listed


def _check_unplaced(body: Body, where: str) -> None:
    for what, value, default in (
        ("parent", body.parent, WORLD),
        ("joint", body.joint, Fixed()),
        ("pose", body.pose, Pose()),
    ):
        if value != default:
            raise ModelError(
                f"{where}: body {body.name!r} has the {what} {value!r}; in a graph the connections "
                f"say where a body is, so leave {what} out and write Connection(...)"
            )


def _check_connected(bodies: Sequence[Body], reached: Mapping[int, int], where: str) -> None:
    lost = [body.name for i, body in enumerate(bodies) if i not in reached]
    if lost:
        shown = ", ".join(map(repr, lost[:_PRINTED])) + ", ..." * (len(lost) > _PRINTED)
        raise ModelError(
            f"{where}: not connected to the world: {shown}; add the joint that is missing, or let "
            f"what floats move freely: Connection('free', 'world', {lost[0]!r}, Free())"
        )
