"""States, exit status and energies of many runs."""

from __future__ import annotations

import math
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from poinsot.front.system import System
from poinsot.simulation.running.batch.batch_results import Trajectories
from poinsot.simulation.running.run_plan import Accuracy
from poinsot.simulation.running.status import Statistics
from poinsot.spatial import Array

__all__ = ["RecordedRuns"]


class RecordedRuns:
    """States of many runs at the same times.

    Args:
        system: What moved.
        trajectories: How.
        shape: Leading dimensions.
    """

    _system: System
    _trajectories: Trajectories
    _shape: tuple[int, ...]

    def __init__(self, system: System, trajectories: Trajectories, shape: tuple[int, ...]) -> None:
        self.__dict__.update(_system=system, _trajectories=trajectories, _shape=shape)

    @property
    def system(self) -> System:
        """What moved."""
        return self._system

    @property
    def shape(self) -> tuple[int, ...]:
        """Leading dimensions, those that all arguments broadcast to."""
        return self._shape

    @property
    def size(self) -> int:
        """How many runs there are."""
        return math.prod(self._shape)

    @property
    def t(self) -> Array:
        """Times of the stored states [s], shape (n,)."""
        return self._trajectories.t

    @property
    def q(self) -> Array:
        """Configurations at these times, shape (..., n, nq)."""
        return self._shaped(self._trajectories.q)

    @property
    def v(self) -> Array:
        """Velocities at these times, shape (..., n, nv)."""
        v = self._trajectories.v
        return self._shaped(v[..., : self._system.nv] if self._system.states else v)

    @property
    def states(self) -> dict[str, Array]:
        """Further states at these times, by name, shapes (..., n)."""
        further = self._shaped(self._trajectories.v[..., self._system.nv :])
        names = self._system.mechanism.state_values
        return {name: further[..., k] for k, name in enumerate(names)}

    @property
    def ok(self) -> NDArray[np.bool_]:
        """Whether each run reached the end, shape (...)."""
        ok = np.ones(self.size, bool)
        ok[list(self._trajectories.stops)] = False
        return ok.reshape(self._shape)

    @property
    def reached(self) -> Array:
        """Time of the last state of each run [s], shape (...)."""
        return self._trajectories.reached.reshape(self._shape)

    @property
    def status(self) -> NDArray[np.object_]:
        """How each run ended, an array of ``Status``, shape (...)."""
        statuses = np.empty(self.size, object)
        statuses[:] = [self._trajectories.status(k) for k in range(self.size)]
        return statuses.reshape(self._shape)

    @property
    def statistics(self) -> Statistics:
        """What all of them took together: steps, evaluations, ``.wall_time``."""
        return self._trajectories.statistics

    @property
    def parameters(self) -> dict[str, Array]:
        """Values of the free parameters by name, shapes (...); of those that are samples not."""
        equations = self._trajectories.equations
        columns = equations.parameters.T
        names = equations.mechanism.free_parameters
        return {
            name: column.reshape(self._shape)
            for name, column in zip(names, columns, strict=False)
            if name not in self._system.signals
        }

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """Names of the entries of q and v."""
        return {"q": self._system.coordinate_names, "v": self._system.velocity_names}

    @property
    def units(self) -> dict[str, tuple[str, ...]]:
        """Units of the entries of q and v."""
        return {"q": self._system.coordinate_units, "v": self._system.velocity_units}

    @property
    def accuracy(self) -> Accuracy:
        """The integrator, and its tolerances or step."""
        return self._trajectories.accuracy

    def kinetic_energy(self) -> Array:
        """Return the kinetic energy at the stored times [J], shape (..., n)."""
        return np.asarray(self._system.kinetic_energy(self.q, self.v, parameters=self._given()))

    def potential_energy(self) -> Array:
        """Return the potential energy at the stored times [J], springs included, shape (..., n)."""
        return np.asarray(self._system.potential_energy(self.q, parameters=self._given()))

    def energy(self) -> Array:
        """Return kinetic and potential energy together [J], shape (..., n)."""
        return self.kinetic_energy() + self.potential_energy()

    def _shaped(self, array: Array) -> Array:
        return array.reshape(*self._shape, *array.shape[1:])

    def _given(self) -> dict[str, Array] | None:
        """Return the parameters, with a dimension more for the time."""
        if not self._system.free:
            return None
        return {name: values[..., None] for name, values in self.parameters.items()}

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Runs are immutable; {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("Runs are immutable")
