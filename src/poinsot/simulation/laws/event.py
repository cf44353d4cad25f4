"""Events: functions whose zeros are located during a run, and the actions there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple, TypeAlias, final

from numpy.typing import ArrayLike

from poinsot.errors import ArrayTypeError, ModelError
from poinsot.evaluate.expression import Expression
from poinsot.model import Mechanism, Signal
from poinsot.model.checks import finite_number
from poinsot.simulation.laws.callback import Callback
from poinsot.simulation.laws.load_laws import Law
from poinsot.spatial import Array

ResetLaw: TypeAlias = Callable[[Any, Array, Array], Any] | Callback
"""(t, q, v) -> the velocities, or the state (q, v), after an event."""

DIRECTIONS: Final = {"both": 0, "up": 1, "down": -1}
"""In which a function may cross zero, and their signs."""
RESOLUTION: Final = 1e-6
"""Time between two crossings down to which both are found, by default [s]."""


@final
@dataclass(frozen=True, eq=False)
class Event:
    """A function of time and state whose passage through zero is found, and what follows.

    Without an action it is only recorded, and the motion is unchanged bit for bit.  Simultaneous
    events are handled in the order listed, each on the state that the ones before it left.  What
    jumps over zero in a reset does not cross it.

    Args:
        name: What it is called in ``run.events`` and in messages.
        function: g(t, q, v), traced and compiled as control laws are, or a formula such as
            ``"elbow - 0.5"`` with the names that ``run.evaluate`` knows (t, coordinates,
            velocities ``v.elbow``, free parameters).  It should cross zero, not only touch it.
        direction: "up", where g becomes positive, "down", where it becomes negative, or "both".
        stop: Whether to end the run there; a number: when it happens for that time.
        tau: The control law from there on, anything that ``simulate(tau=...)`` takes; 0 for none.
        reset: Function (t, q, v) -> v after the event, shape (nv,), traced; any other Python
            function as a ``Callback``, which costs nothing here.  In a closed system it must obey
            the constraints to 1e-4, and is projected onto them.
        reset_state: The same for (q, v), a pair of arrays.
        reset_states: Further states after the event, by name: numbers, formulas or functions of
            (t, q, v), evaluated with what was before it; those that are not named stay.
        barrier: Whether g, a function of t and q, may not stay negative, as a gap that a reset
            opens again: where it is zero at the start or after a reset it counts as positive.  The
            run ends where it would open by less than 1e-12; direction must be "down".
        resolution: Time [s] between two crossings down to which both are found for certain; see
            docs/events.md.  Shorter ones may be missed.

    >>> import poinsot as ps
    >>> ball = ps.System("ball", [ps.Body("ball", joint=ps.Prismatic("z"), mass=1.0)])
    >>> floor = ps.Event("floor", "ball", direction="down", reset=lambda t, q, v: -0.5 * v)
    >>> run = ps.simulate(ball, [1.0], [0.0], 1.0, events=[floor])
    >>> [round(event.t, 6) for event in run.events]
    [0.451524, 0.903047]
    """

    name: str
    function: Expression
    direction: str = "both"
    stop: bool | int = False
    tau: ArrayLike | Law | Callback | Signal | None = None
    reset: ResetLaw | None = None
    reset_state: ResetLaw | None = None
    barrier: bool = False
    resolution: float = RESOLUTION
    reset_states: Mapping[str, float | Expression] | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise ModelError(f"Event: name must be a text, got {self.name!r}")
        where = f"Event {self.name!r}"
        if self.direction not in DIRECTIONS:
            choices = ", ".join(repr(name) for name in DIRECTIONS)
            raise ModelError(f"{where}: direction must be one of {choices}, got {self.direction!r}")
        if isinstance(self.function, Callback):
            raise ModelError(
                f"{where}: the function of an event is evaluated in compiled code and cannot be a "
                "Callback; write it so that it can be traced (poinsot.select in place of if), or "
                "as a formula"
            )
        if not isinstance(self.function, str) and not callable(self.function):
            raise ArrayTypeError(
                f"{where}: function must be a function of (t, q, v) or a formula, got "
                f"{type(self.function).__name__}"
            )
        checked_resolution(self.resolution, where)
        if not isinstance(self.stop, int) or (self.stop is not False and self.stop < 1):
            raise ModelError(
                f"{where}: stop must be True, False or how many times it happens, got {self.stop!r}"
            )
        if self.reset is not None and self.reset_state is not None:
            raise ModelError(f"{where}: give reset (velocities) or reset_state (q and v), not both")
        if self.barrier and (self.direction != "down" or self.reset is None):
            raise ModelError(
                f"{where}: a barrier needs direction='down' and a reset of velocities, got "
                f"direction={self.direction!r}, reset={self.reset!r}"
            )
        for key in ("reset", "reset_state"):
            law = getattr(self, key)
            if law is not None and not callable(law):
                raise ArrayTypeError(
                    f"{where}: {key} must be a function of (t, q, v), got {type(law).__name__}"
                )


def checked_resolution(given: float, where: str) -> float:
    """Return a resolution, which must be positive.

    Args:
        given: What a user gave [s].
        where: Opens the message of an error.
    """
    number = finite_number(given, f"{where}: resolution")
    if not number > 0.0:
        raise ModelError(f"{where}: resolution must be a positive time, got {given!r}")
    return number


class CreatedEnergy(NamedTuple):
    """Energy that an impact of a run has created: the name of its event, when [s], how much [J]."""

    name: str
    t: float
    energy: float


@final
@dataclass(frozen=True, eq=False)
class Occurrence:
    """An occurrence of an event.

    Attributes:
        name: Of the event.
        t: When [s].
        q_before: Configuration just before it, shape (nq,).
        v_before: Velocity just before it, shape (nv,).
        q: Configuration after it, shape (nq,).
        v: Velocity after it, shape (nv,).
        states_before: Further states just before it, by name.
        states: Further states after it, by name.
    """

    name: str
    t: float
    q_before: Array
    v_before: Array
    q: Array
    v: Array
    states_before: Mapping[str, float] = field(default_factory=dict)
    states: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for array in (self.q_before, self.v_before, self.q, self.v):
            array.flags.writeable = False

    @staticmethod
    def between(
        mechanism: Mechanism, name: str, t: float, before: Array, after: Array
    ) -> Occurrence:
        """Return the occurrence of an event between two states [q, v, states]."""
        first, second, names = mechanism.nq, mechanism.nq + mechanism.nv, mechanism.state_values
        q0, v0, q1, v1 = (x.copy() for y in (before, after) for x in (y[:first], y[first:second]))
        further = (dict(zip(names, y[second:].tolist(), strict=True)) for y in (before, after))
        return Occurrence(name, t, q0, v0, q1, v1, *further)

    def __reduce__(self) -> tuple[Any, ...]:
        return Occurrence, tuple(getattr(self, entry.name) for entry in fields(self))

    def __repr__(self) -> str:
        return f"Occurrence({self.name!r}, t={self.t:.9g})"
