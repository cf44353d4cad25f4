"""Events of a run, traced: programs of functions, rates and resets, and laws to switch to."""

from __future__ import annotations

import math
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import ArrayTypeError, ModelError, ShapeError
from poinsot.evaluate.expression import (
    STATE,
    Expression,
    compiled_program,
    expression_values,
    laid_out,
    laid_out_in_stages,
)
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.trace import LONGEST_STRAIGHT
from poinsot.expr import (
    Program,
    Rolled,
    as_expr,
    build,
    fresh_symbols,
    optimise,
    tangent,
)
from poinsot.expr.bounds import rate_bounds, value_bounds
from poinsot.expr.serialization import depends_on
from poinsot.expr.staged_program import (
    QuantityStage,
    needed_stages,
    program_of,
    recorded_stages,
    rolled_program_of,
    stage_roots,
)
from poinsot.formulations.position_rate import position_rate
from poinsot.model import Mechanism
from poinsot.simulation.laws.callback import Callback
from poinsot.simulation.laws.changed_laws import changed
from poinsot.simulation.laws.equations import RATES, STATES, MotionEquations, Use
from poinsot.simulation.laws.event import DIRECTIONS, RESOLUTION, Event
from poinsot.simulation.laws.event_rates import function_rates, has_tangents
from poinsot.simulation.laws.event_symbols import (
    event_symbols,
    refuse_sampled_states,
    refuse_samples,
)
from poinsot.simulation.laws.law_identity import once_per_law
from poinsot.simulation.laws.program_call import ProgramCall
from poinsot.simulation.laws.resets import joined, motion_reset, numbers, paired, states_reset
from poinsot.spatial import Array

_own = threading.local()
CALLS: Final = 64
"""Programs whose memory for calls is kept, in each thread."""

Functions: TypeAlias = tuple[tuple[str, Expression, bool], ...]
"""Name, function and whether it is a barrier, of each event."""

Staged: TypeAlias = tuple[Rolled, Rolled]
"""Values and rates of events where quantities that are computed by loops are among them."""
Programs: TypeAlias = tuple[Program, Program, Program | Rolled | None, Staged | None]
"""Those of ``Events``: values, rates, second rates, and values and rates in stages."""

NOTHING: Final = np.zeros(0, dtype=object)
FIXED: Final = (PARAMETERS,)
"""Inputs that do not change in a run."""
LARGEST = 20_000
"""Operations of bounds beyond which they are not compiled."""
WRITTEN_OUT = LARGEST // 3
"""Operations of a quantity up to which it is written out into the function of an event; bounds have
three times as many at least, so longer ones would have none."""
WHOLE_STEP: Final = sys.float_info.max
"""Resolution of events without bounds: eighths of steps are compared, however long they are [s]."""


@final
@dataclass(frozen=True, eq=False)
class Action:
    """What one event does.

    Attributes:
        name: Of the event.
        direction: 1 up, -1 down, 0 both.
        stop: The run ends when it happens for this time; 0: never.
        law: Number of the law from then on; -1: as before.
        reset: What gives the velocities, or the state, after it; None: nothing changes.
        resets_q: Whether it gives q and v.
        barrier: Whether its function may not stay negative.
        resolution: Time down to which subintervals of a step are searched for it [s].
        reset_states: What gives the further states after it; None: they do not change.
    """

    name: str
    direction: int
    stop: int
    law: int
    reset: Program | Rolled | Callback | None
    resets_q: bool
    barrier: bool = False
    resolution: float = RESOLUTION
    reset_states: Program | Rolled | None = None

    @property
    def resets(self) -> bool:
        """Whether the state changes."""
        return self.reset is not None or self.reset_states is not None


