"""The checks of loops and constraints that need the whole mechanism."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from poinsot.errors import FormulaError, ModelError
from poinsot.model.body import WORLD
from poinsot.model.constraints import AbstractConstraint, Loop
from poinsot.model.constraints.coupling import AbstractCoupling
from poinsot.model.constraints.point_relation import AbstractRelation
from poinsot.model.constraints.point_velocity import AbstractPointVelocity
from poinsot.model.constraints.prescribed import PrescribedMotion
from poinsot.model.constraints.prescribed_speed import PrescribedSpeed
from poinsot.model.name_suggestion import suggestion

__all__ = ["check_constraint_formulas", "check_constraints", "check_ends", "check_loops"]


def check_loops(loops: Iterable[Loop], where: str) -> tuple[Loop, ...]:
    """Return the loops as a tuple, rejecting what is no loop."""
    if isinstance(loops, Loop) or not isinstance(loops, Iterable):
        raise ModelError(f"{where}: loops must be a list of Loop, got {loops!r}")
    listed = tuple(loops)
    for i, loop in enumerate(listed):
        if not isinstance(loop, Loop):
            raise ModelError(f"{where}: loops[{i}] must be a Loop, got {loop!r}")
    return listed


def check_constraints(
    constraints: Iterable[AbstractConstraint], where: str
) -> tuple[AbstractConstraint, ...]:
    """Return the constraints as a tuple, rejecting what is not one."""
    if isinstance(constraints, AbstractConstraint) or not isinstance(constraints, Iterable):
        raise ModelError(f"{where}: constraints must be a list, got {constraints!r}")
    listed = tuple(constraints)
    for i, constraint in enumerate(listed):
        if not isinstance(constraint, AbstractConstraint) or isinstance(constraint, Loop):
            wish = "belongs to loops" if isinstance(constraint, Loop) else "must be a constraint"
            raise ModelError(f"{where}: constraints[{i}] {wish}, got {constraint!r}")
    return listed


def check_constraint_formulas(
    constraints: Iterable[AbstractConstraint], known: Collection[str], where: str
) -> None:
    """Reject names in formulas of constraints that are not parameters.

    Args:
        constraints: The constraints.
        known: Names of parameters that are declared, or are in the description elsewhere.
        where: Opens the message of an error.
    """
    for constraint in constraints:
        try:
            constraint.check_parameters(known)
        except FormulaError as error:
            raise FormulaError(f"{where}: {error}") from None


def check_ends(
    closures: Sequence[AbstractConstraint],
    bodies: Sequence[str],
    taken: Sequence[str],
    joints: Mapping[str, int],
    where: str,
) -> None:
    """Reject names that repeat, and bodies and joints that are not there.

    Args:
        closures: Loops and constraints.
        bodies: Names of the bodies.
        taken: Names of the joints of the tree.
        joints: Number of coordinates of each joint by name, of loops and of single coordinates too.
        where: Opens the message of an error.
    """
    loops = [constraint for constraint in closures if isinstance(constraint, Loop)]
    cut = {loop.name for loop in loops if "rad" in loop.joint.q_units}
    known, seen = dict.fromkeys((WORLD, *bodies)), set(taken)
    for constraint in closures:
        if constraint.name in seen:
            other = "a joint is" if constraint.name in taken else "another loop or constraint is"
            raise ModelError(
                f"{where}: {constraint.label}: {other} called {constraint.name!r}; rename one"
            )
        seen.add(constraint.name)
        for body in (frame[0] for pair in constraint.pairs for frame in pair):
            if body not in known:
                raise ModelError(
                    f"{where}: {constraint.label} holds the unknown body {body!r}; "
                    + suggestion(body, known)
                )
        for joint in constraint.joints:
            if joint not in joints:
                raise ModelError(
                    f"{where}: {constraint.label} looks at the unknown joint {joint!r}; "
                    + suggestion(joint, dict.fromkeys(joints))
                )
            is_relation = isinstance(constraint, AbstractRelation | AbstractPointVelocity)
            turning = [name for name in constraint.joints if {name, name.rpartition(".")[0]} & cut]
            knows_turns = isinstance(constraint, PrescribedMotion | PrescribedSpeed) or (
                isinstance(constraint, AbstractCoupling) and len(turning) == 1
            )
            if is_relation and joint in turning and not knows_turns:
                both = "and so is the other; " if isinstance(constraint, AbstractCoupling) else ""
                raise ModelError(
                    f"{where}: {constraint.label} looks at {joint!r}, which closes a loop: its "
                    f"angle is known up to whole turns only; {both}keep this joint in the tree, "
                    "System.from_graph(..., driven=[...]), or cut the loop elsewhere"
                )
            if is_relation and joints[joint] != 1:
                raise ModelError(
                    f"{where}: {constraint.label} needs joints of one coordinate, and {joint!r} "
                    f"has {joints[joint]}; "
                    + (
                        "couple single joints instead"
                        if isinstance(constraint, AbstractCoupling)
                        else "name one of them, as in 'base.x', or write a Holonomic(name, lambda "
                        "q, t: ...) instead"
                    )
                )
