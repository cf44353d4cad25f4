"""How a simulation ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Outcome(Enum):
    """How a simulation can end."""

    FINISHED = "finished"
    NOT_FINITE = "not finite"
    STEP_COLLAPSED = "step collapsed"
    SINGULAR = "singular configuration"
    TOO_MANY_STEPS = "too many steps"
    CALLBACK_FAILED = "callback failed"
    INTERRUPTED = "interrupted"
    STOPPED = "stopped by an event"
    EVENT_FAILED = "event failed"
    ENDLESS_EVENTS = "endless events"


@dataclass(frozen=True)
class Status:
    """How a simulation ended, and when.

    Attributes:
        outcome: Kind of end.
        time: Time of the last state that was reached [s].
        message: The same in words: what happened, where, and what may help.
        error: What a function of the user raised, if that was the cause.
    """

    outcome: Outcome
    time: float
    message: str
    error: BaseException | None = field(default=None, compare=False)

    @property
    def ok(self) -> bool:
        """Whether the end was reached, or an event that was to stop the run."""
        return self.outcome in (Outcome.FINISHED, Outcome.STOPPED)


@dataclass(frozen=True)
class Statistics:
    """What a simulation took.

    Attributes:
        steps: Accepted steps.
        rejected: Steps that were tried and had too large an error.
        evaluations: Evaluations of the accelerations.
        wall_time: Time spent in the integrator [s].
        callback_calls: How often a ``Callback`` was called.
        callback_time: Time spent in it [s]: the part of ``wall_time`` that a traced law would save.
    """

    steps: int
    rejected: int
    evaluations: int
    wall_time: float
    callback_calls: int = 0
    callback_time: float = 0.0


class SimulationWarning(UserWarning):
    """A simulation stopped before its end; what it has up to there is returned."""
