"""Screws in several frames: transforms, wrenches and velocities of Liu (1988), eq. (1)-(13)."""

import re

import numpy as np

import poinsot as ps
from poinsot.spatial import Transform, cross_force_matrix


def screw_algebra(case):
    """Return the expected transforms and screws; frames are given in common coordinates."""
    inputs = case["inputs"]
    frames = {
        name: ps.Pose(frame["origin"], quat=frame["quaternion"]).transform()
        for name, frame in inputs["frames"].items()
    }
    at_point = Transform.translation(inputs["force_point"])
    wrench = at_point.force_to_parent([*inputs["force"], *inputs["couple"]])
    given = next(key for key in inputs if key.startswith("velocity_screw_"))
    own = frames[given.removeprefix("velocity_screw_")]
    velocity = own.motion_to_parent(inputs[given])
    name = "|".join(sorted(map(re.escape, frames), key=len, reverse=True))
    rules = (
        (rf"Ahat_({name})({name})", lambda i, j: between(frames, i, j)),
        (rf"Ahat_({name})({name})_inverse", lambda i, j: between(frames, j, i)),
        (
            rf"Ahat_({name})({name})_via_({name})",
            lambda i, j, k: between(frames, i, k) @ between(frames, k, j),
        ),
        (rf"wrench_screw_in_({name})", lambda i: frames[i].force_to_child(wrench)),
        (rf"velocity_screw_(?:in_)?({name})", lambda i: frames[i].motion_to_child(velocity)),
        (
            rf"velocity_square_matrix_({name})",
            lambda i: cross_force_matrix(frames[i].motion_to_child(velocity)),
        ),
        (r"power", lambda: float(np.dot(wrench, velocity))),
    )
    found = {}
    for key in case["expected"]:
        for pattern, compute in rules:
            match = re.fullmatch(pattern, key)
            if match:
                found[key] = compute(*match.groups())
    return found


def between(frames, i, j):
    """Return the screw transform from frame j to frame i."""
    return (frames[i].inverse() @ frames[j]).force_matrix()
