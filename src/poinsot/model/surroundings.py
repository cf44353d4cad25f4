"""What acts on a mechanism from outside: gravity, the motion of its base, wrenches on bodies.

Formulations take it beside the state, over any scalar.  The "world" body of a mechanism is its
base; where the base moves, positions are relative to it and gravity is turned into its axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from poinsot.model.mechanism import Mechanism
from poinsot.spatial import Array, Scalar


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The outside of a mechanism at one instant.

    Attributes:
        gravity: Acceleration of free fall [m/s²], in the axes of the base, shape (3,).
        velocity: Velocity [v; w] of the base [m/s, rad/s], in its own axes, shape (6,).
        acceleration: Rate of those six numbers, shape (6,).
        wrenches: For some bodies (by number as listed) the wrench [f; n] [N, N m] that acts on them
            from outside, at the body's origin in its axes, shape (6,).
        t: Time [s].
    """

    gravity: Array
    velocity: Array = field(default_factory=lambda: np.zeros(6))
    acceleration: Array = field(default_factory=lambda: np.zeros(6))
    wrenches: Mapping[int, Array] = field(default_factory=dict)
    t: Scalar = 0.0

    @staticmethod
    def of(mechanism: Mechanism) -> Surroundings:
        """Return those of a mechanism on a base at rest with nothing acting on it but gravity."""
        return Surroundings(np.array(mechanism.gravity))
