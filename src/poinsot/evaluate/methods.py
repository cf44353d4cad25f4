"""The formulations by name: what ``method=`` chooses from.

Each answers the same four questions, independently of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from poinsot.formulations import embedding, kane, lagrange, newton_euler, screw_matrix
from poinsot.formulations.recursive import inverse
from poinsot.formulations.recursive.articulated import articulated_forward_dynamics
from poinsot.formulations.recursive.composite import mass_matrix_along_paths


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


def _ways(formulation: Any) -> dict[str, Callable[..., Any]]:  # noqa: ANN401 (a module)
    names = ("mass_matrix", "bias", "inverse_dynamics", "forward_dynamics")
    return {name: getattr(formulation, name) for name in names}


METHODS: Final[Mapping[str, Method]] = {
    "recursive": Method(
        {
            "mass_matrix": mass_matrix_along_paths,
            "bias": inverse.bias,
            "inverse_dynamics": inverse.inverse_dynamics,
            "forward_dynamics": articulated_forward_dynamics,
        }
    ),
    "screw_matrix": Method(_ways(screw_matrix)),
    "kane": Method(_ways(kane)),
    "lagrange": Method(_ways(lagrange)),
    "newton_euler": Method(_ways(newton_euler), 1e-10, frozenset({"forward_dynamics"})),
    "embedding": Method(_ways(embedding), 1e-10, frozenset({"forward_dynamics"})),
}
