"""Colours, sizes and words that all pictures share."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

__all__ = ["GREY", "INK", "PAPER", "RC", "SERIES", "label_of", "line_colours"]

SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6a4c93", "#5f5f5f")
"""Colours that people with any kind of colour vision tell apart: Okabe and Ito (2008), its yellow
and its black replaced by ones that are seen on white and among dark text."""

INK = "#2b2f36"
"""Text and outlines."""

GREY = "#8a919c"
"""What is there but does not matter most: ground, scale, rails."""

PAPER = "#fcfcfa"
"""Background of animations."""

RC: Mapping[str, Any] = {
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.labelsize": 9.0,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.grid": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#e4e6ea",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 8.0,
    "svg.hashsalt": "poinsot",
}
"""Settings laid over matplotlib's defaults, so that the user's own do not change our pictures."""

_LONGEST = 24
"""Letters of a name that a label shows."""


def label_of(name: str, longest: int = _LONGEST) -> str:
    """Return a name as a label: one line, of limited length, without matplotlib markup.

    >>> label_of("left  hip"), label_of("_knee"), label_of("front_joint_1", 8)
    ('left hip', ' _knee', 'fron…t_1')
    >>> print(label_of("$x$").replace(chr(92), "backslash "))
    backslash $xbackslash $
    """
    text = " ".join(name.split())
    if len(text) > longest:
        # Long names often differ at their ends.
        text = f"{text[: longest // 2]}…{text[-((longest - 1) // 2) :]}"
    text = text.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def line_colours(n: int) -> Sequence[Any]:
    """Return ``n`` colours: distinct ones if few, steps from dark to light if many."""
    if n <= len(SERIES):
        return SERIES[:n]
    import matplotlib

    # The last tenth of viridis is too light for thin lines on white.
    return [tuple(rgba) for rgba in matplotlib.colormaps["viridis"](np.linspace(0.0, 0.9, n))]
