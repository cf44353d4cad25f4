"""The planar slider-crank under a constant torque of the crank."""

import numpy as np

from poinsot.library import slider_crank, slider_crank_configuration
from tests.cases.contract import Unsupported
from tests.cases.motion import columns_of, filled, motion, tables_of

COLUMNS = {
    "theta": lambda q, v: q[0],
    "theta_dot": lambda q, v: v[0],
    "slider x": lambda q, v: q[2],
    "slider xdot": lambda q, v: v[2],
}


def slidercrank2d(case):
    """Return the motion of crank and slider at the times of every row."""
    model, reference = case["model"], case["reference"]
    if model["rods"] != "uniform slender":
        raise Unsupported(f"rods {model['rods']!r}: not understood")
    size = {"crank": model["crank_length"], "rod_length": model["rod_length"]}
    masses = [model[f"{part}_mass"] for part in ("crank", "rod", "slider")]
    system = slider_crank(**size, masses=masses, g=model["g"])
    q = slider_crank_configuration(model["theta0"], **size)
    v = system.consistent_velocity(q, [model["omega0"], 0.0, 0.0], joints=["crank"])
    columns, tables = columns_of(reference["columns"], COLUMNS), tables_of(reference)
    times = np.concatenate(list(tables.values()))
    run = motion(system, q, v, times, tau=[model["torque"], 0.0, 0.0])
    return filled(run, columns, reference, tables)
