"""What the weight and the motion of each link by itself load an arm with."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.front.description import Values
from poinsot.front.system import System
from poinsot.model.scalar_values import is_symbolic
from poinsot.spatial import Array

__all__ = ["LinkLoad", "link_loads"]


class LinkLoad(NamedTuple):
    """The wrench [f; n] that a link alone needs, at its origin in its axes [N, N m].

    Attributes:
        static: That holds its weight, -Θ g, shape (..., 6).
        inertial: That gives it its motion, Θ A + V × Θ V, shape (..., 6); the inertial load of the
            link is the opposite.
    """

    static: Array
    inertial: Array


def link_loads(
    system: System, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, parameters: Values = None
) -> dict[str, LinkLoad]:
    """Return the loads of all links apart, by name [Zaremba1990, sec. 4].

    The load in a section of a tree is the sum of those of the links beyond it and of the part of
    its own link, carried to the section, less what acts there from outside.

    Args:
        system: The system.
        q: Configuration [m or rad], shape (..., nq).
        v: Velocity [m/s or rad/s], shape (..., nv).
        a: Acceleration dv/dt, shape (..., nv).
        parameters: Values of free parameters by name.

    >>> import poinsot as ps
    >>> arm = ps.library.pendulum()
    >>> bob = ps.link_loads(arm, [0.0], [2.0], [0.0])["bob"]
    >>> bob.static.round(2)[:3], bob.inertial.round(2)[:3]
    (array([0.  , 0.  , 9.81]), array([0., 0., 4.]))
    """
    if not isinstance(system, System):
        raise ModelError(f"link_loads: give the system first, run.system of a run, got {system!r}")
    gravity = np.array(system.gravity)
    loads = {}
    for body in system.bodies:
        if is_symbolic(body.mass, *body.com, *np.ravel(body.inertia_matrix()).tolist()):
            raise ModelError(
                f"link_loads: the inertia of {body.name!r} has free parameters; give them numbers: "
                "system.with_parameters(...)"
            )
        V = system.velocity(body.name, q, v, parameters=parameters)
        A = system.acceleration(body.name, q, v, a, parameters=parameters)
        R = system.pose(body.name, q, parameters=parameters)[..., :3, :3]
        com, I = np.array(body.com), body.inertia_matrix()
        w, alpha = V[..., 3:], A[..., 3:]
        spin = np.cross(w, V[..., :3] + np.cross(w, com))
        f = body.mass * (A[..., :3] + np.cross(alpha, com) + spin)
        n = alpha @ I + np.cross(w, w @ I) + np.cross(com, f)
        weight = 0.0 - body.mass * (np.swapaxes(R, -1, -2) @ gravity)
        static = np.concatenate([weight, np.cross(com, weight)], axis=-1)
        loads[body.name] = LinkLoad(static, np.concatenate([f, n], axis=-1))
    return loads
