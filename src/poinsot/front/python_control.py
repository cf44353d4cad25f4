"""Linear models as systems of the package python-control."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from poinsot.errors import ModelError
from poinsot.io.optional_packages import imported
from poinsot.spatial import Array

__all__ = ["control_system"]


def control_system(
    name: str, matrices: tuple[Array, Array, Array, Array], states: Sequence[str],
    inputs: Sequence[str], outputs: Sequence[str],
) -> Any:  # noqa: ANN401 (of python-control)  # fmt: skip
    """Return a linear model as ``control.StateSpace``; see ``LinearModel.to_control``.

    Args:
        name: Of the system.
        matrices: A, B, C, D.
        states: Names of the states.
        inputs: Of the inputs.
        outputs: Of the outputs.
    """
    control = imported("control", "control", "to_control")
    if not inputs and 1 in (len(states), len(outputs)):  # it flattens matrices of shape (1, 0)
        raise ModelError(
            "to_control: python-control takes no model without inputs that has one output or "
            "state; name an input, linearize(..., inputs=[...])"
        )
    return control.ss(
        *matrices, states=list(states), inputs=signal_names(inputs),
        outputs=signal_names(outputs), name=signal_names([name])[0],
    )  # fmt: skip


def signal_names(names: Sequence[str]) -> list[str]:
    """Return names as python-control takes them, each still different from all others.

    A dot stands between system and signal there, a minus before a signal is its sign.

    >>> signal_names(["base.x", "base_x", "-0.5*elbow"])
    ['base_x', 'base_x_', 'minus 0_5*elbow']
    """
    taken: list[str] = []
    for name in names:
        told = name.strip().replace(".", "_")
        told = f"minus {told[1:].lstrip()}" if told.startswith("-") else told
        while told in taken:
            told += "_"
        taken.append(told)
    return taken
