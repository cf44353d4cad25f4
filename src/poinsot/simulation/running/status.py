"""How a simulation ended, and from the signal of the stepper to a status with a message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

import numpy as np

from poinsot.expr.least_squares import orthonormal
from poinsot.expr.rank_tolerances import RANK, STOPPED_SINGULAR
from poinsot.formulations.constrained.constraint_rows import all_rows
from poinsot.simulation.laws.callback import CallbackKernel
from poinsot.simulation.running.workspace import Workspace
from poinsot.simulation.stepping.control import LoopSignal


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
    NOT_CLOSED = "not closed at the start"


GOES_ON: Final = (Outcome.INTERRUPTED, Outcome.TOO_MANY_STEPS)
"""Outcomes after which a run may be resumed."""


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

    def with_remarks(self, remarks: Sequence[str]) -> Status:
        """Return the same with more to say."""
        return replace(self, message="; ".join([self.message, *remarks])) if remarks else self


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
        preparation_time: Time spent on memory and machine code before the first step [s], which
            another run of the kind does not take; tracing of laws is not in it.
    """

    steps: int
    rejected: int
    evaluations: int
    wall_time: float
    callback_calls: int = 0
    callback_time: float = 0.0
    preparation_time: float = 0.0


class SimulationWarning(UserWarning):
    """A simulation stopped before its end; what it has up to there is returned."""


def explain(signal: LoopSignal, work: Workspace) -> Status:
    """Return the status of a run whose integrator returned."""
    control = work.control
    t = control.t
    for callback in work.equations.callbacks:
        if callback.error is not None:
            return _failed(callback, t)
    if signal is LoopSignal.FINISHED:
        return Status(Outcome.FINISHED, t, f"reached t = {t:g} s")
    if signal is LoopSignal.PAUSED:
        return Status(
            Outcome.TOO_MANY_STEPS,
            t,
            f"stopped at t = {t:g} s of {control.t_end:g} s after "
            f"{control.accepted + control.rejected} steps, the last ones about {control.h:.2g} s "
            f"long; give a larger max_steps, a larger {_length_option(work)}, or look for what is "
            "so fast",
        )
    if signal is LoopSignal.NOT_FINITE:
        return Status(
            Outcome.NOT_FINITE,
            t,
            f"stopped at t = {t:g} s: the motion of joint {_not_finite_joint(work)!r} is not "
            f"finite beyond; {_lead(work)}",
        )
    if signal is LoopSignal.UNSOLVED:
        return Status(
            Outcome.STEP_COLLAPSED,
            t,
            f"stopped at t = {t:g} s: the equations of a step of {control.h:.2g} s were not "
            "solved by Newton's method; give a smaller step",
        )
    if control.n_rows > 0 and control.clear < STOPPED_SINGULAR * control.clear_most:
        return _singular(work)
    if signal is LoopSignal.JUMPED:
        return Status(
            Outcome.STEP_COLLAPSED,
            t,
            f"stopped at t = {t:g} s: a step of {control.h:.2g} s leads so far from the loops and "
            "constraints that putting it back on them would be a jump; give a smaller step, or "
            "look for a configuration there in which the freedom changes",
        )
    return Status(
        Outcome.STEP_COLLAPSED,
        t,
        f"stopped at t = {t:g} s: the step fell below what a double can tell apart; the error is "
        f"largest in joint {_worst_joint(work)!r}; look for a jump or a singularity there, or give "
        "a larger rtol",
    )


def _singular(work: Workspace) -> Status:
    """Return the status of a run that ends at a kinematic singularity."""
    t, nq = work.control.t, work.equations.nq
    v = np.abs(work.y[nq : nq + work.equations.nv])
    fastest = _joint(work, nq + int(np.argmax(v)))
    other = "" if work.integrator.gap else "; where the motion goes on, integrator='dp8' passes"
    return Status(
        Outcome.SINGULAR,
        t,
        f"stopped at t = {t:g} s: a singular configuration that the motion cannot pass: there "
        f"{_dependent_row(work)!r} depends on other rows of the loops and constraints, and joint "
        f"{fastest!r} is at {v.max():.3g} rad/s or m/s; look for a drive that asks for more than "
        f"the mechanism can reach, or change its dimensions{other}",
    )


