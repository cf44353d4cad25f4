"""Quantities that are asked for by their names: their inputs, and whose they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.evaluate.loads import driven_loop
from poinsot.evaluate.quantity import BODY_AXES, REACTION_AXES
from poinsot.evaluate.registry import quantity_of
from poinsot.evaluate.request import Request, request_for
from poinsot.front.named_joints import actuated_velocities, tree_velocities
from poinsot.model import Mechanism

__all__ = [
    "BODY_AXES",
    "REACTION_AXES",
    "Selection",
    "checked_axes",
    "hashable",
    "request_by_name",
    "whole_state",
]


class Selection(TypedDict, total=False):
    """Whose quantity it is, and in which axes.

    Attributes:
        body: Name of the body, for a quantity of one.
        axes: "body" (default) or "world", for reactions also "joint".
        loop: Name of the loop or curve, for the coordinates of one.
        joints: Names of the joints that are driven, for inverse dynamics and "actuator_forces"
            (all by default), or whose motion is given, for "mixed_dynamics".
    """

    body: str | None
    axes: str | None
    loop: str | None
    joints: Sequence[str] | None


def request_by_name(
    mechanism: Mechanism, asked: str, quantity: str, selection: Selection
) -> Request:
    """Return the request for a quantity by its name.

    Inverse dynamics are those of the method of this name: with loops, or where not all joints are
    driven, the shortest forces that produce the motion.

    Raises:
        ModelError: Something is missing, unknown, or not a choice of this quantity.
    """
    if quantity == "inverse_dynamics" and (selection.get("joints") or mechanism.closures):
        name = "driven_dynamics"
    else:
        name = quantity
    options = quantity_of(name).options
    for key, value in selection.items():
        if value is not None and key not in options:
            choices = [f"{x}=" for x in Selection.__annotations__ if x in options]
            rest = f"it takes {', '.join(choices)}" if choices else "it takes none of these"
            raise ModelError(f"{asked}: {quantity} has no {key}, got {key}={value!r}; {rest}")
    return request_for(
        name, **{key: _option(mechanism, asked, name, key, selection) for key in options}
    )


def _option(mechanism: Mechanism, asked: str, quantity: str, key: str, selection: Selection) -> Any:  # noqa: ANN401
    """Return a field of a request."""
    value: Any = selection.get(key)
    if key == "axes":
        choices = quantity_of(quantity).axes
        return checked_axes(quantity, "body" if value is None else value, choices)
    if key == "joints":
        if quantity == "actuator_forces":
            names = tuple(mechanism.joints) if value is None else value
            places = actuated_velocities(mechanism, asked, names)
            return tuple(k for place in places.values() for k in place)
        if value is None and quantity == "driven_dynamics":
            return tuple(range(mechanism.nv))
    if key == "sides":
        return None
    if value is None:
        belongs = {"body": "a body", "loop": "a loop"}.get(key, "some joints")
        raise ModelError(f"{asked}: {quantity} belongs to {belongs}; give {key}=")
    if key == "body":
        return mechanism.index(value)
    if key == "loop":
        return driven_loop(mechanism, asked, value).number
    return tree_velocities(mechanism, asked, value)


def checked_axes(asked: str, axes: str, choices: tuple[str, ...]) -> str:
    """Return the axes of a vector, rejecting unknown ones."""
    if axes not in choices:
        names = ", ".join(map(repr, choices[:-1])) + f" or {choices[-1]!r}"
        raise ModelError(f"{asked}: axes must be {names}, got {axes!r}")
    return axes


def whole_state(
    asked: str, quantity: str, state: tuple[ArrayLike, ...], point: ArrayLike | None
) -> tuple[ArrayLike, ...]:
    """Return the inputs of a quantity, the point among them if it has one.

    Raises:
        TypeError: There are more or fewer of them.
    """
    inputs = quantity_of(quantity).inputs
    if point is not None and "point" not in inputs:
        raise TypeError(
            f"{asked}: {quantity} has no point; it is a function of {', '.join(inputs)}"
        )
    whole = state
    if "point" in inputs and (point is not None or len(state) == len(inputs) - 1):
        whole = (*state, np.zeros(3) if point is None else point)
    if len(whole) != len(inputs):
        raise TypeError(
            f"{asked}: {quantity} is a function of {', '.join(inputs)}, got {len(whole)} arrays"
        )
    return whole


def hashable(names: Sequence[str] | None) -> Sequence[str] | None:
    """Return names in a form that dictionaries take as a key: a list as a tuple."""
    return tuple(names) if isinstance(names, list) else names
