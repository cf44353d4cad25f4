"""Static equilibrium from a guess: the forces do no work on any motion that is allowed.

    f(q) = Jᵀ lam + Eᵀ h,     phi(q) = 0

f are the forces at rest (gravity, springs, ... less the drive), J the rows of loops and constraints
and E those of joints that are held.  Newton's method on the motions that are left, an orthonormal
basis Z of the null space of [J; E], with the second variation H = Zᵀ K Z, exact:  H y = -Zᵀ f.
Looking for a stable equilibrium, every step goes down in the potential energy that the forces
have: curvatures count by their size (Greenstadt's modification of Newton's method), so that maxima
and saddles repel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from poinsot.analysis.statics import Statics
from poinsot.assemble.loop_closing import closed
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import AssemblyError
from poinsot.expr.rank import null_space
from poinsot.expr.rank_tolerances import RANK
from poinsot.spatial import Array

__all__ = ["Balance", "balanced"]

ROUNDS: Final = 200
"""Steps to take at most."""
REACH: Final = 0.5
"""Longest step of an angle [rad], and of any coordinate without stiffness [m, rad]."""
DONE: Final = 1e-13
"""Part of the largest force or stiffness below which forces are rounding."""
BALANCED: Final = 1e-9
"""Relative residual up to which a configuration is an equilibrium, where rounding limits it."""
FLAT: Final = RANK
"""Part of the largest curvature below which one is zero: they are judged as singular values are."""
KICK: Final = 0.05
"""How far to leave an unstable equilibrium [m, rad]."""
HALVINGS: Final = 30
"""Of one step, before it is given up."""


@dataclass(frozen=True, eq=False)
class Balance:
    """Where the search ended.

    Attributes:
        q: Configuration, shape (nq,).
        residual: Joint forces that nothing balances [N or N m], shape (nv,).
        lam: Multipliers of loops and constraints, the shortest if not determined, shape (m,).
        holding: Forces of the joints that are held [N or N m], by number of the velocity.
        eigenvalues: Of the second variation on the allowed motions, ascending.
        steps: Steps taken.
        ok: Whether it is an equilibrium.
        obstacle: Why the search could not go on, if the system did not close any more.
    """

    q: Array
    residual: Array
    lam: Array
    holding: dict[int, float]
    eigenvalues: Array
    steps: int
    ok: bool
    obstacle: str


def balanced(statics: Statics, tau: Array, q: Array, held: Array, *, stable: bool) -> Balance:
    """Return an equilibrium near q, or the last iterate of a failed search.

    Args:
        statics: The forces.
        tau: Constant joint forces, besides those, shape (nv,).
        q: Configuration to start from, shape (nq,).
        held: Indices of the velocities of locked joints.
        stable: Whether to minimise the potential energy; else to find the nearest equilibrium.

    Raises:
        AssemblyError: If the system does not close near q.
    """
    search = Search(statics, tau, held)
    current = search.state(search.closed(q))
    kicks, steps, scale = 0, 0, 0.0
    while steps < ROUNDS:
        H = search.curvature(current)
        scale = max(scale, _size(current.force), _size(H))
        if _size(current.left) <= DONE * scale:
            if not stable or not _is_unstable(H) or kicks == 10:
                break
            kicks, steps = kicks + 1, steps + 1
            current = search.kicked(current, H)
            continue
        step = _downhill(H, current.left, scale) if stable else _newton(H, current.left)
        following = search.along(current, current.Z @ step, stable=stable)
        if following is None:
            break
        current, steps = following, steps + 1
    H = search.curvature(current)
    scale = max(scale, _size(current.force), _size(H))
    values = np.linalg.eigvalsh(0.5 * (H + H.T)) if H.size else np.zeros(0)
    m = len(statics.mechanism.row_names)
    holding = dict(zip(held.tolist(), current.pushes[m:].tolist(), strict=True))
    ok = _size(current.left) <= BALANCED * scale
    return Balance(
        current.q, current.residual, current.pushes[:m], holding, values, steps, ok, search.obstacle
    )


@dataclass(frozen=True, eq=False)
class _StaticState:
    """A configuration that closes.

    Attributes:
        q: The configuration.
        force: f.
        Z: The allowed motions, an orthonormal basis of the null space of J, by columns.
        pushes: Multipliers of constraints and of locked joints.
        residual: f less the constraint forces.
        left: Zᵀ f.
    """

    q: Array
    force: Array
    Z: Array
    pushes: Array
    residual: Array
    left: Array


class Search:
    """The configurations that a search for an equilibrium goes through."""

    def __init__(self, statics: Statics, tau: Array, held: Array) -> None:
        self._statics, self._tau, self._t = statics, tau, statics.t
        self._rows = NumericRows(statics.mechanism, parameters=statics.parameters)
        nv = statics.mechanism.nv
        self._hold = np.eye(nv)[held]
        self._free = np.setdiff1d(np.arange(nv), held)
        units = [u for body in statics.mechanism.bodies for u in body.joint.v_units]
        self.obstacle = ""
        self._turns = np.array([unit == "rad/s" for unit in units], dtype=bool)

    def closed(self, q: Array) -> Array:
        """Return a configuration near q that closes."""
        return closed(self._rows, q, self._free, self._t)

    def state(self, q: Array) -> _StaticState:
        """Return the forces at a configuration."""
        f = self._statics.force(q) - self._tau
        J = np.vstack([self._rows.jacobian(q, self._t), self._hold])
        Z = null_space(J)
        pushes = np.linalg.lstsq(J.T, f, rcond=RANK)[0] if J.size else np.zeros(len(J))
        return _StaticState(q, f, Z, pushes, f - J.T @ pushes, Z.T @ f)

    def curvature(self, current: _StaticState) -> Array:
        """Return H = Zᵀ K Z."""
        lam = current.pushes[: len(current.pushes) - len(self._hold)]
        H: Array = current.Z.T @ self._statics.stiffness(current.q, lam) @ current.Z
        return H

    def along(self, current: _StaticState, step: Array, *, stable: bool) -> _StaticState | None:
        """Return a better configuration along a direction (line search); None if there is none."""
        turn = _size(step[self._turns])
        step = step * min(1.0, REACH / turn) if turn else step
        slope = float(current.force @ step)
        self.obstacle = ""
        for k in range(HALVINGS):
            trial = self._moved(current, step * 0.5**k)
            if trial is None:
                continue
            if not stable:
                if np.linalg.norm(trial.left) < (1.0 - 1e-4 * 0.5**k) * np.linalg.norm(
                    current.left
                ):
                    return trial
            elif trial.force @ (trial.Z @ (trial.Z.T @ step)) <= 0.9 * abs(slope):
                return trial
        return None

    def kicked(self, current: _StaticState, H: Array) -> _StaticState:
        """Return a configuration beside an unstable equilibrium, along its unstable direction."""
        fall = np.linalg.eigh(0.5 * (H + H.T))[1][:, 0]
        for step in (KICK * (current.Z @ fall), -KICK * (current.Z @ fall)):
            trial = self._moved(current, step)
            if trial is not None:
                return trial
        return current

    def _moved(self, current: _StaticState, step: Array) -> _StaticState | None:
        moved = self._statics.mechanism.integrate(current.q, step)
        try:
            trial = self.state(self.closed(moved))
        except AssemblyError as error:
            self.obstacle = str(error)
            return None
        return trial if np.isfinite(trial.force).all() else None


def _downhill(H: Array, left: Array, scale: float) -> Array:
    """Return the modified Newton step with the absolute values of the curvatures."""
    sizes, axes = np.linalg.eigh(0.5 * (H + H.T))
    largest = _size(sizes)
    if sizes[0] > FLAT * largest and _size(H - H.T) > FLAT * largest:
        step: Array = np.linalg.solve(H, -left)  # forces without a potential, but stable
        return step
    along = axes.T @ left
    curved = np.abs(sizes) > FLAT * largest
    pushed = ~curved & (np.abs(along) > DONE * scale)
    y = np.where(curved, -along / np.where(curved, np.abs(sizes), 1.0), 0.0)
    y[pushed] = -REACH * np.sign(along[pushed])
    return axes @ y


def _newton(H: Array, left: Array) -> Array:
    step: Array = np.linalg.lstsq(H, -left, rcond=FLAT)[0]
    return step


def _is_unstable(H: Array) -> bool:
    sizes = np.linalg.eigvalsh(0.5 * (H + H.T)) if H.size else np.zeros(1)
    return bool(sizes[0] < -FLAT * max(_size(sizes), 1e-300))


def _size(values: Array) -> float:
    return float(np.max(np.abs(values), initial=0.0))
