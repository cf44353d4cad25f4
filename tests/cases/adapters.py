"""Which adapter takes which cases."""

from tests.cases.adams import adams
from tests.cases.andrews import andrews
from tests.cases.bicycle import bicycle_linear
from tests.cases.chain import chain
from tests.cases.collision import collision, collision_with_friction
from tests.cases.control import control_least_squares, control_pose, control_redundant
from tests.cases.coupling import coupling
from tests.cases.decomposition import decomposition
from tests.cases.five_body_table import five_body_table
from tests.cases.four_bar import four_bar
from tests.cases.four_bar_simulation import four_bar_simulation
from tests.cases.heavytop import heavytop
from tests.cases.holonomic import holonomic
from tests.cases.iftomm import iftomm
from tests.cases.impact import impact
from tests.cases.kin import kin
from tests.cases.loop_dynamics import loop_dynamics
from tests.cases.low_pair_chain import low_pair_chain
from tests.cases.nested_six_bar import six_bar
from tests.cases.paper_chain import (
    chain_coefficients,
    chain_dynamics,
    derivatives,
    linearisation,
    multi_dof,
)
from tests.cases.planar_units import (
    carried_driver,
    dyad_rrr,
    dyads,
    four_bar_forward,
    four_bar_inverse,
    parallel_3rrr,
    relative_driver,
    triads,
)
from tests.cases.puma560 import puma560
from tests.cases.rrp_open import rrp_open
from tests.cases.rrp_rail import rrp_rail
from tests.cases.screw_algebra import screw_algebra
from tests.cases.sections import sections
from tests.cases.slidercrank2d import slidercrank2d
from tests.cases.topology import topology
from tests.cases.tree_dynamics import tree_dynamics
from tests.cases.urdf import urdf
from tests.cases.walker import walker

BY_KIND = {
    "carried_driver": carried_driver,
    "dyad_rrr": dyad_rrr,
    "dyads": dyads,
    "four_bar_forward": four_bar_forward,
    "four_bar_inverse": four_bar_inverse,
    "parallel_3rrr": parallel_3rrr,
    "relative_driver": relative_driver,
    "six_bar": six_bar,
    "triads": triads,
    "chain_coefficients": chain_coefficients,
    "chain_dynamics": chain_dynamics,
    "coupling": coupling,
    "decomposition": decomposition,
    "impact": collision,
    "control_least_squares": control_least_squares,
    "control_pose": control_pose,
    "control_redundant": control_redundant,
    "impact_friction_optional": collision_with_friction,
    "derivatives": derivatives,
    "linearisation": linearisation,
    "multi_dof": multi_dof,
    "tree": chain_dynamics,
    "five_body_table": five_body_table,
    "four_bar": four_bar,
    "four_bar_simulation": four_bar_simulation,
    "holonomic": holonomic,
    "loop_dynamics": loop_dynamics,
    "low_pair_chain": low_pair_chain,
    "rrp_open": rrp_open,
    "rrp_rail": rrp_rail,
    "screw_algebra": screw_algebra,
    "sections": sections,
    "topology": topology,
    "tree_dynamics": tree_dynamics,
}
"""Of cases with a ``kind``."""

BY_PREFIX = {
    "adams": adams,
    "andrews": andrews,
    "bicycle": bicycle_linear,
    "chain": chain,
    "compass": walker,
    "heavytop": heavytop,
    "iftomm": iftomm,
    "impact": impact,
    "kin": kin,
    "puma560": puma560,
    "slidercrank2d": slidercrank2d,
    "urdf": urdf,
    "walker": walker,
}
"""Of cases without one, by what stands before the first ``-`` of their id."""
