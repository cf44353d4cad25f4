"""The evaluation of a system's quantities: evaluators, and methods as machine code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import PoinsotError
from poinsot.evaluate.call_arrays import Call, as_arrays, checked_time, holds_expressions
from poinsot.evaluate.evaluator import Evaluator, Evaluators, evaluators_of
from poinsot.evaluate.expression import STATE, expression
from poinsot.evaluate.formulation import formulation_of
from poinsot.evaluate.gimbal_lock import Locks
from poinsot.evaluate.inlining import inlined, refuse_out
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.loads import LoadReader
from poinsot.evaluate.missing_derivatives import MissingDerivatives
from poinsot.evaluate.native import NativeMethod, is_native
from poinsot.evaluate.parameters import ParameterValues
from poinsot.evaluate.registry import quantity_of
from poinsot.evaluate.request import RECURSIVE, Request
from poinsot.front.rank_changes import RankChanges
from poinsot.model import Mechanism
from poinsot.spatial import Array


class Evaluation:
    """Answers requests about one system.

    Args:
        description: The mechanism with its parameters, formulas and numbers.
    """

    def __init__(self, description: Mechanism) -> None:
        self._mechanism = description.bound
        self.parameters = ParameterValues(description)
        self.loads = LoadReader(self._mechanism, self.parameters)
        self._natives: dict[str, NativeMethod] = {}
        self._locks = Locks(self._mechanism)
        self._missing = MissingDerivatives(self._mechanism)
        self._rank_changes = RankChanges(self._mechanism)

    @cached_property
    def evaluators(self) -> Evaluators:
        """Those of the mechanism, which everything shares that asks for its quantities."""
        return evaluators_of(self._mechanism)

    def evaluate(
        self, owner: object, request: Request, arguments: tuple[ArrayLike, ...],
        out: Array | None, backend: str, parameters: Mapping[str, ArrayLike] | None,
    ) -> Array:  # fmt: skip
        """Return a quantity; the method of its name of ``owner`` may become machine code."""
        quantity = quantity_of(request.quantity)
        if request.method != RECURSIVE:
            formulation_of(request.method, quantity.name)
        evaluator = self.evaluators.find(request, backend)
        values = self.parameters.numbers(quantity.name, parameters, self._time(request, arguments))
        if values is not None:
            arguments = (*arguments, values)
        arguments = as_arrays(arguments)
        if any(map(holds_expressions, arguments)):
            refuse_out(quantity.name, out)
            return inlined(self._mechanism, request, evaluator.kernel, arguments)
        result: Array = evaluator(arguments, out)
        can_lock = quantity.solves and bool(self._locks)
        if can_lock:
            self._locks.report(quantity.name, arguments, result)
        if self._missing.concern(request) and np.isnan(result).any():
            self._missing.report(request, arguments, result)
        if self._rank_changes.concern(request):
            names = (port.name for port in evaluator.signature.inputs)
            self._rank_changes.report(request, dict(zip(names, arguments, strict=True)))
        if quantity.is_method and request.is_plain and backend == "auto" and not can_lock:
            self._go_native(owner, evaluator, single=np.ndim(arguments[0]) == 1)
        return result

    def formula(
        self, text: str, state: tuple[ArrayLike, ...], t: ArrayLike,
        parameters: Mapping[str, ArrayLike] | None,
    ) -> Array:  # fmt: skip
        """Return the value of a formula (docs/formulas.md), shape (...).

        Args:
            text: The formula.
            state: q, v and what else it depends on, in order: a, tau.
            t: Time [s], shape (...).
            parameters: Values of free parameters by name.
        """
        kernel = expression(self._mechanism, text, "evaluate")
        given = dict(zip(STATE[1:], state, strict=False)) | {"t": checked_time("evaluate: t", t)}
        values = self.parameters.numbers("evaluate", parameters)
        if values is not None:
            given[PARAMETERS] = values
        names = [port.name for port in kernel.signature.inputs]
        absent = [name for name in names if name not in given]
        if absent:
            raise TypeError(f"evaluate: {text!r} depends on {', '.join(names)}; give {absent[0]}")
        call = Call("evaluate", kernel.signature, tuple(given[name] for name in names), None)
        kernel.run(call.inputs, [call.output])
        result: Array = call.result()
        return result

    def _time(self, request: Request, arguments: tuple[ArrayLike, ...]) -> Array | float:
        """Return the times among the arguments of a quantity, where samples depend on them."""
        if not self._mechanism.signals or not quantity_of(request.quantity).loaded:
            return 0.0
        if holds_expressions(arguments[-1]):
            raise PoinsotError(
                f"{request.quantity}: parameters of {self._mechanism.name!r} are signals, which "
                "have no formula at a time that is an expression; give their values, "
                "parameters={...}"
            )
        return np.asarray(arguments[-1], np.float64)[..., 0]

    def _time_and_parameters(self, how: Mapping[str, Any]) -> Mapping[str, ArrayLike]:
        """Return the time and the parameters among the keywords of a call, by input."""
        time = checked_time("t", how.get("t", 0.0))
        given: Mapping[str, ArrayLike] | None = how.get("parameters")
        if how.get("states"):
            given = self.parameters.with_states("derivatives", given, how["states"])
        values = self.parameters.numbers("derivatives", given, time[..., 0])
        return {"t": time} | ({} if values is None else {PARAMETERS: values})

    def _go_native(self, owner: object, evaluator: Evaluator, *, single: bool) -> None:
        """Replace the method by machine code."""
        name = evaluator.request.quantity
        if name not in self._natives:
            values, signals = self.parameters.defaults, dict(self._mechanism.signals)
            if not quantity_of(name).loaded:  # signals are evaluated at time zero
                values, signals = values | {key: signal(0.0) for key, signal in signals.items()}, {}
            if not is_native(evaluator.kernel, len(values)) or not hasattr(type(owner), name):
                return
            method = getattr(type(owner), name).__get__(owner)
            native = NativeMethod(name, evaluator.kernel, method, values, signals)
            native = self._natives.setdefault(name, native)
            function = native.function
            if self._missing.concern(evaluator.request):
                function = self._missing.watched(function, method)
            if self._rank_changes.concern(evaluator.request):
                function = self._rank_changes.watched(function, method, self._time_and_parameters)
            owner.__dict__[name] = function
        if single:
            self._natives[name].add_single()
        else:
            self._natives[name].add_batch()
