"""What a run is: states at times, how it ended, and states between them."""

from __future__ import annotations

from collections import Counter
from typing import Any, NoReturn

from poinsot.front.motion_text import effort, span
from poinsot.front.pictured_motion import PicturedMotion
from poinsot.front.system import System
from poinsot.simulation.laws.event import Occurrence
from poinsot.simulation.running.run_plan import Accuracy
from poinsot.simulation.running.status import Statistics, Status
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.spatial import Array


class Recorded(PicturedMotion):
    """A system and its trajectory; the base class of ``Run``."""

    _system: System
    _trajectory: Trajectory

    def __init__(self, system: System, trajectory: Trajectory) -> None:
        self.__dict__.update(_system=system, _trajectory=trajectory)

    @property
    def system(self) -> System:
        """What moved."""
        return self._system

    @property
    def t(self) -> Array:
        """Times of the stored states [s], shape (n,)."""
        return self._trajectory.t

    @property
    def q(self) -> Array:
        """Configurations at these times, shape (n, nq)."""
        return self._trajectory.q

    @property
    def v(self) -> Array:
        """Velocities at these times, shape (n, nv)."""
        v = self._trajectory.v
        return v[:, : self.system.nv] if self.system.states else v

    @property
    def further(self) -> Array:
        """All further states at these times side by side, shape (n, number of them)."""
        return self._trajectory.v[:, self.system.nv :]

    @property
    def states(self) -> dict[str, Array]:
        """Further states at these times, by name, shapes (n,)."""
        return dict(zip(self.system.mechanism.state_values, self.further.T, strict=True))

    @property
    def status(self) -> Status:
        """How the run ended: ``.ok``, ``.message``, ``.time``, ``.outcome``."""
        return self._trajectory.status

    @property
    def statistics(self) -> Statistics:
        """What it took: ``.steps``, ``.rejected``, ``.evaluations``, ``.wall_time``."""
        return self._trajectory.statistics

    @property
    def events(self) -> tuple[Occurrence, ...]:
        """Events in order: ``.name``, ``.t``, ``.q_before``, ``.v_before``, ``.q``, ``.v``."""
        return self._trajectory.occurrences

    @property
    def accuracy(self) -> Accuracy:
        """How it was integrated: ``.integrator``, ``.rtol``, ``.atol``, ``.max_step``."""
        return self._trajectory.accuracy

    @property
    def parameters(self) -> dict[str, float]:
        """Values of the free parameters in this run, by name; those that are samples not."""
        equations = self._trajectory.equations
        names = equations.mechanism.free_parameters
        values = dict(zip(names, equations.parameters.tolist(), strict=False))
        return {name: values[name] for name in names if name not in self.system.signals}

    @property
    def stored_only(self) -> bool:
        """Whether only stored states are available: the file could not store the control law."""
        return self._trajectory.stored_only

    def _between(self, times: Array) -> tuple[Array, Array]:
        q, v = self._trajectory.at(times)
        return q, v[:, : self.system.nv]

    def _given(self) -> dict[str, float] | None:
        return self.parameters if self._system.free else None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._system, self._trajectory)

    def __len__(self) -> int:
        """Return how many states are stored."""
        return int(self.t.size)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Run is immutable; {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a Run is immutable")

    def __repr__(self) -> str:
        end = "" if self.status.ok else f", {self.status.outcome.value}"
        return (
            f"Run({self.system.name!r}, {len(self)} states from {self.t[0]:g} s to "
            f"{self.t[-1]:g} s{end})"
        )

    def __str__(self) -> str:
        """Return how it ended, what it took, and what happened."""
        n_events = Counter(event.name for event in self.events)
        lines = [f"{self.system.name}: {self.status.message}", f"  {span(self.t)}"]
        lines += effort(self.statistics, self.accuracy.integrator)
        if n_events:
            listed = ", ".join(f"{name} ({n})" for name, n in n_events.items())
            lines.append(f"  events: {listed}")
        return "\n".join(lines)
