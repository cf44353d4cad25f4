"""Event handling: the root of each crossing in a step, and the actions that follow."""

from __future__ import annotations

import math
from typing import NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import PoinsotError
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.simulation.laws.equations import RATES, STATES
from poinsot.simulation.laws.event import CreatedEnergy, Occurrence
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.running import checks
from poinsot.simulation.running.start import consistent_start
from poinsot.simulation.running.status import Outcome, Status, explain
from poinsot.simulation.running.stored_states import StoredStates
from poinsot.simulation.running.workspace import Workspace
from poinsot.simulation.stepping.control import LoopSignal
from poinsot.simulation.stepping.event_detection import (
    CLOSE,
    EPSILON,
    SAME,
    START,
    TOGETHER,
    ZERO,
)
from poinsot.simulation.stepping.event_jumps import HOP
from poinsot.simulation.stepping.root_finding import crossing
from poinsot.spatial import Array

MOST_AT_ONCE = 16
"""Most such events in a row, per event function, before the run ends."""
HOLD_IT = (
    "which events do not hold; go on from this state with a system that has it as a constraint, or "
    "without it where nothing presses"
)


class _Crossing(NamedTuple):
    """A crossing: when, of which event, and whether in the requested direction."""

    t: float
    number: int
    in_direction: bool


class _RefusedError(Exception):
    """The result of an event cannot be used."""

    def __init__(self, what: str, error: BaseException | None = None) -> None:
        super().__init__(what)
        self.error = error


