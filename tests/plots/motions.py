"""Motions given by formulas, in the shape of a run, and small systems to move."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import poinsot as ps
from poinsot.plots.figure import dense_states, plot_panels
from poinsot.plots.panels import drift_panel, energy_panel, state_rows


@dataclass(frozen=True)
class Motion:
    """A run without integration: q and v are functions of time."""

    system: ps.System
    path: Callable[[float], np.ndarray]
    t: np.ndarray

    @property
    def q(self) -> np.ndarray:
        return np.array([self.at(t)[0] for t in self.t])

    @property
    def v(self) -> np.ndarray:
        return np.array([self.at(t)[1] for t in self.t])

    def at(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        # Any velocity does: pictures show it and do not integrate it.
        return np.asarray(self.path(t), dtype=float), np.cos(t + np.arange(self.system.nv))

    def kinetic_energy(self) -> np.ndarray:
        return self.system.kinetic_energy(self.q, self.v)

    def potential_energy(self) -> np.ndarray:
        return self.system.potential_energy(self.q)


def swing(system: ps.System, duration: float = 1.0, n: int = 41) -> Motion:
    """Return a motion in which every coordinate swings; for joints without quaternions."""
    phase = np.arange(system.nq)
    times = np.linspace(0.0, duration, n)
    return Motion(system, lambda t: 0.8 * np.sin(3.0 * t + phase), times)


def plot_motion(run: Motion, path):
    """Draw states and energies of a motion, as a run does."""

    def at(times):
        states = [run.at(float(one)) for one in times]
        return np.array([q for q, _ in states]), np.array([v for _, v in states])

    t, q, v = dense_states(run.t, run.q, run.v, at)
    energies = run.system.kinetic_energy(q, v), run.system.potential_energy(q)
    drift = drift_panel(run.t, run.kinetic_energy(), run.potential_energy())
    last = (energy_panel(t, *map(np.asarray, energies)), drift)
    plot_panels(path, run.system.name, [*state_rows(run.system, t, q, v), last])
    return Path(path)


def double_pendulum(turn: ps.Pose | None = None, gravity=(0, 0, -9.81)) -> ps.System:
    """Return two rods of 1 m along -z that turn about y, as a whole placed by ``turn``."""
    upper = ps.Body(
        "upper", joint=ps.Revolute("y"), pose=turn or ps.Pose(), mass=1.0, com=(0, 0, -0.5)
    )
    lower = ps.Body(
        "lower", parent="upper", joint=ps.Revolute("y"), pose=ps.Pose((0, 0, -1.0)),
        mass=1.0, com=(0, 0, -0.5),
    )  # fmt: skip
    return ps.System("double pendulum", [upper, lower], gravity=gravity)


def cart() -> ps.System:
    """Return a cart that slides along x with a rod that turns about y."""
    base = ps.Body("cart", joint=ps.Prismatic("x"), pose=ps.Pose((0, 0, 0.2)), mass=1.0)
    rod = ps.Body("rod", parent="cart", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, 0.5))
    return ps.System("cart", [base, rod])


def satellite(gravity=(0, 0, 0)) -> ps.System:
    """Return a free box of sides 3, 2 and 1 m."""
    box = ps.Body("box", joint=ps.Free(), mass=12.0, inertia=(5.0, 10.0, 13.0))
    return ps.System("satellite", [box], gravity=gravity)
