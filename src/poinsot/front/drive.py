"""Kinematic studies: the motion of some joints is prescribed, all others follow."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analysis.singular_configurations import singular_times
from poinsot.assemble.driven_motion import Followed, check_driven, follow
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import ModelError
from poinsot.front.parameter_numbers import with_numbers
from poinsot.front.system import System
from poinsot.model import PrescribedMotion
from poinsot.model.coordinate_names import force_unit
from poinsot.simulation.running import checks
from poinsot.simulation.running.status import SimulationWarning
from poinsot.spatial import Array
from poinsot.spatial.masked import refuse_masked

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from poinsot.plots.animation import Film, Look
    from poinsot.plots.animation_file import Animation

Law = str | float | Sequence[float] | Callable[[Any], Any]
"""A formula in t, a number, (from, to), or a function of t."""


@final
class Study:
    """The motion of a driven system: states at increasing times, and the drive forces.

    Attributes:
        system: The system with its drives as constraints.
        t: Times [s], shape (n,).
        q, v, a: Configurations, velocities and accelerations, shapes (n, nq), (n, nv), (n, nv).
        ok: Whether it reached the end.
        message: Why it ended.
    """

    def __init__(self, system: System, motion: Followed, drives: Sequence[str]) -> None:
        self.system = system
        self.t, self.q, self.v, self.a = motion.t, motion.q, motion.v, motion.a
        self.ok, self.message = motion.ok, motion.message
        self._motion, self._drives = motion, tuple(drives)

    @cached_property
    def singular(self) -> tuple[float, ...]:
        """Times of singular configurations [s]: dead points, bifurcations."""
        return singular_times(NumericRows(self.system.mechanism), self._motion)

    def drive_forces(self) -> dict[str, Array]:
        """Return the forces of the drives [N or N m] by joint, shape (n,)."""
        lam = self.system.multipliers(self.q, self.v, t=self.t).values
        first = lam.shape[-1] - len(self._drives)
        return {joint: lam[:, first + k] for k, joint in enumerate(self._drives)}

    def reactions(self, *, axes: str = "body") -> dict[str, Array]:
        """Return the wrenches in all joints and loops, shape (n, 6); see ``System.reactions``."""
        return self.system.reactions(self.q, self.v, axes=axes, t=self.t)

    def at(self, t: float) -> tuple[Array, Array]:
        """Return q and v at a time between the first and the last."""
        if not self.t[0] <= t <= self.t[-1]:
            raise ModelError(
                f"at: the study goes from t = {self.t[0]:g} s to {self.t[-1]:g} s, got {t:g}"
            )
        k = int(np.searchsorted(self.t, t, side="right")) - 1
        if self.t[k] == t:
            return self.q[k], self.v[k]
        rows = NumericRows(self.system.mechanism)
        step = follow(rows, self.q[k], np.array([self.t[k], t]))
        return step.q[-1], step.v[-1]

    def kinetic_energy(self) -> Array:
        """Return the kinetic energy at the stored times [J], shape (n,)."""
        return np.asarray(self.system.kinetic_energy(self.q, self.v))

    def potential_energy(self) -> Array:
        """Return the potential energy at the stored times [J], shape (n,)."""
        return np.asarray(self.system.potential_energy(self.q))

    def energy(self) -> Array:
        """Return kinetic and potential energy together [J], shape (n,)."""
        return self.kinetic_energy() + self.potential_energy()

    def table(self) -> dict[str, Array]:
        """Return named columns: t, coordinates, velocities, accelerations and drive forces."""
        columns: dict[str, Array] = {"t [s]": self.t}
        for symbol, array, names in (
            ("q", self.q, self.system.coordinate_names),
            ("v", self.v, self.system.velocity_names),
            ("a", self.a, self.system.velocity_names),
        ):
            columns |= {f"{symbol} {name}": array[:, k] for k, name in enumerate(names)}
        return columns | {f"drive {name}": f for name, f in self.drive_forces().items()}

    def save_table(self, path: str | Path) -> Path:
        """Write the table as comma-separated values; return the file written.

        Args:
            path: The file, ending in .csv or .txt.

        Raises:
            ModelError: If it ends otherwise.
        """
        file = Path(path)
        if file.suffix.lower() not in (".csv", ".txt"):
            raise ModelError(
                f"save_table: the file must end in .csv or .txt, got {file.name!r}: it holds "
                "comma-separated values"
            )
        columns = self.table()
        head = ",".join(f'"{name}"' for name in columns)
        np.savetxt(file, np.column_stack(list(columns.values())), "%.17g", ",", header=head,
                   comments="")  # fmt: skip
        return file

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw coordinates, velocities, energies and forces of the drives; return the figure.

        Args:
            path: File to write: .png, .svg or .pdf.  None: show it, in the notebook or a window.
        """
        from poinsot.plots.figure import plot_panels
        from poinsot.plots.panels import energy_panel, state_rows, unit_panels

        rows = state_rows(self.system, self.t, self.q, self.v)
        energies = energy_panel(self.t, self.kinetic_energy(), self.potential_energy())
        forces = self.drive_forces()
        units = [force_unit(self.system.velocity_units[self.system.v_slice(name).start])
                 for name in forces]  # fmt: skip
        titles = {"N": "Forces of the drives", "N m": "Torques of the drives"}
        values = np.stack(list(forces.values()), axis=1)
        panels = [energies, *unit_panels(titles, self.t, values, list(forces), units)]
        pairs = [panels[k : k + 2] for k in range(0, len(panels), 2)]
        return plot_panels(path, self.system.name, [*rows, *pairs])

    def animate(self, path: str | Path | None = None, **look: Unpack[Film]) -> Animation:
        """Draw the motion as a moving picture; see ``Run.animate``."""
        from poinsot.plots.animation import animate_run

        return animate_run(self, path, **look)

    def draw(
        self, path: str | Path | None = None, t: ArrayLike | None = None, **look: Unpack[Look]
    ) -> Figure:
        """Draw the system at some times; see ``Run.draw``."""
        from poinsot.plots.animation import draw_run

        return draw_run(self, path, t, **look)

    def __repr__(self) -> str:
        end = "" if self.ok else ", stopped"
        return f"Study({self.system.name!r}, {self.t.size} states to {self.t[-1]:g} s{end})"


