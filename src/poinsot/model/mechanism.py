"""What the mechanism is: bodies in a tree, gravity and forces. The root of every computation."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.expr import Expr
from poinsot.model.body import Body
from poinsot.model.body_tree import BodyTree, stacked
from poinsot.model.by_structure import ByStructure
from poinsot.model.changed import changed
from poinsot.model.checks import Vec3, checked_name, vec3
from poinsot.model.constraints import AbstractConstraint, Loop
from poinsot.model.constraints.base import CoordinateMotion, View
from poinsot.model.forces import AbstractForce
from poinsot.model.joints import AbstractJoint
from poinsot.model.motors import with_rotors
from poinsot.model.name_suggestion import suggestion
from poinsot.model.parameters import (
    Parameters,
    checked_free,
    checked_parameter_name,
    checked_parameters,
    names_in,
    with_values,
)
from poinsot.model.sampled_parameters import Signals, check_signals, separate
from poinsot.model.scalar_values import nonzero
from poinsot.model.signal import Signal
from poinsot.model.states.base import AbstractState
from poinsot.model.states.law import reads_time
from poinsot.model.states.validate import check_algebraic_loops, check_state_names, with_traced
from poinsot.model.validate import (
    check_axes,
    check_bodies,
    check_cycles,
    check_forces,
    check_formulas,
    check_mimics,
    check_names,
)
from poinsot.model.validate_closures import (
    check_constraint_formulas,
    check_constraints,
    check_ends,
    check_loops,
)

__all__ = ["Mechanism"]


@dataclass(frozen=True, init=False)
class Mechanism(BodyTree, ByStructure):
    """Bodies in a tree; immutable, hashable, equal by value, validated when made.

    Bodies may be listed in any order, a child before its parent too; so q and v are stacked.

    Attributes:
        name: Name of the mechanism.
        bodies: The bodies, as listed.
        gravity: Acceleration of free fall [m/s²], in the world frame.
        forces: The force elements, as listed.
        loops: The joints that close loops, as listed.
        constraints: All other constraints, as listed.
        parameters: Names and numbers of the parameters that formulas contain; None: no number.
        free: Names of those that are to be inputs of every computation although they have numbers.
        signals: The parameters that are samples over time; formulas of forces may contain them.
        states: The further states (``State``, ``SampledState``), for formulas of forces.
        texts: Formulas as a file wrote them, to be written so again; no part of the value.

    Examples:
        >>> arm = Mechanism("arm", [Body("hand", parent="arm"), Body("arm")])
        >>> arm.parents, arm.order
        ((1, -1), (1, 0))
    """

    name: str
    bodies: tuple[Body, ...]
    gravity: Vec3
    forces: tuple[AbstractForce, ...]
    loops: tuple[Loop, ...]
    constraints: tuple[AbstractConstraint, ...]
    parameters: Parameters
    free: tuple[str, ...]
    signals: Signals = field(metadata={"in_digest": False})
    texts: tuple[tuple[Expr, str], ...] = field(
        compare=False, repr=False, metadata={"in_digest": False}
    )
    states: tuple[AbstractState, ...] = ()

    def __init__(
        self,
        name: str,
        bodies: Iterable[Body],
        gravity: ArrayLike = (0.0, 0.0, -9.81),
        forces: Iterable[AbstractForce] = (),
        loops: Iterable[Loop] = (),
        constraints: Iterable[AbstractConstraint] = (),
        parameters: Mapping[str, float | Signal | None] | Parameters = (),
        free: Iterable[str] = (),
        texts: Iterable[tuple[Expr, str]] = (),
        signals: Mapping[str, Signal] | Signals = (),
        states: Iterable[AbstractState] = (),
    ) -> None:
        """Check and store the mechanism.

        Args:
            name: Name of the mechanism.
            bodies: The bodies, in the order in which q and v are to be stacked.
            gravity: Acceleration of free fall [m/s²] in the world frame, shape (3,).
            forces: Force elements between its bodies and the world.
            loops: Joints that close loops of bodies.
            constraints: Other equations that its motion obeys.
            parameters: Numbers by name, None where there is none, a Signal where formulas of forces
                see samples over time.  Other symbols in the description have no number.
            free: Names of parameters to keep as inputs although they have numbers.
            texts: Formulas in the description, and how to write them.
            signals: Further parameters that are samples over time.
            states: Further states.

        Raises:
            ModelError: If names repeat, a parent or another body is unknown, or bodies carry each
                other.
        """
        where = f"mechanism {checked_name(name, 'mechanism: name')!r}"
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "bodies", check_bodies(bodies, where))
        object.__setattr__(self, "gravity", vec3(gravity, f"{where}: gravity"))
        check_names(self.body_names, "body", where)
        check_names(self.joint_names, "joint", where)
        check_cycles(self.body_names, self.parents, where)
        check_mimics(self.bodies, self.joint_names, where)
        listed = check_loops(loops, where)
        object.__setattr__(self, "loops", listed)
        object.__setattr__(
            self, "forces", check_forces(forces, self.body_names, self.all_joints, where)
        )
        others = check_constraints(constraints, where)
        sizes = self.coordinate_sizes
        check_ends((*listed, *others), self.body_names, self.joint_names, sizes, where)
        traced = tuple(constraint.with_coordinates(self.nq, self.nv) for constraint in others)
        object.__setattr__(self, "constraints", traced)
        object.__setattr__(self, "texts", tuple(texts))
        object.__setattr__(self, "states", with_traced(states, self.nq, self.nv, where))
        elsewhere = names_in((self.bodies, self.gravity, self.forces, self.loops))
        used = (*elsewhere, *names_in(self.constraints))
        numbers, sampled = separate(parameters, signals, where)
        object.__setattr__(self, "signals", sampled)
        stored = [name for force in self.forces for name in force.stored_parameters]
        moving = dict.fromkeys(dict(sampled), "samples over time")
        moving |= dict.fromkeys(self.state_values, "a state")
        check_signals(moving, (*used, *stored), where)
        further = [name for name in names_in(self.states) if name not in self.state_values]
        object.__setattr__(
            self, "parameters", checked_parameters(numbers, (*used, *further), where)
        )
        object.__setattr__(self, "free", checked_free(free, self.parameters, where))
        known = (*dict(self.parameters), *self.state_values)
        check_formulas(self.forces, known, where)
        check_constraint_formulas(self.constraints, (*numbers, *elsewhere), where)
        if self.states:
            self._check_states(where)
        if self.parameters:
            self._check_numbers(where)

    @cached_property
    def state_values(self) -> dict[str, float]:
        """The further states and their initial values, in the order of a run's state."""
        return {name: x for state in self.states for name, x in state.inputs.items()}

    @property
    def sampled_states(self) -> tuple[str, ...]:
        """Names of the further states that are computed at sampling times."""
        return tuple(state.name for state in self.states if "update" in state.laws)

    @cached_property
    def n_state(self) -> int:
        """Numbers in the state [q, v, states] of a run."""
        return self.nq + self.nv + len(self.state_values)

    @cached_property
    def free_parameters(self) -> tuple[str, ...]:
        """Names of the parameters that are inputs: the free ones and those without a number."""
        return tuple(name for name, x in self.parameters if x is None or name in self.free)

    @cached_property
    def parameter_inputs(self) -> tuple[str, ...]:
        """Names of the inputs of kernels that are parameters or, behind them, further states."""
        return (*self.free_parameters, *self.state_values)

    @cached_property
    def bound(self) -> "Mechanism":
        """The mechanism with numbers in place of all parameters that are not free.

        Free parameters remain, as symbols: computations are traced from this.  Rotors of motors
        become armature of their joints.
        """
        constants = {name: x for name, x in self.parameters if name not in self.parameter_inputs}
        given = any(value is not None for _, value in self.parameters)
        numeric = self._with_values(constants) if given else self  # type: ignore[arg-type]
        return _with_rotors(numeric)

    def at(self, values: Mapping[str, float]) -> "Mechanism":
        """Return the mechanism of plain numbers at these values of the free parameters.

        Args:
            values: Numbers by name, of those whose own number is not to be taken.
        """
        if not self.parameters and not self.states:
            return _with_rotors(self)
        start = {name: signal(0.0) for name, signal in self.signals} | self.state_values
        numbers = dict(self.parameters) | start | dict(values)
        given = {name: x for name, x in numbers.items() if x is not None}
        return _with_rotors(self._with_values(given))

    def with_parameters(self, values: Mapping[str, float | Signal | None]) -> "Mechanism":
        """Return the mechanism with other numbers for some of its parameters."""
        current = dict(self.parameters)
        for name in values:
            if name not in current:
                hint = suggestion(str(name), current) if current else "there are none"
                raise ModelError(f"mechanism {self.name!r} has no parameter {name!r}; {hint}")
        kept = tuple(item for item in self.signals if item[0] not in values)
        return self.rebuilt(parameters=current | dict(values), signals=kept)

    def with_initial_states(self, values: Mapping[str, float]) -> "Mechanism":
        """Return the mechanism with other initial values of some of its further states."""
        states = [
            changed(state, initial=float(values.get(state.name, state.initial)))
            for state in self.states
        ]
        return self.rebuilt(states=states)

    def with_free(self, names: Iterable[str]) -> "Mechanism":
        """Return the mechanism with these parameters free, besides those that are already."""
        return self.rebuilt(free=(*self.free, *names))

    def with_constraints(self, more: Iterable[AbstractConstraint]) -> "Mechanism":
        """Return the mechanism with further constraints behind its own."""
        return self.rebuilt(constraints=(*self.constraints, *more))

    @cached_property
    def depends_on_time(self) -> bool:
        """Whether a force element or a constraint depends on time."""
        forced = bool(self.signals) or any(force.depends_on_time for force in self.forces)
        forced = forced or any(reads_time(law) for x in self.states for law in x.laws.values())
        return forced or any(constraint.depends_on_time for constraint in self.closures)

    @property
    def closures(self) -> tuple[AbstractConstraint, ...]:
        """All constraints: the loops, then the others."""
        return (*self.loops, *self.constraints)

    @cached_property
    def cut_joints(self) -> dict[str, int]:
        """The joints that close loops, by name: their numbers among ``closures``."""
        return {loop.name: k for k, loop in enumerate(self.loops)}

    @cached_property
    def all_joints(self) -> dict[str, AbstractJoint]:
        """The joints of the tree by name, then those that close loops."""
        return self.joints | {loop.name: loop.joint for loop in self.loops}

    @cached_property
    def names_cut_joints(self) -> bool:
        """Whether a force or constraint names a joint that closes a loop, or one coordinate."""
        named = [name for constraint in self.constraints for name in constraint.joints]
        named += [name for force in self.forces for name in getattr(force, "joints", ())]
        return any(name not in self.joints for name in named)

    @cached_property
    def coordinate_sizes(self) -> dict[str, int]:
        """Number of coordinates of each joint by name, cut ones too, and 1 for each of several."""
        sizes = dict(self.joint_sizes)
        for name, joint in self.all_joints.items():
            sizes[name] = joint.nq
            if joint.nq == joint.nv > 1:
                sizes |= {f"{name}.{word}": 1 for word in _words(joint)}
        return sizes

    def joint_and_entry(self, name: str) -> tuple[str, int | None]:
        """Return the joint that a name means, and which of its coordinates: None for all."""
        if name in self.all_joints:
            return name, None
        joint, _, word = name.rpartition(".")
        return joint, _words(self.all_joints[joint]).index(word)

    def coordinate_motion(
        self, name: str, view: View, in_tree: Callable[[str], CoordinateMotion]
    ) -> CoordinateMotion:
        """Return how the coordinates of a joint, cut or not, or one of them, move.

        Args:
            name: Of the joint or the coordinate.
            view: How the mechanism moves.
            in_tree: The motion of the coordinates of a joint of the tree.
        """
        joint, entry = self.joint_and_entry(name)
        if joint in self.cut_joints:
            loop = self.loops[self.cut_joints[joint]]
            motion = loop.coordinate_motion(view.frame(loop.pair))
        else:
            motion = in_tree(joint)
        return motion if entry is None else motion.entry(entry)

    @cached_property
    def row_slices(self) -> tuple[slice, ...]:
        """Slices of the rows of each of ``closures``."""
        return stacked(len(constraint.locked) for constraint in self.closures)

    @cached_property
    def row_names(self) -> tuple[str, ...]:
        """A name for each row of the constraints: whose, and what it locks."""
        return tuple(
            f"{constraint.name}: {row}" for constraint in self.closures for row in constraint.locked
        )

    @cached_property
    def position_rows(self) -> list[int]:
        """Numbers of the rows that hold for positions too, not for velocities only."""
        rows = zip(self.closures, self.row_slices, strict=True)
        return [k for c, s in rows for k in range(s.start, s.stop - c.velocity_rows)]

    @cached_property
    def at_positions(self) -> "Mechanism":
        """The mechanism without the rows that hold at velocity level only."""
        if len(self.position_rows) == len(self.row_names):
            return self
        listed = [constraint.position_part for constraint in self.constraints]
        return self.rebuilt(constraints=[x for x in listed if x is not None])

    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the description only: hashes of text differ between processes."""
        return {attribute.name: getattr(self, attribute.name) for attribute in fields(self)}

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()

    def _numbers(self) -> dict[str, object]:
        """Return all fields that may hold formulas."""
        others = ("name", "parameters", "free", "signals", "texts")
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in others}

    def rebuilt(self, **values: Any) -> "Mechanism":  # noqa: ANN401 (as the fields)
        """Return the mechanism with other values of some fields, checked as a whole."""
        return Mechanism(**self.__getstate__() | values)

    def _with_values(self, values: Mapping[str, float]) -> "Mechanism":
        held = self._numbers()
        held["states"] = tuple(state for state in self.states if state.name not in values)
        numeric: dict[str, Any] = {name: with_values(x, values) for name, x in held.items()}
        rest = tuple((name, None) for name, _ in self.parameters if name not in values)
        kept = tuple(item for item in self.signals if item[0] not in values)
        return Mechanism(self.name, **numeric, parameters=rest, signals=kept)

    def _check_states(self, where: str) -> None:
        """Reject names of states that formulas could not tell from others."""
        for name in self.state_values:
            checked_parameter_name(name, f"{where}: a state")
        taken: dict[str, Any] = {
            "joint": self.joint_names,
            "body": self.body_names,
            "parameter": dict(self.parameters),
            "force element": [force.name for force in self.forces],
        }
        names = [name for state in self.states for name in state.inputs]
        check_state_names(names, taken, where)
        check_algebraic_loops(self.states, where)

    def _check_numbers(self, where: str) -> None:
        """Check the values of formulas, and that formulas are only where they are allowed."""
        numbers = {name: value for name, value in self.parameters if value is not None}
        if numbers:
            try:
                self.at({})
            except ModelError as error:
                shown = ", ".join(f"{name} = {value:g}" for name, value in numbers.items())
                raise ModelError(f"{error} (with {shown})") from error
        check_axes(self.bound.bodies, self.bound.loops, where)


def _words(joint: AbstractJoint) -> tuple[str, ...]:
    """Return a word for each of several coordinates."""
    return joint.q_parts or tuple(map(str, range(joint.nq)))


def _with_rotors(mechanism: Mechanism) -> Mechanism:
    """Return a mechanism whose joints have the inertia of the motors that drive them."""
    if not any(nonzero(force.armature) for force in mechanism.forces):
        return mechanism
    bodies, forces = with_rotors(mechanism.bodies, mechanism.forces)
    return mechanism.rebuilt(bodies=bodies, forces=forces)
