"""A platform on six legs of given lengths: all poses in which it can be assembled."""

import numpy as np

import poinsot as ps
from tests.cases.contract import Unsupported

EQUATION = "|R x_i + t - X_i| = L_i"
STARTS = 1500
"""Random guesses from which poses are looked for."""
DECIMALS = 3
"""Of the listed poses, when they are taken as guesses."""


def platform(case):
    """Return the number of poses, and the listed ones from rounded guesses."""
    model, reference = case["model"], case["reference"]
    if model.get("equation", EQUATION) != EQUATION:
        raise Unsupported(f"platform {model['equation']!r}: not understood")
    legs = zip(model["base"], model["platform"], model["leg_lengths"], strict=True)
    system = ps.System(
        "platform",
        [ps.Body("platform", joint=ps.Free(), mass=1.0, inertia=(1.0, 1.0, 1.0))],
        constraints=[
            ps.Distance(f"leg {i}", ("world", foot), ("platform", hold), length)
            for i, (foot, hold, length) in enumerate(legs, start=1)
        ],
    )
    found = {}
    if "some" in reference:
        found["some"] = [_pose(system, np.array(pose, float)) for pose in reference["some"]]
    if "number_of_real_poses" in reference:
        poses = system.assembly_modes(system.neutral(), keep=[], starts=STARTS)
        found["number_of_real_poses"] = len(poses)
    return found


def _pose(system, listed):
    """Return the pose [quaternion, t] near a listed one, its quaternion with the same sign."""
    guess = np.round(listed, DECIMALS)
    quaternion = guess[:4] / np.linalg.norm(guess[:4])
    q = system.assemble([*guess[4:], *quaternion])
    sign = np.sign(q[3:] @ listed[:4])
    return [*(sign * q[3:]), *q[:3]]
