"""Graphs of bodies given by their parents and the joints that are cut."""

import numpy as np

import poinsot as ps
from tests.cases.neutral import name_of

ANYWHERE = ps.Pose()
"""Where the joints are cut does not matter."""


def topology(case):
    """Return incidence, path and loop matrix."""
    inputs = case["inputs"]
    bodies = [
        ps.Body(name_of(i), name_of(parent), ps.Revolute())
        for i, parent in enumerate(inputs["parents"], start=1)
    ]
    loops = []
    for r, cut in enumerate(inputs.get("cut_joints", ())):
        first, second = ((name_of(cut[side]), ANYWHERE) for side in ("plus", "minus"))
        loops.append(ps.Loop(f"cut {r}", first, second, ps.Revolute()))
    found = ps.System("graph", bodies, loops=loops).graph_matrices()
    return {"S": np.asarray(found.S), "T": np.asarray(found.T), "U": np.asarray(found.U)}
