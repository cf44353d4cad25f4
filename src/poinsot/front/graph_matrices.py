"""The matrices of a system's graph, to be printed and computed with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ShapeError
from poinsot.formulations.screw_matrix import symbols
from poinsot.formulations.screw_matrix.blocks import Blocks
from poinsot.front.inertial_space import carried, check_base, with_base
from poinsot.model import BaseMotion, Mechanism
from poinsot.model.graph_matrices import LabelledMatrix, incidence, loops, paths
from poinsot.spatial import Array


@final
class GraphMatrices:
    """Incidence S, paths T and loops U of a system, and their screw versions [Liu1988].

    n bodies and joints are numbered as the bodies are listed, m loops as the loops.  The screw
    matrices have a block of 6 rows and columns for each body, joint and loop: forces [f; n] of
    joints, or velocities [v; w] across them, in the axes of the body that the joint carries.  Signs
    are those of convention P: +1 on the path, and velocities of the outer body against the inner.

        S T = 1,   Ŝ T̂ = 1        v̂ = (k̂ T̂)ᵀ v  (25)        Ûᵀ V̂ = V̂ᶜ,  V̂ = k̂ᵀ v  (24), (38)

    with v̂ the velocities of the bodies, each in its own axes, and V̂ᶜ those of the second frames
    of the loops against their first ones.  Forces F̂ᶜ on the second bodies of the loops are joint
    forces k̂ Û F̂ᶜ (39).

    On a base that moves with V₀ = [v; w] in its own axes, the base is one more body and joint, the
    first, "base": v̂ = (k̂ T̂)ᵀ [V₀; v] are velocities in inertial space, its own among them, and
    the first six entries of k̂ Û F̂ᶜ, or of joint forces in general, are the wrench on the base.
    None of the matrices depends on where the base is.

    Examples:
        >>> import poinsot as ps
        >>> arm = ps.System("arm", [ps.Body("upper", joint=ps.Revolute("y")),
        ...                         ps.Body("lower", "upper", ps.Revolute("y"))])
        >>> graph = arm.graph_matrices()
        >>> print(graph.T)
        T      upper  lower
        upper      1      1
        lower      ·      1
        >>> graph.T_hat([0.1, 0.2]).shape
        (12, 12)
    """

    def __init__(self, mechanism: Mechanism, base: BaseMotion | None = None) -> None:
        self._mechanism, self._base = mechanism, base

    @staticmethod
    def on_base(description: Mechanism, base: BaseMotion) -> GraphMatrices:
        """Return those of a system whose base is a body that moves."""
        check_base("graph_matrices", base)
        return GraphMatrices(carried(description).bound, base)

    @cached_property
    def S(self) -> LabelledMatrix:
        """Incidence (17): 1 where a joint carries a body, -1 at the joint's parent, (n, n)."""
        return incidence(self._mechanism)

    @cached_property
    def T(self) -> LabelledMatrix:
        """Paths (18): 1 for every joint on the path to a body, shape (n, n)."""
        return paths(self._mechanism)

    @cached_property
    def U(self) -> LabelledMatrix:
        """Loops (37): 1 for a joint on the path to the second body of a loop, -1 first, (n, m)."""
        return loops(self._mechanism)

    def S_hat(self, q: ArrayLike) -> Array:
        """Return Ŝ, S with blocks Â(ij), shape (..., 6n, 6n) (17).

        Args:
            q: Configuration [m or rad], shape (..., nq).
        """
        m = self._mechanism
        return self._dense(q, lambda q: symbols.S_hat(m, symbols.frames(m, q)), self._n, self._n)

    def T_hat(self, q: ArrayLike) -> Array:
        """Return T̂, T with blocks Â(ji), shape (..., 6n, 6n) (18).

        Args:
            q: Configuration [m or rad], shape (..., nq).
        """
        m = self._mechanism
        return self._dense(q, lambda q: symbols.T_hat(symbols.frames(m, q)), self._n, self._n)

    def U_hat(self, q: ArrayLike) -> Array:
        """Return Û, U with blocks Â(j, n+r) from the second frame of loop r, (..., 6n, 6m) (37).

        Args:
            q: Configuration [m or rad], shape (..., nq); the loops need not be closed in it.
        """
        m = self._mechanism
        columns = _sixes(len(m.loops))
        return self._dense(q, lambda q: symbols.U_hat(m, symbols.frames(m, q)), self._n, columns)

    def k_hat(self, q: ArrayLike) -> Array:
        """Return k̂, the axes of the joints in the bodies they carry, shape (..., nv, 6n) (20).

        Args:
            q: Configuration [m or rad], shape (..., nq).
        """
        m = self._mechanism
        return self._dense(q, lambda q: symbols.k_hat(m, q), m.v_slices, self._n)

    def __str__(self) -> str:
        return f"{self.S}\n\n{self.T}\n\n{self.U}"

    def __repr__(self) -> str:
        m = self._mechanism
        return f"GraphMatrices({m.name!r}, n={m.n_bodies}, m={len(m.loops)})"

    @property
    def _n(self) -> tuple[slice, ...]:
        return _sixes(self._mechanism.n_bodies)

    def _dense(
        self,
        q: ArrayLike,
        blocks: Callable[[Array], Blocks],
        rows: Sequence[slice],
        columns: Sequence[slice],
    ) -> Array:
        states = np.asarray(q, dtype=np.float64)
        nq = self._mechanism.nq - (0 if self._base is None else self._mechanism.bodies[0].joint.nq)
        if states.ndim == 0 or states.shape[-1] != nq:
            raise ShapeError(
                f"q must have shape ({nq},), or (..., {nq}) for several states; got {states.shape}"
            )
        if self._base is not None:
            (states,) = with_base("graph_matrices", self._base, states)
        shape = (rows[-1].stop if rows else 0, columns[-1].stop if columns else 0)
        result = np.empty((*states.shape[:-1], *shape))
        for index in np.ndindex(states.shape[:-1]):
            result[index] = blocks(states[index]).dense(rows, columns)
        return result


def _sixes(n: int) -> tuple[slice, ...]:
    return tuple(slice(6 * k, 6 * k + 6) for k in range(n))
