"""Derivatives that do not exist at a state: said, not left to a NaN.

Formulas and force elements may have none somewhere, ``sqrt(q*q)`` at 0 or the direction of a spring
without length; their derivatives are NaN there, 0/0.  A tree without such elements has all of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelWarning, PoinsotError, users_line
from poinsot.evaluate.call_arrays import as_arrays
from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.request import Request
from poinsot.model import Loop, Mechanism
from poinsot.model.forces import AbstractForce, AbstractJointForce
from poinsot.spatial import Array

__all__ = ["MissingDerivatives"]

MATRICES: Final = frozenset(
    {
        "inverse_dynamics_derivatives",
        "inverse_dynamics_second_derivatives",
        "forward_dynamics_derivatives",
    }
)
"""Quantities that are derivatives themselves."""
REMEDY: Final = (
    "a formula or force element has none there (a root of 0, a quotient 0/0, the direction of a "
    "spring without length); take a state beside it, or write the formula so that it is smooth"
)


class MissingDerivatives:
    """The states at which derivatives of a mechanism's quantities do not exist.

    Args:
        mechanism: The bodies.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism = mechanism
        others = [x for x in mechanism.closures if not isinstance(x, Loop)]
        self._possible = bool(mechanism.forces or mechanism.states or others)

    def concern(self, request: Request) -> bool:
        """Say whether a request is for a derivative that may not exist somewhere."""
        is_derivative = request.derivative is not None or request.quantity in MATRICES
        return self._possible and is_derivative

    def watched(self, native: Callable[..., Array], plain: Callable[..., Array]) -> Any:  # noqa: ANN401
        """Return a method as machine code; where its result is NaN, ``plain`` says why."""

        @wraps(plain)
        def method(*state: ArrayLike, **how: Any) -> Array:  # noqa: ANN401
            result = native(*state, **how)
            return plain(*state, **how) if np.isnan(result).any() else result

        return method

    def report(self, request: Request, arguments: Sequence[ArrayLike], result: Array) -> None:
        """Report that a derivative does not exist at one state, or at some of many.

        What the caller gave as NaN is the caller's.

        Args:
            request: The derivative.
            arguments: Configurations, shape (..., nq), and the other arguments.
            result: The derivative there, shape (..., ...).

        Raises:
            PoinsotError: If this is one state.

        Warns:
            ModelWarning: Once, if these are many.
        """
        given = [np.asarray(x, np.float64) for x in arguments]
        lead = np.broadcast_shapes(*(x.shape[:-1] for x in given))
        known = np.ones(lead, bool)
        for x in given:
            known &= np.isfinite(x).all(axis=-1)
        axes = tuple(range(len(lead), result.ndim))
        missing = np.isnan(result).any(axis=axes) & known
        if not missing.any():
            return
        first = tuple(np.argwhere(missing)[0])
        state = [np.broadcast_to(x, (*lead, x.shape[-1]))[first] for x in given]
        culprits = ", ".join(self._culprits(request, state))
        source = f", for {culprits}," if culprits else ""
        where = f"{request.quantity} of {self._mechanism.name!r}"
        if not lead:
            raise PoinsotError(
                f"{where} has no derivative{source} at q = {state[0].tolist()}: {REMEDY}"
            )
        warnings.warn(
            f"{where} has no derivative{source} in {np.count_nonzero(missing)} of {missing.size} "
            f"states, the first at q = {state[0].tolist()}; the result there is NaN: {REMEDY}",
            ModelWarning,
            stacklevel=users_line(),
        )

    def _culprits(self, request: Request, state: Sequence[Array]) -> Iterator[str]:
        """Yield the force elements that have no derivative at a state."""
        for force in self._mechanism.forces:
            alone = self._mechanism.rebuilt(forces=[force])
            evaluator = evaluators_of(alone).find(request, "interpreter")
            if np.isnan(evaluator(as_arrays(tuple(state)))).any():
                yield f"{force.label} {_place(force)}"


def _place(force: AbstractForce | AbstractJointForce) -> str:
    """Return where a force element acts, for messages."""
    if isinstance(force, AbstractJointForce):
        return f"of {force.joint!r}"
    return "on " + " and ".join(repr(body) for body, _ in force.ends)
