"""The rates of the coordinates from the velocities."""

from __future__ import annotations

import numpy as np

from poinsot.expr import fresh_symbols, jacobian
from poinsot.formulations.body_tree import AbstractBodies, Mount, StraightBodies
from poinsot.formulations.sweep import step
from poinsot.model import Mechanism
from poinsot.spatial import Array


def position_rate(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Return qdot = N(q) v, shape (nq,)."""
    return position_rates(StraightBodies(mechanism, q=q, v=v))


def position_rates(bodies: AbstractBodies) -> Array:
    """Return qdot, shape (nq,); on values, or rolled."""
    nodes = [i for i, body in enumerate(bodies.mechanism.bodies) if body.joint.nq]
    bodies.outward([step(_rate, "mount q v", "rate")], nodes=nodes)
    return bodies.by_coordinate("rate")


def _rate(mount: Mount, q: Array, v: Array) -> Array:
    return mount.joint.position_rate(q, v)


def tangent_basis(mechanism: Mechanism, q: Array) -> Array | None:
    """Return N of qdot = N(q) v, shape (nq, nv); None where it is the identity."""
    v = fresh_symbols("v", mechanism.nv)
    rate = position_rate(mechanism, q, v)
    is_plain = len(q) == len(v) and all(x is y for x, y in zip(rate, v, strict=True))
    return None if is_plain else np.asarray(jacobian(rate, v))
