"""Random descriptions with parameters in place of some of their numbers."""

import math
from dataclasses import fields, is_dataclass

from poinsot.expr import symbol
from poinsot.model import (
    AbstractJoint,
    AbstractJointForce,
    FormulaForce,
    Limits,
    Mechanism,
    Motor,
    Table,
)
from poinsot.model.changed import changed

AXES = ("axis", "axis2")
"""Fields of joints that stay numbers where parameters are to be free."""


def parametric(rng, mechanism, share=0.5, *, free=True, axes=False):
    """Return a mechanism with parameters, and their values, at which it is the one given.

    A number becomes a parameter, or twice one: exactly the number at the value.

    Args:
        rng: Source of randomness.
        mechanism: Plain numbers.
        share: Of the numbers to replace.
        free: Whether the parameters are without numbers of their own.
        axes: Whether axes of joints may be formulas.
    """
    values = {}

    def formula(number):
        if rng.random() > share:
            return number
        name = f"p{len(values)}"
        factor = float(rng.choice([1.0, 2.0, -1.0]))
        values[name] = number / factor
        return factor * symbol(name)

    def walk(thing):
        if isinstance(thing, float):
            return formula(thing) if math.isfinite(thing) else thing
        if isinstance(thing, tuple):
            return tuple(map(walk, thing))
        if is_dataclass(thing) and not isinstance(thing, Limits | Table):
            fixed = () if axes else AXES
            if isinstance(thing, AbstractJoint) and thing.nq != thing.nv:
                fixed = (*fixed, "stiffness", "rest")  # which they cannot have
            if isinstance(thing, FormulaForce):
                fixed = ("force", "moment")  # which are text
            if isinstance(thing, AbstractJointForce):
                fixed = ("exponent", *getattr(thing, "formula_fields", ()))
            if isinstance(thing, Motor) and thing.voltage is None:
                fixed = (*fixed, "constant", "resistance")  # which it has no use for
            names = [f.name for f in fields(thing) if f.name not in fixed]
            parts = {name: walk(getattr(thing, name)) for name in names}
            if isinstance(thing, AbstractJoint):
                parts |= _symmetric(parts)
            return changed(thing, **parts)
        return thing

    bodies, gravity = walk(mechanism.bodies), walk(mechanism.gravity)
    forces = walk(mechanism.forces)
    declared = dict.fromkeys(values) if free else values
    made = Mechanism(mechanism.name, bodies, gravity, forces, parameters=declared)
    return made, values


def _symmetric(parts):
    """Return matrices of joints that must be symmetric, with the same formula on both sides."""
    found = {}
    for name in ("stiffness", "armature"):
        rows = parts.get(name, ())
        if rows and isinstance(rows[0], tuple):
            size = range(len(rows))
            found[name] = tuple(tuple(rows[min(i, j)][max(i, j)] for j in size) for i in size)
    return found
