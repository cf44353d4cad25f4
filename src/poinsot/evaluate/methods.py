"""The formulations by name: what ``method=`` chooses from.

Each answers the same four questions, independently of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from poinsot.lazy import when_called


@dataclass(frozen=True)
class Method:
    """A formulation.

    Attributes:
        ways: For each quantity its function of (mechanism, arrays..., surroundings); the mass
            matrix does not depend on the surroundings.
        agreement: Relative difference to other formulations that is accepted.
        on_floats: Quantities that only work on numbers, state by state.
    """

    ways: Mapping[str, Callable[..., Any]]
    agreement: float = 1e-11
    on_floats: frozenset[str] = frozenset()


def _in(home: str) -> dict[str, Callable[..., Any]]:
    """Return the functions of a formulation that has all four in one place."""
    names = ("mass_matrix", "bias", "inverse_dynamics", "forward_dynamics")
    return {name: when_called(f"poinsot.formulations.{home}:{name}") for name in names}


METHODS: Final[Mapping[str, Method]] = {
    "recursive": Method(
        {
            **_in("recursive.inverse"),
            "mass_matrix": when_called(
                "poinsot.formulations.recursive.composite:mass_matrix_along_paths"
            ),
            "forward_dynamics": when_called(
                "poinsot.formulations.recursive.articulated:articulated_forward_dynamics"
            ),
        }
    ),
    "screw_matrix": Method(_in("screw_matrix")),
    "kane": Method(_in("kane")),
    "lagrange": Method(_in("lagrange")),
    "newton_euler": Method(_in("newton_euler"), 1e-10, frozenset({"forward_dynamics"})),
    "embedding": Method(_in("embedding"), 1e-10, frozenset({"forward_dynamics"})),
}
