"""States, exit status and energies of many runs."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from poinsot.evaluate.expression import Expression
from poinsot.formulations.constrained.reactions import named_wrenches
from poinsot.front.constraints import Multipliers
from poinsot.front.many_motions import AbstractManyMotions
from poinsot.front.motion_text import effort
from poinsot.front.system import System
from poinsot.simulation.running.batch.batch_results import Trajectories
from poinsot.simulation.running.quantities_along_run import QuantitiesAlongRun
from poinsot.simulation.running.run_plan import Accuracy
from poinsot.simulation.running.status import Statistics
from poinsot.spatial import Array

__all__ = ["RecordedRuns"]


class RecordedRuns(AbstractManyMotions):
    """States of many runs at the same times.

    Args:
        system: What moved.
        trajectories: How.
        shape: Leading dimensions.
    """

    kind: ClassVar[str] = "runs"

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
        """Whether each run reached the end, or an event that stops it, shape (...)."""
        ok = np.ones(self.size, bool)
        stops = self._trajectories.stops
        ok[[number for number, stop in stops.items() if not stop.status.ok]] = False
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

    def _effort(self) -> list[str]:
        return effort(self.statistics, self.accuracy.integrator)

    @property
    def accuracy(self) -> Accuracy:
        """The integrator, and its tolerances or step."""
        return self._trajectories.accuracy

    def tau(self) -> Array:
        """Return the actuator forces [N or N m], shape (..., n, nv)."""
        return self._unstacked(self._along.tau())

    def drive_forces(self) -> dict[str, Array]:
        """Return the forces of ``drives`` [N or N m] by joint, shape (..., n, nv of the joint)."""
        return {name: self._unstacked(force) for name, force in self._along.drives().items()}

    def acceleration(self) -> Array:
        """Return dv/dt [m/s² or rad/s²], shape (..., n, nv)."""
        return self._unstacked(self._along.acceleration())

    def multipliers(self) -> Multipliers:
        """Return the multipliers of loops and constraints, (..., n, rows); see ``System``."""
        both = (self._unstacked(values) for values in self._along.multipliers())
        return Multipliers(self._system.row_names, *both)

    def _wrenches(self, axes: str) -> dict[str, Array]:
        return named_wrenches(self.system.mechanism, self._unstacked(self._along.reactions(axes)))

    def evaluate(self, expression: Expression) -> Array:
        """Return any expression of the state, shape (..., n, ...); see ``Run.evaluate``."""
        return self._unstacked(self._along.expression(expression))

    @cached_property
    def _along(self) -> QuantitiesAlongRun:
        """The evaluator of quantities at all states of all runs, one after the other."""
        done, n = self._trajectories, self.t.size
        each = done.equations.of(np.repeat(np.arange(len(done)), n))
        q, v = (x.reshape(-1, x.shape[-1]) for x in (done.q, done.v))
        return QuantitiesAlongRun(each, np.tile(self.t, len(done)), q, v)

    def _unstacked(self, array: Array) -> Array:
        return array.reshape(*self._shape, self.t.size, *array.shape[1:])

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
