"""The formulations by name: what ``method=`` chooses from.

Each has the same four quantities, independently of the others.  Those of the recursive one are the
algorithms of the registry itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from poinsot.errors import PoinsotError
from poinsot.evaluate.quantity import Algorithm
from poinsot.evaluate.registry import QUANTITIES
from poinsot.lazy import when_called

NAMES: Final = ("mass_matrix", "bias", "inverse_dynamics", "forward_dynamics")
"""The quantities that every formulation has."""


@dataclass(frozen=True)
class Formulation:
    """A formulation of the dynamics of trees.

    Attributes:
        algorithms: For each of its quantities the algorithms, (mechanism, arrays...,
            environment) -> array; the mass matrix does not depend on the environment.
        agreement: Relative difference to other formulations that is accepted.
        on_floats: Quantities that are only evaluated on floats, state by state.
    """

    algorithms: Mapping[str, tuple[Algorithm, ...]]
    agreement: float = 1e-11
    on_floats: frozenset[str] = frozenset()


def _in(home: str) -> dict[str, tuple[Algorithm, ...]]:
    """Return the algorithms of a formulation that has them in one module."""
    return {
        name: (Algorithm(when_called(f"poinsot.formulations.{home}:{name}")),) for name in NAMES
    }


FORMULATIONS: Final[Mapping[str, Formulation]] = {
    "recursive": Formulation({name: QUANTITIES[name].algorithms for name in NAMES}),
    "screw_matrix": Formulation(_in("screw_matrix")),
    "kane": Formulation(_in("kane")),
    "lagrange": Formulation(_in("lagrange")),
    "newton_euler": Formulation(_in("newton_euler"), 1e-10, frozenset({"forward_dynamics"})),
    "embedding": Formulation(_in("embedding"), 1e-10, frozenset({"forward_dynamics"})),
}
"""Those of all systems."""

OF_SOME: Final[Mapping[str, Formulation]] = {
    "composable": Formulation(
        _in("composable.mechanism_dynamics")
        | {
            "motion_multipliers": (
                Algorithm(
                    when_called(
                        "poinsot.formulations.composable.mechanism_multipliers:motion_multipliers"
                    )
                ),
            )
        },
        1e-10,
        frozenset({"forward_dynamics", "motion_multipliers"}),
    ),
}
"""Those of systems that move in a plane; others they refuse."""

METHODS: Final = (*FORMULATIONS, *OF_SOME)
"""All that ``method=`` may name."""


def formulation_of(name: str, asked: str) -> Formulation:
    """Return the formulation of a name.

    Args:
        name: The name.
        asked: The quantity; opens the message of an error.
    """
    if not isinstance(name, str) or name not in METHODS:
        choices = ", ".join(repr(key) for key in METHODS)
        raise PoinsotError(f"{asked}: unknown method {name!r}; choose one of {choices}")
    return FORMULATIONS[name] if name in FORMULATIONS else OF_SOME[name]
