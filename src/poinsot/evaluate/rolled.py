"""Which quantities of a mechanism have a rolled form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from poinsot.evaluate.closed import weight_of_rows
from poinsot.evaluate.quantity import QUANTITIES
from poinsot.expr import Rolled
from poinsot.lazy import when_called
from poinsot.model import Holonomic, Mechanism

_ROLLED: Final = "poinsot.formulations.constrained.rolled"

OF_ROWS: Final[Mapping[str, Callable[..., Rolled]]] = {
    "constraint_residual": when_called(f"{_ROLLED}:rolled_residual"),
    "constraint_rate": when_called(f"{_ROLLED}:rolled_rate"),
}
"""What loops and constraints have in rolled form by themselves."""

OF_CLOSED: Final[Mapping[str, Callable[..., Rolled]]] = {
    "forward_dynamics": when_called(f"{_ROLLED}:rolled_forward_dynamics"),
    "projected_state": when_called(f"{_ROLLED}:rolled_projected_state"),
}
"""What they have together with the dynamics of the tree."""


def rolled_form(mechanism: Mechanism, name: str) -> Callable[..., Rolled] | None:
    """Return what rolls a quantity with everything that is in it; None if nothing does.

    Free parameters have no rolled form, tables of numbers being linked to the code; neither have
    constraints on all coordinates at once, loops on a tree whose mass matrix is singular, and the
    inverse dynamics of loops.
    """
    if mechanism.parameter_inputs:
        return None
    closures = mechanism.closures
    if closures and (name in OF_ROWS or name in OF_CLOSED):
        if any(isinstance(one, Holonomic) for one in closures):
            return None
        return OF_ROWS.get(name) or (OF_CLOSED[name] if _is_regular(mechanism) else None)
    if closures and name == "inverse_dynamics":  # asked for as driven_dynamics
        return None
    return QUANTITIES[name].rolled


@lru_cache(maxsize=64)
def _is_regular(mechanism: Mechanism) -> bool:
    """Say whether the mass matrix has an inverse, without looking at it where that can be."""
    from poinsot.formulations.recursive.resistance import every_joint_resists

    return every_joint_resists(mechanism) or weight_of_rows(mechanism) == 0.0
