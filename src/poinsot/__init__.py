"""poinsot: the dynamics of systems of rigid bodies, from one description.

>>> import poinsot as ps
>>> rod = ps.Body("rod", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0))
>>> pendulum = ps.System("pendulum", [rod])
>>> pendulum.forward_dynamics([0.1], [0.0]).shape
(1,)
"""

from typing import TYPE_CHECKING

from poinsot.lazy import lazy_names
from poinsot.started import STARTED as _STARTED  # noqa: F401 (the time must be taken here)

if TYPE_CHECKING:
    from poinsot import extending, library
    from poinsot.algebra.formula import Formula
    from poinsot.analysis.base_parameters import BaseParameters
    from poinsot.analysis.contradictions import ConstraintReport
    from poinsot.analysis.mobility import Actuation, Mobility
    from poinsot.analysis.operation_counts import OperationCounts
    from poinsot.errors import (
        ArrayTypeError,
        AssemblyError,
        CacheWarning,
        DriverCountError,
        FormulaError,
        MissingPackageError,
        ModelError,
        ModelWarning,
        OverconstrainedError,
        PoinsotError,
        ProgramError,
        ShapeError,
        SingularUnitError,
    )
    from poinsot.evaluate.added_quantity import add_quantity
    from poinsot.evaluate.call_options import CallOptions, LoadOptions, Loads, SolveOptions
    from poinsot.expr.functions import select
    from poinsot.front.accuracy import accuracy
    from poinsot.front.base_parameters import base_parameters
    from poinsot.front.collide import collide
    from poinsot.front.collide_many import collide_many
    from poinsot.front.collision import Collision
    from poinsot.front.collisions import Collisions
    from poinsot.front.constraints import Multipliers
    from poinsot.front.control import control, pose_programme
    from poinsot.front.control_law import ControlLaw, ControlState
    from poinsot.front.derive import Equations, derive
    from poinsot.front.derive_impact import ImpactEquations, derive_impact
    from poinsot.front.dexterity import Dexterity, ReachableSpace, dexterity, workspace
    from poinsot.front.drive import drive
    from poinsot.front.equilibria import Equilibria
    from poinsot.front.equilibrium import Equilibrium, EquilibriumError, equilibrium
    from poinsot.front.feedback_laws import (
        away_from_limits,
        away_from_obstacle,
        centring,
        impedance,
        limited_law,
        noisy_law,
        pd_gravity,
        sampled_law,
    )
    from poinsot.front.fit import Fit, Measurement, fit
    from poinsot.front.graph_matrices import GraphMatrices
    from poinsot.front.impact import Impact, impact
    from poinsot.front.inverse_kinematics import inverse_kinematics
    from poinsot.front.limit_contacts import contacts_from_limits
    from poinsot.front.linear_feedback import LinearFeedback, lqr
    from poinsot.front.linear_model import LinearModel
    from poinsot.front.linearize import linearize, root_locus
    from poinsot.front.link_loads import link_loads
    from poinsot.front.load_run import load_run
    from poinsot.front.load_study import load_study
    from poinsot.front.model_files import load, save
    from poinsot.front.motion_loads import BearingLoads, MotionLoads, bearing_loads, effort
    from poinsot.front.moving_system import MovingSystem
    from poinsot.front.periodic import PeriodicMotion, periodic
    from poinsot.front.planar_description import from_lengths, load_planar, planar, sketch
    from poinsot.front.planar_mechanism import PlanarMechanism
    from poinsot.front.planned_motion import PlannedMotion
    from poinsot.front.posture import Posture
    from poinsot.front.resume import resume
    from poinsot.front.run import Run
    from poinsot.front.run_sensitivity import RunSensitivity
    from poinsot.front.runs import Runs
    from poinsot.front.runs_sensitivity import RunsSensitivity
    from poinsot.front.section_results import SectionLoad, SectionLoads
    from poinsot.front.section_stress import CrossSection, SectionStress
    from poinsot.front.serial_arms import from_dh, from_joint_table, from_low_pairs, from_mdh
    from poinsot.front.shoot import Shooting, ShootingError, shoot
    from poinsot.front.side_by_side import side_by_side
    from poinsot.front.simulate import simulate
    from poinsot.front.steady_motion import steady_motion
    from poinsot.front.studies import Studies
    from poinsot.front.study import Study
    from poinsot.front.system import System
    from poinsot.front.time_optimal import time_optimal
    from poinsot.front.tool_accuracy import ToolAccuracy
    from poinsot.front.tool_path import ToolPath
    from poinsot.front.trajectories import point_to_point, through_points
    from poinsot.front.walker import Walker, WalkerStep
    from poinsot.front.working_load import WorkingLoad
    from poinsot.impacts.contact import Contact
    from poinsot.impacts.impact_point import ImpactPoint
    from poinsot.impacts.rope import rope
    from poinsot.kernels.export.sources import Sources
    from poinsot.kernels.export.to_sympy import SympyRoutine
    from poinsot.model.bar import Bar
    from poinsot.model.base_motion import BaseMotion
    from poinsot.model.body import Body
    from poinsot.model.connection import Connection
    from poinsot.model.constraints.base import AbstractConstraint
    from poinsot.model.constraints.curve import Curve
    from poinsot.model.constraints.distance import Distance
    from poinsot.model.constraints.gear import Gear
    from poinsot.model.constraints.holonomic import FormulaConstraint, Holonomic
    from poinsot.model.constraints.knife_edge import KnifeEdge
    from poinsot.model.constraints.loop import Loop
    from poinsot.model.constraints.nonholonomic import Nonholonomic, VelocityConstraint
    from poinsot.model.constraints.point_on_curve import PointOnCurve
    from poinsot.model.constraints.prescribed import PrescribedMotion
    from poinsot.model.constraints.prescribed_speed import PointSpeed, PrescribedSpeed
    from poinsot.model.constraints.rack_pinion import RackPinion
    from poinsot.model.constraints.rolling_ball import RollingBall
    from poinsot.model.constraints.rolling_disc import RollingDisc
    from poinsot.model.constraints.rolling_ellipsoid import RollingEllipsoid
    from poinsot.model.constraints.surface import PointOnSurface
    from poinsot.model.forces.actuator import Actuator
    from poinsot.model.forces.base import AbstractForce
    from poinsot.model.forces.bushing import Bushing
    from poinsot.model.forces.constant import ConstantForce
    from poinsot.model.forces.formula import FormulaForce
    from poinsot.model.forces.friction import JointFriction
    from poinsot.model.forces.joint_element import AbstractJointForce
    from poinsot.model.forces.joint_force import JointForce
    from poinsot.model.forces.joint_spring import JointSpring
    from poinsot.model.forces.motor import Motor
    from poinsot.model.forces.spring import Spring
    from poinsot.model.forces.stop import JointStop
    from poinsot.model.forces.tabulated_spring import TabulatedSpring
    from poinsot.model.joints.base import AbstractJoint
    from poinsot.model.joints.cylindrical import Cylindrical
    from poinsot.model.joints.euler import Euler
    from poinsot.model.joints.fixed import Fixed
    from poinsot.model.joints.free import Free
    from poinsot.model.joints.helical import Helical
    from poinsot.model.joints.limits import Limits
    from poinsot.model.joints.mimic import Mimic
    from poinsot.model.joints.planar import Planar
    from poinsot.model.joints.prismatic import Prismatic
    from poinsot.model.joints.revolute import Revolute
    from poinsot.model.joints.spherical import Spherical
    from poinsot.model.joints.translation import Translation
    from poinsot.model.joints.universal import Universal
    from poinsot.model.parameters import symbols
    from poinsot.model.pose import Pose
    from poinsot.model.section import Section
    from poinsot.model.shapes import Box, Capsule, Cylinder, Mesh, Sphere
    from poinsot.model.signal import Signal
    from poinsot.model.states import SampledState, State
    from poinsot.model.tabulated_function import Table
    from poinsot.plots.linear import plot_locus
    from poinsot.simulation.laws.callback import Callback
    from poinsot.simulation.laws.event import Event
    from poinsot.simulation.running.status import SimulationWarning, Statistics, Status
    from poinsot.verification.comparison import Report
    from poinsot.verification.verify import verify
    from poinsot.viewer.server import Viewer
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "algebra.formula": "Formula",
            "analysis.base_parameters": "BaseParameters",
            "analysis.contradictions": "ConstraintReport",
            "analysis.mobility": "Actuation Mobility",
            "analysis.operation_counts": "OperationCounts",
            "errors": (
                "ArrayTypeError AssemblyError CacheWarning DriverCountError FormulaError"
                " MissingPackageError ModelError ModelWarning OverconstrainedError PoinsotError"
                " ProgramError ShapeError SingularUnitError"
            ),
            "evaluate.call_options": "CallOptions LoadOptions Loads SolveOptions",
            "evaluate.added_quantity": "add_quantity",
            "expr.functions": "select",
            "front.accuracy": "accuracy",
            "front.base_parameters": "base_parameters",
            "front.constraints": "Multipliers",
            "front.collide": "collide",
            "front.collide_many": "collide_many",
            "front.collision": "Collision",
            "front.collisions": "Collisions",
            "front.dexterity": "Dexterity ReachableSpace dexterity workspace",
            "front.feedback_laws": (
                "away_from_limits away_from_obstacle centring impedance limited_law noisy_law"
                " pd_gravity sampled_law"
            ),
            "front.inverse_kinematics": "inverse_kinematics",
            "front.limit_contacts": "contacts_from_limits",
            "front.linear_feedback": "LinearFeedback lqr",
            "front.link_loads": "link_loads",
            "front.motion_loads": "BearingLoads MotionLoads bearing_loads effort",
            "front.moving_system": "MovingSystem",
            "front.periodic": "PeriodicMotion periodic",
            "front.planned_motion": "PlannedMotion",
            "front.walker": "Walker WalkerStep",
            "front.side_by_side": "side_by_side",
            "front.working_load": "WorkingLoad",
            "front.posture": "Posture",
            "front.serial_arms": "from_dh from_joint_table from_low_pairs from_mdh",
            "front.time_optimal": "time_optimal",
            "front.tool_accuracy": "ToolAccuracy",
            "front.tool_path": "ToolPath",
            "front.trajectories": "point_to_point through_points",
            "impacts.impact_point": "ImpactPoint",
            "impacts.rope": "rope",
            "front.control": "control pose_programme",
            "front.control_law": "ControlLaw ControlState",
            "front.derive": "Equations derive",
            "front.derive_impact": "ImpactEquations derive_impact",
            "front.drive": "drive",
            "front.equilibria": "Equilibria",
            "front.equilibrium": "Equilibrium EquilibriumError equilibrium",
            "front.fit": "Fit Measurement fit",
            "front.model_files": "load save",
            "front.planar_description": "from_lengths load_planar planar sketch",
            "front.planar_mechanism": "PlanarMechanism",
            "front.graph_matrices": "GraphMatrices",
            "front.impact": "Impact impact",
            "front.linear_model": "LinearModel",
            "front.linearize": "linearize root_locus",
            "front.shoot": "Shooting ShootingError shoot",
            "front.steady_motion": "steady_motion",
            "front.load_run": "load_run",
            "front.load_study": "load_study",
            "front.resume": "resume",
            "front.run": "Run",
            "front.run_sensitivity": "RunSensitivity",
            "front.runs": "Runs",
            "front.runs_sensitivity": "RunsSensitivity",
            "front.section_results": "SectionLoad SectionLoads",
            "front.section_stress": "CrossSection SectionStress",
            "front.simulate": "simulate",
            "front.studies": "Studies",
            "front.study": "Study",
            "front.system": "System",
            "impacts.contact": "Contact",
            "kernels.export.sources": "Sources",
            "kernels.export.to_sympy": "SympyRoutine",
            "model.bar": "Bar",
            "model.base_motion": "BaseMotion",
            "model.body": "Body",
            "model.connection": "Connection",
            "model.constraints.base": "AbstractConstraint",
            "model.constraints.curve": "Curve",
            "model.constraints.distance": "Distance",
            "model.constraints.gear": "Gear",
            "model.constraints.holonomic": "FormulaConstraint Holonomic",
            "model.constraints.knife_edge": "KnifeEdge",
            "model.constraints.loop": "Loop",
            "model.constraints.nonholonomic": "Nonholonomic VelocityConstraint",
            "model.constraints.point_on_curve": "PointOnCurve",
            "model.constraints.prescribed": "PrescribedMotion",
            "model.constraints.prescribed_speed": "PointSpeed PrescribedSpeed",
            "model.constraints.rack_pinion": "RackPinion",
            "model.constraints.rolling_ball": "RollingBall",
            "model.constraints.rolling_disc": "RollingDisc",
            "model.constraints.rolling_ellipsoid": "RollingEllipsoid",
            "model.constraints.surface": "PointOnSurface",
            "model.forces.base": "AbstractForce",
            "model.forces.actuator": "Actuator",
            "model.forces.bushing": "Bushing",
            "model.forces.constant": "ConstantForce",
            "model.forces.formula": "FormulaForce",
            "model.forces.friction": "JointFriction",
            "model.forces.joint_force": "JointForce",
            "model.forces.joint_spring": "JointSpring",
            "model.forces.motor": "Motor",
            "model.forces.joint_element": "AbstractJointForce",
            "model.forces.spring": "Spring",
            "model.forces.stop": "JointStop",
            "model.forces.tabulated_spring": "TabulatedSpring",
            "model.joints.base": "AbstractJoint",
            "model.joints.cylindrical": "Cylindrical",
            "model.joints.euler": "Euler",
            "model.joints.fixed": "Fixed",
            "model.joints.free": "Free",
            "model.joints.helical": "Helical",
            "model.joints.limits": "Limits",
            "model.joints.mimic": "Mimic",
            "model.joints.planar": "Planar",
            "model.joints.prismatic": "Prismatic",
            "model.joints.revolute": "Revolute",
            "model.joints.spherical": "Spherical",
            "model.joints.translation": "Translation",
            "model.joints.universal": "Universal",
            "model.parameters": "symbols",
            "model.pose": "Pose",
            "model.section": "Section",
            "model.shapes": "Box Capsule Cylinder Mesh Sphere",
            "model.signal": "Signal",
            "model.states": "SampledState State",
            "model.tabulated_function": "Table",
            "plots.linear": "plot_locus",
            "simulation.laws.callback": "Callback",
            "simulation.laws.event": "Event",
            "simulation.running.status": "SimulationWarning Statistics Status",
            "verification.comparison": "Report",
            "verification.verify": "verify",
            "viewer.server": "Viewer",
        },
        modules="extending library",
    )

