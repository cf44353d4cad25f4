"""The planar four-bar linkage, assembled from the angle of its crank."""

import re

from poinsot.library import four_bar_configuration
from tests.cases.contract import Unsupported
from tests.cases.cut_joints import loops_of
from tests.cases.loop_dynamics import loop_dynamics
from tests.cases.neutral import system_of


def four_bar(case):
    """Return the closed position, rates, accelerations, energies and the force in the cut pin."""
    inputs = case["inputs"]
    near = four_bar_configuration(
        inputs["theta1"],
        lengths=inputs["link_lengths"],
        ground=inputs["ground_distance"],
        branch=_branch(inputs),
    )
    system = system_of(case["system"], loops=loops_of(case, system_of(case["system"]), near))
    crank = system.joint_names[0]
    q = system.assemble(near, joints=[crank])
    v = system.consistent_velocity(q, [inputs["theta1_dot"], 0.0, 0.0], joints=[crank])
    return loop_dynamics({**case, "state": {"q": q, "qd": v}}) | {"q": q, "qd": v}


def _branch(inputs):
    """Return the branch: given, or as the note says, ``angle(BD)+acos(...)`` or ``-acos``."""
    if "branch" in inputs:
        return int(inputs["branch"])
    sign = re.search(r"angle\(BD\) *([+-]) *acos", inputs.get("note", ""))
    if sign is None:
        raise Unsupported("four-bar: the assembly branch is not given")
    return 1 if sign[1] == "+" else -1
