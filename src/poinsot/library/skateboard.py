"""The skateboard: leaning it turns its two axles."""

import math

import numpy as np

from poinsot.front.system import System
from poinsot.model import Body, Box, FormulaConstraint, KnifeEdge, Planar, Pose, Revolute
from poinsot.spatial import Array

__all__ = ["skateboard", "skateboard_state"]


def skateboard(
    *, mass: float = 70.0, height: float = 0.9, wheel_base: float = 0.6,
    tilt: float = math.radians(30), stiffness: float = 400.0,
) -> System:  # fmt: skip
    """Return a board with a rigid rider, whose axles roll in their own direction only.

    q = [x, y [m], heading, lean, turn of the front and of the rear axle [rad]].  The pivots of the
    trucks are tilted, so that axles parallel to the ground turn with the lean γ [Hubbard1979]:

        tan δ_rear = tan(tilt) sin γ = -tan δ_front.

    It stays upright where 2 m h tan(tilt) v² / L > m g h - stiffness, so above some speed v.

    Args:
        mass: m, of rider and board [kg].
        height: h, of their mass centre [m].
        wheel_base: L, distance of the axles [m].
        tilt: Of the pivots of the trucks from the horizontal [rad].
        stiffness: Of the trucks against lean [N m/rad].

    >>> board = skateboard()
    >>> q, v = skateboard_state(board)
    >>> board.mobility(q).degrees, board.mobility(q).configurations
    (2, 4)
    """
    half = wheel_base / 2.0
    deck = [Box((wheel_base * 1.3, 0.2, 0.02)), Box((0.2, 0.3, height), pose=Pose((0, 0, height)))]
    moments = mass * np.array([0.11, 0.11, 0.01]) * height**2
    bodies = [
        Body("carriage", joint=Planar()),
        Body("lean", "carriage", Revolute("x", stiffness=stiffness), mass=mass,
             com=(0, 0, height), inertia=moments, shapes=deck),
        Body("front axle", "carriage", Revolute("z"), Pose((half, 0, 0))),
        Body("rear axle", "carriage", Revolute("z"), Pose((-half, 0, 0))),
    ]  # fmt: skip
    turns = [
        FormulaConstraint(f"{end} truck", f"tan(turn) {sign} {math.tan(tilt)!r}*sin(lean)",
                          where={"turn": f"{end} axle", "lean": "lean"})
        for end, sign in (("front", "+"), ("rear", "-"))
    ]  # fmt: skip
    blades = [KnifeEdge(f"{end} wheels", f"{end} axle") for end in ("front", "rear")]
    return System("skateboard", bodies, constraints=[*turns, *blades])


def skateboard_state(
    system: System, speed: float = 3.0, lean_rate: float = 0.0
) -> tuple[Array, Array]:
    """Return q and v of a board that runs upright along x.

    Args:
        system: The board.
        speed: Forward speed [m/s].
        lean_rate: Angular velocity of the rider about x [rad/s].
    """
    q, v = np.zeros(system.nq), np.zeros(system.nv)
    v[0], v[3] = speed, lean_rate
    return q, system.consistent_velocity(q, v, joints=["lean"])
