"""Published kinematics of linkages, described in words."""

from tests.cases.contract import Unsupported
from tests.cases.kin_bennett import bennett_linkage
from tests.cases.kin_jansen import jansen
from tests.cases.kin_platform import platform
from tests.cases.kin_textbook import textbook

LINKAGES = (
    ({"a", "b", "alpha_deg", "beta_deg", "theta1"}, bennett_linkage),
    ({"base", "platform", "leg_lengths"}, platform),
    ({"lengths", "points"}, jansen),
    ({"fourbar"}, textbook),
    ({"slider"}, textbook),
)
"""What a description must have, and who understands it."""


def kin(case):
    """Return positions and velocities of the linkage that the case describes."""
    for keys, adapter in LINKAGES:
        if keys <= set(case["model"]):
            return adapter(case)
    raise Unsupported("kinematics of this linkage: not supported yet")
