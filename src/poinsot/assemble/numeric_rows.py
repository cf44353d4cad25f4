"""The rows of a mechanism's constraints as numeric functions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from poinsot.assemble.configuration_steps import step_table
from poinsot.assemble.least_squares_solver import Problem
from poinsot.evaluate.evaluator import Evaluator, evaluators_of
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import is_small
from poinsot.expr.rank_tolerances import RANK
from poinsot.kernels.python_function import PythonFunction, callable_kernel
from poinsot.model import Mechanism
from poinsot.spatial import Array

WHOLE_TURN = 2.0 * np.pi


class NumericRows:
    """Residuals, Jacobian and bias of one mechanism, compiled at first use.

    Of one state, shapes (nq,) and (nv,), or of a batch, (..., nq) and (..., nv); times are one
    number, or shape (...).

    Args:
        mechanism: The bodies, loops and constraints.
        backend: What computes them.
        parameters: Values of its free parameters, shape (number of them,), or (n, number of them)
            for n states.
    """

    def __init__(
        self, mechanism: Mechanism, backend: str = "auto", parameters: Array | None = None
    ) -> None:
        self.mechanism = mechanism
        self.parameters = parameters
        self._backend = backend
        self._functions: dict[str, Callable[..., Array]] = {}

    def some(self, which: NDArray[np.intp] | slice | int) -> NumericRows:
        """Return the rows with the parameters of some of the n states."""
        if self.parameters is None or self.parameters.ndim == 1:
            return self
        other = NumericRows(self.mechanism, self._backend, self.parameters[which])
        other._functions = self._functions
        return other

    @cached_property
    def positions(self) -> NumericRows:
        """The rows that hold for positions too."""
        mechanism = self.mechanism.at_positions
        if mechanism is self.mechanism:
            return self
        return NumericRows(mechanism, self._backend, self.parameters)

    def residual(self, q: Array, t: Array | float) -> Array:
        """Return phi, shape (..., m)."""
        return self._value("constraint_residual", t, q)

    def jacobian(self, q: Array, t: Array | float) -> Array:
        """Return J, shape (..., m, nv)."""
        return self._value("constraint_jacobian", t, q)

    def rate(self, q: Array, v: Array, t: Array | float) -> Array:
        """Return J v + dphi/dt, shape (..., m)."""
        return self._value("constraint_rate", t, q, v)

    def bias(self, q: Array, v: Array, t: Array | float) -> Array:
        """Return gamma, shape (..., m)."""
        return self._value("constraint_bias", t, q, v)

    def newton(self, q: Array, t: Array | float) -> tuple[Array, Array]:
        """Return phi, shape (n, m), and the shortest step towards phi = 0, shape (n, nv)."""
        phi = self.residual(q, t)
        return phi, shortest(self.jacobian(q, t), -phi)

    def rates(self, q: Array, t: Array | float) -> tuple[Array, Array]:
        """Return the shortest velocities and accelerations that are allowed, shapes (n, nv)."""
        J, still = self.jacobian(q, t), np.zeros((*q.shape[:-1], self.mechanism.nv))
        v = shortest(J, -self.rate(q, still, t))
        return v, shortest(J, -self.bias(q, v, t))

    @property
    def has_driven_state(self) -> bool:
        """Whether one kernel may do for ``newton`` and ``rates``; it takes longer to compile."""
        return is_small(self.mechanism, "driven_state")

    def driven_state(self, q: Array, t: Array | float) -> tuple[Array, Array, Array, Array]:
        """Return phi, the step, v and a: see ``formulations.constrained.driven_state``."""
        value, nv = self._value("driven_state", t, q), self.mechanism.nv
        m = value.shape[-1] - 3 * nv
        phi, step, v, a = np.split(value, (m, m + nv, m + 2 * nv), axis=-1)
        return phi, step, v, a

    def violations(self, q: Array, t: float) -> str:
        """Return the violation of each loop and constraint as text, the worst first."""
        phi, violations = self.residual(q, t), []
        for constraint, row_slice in zip(
            self.mechanism.closures, self.mechanism.row_slices, strict=True
        ):
            residual = phi[row_slice]
            if residual.size:
                worst = int(np.argmax(np.abs(residual)))
                text = (
                    f"{constraint.label} by {abs(residual[worst]):.3g} ({constraint.locked[worst]})"
                )
                violations.append((float(abs(residual[worst])), text))
        violations.sort(reverse=True)
        shown = [text for size, text in violations[:5] if size > 1e-10]
        return ", ".join(shown) + ", ..." * (len(violations) > 5)

    def further_inputs(self, t: float) -> list[Array]:
        """Return what the rows depend on besides q: time, parameters."""
        further = [np.array([t])] if self.mechanism.depends_on_time else []
        if self.mechanism.parameter_inputs:
            assert self.parameters is not None
            further.append(np.ascontiguousarray(self.parameters))
        return further

    @cached_property
    def problem(self) -> Problem:
        """Residuals, Jacobian and steps, as machine code calls them."""
        nq, nv = self.mechanism.nq, self.mechanism.nv
        residual, jacobian = (
            self._evaluator(name).kernel for name in ("constraint_residual", "constraint_jacobian")
        )
        table = step_table(self.mechanism)
        move = PythonFunction(self.mechanism.integrate, (nq, nv), nq) if table is None else None
        m = residual.signature.outputs[0].size
        return Problem(callable_kernel(residual), callable_kernel(jacobian), move, table, (m, nv))

    def _value(self, name: str, t: Array | float, *state: Array) -> Array:
        """Return a quantity; of a batch of one state by the code for one, which is faster."""
        lead = state[0].shape[:-1]
        alone = lead == (1,)
        further = []
        if self.mechanism.depends_on_time:
            times = np.empty((1,) if alone else (*lead, 1))
            times[...] = t if isinstance(t, float) else np.asarray(t)[..., None]
            further.append(times)
        if self.mechanism.parameter_inputs:
            assert self.parameters is not None
            further.append(self.parameters.reshape(-1) if alone else self.parameters)
        if name not in self._functions:
            self._functions[name] = self._evaluator(name).function
        if not alone:
            return self._functions[name](*state, *further)
        return self._functions[name](*(x[0] for x in state), *further)[None]

    def _evaluator(self, name: str) -> Evaluator:
        return evaluators_of(self.mechanism).find(Request(name), self._backend)


def shortest(J: Array, rate: Array) -> Array:
    """Return the shortest x with J x nearest to a rate, shape (..., nv); NaN where J is not finite.

    Args:
        J: Rows, shape (..., m, nv).
        rate: Wanted J x, shape (..., m).
    """
    if J.shape[-1] == 0:
        return np.zeros((*J.shape[:-2], 0))
    if J.ndim == 2 or J.shape[:-2] == (1,):  # one state: less to do than for a batch
        if not np.isfinite(J).all():
            return np.full((*J.shape[:-2], J.shape[-1]), np.nan)
        single: Array = np.linalg.lstsq(J.reshape(J.shape[-2:]), rate.reshape(-1), rcond=RANK)[0]
        return single.reshape(*J.shape[:-2], J.shape[-1])
    sound = np.isfinite(J).all(axis=(-2, -1))
    inverse = np.full((*J.shape[:-2], J.shape[-1], J.shape[-2]), np.nan)
    inverse[sound] = np.linalg.pinv(J[sound], rcond=RANK)
    x: Array = (inverse @ rate[..., None])[..., 0]
    return x
