"""Ready mechanisms, one per file.

>>> from poinsot.library import humanoid
>>> humanoid().nv
36
"""

from poinsot.library.bennett import bennett, bennett_configuration
from poinsot.library.cart_pole import cart_pole
from poinsot.library.chain import chain
from poinsot.library.double_pendulum import double_pendulum
from poinsot.library.five_body_tree import five_body_tree
from poinsot.library.four_bar import four_bar, four_bar_configuration
from poinsot.library.furuta_pendulum import furuta_pendulum
from poinsot.library.heavy_top import heavy_top
from poinsot.library.humanoid import humanoid
from poinsot.library.n_link_pendulum import n_link_pendulum
from poinsot.library.pendulum import pendulum
from poinsot.library.puma560 import puma560
from poinsot.library.rrp_arm import rrp_arm
from poinsot.library.rrp_arm_on_rail import circular_rail, rrp_arm_at, rrp_arm_on_rail
from poinsot.library.satellite import satellite
from poinsot.library.slider_crank import slider_crank, slider_crank_configuration
from poinsot.library.tables import from_dh, from_low_pairs, from_mdh
from poinsot.library.two_loops import two_loops, two_loops_configuration

__all__ = [
    "bennett",
    "bennett_configuration",
    "cart_pole",
    "chain",
    "circular_rail",
    "double_pendulum",
    "five_body_tree",
    "four_bar",
    "four_bar_configuration",
    "from_dh",
    "from_low_pairs",
    "from_mdh",
    "furuta_pendulum",
    "heavy_top",
    "humanoid",
    "n_link_pendulum",
    "pendulum",
    "puma560",
    "rrp_arm",
    "rrp_arm_at",
    "rrp_arm_on_rail",
    "satellite",
    "slider_crank",
    "slider_crank_configuration",
    "two_loops",
    "two_loops_configuration",
]
