"""Motion from a start: ``ps.simulate``."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ModelWarning
from poinsot.front.impact import contact_parameters, events_of_contacts
from poinsot.front.many_runs import many_runs
from poinsot.front.parameter_numbers import parameter_values
from poinsot.front.run import Run
from poinsot.front.runs import Runs
from poinsot.front.runs_checkpoint import RunsCheckpoint
from poinsot.front.simulation_options import Options
from poinsot.front.single_run import checked_plan, checked_writer, simulated
from poinsot.front.system import System
from poinsot.impacts.contact import Contact, checked_contacts
from poinsot.model import BaseMotion, Signal
from poinsot.model.friction_and_stops import idle_friction
from poinsot.model.model_warnings import listed
from poinsot.renamed import renamed
from poinsot.simulation.laws.callback import Callback
from poinsot.simulation.laws.common_shape import common_shape
from poinsot.simulation.laws.equations import MotionEquations, equations, with_states
from poinsot.simulation.laws.event import Event
from poinsot.simulation.laws.load_laws import BaseLaw, Law, LoopLaws, Wrenches
from poinsot.simulation.laws.signals import check_range
from poinsot.simulation.laws.traced_events import Events, checked_events, traced_events
from poinsot.simulation.running import checks
from poinsot.simulation.running.run_plan import Accuracy, Plan
from poinsot.simulation.running.start import consistent_start
from poinsot.spatial import Array


@overload
def simulate(
    system: System, q: Sequence[float], v: Sequence[float], duration: float, *,
    tau: float | Sequence[float] | Law | Callback | Signal | None = None,
    parameters: Mapping[str, float] | None = None, **options: Unpack[Options],
) -> Run: ...  # fmt: skip


@overload
def simulate(
    system: System, q: Sequence[Sequence[float]], v: ArrayLike, duration: float, *,
    tau: ArrayLike | Law | Callback | Signal | None = None,
    parameters: Mapping[str, ArrayLike] | None = None, **options: Unpack[Options],
) -> Runs: ...  # fmt: skip


@overload
def simulate(
    system: System, q: ArrayLike, v: ArrayLike, duration: float, *,
    tau: ArrayLike | Law | Callback | Signal | None = None,
    parameters: Mapping[str, ArrayLike] | None = None, **options: Unpack[Options],
) -> Any: ...  # noqa: ANN401 (an array may hold one start or many)  # fmt: skip


@renamed(method="integrator")
def simulate(
    system: System,
    q: ArrayLike,
    v: ArrayLike,
    duration: float,
    *,
    tau: ArrayLike | Law | Callback | Signal | None = None,
    start: float = 0.0,
    wrenches: Wrenches | None = None,
    base: BaseMotion | BaseLaw | None = None,
    drives: LoopLaws | None = None,
    parameters: Mapping[str, ArrayLike] | None = None,
    states: Mapping[str, ArrayLike] | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    integrator: str = "dp8",
    step: float | None = None,
    max_step: float | None = None,
    first_step: float | None = None,
    max_steps: int | None = None,
    save: float | ArrayLike | None = None,
    events: Sequence[Event] = (),
    contacts: Sequence[Contact] = (),
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 30.0,
    progress: bool | None = None,
) -> Run | Runs:
    """Return the motion of a system from a start, a ``Run``, or from many, ``Runs``.

        M(q) dv/dt + bias(q, v) = tau(t, q, v) + J(q, t)ᵀ lam,      dq/dt = N(q) v

    Where there are loops or constraints, every step ends on them: two Newton steps for q and v, the
    shortest in the metric of M.  Configurations where the freedom jumps (parallelograms in line)
    are passed on the branch on which the motion comes, by "dp8" and "dp5".  The whole loop is
    machine code.  A run that cannot go on warns, says why in ``run.status`` and keeps what it has
    up to there; so does one that is interrupted by Ctrl-C.

    If q, v, tau, base or parameters have leading dimensions (...), these broadcast, and there is a
    run for each of their elements, on all threads: with "rk4" in SIMD lanes, with other integrators
    one by one.  Each is what it would be alone; integrators that choose their steps need ``save``.

    Args:
        system: The bodies.
        q: Configuration at the start, shape (..., nq); quaternions of unit length.
        v: Velocity at the start, shape (..., nv).
        duration: Time to simulate [s].
        tau: Joint forces: none, one number for every joint, constant ones (..., nv), or a function
            ``tau(t, q, v)``.  The function is called once, with symbols, and compiled (for runs
            that follow too, unless something that it reads has changed): write it with
            NumPy's functions, and with ``poinsot.select`` or ``np.where`` in place of ``if``.
            Symbols of free parameters may be in it, and values of a ``Signal`` at t.  Samples over
            time go as a ``Signal`` of nv numbers, any other Python function as a ``Callback``,
            which is slow.
        start: Time at the start [s], which forces, signals and motions that depend on the time
            see; ``run.continued`` goes on from where a run has ended.
        wrenches: For some bodies the wrench [f; n] [N, N m] on them from outside, at the body's
            origin in body axes: six numbers, a function of t, q and v as for tau, or a ``Signal``.
        base: Motion of the world body: at rest, a constant BaseMotion, or a function ``base(t)``
            that returns rotation (3, 3), base to inertial, velocity (6,) and acceleration (6,), in
            base axes; it is called once, with a symbol.  States stay relative to the base.
        drives: For some joints that close loops the forces along their velocities [N or N m], which
            tau has no entries for: numbers, a formula such as "-4*pin - 0.1*v.pin", a function of
            t, q and v as for tau, or a ``Signal``.
        parameters: Values of free parameters by name, shapes (...); those with a number of their
            own may be left out.  Runs with other values use the same machine code.
        states: Values of further states at the start, by name, shapes (...); their initial ones by
            default.
        rtol: Accuracy relative to each entry of q and v, 1e-8 by default.  Every step is held to a
            hundredth of it: over 10 s the energy of a system without dissipation changes by less
            than this part of its largest kinetic energy.
        atol: Accuracy in the units of q and v, added to the relative one; equal to rtol by default.
        integrator: "dp8" or "dp5", the methods of Dormand and Prince of order 8 and 5, and
            "stiff", the Rosenbrock method Rodas5P of order 5 with exact derivatives, for stiff
            springs and dampers; these choose their steps by rtol and atol.  Or, with steps of one
            length, "rk4", the classical Runge-Kutta method of order 4, and "symplectic" or
            "symplectic4", the variational midpoint rule of order 2 and composed to order 4, whose
            energy does not drift over the longest runs.
        step: Length of the steps of an integrator that does not choose them [s], without rtol and
            atol; a little less where that many steps would not end at the end.
        max_step: Largest step [s]; no limit by default.
        first_step: First step to try [s]; chosen by default.
        max_steps: Most steps to try; by default a million, or as many as equal steps take.
        save: What to store: every step (None), a state every so many seconds (a number), or the
            states at these times (an array), from the start to the end.
        events: What to look for, and what to do when it happens; ``run.events`` says what has.  An
            event that changes the state or the law leaves two rows at its time, before and after.
        contacts: What may touch: where a gap closes, ``run.events`` has an event of the contact's
            name, and velocities jump as ``poinsot.impact`` says, with all contacts that touch then.
        checkpoint: File ``.npz`` to write the run in progress to, so that ``poinsot.resume`` can go
            on with it after a crash; of many runs those that have ended.  None by default.
        checkpoint_every: Time between checkpoints [s], more where writing takes long.
        progress: Whether to show a bar; by default on a terminal, once a run takes 2 s.

    >>> import poinsot as ps
    >>> rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -0.5))
    >>> pendulum = ps.System("pendulum", [rod])
    >>> run = ps.simulate(pendulum, q=[0.3], v=[0.0], duration=10.0, tau=lambda t, q, v: -0.1 * v)
    >>> run.status.ok, run.t[-1], abs(run.q[-1, 0] - run.at(10.0)[0][0])
    (True, np.float64(10.0), np.float64(0.0))
    >>> starts = [[0.1], [0.2], [0.3]]
    >>> ps.simulate(pendulum, starts, [0.0], 10.0, integrator="rk4", step=0.01).q.shape
    (3, 1001, 1)
    """
    mechanism = system.mechanism
    accuracy = checks.accuracy(
        integrator, rtol=rtol, atol=atol, max_step=max_step, first_step=first_step, step=step
    )
    plan = checked_plan(
        system, duration, accuracy, start=start, first_step=first_step, max_steps=max_steps,
        save=save,
    )  # fmt: skip
    _warn_of_idle_friction(system)
    moving = checks.start_states(mechanism, q, v)
    for name in set(system.signals).intersection(parameters or {}):
        raise ModelError(
            f"simulate: parameter {name!r} is samples over time; for other ones make another "
            f"system: system.with_parameters({name}=...)"
        )
    values = parameter_values(system, "simulate", parameters, states=states)
    laws = equations(mechanism, tau, base, values, wrenches, drives)
    given = {"q and v": moving.shape[:-1], "tau, base, states and parameters": laws.shape}
    shape = common_shape(given)
    if shape:
        moving = np.broadcast_to(moving, (*shape, moving.shape[-1]))
    moving = consistent_start(mechanism, moving, laws.parameters, plan.start)
    begin = with_states(laws, moving)
    writer = checked_writer(system, checkpoint, checkpoint_every)
    events, contacts = checked_events(events), checked_contacts(contacts, "simulate")
    if shape:
        check_range(laws.lookups, plan.start, plan.end)
        saved = None
        if checkpoint is not None:
            saved = RunsCheckpoint(system, shape, Path(checkpoint), checkpoint_every)
        each, both = laws.each(shape), (events, contacts)
        return _many(system, each, begin, accuracy, plan, progress, both, saved)
    if contacts:
        hits = events_of_contacts(system, contacts, begin[: system.nq], parameters, plan.start)
        events = (*events, *hits)
    watched = traced_events(mechanism, events, laws) if events else None
    made = simulated(system, laws, begin, accuracy, plan, watched, progress, writer, depth=4)
    return Run(system, made)


def _warn_of_idle_friction(system: System) -> None:
    idle = idle_friction(system.mechanism)
    if idle:
        warnings.warn(
            f"{system.name!r}: the friction of joint {listed(idle)} is data and does not act here; "
            "let it with system.with_friction(), or leave it out of the joint (in files: "
            "ps.load(..., passive=False))",
            ModelWarning,
            stacklevel=4,
        )


def _events_of_each(
    system: System, laws: MotionEquations, starts: Array, t: float, events: Sequence[Event],
    contacts: Sequence[Contact],
) -> list[Events]:  # fmt: skip
    """Return the events of each of many runs; contacts have the parameters of theirs."""
    if not events and not contacts:
        return []
    every = []
    for number, start in enumerate(starts):
        law, hits = laws.of(number), list[Event]()
        if contacts:
            values = contact_parameters(system, law)
            where = f"simulate: run [{number}]"
            hits = events_of_contacts(system, contacts, start[: system.nq], values, t, where)
        every.append(traced_events(system.mechanism, (*events, *hits), law))
    return every


def _many(
    system: System, laws: MotionEquations, states: Array, accuracy: Accuracy, plan: Plan,
    progress: bool | None, watched: tuple[Sequence[Event], Sequence[Contact]],
    writer: RunsCheckpoint | None,
) -> Runs:  # fmt: skip
    shape, n = states.shape[:-1], states.shape[-1]
    starts = np.ascontiguousarray(states.reshape(math.prod(shape), n))
    events = _events_of_each(system, laws, starts, plan.start, *watched)
    return many_runs(
        system, shape, laws, starts, accuracy, plan, events, progress, writer, stacklevel=5
    )
