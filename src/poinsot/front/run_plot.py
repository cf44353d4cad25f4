"""The panels of a figure of a run: all, or those chosen by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from poinsot.errors import FormulaError, ModelError
from poinsot.front.single_motion import AbstractSingleMotion
from poinsot.plots.figure import dense_states, plot_panels
from poinsot.plots.panels import (
    Panel,
    PlottedCurve,
    drift_panel,
    energy_panel,
    residual_panel,
    state_rows,
    unit_panels,
)
from poinsot.spatial import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["What", "is_noise", "panels_of", "plot", "unit_of"]

What: TypeAlias = Sequence[str | Sequence[str]]
"""Names of quantities and formulas; formulas in a list of their own share their axes."""

FORCES: Final = {"N": "Drive forces", "N m": "Drive torques"}
"""Titles of joint forces by unit."""
_NOISE: Final = 1e-13
"""Residuals below it get no panel unless they are asked for [m or rad, and per second]."""
_RATES: Final = {"m/s²": "Accelerations", "rad/s²": "Angular accelerations"}
_MOMENTA: Final = {"N s": "Momentum", "N m s": "Angular momentum about the origin"}


def plot(run: AbstractSingleMotion, path: str | Path | None, what: What | None) -> Figure:
    """Draw a run; see ``Run.plot``."""
    panels = _Panels(run)
    rows = panels.everything() if what is None else _in_pairs(panels.chosen(what))
    marks = [(event.t, event.name) for event in run.events]
    return plot_panels(path, run.system.name, rows, marks)


def panels_of(run: AbstractSingleMotion, what: What | None) -> list[Panel]:
    """Return the panels that ``plot`` shows, row by row."""
    panels = _Panels(run)
    if what is not None:
        return panels.chosen(what)
    return [panel for row in panels.everything() for panel in row]


class _Panels:
    """The panels of one run, by name."""

    def __init__(self, run: AbstractSingleMotion) -> None:
        self._run = run
        self._known: dict[str, Callable[[], list[Panel]]] = {
            "q": lambda: [pair[0] for pair in self._states()],
            "v": lambda: [pair[1] for pair in self._states()],
            "a": self._accelerations,
            "tau": self._forces,
            "energy": lambda: [self._energies()],
            "drift": lambda: [self._drift()],
            "momentum": self._momenta,
            "residual": self._residuals,
            "states": self._further,
        }

    def everything(self) -> list[Sequence[Panel]]:
        """Return rows: states, energies, drive forces and residuals where there are some."""
        driven = bool(self._run.tau().any())
        forces = self._forces() if driven else []
        beside = self._drift() if not driven else forces.pop(0)
        rows: list[Sequence[Panel]] = [*self._states(), (self._energies(), beside)]
        rows += _in_pairs(forces)
        rows += _in_pairs(self._further()) if self._run.states else []
        if not self._run.system.row_names:
            return rows
        return rows + _in_pairs([panel for panel in self._residuals() if not is_noise(panel)])

    def chosen(self, what: What) -> list[Panel]:
        """Return the panels of these names and formulas."""
        if not _is_list(what) or not all(isinstance(item, str) or _is_texts(item) for item in what):
            raise ModelError(
                "plot: what must be a list of names and formulas, e.g. ['q', 'energy', 'v.elbow'], "
                f"got {what!r}"
            )
        panels: list[Panel] = []
        for item in what:
            if isinstance(item, str) and item in self._known:
                panels += self._known[item]()
            else:
                panels.append(self._formulas([item] if isinstance(item, str) else item))
        return panels

    @cached_property
    def _dense(self) -> tuple[Array, Array, Array]:
        run = self._run
        if run.stored_only:
            return run.t, run.q, run.v
        return dense_states(run.t, run.q, run.v, run.at)

    def _states(self) -> list[tuple[Panel, Panel]]:
        return state_rows(self._run.system, *self._dense)

    def _further(self) -> list[Panel]:
        """Return the further states, one panel per unit."""
        names = tuple(self._run.states)
        if not names:
            raise ModelError(f"plot: {self._run.system.name!r} has no further states")
        along, units = self._run.along(*self._dense), self._run.units["states"]
        values = np.column_stack([along.expression(name) for name in names])
        titles = dict.fromkeys(units, "States")
        return unit_panels(titles, self._dense[0], values, names, units)

    def _forces(self) -> list[Panel]:
        """Return the forces of the actuated joints; of all where none is."""
        t, tau = self._dense[0], self._run.along(*self._dense).tau()
        driven = np.flatnonzero(tau.any(axis=0)) if tau.any() else np.arange(tau.shape[1])
        names, units = self._run.names["v"], self._run.units["tau"]
        chosen = [names[k] for k in driven], [units[k] for k in driven]
        return unit_panels(FORCES, t, tau[:, driven], *chosen)

    def _accelerations(self) -> list[Panel]:
        t, a = self._dense[0], self._run.along(*self._dense).acceleration()
        return unit_panels(_RATES, t, a, self._run.names["v"], self._run.units["a"])

    def _energies(self) -> Panel:
        (t, q, v), system = self._dense, self._run.system
        given = self._given()
        kinetic = system.kinetic_energy(q, v, parameters=given)
        potential = system.potential_energy(q, parameters=given)
        return energy_panel(t, np.asarray(kinetic), np.asarray(potential))

    def _given(self) -> Mapping[str, Any] | None:
        """Return the free parameters; None where the system has them folded in."""
        return self._run.parameters if self._run.system.free else None

    def _drift(self) -> Panel:
        return drift_panel(self._run.t, self._run.kinetic_energy(), self._run.potential_energy())

    def _momenta(self) -> list[Panel]:
        t, q, v = self._dense
        momentum = self._run.system.momentum(q, v, parameters=self._given())
        units = ["N s"] * 3 + ["N m s"] * 3
        return unit_panels(_MOMENTA, t, momentum, ["x", "y", "z"] * 2, units)

    def _residuals(self) -> list[Panel]:
        mechanism, t = self._run.system.mechanism, self._run.t
        if not mechanism.closures:
            raise ModelError(
                f"plot: {mechanism.name!r} has no loops or constraints, so there is no 'residual'"
            )
        panels = []
        for what, unit, values in (
            ("positions", "m, rad", self._run.constraint_residual()),
            ("velocities", "m/s, rad/s", self._run.constraint_rate()),
        ):
            title = f"Loops and constraints: residual of {what}"
            named = zip(mechanism.closures, mechanism.row_slices, strict=True)
            residuals = {constraint.name: values[:, rows] for constraint, rows in named}
            panels.append(residual_panel(title, unit, t, residuals))
        return panels

    def _formulas(self, texts: Sequence[str]) -> Panel:
        t = self._dense[0]
        along = self._run.along(*self._dense)
        curves = []
        for text in texts:
            try:
                values = along.expression(text)
            except FormulaError as error:
                words = ", ".join(self._known)
                raise FormulaError(f"{error}\nplot also knows the words {words}") from None
            if values.ndim != 1:
                raise ModelError(f"plot: {text!r} must be one number, got shape {values.shape[1:]}")
            is_angle = text.startswith("angle.") and np.isfinite(values).all()
            curves.append(PlottedCurve(text, np.unwrap(values) if is_angle else values))
        units = {unit_of(self._run.names, self._run.units, text) for text in texts}
        unit = units.pop() if len(units) == 1 else ""
        title = ", ".join(curve.label for curve in curves)
        if len(curves) == 1:
            curves = [PlottedCurve("", curves[0].values)]
        return Panel(title, unit, t, tuple(curves))


def unit_of(
    names: Mapping[str, Sequence[str]], units: Mapping[str, Sequence[str]], text: str
) -> str:
    """Return the unit of a name of q, v, a or tau, or of an angle; empty for a formula.

    Args:
        names: Names of the entries of "q" and "v".
        units: Units of the entries of "q", "v", "a" and "tau".
        text: The name.
    """
    known = dict(zip(names["q"], units["q"], strict=True))
    for key in ("q", "v", "a", "tau"):
        entries = zip(names["q" if key == "q" else "v"], units[key], strict=True)
        known |= {f"{key}.{name}": unit for name, unit in entries}
    known |= dict(zip(names.get("states", ()), units.get("states", ()), strict=True))
    return known.get(text, "rad" if text.startswith("angle.") else "")


def is_noise(panel: Panel) -> bool:
    """Say whether the curves are not above rounding."""
    return all(np.nanmax(curve.values) < _NOISE for curve in panel.curves)


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) > 0


def _is_texts(value: Sequence[str]) -> bool:
    return _is_list(value) and all(isinstance(text, str) for text in value)


def _in_pairs(panels: Sequence[Panel]) -> list[Sequence[Panel]]:
    return [panels[k : k + 2] for k in range(0, len(panels), 2)]
