"""The objects users hold."""

from poinsot.front.system import System

__all__ = ["System"]
