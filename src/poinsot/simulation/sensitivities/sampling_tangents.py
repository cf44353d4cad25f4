"""The derivatives of sampled states where their clocks strike.

Between strikes they are held; at one all further states become z⁺ = U(t, q, v, z⁻, p), everything
else stays.  Times of clocks are fixed.
"""

from __future__ import annotations

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import Program, fresh_symbols, jacobian
from poinsot.expr.node import ZERO
from poinsot.expr.replay import replay
from poinsot.model import SampledState
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.laws.sampling import DUE, clocks_of, sampling, with_clocks
from poinsot.simulation.laws.signals import GAP
from poinsot.simulation.sensitivities.program_jacobian import program_jacobian
from poinsot.spatial import Array


class SamplingTangents:
    """What takes derivatives over the strikes of the clocks of a run.

    Args:
        equations: What was integrated.
        names: Free parameters to differentiate by.
        span: When the run starts and ends [s]; at its end clocks do not strike any more.
        where: Opens the message of an error.

    Raises:
        ModelError: If an update has no derivative.
    """

    def __init__(
        self, equations: MotionEquations, names: tuple[str, ...], span: tuple[float, float],
        where: str,
    ) -> None:  # fmt: skip
        mechanism = equations.mechanism
        program = sampling(mechanism).kernel.program
        if not isinstance(program, Program) or _reads_forces(program):
            raise ModelError(
                f"{where}: updates of sampled states that read tau, or quantities that are "
                "computed by loops, are not differentiated; write them with q, v and states"
            )
        self._equations, self._names, self._program = equations, names, program
        self._times, _, due = with_clocks(clocks_of(mechanism), equations.breaks, *span)
        self._times, self._due = self._times[due.any(axis=1)], due[due.any(axis=1)]
        self._end = span[1]
        sampled = [state for state in mechanism.states if isinstance(state, SampledState)]
        held = {name for state in sampled for name in state.inputs}
        first = equations.nq + equations.nv
        self._held = [first + k for k, name in enumerate(mechanism.state_values) if name in held]

    def matrices(self, t: Array, y: Array, last: Array) -> Array:
        """Return the derivatives of states after the strikes at some times, shape (N, n, n + p).

        Those of the identity where no clock strikes.

        Args:
            t: Times [s], shape (N,).
            y: States then, after strikes, shape (N, n).
            last: States before that, whose sampled entries were held until then, shape (N, n).
        """
        n, p = y.shape[1], len(self._names)
        result = np.tile(np.eye(n, n + p), (len(t), 1, 1))
        number = np.searchsorted(self._times, t - GAP * (1.0 + np.abs(t)))
        number = number.clip(max=max(self._times.size - 1, 0))
        strikes = np.zeros(t.size, bool)
        if self._times.size:
            near = np.abs(self._times[number] - t) <= GAP * (1.0 + np.abs(t))
            strikes = near & (t < self._end)
        if strikes.any():
            before = y[strikes].copy()
            before[:, self._held] = last[strikes][:, self._held]
            more = {DUE: self._due[number[strikes]]}
            given = self._names, t[strikes], before
            slopes = program_jacobian(self._equations, self._program, *given, more)
            result[strikes, self._equations.nq + self._equations.nv :] = slopes[:, :, :-1]
        return result


def _reads_forces(program: Program) -> bool:
    """Say whether a program depends on its input tau."""
    inputs = {port.name: fresh_symbols(port.name, port.size) for port in program.inputs}
    if "tau" not in inputs:
        return False
    (values,) = replay(program, *inputs.values())
    return any(entry is not ZERO for entry in jacobian(np.ravel(values), inputs["tau"]).flat)
