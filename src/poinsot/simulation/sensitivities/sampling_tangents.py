"""The derivatives of sampled states where their clocks strike.

Between strikes they are held; at one all further states become z⁺ = U(t, q, v, z⁻, tau, p), tau
being what the law of the joint forces gives for z⁻, and everything else stays.  Times of clocks are
fixed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.expr import Program, Rolled, build, fresh_symbols, jacobian, optimise
from poinsot.expr.node import ZERO
from poinsot.expr.replay import replay
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.model import SampledState
from poinsot.simulation.laws.equations import STATES, MotionEquations
from poinsot.simulation.laws.sampling import DUE, clocks_of, sampling, with_clocks
from poinsot.simulation.laws.signals import GAP, LookupKernel
from poinsot.simulation.sensitivities.program_jacobian import program_jacobian
from poinsot.spatial import Array


class SamplingTangents:
    """What takes derivatives over the strikes of the clocks of a run.

    Args:
        equations: What was integrated, under each law of the joint forces.
        names: Free parameters to differentiate by.
        span: When the run starts and ends [s]; at its end clocks do not strike any more.
        where: Opens the message of an error.

    Raises:
        ModelError: If an update has no derivative.
    """

    def __init__(
        self, laws: Sequence[MotionEquations], names: tuple[str, ...], span: tuple[float, float],
        where: str,
    ) -> None:  # fmt: skip
        equations, mechanism = laws[0], laws[0].mechanism
        program = sampling(mechanism).kernel.program
        programs = [_with_forces(program, law) for law in laws]
        if None in programs:
            raise ModelError(
                f"{where}: updates of sampled states that ask for quantities that are computed by "
                "loops, or for joint forces of such a law, are not differentiated; write them with "
                "q, v and states"
            )
        self._laws, self._names, self._programs = laws, names, programs
        self._times, _, due = with_clocks(clocks_of(mechanism), equations.breaks, *span)
        self._times, self._due = self._times[due.any(axis=1)], due[due.any(axis=1)]
        self._end = span[1]
        sampled = [state for state in mechanism.states if isinstance(state, SampledState)]
        held = {name for state in sampled for name in state.inputs}
        first = equations.nq + equations.nv
        self._held = [first + k for k, name in enumerate(mechanism.state_values) if name in held]

    def matrices(self, t: Array, y: Array, last: Array, law: int = 0) -> Array:
        """Return the derivatives of states after the strikes at some times, shape (N, n, n + p).

        Those of the identity where no clock strikes.

        Args:
            t: Times [s], shape (N,).
            y: States then, after strikes, shape (N, n).
            last: States before that, whose sampled entries were held until then, shape (N, n).
            law: Number of the law in force until then.
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
            equations, program = self._laws[law], self._programs[law]
            assert program is not None, "checked above"
            slopes = program_jacobian(equations, program, *given, more)
            result[strikes, equations.nq + equations.nv :] = slopes[:, :, :-1]
        return result


def _with_forces(program: Program | Rolled, equations: MotionEquations) -> Program | None:
    """Return a program that reads tau with the law that gives it in its place.

    The same one where tau is a number, or samples, that nothing changes; None where there is none.
    """
    if not isinstance(program, Program):
        return None
    ports = {port.name: port.size for port in program.inputs}
    laws = [use.kernel for use in equations.drives if use.writes == "tau"]
    if "tau" not in ports or not laws or isinstance(laws[0], LookupKernel):
        return program
    if not isinstance(laws[0], LlvmKernel):
        return program if not _depends(program, "tau") else None
    law = laws[0].program
    ports |= {port.name: port.size for port in law.inputs}
    symbols = {name: fresh_symbols(name, size) for name, size in ports.items() if name != "tau"}
    read = dict(symbols)
    if STATES in symbols and PARAMETERS in symbols:  # where the law reads them
        count = symbols[STATES].size
        read[PARAMETERS] = np.concatenate([symbols[PARAMETERS][:-count], symbols[STATES]])
    (read["tau"],) = replay(law, *(read[port.name] for port in law.inputs))
    given = symbols | {"tau": read["tau"]}
    (values,) = replay(program, *(given[port.name] for port in program.inputs))
    return optimise(build(symbols, {program.outputs[0].name: values}))


def _depends(program: Program, name: str) -> bool:
    """Say whether a program depends on an input."""
    inputs = {port.name: fresh_symbols(port.name, port.size) for port in program.inputs}
    (values,) = replay(program, *inputs.values())
    return any(entry is not ZERO for entry in jacobian(np.ravel(values), inputs[name]).flat)
