"""Which adapter takes which cases."""

from tests.cases.chain import chain
from tests.cases.five_body_table import five_body_table
from tests.cases.heavytop import heavytop
from tests.cases.low_pair_chain import low_pair_chain
from tests.cases.puma560 import puma560
from tests.cases.rrp_open import rrp_open
from tests.cases.screw_algebra import screw_algebra
from tests.cases.tree_dynamics import tree_dynamics

BY_KIND = {
    "five_body_table": five_body_table,
    "low_pair_chain": low_pair_chain,
    "rrp_open": rrp_open,
    "screw_algebra": screw_algebra,
    "tree_dynamics": tree_dynamics,
}
"""Of cases with a ``kind``."""

BY_PREFIX = {"chain": chain, "heavytop": heavytop, "puma560": puma560}
"""Of cases without one, by what stands before the first ``-`` of their id."""
