"""The object that a simulation returns."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.simulate.status import Statistics, Status
from poinsot.simulate.trajectory import Trajectory
from poinsot.spatial import Array


@final
class Run:
    """The motion of a system: states at increasing times, and everything between them.

    Args:
        system: What moved.
        trajectory: How.
    """

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
        return self._trajectory.v

    @property
    def status(self) -> Status:
        """How the run ended: ``.ok``, ``.message``, ``.time``, ``.outcome``."""
        return self._trajectory.status

    @property
    def statistics(self) -> Statistics:
        """What it took: ``.steps``, ``.rejected``, ``.evaluations``, ``.wall_time``."""
        return self._trajectory.statistics

    @property
    def parameters(self) -> dict[str, float]:
        """Values of the free parameters in this run, by name."""
        equations = self._trajectory.equations
        names = equations.mechanism.parameter_inputs
        return dict(zip(names, equations.parameters.tolist(), strict=True))

    def at(self, t: ArrayLike) -> tuple[Array, Array]:
        """Return q and v at any times of the run, shapes (..., nq) and (..., nv).

        They are as accurate as the stored states; quaternions are of unit length.

        Args:
            t: Times [s], shape (...), from ``run.t[0]`` to ``run.t[-1]``.
        """
        times = np.asarray(t, np.float64)
        first, last = self.t[0], self.t[-1]
        outside = ~((times >= first) & (times <= last))
        if outside.any():
            raise ModelError(
                f"at: the run goes from t = {first:g} s to {last:g} s, got {times[outside][0]:g}"
            )
        q, v = self._trajectory.at(times.ravel())
        return q.reshape(*times.shape, self.system.nq), v.reshape(*times.shape, self.system.nv)

    def kinetic_energy(self) -> Array:
        """Return the kinetic energy at the stored times [J], shape (n,)."""
        return np.asarray(self.system.kinetic_energy(self.q, self.v, parameters=self._given()))

    def potential_energy(self) -> Array:
        """Return the potential energy at the stored times [J], springs included, shape (n,)."""
        return np.asarray(self.system.potential_energy(self.q, parameters=self._given()))

    def energy(self) -> Array:
        """Return kinetic and potential energy together [J], shape (n,)."""
        return self.kinetic_energy() + self.potential_energy()

    def plot(self, path: str | Path) -> Path:
        """Draw coordinates, velocities and energies over time; the suffix chooses the format.

        Args:
            path: File to write.
        """
        from poinsot.plots.figure import plot_run

        return plot_run(self._numeric(), path)

    def animate(self, path: str | Path, *, fps: float = 25.0, seconds: float | None = None) -> Path:
        """Write the motion as a moving picture; the suffix chooses the format.

        Args:
            path: File to write.
            fps: Pictures a second.
            seconds: How long the picture plays [s]; as long as the motion lasted by default.
        """
        from poinsot.plots.animation import animate_run

        return animate_run(self._numeric(), path, fps=fps, seconds=seconds)

    def _numeric(self) -> Run:
        """Return the same run of the system with the values of the parameters folded in."""
        return Run(self._system.numeric("plot", self._given()), self._trajectory)

    def _given(self) -> dict[str, float] | None:
        return self.parameters if self._system.free else None

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
