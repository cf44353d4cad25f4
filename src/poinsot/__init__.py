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
    ModelError,
    ModelWarning,
    PoinsotError,
    ProgramError,
    ShapeError,
)
from poinsot.expr import select
from poinsot.front import Run, SimulationWarning, System, simulate
from poinsot.model import BaseMotion, Body, Fixed, Free, Pose, Prismatic, Revolute, Spherical

__version__ = "0.1.0"

__all__ = [
    "ArrayTypeError",
    "BaseMotion",
    "Body",
    "CacheWarning",
    "Fixed",
    "Free",
    "ModelError",
    "ModelWarning",
    "PoinsotError",
    "Pose",
    "Prismatic",
    "ProgramError",
    "Revolute",
    "Run",
    "ShapeError",
    "SimulationWarning",
    "Spherical",
    "System",
    "select",
    "simulate",
]
