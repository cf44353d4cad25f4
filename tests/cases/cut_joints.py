"""Joints that close loops, given by frames on both bodies, by points, or by a place at a state."""

import numpy as np

import poinsot as ps
from poinsot.spatial import Transform
from tests.cases.contract import Unsupported
from tests.cases.neutral import joint_of, name_of, pose_of

PLACE = {
    "plus", "minus", "point_inertial",
    *(f"{what}_{side}" for what in ("point_on", "cut_frame_on") for side in ("plus", "minus")),
}  # fmt: skip
"""Where a cut joint is; all else in its description says what it is."""


def cuts_of(case):
    """Return the descriptions of the cut joints: ``cut_joints``, or a single ``cut_joint``."""
    return case["cut_joints"] if "cut_joints" in case else [case["cut_joint"]]


def loops_of(case, tree, q, R=None):
    """Return the loops of a case: the plus body carries the minus body.

    A cut joint given by frames has its axes in the cut frame; one given by points has them in the
    axes of the plus body, one given by a place in inertial axes, and its frames coincide at q.

    Args:
        case: Its cut joints are read.
        tree: The system without loops.
        q: The state at which points and places are given.
        R: Rotation of the base, base to inertial axes; none by default.
    """
    R = np.eye(3) if R is None else R
    loops = []
    for r, cut in enumerate(cuts_of(case)):
        sides = {side: name_of(cut[side]) for side in ("plus", "minus")}
        X = {side: pose_at(tree, name, q) for side, name in sides.items()}
        if "cut_frame_on_minus" in cut:
            frames = {side: pose_of(cut[f"cut_frame_on_{side}"]) for side in sides}
        elif "point_on_minus" in cut:
            turn = X["minus"].R.T @ X["plus"].R
            frames = {
                "plus": ps.Pose(cut["point_on_plus"]),
                "minus": ps.Pose(cut["point_on_minus"], matrix=turn),
            }
        elif "point_inertial" in cut:
            place = Transform(R.T, R.T @ np.array(cut["point_inertial"], float))
            inside = {side: pose.inverse() @ place for side, pose in X.items()}
            frames = {side: ps.Pose(pose.p, matrix=pose.R) for side, pose in inside.items()}
        else:
            raise Unsupported(f"cut joint {r + 1}: frames or points are not given")
        ends = [(sides[side], frames[side]) for side in ("plus", "minus")]
        loops.append(ps.Loop(f"cut {r + 1}", *ends, joint_of(_joint(cut))))
    return loops


def pose_at(tree, name, q):
    """Return the pose of a body, or of the base, in base coordinates."""
    if name == "world":
        return Transform.identity()
    matrix = tree.pose(name, q)
    return Transform(matrix[:3, :3], matrix[:3, 3])


def _joint(cut):
    """Return the description as one of a joint of the tree: "axis_in_cut_frame" is its axis."""
    if "control" in cut:
        raise Unsupported("control of a cut joint")
    own = {key: value for key, value in cut.items() if key not in PLACE}
    return {key.removesuffix("_in_cut_frame"): value for key, value in own.items()}
