"""The matrices of small deviations from a state: M, C, K and the rows of the constraints."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from poinsot.errors import ModelError, ModelWarning
from poinsot.expr.rank_tolerances import RANK
from poinsot.front.rank_changes import NEAR
from poinsot.front.system import System
from poinsot.spatial import Array

LOADED = ("bias", "forward_dynamics", "state_rates")
"""What external loads are part of."""

__all__ = ["LinearMatrices", "LinearizationPoint", "linear_matrices"]


@dataclass(frozen=True, eq=False)
class LinearizationPoint:
    """Where to linearise."""

    system: System
    q: Array
    v: Array
    tau: Array
    t: float
    parameters: Mapping[str, float] | None
    states: Mapping[str, float] | None
    external: Mapping[str, Any] = field(default_factory=dict)
    """External loads, as methods take them: wrenches, base, drives; none that is None or empty."""

    @property
    def how(self) -> dict[str, Any]:
        """Parameters and further states, as methods take them."""
        given = {"parameters": self.parameters, "states": self.states}
        return {key: value for key, value in given.items() if value}

    def derivative(self, quantity: str, *state: Array, **asked: Any) -> Array:  # noqa: ANN401
        """Return a derivative at this time."""
        loads = self.external if quantity in LOADED else {}
        with warnings.catch_warnings():  # ``linearize`` has said it
            warnings.filterwarnings("ignore", f".* {NEAR}", ModelWarning)
            return self.system.derivative(quantity, *state, t=self.t, **asked, **loads, **self.how)

    def acceleration(self) -> Array:
        """Return dv/dt there, shape (nv,)."""
        given = {**self.external, **self.how}
        return self.system.forward_dynamics(self.q, self.v, self.tau, t=self.t, **given)


@dataclass(frozen=True, eq=False)
class LinearMatrices:
    """M, C, K, rows of constraints, and what follows from them."""

    M: Array
    C: Array
    K: Array
    J: Array
    C0: Array
    C1: Array
    lam: Array
    parts: dict[str, Array]
    by: dict[tuple[str, str], Array]


def linear_matrices(point: LinearizationPoint, a: Array) -> LinearMatrices:
    """Return the matrices of the second-order equations."""
    system, q, v = point.system, point.q, point.v
    n, rows = system.nv, len(system.row_names)
    given = {**point.external, **point.how}
    whole, C, M = system.inverse_dynamics_derivatives(q, v, a, t=point.t, **given)
    bias = point.derivative("bias", q, v, by="q")
    _check_finite(system, {"q": whole, "v": C})
    parts = {"inertia": whole - bias, "bias": bias}
    J, C0, C1, lam = np.zeros((0, n)), np.zeros((0, n)), np.zeros((0, n)), np.zeros(0)
    if rows:
        J = system.constraint_jacobian(q, t=point.t, **point.how)
        tensor = point.derivative("constraint_jacobian", q, by="q")  # (rows, nv, nv)
        lam = system.multipliers(q, v, point.tau, t=point.t, **given).values
        parts["constraints"] = -np.einsum("rik,r->ik", tensor, lam)
        C0 = np.einsum("rik,i->rk", tensor, a) + point.derivative("constraint_bias", q, v, by="q")
        C1 = point.derivative("constraint_bias", q, v, by="v")
    K = sum(parts.values(), start=np.zeros((n, n)))
    return LinearMatrices(M, C, K, J, C0, C1, lam, parts, _solved(M, C, K, J, C0, C1))


def _check_finite(system: System, derivatives: Mapping[str, Array]) -> None:
    """Reject forces whose derivatives are infinite, so that no linear model is near them."""
    for name, matrix in derivatives.items():
        infinite = np.argwhere(~np.isfinite(matrix))
        if infinite.size:
            row, column = (system.velocity_names[k] for k in infinite[0])
            raise ModelError(
                f"linearize: the joint force of {row!r} grows infinitely fast over the {name} of "
                f"{column!r} here, as sqrt(x) does at 0; linearise beside this state, or write the "
                "formula so that it is smooth"
            )


def _solved(
    M: Array, C: Array, K: Array, J: Array, C0: Array, C1: Array
) -> dict[tuple[str, str], Array]:
    """Return the derivatives of a and lam by q, v and tau: least norm where rows are redundant."""
    n, rows = len(M), len(J)
    matrix = np.block([[M, -J.T], [J, np.zeros((rows, rows))]])
    right = np.block([[-K, -C, np.eye(n)], [-C0, -C1, np.zeros((rows, n))]])
    solved = np.linalg.lstsq(matrix, right, rcond=RANK)[0] if rows else np.linalg.solve(M, right)
    return {
        (what, name): solved[first : first + size, k * n : (k + 1) * n]
        for what, first, size in (("a", 0, n), ("lam", n, rows))
        for k, name in enumerate(("q", "v", "tau"))
    }
