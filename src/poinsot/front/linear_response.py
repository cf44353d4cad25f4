"""The frequency response of a linear model."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.call_arrays import checked_real
from poinsot.spatial import Array

__all__ = ["around", "checked_frequencies", "drawn_response", "response"]

StateSpace: TypeAlias = tuple[Array, Array, Array, Array]
ROUNDING: Final = 1e-13
"""Part of the terms of a response up to which their sum is rounding error."""
BESIDE: Final = 1e-6
"""How far beside the imaginary axis phases are taken, relative to the frequency: undamped poles
turn them by -180°, as those do that are damped a little, and undamped zeros by 180°."""
STILL: Final = 1e-9
"""Poles closer to zero than this, relative to the largest, count as zero."""


def checked_frequencies(asked: str, frequencies: ArrayLike) -> Array:
    """Return angular frequencies in one row."""
    omega = np.atleast_1d(checked_real(f"{asked}: frequencies", frequencies)).astype(np.float64)
    if omega.ndim != 1:
        raise ShapeError(f"{asked}: frequencies must have shape (n,), got {omega.shape}")
    if not np.isfinite(omega).all():
        raise ModelError(f"{asked}: frequencies must be finite, got {omega.tolist()}")
    return omega


def response(asked: str, omega: Array, space: StateSpace) -> Array:
    """Return C (iω - A)⁻¹ B + D, shape (n, outputs, inputs).

    Args:
        asked: Opens the message of an error.
        omega: Angular frequencies [rad/s], shape (n,).
        space: A, B, C, D.

    Raises:
        ModelError: If there is a pole at one of the frequencies.
    """
    A, B, C, D = space
    return np.asarray(C @ _states_over_inputs(asked, 1j * omega, A, B) + D)


def drawn_response(omega: Array, space: StateSpace) -> tuple[Array, Array]:
    """Return the response, NaN where it is rounding error alone, and its phases [rad].

    Args:
        omega: Angular frequencies [rad/s], shape (n,), above 0.
        space: A, B, C, D.
    """
    if not (omega.size and (omega > 0.0).all()):
        raise ModelError(
            f"plot_bode: frequencies must be above 0, on an axis of powers of ten, got "
            f"{omega.tolist()}"
        )
    A, B, C, D = space
    states = _states_over_inputs("plot_bode", 1j * omega, A, B)
    values = np.asarray(C @ states + D)
    terms = np.abs(C) @ np.abs(states) + np.abs(D)
    beside = C @ _states_over_inputs("plot_bode", (1j + BESIDE) * omega, A, B) + D
    return np.where(np.abs(values) > ROUNDING * terms, values, np.nan), np.angle(beside)


def around(poles: Array) -> Array:
    """Return frequencies [rad/s] around those of poles."""
    sizes = np.abs(poles)
    sizes = sizes[sizes > STILL * max(float(sizes.max(initial=1.0)), 1e-300)]
    low, high = (sizes.min(), sizes.max()) if sizes.size else (1.0, 1.0)
    return np.geomspace(low / 30.0, high * 30.0, 600)


def _states_over_inputs(asked: str, s: Array, A: Array, B: Array) -> Array:
    """Return (s - A)⁻¹ B, shape (n, states, inputs)."""
    shifted = s[:, None, None] * np.eye(len(A)) - A
    try:
        solved = np.linalg.solve(shifted, np.broadcast_to(B.astype(complex), (len(s), *B.shape)))
    except np.linalg.LinAlgError:
        nearest = int(np.argmin(np.abs(s[:, None] - np.linalg.eigvals(A)).min(axis=1)))
        raise ModelError(
            f"{asked}: there is a pole at the frequency {abs(s[nearest].imag):g} rad/s, so that "
            "the response is infinite; take one beside it"
        ) from None
    return np.asarray(solved)