@final
class EventHandler:
    """The event handler of one run: occurrences so far, and actions of the next ones.

    Args:
        events: What to look for.
        work: Where the integrator works; its state is that of the start.
        rows: What it stores.
    """

    def __init__(self, events: Events, work: Workspace, rows: StoredStates) -> None:
        self.events, self._work, self._rows = events, work, rows
        self.occurrences: list[Occurrence] = []
        self.created: list[CreatedEnergy] = []
        self.counts = list(events.counted) or [0] * len(events.actions)
        self.switches: list[tuple[int, int]] = []
        self.last_time, self.at_once = -math.inf, 0
        self.last_fired: list[int] = []
        work.watch(events)
        work.restart(work.control.t)
        start, end = work.control.t, work.control.t_end
        late = START * max(end - start, abs(start))
        if self.events.barriers.all():  # they are above, wherever that is
            work.watched.side[:] = 1.0
        else:
            work.watched.side[:] = self._sides(late * np.abs(self.events.rates(self._moving())))

    @property
    def law(self) -> int:
        """Number of the law in force."""
        return self.switches[-1][1] if self.switches else 0

    def laws(self, n_rows: int) -> NDArray[np.int64]:
        """Return the number of the law in force from each row on."""
        numbers = np.zeros(n_rows, np.int64)
        for row, law in self.switches:
            numbers[row:] = law
        return numbers

    @property
    def side(self) -> Array:
        """On which side of zero each event was last: 1, -1, or 0 where that is not known."""
        return self._work.watched.side

    def restore(self, side: Array) -> None:
        """Restore sides and the law in force, after occurrences were set from a file."""
        self._work.watched.side[:] = side
        if self.switches:
            self._work.switch(self.events.laws[self.law])
            self._work.restart(self._work.control.t)

    def collect(self) -> None:
        """Take over what the compiled loop has handled (``stepping/event_jumps.py``)."""
        for number, t, created, before, after in self._work.watched.jumps.collected():
            self._record(number, t, before, after)
            if created:
                name = self.events.actions[number].name
                self.created.append(CreatedEnergy(name, t, created))
            if self._is_reset(number):
                self.last_time, self.last_fired, self.at_once = t, [number], 0

    def handle(self) -> Status | None:
        """Handle the events of a subinterval of the pending step; return how the run ends, if so.

        Functions cross zero in it once at most.
        """
        control, watched = self._work.control, self._work.watched
        if control.rests:
            control.rests = 0
            return self._resting_status(control.t)
        try:
            start, end = watched.piece
            near = TOGETHER * control.h + 4.0 * EPSILON * abs(control.t_new)
            crossings, sides, scale = self._crossings(start, end, watched.new_side.copy())
            hits = [hit for hit in crossings if hit.in_direction]
            first = self._first_that_acts(hits)
            if first is not None and self._repeats_at_once(first):
                return self._zeno_status([first.number])
            if first is not None and self._retries_shorter_step(first.t):
                return None
            if first is not None and end < first.t + 2.0 * near < control.t_new:
                crossings += self._crossings(end, first.t + 2.0 * near, sides)[0]
                hits = [hit for hit in crossings if hit.in_direction]
            begin = math.inf if first is None else first.t - near
            for hit in hits:
                if hit.t < begin:
                    self._work.observe(hit.t)
                    state = self._work.x[: control.n].copy()
                    self._record(hit.number, hit.t, state, state)
            now = [hit for hit in hits if begin <= hit.t <= begin + 2.0 * near]
            if now:
                return self._act(now, crossings, near, scale)
        except _RefusedError as refused:
            self._work.control.waiting = 0
            message = f"stopped at t = {control.t:g} s: {refused}"
            return Status(Outcome.EVENT_FAILED, control.t, message, refused.error)
        watched.pass_piece(sides)
        return None

    def _repeats_at_once(self, hit: _Crossing) -> bool:
        """Return whether the reset just applied is due again, without time advancing."""
        t, gap = self._work.control.t, hit.t - self._work.control.t
        again = t == self.last_time and hit.number in self.last_fired
        return again and self._is_reset(hit.number) and gap <= SAME * abs(t)

    def _retries_shorter_step(self, t: float) -> bool:
        """Retry with a short step where an event lies right behind the start of a long one.

        In the polynomial of the long step it may be below rounding error.  A third of a step is far
        from where halving it cuts it (``event_detection.py``).
        """
        control, gap = self._work.control, t - self._work.control.t
        if self._work.integrator.is_fixed or not SAME * abs(t) < gap < CLOSE * control.h:
            return False
        control.h, control.waiting, control.has_dense = 3.0 * gap, 0, 0
        control.rejected += 1
        names = [action.name for action in self.events.actions]
        while self.occurrences and self.occurrences[-1].t > control.t:  # it will be found again
            self.counts[names.index(self.occurrences.pop().name)] -= 1
        return True

    def _is_reset(self, number: int) -> bool:
        return self.events.actions[number].resets

    def _first_that_acts(self, hits: list[_Crossing]) -> _Crossing | None:
        """Return the first event that does more than to be recorded."""
        counts = list(self.counts)
        for hit in hits:
            action = self.events.actions[hit.number]
            counts[hit.number] += 1
            ends = 0 < action.stop <= counts[hit.number]
            if ends or action.law >= 0 or self._is_reset(hit.number):
                return hit
        return None

    def _crossings(
        self, start: float, end: float, sides: Array
    ) -> tuple[list[_Crossing], Array, Array]:
        """Return the crossings of a subinterval, the sides behind it and scales of values."""
        work, ways = self._work, self.events.directions
        scale, g = np.abs(work.observe(start)), work.observe(end)
        if np.isnan(g).any():
            self._move_to(start)
            name = self.events.actions[int(np.argmax(np.isnan(g)))].name
            raise _RefusedError(f"the function of event {name!r} is no number at t = {end:.9g} s")
        hits = [
            _Crossing(self._root(number, start, end, float(sides[number])), number,
                 bool(g[number] * ways[number] >= 0.0))
            for number in np.flatnonzero(g * sides < 0.0).tolist()
        ]  # fmt: skip
        behind = np.where(g == 0.0, sides, np.sign(g))
        return sorted(hits), behind, np.maximum(scale, np.abs(g))

    def _move_to(self, t: float) -> Array:
        """Advance to a time in the pending step; return the event functions there."""
        control, work = self._work.control, self._work
        if control.n_times > 0:
            work.samples(t)
        g = work.observe(t)
        control.accepted += int(t > control.t)
        work.y[:] = work.x
        control.t, control.waiting = t, 0
        self._rows.keep_last()
        return g

    def _root(self, number: int, left: float, right: float, side: float) -> float:
        """Return when a function that was on a side, and is not at ``right``, crosses zero."""
        at_time, g = self._work.interpolate, self._work.watched.g

        def value(t: float) -> float:
            at_time(t)
            return side * g.item(number)

        return crossing(value, left, right)

    def _act(
        self, now: list[_Crossing], crossings: list[_Crossing], near: float, scale: Array
    ) -> Status | None:
        """Handle simultaneous events, in the order listed.

        Args:
            now: The simultaneous events.
            crossings: All of the step, in either direction.
            near: How far apart simultaneous events may be [s].
            scale: Largest values of all functions in the step.
        """
        watched = self._work.watched
        t = max(hit.t for hit in now)
        g = self._move_to(t)
        watched.side[:] = watched.new_side
        np.multiply.at(watched.side, [hit.number for hit in crossings if hit.t <= t + near], -1.0)
        here = [hit.number for hit in crossings if abs(hit.t - t) <= 2.0 * near]
        zero = np.maximum(ZERO * scale, 2.0 * np.abs(g))
        fired, status = sorted(hit.number for hit in now), None
        while fired and status is None:
            jumped, status = self._fire(t, fired)
            if status is None:
                status = self._check_zeno(t, fired)
                fired = self._update_sides(t, here, zero, jumped=jumped)
            if status is None and jumped:
                status = self._resting_status(t)
        if status is not None:
            self._work.sample_now(t)
        return status

    def _fire(self, t: float, fired: list[int]) -> tuple[bool, Status | None]:
        """Apply events to the state y; return whether it has changed, and how the run ends."""
        control, work = self._work.control, self._work
        state, law, jumped, ends = work.y[: control.n].copy(), self.law, False, ""
        for number in fired:
            action, before = self.events.actions[number], state
            if action.resets:
                state, jumped = self._after(number, t, state), True
            law = action.law if action.law >= 0 else law
            self._record(number, t, before, state)
            if 0 < action.stop <= self.counts[number]:
                ends = action.name
        work.y[: control.n] = state
        if jumped or law != self.law:
            self._rows.append(t)
        if law != self.law:
            self.switches.append((control.count - 1, law))
            work.switch(self.events.laws[law])
        if ends:
            message = f"event {ends!r} stopped the run at t = {t:g} s"
            return jumped, Status(Outcome.STOPPED, t, message)
        return jumped, explain(LoopSignal.FINISHED, work) if t >= control.t_end else None

    def _update_sides(self, t: float, here: list[int], zero: Array, *, jumped: bool) -> list[int]:
        """Set on which sides functions are from now on; return events that are due immediately.

        Without a jump, what has crossed zero is behind it; where the new law turns it back, it
        crosses zero again in the same instant.

        Args:
            t: Time [s].
            here: Events that have just crossed zero.
            zero: Below this their functions are there.
            jumped: Whether the state has changed.
        """
        work = self._work
        work.restart(t)
        crossed = _mask(zero.size, here)
        new, old = self._sides(np.where(crossed, zero, 0.0)), work.watched.side.copy()
        changes = crossed & (new != 0.0)
        work.watched.side[:] = new if jumped else np.where((old == 0.0) | changes, new, old)
        in_direction = new * self.events.directions >= 0.0
        back = changes & (new * old < 0.0) & in_direction
        return [] if jumped else np.flatnonzero(back).tolist()

    def _sides(self, zero: Array) -> Array:
        """Return on which side each function is: that to which it moves, if it is at zero.

        Args:
            zero: Up to this they are there, shape (n,).
        """
        g, rates = self._work.watched.evaluate(), self.events.rates(self._moving())
        sides = np.sign(np.where(np.abs(g) <= zero, rates, g))
        return np.where(self.events.barriers, 1.0, np.where(np.isnan(sides), 0.0, sides))

    def _moving(self) -> dict[str, Array]:
        """Return what rates of functions depend on, at the state y with its derivative k[0]."""
        work = self._work
        n, derivative = work.control.n, work.k[0]
        first, second = work.equations.ends
        rates = {"qdot": derivative[:first], "a": derivative[first:second]}
        return self._given(work.control.t, work.y[:n]) | rates | {RATES: derivative[second:n]}

    def _resting_status(self, t: float) -> Status | None:
        """Return how a run ends at a barrier in resting contact: at zero, at rest and pressed."""
        if self.events.second is None:
            return None
        given = self._moving()
        rates, seconds = self.events.rates(given), self.events.seconds(given)
        fired = _mask(rates.size, self.last_fired)
        low = rates * np.abs(rates) <= -2.0 * HOP * seconds
        stays = np.flatnonzero(self.events.barriers & fired & (seconds < 0.0) & low)
        what = "is at zero, at rest, and what acts presses it down: it stays closed from here on"
        return self._ended(stays.tolist(), f"{what}, {HOLD_IT}") if stays.size else None

    def _after(self, number: int, t: float, state: Array) -> Array:
        """Return the state [q, v, states] after a reset, checked as a start is."""
        mechanism, name = self._work.equations.mechanism, self.events.actions[number].name
        try:
            new = self.events.after(number, self._given(t, state))
            q, v, states = np.split(new, self._work.equations.ends)
            moving = checks.start_states(mechanism, q, v)
            if not self.events.actions[number].resets_q:  # of unit length where they were
                moving[: q.size] = q
            moving = consistent_start(mechanism, moving, self._work.equations.parameters, t)
            return np.concatenate([moving, checks.finite_states(mechanism, states)])
        except PoinsotError as error:
            what = str(error).removeprefix("simulate: ").replace("the start", "the state")
            raise _RefusedError(
                f"the reset of event {name!r} cannot be used: {what}", error
            ) from error
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise _RefusedError(f"the reset of event {name!r} failed with {what}", error) from error

    def _given(self, t: float, state: Array) -> dict[str, Array]:
        equations = self._work.equations
        first, second = equations.ends
        given = {"t": np.array([t]), "q": state[:first], "v": state[first:second]}
        return given | {STATES: state[second:], PARAMETERS: equations.parameters}

    def _record(self, number: int, t: float, before: Array, after: Array) -> None:
        self.counts[number] += 1
        equations = self._work.equations
        name = self.events.actions[number].name
        self.occurrences.append(Occurrence.between(equations.mechanism, name, t, before, after))

    def _check_zeno(self, t: float, fired: list[int]) -> Status | None:
        """Return how a run with Zeno behaviour ends; None where there is none."""
        hardly = t - self.last_time <= SAME * abs(t)
        self.at_once = self.at_once + 1 if hardly else 0
        self.last_time, self.last_fired = t, fired
        few = self.at_once <= MOST_AT_ONCE * len(self.counts)
        return None if few else self._zeno_status(fired)

    def _zeno_status(self, fired: list[int]) -> Status:
        what = "happens again and again without time going on"
        if all(self.events.actions[number].barrier for number in fired):
            return self._ended(fired, f"{what}: it bounces ever less, or stays closed, {HOLD_IT}")
        return self._ended(
            fired,
            f"{what}; let the action hold it where it is (a force in place of ever smaller "
            "bounces, a band in place of a line to switch at), or stop there",
        )

    def _ended(self, numbers: list[int], what: str) -> Status:
        t = self._work.control.t
        names = ", ".join(repr(self.events.actions[number].name) for number in numbers)
        return Status(Outcome.ENDLESS_EVENTS, t, f"stopped at t = {t:g} s: event {names} {what}")


def _mask(size: int, numbers: list[int]) -> NDArray[np.bool_]:
    """Return which of so many are among some numbers."""
    mask = np.zeros(size, bool)
    mask[numbers] = True
    return mask
