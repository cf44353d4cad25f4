"""How impacts of contacts in a run change with the state before them, parameters and the time.

Masses and rows of a system with its contacts are differentiated by configurations, parameters and
time; what that does to an impact is said in ``impacts/impact_changes.py``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.expression import compiled_program
from poinsot.expr import fresh_symbols, traced
from poinsot.expr.derivative import jacobian
from poinsot.expr.staged_program import needed_stages, program_of, recorded_stages
from poinsot.front.parameter_numbers import parameter_values
from poinsot.front.system import System
from poinsot.impacts.contact import Contact
from poinsot.impacts.contact_numbers import COEFFICIENTS, coefficient_slopes
from poinsot.impacts.impact_changes import Varied, impact_changes
from poinsot.impacts.impact_law import Jump
from poinsot.impacts.law_names import BY_VELOCITIES
from poinsot.impacts.touching_contacts import law_of_contacts
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.simulation.sensitivities.impact_reset import ImpactChange
from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.front.contact_law import ImpactLaw

__all__ = ["contact_changes", "is_formula"]


def is_formula(touch: list[Contact]) -> bool:
    """Return whether the impact is a formula: one smooth contact, or Newton's law at all at once.

    Args:
        touch: The contacts that touch.
    """
    if any(contact.is_rough for contact in touch):
        return False
    newton = all(x.law in BY_VELOCITIES and x.order == "simultaneous" for x in touch)
    return newton or len(touch) < 2


def contact_changes(
    law: ImpactLaw, state: tuple[float, Array, Array], alone: str | None, names: tuple[str, ...]
) -> ImpactChange | None:
    """Return how the velocities after an impact change; None where a program gives them.

    Args:
        law: The law of impact of the system.
        state: Time [s], configuration, shape (nq,), and velocities before it, shape (nv,).
        alone: The only contact to take part; None: all that touch.
        names: Free parameters to differentiate by.

    Raises:
        ModelError: If there are one-sided derivatives only, or impulses are not unique.
    """
    t, q, v = state
    touching = law.touching("impact", t, q).tolist()
    if alone is not None:
        touching = [k for k in touching if law.contacts[k].name == alone]
    touch = [law.contacts[k] for k in touching]
    formulas = [law.formulas[k] for k in touching]
    slopes = [coefficient_slopes(key, formulas, law.values, names) for key in COEFFICIENTS]
    if is_formula(touch):
        return None
    moving, D, w, rows = law.matrices(t, q, v, touching)
    held, hit = law_of_contacts(touch, moving, D, w)
    done, P, _ = hit.jump()
    n, own = len(v), len(moving[2])
    free = law.parameters
    if free is None:
        defaults = parameter_values(law.system, "sensitivity", None)
        free = dict(zip(law.system.free, defaults.tolist(), strict=False))
    size, k = q.size + n, q.size + n + len(names) + 1
    columns = np.r_[: q.size, size:k]
    kernel = _kernel(law.system, own, tuple(free), names)
    given = np.array(list(free.values()), np.float64)

    def matrix_changes(jump: Jump, before: Array) -> dict[str, Array]:
        """Return how masses, rows and rates change with q, parameters and time."""
        lam = np.zeros(len(law.system.row_names))
        lam[:own] = jump.held
        used = rows >= 0
        np.add.at(lam, rows[used], jump.impulses.reshape(rows.shape)[used])
        inputs = [np.array([t]), q, before, jump.change, lam, given]
        made = {port.name: np.empty((1, port.size)) for port in kernel.signature.outputs}
        kernel.run([x.reshape(1, -1) for x in inputs if x.size], [*made.values()])
        moved = {key: x.reshape(-1, columns.size) for key, x in made.items()}
        residual = np.vstack([moved["momenta"], moved["changes"][:own]])
        chosen = {
            key: np.where(used.ravel()[:, None], moved[key][rows.ravel()], 0.0)
            for key in ("changes", "rates")
        }
        return {"residual": residual} | chosen

    by_all = np.zeros((3, len(touch), k))
    by_all[:, :, size:-1] = slopes
    e, friction, reversed_slip = by_all
    varied = Varied(np.eye(n, k, q.size), e, friction, reversed_slip, columns)
    matrix, _ = impact_changes(hit, P, varied, matrix_changes)
    acting = [contact.name for contact, impulse in zip(touch, P, strict=True) if impulse.any()]
    return ImpactChange(tuple(acting), v + held.change + done.change, matrix)


@lru_cache(maxsize=16)
def _kernel(
    system: System, own: int, numbers: tuple[str, ...], names: tuple[str, ...]
) -> AbstractMachineKernel:
    """Return the kernel of M Δv - Jᵀ λ, J Δv and J v by q, parameters and the time.

    Args:
        system: With its contacts.
        own: How many rows are those of its own loops and constraints.
        numbers: Free parameters, whose values are inputs.
        names: Those to differentiate by.
    """
    sizes = {"t": 1, "q": system.nq, "v": system.nv, "change": system.nv}
    sizes |= {"lam": len(system.row_names), "numbers": len(numbers)}
    inputs = {key: fresh_symbols(key, size) for key, size in sizes.items() if size}
    symbols = {key: traced(array) for key, array in inputs.items()}
    options: dict[str, Any] = {}
    if numbers:
        options["parameters"] = dict(zip(numbers, symbols["numbers"], strict=True))
    timed = options | {"t": symbols["t"][0]} if system.mechanism.depends_on_time else options
    with recorded_stages() as stages:
        q, v, change = (symbols[key] for key in ("q", "v", "change"))
        J = np.asarray(system.constraint_jacobian(q, **timed))
        values = {
            "momenta": system.mass_matrix(q, **options) @ change - J.T @ symbols["lam"],
            "changes": J @ change,
            "rates": np.asarray(system.constraint_rate(q, v, **timed)),
        }
    if any(needed_stages(np.asarray(value), stages) for value in values.values()):
        raise ModelError(
            f"{system.name!r} is too large to differentiate an impact with friction, or of several "
            "contacts by this law: its quantities are computed by loops; set friction=0 and "
            "law='unilateral'"
        )
    chosen = [inputs["numbers"][numbers.index(name)] for name in names]
    by = np.concatenate([inputs["q"], np.array(chosen, object), inputs["t"]])
    outputs = {key: np.ravel(jacobian(np.asarray(value), by)) for key, value in values.items()}
    return compiled_program(program_of(inputs, outputs, stages))
