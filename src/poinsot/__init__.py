"""poinsot: the dynamics of systems of rigid bodies, from one description.

>>> import poinsot as ps
>>> rod = ps.Body("rod", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0))
>>> pendulum = ps.System("pendulum", [rod])
>>> pendulum.forward_dynamics([0.1], [0.0]).shape
(1,)
"""

from poinsot.errors import (
    ArrayTypeError,
    CacheWarning,
    FormulaError,
    ModelError,
    ModelWarning,
    PoinsotError,
    ProgramError,
    ShapeError,
)
from poinsot.expr import select
from poinsot.front import (
    Report,
    Run,
    SimulationWarning,
    System,
    load,
    save,
    simulate,
    verify,
)
from poinsot.library.tables import from_dh, from_low_pairs, from_mdh
from poinsot.model import (
    BaseMotion,
    Body,
    ConstantForce,
    Curve,
    Cylindrical,
    Distance,
    Euler,
    Fixed,
    FormulaConstraint,
    FormulaForce,
    Free,
    Gear,
    Helical,
    Holonomic,
    Limits,
    Loop,
    Planar,
    PointOnCurve,
    PointOnSurface,
    Pose,
    PrescribedMotion,
    Prismatic,
    RackPinion,
    Revolute,
    Spherical,
    Spring,
    Translation,
    Universal,
)

__version__ = "0.1.0"

__all__ = [
    "ArrayTypeError",
    "BaseMotion",
    "Body",
    "CacheWarning",
    "ConstantForce",
    "Curve",
    "Cylindrical",
    "Distance",
    "Euler",
    "Fixed",
    "FormulaConstraint",
    "FormulaError",
    "FormulaForce",
    "Free",
    "Gear",
    "Helical",
    "Holonomic",
    "Limits",
    "Loop",
    "ModelError",
    "ModelWarning",
    "Planar",
    "PoinsotError",
    "PointOnCurve",
    "PointOnSurface",
    "Pose",
    "PrescribedMotion",
    "Prismatic",
    "ProgramError",
    "RackPinion",
    "Report",
    "Revolute",
    "Run",
    "ShapeError",
    "SimulationWarning",
    "Spherical",
    "Spring",
    "System",
    "Translation",
    "Universal",
    "from_dh",
    "from_low_pairs",
    "from_mdh",
    "load",
    "save",
    "select",
    "simulate",
    "verify",
]
