"""Planar trees of rods whose motion a paper prints as a table."""

import numpy as np

import poinsot as ps
from tests.cases.numbers import number


def five_body_table(case):
    """Return angles and rates [deg] at the printed times."""
    initial, times = case["initial"], np.array(case["expected"]["t"], float)
    q, v = np.radians(initial["q_deg"]), np.radians(initial["v_deg_per_s"])
    run = ps.simulate(tree(case["model"]), q, v, times[-1], save=times, rtol=1e-10)
    return {"t": run.t, "q_deg": np.degrees(run.q), "v_deg_per_s": np.degrees(run.v)}


def tree(model):
    """Return the tree; body frames sit at the joints, x along the rod."""
    names = {"m": model["m"], "l": model["l"]}
    com = [number(text, **names) for text in model["d_jj_x"]]
    bodies = []
    for j, parent in enumerate(model["parent"], start=1):
        along = 0.0
        if parent:
            along = com[parent - 1] + number(model["d_parent_x"][f"{parent}{j}"], **names)
        moment = number(model["inertia_zz_about_com"][j - 1], **names)
        bodies.append(
            ps.Body(
                f"body {j}",
                parent=f"body {parent}" if parent else "world",
                joint=ps.Revolute("z"),
                pose=ps.Pose((along, 0.0, 0.0)),
                mass=number(model["mass"][j - 1], **names),
                com=(com[j - 1], 0.0, 0.0),
                inertia=(0.0, moment, moment),
            )
        )
    return ps.System("planar tree", bodies, gravity=(0.0, -model["g"], 0.0))
