"""Figures and animations of a run, for people's eyes."""

from poinsot.plots.animation import animate_run
from poinsot.plots.figure import plot_run

__all__ = ["animate_run", "plot_run"]
