"""The bicycle of Whipple and Carvallo: four rigid bodies on knife-edge wheels that do not slip."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.library.wheeled import placed, rolling_straight, wheel
from poinsot.model import Body, Pose, Revolute, RollingDisc, suggestion
from poinsot.spatial import Array, Scalar, cosine, sine

__all__ = ["BENCHMARK_BICYCLE", "bicycle", "bicycle_state"]

BENCHMARK_BICYCLE: Final[Mapping[str, float]] = MappingProxyType({
    "w": 1.02, "c": 0.08, "lam": math.pi / 10, "g": 9.81,
    "rR": 0.3, "mR": 2.0, "IRxx": 0.0603, "IRyy": 0.12,
    "xB": 0.3, "zB": -0.9, "mB": 85.0, "IBxx": 9.2, "IByy": 11.0, "IBzz": 2.8, "IBxz": 2.4,
    "xH": 0.9, "zH": -0.7, "mH": 4.0,
    "IHxx": 0.05892, "IHyy": 0.06, "IHzz": 0.00708, "IHxz": -0.00756,
    "rF": 0.35, "mF": 3.0, "IFxx": 0.1405, "IFyy": 0.28,
})  # fmt: skip
"""The parameters of the benchmark [Meijaard2007, table 1]."""


def bicycle(**parameters: Scalar) -> System:
    """Return the benchmark bicycle [Meijaard2007], which runs along x; z is up, y to the left.

    q = [x, y, z of the centre of the rear wheel [m], heading, lean, pitch, rear wheel, steer, front
    wheel [rad]]: the rear frame is turned by heading about z, lean about x, pitch about y.  Lean
    and steer are positive to the right, where y is negative.  Two heights are constrained, four
    velocities: 7 configurations, 3 velocities remain.  ``bicycle_state`` begins upright.

    Args:
        parameters: Those of the benchmark that are to differ, by their names [Meijaard2007, table
            1], in its axes, x forward, y right, z down from the rear contact: w wheel base [m], c
            trail [m], lam tilt of the steer axis [rad], g [m/s²]; of the rear wheel R, the rear
            frame with its rider B, the front frame H and the front wheel F: radius r [m], mass m
            [kg], centre x, z [m] and inertia Ixx, Iyy, Izz, Ixz about it [kg m²].  Symbols, of
            all but lam, are free parameters of the system.

    >>> ride = bicycle(mB=70.0)
    >>> q, v = bicycle_state(ride, speed=5.0)
    >>> mobility = ride.mobility(q)
    >>> mobility.degrees, mobility.configurations, float(v[6].round(3))
    (3, 7, 16.667)
    """
    for name in parameters:
        if name not in BENCHMARK_BICYCLE:
            hint = suggestion(name, BENCHMARK_BICYCLE)
            raise ModelError(f"bicycle: there is no parameter {name!r}; {hint}")
    p: dict[str, Any] = {**BENCHMARK_BICYCLE, **parameters}
    rear = np.array([0.0, 0.0, p["rR"]])
    front = np.array([p["w"], 0.0, p["rF"]])
    # The steer axis meets the ground at w + c and is tilted back; its nearest point to the front
    # wheel carries the front frame.
    down = np.array([sine(p["lam"]), 0.0, -cosine(p["lam"])])
    ground = np.array([p["w"] + p["c"], 0.0, 0.0])
    head = ground + down * (down @ (front - ground))
    centre = {x: np.array([p[f"x{x}"], 0.0, -p[f"z{x}"]]) for x in "BH"}
    bodies = [
        *placed(leans=True),
        Body("rear frame", "lean", Revolute("y", name="pitch"), mass=p["mB"],
             com=centre["B"] - rear, inertia=_inertia(p, "B")),
        wheel("rear wheel", "rear frame", (0, 0, 0), **_wheel(p, "R")),
        Body("front frame", "rear frame", Revolute(down, name="steer"), Pose(head - rear),
             mass=p["mH"], com=centre["H"] - head, inertia=_inertia(p, "H")),
        wheel("front wheel", "front frame", front - head, **_wheel(p, "F")),
    ]  # fmt: skip
    tyres = [
        RollingDisc(f"{end} tyre", f"{end} wheel", radius=p[radius])
        for end, radius in (("rear", "rR"), ("front", "rF"))
    ]
    return System("bicycle", bodies, gravity=(0.0, 0.0, -p["g"]), constraints=tyres)


def bicycle_state(system: System, speed: float = 5.0) -> tuple[Array, Array]:
    """Return q and v of a bicycle that runs straight and upright.

    Args:
        system: The bicycle.
        speed: Forward speed [m/s].
    """
    return rolling_straight(system, speed)


def _inertia(p: Mapping[str, float], x: str) -> Array:
    """Return the inertia of a frame; x and y of the paper's axes turn to z up."""
    xx, yy, zz, xz = (p[f"I{x}{entry}"] for entry in ("xx", "yy", "zz", "xz"))
    return np.array([[xx, 0.0, -xz], [0.0, yy, 0.0], [-xz, 0.0, zz]])


def _wheel(p: Mapping[str, float], x: str) -> dict[str, Any]:
    """Return mass, radius and moments of inertia of a wheel."""
    return {"mass": p[f"m{x}"], "radius": p[f"r{x}"], "inertia": (p[f"I{x}yy"], p[f"I{x}xx"])}
