"""A platform on six legs of given lengths: all poses in which it can be assembled."""

import numpy as np

import poinsot as ps
from tests.cases.contract import Unsupported

EQUATION = "|R x_i + t - X_i| = L_i"
STARTS = 1500
"""Random guesses from which poses are looked for."""


def platform(case):
    """Return the number of poses that are found, and those of them that are listed."""
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
    poses = system.assembly_modes(system.neutral(), joints=[], starts=STARTS)
    found = {"some": _in_order_of(np.array(reference.get("some", [])), poses)}
    found["number_of_real_poses"] = len(poses)
    return {key: value for key, value in found.items() if key in reference}


def _in_order_of(listed, poses):
    """Return for each listed pose [quaternion, t] the one found that is nearest to it."""
    both = [[*(sign * q[3:]), *q[:3]] for q in poses for sign in (1.0, -1.0)]
    return [min(both, key=lambda pose, one=one: np.linalg.norm(pose - one)) for one in listed]
