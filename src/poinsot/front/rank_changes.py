"""Derivatives next to a change of rank: said, with the row and its margin.

Accelerations and multipliers of closed systems have derivatives that grow with the inverse of the
distance of a constraint row from depending on the others.  The distance is looked at by a program
of its own, machine code of a fraction of a microsecond: the remainders of the rows in the order in
which they are taken (``expr/least_squares.py``).  ``mobility`` gives the exact figures where these
are small.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial, wraps
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analysis.mobility import mobility_of
from poinsot.analysis.rank_rise import rank_rises
from poinsot.errors import ModelWarning, users_line
from poinsot.evaluate.call_arrays import Call
from poinsot.evaluate.derivative import SOLVED, direction_name
from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.native import plain_function
from poinsot.evaluate.request import Derivative, Request, request_for
from poinsot.evaluate.trace import trace
from poinsot.expr import Program, build, fresh_symbols, maximum, minimum, select
from poinsot.expr.least_squares import orthonormal
from poinsot.expr.rank_tolerances import NEARLY_SINGULAR, RANK
from poinsot.expr.replay import replay
from poinsot.expr.sparse_arithmetic import dot
from poinsot.kernels.kernel import Recipe
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.model import Mechanism
from poinsot.spatial import Array

__all__ = ["NEAR", "RankChanges"]

FEW: Final = 10
"""Velocities up to which remainders are a program; beyond, singular values of the Jacobian."""
WIDER: Final = 10.0
"""Remainders may be this much larger than the margin, which is looked at then."""
NEAR: Final = "next to a change of rank"
"""What the warning says."""
MOST: Final = 0.5
"""Largest remainder that is told apart: it is the fraction of a number whose whole is the rank."""


class RankChanges:
    """The states of a mechanism next to a change of the rank of its constraints.

    Args:
        mechanism: The bodies, loops and constraints.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism = mechanism
        self._jacobian = request_for("constraint_jacobian")
        self._usual = math.inf

    def concern(self, request: Request) -> bool:
        """Say whether a request is for a derivative that grows next to a change of rank."""
        if not self._mechanism.closures:
            return False
        is_derivative = request.derivative is not None and request.quantity in SOLVED
        return is_derivative or request.quantity == "forward_dynamics_derivatives"

    def watched(
        self, native: Callable[..., Array], plain: Callable[..., Array],
        defaults: Callable[[Mapping[str, Any]], Mapping[str, ArrayLike]],
    ) -> Any:  # fmt: skip  # noqa: ANN401
        """Return a method as machine code; next to a change of rank ``plain`` answers, and warns.

        Args:
            native: The machine code.
            plain: The method.
            defaults: Time and parameters by name, from the keywords of a call.
        """

        @wraps(plain)
        def method(*state: ArrayLike, **how: Any) -> Array:  # noqa: ANN401
            if not state or self._is_near(state[0], how, defaults):
                return plain(*state, **how)
            return native(*state, **how)

        return method

    def report(self, request: Request, arguments: Mapping[str, ArrayLike]) -> None:
        """Warn where derivatives are taken next to a change of rank.

        Args:
            request: The derivative.
            arguments: Its inputs by name: q, the time and parameters among them.

        Warns:
            ModelWarning: Once, for one state or for many.
        """
        given = self._given(arguments)
        whole = np.asarray(self._remainders(*given))
        ranks, lead = np.floor(whole), whole.shape
        small = whole - ranks < WIDER * NEARLY_SINGULAR
        low = ranks < self._usual
        if not (small | low).any():
            return
        J, names = self._rows(given), self._mechanism.row_names
        J = np.broadcast_to(J, (*lead, *J.shape[-2:]))
        of_states = {tuple(k): mobility_of(J[tuple(k)], names, ()) for k in np.argwhere(small)}
        near = [mobility for mobility in of_states.values() if mobility.is_nearly_singular]
        asked, count = f"{request.asked_name} of {self._mechanism.name!r}", math.prod(lead)
        if near:
            worst = min(near, key=lambda mobility: mobility.margin)
            states = f" in {len(near)} of {count} states" if count > 1 else ""
            warnings.warn(
                f"{asked} is {NEAR}{states}: constraint row {worst.weakest!r} is "
                f"{worst.margin:.1e} of the longest from depending on the others, and derivatives "
                "grow with its inverse; they hold for deviations much smaller than that "
                "(system.mobility(q) has the figures)",
                ModelWarning,
                stacklevel=users_line(),
            )
        singular = self._singular(given, J, np.where(small, np.inf, ranks))
        if singular:
            redundant = mobility_of(J[singular[0]], names, ()).redundant
            states = f" in {len(singular)} of {count} states" if count > 1 else ""
            warnings.warn(
                f"{asked} is at a change of rank{states}: some of the constraint rows "
                f"{', '.join(map(repr, redundant))} depend on the others there, and not next to "
                "it; they are left out, and derivatives hold for motions along which they stay "
                "redundant (system.mobility(q) has the figures)",
                ModelWarning,
                stacklevel=users_line(),
            )

    def _singular(
        self, given: tuple[ArrayLike, ...], J: Array, ranks: Array
    ) -> list[tuple[int, ...]]:
        """Return the states whose rank is lower than that next to them; note the usual rank.

        Args:
            given: What the rows depend on.
            J: The rows of each state, shape (..., m, nv).
            ranks: The rank at each, shape (...); infinite where the state is not to be looked at.
        """
        lead, singular = ranks.shape, []
        wide = [np.broadcast_to(x, (*lead, np.shape(x)[-1])) for x in given]
        order = np.argsort(-ranks, axis=None, kind="stable")
        for k in zip(*np.unravel_index(order, lead), strict=True) if lead else [()]:
            if not np.isfinite(ranks[k]) or ranks[k] >= self._usual:
                continue
            state = [x[k] for x in wide]
            if ranks[k] < len(J[k]) and rank_rises(J[k], partial(self._rows, state)):
                singular.append(k)
            elif self._usual == math.inf:
                self._usual = float(ranks[k])
        return singular

    def _is_near(
        self, q: ArrayLike, how: Mapping[str, Any],
        defaults: Callable[[Mapping[str, Any]], Mapping[str, ArrayLike]],
    ) -> bool:  # fmt: skip
        """Say whether one state may be next to a change of rank, or one of many."""
        if len(self._names) == 1:
            remainders = self._remainders(q)
        else:
            remainders = self._remainders(*self._given({"q": q, **defaults(how)}))
        if not isinstance(remainders, float):
            remainders = np.asarray(remainders)
            near = (remainders % 1.0 < WIDER * NEARLY_SINGULAR) | (remainders < self._usual)
            return bool(near.any())
        return remainders % 1.0 < WIDER * NEARLY_SINGULAR or remainders < self._usual

    def _given(self, arguments: Mapping[str, ArrayLike]) -> tuple[ArrayLike, ...]:
        return tuple(arguments[name] for name in self._names)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """Names of the inputs of the rows."""
        return tuple(_input_names(self._mechanism))

    def _rows(self, given: Sequence[ArrayLike], along: Array | None = None) -> Array:
        """Return the Jacobian of the constraints, shape (..., m, nv); its change along a motion."""
        known: dict[str, ArrayLike] = {"t": np.zeros(1)}
        known |= zip(self._names, given, strict=True)
        asked, backend = self._jacobian, "auto"
        if along is not None:  # once or twice in a system's life, which is not worth machine code
            asked, backend = asked.with_derivative(Derivative(("q",), (True,))), "interpreter"
            known[direction_name(0)] = along
        evaluator = evaluators_of(self._mechanism).find(asked, backend)
        names = [port.name for port in evaluator.signature.inputs]
        rows: Array = evaluator(tuple([known[name] for name in names]))
        return rows

    @cached_property
    def _remainders(self) -> Callable[..., Any]:
        """The rank and the smallest remainder of an independent row, in one number, shape (...).

        The whole number is the rank, its fraction the remainder, relative to the longest row.
        """
        if self._mechanism.nv > FEW:
            return self._singular_values
        kernel = LlvmKernel(Recipe(lambda: _remainder_program(self._mechanism)))
        signature = kernel.prepare()

        def evaluated(arguments: tuple[ArrayLike, ...]) -> Any:  # noqa: ANN401
            call = Call("derivatives", signature, arguments, None)
            kernel.run(call.inputs, [call.output])
            return call.result()

        return plain_function("remainders", kernel, evaluated)

    def _singular_values(self, *given: ArrayLike) -> Array:
        """Return the rank and the smallest singular value that counts, relative to the largest."""
        J = self._rows(given)
        values = np.linalg.svd(np.where(np.isfinite(J), J, 0.0), compute_uv=False)
        largest = values[..., :1]
        counts = values > RANK * largest
        least = np.where(counts, values, np.inf).min(axis=-1)
        relative = least / np.where(largest > 0, largest, 1.0)[..., 0]
        return np.asarray(counts.sum(axis=-1) + np.minimum(relative, MOST))


