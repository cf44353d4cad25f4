"""Energy and momentum of a system."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.front.described import Described, Values
from poinsot.spatial import Array


class Energy(Described):
    """The methods of ``System`` that sum over all its bodies."""

    def kinetic_energy(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        parameters: Values = None,
        out: Array | None = None,
        backend: str = "auto",
    ) -> Any:  # noqa: ANN401 (a number for one state, an array for several)
        """Return the kinetic energy vᵀ M v / 2 [J], armature included, shape (...).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
        """
        return self._evaluate("kinetic_energy", (q, v), out, backend, parameters=parameters)

    def potential_energy(
        self,
        q: ArrayLike,
        parts: str = "all",
        *,
        parameters: Values = None,
        out: Array | None = None,
        backend: str = "auto",
    ) -> Any:  # noqa: ANN401
        """Return the potential energy [J], shape (...).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            parts: "gravity" is -sum of m g·r from the world origin; "all" adds the springs.
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
        """
        names = {"all": "potential_energy", "gravity": "gravity_energy"}
        if parts not in names:
            raise ModelError(f"potential_energy: parts must be 'all' or 'gravity', got {parts!r}")
        return self._evaluate(names[parts], (q,), out, backend, parameters=parameters)

    def centre_of_mass(
        self,
        q: ArrayLike,
        *,
        parameters: Values = None,
        out: Array | None = None,
        backend: str = "auto",
    ) -> Array:
        """Return the mass centre of all bodies in the world [m], shape (..., 3).

        Args:
            q: Configuration [m or rad], shape (..., nq).
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
        """
        return self._evaluate("centre_of_mass", (q,), out, backend, parameters=parameters)

    def momentum(
        self,
        q: ArrayLike,
        v: ArrayLike,
        *,
        parameters: Values = None,
        out: Array | None = None,
        backend: str = "auto",
    ) -> Array:
        """Return linear and angular momentum [N s, N m s], shape (..., 6).

        In world axes, the angular part about the world origin.

        Args:
            q: Configuration [m or rad], shape (..., nq).
            v: Velocity [m/s or rad/s], shape (..., nv).
            parameters: Values of free parameters by name, shapes (...); those with a number of
                their own may be left out.
            out: Array for the result.
            backend: What computes it.
        """
        return self._evaluate("momentum", (q, v), out, backend, parameters=parameters)
