"""All roots of polynomials that are linear in two groups of unknowns each: a homotopy of both.

Equations [s, 1]ᵀ Q_i [t, 1] = 0, i = 1 ... 2k, s and t in Cᵏ, have at most binomial(2k, k) isolated
roots.  Those of products of linear forms are known, and are followed to them,

    H = (1 - τ) σᵀ Q_i θ + τ γ_i (l_i · σ)(m_i · θ) = 0,   τ from 1 to 0,

σ and θ homogeneous coordinates of s and t, so that roots at infinity are points like others.  With
random complex γ, l, m paths do not meet before the end, and some path ends in each isolated root,
with probability one [SommeseWampler2005].  The random numbers are the same in every call.

Paths are followed side by side by Runge and Kutta's method of order four and two Newton steps.
Where two of them end in one regular root, or a root (s, t) comes without (t̄, s̄), a path has jumped:
all are followed again by smaller steps, from other random numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Final, NamedTuple

import numpy as np

from poinsot.spatial import Array

FIRST_STEP: Final = 0.02
DEPARTURES: Final = (1e-3, 1e-5, 1e-6)
"""Largest first correction of a step, homogeneous coordinates having length 1, of each attempt."""
CONTRACTION: Final = 0.1
"""Largest second correction relative to the first."""
ROUNDING: Final = 1e-10
"""Corrections that are exact enough, or rounding errors where the Jacobian is nearly singular."""
END: Final = 1e-13
"""τ at which paths end whose roots are singular or at infinity."""
MOST_STEPS: Final = 4000
REGULAR: Final = 1e-9
"""Reciprocal condition of the Jacobian from which a root is regular."""
INVERTIBLE: Final = 1e15
"""Condition of Jacobians that are solved with where one of the paths has a singular one."""
SAME: Final = 1e-7
"""Distance of homogeneous coordinates below which two regular roots are one."""
FAR: Final = 1e-2
"""Last coordinate of a singular root below which it may be at infinity."""
RECEDING: Final = 0.1
"""Exponent of τ in the last coordinate from which it is; 1 over the root's multiplicity."""
LATE: Final = 1e-2
"""τ from which exponents are measured."""
ARRIVED: Final = 1e-6
"""τ at which paths whose steps vanish have come to a singular root."""
SHORTEST: Final = 1e-10
"""Step relative to τ below which steps vanish."""


class BilinearRoots(NamedTuple):
    """What the paths end in.

    Attributes:
        s: Of finite roots, shape (n, k).
        t: Likewise.
        is_regular: Whether Newton's method ends there, shape (n,).
        at_infinity: Number of paths that end at infinity.
        failed: Number of paths that were lost, or jumped, in every attempt.
    """

    s: Array
    t: Array
    is_regular: Array
    at_infinity: int
    failed: int


def path_count(k: int) -> int:
    """Return the number of paths of 2k equations."""
    return comb(2 * k, k)


def bilinear_roots(Q: Array) -> BilinearRoots:
    """Return the roots of 2k equations [s, 1]ᵀ Q_i [t, 1] = 0.

    Args:
        Q: Complex coefficients, each matrix equal to ± its conjugate transpose, shape
            (2k, k + 1, k + 1): roots (s, t) come with (t̄, s̄).
    """
    scaled = Q / np.linalg.norm(Q, axis=(1, 2), keepdims=True)
    best: BilinearRoots | None = None
    for seed, departure in enumerate(DEPARTURES):
        roots = _followed(scaled, seed, departure)
        if best is None or roots.failed < best.failed:
            best = roots
        if not best.failed:
            break
    assert best is not None
    return best


def _followed(Q: Array, seed: int, departure: float) -> BilinearRoots:
    """Return the roots that one set of paths ends in."""
    homotopy = _Homotopy.of(Q, seed)
    paths = _Paths(homotopy, departure)
    paths.follow()
    s, t = paths.s, paths.t
    s, t, is_regular = homotopy.polished(s, t)
    is_regular &= paths.is_at_end
    last = np.minimum(np.abs(s[:, -1]), np.abs(t[:, -1]))
    is_far = (last < SAME) | (~is_regular & (last < FAR) & (paths.receding() > RECEDING))
    is_regular &= ~is_far
    is_lost = paths.is_lost & ~is_far
    is_kept = ~is_lost & ~is_far
    chosen = is_kept & is_regular
    jumped = _repeated(s[chosen], t[chosen]) + _lone(s[chosen], t[chosen])
    return BilinearRoots(
        s[is_kept, :-1] / s[is_kept, -1:],
        t[is_kept, :-1] / t[is_kept, -1:],
        is_regular[is_kept],
        int(np.sum(is_far)),
        int(np.sum(is_lost)) + jumped,
    )


