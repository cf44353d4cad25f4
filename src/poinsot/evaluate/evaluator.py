"""A quantity of one mechanism as a callable: the whole story on one screen.

    mechanism ─ trace ─► program ─ back end ─► kernel ─ check and reshape arrays ─► numbers

A kernel whose machine code is in the disk cache needs no trace: the key is the digest of the
mechanism, the quantity and our own source.

``Evaluator`` is the path that accepts every kind of call and reports errors; plain float64 arrays
bypass it through the native entry (``evaluate/native.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any

from numpy.typing import ArrayLike

from poinsot.evaluate.call_arrays import Call
from poinsot.evaluate.kernel import kernel_of
from poinsot.evaluate.native import plain_function
from poinsot.evaluate.request import Request
from poinsot.expr import TooManyNodesError
from poinsot.model import Mechanism
from poinsot.spatial import Array


class Evaluator:
    """Evaluates one quantity of one mechanism on one back end."""

    def __init__(self, mechanism: Mechanism, request: Request, backend: str = "auto") -> None:
        self.request = request
        self.kernel = kernel_of(mechanism, request, backend)
        self.signature = self.kernel.prepare()  # traces, unless the disk cache has the code

    def __call__(self, arguments: tuple[ArrayLike, ...], out: Array | None = None) -> Any:  # noqa: ANN401
        """Return the quantity for states of any leading shape.

        Args:
            arguments: One array (..., size) for each input; leading dimensions broadcast.
            out: Where to put the result; a new array by default.
        """
        call = Call(self.request.asked_name, self.signature, arguments, out)
        self.kernel.run(call.inputs, [call.output])
        return call.result()

    @cached_property
    def function(self) -> Callable[..., Any]:
        """The quantity as a function of its inputs, machine code from the second call on."""
        return plain_function(self.request.asked_name, self.kernel, self)


class Evaluators:
    """The evaluators of one mechanism, created on first use."""

    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism = mechanism
        self._evaluators: dict[tuple[Request, str], Evaluator] = {}
        self._too_long: set[tuple[Request, str]] = set()

    def find(self, request: Request, backend: str = "auto") -> Evaluator:
        """Return the evaluator of a quantity.

        Raises:
            TooManyNodesError: If its program would be too long; a dense derivative is traced once
                only to find out, as it is taken along directions then.
        """
        key = request, backend
        evaluator = self._evaluators.get(key)
        if evaluator is None:
            if key in self._too_long:
                raise TooManyNodesError(f"{request.asked_name}: this derivative is too long")
            try:
                made = Evaluator(self._mechanism, request, backend)
            except TooManyNodesError:
                asked = request.derivative
                if asked is not None and not all(asked.along):  # the limit was its own
                    self._too_long.add(key)
                raise
            evaluator = self._evaluators.setdefault(key, made)
        return evaluator


@lru_cache(maxsize=64)
def evaluators_of(mechanism: Mechanism) -> Evaluators:
    """Return the evaluators of a mechanism, shared by all callers: nothing is compiled twice."""
    return Evaluators(mechanism)
