"""From many starts to their trajectories."""

from __future__ import annotations

from poinsot.errors import ModelError
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.running.batch.batch_results import BatchResults
from poinsot.simulation.running.batch.lane_runs import run_in_lanes
from poinsot.simulation.running.batch.separate_runs import run_each
from poinsot.simulation.running.batch.trajectories import Trajectories
from poinsot.simulation.running.checks import check_memory
from poinsot.simulation.running.run_plan import Plan
from poinsot.simulation.running.workspace import Accuracy
from poinsot.simulation.stepping.equal_steps import EqualSteps
from poinsot.simulation.stepping.integrators import INTEGRATORS
from poinsot.simulation.stepping.integrators.explicit import Explicit
from poinsot.spatial import Array


def integrate_many(
    equations: MotionEquations,
    starts: Array,
    accuracy: Accuracy,
    plan: Plan,
    progress: bool | None = False,
) -> Trajectories:
    """Return the motions from many states [q, v].

    Args:
        equations: With numbers for every run.
        starts: [q, v], shape (B, nq + nv).
        accuracy: Integrator and tolerances.
        plan: How long, and what to store.
        progress: Whether to show a bar; None: on a terminal, if it takes long.
    """
    steps = None if accuracy.step is None else EqualSteps(plan.start, plan.end, accuracy.step)
    size = starts.shape[1]
    if plan.times is not None:
        check_memory(len(starts), plan.times.size, size)
        times = plan.times
    elif steps is not None:
        check_memory(len(starts), steps.count + 1, size)
        times = steps.ends()
    else:
        raise ModelError(
            "simulate: every run of a batch chooses its own steps with integrator "
            f"{accuracy.integrator!r}; say which states to store, e.g. save=0.01, or take equal "
            "steps: integrator='rk4', step=..."
        )
    batch = BatchResults(equations, starts, accuracy, plan, times)
    if len(starts) > 0:
        if steps is not None and goes_in_lanes(equations, accuracy):
            run_in_lanes(batch, steps, progress)
        else:
            run_each(batch, progress)
    return batch.closed()


def goes_in_lanes(equations: MotionEquations, accuracy: Accuracy) -> bool:
    """Return whether all runs can take the same steps in lanes."""
    integrator = INTEGRATORS[accuracy.integrator]
    equal = (
        integrator.is_fixed and isinstance(integrator, Explicit) and equations.breaks[0].size == 0
    )
    return equal and equations.has_lanes
