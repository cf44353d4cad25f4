"""Figures and animations of a run, for people's eyes."""

from poinsot.plots.animation import animate_run, draw_run
from poinsot.plots.figure import plot_panels

__all__ = ["animate_run", "draw_run", "plot_panels"]
