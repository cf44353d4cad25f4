"""One run: from arguments as users give them to its trajectory."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from poinsot.assemble.contradictory_rows import remedy
from poinsot.errors import ArrayTypeError
from poinsot.front.created_energy import warn_of_created_energy
from poinsot.front.singular_programmes import singular_programmes
from poinsot.front.system import System
from poinsot.simulation.files.checkpoint_writer import CheckpointWriter
from poinsot.simulation.integrate import integrate
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.laws.signals import check_range
from poinsot.simulation.laws.traced_events import Events
from poinsot.simulation.running import checks
from poinsot.simulation.running.run_plan import Accuracy, Plan
from poinsot.simulation.running.start import violated_row
from poinsot.simulation.running.status import SimulationWarning
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.spatial import Array

__all__ = ["checked_plan", "checked_writer", "simulated", "warn_of_violation"]


def checked_plan(
    system: System,
    duration: float,
    accuracy: Accuracy,
    *,
    start: float,
    first_step: float | None,
    max_steps: int | None,
    save: float | ArrayLike | None,
) -> Plan:
    """Return the start, duration and stored times of a run, as a user gave them."""
    duration = checks.positive("duration", duration)
    start = checks.start_time(start, duration)
    if first_step is not None:
        first_step = min(checks.positive("first_step", first_step), duration)
    return Plan(
        duration,
        first_step,
        checks.max_steps(max_steps, duration, accuracy),
        checks.times_to_save(save, start, duration, system.mechanism.n_state),
        start=start,
        every=checks.save_interval(save),
    )


def checked_writer(
    system: System, checkpoint: str | os.PathLike[str] | None, every: float
) -> CheckpointWriter | None:
    """Return the checkpoint writer, as a user configured it; None: no checkpoints."""
    every = checks.positive("checkpoint_every", every)
    if checkpoint is None:
        return None
    if not isinstance(checkpoint, str | os.PathLike):
        raise ArrayTypeError(
            f"simulate: checkpoint must be the path of a file .npz, got {type(checkpoint).__name__}"
        )
    return CheckpointWriter(Path(checkpoint), system.description, every)


def simulated(
    system: System, laws: MotionEquations, state: Array, accuracy: Accuracy, plan: Plan,
    events: Events | None, progress: bool | None, writer: CheckpointWriter | None, depth: int = 3,
) -> Trajectory:  # fmt: skip
    """Return one motion, all arguments checked; warn, ``depth`` callers up, how it ended."""
    every_law = (laws,) if events is None else events.laws
    for law in every_law:
        check_range(law.lookups, plan.start, plan.end)
    run = integrate(laws, state, accuracy, plan, events, progress, writer)
    singular: list[str] = []
    if any(law.programmes for law in every_law):
        between = None if run.stored_only else lambda times: run.at(times)[0]
        stopped = np.array([not run.status.ok])
        places = singular_programmes(every_law, run.t, run.q[None], stopped, between)
        singular = [place.told() for place in places.get(0, ())]
    if singular:
        run = replace(run, status=run.status.with_remarks(singular))
    if not run.status.ok or singular:
        warnings.warn(f"{system.name!r}: {run.status.message}", SimulationWarning, stacklevel=depth)
    if run.created:
        warn_of_created_energy(system.name, [run], depth + 1)
    if system.mechanism.closures:
        end = run.q[-1:], run.v[-1:, : system.nv], laws.parameters, run.t[-1:]
        warn_of_violation(system, *end, stacklevel=depth + 1)
    return run


def warn_of_violation(
    system: System, q: Array, v: Array, parameters: Array, t: Array, *, stacklevel: int
) -> None:
    """Warn where the last states violate the constraints."""
    violation = violated_row(system.mechanism, q, v, parameters, t)
    if violation is None:
        return
    missed = f"{violation.row!r} is missed by {violation.size:.3g} {violation.unit}"
    why = (
        "it differs from other rows by less than can be told from rounding (docs/loops.md), and is "
        "not held; take it away if it is redundant, and look at system.mobility(q)"
    )
    if violation.contradictory:
        why = f"{remedy(violation.contradictory)}; the run follows those that are listed first"
    warnings.warn(
        f"{system.name!r}: {missed} at t = {t[violation.state]:.6g} s: {why}",
        SimulationWarning,
        stacklevel,
    )
