"""The rows of a mechanism's constraints as numeric functions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import is_small
from poinsot.expr.rank_tolerances import RANK
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

    def some(self, which: NDArray[np.intp] | int) -> NumericRows:
        """Return the rows with the parameters of some of the n states."""
        if self.parameters is None or self.parameters.ndim == 1:
            return self
        return NumericRows(self.mechanism, self._backend, self.parameters[which])

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

    def driven_state(
        self, q: Array, t: Array | float, *, compiled: bool
    ) -> tuple[Array, Array, Array, Array]:
        """Return phi, Newton's step, v and a: see ``formulations.constrained.driven_state``.

        Args:
            q: Configurations, shape (n, nq).
            t: Times [s], shape (n,).
            compiled: Whether it is to be one kernel, which takes longer to compile and decides
                ranks by the lengths of rows; otherwise NumPy solves, by singular values.
        """
        nv = self.mechanism.nv
        if compiled and is_small(self.mechanism, "driven_state"):
            value = self._value("driven_state", t, q)
            m = value.shape[-1] - 3 * nv
            ends = (m, m + nv, m + 2 * nv)
            phi, step, v, a = np.split(value, ends, axis=-1)
            return phi, step, v, a
        phi, still = self.residual(q, t), np.zeros((*q.shape[:-1], nv))
        J = self.jacobian(q, t)
        sound = np.isfinite(J).all(axis=(-2, -1))
        inverse = np.full((*J.shape[:-2], nv, J.shape[-2]), np.nan)
        inverse[sound] = np.linalg.pinv(J[sound], rcond=RANK)

        def shortest(rate: Array) -> Array:
            motion: Array = -(inverse @ rate[..., None])[..., 0]
            return motion

        v = shortest(self.rate(q, still, t))
        return phi, shortest(phi), v, shortest(self.bias(q, v, t))

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

    def _value(self, name: str, t: Array | float, *state: Array) -> Array:
        further = []
        if self.mechanism.depends_on_time:
            times = np.asarray(t, np.float64)[..., None]
            further.append(np.broadcast_to(times, (*state[0].shape[:-1], 1)).copy())
        if self.mechanism.parameter_inputs:
            assert self.parameters is not None
            further.append(self.parameters)
        function = evaluators_of(self.mechanism).find(Request(name), self._backend).function
        value: Array = function(*state, *further)
        return value
