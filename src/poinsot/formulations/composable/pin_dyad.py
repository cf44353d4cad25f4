"""A dyad of three pins solved by its bars: K x = r and Kᵀ λ = f without a matrix.

With A, C the outer pins, B the inner one, bars AB and CB, W = AB × CB, of two links whose origins
are s_A and s_C before their outer pins:

    ω_1 = w · CB / W,   ω_2 = w · AB / W,   w = the rate at which B opens while nobody turns
    v_1 = v_A - ω_1 J s_A,   v_2 = v_C - ω_2 J s_C

    n = (m_1 CB + m_2 AB) / W,   m_i = M_i - (J s_i) · F_i      n at B, F_1 - n at A, F_2 + n at C

which follow from K of ``unit_equations.py`` by Cramer's rule.  W is the root that positions take
(``dyads.py``), so that nothing waits for K to be written.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poinsot.formulations.composable.plane import scaled, turned
from poinsot.spatial import Array


class Bars(NamedTuple):
    """The bars of a dyad of pins, expressions.

    Attributes:
        AB: From the first outer pin to the inner one, shape (2,).
        CB: From the second, shape (2,).
        W: AB × CB, shape ().
        squares: |AB|² |CB|².
    """

    AB: Array
    CB: Array
    W: Array
    squares: Array


class PinDyad:
    """The equations of a dyad of pins, solved.

    Args:
        bars: Its bars.
        levers: From the origins of its links to their outer pins, shape (2,) each.
        signs: Of the rows of the outer pins and the inner one: 1 where the link of the first, or
            the second bar, or of the first for the inner pin, is the first link of the joint.
        places: Where the two links stand among the unknowns, 0 or 3.
    """

    def __init__(
        self,
        bars: Bars,
        levers: tuple[Array, Array],
        signs: tuple[float, float, float],
        places: tuple[int, int],
    ) -> None:
        self._signs, self._places = signs, places
        self._turned = [turned(lever) for lever in levers]
        inverse = np.asarray(1.0 / bars.W)
        self._a, self._b = scaled(inverse, bars.CB), scaled(inverse, bars.AB)

    def solve(self, right: Array) -> Array:
        """Return x of K x = right, shape (6, columns)."""
        e0, e1, e2 = self._signs
        v_A, v_C = e0 * right[0:2], e1 * right[2:4]
        w = e2 * right[4:6] - v_A + v_C
        x = np.empty(right.shape, object)
        for place, v, bar, arm in zip(
            self._places, (v_A, v_C), (self._a, self._b), self._turned, strict=True
        ):
            rate = bar @ w
            x[place : place + 2] = v - np.outer(arm, rate)
            x[place + 2] = rate
        return x

    def solve_transposed(self, right: Array) -> Array:
        """Return λ of Kᵀ λ = right, shape (6, columns)."""
        e0, e1, e2 = self._signs
        forces, moments = [], []
        for place, arm in zip(self._places, self._turned, strict=True):
            F, M = right[place : place + 2], right[place + 2]
            forces.append(F)
            moments.append(M - arm @ F)
        n = np.outer(self._a, moments[0]) + np.outer(self._b, moments[1])
        return np.concatenate([e0 * (forces[0] - n), e1 * (forces[1] + n), e2 * n])
