"""A system whose quantities are evaluated on floats: nothing is traced or compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from poinsot.front.system import System

__all__ = ["OnFloats"]

COMPUTED: Final = frozenset({
    "mass_matrix", "bias", "forward_dynamics", "inverse_dynamics", "gravity_force", "position_rate",
    "kinetic_energy", "potential_energy", "pose", "velocity", "jacobian", "jacobian_rate",
    "multipliers", "constraint_residual", "constraint_rate", "constraint_bias",
    "constraint_jacobian",
})  # fmt: skip
"""Methods that take a back end."""


class OnFloats:
    """Answers as a system does; each question is computed once.

    For comparisons at a few states, where compilation would cost more than it saves.

    Args:
        system: What is asked; its parameters have numbers.
    """

    def __init__(self, system: System) -> None:
        self._system = system
        self._results: dict[tuple[Any, ...], Any] = {}

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (any attribute)
        """Return an attribute of the system, its methods evaluated on floats."""
        attribute = getattr(self._system, name)
        return self._computed(name, attribute) if name in COMPUTED else attribute

    def _computed(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def answer(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401
            if "backend" in options:
                return method(*arguments, **options)
            given = (*arguments, *sorted(options.items()))
            key = (name, *(x.tobytes() if isinstance(x, np.ndarray) else x for x in given))
            if key not in self._results:
                self._results[key] = method(*arguments, backend="floats", **options)
            return self._results[key]

        return answer
