"""The environment of a mechanism: gravity, base motion and external loads.

Formulations take it beside the state, over any scalar.  The "world" body of a mechanism is its
base; where the base moves, positions are relative to it and gravity is turned into its axes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from poinsot.model.mechanism import Mechanism
from poinsot.spatial import Array, Scalar


@dataclass(frozen=True, eq=False)
class Environment:
    """The environment of a mechanism at one instant.

    Attributes:
        gravity: Acceleration of free fall [m/s²], in the axes of the base, shape (3,).
        velocity: Velocity [v; w] of the base [m/s, rad/s], in its own axes, shape (6,).
        acceleration: Rate of those six numbers, shape (6,).
        wrenches: For some bodies (by number as listed) the wrench [f; n] [N, N m] of the external
            load on them, at the body's origin in its axes, shape (6,).
        joint_forces: Forces of elements along the joints' velocities [N or N m], shape (nv,); none
            by default.
        drives: For some loops and curves (by number among ``closures``) the forces [N or N m] along
            their own velocities, shape (nv of their own,).
        t: Time [s].
    """

    gravity: Array
    velocity: Array = field(default_factory=lambda: np.zeros(6))
    acceleration: Array = field(default_factory=lambda: np.zeros(6))
    wrenches: Mapping[int, Array] = field(default_factory=dict)
    joint_forces: Array | None = None
    drives: Mapping[int, Array] = field(default_factory=dict)
    t: Scalar = 0.0

    @staticmethod
    def of(mechanism: Mechanism) -> Environment:
        """Return that of a mechanism on a base at rest, without external loads but gravity."""
        return Environment(np.array(mechanism.gravity))


@dataclass(frozen=True)
class LoadInputs:
    """Which quantities of the environment are inputs; the others are those of the mechanism.

    The time is one too, where a force element of the mechanism depends on it.

    Attributes:
        base: Whether the motion of the base is: gravity, velocity and acceleration, 15 numbers.
        wrenches: The bodies (by number as listed) on which wrenches act, 6 numbers each, all in
            one input.
        drives: The loops and curves (by number among ``closures``) that are driven, and the number
            of velocities of each; all in one input.
    """

    base: bool = False
    wrenches: tuple[int, ...] = ()
    drives: tuple[tuple[int, int], ...] = ()

    def inputs(self, mechanism: Mechanism) -> dict[str, int]:
        """Return names and sizes of the inputs of dynamics that follow the state."""
        sizes = {BASE: N_BASE} if self.base else {}
        sizes |= {WRENCHES: 6 * len(self.wrenches)} if self.wrenches else {}
        sizes |= {DRIVES: sum(nv for _, nv in self.drives)} if self.drives else {}
        return sizes | ({TIME: 1} if mechanism.depends_on_time else {})

    def environment(self, mechanism: Mechanism, given: Mapping[str, Array]) -> Environment:
        """Return the environment assembled from the inputs, by name."""
        environment = Environment.of(mechanism)
        if self.base:
            base = given[BASE]
            environment = Environment(base[:3], base[3:9], base[9:])
        wrenches = {
            body: given[WRENCHES][6 * k : 6 * k + 6] for k, body in enumerate(self.wrenches)
        }
        drives, start = {}, 0
        for k, nv in self.drives:
            drives[k] = given[DRIVES][start : start + nv]
            start += nv
        t = given[TIME][0] if mechanism.depends_on_time else 0.0
        return replace(environment, wrenches=wrenches, drives=drives, t=t)


BASE, N_BASE = "base", 15
"""Name and size of the input that holds gravity in base axes, velocity and acceleration."""

WRENCHES, DRIVES, TIME = "wrenches", "drives", "t"
"""Names of the inputs that hold wrenches on bodies, forces along loops, and the time."""
