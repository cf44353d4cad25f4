"""The objects users hold, and how to make a run of one."""

from poinsot.front.run import Run
from poinsot.front.simulate import simulate
from poinsot.front.system import System
from poinsot.simulate.status import SimulationWarning

__all__ = ["Run", "SimulationWarning", "System", "simulate"]
