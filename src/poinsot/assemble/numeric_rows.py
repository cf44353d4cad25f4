"""The rows of a mechanism's constraints as functions on numbers."""

from __future__ import annotations

import numpy as np

from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.request import Request
from poinsot.model import Mechanism
from poinsot.spatial import Array

WHOLE_TURN = 2.0 * np.pi


class NumericRows:
    """Residuals, Jacobian and bias of one mechanism, compiled when first asked for.

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

    def missed(self, q: Array, t: float) -> str:
        """Return by how much each loop and constraint misses, the worst first."""
        phi, parts = self.residual(q, t), []
        for one, part in zip(self.mechanism.closures, self.mechanism.row_slices, strict=True):
            own = phi[part]
            if own.size:
                worst = int(np.argmax(np.abs(own)))
                text = f"{one.label} by {abs(own[worst]):.3g} ({one.locked[worst]})"
                parts.append((float(abs(own[worst])), text))
        parts.sort(reverse=True)
        shown = [text for size, text in parts[:5] if size > 1e-10]
        return ", ".join(shown) + ", ..." * (len(parts) > 5)

    def _value(self, name: str, t: float, *state: Array) -> Array:
        time = [np.full((*state[0].shape[:-1], 1), t)] if self.mechanism.depends_on_time else []
        function = evaluators_of(self.mechanism).find(Request(name), self._backend).function
        value: Array = function(*state, *time)
        return value
