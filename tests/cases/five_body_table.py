"""Planar trees of rods whose motion a paper prints as a table.

A case may name the formulation, ``"method": "lagrange"``; SciPy then integrates it.
"""

import numpy as np
from scipy.integrate import solve_ivp

import poinsot as ps
from tests.cases.numbers import number


def five_body_table(case):
    """Return angles and rates [deg] at the printed times."""
    initial, times = case["initial"], np.array(case["expected"]["t"], float)
    q, v = np.radians(initial["q_deg"]), np.radians(initial["v_deg_per_s"])
    if "method" in case:
        y = integrated(tree(case["model"]), case["method"], np.concatenate([q, v]), times)
        return {"t": times, **dict(zip(("q_deg", "v_deg_per_s"), np.degrees(y), strict=True))}
    run = ps.simulate(tree(case["model"]), q, v, times[-1], save=times, rtol=1e-10)
    return {"t": run.t, "q_deg": np.degrees(run.q), "v_deg_per_s": np.degrees(run.v)}


def integrated(system, method, y, times):
    """Return angles and rates [rad] at the times, shape (2, number of them, nv)."""
    n = system.nv

    def rate(t, y):
        return np.concatenate([y[n:], system.forward_dynamics(y[:n], y[n:], method=method)])

    options = {"method": "DOP853", "rtol": 1e-9, "atol": 1e-10}
    found = solve_ivp(rate, (0.0, times[-1]), y, t_eval=times, **options)
    return np.stack([found.y[:n].T, found.y[n:].T])


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