@final
@dataclass(frozen=True, eq=False)
class Events:
    """All events of a run.

    Attributes:
        actions: What each does, in the order listed.
        laws: The equations of motion under each law; the first is that of the start.
        value: g(t, q, v, states), the functions of all events, shape (n,); NaN of those with
            quantities that are computed by loops.
        rate: Their rates dg/dt, of these and of dq/dt, dv/dt and rates of the states; NaN likewise.
        second: The second rates of those that are barriers, 0 of the others; None: there are none.
        counted: Occurrences of each in the run that this one continues; () for none.
        staged: Values and rates of all, rolled, where some are NaN above; else None.
    """

    actions: tuple[Action, ...]
    laws: tuple[MotionEquations, ...]
    value: Program
    rate: Program
    second: Program | Rolled | None = None
    counted: tuple[int, ...] = ()
    staged: Staged | None = None

    @property
    def use(self) -> Use:
        """The functions, compiled."""
        program, _ = self.staged or (self.value, self.rate)
        return Use(compiled_program(program), tuple(port.name for port in program.inputs), "g")

    @property
    def bounds(self) -> tuple[Use, Use] | None:
        """The bounds of the functions, and of their rates, on a subinterval of a step, compiled.

        None where that would take too long to compile.
        """
        return _bounds(self.value, self.rate, LARGEST)

    @property
    def resolutions(self) -> Array:
        """Time down to which subintervals of a step are searched for each [s], shape (n,)."""
        return np.array([action.resolution for action in self.actions])

    @property
    def directions(self) -> Array:
        """In which each is to cross zero: 1, -1, or 0 for either, shape (n,)."""
        return np.array([action.direction for action in self.actions], np.float64)

    @property
    def barriers(self) -> NDArray[np.bool_]:
        """Which are barriers, shape (n,)."""
        return np.array([action.barrier for action in self.actions])

    def rates(self, given: dict[str, Array]) -> Array:
        """Return dg/dt, shape (n,), of the vectors by name."""
        return _run(self.rate_program, given)

    @property
    def rate_program(self) -> Program | Rolled:
        """What gives dg/dt of all."""
        _, program = self.staged or (self.value, self.rate)
        return program

    def seconds(self, given: dict[str, Array]) -> Array:
        """Return d²g/dt² of barriers, 0 of others, shape (n,), of the vectors by name."""
        return np.zeros(len(self.actions)) if self.second is None else _run(self.second, given)

    def after(self, number: int, given: dict[str, Array]) -> Array:
        """Return the state [q, v, states] after the resets of an event.

        Args:
            number: Of the event.
            given: t, q, v, states and parameters, by name.
        """
        action = self.actions[number]
        q, v, states = given["q"], given["v"], given[STATES]
        if action.reset_states is not None:
            states = _run(action.reset_states, given)
        if isinstance(action.reset, Callback):
            result: Any = action.reset(given["t"].item(), q.copy(), v.copy())
            vectors = paired(action.name, result) if action.resets_q else (q, result)
            moved = joined(action.name, q.size, v.size, *map(numbers, vectors))
            return np.concatenate([moved, states])
        if action.reset is None:
            return np.concatenate([q, v, states])
        new = _run(action.reset, given)
        return np.concatenate([new, states] if action.resets_q else [q, new, states])


@lru_cache(maxsize=64)
def _bounds(value: Program, rate: Program, most: int) -> tuple[Use, Use] | None:
    made = value_bounds(value, FIXED), rate_bounds(value, rate, FIXED)
    if max(program.n_operations for program in made) > most:
        return None
    first, second = (
        Use(compiled_program(program), tuple(port.name for port in program.inputs), "bound")
        for program in made
    )
    return first, second


def checked_events(events: object) -> tuple[Event, ...]:
    """Return events as a tuple."""
    if isinstance(events, Event):
        raise ArrayTypeError("simulate: events must be a list; write events=[event]")
    if not isinstance(events, Sequence) or isinstance(events, str):
        raise ArrayTypeError(f"simulate: events must be a list of Event, got {events!r:.80}")
    for event in events:
        if not isinstance(event, Event):
            raise ArrayTypeError(f"simulate: events must be Event, got {type(event).__name__}")
    return tuple(events)


def traced_events(
    mechanism: Mechanism,
    events: Sequence[Event],
    start: MotionEquations,
) -> Events:
    """Return the events of a run, traced.

    Args:
        mechanism: The bodies.
        events: Those to look for; their names must differ.
        start: The equations of motion until a law is switched; the motion of the base and the
            wrenches on bodies stay the same under every law.
    """
    for name, count in Counter(event.name for event in events).items():
        if count > 1:
            raise ModelError(f"simulate: {count} events are called {name!r}; give them other names")
    functions = tuple((event.name, event.function, bool(event.barrier)) for event in events)
    value, rate, second, staged = _programs(mechanism, functions)
    numbers = dict(enumerate(value.constants, value.n_inputs))
    laws, actions = [start], []
    for event, result in zip(events, value.results, strict=True):
        law = -1
        if event.tau is not None:
            law = len(laws)
            laws.append(changed(start, {"tau": event.tau}))
        given_law = event.reset_state if event.reset is None else event.reset
        resets_q = event.reset_state is not None
        reset = (
            None
            if given_law is None
            else motion_reset(mechanism, (event.name, given_law, resets_q))
        )
        further = None
        if event.reset_states is not None:
            further = states_reset(mechanism, (event.name, event.reset_states))
        resolution = WHOLE_STEP if math.isnan(numbers.get(result, 0.0)) else event.resolution
        done = reset, resets_q, bool(event.barrier), resolution, further
        direction = DIRECTIONS[event.direction]
        actions.append(Action(event.name, direction, int(event.stop), law, *done))
    return Events(tuple(actions), tuple(laws), value, rate, second, staged=staged)


