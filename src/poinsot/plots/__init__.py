"""Figures and animations of a run, for people's eyes."""

from poinsot.plots.animation import animate_runs, draw_runs
from poinsot.plots.figure import plot_panels

__all__ = ["animate_runs", "draw_runs", "plot_panels"]
