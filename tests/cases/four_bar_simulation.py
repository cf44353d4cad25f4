"""The planar four-bar of hinges H1 to H4, moved by gravity, loads and a drive torque, by units."""

import numpy as np

import poinsot as ps
from tests.cases.planar_units import four_bar_linkage

ACCURACY = {"rtol": 1e-12, "atol": 1e-12}


def four_bar_simulation(case):
    """Return angle, rate and energy of the driven link at the times."""
    given, bar = case["given"], case["given"]["fourbar"]
    mechanism = ps.PlanarMechanism(four_bar_linkage(bar), {"H3": bar["M"]})
    loads = {str(k): load for k, load in enumerate(bar["loads_at_com"], start=1) if np.any(load)}
    times = [float(row["t"]) for row in case["expect"]]
    run = mechanism.simulate(
        [given["q0"]], [given["qd0"]], max(times), tau=[given["M_d"]], loads=loads,
        save=np.array([0.0, *times]), **ACCURACY,
    )  # fmt: skip
    rows = zip(times, run.q[1:, 0], run.v[1:, 0], run.energy()[1:], strict=True)
    return [dict(zip(("t", "q", "qd", "mechanical_energy"), row, strict=True)) for row in rows]
