"""Integrators of users: explicit Runge-Kutta methods by their coefficients."""

from __future__ import annotations

from poinsot.errors import ModelError
from poinsot.simulation.stepping.integrators import INTEGRATORS
from poinsot.simulation.stepping.integrators.explicit import Explicit, Tableau
from poinsot.simulation.stepping.integrators.integrator import StepControl

ROUNDING = 1e-12
"""Sums of coefficients may differ by this from what they must be."""


def add_integrator(
    name: str, tableau: Tableau, *, order: int, step_control: StepControl | None = None
) -> None:
    """Add an explicit Runge-Kutta method, which ``simulate(integrator=name)`` then takes.

    Args:
        name: What users call it.
        tableau: Its coefficients [HNW, section II.1].
        order: Order of the solution.
        step_control: How the error of a step chooses the next one; None: steps have one length.
            By default of a method with an error estimate, alpha is 1 / order.

    Raises:
        ModelError: If the name is taken, or coefficients contradict each other.
    """
    if name in INTEGRATORS:
        raise ModelError(f"there is an integrator {name!r} already; choose another name")
    if step_control is None and tableau.errors:
        step_control = StepControl(1.0 / order, 0.0, least_factor=0.2, most_factor=5.0)
    for wrong in _contradictions(tableau, chooses_steps=step_control is not None):
        raise ModelError(f"integrator {name!r}: {wrong}")
    INTEGRATORS[name] = Explicit(name, order, step_control, tableau)


def _contradictions(tableau: Tableau, *, chooses_steps: bool) -> list[str]:
    """Return what is wrong with a tableau."""
    wrong = []
    if len(tableau.nodes) != len(tableau.stages):
        return [f"{len(tableau.nodes)} nodes for {len(tableau.stages)} stages"]
    for s, (node, row) in enumerate(zip(tableau.nodes, tableau.stages, strict=True)):
        if any(stage >= s for stage in row):
            wrong.append(f"stage {s} depends on itself or a later one; only explicit methods do")
        elif abs(sum(row.values()) - node) > ROUNDING:
            wrong.append(f"the row of stage {s} must sum to its node {node:g}")
    if abs(sum(tableau.solution.values()) - 1.0) > ROUNDING:
        wrong.append("the row of the solution must sum to 1")
    wrong += ["a row of errors must sum to 0" for row in tableau.errors
              if abs(sum(row.values())) > ROUNDING]  # fmt: skip
    if chooses_steps and not tableau.errors:
        wrong.append("steps are chosen by an error, and the tableau has no row of errors")
    return wrong
