"""A run as a sequence of matrices, one for every step.

With S the derivative of the state by what is varied, and G that of the free parameters,

    S_after = Φ_y S + Φ_p G

for every step (``step_tangents.py``); the discrete adjoint is the transposed recursion, from the
last step to the first.  All are derivatives at fixed times, step sizes as the run took them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import TooManyNodesError
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.simulation.integrate import integrate
from poinsot.simulation.laws.callback import CallbackKernel, MissingLaw
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.sensitivities.step_tangents import StepTangents, projected
from poinsot.simulation.stepping.integrators import INTEGRATORS
from poinsot.simulation.stepping.integrators.explicit import Explicit, Tableau
from poinsot.simulation.stepping.motion_graph import Graph
from poinsot.spatial import Array

MEMORY = 64e6
"""Memory that the Jacobians of stages take at a time [bytes]: so many steps go side by side."""


class Transitions:
    """What takes the derivatives of a run from each of its steps to the next.

    Args:
        trajectory: The run.
        names: Free parameters to differentiate by.
        where: Opens the message of an error.

    Raises:
        ModelError: If it cannot be differentiated: the message says why and what to do.
    """

    def __init__(self, trajectory: Trajectory, names: tuple[str, ...], where: str) -> None:
        self._tableau = _checked_tableau(trajectory, where)
        self._names, self._where = names, where
        if trajectory.plan.times is not None:
            again = replace(trajectory.plan, times=None, every=None)
            given = trajectory.equations, trajectory.start, trajectory.accuracy, again
            trajectory = integrate(*given, trajectory.events)
        self._equations, self.t = trajectory.equations, trajectory.t
        self.y = np.concatenate([trajectory.q, trajectory.v], axis=1)

    def forward(self, start: Array, times: Array) -> Array:
        """Return the derivatives at times, shape (number of times, n, m + p).

        Args:
            start: Those of the state at the start by m variables, shape (n, m).
            times: Increasing, within the run [s].
        """
        n, m = start.shape
        first = self._start_projection()
        S = first[:, :n] @ np.pad(start, ((0, 0), (0, len(self._names))))
        S[:, m:] += first[:, n:]
        result = np.empty((len(times), *S.shape))
        row = np.searchsorted(self.t, times, side="right") - 1
        result[row == 0] = S
        for begin, end in self._blocks():
            steps = self._steps(begin, end)
            every = np.empty((end - begin + 1, *S.shape))
            every[0] = S
            for k, matrix in enumerate(steps.by_all):
                every[k + 1] = matrix[:, :n] @ every[k]
                every[k + 1, :, m:] += matrix[:, n:]
            S = every[-1]
            here = np.flatnonzero((row >= begin) & (row <= end))
            result[here] = every[row[here] - begin]
            inside = here[(row[here] < end) & (self.t[row[here]] != times[here])]
            if inside.size:
                number = row[inside] - begin
                dense = steps.between(number, times[inside])
                result[inside] = dense[:, :, :n] @ every[number]
                result[inside, :, m:] += dense[:, :, n:]
        return result

    def backward(self, weights: Array) -> tuple[Array, Array]:
        """Return the gradient of a weighted sum of the last state, by the start and by parameters.

        Args:
            weights: Of the entries of the last state, shape (n,).

        Returns:
            Shapes (n,) and (p,).
        """
        n, gradient = weights.size, np.zeros(len(self._names))
        for begin, end in reversed(list(self._blocks())):
            steps = self._steps(begin, end)
            matrices = steps.by_start
            ends = np.empty((end - begin, n))
            for k in reversed(range(end - begin)):
                ends[k] = weights
                weights = weights @ matrices[k]
            gradient += steps.weighted(ends).sum(axis=0)
        first = self._start_projection()
        return weights @ first[:, :n], gradient + weights @ first[:, n:]

    def _blocks(self) -> Iterator[tuple[int, int]]:
        """Yield the first row of some steps, and the last."""
        n, p = self.y.shape[1], len(self._names)
        matrices = 3 * (len(self._tableau.stages) + len(self._tableau.more_stages) + 1)
        size = max(1, int(MEMORY / (8 * matrices * n * (n + p + 1))))
        last = self.t.size - 1
        for begin in range(0, last, size):
            yield begin, min(begin + size, last)

    def _steps(self, begin: int, end: int) -> StepTangents:
        rows = slice(begin, end)
        h = np.diff(self.t[begin : end + 1])
        try:
            return StepTangents(
                self._equations, self._tableau, self._names, t=self.t[rows], h=h, y=self.y[rows]
            )
        except TooManyNodesError:
            raise ModelError(
                f"{self._where}: {_too_large(self._equations.mechanism.name)}"
            ) from None

    def _start_projection(self) -> Array:
        """Return what takes variations of the start onto the constraints, shape (n, n + p)."""
        matrix: Array = projected(self._equations, self._names, self.t[:1], self.y[:1])[1][0]
        return matrix[:, :-1]


def _checked_tableau(run: Trajectory, where: str) -> Tableau:
    """Return the coefficients of the integrator; reject what cannot be differentiated."""
    equations, mechanism = run.equations, run.equations.mechanism
    integrator = INTEGRATORS[run.accuracy.integrator]
    if not isinstance(integrator, Explicit):
        raise ModelError(
            f"{where}: steps of integrator {run.accuracy.integrator!r} are not differentiated; "
            "simulate with 'dp8', 'dp5' or 'rk4'"
        )
    for use in equations.uses:
        if isinstance(use.kernel, CallbackKernel | MissingLaw):
            raise ModelError(
                f"{where}: the function of {use.writes} is called by Python at every step and has "
                "no derivative; give a function that is traced (no Callback), or a formula"
            )
    if any("update" in state.laws for state in mechanism.states):
        raise ModelError(
            f"{where}: states that are sampled change at their clocks, which is not "
            "differentiated; write them with rates, as State"
        )
    for action in run.events.actions if run.events is not None else ():
        if action.resets or action.law >= 0:
            raise ModelError(
                f"{where}: event {action.name!r} changes the state or the law, which is not "
                "differentiated; simulate up to it (stop=True), and go on with a run of its own"
            )
    is_rolled = not Graph.exists(equations)
    if is_rolled or not isinstance(
        getattr(equations.projection, "kernel", None), LlvmKernel | None
    ):
        raise ModelError(f"{where}: {_too_large(mechanism.name)}")
    return integrator.tableau


def _too_large(name: str) -> str:
    return (
        f"{name!r} is so large that derivatives of its equations are not written out; take "
        "differences of runs with integrator='rk4'"
    )
