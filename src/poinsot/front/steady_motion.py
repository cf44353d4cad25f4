"""Steady motions: ``ps.steady_motion``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.expr.rank import null_space
from poinsot.expr.rank_tolerances import RANK
from poinsot.front.equilibrium import EquilibriumError
from poinsot.front.linear_matrices import LinearizationPoint, linear_matrices
from poinsot.front.linear_state_space import allowed_deviations
from poinsot.front.system import System
from poinsot.model import suggestion
from poinsot.spatial import Array

__all__ = ["steady_motion"]

ROUNDS: Final = 60
"""Newton steps to try."""
HALVINGS: Final = 20
"""Of one step, before it is given up."""
STEADY: Final = 1e-12
"""Residual, relative to 1 + |v|² + |a|, at which a motion is steady."""
REACH: Final = 0.5
"""Longest change of one step [m, rad, and their rates]."""


def steady_motion(
    system: System, q: ArrayLike, v: ArrayLike, *, constant: Sequence[str] = (),
    steady: Sequence[str] = (), keep: Sequence[str] = (), tau: ArrayLike | None = None,
    t: float = 0.0, parameters: Mapping[str, float] | None = None,
) -> tuple[Array, Array]:  # fmt: skip
    """Return q and v of a steady motion near a guess: rolling in circles, precession, spin.

        v_constant = 0,      a_constant = 0,      a_steady = 0,      a = a(q, v, tau),

    by Newton's method with exact derivatives, on the motions that loops, constraints and rolling
    allow.  All other velocities may change: where a bicycle is, as it turns.

    Args:
        system: What moves.
        q: Guess [m or rad], shape (nq,); it need not close.
        v: Guess [m/s or rad/s], shape (nv,).
        constant: Coordinates that stay as they are: velocities by name (``velocity_names``).
        steady: Velocities that do not change, by name.
        keep: What is not to be changed of the guess: coordinates by the name of their velocity, and
            velocities with ``v.`` in front: ``["lean", "v.rear wheel"]``.
        tau: Joint forces [N or N m], shape (nv,); none by default.
        t: Time [s].
        parameters: Values of free parameters by name.

    Raises:
        EquilibriumError: If none is found near the guess; it names what changes most.
        AssemblyError: If the guess does not close.

    >>> import poinsot as ps
    >>> coin = ps.library.rolling_disc()
    >>> guess = np.array([0, 0, 0.3, 0, 0.3, 0]), np.array([1.5, 0, 0, -1.0, 0, 5.0])
    >>> q, v = ps.steady_motion(coin, *guess, constant=["lean"], steady=["heading", "spin"],
    ...                         keep=["lean", "v.heading"])
    >>> bool(np.abs(coin.forward_dynamics(q, v)[3:]).max() < 1e-9), float(q[4])
    (True, 0.3)
    """
    start = [np.array(x, np.float64) for x in (q, v)]
    if (start[0].shape, start[1].shape) != ((system.nq,), (system.nv,)):
        raise ShapeError(
            f"steady_motion: q and v must have shapes ({system.nq},) and ({system.nv},), got "
            f"{start[0].shape} and {start[1].shape}"
        )
    forces = np.zeros(system.nv) if tau is None else np.array(tau, np.float64)
    search = _Search(system, forces, float(t), parameters, (constant, steady, keep))
    state = search.moved(start[0], start[1], np.zeros(system.nv), np.zeros(system.nv))
    for _ in range(ROUNDS):
        residual, limit = search.residual(*state)
        size = float(np.linalg.norm(residual))
        if size <= limit:
            return state
        steps = search.steps(*state, residual)
        for k in range(HALVINGS):
            trial = search.moved(*state, *(0.5**k * step for step in steps))
            if np.linalg.norm(search.residual(*trial)[0]) < size:
                break
        else:
            break
        state = trial
    residual, limit = search.residual(*state)
    if np.linalg.norm(residual) <= 1e3 * limit:
        return state
    worst = int(np.argmax(np.abs(residual)))
    raise EquilibriumError(
        f"steady_motion: no steady motion of {system.name!r} is near this guess: "
        f"{search.names[worst]} is {residual[worst]:.3g} at best; give a nearer guess, or keep less"
    )


class _Search:
    """The motions that a search goes through."""

    def __init__(
        self, system: System, tau: Array, t: float, parameters: Mapping[str, float] | None,
        asked: tuple[Sequence[str], Sequence[str], Sequence[str]],
    ) -> None:  # fmt: skip
        self._system, self._tau, self._t, self._parameters = system, tau, t, parameters
        for what, names in zip(("constant", "steady", "keep"), asked, strict=True):
            if isinstance(names, str) or not isinstance(names, Sequence):
                raise ModelError(
                    f"steady_motion: {what} must be a list of names, e.g. ['lean'], got {names!r}"
                )
        constant, steady, keep = asked
        rest = [self._number(name, "constant") for name in constant]
        self._unit = np.eye(system.nv)
        self._rest = self._unit[rest]
        self._even = self._unit[rest + [self._number(name, "steady") for name in steady]]
        kept = [name for name in keep if not name.startswith("v.")]
        rates = [name.removeprefix("v.") for name in keep if name.startswith("v.")]
        self._joints = kept, rates
        self._kept = [
            self._unit[[self._number(x, "keep") for x in names]] for names in self._joints
        ]
        self._how: dict[str, Any] = {"t": t} | ({"parameters": parameters} if parameters else {})
        self.names = [f"the velocity of {name!r}" for name in constant]
        self.names += [f"the acceleration of {name!r}" for name in (*constant, *steady)]

    def residual(self, q: Array, v: Array) -> tuple[Array, float]:
        """Return what should vanish, and the size that counts as nothing."""
        a = self._system.forward_dynamics(q, v, self._tau, **self._how)
        size = 1.0 + float(np.max(np.abs(v))) ** 2 + float(np.max(np.abs(a)))
        return np.concatenate([self._rest @ v, self._even @ a]), STEADY * size

    def steps(self, q: Array, v: Array, residual: Array) -> tuple[Array, Array]:
        """Return the changes of q and v of least norm that Newton's method asks for."""
        point = LinearizationPoint(self._system, q, v, self._tau, self._t, self._parameters, None)
        matrices = linear_matrices(point, point.acceleration())
        Y, Z, R, _ = allowed_deviations(point, matrices.J)
        by_q, by_v = self._even @ matrices.by["a", "q"], self._even @ matrices.by["a", "v"]
        kept, rates = self._kept
        free = null_space(
            np.block([[kept @ Y, np.zeros((len(kept), Z.shape[1]))], [rates @ R, rates @ Z]])
        )
        rows = np.block([[self._rest @ R, self._rest @ Z], [by_q @ Y + by_v @ R, by_v @ Z]]) @ free
        solved = free @ np.linalg.lstsq(rows, -residual, rcond=RANK)[0]
        y, w = np.split(solved, [Y.shape[1]])
        changes = Y @ y, Z @ w + R @ y
        largest = max(float(np.max(np.abs(change))) for change in changes)
        shorter = min(1.0, REACH / largest) if largest else 1.0
        return changes[0] * shorter, changes[1] * shorter

    def moved(self, q: Array, v: Array, step: Array, change: Array) -> tuple[Array, Array]:
        """Return q and v after a step, back on the constraints."""
        system, (kept, rates) = self._system, self._joints
        moved = system.assemble(system.integrate(q, step), joints=kept, **self._how)
        return moved, system.consistent_velocity(moved, v + change, joints=rates, **self._how)

    def _number(self, name: str, where: str) -> int:
        names = self._system.velocity_names
        if name not in names:
            raise ModelError(
                f"steady_motion: {where} names the unknown velocity {name!r}; "
                + suggestion(str(name), names)
            )
        return names.index(name)
