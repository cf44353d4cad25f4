"""The evaluation of a system's quantities: evaluators, and methods as machine code."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
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
from poinsot.expr import TooManyNodesError
from poinsot.front.rank_changes import RankChanges
from poinsot.front.shortcuts import Shortcuts
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
        self._natives: dict[Hashable, NativeMethod] = {}
        self.shortcuts = Shortcuts()
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
            self._go_native(owner, evaluator, np.shape(arguments[0]))
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
        given = self.parameters.of_call("derivatives", how)
        values = self.parameters.numbers("derivatives", given, time[..., 0])
        return {"t": time} | ({} if values is None else {PARAMETERS: values})

    def shorten(
        self, names: Hashable, request: Request, plain: Callable[..., Array],
        state: Sequence[ArrayLike], how: Mapping[str, Any],
    ) -> None:  # fmt: skip
        """Make machine code of the calls of these names, as far as there is some.

        Args:
            names: What the call was given besides arrays.
            request: What it asks for, without external loads.
            plain: Answers calls that are not plain, from the same arrays and keywords.
            state: The arrays of the call, in the order of the kernel's inputs.
            how: Its keywords.
        """
        if not self.shortcuts.takes(names, how) or any(map(holds_expressions, state)):
            return
        try:
            evaluator = self.evaluators.find(request)
        except TooManyNodesError:
            return
        if quantity_of(request.quantity).solves and self._locks:
            return
        function = self._machine_code(names, evaluator, plain, np.shape(state[0]))
        if function is not None:
            self.shortcuts.add(names, function)

    def _go_native(self, owner: object, evaluator: Evaluator, shape: tuple[int, ...]) -> None:
        """Replace the method by machine code."""
        name = evaluator.request.quantity
        if hasattr(type(owner), name):
            method = getattr(type(owner), name).__get__(owner)
            function = self._machine_code(name, evaluator, method, shape)
            if function is not None:
                owner.__dict__[name] = function

    def _machine_code(
        self, names: Hashable, evaluator: Evaluator, plain: Callable[..., Array],
        shape: tuple[int, ...],
    ) -> Callable[..., Array] | None:  # fmt: skip
        """Return a request as a builtin, ready for states of a shape; None: it has no such form."""
        request = evaluator.request
        if names not in self._natives:
            values, signals = self.parameters.defaults, dict(self._mechanism.signals)
            if not quantity_of(request.quantity).loaded:  # signals are evaluated at time zero
                values, signals = values | {key: signal(0.0) for key, signal in signals.items()}, {}
            if not is_native(evaluator.kernel, len(values)):
                return None
            native = NativeMethod(request.quantity, evaluator.kernel, plain, values, signals)
            self._natives.setdefault(names, native)
        native = self._natives[names]
        if len(shape) == 1:
            native.add_single()
        else:
            native.add_batch()
        function: Callable[..., Array] = native.function
        if self._missing.concern(request):
            function = self._missing.watched(function, plain)
        if self._rank_changes.concern(request):
            function = self._rank_changes.watched(function, plain, self._time_and_parameters)
        return function
