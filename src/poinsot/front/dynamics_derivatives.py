"""Derivatives of the dynamics by their names, and Zaremba's closed forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ShapeError
from poinsot.evaluate.call_arrays import result_in
from poinsot.evaluate.call_options import LoadOptions
from poinsot.evaluate.request import request_for
from poinsot.front.differentiation import Differentiation
from poinsot.front.parameter_numbers import with_numbers
from poinsot.model.checks import finite_array
from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.formulations.coefficient_vectors import CoefficientVectors

__all__ = ["DynamicsDerivatives"]

MOST_TOGETHER = 10
"""Velocities up to which the derivatives of the dynamics are one program in any case.

Elements whose forces depend on the state, and loops, have no rolled form of it.
"""


SECOND = "inverse_dynamics_second_derivatives"

SECOND_DERIVATIVES = (("q", "q"), ("v", "v"), ("q", "v"), ("a", "q"))
"""By what the joint forces are differentiated twice, in the order of the results."""


class DynamicsDerivatives(Differentiation):
    """The methods of ``System`` that give derivatives of its dynamics."""

    def inverse_dynamics_derivatives(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, t: ArrayLike = 0.0,
        **how: Unpack[LoadOptions],
    ) -> Array:  # fmt: skip
        """Return the derivatives of the joint forces by q, v and a, shape (..., 3, nv, nv).

        The last one is the mass matrix.  Of systems with loops: those of their tree.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv).
            t: Time [s], shape (...).
            how: ``wrenches``, ``base``, ``parameters``, ``states``, ``out`` and ``backend``.

        >>> import poinsot as ps
        >>> arm = ps.library.double_pendulum()
        >>> by_q, by_v, M = arm.inverse_dynamics_derivatives([0.3, 0.1], [1.0, 2.0], [0.0, 0.0])
        >>> bool(np.allclose(M, arm.mass_matrix([0.3, 0.1])))
        True
        """
        return self._three("inverse_dynamics", (q, v, a), ("q", "v", "a"), t, how)

    def forward_dynamics_derivatives(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike | None = None, *, t: ArrayLike = 0.0,
        **how: Unpack[LoadOptions],
    ) -> Array:  # fmt: skip
        """Return the derivatives of the acceleration by q, v and tau, shape (..., 3, nv, nv).

        The last one is the inverse of the mass matrix; with loops, that under the constraints: rows
        that are redundant stay so, and a warning names row and margin where that is near to a
        change.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            tau: Joint forces [N or N m], shape (..., nv); none by default.
            t: Time [s], shape (...).
            how: ``wrenches``, ``base``, ``parameters``, ``states``, ``out`` and ``backend``.
        """
        forces = np.zeros(self.nv) if tau is None else tau
        return self._three("forward_dynamics", (q, v, forces), ("q", "v", "tau"), t, how)

    def inverse_dynamics_second_derivatives(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, t: ArrayLike = 0.0,
        **how: Unpack[LoadOptions],
    ) -> Array:  # fmt: skip
        """Return the second derivatives of the joint forces, shape (..., 4, nv, nv, nv).

        By q q, v v, q v and a q: entry [i, α, β] is D_α(D_β τ_i), the convention of
        ``derivative(..., by=("q", "v"))``.  Those by v a and a a are zero.  Of systems with loops:
        those of their tree.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv).
            t: Time [s], shape (...).
            how: ``wrenches``, ``base``, ``parameters``, ``states``, ``out`` and ``backend``.

        >>> import poinsot as ps
        >>> arm = ps.library.double_pendulum()
        >>> q, v, a = [0.3, 0.1], [1.0, 2.0], [0.0, 0.0]
        >>> by_qq, by_vv, by_qv, by_aq = arm.inverse_dynamics_second_derivatives(q, v, a)
        >>> bool(np.allclose(by_aq, arm.derivative("mass_matrix", q, by="q")))
        True
        """
        if self.nv <= MOST_TOGETHER:
            return self._loaded(request_for(SECOND), (q, v, a), t, how)
        given: Any = {key: value for key, value in how.items() if key != "out"}
        if self._is_rolled("inverse_dynamics_derivatives"):
            return self._through_first((q, v, a), t, given, how.get("out"))
        each = [
            self._derivative(request_for("inverse_dynamics"), (q, v, a), by, t, given)
            for by in SECOND_DERIVATIVES
        ]
        return result_in(SECOND, np.stack(each, axis=-4), how.get("out"))

    def _through_first(
        self,
        state: tuple[ArrayLike, ...],
        t: ArrayLike,
        given: Any,  # noqa: ANN401
        out: Array | None,
    ) -> Array:
        """Return the second derivatives of the joint forces by differentiation of the first."""
        first = request_for("inverse_dynamics_derivatives")
        over_q, over_v = (self._derivative(first, state, (by,), t, given) for by in ("q", "v"))
        by_q, by_v, M = (over_q[..., k, :, :, :] for k in range(3))  # [i, β, α]: D_α behind D_β
        by_qq, by_qv = by_q.swapaxes(-1, -2), by_v.swapaxes(-1, -2)
        each = [by_qq, over_v[..., 1, :, :, :], by_qv, M]
        return result_in(SECOND, np.stack(each, axis=-4), out)

    def _three(
        self, quantity: str, state: tuple[ArrayLike, ...], by: tuple[str, str, str],
        t: ArrayLike, how: LoadOptions,
    ) -> Array:  # fmt: skip
        """Return three derivatives: by one program where that is short, else one by one."""
        name = f"{quantity}_derivatives"
        if self.nv <= MOST_TOGETHER or self._is_rolled(name):
            return self._loaded(request_for(name), state, t, how)
        given: Any = {key: value for key, value in how.items() if key != "out"}
        if quantity == "forward_dynamics" and self._is_rolled("inverse_dynamics_derivatives"):
            return self._through_inverse(state, t, given, how.get("out"))
        request = request_for(quantity)
        each = [self._derivative(request, state, (argument,), t, given) for argument in by]
        return result_in(name, np.stack(each, axis=-3), how.get("out"))

    def _through_inverse(
        self,
        state: tuple[ArrayLike, ...],
        t: ArrayLike,
        given: Any,  # noqa: ANN401
        out: Array | None,
    ) -> Array:
        """Return the derivatives of the acceleration from those of the joint forces, by LAPACK."""
        q, v, tau = state
        a = self.forward_dynamics(q, v, tau, t=t, **given)
        by_q, by_v, M = np.moveaxis(self.inverse_dynamics_derivatives(q, v, a, t=t, **given), -3, 0)
        right = np.concatenate([-by_q, -by_v, np.broadcast_to(np.eye(self.nv), M.shape)], axis=-1)
        parts = np.split(np.linalg.solve(M, right), 3, axis=-1)
        return result_in("forward_dynamics_derivatives", np.stack(parts, axis=-3), out)

    def _is_rolled(self, name: str) -> bool:
        """Say whether the derivatives of many joints have a rolled form."""
        from poinsot.formulations.recursive.rolled_derivatives import LARGEST

        is_plain = not (self.mechanism.forces or self.mechanism.closures)
        return is_plain and self.nv <= LARGEST[name]

    def coefficient_vectors(
        self, q: ArrayLike, *, parameters: Mapping[str, float] | None = None
    ) -> CoefficientVectors:
        """Return Zaremba's closed forms at a configuration: l, g, Θ*, a and their derivatives.

        Any order is one product of screws, without differentiation: an oracle of its own for
        ``derivative`` [Zaremba1990, sections 1 and 2].

        Args:
            q: Configuration [m or rad], shape (nq,).
            parameters: Values of free parameters by name.

        Raises:
            ModelError: If the axes of a joint move in its body, and it is no chain of others: one
                of another package.

        >>> import poinsot as ps
        >>> arm = ps.library.double_pendulum()
        >>> vectors = arm.coefficient_vectors([0.3, 0.1])
        >>> change = arm.derivative("mass_matrix", [0.3, 0.1], by="q")
        >>> bool(np.isclose(vectors.a(0, 0, [1]), change[0, 0, 1]))
        True
        """
        from poinsot.formulations.coefficient_vectors import CoefficientVectors

        array = finite_array(q, "coefficient_vectors: q")
        if array.shape != (self.nq,):
            raise ShapeError(
                f"coefficient_vectors: q must have shape ({self.nq},), got {array.shape}"
            )
        numeric = with_numbers(self, "coefficient_vectors", parameters)
        return CoefficientVectors(numeric.mechanism, array)
