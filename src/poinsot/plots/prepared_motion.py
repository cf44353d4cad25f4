"""What an animation shows: a motion prepared for the eye."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from poinsot.plots.run_like import SystemLike
from poinsot.plots.skeleton import Skeleton
from poinsot.plots.style import line_colours
from poinsot.spatial import Array

__all__ = ["Show"]

_MANY = 12
"""More bodies than these are drawn thinner, and without their centres of mass."""


@dataclass(frozen=True)
class Show:
    """A motion prepared for the eye, in n pictures.

    Attributes:
        system: What moves.
        figure: Its lines and boxes, n configurations, as seen from where the eye is.
        centre: How far the eye has moved with the system [m], shape (n, 3); zero if it rests.
        captions: The time, as text; n of them.
        note: A remark for the whole animation.
        traced: Paths of chosen points [m], shape (n, points, 3), where the eye rests.
        traced_bodies: Index of the body of each of them, shape (points,).
    """

    system: SystemLike
    figure: Skeleton
    centre: Array
    captions: list[str]
    note: str
    traced: Array
    traced_bodies: Array

    @cached_property
    def follows(self) -> bool:
        """Whether the eye moves with the system."""
        return bool(self.centre.any())

    @cached_property
    def colours(self) -> Array:
        """Colour of each body, shape (bodies, 3)."""
        from matplotlib.colors import to_rgb

        drawn = sorted({*self.figure.rod_bodies.tolist(), *self.figure.box_bodies.tolist()})
        colours = np.zeros((len(self.system.bodies), 3))
        for i, colour in zip(drawn, line_colours(len(drawn)), strict=True):
            colours[i] = to_rgb(colour)
        return colours

    @cached_property
    def crowded(self) -> bool:
        """Whether there are many bodies to be drawn."""
        return len(np.unique(self.figure.rod_bodies)) > _MANY
