"""Variational steps in plain Python: the definition of the compiled ones (``symplectic.py``).

The equations of a step are kernels (``variational.py``); here is how they are solved.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from poinsot.simulation.stepping.integrators.symplectic import (
    MOST_ITERATIONS,
    NEAR,
    NO_STATE,
    NOTHING_MORE,
    UNSOLVED,
)
from poinsot.simulation.stepping.reference_lu import ReferenceLu
from poinsot.simulation.stepping.reference_stepper import ReferenceStepper
from poinsot.spatial import Array


@dataclass(kw_only=True)
class ReferenceSymplectic(ReferenceStepper):
    """One run of the variational midpoint rule, or of a composition of it, step by step.

    Attributes:
        begin_step: (y, dy/dt, h) -> momenta, first guess of the unknowns, length of the increment.
        iteration: (t, y, momenta, unknowns, h) -> residual, shape (n,), and Jacobian, shape (n, n).
        end_step: (t, y, unknowns, h) -> state at the end.
    """

    begin_step: Callable[[Array, Array, float], tuple[Array, Array, float]]
    iteration: Callable[[float, Array, Array, Array, float], tuple[Array, Array]]
    end_step: Callable[[float, Array, Array, float], Array]
    _is_solved: bool = field(init=False, default=True)

    def _stages(self, h: float) -> tuple[list[Array], Array]:
        """Return the derivative at the start and the end of the step: its substeps in order."""
        time, x, self._is_solved = self.t, self.y, True
        for number, share in enumerate(self.integrator.substeps):
            x = self.projected(time, x) if number else x
            x = self._substep(time, x, h * share)
            time = time + h * share
        return [self._k0], x

    def _substep(self, t: float, y: Array, h: float) -> Array:
        """Return the end of a substep: Newton's method, unknowns -= Jacobian⁻¹ residual."""
        momenta, unknowns, scale = self.begin_step(y, self._k0, h)
        for _ in range(MOST_ITERATIONS):
            residual, jacobian = self.iteration(t, y, momenta, unknowns, h)
            change = ReferenceLu(jacobian, self.lanes).solve(residual)
            unknowns = unknowns - change
            if self._size(change, unknowns, y, scale) <= scale * NEAR + NOTHING_MORE:
                return self.end_step(t, y, unknowns, h)
        self._is_solved = False
        return self.end_step(t, y, unknowns, h)

    def _size(self, change: Array, unknowns: Array, y: Array, scale: float) -> float:
        """Return the length of a change of the increment; those of further states are relative."""
        increments = change[: self.velocities.stop - self.velocities.start].tolist()
        further, states = 0.0, y[self.velocities.stop :].tolist()
        first = change.size - len(states)
        for x, gain, changed in zip(states, unknowns[first:], change[first:], strict=True):
            further += abs(changed) / (abs(x) + abs(gain) + NO_STATE)
        length = math.sqrt(sum(x * x for x in increments))
        return length + further * (scale + NOTHING_MORE / NEAR)

    def _error(self, k: list[Array], x: Array, h: float) -> float:
        """Return 0, or that the equations have no solution, or NaN."""
        return (0.0 if self._is_solved else UNSOLVED) if np.isfinite(x).all() else np.nan

    def _coefficients(self, k: list[Array], x: Array, h: float) -> list[Array]:
        """Return the coefficients of a cubic."""
        return self._cubic(k, x, h)