def drive(
    system: System,
    q: ArrayLike,
    motions: Mapping[str, Law],
    duration: float = 1.0,
    *,
    save: float | ArrayLike | None = None,
    states: int = 200,
) -> Study:
    """Return the motion of a system under prescribed motions of some joints.

    Nothing is integrated in time: each configuration closes by itself, and velocities and
    accelerations follow from it.  Steps are so small that the motion cannot jump to another branch.

    Args:
        system: The system.
        q: Configuration to start from, or a rough guess of it, shape (nq,).
        motions: For each driven joint its coordinate [rad or m]: a formula in ``t``, a function of
            t over generic scalars, or ``(from, to)`` at constant speed.
        duration: Time [s].
        save: What to store: a state every so many seconds (a number), or the states at these times
            (an array), from 0 to the duration; by default ``states`` of them, evenly.
        states: How many states to store where ``save`` is not given, at least 2.

    Raises:
        AssemblyError: If the system does not close at the start, or has too few or too many drives.

    Warns:
        SimulationWarning: If it cannot go on, at a dead point for instance; the study ends there.
    """
    system = with_numbers(system, "drive")
    duration = checks.positive("duration", duration)
    if not isinstance(motions, Mapping) or not motions:
        raise ModelError(
            f"drive: motions must name joints, e.g. {{'crank': '2*t'}}, got {motions!r}"
        )
    if not isinstance(states, int | np.integer) or states < 2:
        raise ModelError(f"drive: states must be a whole number, at least 2, got {states!r}")
    if isinstance(save, float | int) and save > duration:
        raise ModelError(
            f"drive: save={save!r} is the time between states [s], more than the duration; for "
            f"their number give states={save!r}"
        )
    drives = [
        PrescribedMotion(f"drive of {joint}", joint, _law(law, duration, joint))
        for joint, law in motions.items()
    ]
    driven = System(
        system.name, system.bodies, gravity=system.gravity, forces=system.forces,
        loops=system.loops, constraints=(*system.constraints, *drives),
    )  # fmt: skip
    times = (
        np.linspace(0.0, duration, states)
        if save is None
        else checks.times_to_save(save, 0.0, duration, system.nq + 2 * system.nv)
    )
    assert times is not None
    rows = NumericRows(driven.mechanism)
    start = driven.assemble(_led(driven, q, drives), t=0.0)
    check_driven(rows, start, 0.0, len(drives))
    motion = follow(rows, start, times)
    if not motion.ok:
        warnings.warn(f"{system.name!r}: {motion.message}", SimulationWarning, stacklevel=2)
    return Study(driven, motion, tuple(motions))


def _law(law: Law, duration: float, joint: str) -> str | float | Callable[[Any], Any]:
    if isinstance(law, str | float | int) or callable(law):
        return law
    ends = np.asarray(law, dtype=np.float64)
    if ends.shape != (2,):
        raise ModelError(
            f"drive: the motion of {joint!r} must be a formula, a function or (from, to), "
            f"got {law!r}"
        )
    first, last = ends.tolist()
    return lambda t: first + (last - first) * (t / duration)


def _led(system: System, q: ArrayLike, drives: Sequence[PrescribedMotion]) -> Array:
    """Return the guess with the driven joints at their prescribed positions at t = 0."""
    refuse_masked(q, "drive: q")
    guess = np.array(q, dtype=np.float64)
    if guess.shape != (system.nq,):
        return guess  # assemble raises the error
    phi = system.constraint_residual(guess, t=0.0)
    for k, motion in enumerate(drives, start=len(phi) - len(drives)):
        guess[system.q_slice(motion.joint)] -= phi[k]
    return guess
