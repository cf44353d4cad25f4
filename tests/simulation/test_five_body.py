"""The planar tree of five bodies of Huang 1997: every number that the paper prints."""

import json
import re
from fractions import Fraction
from pathlib import Path

import numpy as np

import poinsot as ps

CASE = json.loads((Path(__file__).parents[1] / "data" / "five_body_table.json").read_text())[
    "cases"
][0]


def value(text):
    """Return "8/3 m l^2" as a number, with m and l of the case both 1."""
    assert CASE["model"]["m"] == CASE["model"]["l"] == 1.0
    number = re.sub(r" *m? *l?(\^2)?$", "", text)
    return float(Fraction({"": "1", "-": "-1"}.get(number, number)))


def five_bodies():
    """Return the tree; body frames sit at the joints, x along the rod."""
    model = CASE["model"]
    com = [value(text) for text in model["d_jj_x"]]
    bodies = []
    for j, parent in enumerate(model["parent"], start=1):
        along = com[parent - 1] + value(model["d_parent_x"][f"{parent}{j}"]) if parent else 0.0
        inertia = value(model["inertia_zz_about_com"][j - 1])
        bodies.append(
            ps.Body(
                f"body {j}",
                parent=f"body {parent}" if parent else "world",
                joint=ps.Revolute("z"),
                pose=ps.Pose((along, 0.0, 0.0)),
                mass=value(model["mass"][j - 1]),
                com=(com[j - 1], 0.0, 0.0),
                inertia=(0.0, inertia, inertia),
            )
        )
    return ps.System("five bodies", bodies, gravity=(0.0, -model["g"], 0.0))


def test_every_printed_number():
    """Check all 100 numbers within half a unit of their fourth digit."""
    initial, expected = CASE["initial"], CASE["expected"]
    q, v = np.radians(initial["q_deg"]), np.radians(initial["v_deg_per_s"])
    times = np.array(expected["t"])
    run = ps.simulate(five_bodies(), q, v, duration=float(times[-1]), save=times)
    rates = expected[next(key for key in expected if key.startswith("v"))]
    printed = np.hstack([expected["q_deg"], rates])
    assert printed.size == 100
    unit = 10.0 ** (np.floor(np.log10(np.abs(printed))) - 3.0)
    found = np.degrees(np.hstack([run.q, run.v]))
    assert (np.abs(found - printed) <= 0.5 * unit * (1.0 + 1e-9)).all()
