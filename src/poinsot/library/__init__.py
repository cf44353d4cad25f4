"""Ready mechanisms, one per file.

>>> from poinsot.library import humanoid
>>> humanoid().nv
36
"""

from poinsot.front.serial_arms import from_dh, from_joint_table, from_low_pairs, from_mdh
from poinsot.library.andrews_squeezer import andrews_squeezer, andrews_squeezer_configuration
from poinsot.library.balancing_robot import balancing_robot, balancing_robot_state
from poinsot.library.ball_in_bowl import ball_in_bowl, ball_in_bowl_state
from poinsot.library.bead_column import bead_column, bead_column_contacts
from poinsot.library.bennett import bennett, bennett_configuration
from poinsot.library.bicycle import bicycle, bicycle_state
from poinsot.library.bouncing_double_pendulum import (
    bouncing_double_pendulum,
    bouncing_double_pendulum_contacts,
)
from poinsot.library.bricard import bricard, bricard_configuration
from poinsot.library.cam_and_follower import cam_and_follower
from poinsot.library.cart_pole import cart_pole
from poinsot.library.chain import chain
from poinsot.library.chaplygin_sleigh import chaplygin_sleigh, chaplygin_sleigh_state
from poinsot.library.cooperating_arms import cooperating_arms, cooperating_arms_configuration
from poinsot.library.delta_robot import delta_robot, delta_robot_configuration
from poinsot.library.double_pendulum import double_pendulum
from poinsot.library.double_wishbone import double_wishbone
from poinsot.library.five_body_tree import five_body_tree
from poinsot.library.four_bar import four_bar, four_bar_configuration
from poinsot.library.furuta_pendulum import furuta_pendulum
from poinsot.library.gantry_crane import gantry_crane
from poinsot.library.heavy_top import heavy_top
from poinsot.library.hoberman_ring import hoberman_ring, hoberman_ring_configuration
from poinsot.library.humanoid import humanoid
from poinsot.library.jansen_leg import jansen_leg, jansen_leg_configuration, jansen_leg_points
from poinsot.library.landing_leg import landing_leg, landing_leg_contacts, landing_leg_state
from poinsot.library.n_four_bar import n_four_bar, n_four_bar_state
from poinsot.library.n_link_pendulum import n_link_pendulum
from poinsot.library.newtons_cradle import newtons_cradle, newtons_cradle_contacts
from poinsot.library.peaucellier import peaucellier, peaucellier_configuration
from poinsot.library.pendulum import pendulum
from poinsot.library.planar_linkages import planar_linkage
from poinsot.library.planetary_gear import planetary_gear
from poinsot.library.puma560 import puma560
from poinsot.library.rattleback import rattleback, rattleback_state
from poinsot.library.rolling_disc import rolling_disc, rolling_disc_state
from poinsot.library.rover import rover, rover_state
from poinsot.library.rrp_arm import rrp_arm
from poinsot.library.rrp_arm_on_rail import circular_rail, rrp_arm_at, rrp_arm_on_rail
from poinsot.library.satellite import satellite
from poinsot.library.scara import scara
from poinsot.library.scissor_lift import scissor_lift, scissor_lift_configuration
from poinsot.library.seven_joint_arm import seven_joint_arm
from poinsot.library.skateboard import skateboard, skateboard_state
from poinsot.library.slider_crank import slider_crank, slider_crank_configuration
from poinsot.library.stephenson import stephenson, stephenson_configuration
from poinsot.library.stewart_platform import stewart_platform, stewart_platform_configuration
from poinsot.library.three_rrr import three_rrr, three_rrr_configuration
from poinsot.library.two_loops import two_loops, two_loops_configuration
from poinsot.library.watt import watt, watt_configuration

__all__ = [
    "andrews_squeezer",
    "andrews_squeezer_configuration",
    "balancing_robot",
    "balancing_robot_state",
    "ball_in_bowl",
    "ball_in_bowl_state",
    "bead_column",
    "bead_column_contacts",
    "bennett",
    "bennett_configuration",
    "bicycle",
    "bicycle_state",
    "bouncing_double_pendulum",
    "bouncing_double_pendulum_contacts",
    "bricard",
    "bricard_configuration",
    "cam_and_follower",
    "cart_pole",
    "chain",
    "chaplygin_sleigh",
    "chaplygin_sleigh_state",
    "circular_rail",
    "cooperating_arms",
    "cooperating_arms_configuration",
    "delta_robot",
    "delta_robot_configuration",
    "double_pendulum",
    "double_wishbone",
    "five_body_tree",
    "four_bar",
    "four_bar_configuration",
    "from_dh",
    "from_joint_table",
    "from_low_pairs",
    "from_mdh",
    "furuta_pendulum",
    "gantry_crane",
    "heavy_top",
    "hoberman_ring",
    "hoberman_ring_configuration",
    "humanoid",
    "jansen_leg",
    "jansen_leg_configuration",
    "jansen_leg_points",
    "landing_leg",
    "landing_leg_contacts",
    "landing_leg_state",
    "n_four_bar",
    "n_four_bar_state",
    "n_link_pendulum",
    "newtons_cradle",
    "newtons_cradle_contacts",
    "peaucellier",
    "peaucellier_configuration",
    "pendulum",
    "planar_linkage",
    "planetary_gear",
    "puma560",
    "rattleback",
    "rattleback_state",
    "rolling_disc",
    "rolling_disc_state",
    "rover",
    "rover_state",
    "rrp_arm",
    "rrp_arm_at",
    "rrp_arm_on_rail",
    "satellite",
    "scara",
    "scissor_lift",
    "scissor_lift_configuration",
    "seven_joint_arm",
    "skateboard",
    "skateboard_state",
    "slider_crank",
    "slider_crank_configuration",
    "stephenson",
    "stephenson_configuration",
    "stewart_platform",
    "stewart_platform_configuration",
    "three_rrr",
    "three_rrr_configuration",
    "two_loops",
    "two_loops_configuration",
    "watt",
    "watt_configuration",
]