def _input_names(mechanism: Mechanism) -> list[str]:
    """Return the names of what the rows depend on; not the time, where no constraint does."""
    is_moved = any(constraint.depends_on_time for constraint in mechanism.closures)
    ports = evaluators_of(mechanism).find(request_for("constraint_jacobian")).signature.inputs
    return [port.name for port in ports if port.name != "t" or is_moved]


def _remainder_program(mechanism: Mechanism) -> Program:
    """Return the program of rank and smallest remainder; see ``RankChanges._remainders``."""
    rows = trace(mechanism, request_for("constraint_jacobian"))
    names = _input_names(mechanism)
    inputs = {port.name: fresh_symbols(port.name, port.size) for port in rows.inputs}
    inputs = {name: x if name in names else np.zeros(len(x)) for name, x in inputs.items()}
    (J,) = replay(rows, *inputs.values())
    inputs = {name: inputs[name] for name in names}
    vectors = J.tolist()
    longest: Any = 0.0
    for row in vectors:
        longest = maximum(longest, dot(row, row))
    least: Any = longest
    rank: Any = 0.0
    for direction in orthonormal(vectors, blocks=mechanism.row_slices).directions:
        least = minimum(least, select(direction.kept, direction.left, longest))
        rank = rank + direction.kept
    relative = (least / maximum(longest, np.finfo(float).tiny)) ** 0.5
    result = np.empty((), dtype=object)
    result[()] = rank + minimum(relative, MOST)
    return build(inputs, {"remainder": result})
