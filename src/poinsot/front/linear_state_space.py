"""The state space of small deviations: independent coordinates, velocities and further states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.expression_derivative import expression_derivative
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.loads import driven_loop
from poinsot.expr.rank import null_space
from poinsot.expr.rank_tolerances import RANK
from poinsot.front.linear_matrices import LinearizationPoint, LinearMatrices
from poinsot.front.parameter_numbers import parameter_values
from poinsot.front.system import System
from poinsot.model import suggestion
from poinsot.spatial import Array

__all__ = ["Driven", "LinearStateSpace", "allowed_deviations", "sampled_states"]

CYCLIC = 1e-9
"""How much of a motion may depend on a coordinate that counts as cyclic, relatively."""


class Driven(NamedTuple):
    """An input that is a force along a velocity of a joint that closes a loop.

    Attributes:
        loop: Name of the loop.
        entry: Which of its velocities.
        size: How many it has.
    """

    loop: str
    entry: int
    size: int


class LinearStateSpace:
    """A and B for the independent coordinates y, their velocities w and the further states s.

        Δq = Y y + X u,      Δv = Z w + R y + W u,      Δa = Q Δq + V Δv + S s + U u

    R is zero but for loops and rolling bodies that move.  Z = Y but for constraints on velocities,
    which leave more configurations than velocities.  X and W are zero but for parameters on which
    constraints depend, the lengths of a linkage: their deviations carry others with them.  They
    count as slow, so that their own rates are no part of it.

    Args:
        point: Where.
        a: Acceleration there, shape (nv,).
        matrices: Those of the second-order equations.
        columns: The inputs: numbers of velocities, velocities of joints that close loops, or None
            for a parameter.

    Attributes:
        by_state: S, shape (nv, number of states), with columns of those that are sampled, which are
            held between their samples and so not in x.
    """

    def __init__(
        self,
        point: LinearizationPoint,
        a: Array,
        matrices: LinearMatrices,
        columns: dict[str, int | Driven | None],
    ) -> None:
        self._point, self._a, self.columns = point, a, columns
        system = point.system
        self.Y, self.Z, self._R, self.rate_by_q = allowed_deviations(point, matrices.J)
        self._Q, self._V = matrices.by["a", "q"], matrices.by["a", "v"]
        every, held = tuple(system.mechanism.state_values), sampled_states(system)
        self._places = [k for k, name in enumerate(every) if name not in held]
        self._further = tuple(every[k] for k in self._places)
        self.by_state = self._acceleration_by(every)
        self._S = self.by_state[:, self._places]
        tau, given = matrices.by["a", "tau"], [n for n, k in columns.items() if k is None]
        by_given = dict(zip(given, self._acceleration_by(given).T, strict=True))
        each = [
            by_given[name] if k is None else self._driven(k) if isinstance(k, Driven) else tau[:, k]
            for name, k in columns.items()
        ]
        self._U = np.array(each).reshape(len(each), system.nv).T
        self._X, self._W = self._carried(matrices.J)
        self.A, self.B = self._assembled()

    def names(self, kept: Array) -> list[str]:
        """Return names of the entries of x that are kept."""
        system, f, w = self._point.system, self.Y.shape[1], self.Z.shape[1]
        if f == system.nv and not system.row_names:
            coordinates = list(system.velocity_names)
            names = [*coordinates, *(f"v.{name}" for name in coordinates[:w]), *self._further]
            return [names[k] for k in np.argmax(np.abs(kept), axis=0)]
        left = kept.shape[1] - w - len(self._further)
        coordinates = [f"y{k + 1}" for k in range(f)]
        return [*coordinates[:left], *(f"v.{name}" for name in coordinates[:w]), *self._further]

    def kept(self, without: Sequence[str]) -> Array:
        """Return what is left of x without the coordinates of some joints: orthonormal columns."""
        system, n, f = self._point.system, len(self.A), self.Y.shape[1]
        left_out: list[Array] = []
        owners: list[str] = []
        for joint in without:
            if joint not in system.joint_names:
                hint = suggestion(str(joint), system.joint_names)
                raise ModelError(f"linearize: without names the unknown joint {joint!r}; {hint}")
            span = system.v_slice(joint)
            for unit in np.eye(system.nv)[span]:
                along = self.Y.T @ unit
                if np.abs(self.Y @ along - unit).max() > CYCLIC:
                    raise ModelError(
                        f"linearize: loops carry the motion of joint {joint!r} to others, so that "
                        "its coordinate cannot be left out alone"
                    )
                left_out.append(along)
                owners.append(joint)
        if not left_out:
            return np.eye(n)
        dropped = np.array(left_out).T
        rest = null_space(dropped.T) if system.row_names else np.eye(f)[:, ~dropped.any(axis=1)]
        kept = np.zeros((n, n - dropped.shape[1]))
        kept[:f, : rest.shape[1]], kept[f:, rest.shape[1] :] = rest, np.eye(n - f)
        if system.row_names and self.Y is self.Z:  # velocities in the same basis
            basis = np.linalg.qr(np.hstack([rest, dropped]))[0]
            basis *= np.sign(np.sum(basis * np.hstack([rest, dropped]), axis=0))
            kept[f : 2 * f, rest.shape[1] : rest.shape[1] + f] = basis
        columns = np.abs(kept.T @ self.A[:, :f] @ dropped).max(axis=0, initial=0.0)
        worst = int(np.argmax(columns))
        if columns[worst] > CYCLIC * max(float(np.abs(self.A).max()), 1.0):
            raise ModelError(
                f"linearize: the motion depends on the coordinate of joint {owners[worst]!r}, "
                "which is not cyclic; keep it"
            )
        return kept

    def outputs(self, formulas: Sequence[str] | None) -> tuple[Array, Array]:
        """Return Cy and Dy: of the coordinates, or of formulas."""
        n, m = len(self.A), len(self.columns)
        if formulas is None:
            Y, f = self.Y, self.Y.shape[1]
            return np.hstack([Y, np.zeros((len(Y), n - f))]), self._X
        rows = [self._output(formula) for formula in formulas]
        stacked = np.array(rows).reshape(len(rows), n + m)
        return stacked[:, :n], stacked[:, n:]

    def _output(self, formula: str) -> Array:
        """Return the derivatives of a formula by x and u, in one row."""
        point, system = self._point, self._point.system
        state = {"q": point.q, "v": point.v, "a": self._a, "tau": point.tau}
        values = {"t": np.array([point.t]), **state, PARAMETERS: self._numbers()}
        row = expression_derivative(system.mechanism, formula, "linearize: outputs", values)
        n = system.nv
        by_q, by_v, by_a, by_tau = (row[k * n : (k + 1) * n] for k in range(4))
        by_parameter = dict(zip(system.mechanism.parameter_inputs, row[4 * n :], strict=True))
        q, v = by_q + by_a @ self._Q, by_v + by_a @ self._V
        states = [by_parameter[name] for name in self._further] + by_a @ self._S
        direct = [
            by_parameter[name] if k is None else 0.0 if isinstance(k, Driven) else by_tau[k]
            for name, k in self.columns.items()
        ]
        carried = q @ self._X + v @ self._W
        inputs = np.array(direct) + by_a @ self._U + carried
        return np.concatenate([q @ self.Y + v @ self._R, v @ self.Z, states, inputs])

    def _assembled(self) -> tuple[Array, Array]:
        """Return A and B."""
        point, Y, Z, R = self._point, self.Y, self.Z, self._R
        f, last, s = Y.shape[1], Y.shape[1] + Z.shape[1], len(self._further)
        first, second, third = slice(0, f), slice(f, last), slice(last, last + s)
        A, B = np.zeros((last + s, last + s)), np.zeros((last + s, len(self.columns)))
        A[first, first], A[first, second] = Y.T @ _turning(point) @ Y, np.eye(f, last - f)
        if Y is not Z:
            A[first, first] += Y.T @ R
            A[first, second] = Y.T @ Z
        A[second, first] = Z.T @ (self._Q @ Y + self._V @ R)
        A[second, second] = Z.T @ self._V @ Z
        A[second, third] = Z.T @ self._S
        B[first] = Y.T @ (_turning(point) @ self._X + self._W)
        B[second] = Z.T @ (self._U + self._Q @ self._X + self._V @ self._W)
        if s:
            rate = {x: self._rates_by(x) for x in ("q", "v", "tau")}
            A[third, first] = rate["q"] @ Y + rate["v"] @ R
            A[third, second] = rate["v"] @ Z
            for j, name in enumerate(self._further):
                A[third, last + j] = self._rates_by(name)
            for j, (name, k) in enumerate(self.columns.items()):
                if isinstance(k, Driven):
                    continue  # rates have no access to these forces
                B[third, j] = self._rates_by(name) if k is None else rate["tau"][:, k]
            B[third] += rate["q"] @ self._X + rate["v"] @ self._W
        return A, B

    def _carried(self, J: Array) -> tuple[Array, Array]:
        """Return X and W: what parameters that constraints depend on carry with them, (nv, m)."""
        point, mechanism = self._point, self._point.system.mechanism
        X, W = np.zeros((2, mechanism.nv, len(self.columns)))
        if not len(J):
            return X, W
        rows = mechanism.position_rows
        for j, (name, k) in enumerate(self.columns.items()):
            if k is not None:
                continue
            missed = point.derivative("constraint_residual", point.q, by=name)
            X[:, j] = -np.linalg.lstsq(J[rows], missed[rows], rcond=RANK)[0]
            drift = point.derivative("constraint_rate", point.q, point.v, by=name)
            W[:, j] = -np.linalg.lstsq(J, self.rate_by_q @ X[:, j] + drift, rcond=RANK)[0]
        return X, W

    def _acceleration_by(self, names: Sequence[str]) -> Array:
        """Return the derivatives of the acceleration by parameters or states, (nv, n)."""
        point = self._point
        state = (point.q, point.v, point.tau)
        each = [point.derivative("forward_dynamics", *state, by=name) for name in names]
        return np.array(each).reshape(len(each), point.system.nv).T

    def _rates_by(self, name: str) -> Array:
        """Return the derivatives of the rates of the states in x by an argument."""
        point = self._point
        rates = point.derivative("state_rates", point.q, point.v, point.tau, by=name)
        kept: Array = rates[self._places]
        return kept

    def _driven(self, force: Driven) -> Array:
        """Return the derivative of the acceleration by a force of a joint that closes a loop."""
        point, loop = self._point, force.loop
        known = dict(point.external.get("drives", {}))
        others = {name: x for name, x in known.items() if name != loop}
        drives = {loop: known.get(loop, np.zeros(force.size))} | others
        mechanism = point.system.mechanism
        entries = {name: driven_loop(mechanism, "linearize", name) for name in drives}
        own = entries[loop].number
        first = sum(entry.nv for entry in entries.values() if entry.number < own)
        alone = replace(point, external={**point.external, "drives": drives})
        state = (point.q, point.v, point.tau)
        by_drives = alone.derivative("forward_dynamics", *state, by="drives")
        column: Array = by_drives[:, first + force.entry]
        return column

    def _numbers(self) -> Array:
        """Return the values of the free parameters and further states."""
        point = self._point
        return np.asarray(
            parameter_values(
                point.system, "linearize", point.parameters, point.t, states=point.states
            )
        )


def sampled_states(system: System) -> list[str]:
    """Return the names of the states that only change where they are sampled."""
    return [state.name for state in system.mechanism.states if "update" in state.laws]


def allowed_deviations(point: LinearizationPoint, J: Array) -> tuple[Array, Array, Array, Array]:
    """Return Y, Z and R of Δq = Y y, Δv = Z w + R y, and the derivative of J v + drift by q.

    Args:
        point: Where.
        J: Rows of the constraints there, shape (rows, nv).
    """
    mechanism = point.system.mechanism
    Z = Y = null_space(J) if len(J) else np.eye(mechanism.nv)
    if not len(J):
        return Y, Z, np.zeros_like(Y), np.zeros_like(J)
    if mechanism.at_positions is not mechanism:
        Y = null_space(J[mechanism.position_rows])
    rate_by_q = point.derivative("constraint_rate", point.q, point.v, by="q")
    return Y, Z, -np.linalg.lstsq(J, rate_by_q @ Y, rcond=RANK)[0], rate_by_q


def _turning(point: LinearizationPoint) -> Array:
    """Return E of dΔq/dt = Δv + E Δq, shape (nv, nv)."""
    system, q, v = point.system, point.q, point.v
    n = system.nv
    if system.nq == n or not v.any():
        return np.zeros((n, n))
    units = np.eye(n)
    N = system.position_rate(np.broadcast_to(q, (n, system.nq)), units, **point.how).T
    moved = system.derivative("position_rate", q, v, by="q", **point.how)
    turned = system.derivative(
        "position_rate", np.broadcast_to(q, (n, system.nq)), units, by="q",
        along=np.broadcast_to(v, (n, n)), **point.how,
    ).T  # fmt: skip
    return np.asarray(np.linalg.lstsq(N, moved - turned, rcond=None)[0])
