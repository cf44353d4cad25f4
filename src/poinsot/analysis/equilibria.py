"""Static equilibria of many variants side by side: the search of ``equilibrium``, in batches.

Forces, stiffnesses and rows of all variants are one call of compiled code in each round, and so is
the assembly of all trial configurations; variants that rest, or get no further, drop out.  Motions
that constraints do not allow are columns of zeros in Z, so that all variants have equal shapes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from poinsot.analysis.equilibrium import BALANCED, DONE, FLAT, HALVINGS, KICK, REACH, ROUNDS
from poinsot.analysis.statics import Statics
from poinsot.assemble.loop_closing import CLOSED, settled
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.expr.rank_tolerances import RANK
from poinsot.spatial import Array

KICKS = 10
"""How often to leave an unstable equilibrium."""
Lanes = NDArray[np.intp]


@dataclass(eq=False)
class _States:
    """Configurations that close, shape (n, nq), their forces f, allowed motions Z and Zᵀ f.

    And the multipliers of loops and constraints, lam.
    """

    q: Array
    force: Array
    Z: Array
    left: Array
    lam: Array

    def some(self, which: Lanes | NDArray[np.bool_]) -> _States:
        """Return those of some variants."""
        return _States(*(getattr(self, field.name)[which] for field in fields(self)))

    def put(self, which: Lanes, others: _States) -> None:
        """Replace those of some variants."""
        for field in fields(self):
            getattr(self, field.name)[which] = getattr(others, field.name)


def balanced_configurations(
    statics: Statics, tau: Array, q: Array, held: Array, *, stable: bool
) -> tuple[Array, NDArray[np.bool_]]:
    """Return configurations, NaN where a variant does not close, (B, nq), and which are in balance.

    Args:
        statics: The forces, with the parameters of each variant, shape (B, number of them).
        tau: Constant joint forces, besides those, shape (nv,).
        q: Configurations to start from, shape (B, nq).
        held: Indices of the velocities of locked joints.
        stable: Whether to minimise the potential energies; else to find the nearest equilibria.
    """
    search = _Search(statics, tau, held)
    start, closes = search.closed(np.arange(len(q)), q)
    moving = np.flatnonzero(closes)
    states = search.states(np.arange(len(q)), np.where(closes[:, None], start, 0.0))
    scale, kicks = np.zeros(len(q)), np.zeros(len(q), int)
    for _ in range(ROUNDS):
        if not moving.size:
            break
        current = states.some(moving)
        H = search.curvatures(moving, current)
        largest = np.maximum(_size(current.force), _size(H.reshape(len(H), -1)))
        scale[moving] = np.maximum(scale[moving], largest)
        rests = _size(current.left) <= DONE * scale[moving]
        falls = rests & (kicks[moving] < KICKS) & (_is_unstable(H) if stable else False)
        steps = _downhill(H, current.left, scale[moving]) if stable else _newton(H, current.left)
        moves = (current.Z @ steps[..., None])[..., 0]
        goes = np.flatnonzero(~rests)
        gone = goes[search.advance(states, moving[goes], moves[goes], stable=stable)]
        left = np.flatnonzero(falls)
        kicks[moving[left]] += 1
        search.kick(states, moving[left], H[left])
        moving = moving[np.union1d(gone, left)]
    balanced = closes & (_size(states.left) <= BALANCED * scale)
    return np.where(closes[:, None], states.q, np.nan), balanced


class _Search:
    def __init__(self, statics: Statics, tau: Array, held: Array) -> None:
        self._statics, self._tau, mechanism = statics, tau, statics.mechanism
        self._rows = NumericRows(mechanism, parameters=statics.parameters)
        self._hold = np.eye(mechanism.nv)[held]
        self._free = np.setdiff1d(np.arange(mechanism.nv), held)
        units = [unit for body in mechanism.bodies for unit in body.joint.v_units]
        self._turns = np.array([unit == "rad/s" for unit in units], dtype=bool)

    def closed(self, lanes: Lanes, q: Array) -> tuple[Array, NDArray[np.bool_]]:
        """Return configurations near q, and which of them close."""
        ends, sizes = settled(self._rows.some(lanes), q, self._free, self._statics.t)
        return ends, sizes <= CLOSED

    def states(self, lanes: Lanes, q: Array) -> _States:
        """Return the forces at configurations of some variants."""
        f = self._statics.at(self._values(lanes)).forces(q) - self._tau
        J = self._rows.some(lanes).jacobian(q, self._statics.t)
        m, hold = J.shape[-2], np.broadcast_to(self._hold, (len(q), *self._hold.shape))
        J = np.concatenate([J, hold], axis=-2)
        if not J.shape[-2]:
            return _States(q, f, np.tile(np.eye(f.shape[-1]), (len(q), 1, 1)), f.copy(), f[:, :0])
        _, sizes, right = np.linalg.svd(J)
        rank = np.count_nonzero(sizes > RANK * sizes[:, :1], axis=-1)
        allowed = np.arange(f.shape[-1]) >= rank[:, None]
        Z = np.swapaxes(right, -2, -1) * allowed[:, None, :]
        transposed = np.swapaxes(J, -2, -1)
        lam = (np.linalg.pinv(transposed, rcond=RANK) @ f[..., None])[..., :m, 0]
        return _States(q, f, Z, (np.swapaxes(Z, -2, -1) @ f[..., None])[..., 0], lam)

    def curvatures(self, lanes: Lanes, current: _States) -> Array:
        """Return H = Zᵀ K Z, shape (n, nv, nv)."""
        K = self._statics.at(self._values(lanes)).stiffnesses(current.q, current.lam)
        H: Array = np.swapaxes(current.Z, -2, -1) @ K @ current.Z
        return H

    def advance(
        self, states: _States, lanes: Lanes, steps: Array, *, stable: bool
    ) -> NDArray[np.bool_]:
        """Replace states by better ones along directions (line search); return where there are."""
        turn = _size(steps[:, self._turns])
        steps = steps * np.minimum(1.0, REACH / np.maximum(turn, 1e-300))[:, None]
        before = states.some(lanes)
        slope = np.abs(np.einsum("ni,ni->n", before.force, steps))
        better, open_ = np.zeros(len(lanes), bool), np.arange(len(lanes))
        for k in range(HALVINGS):
            if not open_.size:
                break
            trial, closes = self._moved(lanes[open_], before.q[open_], 0.5**k * steps[open_])
            if stable:
                along = (np.swapaxes(trial.Z, -2, -1) @ steps[open_][..., None])[..., 0]
                work = np.einsum("ni,ni->n", trial.left, along)
                good = closes & (work <= 0.9 * slope[open_])
            else:
                was = np.linalg.norm(before.left[open_], axis=-1)
                good = closes & (np.linalg.norm(trial.left, axis=-1) < (1 - 1e-4 * 0.5**k) * was)
            states.put(lanes[open_[good]], trial.some(good))
            better[open_[good]] = True
            open_ = open_[~good]
        return better

    def kick(self, states: _States, lanes: Lanes, H: Array) -> None:
        """Leave unstable equilibria along the direction in which they fall."""
        if not lanes.size:
            return
        fall = np.linalg.eigh(0.5 * (H + np.swapaxes(H, -2, -1)))[1][..., :1]
        current = states.some(lanes)
        step = KICK * (current.Z @ fall)[..., 0]
        trial, closes = self._moved(lanes, current.q, step)
        states.put(lanes[closes], trial.some(closes))
        rest = np.flatnonzero(~closes)
        if rest.size:
            trial, closes = self._moved(lanes[rest], current.q[rest], -step[rest])
            states.put(lanes[rest[closes]], trial.some(closes))

    def _moved(self, lanes: Lanes, q: Array, steps: Array) -> tuple[_States, NDArray[np.bool_]]:
        ends, closes = self.closed(lanes, self._statics.mechanism.integrate(q, steps))
        trial = self.states(lanes, np.where(closes[:, None], ends, q))
        return trial, closes & np.isfinite(trial.force).all(axis=-1)

    def _values(self, lanes: Lanes) -> Array:
        values = self._statics.parameters
        return values[lanes] if values.ndim > 1 else values


def _downhill(H: Array, left: Array, scale: Array) -> Array:
    """Return modified Newton steps with the absolute values of the curvatures."""
    transposed = np.swapaxes(H, -2, -1)
    sizes, axes = np.linalg.eigh(0.5 * (H + transposed))
    largest = _size(sizes)[:, None]
    along = (np.swapaxes(axes, -2, -1) @ left[..., None])[..., 0]
    curved = np.abs(sizes) > FLAT * largest
    pushed = ~curved & (np.abs(along) > DONE * scale[:, None])
    y = np.where(curved, -along / np.where(curved, np.abs(sizes), 1.0), 0.0)
    y = np.where(pushed, -REACH * np.sign(along), y)
    steps: Array = (axes @ y[..., None])[..., 0]
    skew = _size((H - transposed).reshape(len(H), -1)) > FLAT * largest[:, 0]
    firm = skew & ~(sizes < -FLAT * largest).any(axis=-1)  # forces without a potential, but stable
    if firm.any():
        steps[firm] = _newton(H[firm], left[firm])
    return steps


def _newton(H: Array, left: Array) -> Array:
    steps: Array = -(np.linalg.pinv(H, rcond=FLAT) @ left[..., None])[..., 0]
    return steps


def _is_unstable(H: Array) -> NDArray[np.bool_]:
    sizes = np.linalg.eigvalsh(0.5 * (H + np.swapaxes(H, -2, -1)))
    unstable: NDArray[np.bool_] = sizes[:, 0] < -FLAT * np.maximum(_size(sizes), 1e-300)
    return unstable


def _size(values: Array) -> Array:
    return np.abs(values).max(axis=-1, initial=0.0)  # type: ignore[no-any-return]
