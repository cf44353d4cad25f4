"""Whether the numbers are right, before anyone asks how fast they came.

Against Pinocchio the error is the largest max|x - y| / max|y| of any state.  Long chains that
Pinocchio cannot hold go against ``newton_euler.py``: inverse dynamics directly, forward dynamics by
what is left of tau = ID(q, v, FD(q, v, tau)) against the forces at rest, max|tau| + max|bias|, and
the mass matrix by its product with an acceleration.
"""

import numpy as np
import pinocchio as pin

import poinsot as ps
from benchmarks import newton_euler
from benchmarks.pinocchio_model import PinocchioModel

TOLERANCE = 1e-10
SINGLES = 16
"""How many of the states are also compared one call at a time."""

FUNCTIONS = {"inverse_dynamics": pin.rnea, "forward_dynamics": pin.aba, "mass_matrix": pin.crba}


def error_against_pinocchio(
    system: ps.System, peer: PinocchioModel, method: str, states: dict[str, np.ndarray]
) -> float:
    """Return the largest error of any state, in a batch and one by one."""
    call = FUNCTIONS[method]
    back = peer.matrix_back if method == "mass_matrix" else peer.vector_back
    arrays = [peer.order(name, array) for name, array in states.items()]
    expected = np.array(
        [back(call(peer.model, peer.data, *state)) for state in zip(*arrays, strict=True)]
    )
    batch, singles = _batch_and_singles(system, method, states)
    return max(relative_error(batch, expected), relative_error(singles, expected[:SINGLES]))


def error_against_newton_euler(
    system: ps.System, method: str, states: dict[str, np.ndarray], *, batch: bool
) -> float:
    """Return the largest error of any state of a chain, in a batch if wanted and one by one."""
    if not batch:
        states = {name: array[:SINGLES] for name, array in states.items()}
        results = [_singles(system, method, states)]
    else:
        results = list(_batch_and_singles(system, method, states))
    return max(
        _newton_euler_error(system, method, [x[: len(y)] for x in states.values()], y)
        for y in results
    )


def relative_error(x: np.ndarray, y: np.ndarray) -> float:
    """Return the largest max|x - y| / max|y| over the first axis; infinite if anything is NaN."""
    axes = tuple(range(1, y.ndim))
    errors = np.max(np.abs(x - y), axis=axes) / np.max(np.abs(y), axis=axes)
    return float(np.max(errors)) if np.all(np.isfinite(errors)) else float("inf")


def _newton_euler_error(system: ps.System, method: str, state, result) -> float:
    q, zero = state[0], np.zeros_like(state[0])
    if method == "inverse_dynamics":
        return relative_error(result, newton_euler.inverse_dynamics(system, *state))
    if method == "mass_matrix":
        a = np.random.default_rng(8).normal(size=q.shape)
        expected = newton_euler.inverse_dynamics(system, q, zero, a)
        expected -= newton_euler.inverse_dynamics(system, q, zero, zero)
        return relative_error((result @ a[:, :, None])[:, :, 0], expected)
    _, v, tau = state
    left = newton_euler.inverse_dynamics(system, q, v, result) - tau
    bias = newton_euler.inverse_dynamics(system, q, v, zero)
    scale = np.abs(bias).max(axis=1) + np.abs(tau).max(axis=1)
    errors = np.abs(left).max(axis=1) / scale
    return float(errors.max()) if np.all(np.isfinite(errors)) else float("inf")


def _batch_and_singles(system: ps.System, method: str, states) -> tuple[np.ndarray, np.ndarray]:
    return getattr(system, method)(*states.values()), _singles(system, method, states)


def _singles(system: ps.System, method: str, states) -> np.ndarray:
    call = getattr(system, method)
    rows = zip(*[array[:SINGLES] for array in states.values()], strict=True)
    return np.array([call(*row) for row in rows])
