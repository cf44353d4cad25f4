"""Random joints of every kind, whose axes, pitches and sequences are random too."""

from functools import partial

import numpy as np

from poinsot.model import (
    Cylindrical,
    Euler,
    Fixed,
    Free,
    Helical,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Translation,
    Universal,
)

KINDS = (
    "fixed", "revolute", "prismatic", "helical", "cylindrical", "universal", "planar",
    "translation", "spherical", "euler", "free",
)  # fmt: skip
SEQUENCES = tuple(a + b + c for a in "xyz" for b in "xyz" for c in "xyz" if a != b != c)

_SIZES = {
    "cylindrical": (2, 2), "universal": (2, 2), "planar": (3, 3), "translation": (3, 3),
    "spherical": (4, 3), "euler": (3, 3), "free": (7, 6),
}  # fmt: skip


def random_joint(rng, kind, axis, *, passive):
    """Return a joint of a kind, along the axis if it has one, with or without passive forces."""
    make = _makers(rng, axis)[kind]
    if kind == "fixed":
        return make()
    nq, nv = _SIZES.get(kind, (1, 1))
    coefficients = {}
    if passive:
        if rng.random() < 0.3:
            coefficients["damping"] = _coefficient(rng, nv)
        if rng.random() < 0.3:
            coefficients["armature"] = _coefficient(rng, nv)
        if nq == nv and rng.random() < 0.3:
            coefficients["stiffness"] = rng.uniform(0.0, 5.0) if nv == 1 else _coefficient(rng, nv)
            coefficients["rest"] = rng.uniform(-1.0, 1.0, nq)
    return make(**coefficients)


def _makers(rng, axis):
    """Return what makes a joint of each kind, with numbers other than its axis drawn at random."""
    return {
        "fixed": Fixed,
        "revolute": partial(Revolute, axis),
        "prismatic": partial(Prismatic, axis),
        "helical": lambda **given: Helical(axis, rng.uniform(-0.3, 0.3), **given),
        "cylindrical": partial(Cylindrical, axis),
        "universal": lambda **given: Universal(axis, _second_axis(rng, axis), **given),
        "planar": lambda **given: Planar(axis, _orthogonal(rng, axis), **given),
        "translation": Translation,
        "spherical": Spherical,
        "euler": lambda **given: Euler(rng.choice(SEQUENCES), **given),
        "free": Free,
    }


def _second_axis(rng, axis):
    """Return an axis that is orthogonal to another, or slants by 20 degrees and more."""
    second = _orthogonal(rng, axis)
    return second if rng.random() < 0.5 else _unit(second + rng.uniform(-2.5, 2.5) * axis)


def _orthogonal(rng, axis):
    """Return an axis orthogonal to another: a coordinate axis too, where it is one."""
    other = np.eye(3)[rng.integers(3)] if rng.random() < 0.5 else rng.standard_normal(3)
    while np.linalg.norm(np.cross(axis, other)) < 0.3:
        other = rng.standard_normal(3)
    return _unit(np.cross(axis, other))


def _coefficient(rng, nv):
    """Return a number, one per velocity or a positive definite matrix."""
    form = rng.integers(3)
    if form == 0:
        return rng.uniform(0.1, 1.0)
    if form == 1:
        return rng.uniform(0.0, 1.0, nv)
    A = rng.standard_normal((nv, nv))
    return A @ A.T / nv


def _unit(vector):
    return vector / np.linalg.norm(vector)
