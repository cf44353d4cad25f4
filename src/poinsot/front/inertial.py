"""What depends on the inertial parameters of the bodies, and how: linearly."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from poinsot.front.described import Described, Values
from poinsot.spatial import Array


class Inertial(Described):
    """The methods of ``System`` for identification."""

    @property
    def inertial_names(self) -> tuple[str, ...]:
        """A name for each inertial parameter, ten a body.

        m [kg], mcx, mcy, mcz [kg m], and ixx, iyy, izz, ixy, ixz, iyz [kg m²] about the body's
        origin, in body axes, with the signs of the tensor (ixy = -∫ x y dm).
        """
        from poinsot.formulations.regressor import INERTIAL

        return tuple(f"{name}[{body}]" for body in self.body_names for name in INERTIAL)

    def inertial_parameters(self, *, parameters: Values = None) -> Array:
        """Return pi, the inertial parameters of all bodies, shape (10 n,).

        Args:
            parameters: Values of free parameters by name.
        """
        from poinsot.formulations.regressor import inertial_parameters

        numeric = self.numeric("inertial_parameters", parameters)
        return np.array(inertial_parameters(numeric.mechanism), dtype=float)

    def regressor(
        self, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, parameters: Values = None,
        out: Array | None = None, backend: str = "auto",
    ) -> Array:  # fmt: skip
        """Return Y of Y(q, v, a) pi = tau, shape (..., nv, 10 n).

        tau is what ``inverse_dynamics`` gives for the tree without armature, springs, dampers and
        force elements; with loops and constraints Y pi = tau + Jᵀ lam.  pi are the
        ``inertial_parameters``, of which Y does not depend.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            a: Acceleration dv/dt, shape (..., nv).
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.

        >>> import poinsot as ps
        >>> arm = ps.library.double_pendulum()
        >>> Y = arm.regressor([0.1, 0.2], [1.0, 0.0], [0.0, 2.0])
        >>> np.allclose(Y @ arm.inertial_parameters(),
        ...             arm.inverse_dynamics([0.1, 0.2], [1.0, 0.0], [0.0, 2.0]))
        True
        """
        return self._evaluate("regressor", (q, v, a), out, backend, parameters=parameters)

    def energy_regressor(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        parameters: Values = None,
        out: Array | None = None,
        backend: str = "auto",
    ) -> Array:
        """Return y with y(q, v)·pi = kinetic energy and that of gravity [J], shape (..., 10 n).

        Armature and springs are not in it.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
        """
        return self._evaluate("energy_regressor", (q, v), out, backend, parameters=parameters)
