"""What the compiled loop needs to let velocities jump at contacts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.request import Request
from poinsot.model import Mechanism
from poinsot.simulation.laws.callback import Callback
from poinsot.simulation.laws.equations import Use

QUANTITIES: Final = (
    "constraint_residual", "constraint_rate", "constraint_jacobian", "mass_matrix",
)  # fmt: skip
"""Those of the kernels of contacts, in the order in which ``contact_bounce.py`` calls them."""


@dataclass(frozen=True)
class Bounces:
    """Contacts of a system.

    Attributes:
        mechanism: It, with the contacts as constraints.
        first: Number of the row of the first contact, behind those of loops and constraints.
        contacts: Their names.
        restitutions: Of each.
        frictions: Of each.
        reversals: Tangential restitution of each.
        laws: Of each: "printed", "unilateral", "poisson" or "stronge".
        orders: Of each: "simultaneous" or "sequential".
        rows: Number of the row of each along its normal; two across it follow where it is rough.
    """

    mechanism: Mechanism
    first: int
    contacts: tuple[str, ...]
    restitutions: tuple[float, ...]
    frictions: tuple[float, ...]
    reversals: tuple[float, ...]
    laws: tuple[str, ...]
    orders: tuple[str, ...]
    rows: tuple[int, ...]

    @property
    def uses(self) -> tuple[Use, ...]:
        """The kernels: gaps, their rates, their rows, the mass matrix."""
        return _uses(self.mechanism)


@lru_cache(maxsize=64)
def _uses(mechanism: Mechanism) -> tuple[Use, ...]:
    evaluators = evaluators_of(mechanism)
    kernels = [evaluators.find(Request(quantity)).kernel for quantity in QUANTITIES]
    return tuple(
        Use(kernel, tuple(port.name for port in kernel.signature.inputs), quantity)
        for kernel, quantity in zip(kernels, QUANTITIES, strict=True)
    )


def bounces_of(reset: object) -> Bounces | None:
    """Return the contacts whose impact a reset is, where the compiled loop may compute it."""
    if not isinstance(reset, Callback):
        return None
    law = getattr(reset.function, "__self__", None)
    bounces = getattr(law, "bounces", None)
    return bounces if isinstance(bounces, Bounces) else None