def _dependent_row(work: Workspace) -> str:
    """Return the name of the row with the smallest remainder at the last state."""
    equations = work.equations
    values = dict(
        zip(equations.mechanism.parameter_inputs, equations.parameters.tolist(), strict=True)
    )
    mechanism = equations.mechanism.at(values)
    q, v, _ = np.split(work.y, [equations.nq, equations.nq + equations.nv])
    J = all_rows(mechanism, q, v, work.control.t).J
    rows, blocks = np.asarray(J, float).tolist(), mechanism.row_slices
    basis = orthonormal(rows, blocks=blocks, tolerance=RANK)
    kept = [direction for direction in basis.directions if direction.kept]
    if not kept:
        return mechanism.row_names[0]
    least = min(kept, key=lambda direction: float(direction.left))
    return mechanism.row_names[max(least.chosen, key=lambda k: float(least.chosen[k]))]


def _length_option(work: Workspace) -> str:
    return "step" if work.integrator.is_fixed else "rtol"


def interrupted(work: Workspace) -> Status:
    """Return the status of a run that Ctrl-C has ended."""
    t = work.control.t
    return Status(
        Outcome.INTERRUPTED,
        t,
        f"interrupted at t = {t:g} s of {work.control.t_end:g} s; what is there is kept",
    )


def _failed(callback: CallbackKernel, t: float) -> Status:
    error = callback.error
    if isinstance(error, KeyboardInterrupt):
        what, outcome = "was interrupted", Outcome.INTERRUPTED
    else:
        what, outcome = f"failed with {type(error).__name__}: {error}", Outcome.CALLBACK_FAILED
    return Status(
        outcome,
        t,
        f"stopped at t = {t:g} s: {callback.callback!r} {what} (called at t = "
        f"{callback.failed_at:.9g} s); the error is in run.status.error",
        error,
    )


def _lead(work: Workspace) -> str:
    """Return a hint for a motion that is not finite."""
    for callback in work.equations.callbacks:
        if callback.not_finite is not None:
            when, forces = callback.not_finite
            return f"{callback.callback!r} returned {forces} at t = {when:.9g} s"
    first = "give a smaller step, or " if work.integrator.is_fixed else ""
    return f"{first}look for a singular configuration or a force that grows without bound"


def _not_finite_joint(work: Workspace) -> str:
    control, end = work.control, work.integrator.end
    vectors, last = [work.y, *work.k[:end]], work.x.copy()
    if np.isfinite(vectors).all():  # an integrator that keeps no stages
        work.x[:] = work.y
        work.derivative(control.t + control.h, end)
        vectors.append(work.k[end])
    bad = ~np.isfinite([*vectors, last])
    first = bad[int(np.argmax(bad.any(axis=1)))]  # later ones may inherit it
    return _joint(work, int(np.argmax(first)))


def _worst_joint(work: Workspace) -> str:
    control = work.control
    scale = control.atol + control.rtol * np.maximum(np.abs(work.y), np.abs(work.x))
    error = sum(c * work.k[s] for s, c in work.integrator.error_row.items()) / scale
    return _joint(work, int(np.argmax(np.abs(error))))


def _joint(work: Workspace, entry: int) -> str:
    """Return the name of the joint or state that an entry of [q, v, states] belongs to."""
    mechanism, nq = work.equations.mechanism, work.equations.nq
    if entry >= nq + mechanism.nv:
        return list(mechanism.state_values)[entry - nq - mechanism.nv]
    if entry < nq:
        return mechanism.joint_of_coordinate(entry)
    return mechanism.joint_of_velocity(entry - nq)
