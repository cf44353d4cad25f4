"""Runs as tables of pandas and data sets of xarray."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from poinsot.evaluate.expression import Expression
from poinsot.front.motion_tables import further_columns
from poinsot.front.run_quantities import RunQuantities
from poinsot.io.optional_packages import imported
from poinsot.simulation.files.saved_simulation import accuracy_tree

__all__ = ["pandas_table", "xarray_data"]


def pandas_table(run: RunQuantities, more: Mapping[str, Expression]) -> Any:  # noqa: ANN401
    """Return a DataFrame; see ``Run.to_pandas``."""
    pd = imported("pandas", "data", "to_pandas")
    columns, units = {}, {"t": "s"}
    for key, array in (("q", run.q), ("v", run.v)):
        for k, (name, unit) in enumerate(zip(run.names[key], run.units[key], strict=True)):
            columns[f"{key}.{name}"] = array[:, k]
            units[f"{key}.{name}"] = unit
    columns |= run.states
    units |= dict(zip(run.states, run.units.get("states", ()), strict=True))
    columns |= {name: x.values for name, x in further_columns(run, more, columns).items()}
    table = pd.DataFrame(columns, index=pd.Index(run.t, name="t"))
    table.attrs.update(_settings(run), units=units)
    return table


def xarray_data(run: RunQuantities, more: Mapping[str, Expression]) -> Any:  # noqa: ANN401
    """Return a Dataset; see ``Run.to_xarray``."""
    xr = imported("xarray", "data", "to_xarray")
    names, units = run.names, run.units
    energy = {"units": "J"}
    data: dict[str, Any] = {
        "q": (("t", "coordinate"), run.q, {"long_name": "configuration"}),
        "v": (("t", "velocity"), run.v, {"long_name": "velocity"}),
        "kinetic_energy": ("t", run.kinetic_energy(), energy),
        "potential_energy": ("t", run.potential_energy(), energy),
    }
    units_of = zip(run.states.items(), units.get("states", ()), strict=True)
    data |= {name: ("t", values, {"units": unit}) for (name, values), unit in units_of}
    data |= {key: ("t", x.values) for key, x in further_columns(run, more, data).items()}
    coords = {
        "t": ("t", run.t, {"units": "s", "long_name": "time"}),
        "coordinate": ("coordinate", list(names["q"])),
        "velocity": ("velocity", list(names["v"])),
        "coordinate_units": ("coordinate", list(units["q"])),
        "velocity_units": ("velocity", list(units["v"])),
    }
    return xr.Dataset(data, coords, _settings(run))


def _settings(run: RunQuantities) -> dict[str, Any]:
    """Return the settings of the run as numbers and texts, which files of both packages store."""
    statistics, parameters = run.statistics, run.parameters
    kept = {key: value for key, value in accuracy_tree(run.accuracy).items() if value is not None}
    return {
        "system": run.system.name,
        **kept,
        **{f"parameter {name}": value for name, value in parameters.items()},
        "status": run.status.outcome.value,
        "message": run.status.message,
        "steps": statistics.steps,
        "rejected": statistics.rejected,
        "evaluations": statistics.evaluations,
    }
