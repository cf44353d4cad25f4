"""Linear-quadratic regulators about an equilibrium or along a run: ``ps.lqr``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.front.linearize import linearize
from poinsot.front.run import Run
from poinsot.front.system import System
from poinsot.model import Signal
from poinsot.model.checks import finite_array, whole_number
from poinsot.spatial import Array

__all__ = ["LinearFeedback", "lqr"]


@dataclass(frozen=True, eq=False)
class LinearFeedback:
    """Joint forces tau = tau_d - K [q - q_d; v - v_d], constant or along a run.

    Attributes:
        system: The law's model.
        q: q_d [m or rad], shape (nq,), or samples over time.
        v: v_d, likewise.
        tau: tau_d [N or N m], likewise.
        gain: K, shape (nv, 2 nv), or samples of it, by rows.
        poles: Of the closed loop [1/s], shape (2 nv,); along a run at its end.
    """

    system: System
    q: Array | Signal
    v: Array | Signal
    tau: Array | Signal
    gain: Array | Signal
    poles: Array

    def __call__(self, t: Any, q: Any, v: Any) -> Any:  # noqa: ANN401 (numbers or expressions)
        """Return the joint forces, shape (nv,)."""
        wanted = [
            x(t) if isinstance(x, Signal) else x for x in (self.q, self.v, self.tau, self.gain)
        ]
        q_d, v_d, tau_d, K = (np.atleast_1d(np.asarray(x)) for x in wanted)
        error = np.concatenate([np.asarray(q) - q_d, np.asarray(v) - v_d])
        return tau_d - K.reshape(self.system.nv, 2 * self.system.nv) @ error


def lqr(
    about: System | Run, q: ArrayLike | None = None, *, state_weight: ArrayLike = 1.0,
    effort_weight: ArrayLike = 1.0, joints: Sequence[str] | None = None, samples: int = 101,
) -> LinearFeedback:  # fmt: skip
    """Return the law that makes the integral of xᵀ Q x + uᵀ R u least, to first order.

    x are deviations of q and v, u those of the joint forces.  About a run the gains change in
    time: the Riccati equation is integrated backwards from Q at its end.

    Args:
        about: A tree without quaternions, with ``q``, an equilibrium under joint forces; or a run.
        q: Configuration [m or rad], shape (nq,).
        state_weight: Q: a number, 2 nv numbers, or a matrix.
        effort_weight: R: a number, one per driven joint, or a matrix.
        joints: Names of the joints that are driven; all by default.
        samples: Instants of a run at which it is linearised.

    Raises:
        ModelError: If the driven joints cannot hold the configuration, or cannot stabilise it.

    >>> import poinsot as ps
    >>> cart = ps.library.cart_pole()
    >>> law = ps.lqr(cart, [0.0, np.pi], joints=[cart.joint_names[0]])
    >>> bool(law.poles.real.max() < 0.0)
    True
    """
    system = about.system if isinstance(about, Run) else about
    if not isinstance(system, System):
        raise ModelError(f"lqr: give a system with q, or a run, got {about!r}")
    if system.mechanism.closures or system.nq != system.nv:
        raise ModelError(f"lqr: {system.name!r} must be a tree without quaternions")
    n = 2 * system.nv
    driven = list(system.joint_names) if joints is None else list(joints)
    if isinstance(about, Run):
        return _along(about, driven, (state_weight, effort_weight), samples)
    if q is None:
        raise ModelError("lqr: give q, the configuration to hold")
    place = np.asarray(q, np.float64)
    hold = system.inverse_dynamics(place, np.zeros(system.nv), np.zeros(system.nv))
    model = linearize(system, place, tau=hold, inputs=None if joints is None else driven)
    selected = _selected(system, driven)
    if np.abs(hold - selected @ (selected.T @ hold)).max() > 1e-9 * (1.0 + np.abs(hold).max()):
        raise ModelError(
            f"lqr: {system.name!r} is not in equilibrium at this q with forces of {driven} alone"
        )
    Q, R = (
        _weight(n, state_weight, "state_weight"),
        _weight(selected.shape[1], effort_weight, "effort_weight"),
    )
    P = _stabilising(model.A, model.B, Q, R, system.name)
    gain = np.linalg.solve(R, model.B.T @ P)
    poles = np.linalg.eigvals(model.A - model.B @ gain)
    return LinearFeedback(system, place, np.zeros(system.nv), hold, selected @ gain, poles)


def _along(
    run: Run, driven: list[str], weights: tuple[ArrayLike, ArrayLike], samples: int
) -> LinearFeedback:
    """Return the time-varying law about a run."""
    from scipy.linalg import expm

    system, n = run.system, 2 * run.system.nv
    selected = _selected(system, driven)
    Q, R = (
        _weight(n, weights[0], "state_weight"),
        _weight(selected.shape[1], weights[1], "effort_weight"),
    )
    samples = whole_number(samples, 4, "lqr: samples")  # of a cubic spline
    t = np.linspace(run.t[0], run.t[-1], samples)
    models = [linearize(run, t=float(instant)) for instant in t]
    P, gains = Q.copy(), []
    for k in range(samples - 1, -1, -1):
        A, B = models[k].A, models[k].B @ selected
        gains.append(selected @ np.linalg.solve(R, B.T @ P))
        if not k:
            break
        before = models[k - 1]
        A, B = 0.5 * (A + before.A), 0.5 * (B + before.B @ selected)
        # d/dt [X; Y] = H [X; Y], P = Y / X
        H = np.block([[A, -B @ np.linalg.solve(R, B.T)], [-Q, -A.T]])
        step = t[k] - t[k - 1]
        parts = int(np.ceil(step * np.abs(np.linalg.eigvals(H)).max())) or 1
        back = expm(-step / parts * H)
        for _ in range(parts):
            both = back @ np.vstack([np.eye(n), P])
            P = np.linalg.solve(both[:n].T, both[n:].T).T
            P = 0.5 * (P + P.T)
    last = models[-1]
    poles = np.linalg.eigvals(last.A - last.B @ gains[0])
    wanted = (np.array([getattr(model, name) for model in models]) for name in ("q", "v", "tau"))
    q, v, tau = (Signal(t, x, "cubic") for x in wanted)
    stacked = np.array(gains[::-1]).reshape(samples, -1)
    return LinearFeedback(system, q, v, tau, Signal(t, stacked, "cubic"), poles)


def _selected(system: System, driven: list[str]) -> Array:
    """Return the columns of the identity of the driven joints, shape (nv, k)."""
    numbers = [k for joint in driven for k in range(system.nv)[system.mechanism.v_slice(joint)]]
    return np.eye(system.nv)[:, numbers]


def _weight(n: int, given: ArrayLike, name: str) -> Array:
    array = finite_array(given, f"lqr: {name}")
    if array.shape not in ((), (n,), (n, n)):
        raise ModelError(f"lqr: {name} must be a number, {n} numbers or {n} x {n}, got {given!r}")
    return array if array.ndim == 2 else array * np.eye(n)


def _stabilising(A: Array, B: Array, Q: Array, R: Array, name: str) -> Array:
    from scipy.linalg import LinAlgError, solve_continuous_are

    try:
        return np.asarray(solve_continuous_are(A, B, Q, R))
    except LinAlgError as error:
        raise ModelError(
            f"lqr: {name!r} cannot be stabilised by these joints with these weights: {error}; "
            "drive more joints, or give larger weights"
        ) from error
