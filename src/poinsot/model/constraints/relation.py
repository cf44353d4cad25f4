"""The constraint between places of points and coordinates of joints: what its kinds share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.errors import FormulaError
from poinsot.expr import Program
from poinsot.expr.formula import parse
from poinsot.model.constraints.base import AbstractConstraint, FramePair, Rows, View
from poinsot.model.constraints.smooth import Rates, rates
from poinsot.spatial import Array, Scalar, cross

__all__ = ["AbstractRelation", "Formula", "from_formulas"]

Formula = str | float
"""A formula in named numbers, or a number."""


@dataclass(frozen=True, init=False)
class AbstractRelation(AbstractConstraint):
    """g(x, t) = 0 with x the places of points and the coordinates of joints, in this order.

    Attributes:
        program: g as a program of x and t.
    """

    program: Program

    def _keep(self, program: Program) -> None:
        object.__setattr__(self, "program", program)

    @property
    def depends_on_time(self) -> bool:
        """Whether g does."""
        time = self.program.n_inputs - 1
        return time in self.program.results or any(time in args for _, args in self.program.steps)

    @property
    def locked(self) -> tuple[str, ...]:
        """The rows, numbered where there are several."""
        m = self.program.outputs[0].size
        return ("relation",) if m == 1 else tuple(f"relation {k}" for k in range(1, m + 1))

    def rows(self, view: View) -> Rows:
        """Return g, its derivative by v, and what else its second rate holds."""
        parts, at = self._rates(view)
        J = np.concatenate([part.J for part in parts])
        bias = np.concatenate([part.bias for part in parts])
        return Rows(at.g, at.G @ J, at.drift, at.G @ bias + at.second)

    def loads(self, view: View, lam: Array) -> Sequence[Array]:
        """Return forces along the derivatives of g by the places."""
        if not self.pairs:
            return ()
        _, at = self._rates(view)
        forces = []
        for k, pair in enumerate(self.pairs):
            f = at.G[:, 3 * k : 3 * k + 3].T @ lam
            forces.append(np.concatenate([view.frame(pair).X.R.T @ f, np.zeros(3)]))
        return forces

    def _rates(self, view: View) -> tuple[list[_Part], Rates]:
        parts = [_place(view, pair) for pair in self.pairs]
        parts += [_coordinates(view, name) for name in self.joints]
        x = np.concatenate([part.x for part in parts])
        rate = np.concatenate([part.rate for part in parts])
        return parts, rates(self.program, x, rate, view.t)


@dataclass(frozen=True, eq=False)
class _Part:
    x: Array
    rate: Array
    bias: Array
    J: Array


def _place(view: View, pair: FramePair) -> _Part:
    """Return the origin of the second frame, as it moves in the axes of the first."""
    motion = view.frame(pair)
    R, v, w = motion.X.R, motion.V[:3], motion.V[3:]
    return _Part(
        motion.X.p,
        R @ v,
        R @ (motion.A[:3] + cross(w, v)),
        R @ motion.J[:3],
    )


def _coordinates(view: View, name: str) -> _Part:
    motion = view.joint(name)
    return _Part(motion.q, motion.rate, motion.bias, motion.N)


def from_formulas(
    formulas: Sequence[Formula], names: Sequence[str], where: str
) -> Callable[[Array, Scalar], list[Any]]:
    """Return the function (x, t) of formulas in these names and ``t``.

    Raises:
        FormulaError: If a formula cannot be read.
    """

    def function(x: Array, t: Scalar) -> list[Any]:
        known: Mapping[str, Scalar] = {**dict(zip(names, x.tolist(), strict=True)), "t": t}
        values = []
        for k, formula in enumerate(formulas):
            try:
                values.append(parse(formula, known) if isinstance(formula, str) else formula)
            except FormulaError as error:
                raise FormulaError(f"{where}[{k}]: {error}") from None
        return values

    return function
