"""Many runs as a data set of xarray."""

from __future__ import annotations

from typing import Any

from poinsot.front.runs_states import RecordedRuns
from poinsot.io.optional_packages import imported
from poinsot.simulation.files.saved_simulation import accuracy_tree

__all__ = ["xarray_of_runs"]


def xarray_of_runs(runs: RecordedRuns) -> Any:  # noqa: ANN401
    """Return a Dataset; see ``Runs.to_xarray``."""
    xr = imported("xarray", "data", "to_xarray")
    names, units = runs.names, runs.units
    over = ("run",) if len(runs.shape) == 1 else tuple(f"run_{k}" for k in range(len(runs.shape)))
    energy = {"units": "J"}
    data = {
        "q": ((*over, "t", "coordinate"), runs.q, {"long_name": "configuration"}),
        "v": ((*over, "t", "velocity"), runs.v, {"long_name": "velocity"}),
        "kinetic_energy": ((*over, "t"), runs.kinetic_energy(), energy),
        "potential_energy": ((*over, "t"), runs.potential_energy(), energy),
        "ok": (over, runs.ok, {"long_name": "reached the end"}),
        "reached": (over, runs.reached, {"units": "s", "long_name": "time of the last state"}),
    }
    data |= {name: ((*over, "t"), values, {}) for name, values in runs.states.items()}
    coords = {
        "t": ("t", runs.t, {"units": "s", "long_name": "time"}),
        "coordinate": ("coordinate", list(names["q"])),
        "velocity": ("velocity", list(names["v"])),
        "coordinate_units": ("coordinate", list(units["q"])),
        "velocity_units": ("velocity", list(units["v"])),
        **{name: (over, values) for name, values in runs.parameters.items()},
    }
    kept = {key: value for key, value in accuracy_tree(runs.accuracy).items() if value is not None}
    return xr.Dataset(data, coords, {"system": runs.system.name, **kept})
