"""Force elements as trees of keys."""

import math
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.io.native.trees import plain
from poinsot.model import (
    AbstractForce,
    ConstantForce,
    FormulaForce,
    JointForce,
    JointFriction,
    JointSpring,
    JointStop,
    Motor,
    Spring,
    Table,
    TabulatedSpring,
)

__all__ = ["force_tree"]

_ON_BODY: Final = ("body", "force", "moment", "point", "axes")

_KEYS: Final[dict[type[AbstractForce], tuple[str, tuple[str, ...]]]] = {
    Spring: ("spring", ("first", "second", "stiffness", "damping", "length")),
    TabulatedSpring: ("tabulated_spring", ("first", "second", "spring", "damper", "scale")),
    ConstantForce: ("constant", _ON_BODY),
    FormulaForce: ("formula", _ON_BODY),
    JointForce: ("joint_force", ("joint", "index", "formula", "potential", "names")),
    JointFriction: (
        "joint_friction",
        ("joint", "index", "kinetic", "static", "stribeck", "viscous", "smoothing"),
    ),
    JointStop: (
        "joint_stop",
        ("joint", "index", "lower", "upper", "stiffness", "dissipation", "exponent"),
    ),
    JointSpring: ("joint_spring", ("joint", "index", "spring", "damper", "scale")),
    Motor: (
        "motor",
        (
            *("joint", "index", "ratio", "inertia", "torque", "voltage", "constant", "resistance"),
            *("viscous", "names"),
        ),
    ),
}
"""By type: its name in files and the fields that are written."""


def force_tree(force: AbstractForce) -> dict[str, Any]:
    """Return the object that describes a force element; what it does not have is left out."""
    if type(force) not in _KEYS:
        what = "this kind of force cannot be written to a file"
        raise ModelError(f"{force.where(force.name)}: {what}")
    kind, keys = _KEYS[type(force)]
    tree: dict[str, Any] = {"type": kind}
    if force.name is not None:
        tree["name"] = force.name
    skipped = _of_voltage(force)
    for key in keys:
        value = getattr(force, key)
        if key == "potential" and value == 0.0:
            continue
        if key in skipped or value is None or (key in ("lower", "upper") and _is_open(value)):
            continue
        if key in ("first", "second"):
            tree[key] = {"body": value[0], "point": plain(value[1])}
        elif key == "names":
            tree |= {"where": {name: _meaning(*read) for name, read in value}} if value else {}
        elif key != "index" or value:
            tree[key] = table_tree(value) if isinstance(value, Table) else plain(value)
    return tree


def table_tree(table: Table) -> dict[str, Any]:
    """Return the object that describes a table."""
    return {"x": plain(table.x), "y": plain(table.y), "kind": table.kind}


def _of_voltage(force: AbstractForce) -> tuple[str, ...]:
    """Return the keys of a motor that its law has no use for."""
    if not isinstance(force, Motor):
        return ()
    return ("constant", "resistance") if force.voltage is None else ("torque",)


def _is_open(end: object) -> bool:
    return isinstance(end, float) and math.isinf(end)


def _meaning(joint: str, of: str, index: int) -> dict[str, Any]:
    tree: dict[str, Any] = {"joint": joint}
    if of != "q":
        tree["of"] = of
    if index:
        tree["index"] = index
    return tree
