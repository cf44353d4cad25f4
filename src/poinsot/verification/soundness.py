"""What to know of a system before one relies on it: quick checks, without machine code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from poinsot.errors import AssemblyError
from poinsot.expr.singularity import unheld_velocity
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.front.parameter_numbers import with_numbers
from poinsot.front.system import System
from poinsot.verification.verify import compare_formulations

__all__ = ["Finding", "findings", "motion_without_mass"]

LARGEST: Final = 120
"""Degrees of freedom up to which the checks take about a second."""

GUESSES: Final = 10
"""Number of guesses from which assembly is tried."""


@dataclass(frozen=True)
class Finding:
    """One check: its subject, its result, and whether it passed.

    Attributes:
        name: What was looked at.
        text: What was found.
        ok: Whether it is as it should be; None where it was not checked.
    """

    name: str
    text: str
    ok: bool | None


def findings(system: System) -> list[Finding]:
    """Return the findings of quick checks of a system.

    The mass matrix must be positive definite, or forward dynamics have no answer; the formulations
    must agree; and there must be a configuration in which all loops close.

    Args:
        system: What to check.
    """
    mechanism = system.description.at({})
    if mechanism.nv == 0:
        return [Finding("mass matrix", "nothing moves", True)]
    if mechanism.nv > LARGEST:
        text = f"over {LARGEST} degrees of freedom; poinsot.verify does it"
        return [Finding("mass matrix and formulations", text, None)]
    if mechanism.parameters:
        text = f"parameter {mechanism.parameters[0][0]!r} has no number"
        return [Finding("mass matrix and formulations", text, None)]
    still = motion_without_mass(with_numbers(system, "info"))
    if still is not None:
        text = f"singular: joint {still!r} can move without moving any mass"
        return [Finding("mass matrix", text, False)]
    checks = compare_formulations(system)
    worst = max(checks, key=lambda check: np.nan_to_num(check.worst / check.accepted, nan=np.inf))
    text = f"differ by {worst.worst:.1e} at most ({worst.name})"
    results = [
        Finding("mass matrix", "positive definite at a random configuration", True),
        Finding("formulations", text, all(check.ok for check in checks)),
    ]
    return results + ([_closing(with_numbers(system, "info"))] if mechanism.row_names else [])


def _closing(system: System) -> Finding:
    """Return the finding of assembly: the mobility in a configuration in which all loops close."""
    rng = np.random.default_rng(0)
    guesses = [system.neutral(), *(system.mechanism.random(rng) for _ in range(GUESSES - 1))]
    for guess in guesses:
        try:
            moves = system.mobility(system.assemble(guess))
        except AssemblyError as error:
            last = str(error)
            continue
        return Finding("constraints", str(moves).replace("\n", "; "), True)
    return Finding("constraints", f"not closed from {GUESSES} guesses: {last}", False)


def motion_without_mass(system: System, seed: int = 0) -> str | None:
    """Return the name of a joint with a motion that moves no mass, or None if there is none.

    Constrained motions do not count.

    Args:
        system: What to check.
        seed: Of the random configuration.
    """
    mechanism = system.mechanism
    q = mechanism.random(np.random.default_rng(seed))
    M = np.asarray(mass_matrix_along_paths(mechanism, q), float)
    J = np.zeros((0, mechanism.nv))
    if mechanism.row_names:
        J = system.constraint_jacobian(q, backend="interpreter")
    still = unheld_velocity(M, J)
    return None if still is None else mechanism.joint_of_velocity(still)