@once_per_law
def _programs(mechanism: Mechanism, functions: Functions) -> Programs:
    """Return the functions of events, their rates, and second rates where there are barriers."""
    sizes = {"t": 1, "q": mechanism.nq, **dict.fromkeys(("v", "a", "tau"), mechanism.nv)}
    symbols = {name: fresh_symbols(name, sizes[name]) for name in STATE}
    with recorded_stages(WRITTEN_OUT) as stages:
        values = np.array(
            [_value(mechanism, *event[:2], symbols, stages) for event in functions], dtype=object
        )
    given, parameters = {key: symbols[key] for key in "tqv"}, event_symbols(mechanism)
    states = parameters.pop(STATES, NOTHING)
    given |= {STATES: states} if states.size else {}
    qdot, rates_of = fresh_symbols("qdot", mechanism.nq), fresh_symbols(RATES, states.size)
    along = {"t": np.ones(1), "q": qdot, "v": symbols["a"], STATES: rates_of}
    seeds = np.concatenate(list(given.values())), np.concatenate([along[key] for key in given])
    moving = given | {"qdot": qdot, "a": symbols["a"]}
    moving |= ({RATES: rates_of} if states.size else {}) | parameters
    inputs, where = given | parameters, "simulate: an event"
    looped = [bool(needed_stages(value, stages)) for value in values]
    short = _with(np.nan, looped, values)
    value = laid_out(mechanism, inputs, {"g": short}, where)
    rate = optimise(build(moving, {"rate": _with(np.nan, looped, tangent(short, *seeds))}))
    staged = None
    function: Array | Rolled = values
    if any(looped):
        program = laid_out_in_stages(mechanism, inputs, {"g": values}, where, stages)
        assert isinstance(program, Rolled)
        function = program
        rates, used = function_rates(function, moving, along)
        staged = program, rolled_program_of(moving, {"rate": rates}, used)
    second = None
    if any(barrier for *_, barrier in functions):
        _refuse_velocities(functions, values, symbols["v"], stages)
        _refuse_routines(function)
        turning = {"t": along["t"], "q": position_rate(mechanism, symbols["q"], symbols["v"])}
        rates, used = function_rates(function, inputs, turning)
        rates = _with(0.0, [not barrier for *_, barrier in functions], rates)
        first = rolled_program_of(inputs, {"rate": rates}, used) if used else rates
        rates, used = function_rates(first, moving, along)
        second = program_of(moving, {"second": rates}, used)
    return value, rate, second, staged


def _with(number: float, where: Sequence[bool], values: Array) -> Array:
    """Return expressions with a number in place of some."""
    listed = zip(where, values, strict=True)
    return np.array([as_expr(number if is_so else x) for is_so, x in listed], dtype=object)


def _refuse_routines(function: Array | Rolled) -> None:
    """Reject barriers without a second rate."""
    if isinstance(function, Rolled) and not has_tangents(function):
        raise ModelError(
            "simulate: an event with a barrier asks for inverse dynamics of a large closed system, "
            f"whose forces are shared among joints in more than {LONGEST_STRAIGHT} operations; its "
            "second rate is not known: write it with accelerations, poses or energies"
        )


def _refuse_velocities(
    functions: Functions, values: Array, v: Array, stages: Sequence[QuantityStage]
) -> None:
    """Reject barriers that depend on velocities."""
    for (name, _, barrier), value in zip(functions, values.tolist(), strict=True):
        if barrier and depends_on(stage_roots(value, stages), v):
            raise ModelError(
                f"event {name!r}: velocities cannot be in the function of a barrier, only "
                "t, q and parameters"
            )


def _value(
    mechanism: Mechanism, name: str, function: Expression, symbols: dict[str, Array],
    stages: Sequence[QuantityStage],
) -> object:  # fmt: skip
    where = f"event {name!r}"
    values = expression_values(mechanism, function, symbols, where)
    if values.size != 1:
        raise ShapeError(f"{where}: its function must give one number, got shape {values.shape}")
    value = as_expr(values.item())
    roots = stage_roots(value, stages)
    for key, what in (("a", "accelerations"), ("tau", "joint forces")):
        if depends_on(roots, symbols[key]):
            raise ModelError(f"{where}: {what} cannot be in it, only t, q, v and parameters")
    refuse_samples(mechanism, roots, where)
    refuse_sampled_states(mechanism, roots, where)
    states = event_symbols(mechanism).get(STATES, NOTHING)
    if not depends_on(roots, [*symbols["t"], *symbols["q"], *symbols["v"], *states]):
        raise ModelError(f"{where}: its function is {value} for every t, q, v and crosses nothing")
    return value


def _run(program: Program | Rolled, given: dict[str, Array]) -> Array:
    """Return the only output of a program."""
    calls: dict[Program | Rolled, ProgramCall] = _own.__dict__.setdefault("calls", {})
    call = calls.get(program)
    if call is None:
        if len(calls) >= CALLS:
            calls.clear()
        call = calls[program] = ProgramCall(compiled_program(program))
    return call(given)
