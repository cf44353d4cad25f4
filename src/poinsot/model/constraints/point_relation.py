"""Base of constraints between positions of points and coordinates of joints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Final, TypeGuard

import numpy as np

from poinsot.errors import FormulaError, ModelError
from poinsot.expr import Expr, Program, formula_text, symbol
from poinsot.expr.formula import parse
from poinsot.expr.from_sympy import from_sympy, is_sympy
from poinsot.expr.functions import floor
from poinsot.model.checks import finite_number
from poinsot.model.constraints.base import AbstractConstraint, FramePair, Rows, View
from poinsot.model.constraints.smooth_function import Rates, TracedFunction, rates
from poinsot.model.fields import AbstractKind, declared, derived
from poinsot.model.formula_names import check_formula, parameters_in, with_numbers
from poinsot.spatial import Array, Scalar, cross

__all__ = [
    "TIME",
    "TURN",
    "AbstractRelation",
    "Formula",
    "FunctionOrFormula",
    "RelationMotion",
    "check_formulas",
    "checked_formula",
    "coordinate_forces",
    "from_formulas",
    "is_function",
    "less_turns",
    "point_forces",
    "stacked_motion",
]

TIME: Final = "t"

Formula = str | float
"""A formula in named numbers, or a number."""


class FunctionOrFormula(AbstractKind):
    """A formula, a number, or a function of Python, which the element traces."""

    file_form: ClassVar[str] = "formula"

    def stored(self, given: Any, where: str, owner: Any) -> Any:  # noqa: ANN401
        """Return a number, a text or a function."""
        return (
            given
            if isinstance(given, TracedFunction) or is_function(given)
            else checked_formula(given, where)
        )

    def with_values(self, value: Any, values: Mapping[str, float]) -> Any:  # noqa: ANN401
        """Return a text with numbers in place of some names."""
        return with_numbers(value, values) if isinstance(value, str) else value


@declared
class AbstractRelation(AbstractConstraint):
    """g(x, t, p) = 0, x stacking positions of points and coordinates of joints.

    It holds g as a ``program`` of x, the time t and the parameters p of the mechanism, and these
    as ``terms``: symbols, or numbers where they are bound.
    """

    program: Program = derived()
    terms: tuple[Scalar, ...] = derived()

    def _store_function(self, function: TracedFunction) -> None:
        self._store(program=function.program, terms=function.terms)

    def _store_equation(self, key: str, function: TracedFunction) -> None:
        """Store a scalar equation, and in its field the traced function for a Python one."""
        size = function.program.outputs[0].size
        if size != 1:
            raise ModelError(f"{self.label}: {key} must be one number, got {size}")
        self._store_function(function)
        if is_function(getattr(self, key)):
            self._store(**{key: function})

    @property
    def formulas_in(self) -> tuple[tuple[Formula, ...], tuple[str, ...]]:
        """Its formulas as given, and the names that mean something in them besides ``t``."""
        return (), ()

    def check_parameters(self, known: Collection[str]) -> None:
        """Reject names in its formulas that are not parameters of the mechanism."""
        formulas, names = self.formulas_in
        check_formulas(formulas, (*names, TIME), known, self.label)

    @property
    def depends_on_time(self) -> bool:
        """Whether g depends on time."""
        time = self.program.inputs[0].size
        return time in self.program.results or any(time in args for _, args in self.program.steps)

    @property
    def locked(self) -> tuple[str, ...]:
        """The rows, numbered where there are several."""
        m = self.program.outputs[0].size
        return ("relation",) if m == 1 else tuple(f"relation {k}" for k in range(1, m + 1))

    def rows(self, view: View) -> Rows:
        """Return g, its Jacobian, drift and the velocity terms of its second derivative."""
        motion, relation = self._rates(view)
        J = relation.G @ motion.J
        return Rows(relation.g, J, relation.drift, relation.G @ motion.bias + relation.second)

    def joint_forces(self, view: View, lam: Array) -> Sequence[Array]:
        """Return forces along the gradients of g by the coordinates."""
        return coordinate_forces(self, self._rates(view)[1].G, lam) if self.joints else ()

    def loads(self, view: View, lam: Array) -> Sequence[Array]:
        """Return forces along the gradients of g by the positions."""
        return point_forces(self, view, self._rates(view)[1].G, lam) if self.pairs else ()

    def _rates(self, view: View) -> tuple[RelationMotion, Rates]:
        motion = stacked_motion(self, view)
        return motion, rates(self.program, motion.x, motion.rate, view.t, self.terms)


TURN: Final = 2.0 * np.pi
"""Up to whole multiples of which the angle of a joint that closes a loop is known."""


def less_turns(rows: Rows, period: Scalar) -> Rows:
    """Return the rows of one equation, its residual less whole periods; the nearest is meant."""
    periods = floor(rows.phi[0] / period + 0.5)
    return replace(rows, phi=np.array([rows.phi[0] - period * periods]))


@dataclass(frozen=True, eq=False)
class RelationMotion:
    """How positions of points and coordinates of joints move.

    Attributes:
        x: Their values, shape (k,).
        rate: dx/dt, shape (k,).
        bias: The second rate while no joint accelerates, shape (k,).
        J: dx/dt = J v, shape (k, nv).
    """

    x: Array
    rate: Array
    bias: Array
    J: Array


def stacked_motion(constraint: AbstractConstraint, view: View) -> RelationMotion:
    """Return how the points of a constraint, then the coordinates of its joints, move."""
    motions = [_position(view, pair) for pair in constraint.pairs]
    motions += [_joint_coordinates(view, name) for name in constraint.joints]
    return RelationMotion(
        *(np.concatenate([getattr(m, f.name) for m in motions]) for f in fields(RelationMotion))
    )


def point_forces(
    constraint: AbstractConstraint, view: View, G: Array, lam: Array
) -> Sequence[Array]:
    """Return the wrenches of forces Gᵀ lam on the points of a constraint, shape (6,) each."""
    forces = []
    for k, pair in enumerate(constraint.pairs):
        f = G[:, 3 * k : 3 * k + 3].T @ lam
        forces.append(np.concatenate([view.frame(pair).X.R.T @ f, np.zeros(3)]))
    return forces


def coordinate_forces(constraint: AbstractConstraint, G: Array, lam: Array) -> Sequence[Array]:
    """Return the forces Gᵀ lam along the coordinates of the joints, shape (1,) each."""
    first = 3 * len(constraint.pairs)
    return [G[:, k : k + 1].T @ lam for k in range(first, first + len(constraint.joints))]


def _position(view: View, pair: FramePair) -> RelationMotion:
    """Return the origin of the second frame, as it moves in the axes of the first."""
    motion = view.frame(pair)
    R, v, w = motion.X.R, motion.V[:3], motion.V[3:]
    return RelationMotion(
        motion.X.p,
        R @ v,
        R @ (motion.A[:3] + cross(w, v)),
        R @ motion.J[:3],
    )


def _joint_coordinates(view: View, name: str) -> RelationMotion:
    motion = view.joint(name)
    return RelationMotion(motion.q, motion.rate, motion.bias, motion.N)


def check_formulas(
    formulas: Sequence[Formula], reserved: Collection[str], parameters: Collection[str], where: str
) -> None:
    """Reject names that are neither parameters nor reserved."""
    meaning = "has a meaning of its own in a formula of this constraint"
    for k, formula in enumerate(formulas):
        if isinstance(formula, str):
            opening = f"{where}: formula[{k}]" if len(formulas) > 1 else f"{where}: formula"
            check_formula(formula, reserved, parameters, opening, meaning)


def is_function(given: object) -> TypeGuard[Callable[..., Any]]:
    """Say whether something is a function to trace; SymPy's symbols are callable, but are not."""
    return callable(given) and not is_sympy(given)