def _repeated(s: Array, t: Array) -> int:
    """Return how many of the roots have been there before."""
    near = _is_near(s, s) & _is_near(t, t)
    return int(np.sum(np.any(np.tril(near, -1), axis=1)))


def _lone(s: Array, t: Array) -> int:
    """Return how many of the roots are without [t̄, s̄]."""
    return int(np.sum(~np.any(_is_near(s, t.conj()) & _is_near(t, s.conj()), axis=1)))


def _is_near(x: Array, y: Array) -> Array:
    """Return which homogeneous coordinates of length 1 are the same, for all pairs."""
    along = x @ y.conj().T
    sines = np.linalg.norm(x[:, None] - along[..., None] * y, axis=-1)
    return np.asarray(sines < SAME)


@dataclass(frozen=True)
class _Homotopy:
    """H and its derivatives, at many states.

    Attributes:
        Q: Coefficients of the equations, shape (2k, k + 1, k + 1).
        L: Linear forms l_i, shape (2k, k + 1).
        M: m_i.
        gamma: Shape (2k,).
    """

    Q: Array
    L: Array
    M: Array
    gamma: Array

    @classmethod
    def of(cls, Q: Array, seed: int) -> _Homotopy:
        """Return the homotopy with random forms."""
        n, width = Q.shape[:2]
        rng = np.random.default_rng(seed)
        forms = rng.normal(size=(2, n, width)) + 1j * rng.normal(size=(2, n, width))
        forms /= np.linalg.norm(forms, axis=-1, keepdims=True)
        return cls(Q, forms[0], forms[1], np.exp(2j * np.pi * rng.random(n)))

    @property
    def k(self) -> int:
        return len(self.Q) // 2

    def starts(self) -> tuple[Array, Array]:
        """Return the roots at τ = 1: k of the forms l, and the other forms m, are zero."""
        n = 2 * self.k
        chosen = np.array(
            [
                [mask >> i & 1 for i in range(n)]
                for mask in range(1 << n)
                if mask.bit_count() == self.k
            ],
            bool,
        )
        rows = np.array([np.flatnonzero(x) for x in chosen])
        others = np.array([np.flatnonzero(~x) for x in chosen])
        return _kernel(self.L[rows]), _kernel(self.M[others])

    def equations(self, s: Array, t: Array, tau: Array) -> tuple[Array, Array, Array]:
        """Return H, its Jacobian with the rows that keep lengths, and ∂H/∂τ."""
        n, width = self.Q.shape[:2]
        Qt = (t @ self.Q.reshape(n * width, width).T).reshape(-1, n, width)
        sQ = (s @ self.Q.transpose(1, 0, 2).reshape(width, n * width)).reshape(-1, n, width)
        l, m = s @ self.L.T, t @ self.M.T
        share = (1.0 - tau)[:, None, None]
        J = np.zeros((len(s), n + 2, n + 2), complex)
        factor = tau[:, None] * self.gamma
        J[:, :n, :width] = share * Qt + (factor * m)[..., None] * self.L
        J[:, :n, width:] = share * sQ + (factor * l)[..., None] * self.M
        J[:, n, :width] = s.conj()
        J[:, n + 1, width:] = t.conj()
        F, G = np.sum(Qt * s[:, None], axis=-1), self.gamma * l * m
        rate = G - F
        return F + tau[:, None] * rate, J, rate

    def tangent(self, x: Array, tau: Array) -> Array:
        """Return dx/dτ, x = [σ, θ]."""
        width = self.k + 1
        _, J, rate = self.equations(x[:, :width], x[:, width:], tau)
        return _solved(J, -_padded(rate))

    def correction(self, x: Array, tau: Array) -> Array:
        """Return a step of Newton's method."""
        width = self.k + 1
        H, J, _ = self.equations(x[:, :width], x[:, width:], tau)
        return _solved(J, -_padded(H))

    def polished(self, s: Array, t: Array) -> tuple[Array, Array, Array]:
        """Return roots of the equations near some, and whether they are regular."""
        x, zero = np.hstack([s, t]), np.zeros(len(s))
        width = self.k + 1
        for _ in range(3):
            step = self.correction(x, zero)
            far = np.linalg.norm(step, axis=-1) > REGULAR
            moved = _normal(x + step, width)
            x = np.where((np.linalg.norm(step, axis=-1) < 1e-3)[:, None], moved, x)
        _, J, _ = self.equations(x[:, :width], x[:, width:], zero)
        sizes = np.linalg.svd(J, compute_uv=False)
        return x[:, :width], x[:, width:], ~far & (sizes[:, -1] > REGULAR * sizes[:, 0])


