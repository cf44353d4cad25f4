"""Static equilibrium: ``ps.equilibrium``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analysis.equilibrium import FLAT, Balance, balanced
from poinsot.analysis.statics import Statics
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import ArrayTypeError, ModelError, PoinsotError, ShapeError
from poinsot.evaluate.expression import Function
from poinsot.expr.rank import left_null_space
from poinsot.expr.rank_tolerances import DETERMINED
from poinsot.front.constraints import Multipliers
from poinsot.front.description import Values
from poinsot.front.parameter_numbers import with_numbers
from poinsot.front.system import System
from poinsot.model import Signal
from poinsot.model.coordinate_names import force_unit
from poinsot.spatial import Array
from poinsot.spatial.masked import refuse_masked

AT_REST: Final = 1e-9
"""Speeds and accelerations up to this [m, rad, s] are rounding."""


class EquilibriumError(PoinsotError):
    """There is no equilibrium near a guess; the message names the joint most out of balance."""


@final
@dataclass(frozen=True, eq=False)
class Equilibrium:
    """A configuration in which a system stays at rest.

    Attributes:
        system: What is at rest, with numbers in place of free parameters.
        q: The configuration [m or rad], shape (nq,).
        residual: Joint forces that nothing balances, rounding only [N or N m], shape (nv,).
        multipliers: Those of loops and constraints.
        holding: Forces that the ``fixed`` joints take up [N or N m], shape (nv of the joint,).
        eigenvalues: Of the second variation of the potential energy on the motions that loops,
            constraints and fixed joints allow [N/m or N m/rad], ascending; where forces have no
            potential, of the symmetric part of their derivative.
        steps: Newton steps that it took.
        t: Time [s].
    """

    system: System
    q: Array
    residual: Array
    multipliers: Multipliers
    holding: dict[str, Array]
    eigenvalues: Array
    steps: int
    t: float
    _tau: Array = field(repr=False)

    @property
    def stability(self) -> str:
        """Return "stable", "unstable", or "neutral": some motions meet no resistance, none fall."""
        values = self.eigenvalues
        if not values.size:
            return "stable"
        zero = FLAT * float(np.max(np.abs(values)))
        if values[0] > zero:
            return "stable"
        return "unstable" if values[0] < -zero else "neutral"

    @property
    def stable(self) -> bool:
        """Whether all eigenvalues of the projected stiffness are positive."""
        return self.stability == "stable"

    def reactions(self, *, axes: str = "body") -> dict[str, Array]:
        """Return the total wrench [f; n] [N, N m] in every joint, loop and constraint, shape (6,).

        Args:
            axes: "body", "joint" or "world"; see ``System.reactions``.
        """
        still = np.zeros(self.system.nv)
        return self.system.reactions(self.q, still, tau=self._tau, t=self.t, axes=axes)

    def __repr__(self) -> str:
        return f"Equilibrium({self.system.name!r}, {self.stability}, q={self.q})"


def equilibrium(
    system: System,
    q: ArrayLike | None = None,
    *,
    tau: ArrayLike | Function | Signal | None = None,
    parameters: Values = None,
    t: float = 0.0,
    fixed: Mapping[str, ArrayLike] | None = None,
    stable: bool = True,
) -> Equilibrium:
    """Return a static equilibrium near a guess.

        bias(q, 0) = tau + J(q)ᵀ lam,      phi(q) = 0

    Newton's method on the motions that loops and constraints allow, with exact derivatives.  Every
    step decreases the potential energy, so that the equilibrium is stable, or neutral, unless
    ``stable=False``; forces without a potential are balanced too.

    Args:
        system: The bodies, on a base at rest.
        q: Guess [m or rad], shape (nq,); every joint at zero by default.  It need not close.
        tau: Joint forces: none, one number for every joint, constant ones (nv,), a function
            ``tau(t, q, v)`` as ``simulate`` takes it, of which v = 0 counts, or a signal.
        parameters: Values of free parameters by name.
        t: Time [s], where forces or constraints depend on it.
        fixed: Locked joints, and their coordinates; the forces that lock them are in ``holding``.
        stable: Whether to minimise the potential energy; else to find the nearest equilibrium of
            any kind.

    Raises:
        EquilibriumError: If there is none near the guess; it names the joint most out of balance.
        AssemblyError: If the system does not close near the guess.

    >>> import poinsot as ps
    >>> rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -0.5))
    >>> found = ps.equilibrium(ps.System("pendulum", [rod]), [2.0])
    >>> bool(abs(found.q[0]) < 1e-12), found.stability, found.eigenvalues.round(2)
    (True, 'stable', array([9.81]))
    """
    name = "equilibrium"
    numeric = with_numbers(system, name, parameters)
    if numeric.nv == 0:
        raise ModelError(f"{system.name!r} has no degree of freedom; it rests as it is")
    guess = _guess(numeric, q)
    for joint, value in (fixed or {}).items():
        guess[numeric.q_slice(joint)] = _coordinates(numeric, joint, value)
    guess = numeric.integrate(guess, np.zeros(numeric.nv))  # quaternions of unit length
    indices = [np.arange(numeric.nv)[numeric.v_slice(joint)] for joint in fixed or {}]
    held = np.concatenate([np.zeros(0, int), *indices])
    tau = tau(t) if isinstance(tau, Signal) else tau
    law = tau if callable(tau) else None
    constant = np.zeros(numeric.nv) if tau is None or callable(tau) else _constant(numeric, tau)
    statics = Statics(numeric.mechanism, float(t), law)
    balance = balanced(statics, constant, guess, held, stable=stable)
    if not balance.ok:
        raise EquilibriumError(_why(numeric, balance, stable=stable))
    _check_rest(numeric, balance.q, float(t))
    return _result(numeric, statics, balance, constant, tuple(fixed or {}))


def _result(
    system: System, statics: Statics, balance: Balance, constant: Array, fixed: tuple[str, ...]
) -> Equilibrium:
    t = statics.t
    holding = np.zeros(system.nv)
    holding[list(balance.holding)] = list(balance.holding.values())
    still = np.zeros(system.nv)
    # Actuator forces: the residual of bias and constraint forces.
    tau = system.bias(balance.q, still, t=t) - statics.force(balance.q) + constant + holding
    free = np.zeros((0, len(system.row_names)))
    if system.row_names:
        free = left_null_space(system.constraint_jacobian(balance.q, t=t))
    determined = np.all(np.abs(free) <= DETERMINED, axis=0)
    return Equilibrium(
        system,
        balance.q,
        balance.residual,
        Multipliers(system.row_names, balance.lam, determined),
        {joint: holding[system.v_slice(joint)] for joint in fixed},
        balance.eigenvalues,
        balance.steps,
        t,
        tau,
    )


def _check_rest(system: System, q: Array, t: float) -> None:
    """Reject configurations in which a prescribed motion has a speed or acceleration."""
    if not (system.row_names and system.mechanism.depends_on_time):
        return
    rows, still = NumericRows(system.mechanism), np.zeros(system.nv)
    for what, missed in (
        ("speed", rows.rate(q, still, t)),
        ("acceleration", rows.bias(q, still, t)),
    ):
        worst = int(np.argmax(np.abs(missed)))
        if abs(missed[worst]) > AT_REST:
            raise EquilibriumError(
                f"{system.name!r} cannot rest at t = {t:g} s: {system.row_names[worst]!r} "
                f"prescribes a motion, with the {what} {abs(missed[worst]):.3g} there; leave the "
                "constraint out, or hold the joint in its place: fixed={...}"
            )


def _why(system: System, balance: Balance, *, stable: bool) -> str:
    worst = int(np.argmax(np.abs(balance.residual)))
    unit = force_unit(system.velocity_units[worst])
    joint = system.mechanism.joint_of_velocity(worst)
    if balance.obstacle:
        return (
            f"{system.name!r}: no equilibrium found near the guess; where the search ended joint "
            f"{joint!r} is out of balance by {abs(balance.residual[worst]):.3g} {unit} "
            f"({system.velocity_names[worst]}), and one step on: {balance.obstacle}"
        )
    remedy = "" if not stable else ", ask for the nearest of any kind with stable=False"
    return (
        f"{system.name!r}: no equilibrium found near the guess; after {balance.steps} steps joint "
        f"{joint!r} is still out of balance by {abs(balance.residual[worst]):.3g} {unit} "
        f"({system.velocity_names[worst]}); give a nearer guess{remedy}, or hold the joint: "
        f"fixed={{{joint!r}: ...}}"
    )


def _guess(system: System, q: ArrayLike | None) -> Array:
    if q is None:
        return system.neutral()
    guess = _real("q", q)
    if guess.shape != (system.nq,):
        raise ShapeError(f"equilibrium: q must have shape ({system.nq},), got {guess.shape}")
    return guess


def _coordinates(system: System, joint: str, value: ArrayLike) -> Array:
    q_slice = system.q_slice(joint)
    given = np.atleast_1d(_real(f"fixed[{joint!r}]", value))
    if given.shape != (q_slice.stop - q_slice.start,):
        raise ShapeError(
            f"equilibrium: joint {joint!r} has {q_slice.stop - q_slice.start} coordinates, fixed "
            f"gives shape {given.shape}"
        )
    return given


def _constant(system: System, tau: ArrayLike) -> Array:
    given = _real("tau", tau)
    if given.shape not in ((), (system.nv,)):
        raise ShapeError(f"equilibrium: tau must have shape ({system.nv},), got {given.shape}")
    return np.full(system.nv, given)


def _real(what: str, value: ArrayLike) -> Array:
    refuse_masked(value, f"equilibrium: {what}")
    try:
        array = np.array(value, np.float64)
    except (TypeError, ValueError) as error:
        raise ArrayTypeError(
            f"equilibrium: {what} must hold real numbers, got {value!r}"
        ) from error
    if not np.isfinite(array).all():
        raise ModelError(f"equilibrium: {what} must be finite, got {value!r}")
    return array
