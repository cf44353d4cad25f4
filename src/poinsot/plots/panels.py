"""What the axes of a figure show: named curves of one unit over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from poinsot.plots.run_like import SystemLike
from poinsot.plots.series import rows_of
from poinsot.spatial import Array

__all__ = [
    "Panel",
    "PlottedCurve",
    "drift_panel",
    "energy_panel",
    "residual_panel",
    "state_rows",
    "unit_panels",
]

_FAR = 3.0
"""A potential energy above so many times its changes is shown less its first value."""

_LEAST = 1e-17
"""Residuals below it are drawn there: zero has no logarithm."""


@dataclass(frozen=True, eq=False)
class PlottedCurve:
    """Values over time, shape (n,), and their label."""

    label: str
    values: Array
    dashed: bool = False


@dataclass(frozen=True, eq=False)
class Panel:
    """Curves of one unit, which share their axes.

    Attributes:
        title: What they are.
        unit: Their unit.
        t: Times [s], shape (n,).
        curves: The curves.
        log: Whether their sizes are on a logarithmic scale.
    """

    title: str
    unit: str
    t: Array
    curves: tuple[PlottedCurve, ...]
    log: bool = False

    def at(self, rows: Array | Sequence[int]) -> "Panel":
        """Return it with these of its times only."""
        curves = tuple(replace(curve, values=curve.values[rows]) for curve in self.curves)
        return replace(self, t=self.t[rows], curves=curves)


def state_rows(system: SystemLike, t: Array, q: Array, v: Array) -> list[tuple[Panel, Panel]]:
    """Return coordinates of each kind, and beside them the velocities that belong to them."""
    rows = []
    for row in rows_of(system):
        pair = [
            Panel(group.title, group.unit, t,
                  tuple(PlottedCurve(curve.label, values[:, curve.column])
                        for curve in group.curves))
            for group, values in ((row.q, q), (row.v, v))
        ]  # fmt: skip
        rows.append((pair[0], pair[1]))
    return rows


def unit_panels(
    titles: Mapping[str, str], t: Array, values: Array, names: Sequence[str], units: Sequence[str]
) -> list[Panel]:
    """Return the columns of an array, one panel per unit.

    Args:
        titles: A title by unit.
        t: Times [s], shape (n,).
        values: The array, shape (n, k).
        names: Of the columns.
        units: Of the columns.
    """
    panels = []
    for unit in dict.fromkeys(units):
        columns = [k for k, other in enumerate(units) if other == unit]
        curves = tuple(PlottedCurve(names[k], values[:, k]) for k in columns)
        panels.append(Panel(titles.get(unit, ""), unit, t, curves))
    return panels


def energy_panel(t: Array, kinetic: Array, potential: Array) -> Panel:
    """Return both energies and their sum."""
    # Far from zero, the changes of the potential energy would not be seen beside its value.
    away = float(potential[0]) if _is_far(potential, kinetic) else 0.0
    less = f" {'less' if away > 0.0 else 'plus'} {abs(away):.4g} J" if away else ""
    curves = (
        PlottedCurve("kinetic", kinetic),
        PlottedCurve(f"potential{less}", potential - away),
        PlottedCurve(f"total{less}", kinetic + potential - away, dashed=True),
    )
    return Panel("Energies", "J", t, curves)


def drift_panel(t: Array, kinetic: Array, potential: Array) -> Panel:
    """Return the change of the total energy at stored states, where the run answers for it."""
    total = kinetic + potential
    drift = total - total[0]
    largest = float(np.max(kinetic[np.isfinite(kinetic)], initial=0.0))
    if largest > 0.0:
        title = "Change of total / largest kinetic energy"
        return Panel(title, "1", t, (PlottedCurve("", drift / largest),))
    return Panel("Change of total energy (nothing moves)", "J", t, (PlottedCurve("", drift),))


def residual_panel(title: str, unit: str, t: Array, residuals: Mapping[str, Array]) -> Panel:
    """Return the residuals of loops and constraints: of each the largest row.

    Args:
        title: Title of the panel.
        unit: Their unit.
        t: Times [s], shape (n,).
        residuals: By name the rows of each, shape (n, rows).
    """
    curves = tuple(
        PlottedCurve(name, np.maximum(np.max(np.abs(rows), axis=1), _LEAST))
        for name, rows in residuals.items()
        if rows.shape[1]
    )
    return Panel(title, unit, t, curves, log=True)


def _is_far(potential: Array, kinetic: Array) -> bool:
    both = np.concatenate([potential - potential[0], kinetic])
    changes = float(np.max(np.abs(both[np.isfinite(both)]), initial=0.0))
    return abs(float(potential[0])) > _FAR * changes > 0.0
