"""The objects users hold."""

from poinsot.front.run import Run
from poinsot.front.simulate import simulate
from poinsot.front.system import System

__all__ = ["Run", "System", "simulate"]