__version__ = "0.1.0"

__all__ = [
    "AbstractConstraint", "AbstractForce", "AbstractJoint", "AbstractJointForce", "Actuation",
    "Actuator", "ArrayTypeError", "AssemblyError", "Bar", "BaseMotion", "BaseParameters",
    "BearingLoads", "Body", "Box", "Bushing", "CacheWarning", "CallOptions", "Callback",
    "Capsule", "Collision", "Collisions", "Connection", "ConstantForce", "ConstraintReport",
    "Contact", "ControlLaw", "ControlState", "CrossSection", "Curve", "Cylinder", "Cylindrical",
    "Dexterity", "Distance", "DriverCountError", "Equations", "Equilibria", "Equilibrium",
    "EquilibriumError", "Euler", "Event", "Fit", "Fixed", "Formula", "FormulaConstraint",
    "FormulaError", "FormulaForce", "Free", "Gear", "GraphMatrices", "Helical", "Holonomic",
    "Impact", "ImpactEquations", "ImpactPoint", "JointForce", "JointFriction", "JointSpring",
    "JointStop", "KnifeEdge", "Limits", "LinearFeedback", "LinearModel", "LoadOptions", "Loads",
    "Loop", "Measurement", "Mesh", "Mimic", "MissingPackageError", "Mobility", "ModelError",
    "ModelWarning", "MotionLoads", "Motor", "MovingSystem", "Multipliers", "Nonholonomic",
    "OperationCounts", "OverconstrainedError", "PeriodicMotion", "Planar", "PlanarMechanism",
    "PlannedMotion", "PoinsotError", "PointOnCurve", "PointOnSurface", "PointSpeed", "Pose",
    "Posture", "PrescribedMotion", "PrescribedSpeed", "Prismatic", "ProgramError", "RackPinion",
    "ReachableSpace", "Report", "Revolute", "RollingBall", "RollingDisc", "RollingEllipsoid",
    "Run", "RunSensitivity", "Runs", "RunsSensitivity", "SampledState", "Section",
    "SectionLoad", "SectionLoads", "SectionStress", "ShapeError", "Shooting", "ShootingError",
    "Signal", "SimulationWarning", "SingularUnitError", "SolveOptions", "Sources", "Sphere",
    "Spherical", "Spring", "State", "Statistics", "Status", "Studies", "Study", "SympyRoutine",
    "System", "Table", "TabulatedSpring", "ToolAccuracy", "ToolPath", "Translation",
    "Universal", "VelocityConstraint", "Viewer", "Walker", "WalkerStep", "WorkingLoad",
    "accuracy", "add_quantity", "away_from_limits", "away_from_obstacle", "base_parameters",
    "bearing_loads", "centring", "collide", "collide_many", "contacts_from_limits", "control",
    "derive", "derive_impact", "dexterity", "drive", "effort", "equilibrium", "extending", "fit",
    "from_dh", "from_joint_table", "from_lengths", "from_low_pairs", "from_mdh", "impact",
    "impedance", "inverse_kinematics", "library", "limited_law", "linearize", "link_loads", "load",
    "load_planar", "load_run", "load_study", "lqr", "noisy_law", "pd_gravity", "periodic",
    "planar", "plot_locus", "point_to_point", "pose_programme", "resume", "root_locus", "rope",
    "sampled_law", "save", "select", "shoot", "side_by_side", "simulate", "sketch",
    "steady_motion", "symbols", "through_points", "time_optimal", "verify", "workspace",
]  # fmt: skip