def checked_formula(formula: Any, where: str) -> Formula:  # noqa: ANN401 (whatever a user gives)
    """Return the text of a formula, also of an expression, or a finite number."""
    if isinstance(formula, str):
        return formula
    if is_sympy(formula) and formula.free_symbols:
        formula = from_sympy(formula)
    if isinstance(formula, Expr):
        return formula_text(formula)
    return finite_number(formula, where)


def from_formulas(
    formulas: Sequence[Formula], names: Sequence[str], where: str
) -> Callable[..., list[Any]]:
    """Return the function (x, t) of formulas in these names, ``t`` and parameters.

    Without a time there is no ``t`` in them.

    Raises:
        FormulaError: If a formula cannot be read.
    """

    def function(x: Array, t: Scalar | None = None) -> list[Any]:
        symbols: dict[str, Scalar] = dict(zip(names, x.tolist(), strict=True))
        if t is not None:
            symbols[TIME] = t
        values: list[Any] = []
        for k, formula in enumerate(formulas):
            if not isinstance(formula, str):
                values.append(formula)
                continue
            try:
                parameters = {
                    name: symbol(name) for name in parameters_in(formula, (*symbols, TIME))
                }
                values.append(parse(formula, {**symbols, **parameters}))
            except FormulaError as error:
                raise FormulaError(f"{where}[{k}]: {error}") from None
        return values

    return function