class _Paths:
    """Paths on their way.

    Attributes:
        s: σ of each path, of length 1.
        t: θ likewise.
        is_at_end: Whether τ = 0 was reached.
        is_lost: Whether a path could not be followed to ``ARRIVED``.
    """

    def __init__(self, homotopy: _Homotopy, departure: float) -> None:
        self._homotopy, self._departure = homotopy, departure
        self._x = np.hstack(homotopy.starts())
        n = len(self._x)
        self._tau, self._step = np.ones(n), np.full(n, FIRST_STEP)
        self._is_stopped = np.zeros(n, bool)
        self._marks = np.full(
            (2, n), np.nan
        )  # least last coordinate, and τ, when τ came below ``LATE``
        self._ends = np.full((2, n), np.nan)

    @property
    def s(self) -> Array:
        return self._x[:, : self._homotopy.k + 1]

    @property
    def t(self) -> Array:
        return self._x[:, self._homotopy.k + 1 :]

    @property
    def is_at_end(self) -> Array:
        return np.asarray(self._tau == 0.0)

    @property
    def is_lost(self) -> Array:
        return np.asarray(self._tau > ARRIVED)

    def receding(self) -> Array:
        """Return the exponent p of τᵖ that the last coordinates go to zero with."""
        with np.errstate(all="ignore"):
            slope = np.log(self._ends[0] / self._marks[0]) / np.log(self._ends[1] / self._marks[1])
        return np.asarray(np.nan_to_num(slope))

    def follow(self) -> None:
        """Follow all paths to their ends."""
        for _ in range(MOST_STEPS):
            active = np.flatnonzero((self._tau > END) & ~self._is_stopped)
            if not len(active):
                return
            self._advance(active)

    def _advance(self, active: Array) -> None:
        """Take one step of the paths that are on their way."""
        homotopy, width = self._homotopy, self._homotopy.k + 1
        x, tau = self._x[active], self._tau[active]
        h = np.minimum(self._step[active], tau)
        middle, end = tau - h / 2.0, tau - h
        minus = -h[:, None]
        k_1 = homotopy.tangent(x, tau)
        k_2 = homotopy.tangent(x + minus / 2.0 * k_1, middle)
        k_3 = homotopy.tangent(x + minus / 2.0 * k_2, middle)
        k_4 = homotopy.tangent(x + minus * k_3, end)
        new = _normal(x + minus / 6.0 * (k_1 + 2.0 * k_2 + 2.0 * k_3 + k_4), width)
        first = homotopy.correction(new, end)
        new = _normal(new + first, width)
        second = homotopy.correction(new, end)
        new = _normal(new + second, width)
        size, last = np.linalg.norm(first, axis=-1), np.linalg.norm(second, axis=-1)
        fits = (size <= self._departure) & (last <= CONTRACTION * size + ROUNDING)
        with np.errstate(divide="ignore"):
            factor = 0.8 * (self._departure / np.where(fits, size, np.maximum(size, last))) ** 0.2
        factor = np.clip(np.nan_to_num(factor, nan=0.2), 0.2, 2.0)
        self._step[active] = h * np.where(fits, factor, np.minimum(factor, 0.5))
        accepted = active[fits]
        self._x[accepted], self._tau[accepted] = new[fits], end[fits]
        self._note(accepted)
        self._is_stopped |= self._step < SHORTEST * self._tau

    def _note(self, paths: Array) -> None:
        """Note the last coordinates of paths near their ends."""
        tau = self._tau[paths]
        width = self._homotopy.k + 1
        last = np.minimum(np.abs(self._x[paths, width - 1]), np.abs(self._x[paths, -1]))
        early = (tau < LATE) & np.isnan(self._marks[0, paths])
        self._marks[:, paths[early]] = last[early], tau[early]
        late = tau > 0.0
        self._ends[:, paths[late]] = last[late], tau[late]


def _normal(x: Array, width: int) -> Array:
    """Return homogeneous coordinates of length 1; NaN where there are none."""
    s, t = x[:, :width], x[:, width:]
    lengths = [np.linalg.norm(block, axis=1, keepdims=True) for block in (s, t)]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.hstack([s / lengths[0], t / lengths[1]])


def _kernel(rows: Array) -> Array:
    """Return the vectors that k rows of k + 1 numbers are zero with."""
    return np.linalg.svd(rows)[2][:, -1].conj()


def _padded(values: Array) -> Array:
    return np.hstack([values, np.zeros((len(values), 2))])


def _solved(J: Array, right: Array) -> Array:
    """Return J⁻¹ right, NaN of paths where J is singular."""
    try:
        return np.asarray(np.linalg.solve(J, right[..., None])[..., 0])
    except np.linalg.LinAlgError:
        sound = np.flatnonzero(np.all(np.isfinite(J), axis=(1, 2)))
        sound = sound[np.linalg.cond(J[sound]) < INVERTIBLE]
        x = np.full_like(right, np.nan)
        x[sound] = np.linalg.solve(J[sound], right[sound][..., None])[..., 0]
        return x
