"""The rows of a mechanism's constraints as numeric functions."""

from __future__ import annotations

import numpy as np

from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.request import Request
from poinsot.model import Mechanism
from poinsot.spatial import Array

WHOLE_TURN = 2.0 * np.pi


class NumericRows:
    """Residuals, Jacobian and bias of one mechanism, compiled at first use.

    Of one state, shapes (nq,) and (nv,), or of a batch, (..., nq) and (..., nv).

    Args:
        mechanism: The bodies, loops and constraints.
        backend: What computes them.
    """

    def __init__(self, mechanism: Mechanism, backend: str = "auto") -> None:
        self.mechanism = mechanism
        self._backend = backend

    def residual(self, q: Array, t: float) -> Array:
        """Return phi, shape (..., m)."""
        return self._value("constraint_residual", t, q)

    def jacobian(self, q: Array, t: float) -> Array:
        """Return J, shape (..., m, nv)."""
        return self._value("constraint_jacobian", t, q)

    def rate(self, q: Array, v: Array, t: float) -> Array:
        """Return J v + dphi/dt, shape (..., m)."""
        return self._value("constraint_rate", t, q, v)

    def bias(self, q: Array, v: Array, t: float) -> Array:
        """Return gamma, shape (..., m)."""
        return self._value("constraint_bias", t, q, v)

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

    def _value(self, name: str, t: float, *state: Array) -> Array:
        time = [np.full((*state[0].shape[:-1], 1), t)] if self.mechanism.depends_on_time else []
        function = evaluators_of(self.mechanism).find(Request(name), self._backend).function
        value: Array = function(*state, *time)
        return value
