"""Static equilibrium: ``ps.equilibrium``."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.analysis.equilibria import balanced_configurations
from poinsot.analysis.equilibrium import FLAT, Balance, balanced
from poinsot.analysis.states_at_rest import states_at_rest
from poinsot.analysis.statics import Statics
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import ArrayTypeError, AssemblyError, ModelError, PoinsotError, ShapeError
from poinsot.evaluate.expression import Function
from poinsot.expr.rank import left_null_space
from poinsot.expr.rank_tolerances import DETERMINED
from poinsot.front.constraints import Multipliers
from poinsot.front.description import Values
from poinsot.front.equilibria import Equilibria
from poinsot.front.parameter_numbers import at_values, leading_shape, parameter_values
from poinsot.front.reaction_frames import Point
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
        system: What is at rest; its free parameters have the values of this equilibrium.
        q: The configuration [m or rad], shape (nq,).
        residual: Joint forces that nothing balances, rounding only [N or N m], shape (nv,).
        multipliers: Those of loops and constraints.
        holding: Forces that the ``fixed`` joints take up [N or N m], shape (nv of the joint,).
        eigenvalues: Of the second variation of the potential energy on the motions that loops,
            constraints and fixed joints allow [N/m or N m/rad], ascending; where forces have no
            potential, of the symmetric part of their derivative; further states are held here.
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
    def states(self) -> dict[str, float]:
        """The further states, whose rates are zero, by name."""
        return dict(self.system.mechanism.state_values)

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

    @property
    def applied(self) -> Array:
        """The joint forces that were applied [N or N m], shape (nv,)."""
        return self._tau

    def reactions(
        self, *, axes: str = "body", point: Point = "second", on: str = "second"
    ) -> dict[str, Array]:
        """Return the total wrench [f; n] [N, N m] in every joint, loop and constraint, shape (6,).

        Args:
            axes: "body", "joint", "world" or the name of a body; see ``System.reactions``.
            point: About which moments are.
            on: Which of the two bodies feels it.
        """
        still = np.zeros(self.system.nv)
        where: dict[str, Any] = {"axes": axes, "point": point, "on": on, "t": self.t}
        return self.system.reactions(self.q, still, tau=self._tau, **where)

    def __repr__(self) -> str:
        return f"Equilibrium({self.system.name!r}, {self.stability}, q={self.q})"


def equilibrium(
    system: System,
    q: ArrayLike | None = None,
    *,
    tau: ArrayLike | Function | Signal | None = None,
    parameters: Values = None,
    states: Values = None,
    t: float = 0.0,
    fixed: Mapping[str, ArrayLike] | None = None,
    stable: bool = True,
) -> Any:  # noqa: ANN401 (an Equilibrium, or Equilibria of a batch)
    """Return a static equilibrium near a guess.

        bias(q, 0) = tau + J(q)ᵀ lam,      phi(q) = 0,      state_rates(q, 0) = 0

    Newton's method on the motions that loops and constraints allow, with exact derivatives.  Every
    step decreases the potential energy, so that the equilibrium is stable, or neutral, unless
    ``stable=False``; forces without a potential are balanced too.

    Args:
        system: The bodies, on a base at rest.
        q: Guess [m or rad], shape (nq,), of many (..., nq); every joint at zero by default.  It
            need not close.
        tau: Joint forces: none, one number for every joint, constant ones (nv,), a function
            ``tau(t, q, v)`` as ``simulate`` takes it, of which v = 0 counts, or a signal.
        parameters: Values of free parameters by name: numbers, or arrays for many equilibria at
            once, whose shapes broadcast with that of q.
        states: Guesses of further states by name; their initial values by default.  They rest
            too: a configuration is found in which their rates are zero.
        t: Time [s], where forces or constraints depend on it.
        fixed: Locked joints, and their coordinates; the forces that lock them are in ``holding``.
        stable: Whether to minimise the potential energy; else to find the nearest equilibrium of
            any kind.

    Returns:
        An ``Equilibrium``; ``Equilibria`` if q or a parameter is a batch: of these ``ok`` and
        ``message`` say which were not found, and nothing is raised.

    Raises:
        EquilibriumError: If there is none near the guess; it names the joint most out of balance.
        AssemblyError: If the system does not close near the guess.

    >>> import poinsot as ps
    >>> rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -0.5))
    >>> found = ps.equilibrium(ps.System("pendulum", [rod]), [2.0])
    >>> bool(abs(found.q[0]) < 1e-12), found.stability, found.eigenvalues.round(2)
    (True, 'stable', array([9.81]))
    """
    if system.nv == 0:
        raise ModelError(f"{system.name!r} has no degree of freedom; it rests as it is")
    values = parameter_values(system, "equilibrium", parameters, float(t), states=states)
    guess = _guess(system, q)
    for joint, value in (fixed or {}).items():
        guess[..., system.q_slice(joint)] = _coordinates(system, joint, value)
    guess = system.integrate(guess, np.zeros(system.nv))  # quaternions of unit length
    tau = tau(t) if isinstance(tau, Signal) else tau
    law = tau if callable(tau) else None
    constant = np.zeros(system.nv) if tau is None or callable(tau) else _constant(system, tau)
    statics = Statics(system.mechanism, float(t), law, values)
    search = partial(_found, constant=constant, fixed=tuple(fixed or {}), stable=stable)
    shape = leading_shape("equilibrium", {"q": guess, "parameters": values})
    if shape == ():
        return search(at_values(system, values), statics, guess)
    guesses, numbers = (
        np.broadcast_to(array, (*shape, array.shape[-1])).reshape(math.prod(shape), -1)
        for array in (guess, values)
    )

    def single(k: int, start: Array) -> Equilibrium:
        return search(at_values(system, numbers[k]), statics.at(numbers[k]), start)

    many, held = statics.at(numbers), _held(system, tuple(fixed or {}))
    configurations, balanced = (
        _one_by_one(single, guesses)
        if system.states
        else balanced_configurations(many, constant, guesses, held, stable=stable)
    )
    starts = np.where(balanced[:, None], configurations, guesses)
    return Equilibria(system, shape, configurations, balanced, lambda k: single(k, starts[k]))


def _one_by_one(
    single: Callable[[int, Array], Equilibrium], guesses: Array
) -> tuple[Array, NDArray[np.bool_]]:
    """Return configurations found from guesses, and which were found."""
    configurations, balanced = np.full_like(guesses, np.nan), np.zeros(len(guesses), bool)
    for k, guess in enumerate(guesses):
        try:
            configurations[k] = single(k, guess).q
            balanced[k] = True
        except (EquilibriumError, AssemblyError):
            continue
    return configurations, balanced


def _held(system: System, fixed: tuple[str, ...]) -> Array:
    """Return the numbers of the velocities of locked joints."""
    indices = [np.arange(system.nv)[system.v_slice(joint)] for joint in fixed]
    return np.concatenate([np.zeros(0, int), *indices])


def _found(
    system: System, statics: Statics, guess: Array, *, constant: Array, fixed: tuple[str, ...],
    stable: bool,
) -> Equilibrium:  # fmt: skip
    """Return an equilibrium of a system whose parameters have their values."""
    held = _held(system, fixed)
    if system.states:
        rest = states_at_rest(statics, constant, guess, held)
        if not rest.ok:
            raise EquilibriumError(
                f"{system.name!r}: no equilibrium found near the guess: state {rest.moving!r} does "
                "not come to rest; give a nearer guess, states={...}, or another rate"
            )
        values = np.concatenate([statics.parameters[: -rest.states.size], rest.states])
        statics, guess, stable = statics.at(values), rest.q, False
        system = at_values(system, values)
    balance = balanced(statics, constant, guess, held, stable=stable)
    if not balance.ok:
        raise EquilibriumError(_why(system, balance, stable=stable))
    _check_rest(system, balance.q, statics)
    return _result(system, statics, balance, constant, fixed)


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


def _check_rest(system: System, q: Array, statics: Statics) -> None:
    """Reject configurations in which a prescribed motion has a speed or acceleration."""
    if not system.row_names:
        return
    t, still = statics.t, np.zeros(system.nv)
    rows = NumericRows(system.mechanism, parameters=statics.parameters)
    for what, missed in (
        ("speed", rows.rate(q, still, t)),
        ("acceleration", rows.bias(q, still, t)),
    ):
        worst = int(np.argmax(np.abs(missed)))
        if abs(missed[worst]) > AT_REST:
            raise EquilibriumError(
                f"{system.name!r} cannot rest at t = {t:g} s: {system.row_names[worst]!r} "
                f"prescribes a motion, with the {what} {abs(missed[worst]):.3g} there; leave the "
                "constraint out, or hold the joint in its place: fixed={...}; "
                "ps.steady_motion finds motions with constant speeds"
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
    if guess.shape[-1:] != (system.nq,):
        raise ShapeError(
            f"equilibrium: q must have shape ({system.nq},), got {guess.shape}; "
            f"of many (..., {system.nq})"
        )
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
