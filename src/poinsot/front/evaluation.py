"""The evaluators of one system, made when first asked for, and its methods of machine code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.arrays import checked_time, checked_vectors
from poinsot.evaluate.evaluator import Evaluator
from poinsot.evaluate.locked import SOLVED, Locks
from poinsot.evaluate.native import NativeMethod, is_native
from poinsot.evaluate.parameters import ParameterValues
from poinsot.evaluate.quantity import QUANTITIES
from poinsot.model import AbstractClosure, BaseMotion, Mechanism, Outside, suggestion
from poinsot.spatial import Array


class Driven(NamedTuple):
    """A loop or curve: its number among the closures, and how many velocities it has."""

    number: int
    nv: int


class Evaluators:
    """Answers every question about one mechanism.

    Args:
        description: The mechanism with its parameters, formulas and numbers.
    """

    def __init__(self, description: Mechanism) -> None:
        self._mechanism = description.bound
        self.parameters = ParameterValues(description)
        self._evaluators: dict[tuple[Any, ...], Evaluator] = {}
        self._natives: dict[str, NativeMethod] = {}
        self._locks = Locks(self._mechanism)

    def find(
        self, name: str, backend: str, options: tuple[Any, ...] = (), method: str = "recursive"
    ) -> Evaluator:
        """Return the evaluator of a quantity."""
        key = (name, backend, options, method)
        evaluator = self._evaluators.get(key)
        if evaluator is None:
            evaluator = Evaluator(self._mechanism, name, options, backend, method)
            evaluator = self._evaluators.setdefault(key, evaluator)
        return evaluator

    def evaluate(
        self, owner: object, name: str, arguments: tuple[ArrayLike, ...], out: Array | None,
        backend: str, options: tuple[Any, ...] = (), method: str = "recursive",
        parameters: Mapping[str, ArrayLike] | None = None,
    ) -> Array:  # fmt: skip
        """Return a quantity; the method of this name of ``owner`` may become machine code."""
        evaluator = self.find(name, backend, options, method)
        values = self.parameters.numbers(name, parameters, self._time(name, arguments))
        if values is not None:
            arguments = (*arguments, values)
        result: Array = evaluator(arguments, out)
        can_lock = name in SOLVED and bool(self._locks)
        if can_lock:
            self._locks.report(name, arguments, result)
        plain = not options and not can_lock
        if plain and backend == "auto" and method == "recursive":
            self._go_native(owner, name, evaluator, single=np.ndim(arguments[0]) == 1)
        return result

    def _time(self, name: str, arguments: tuple[ArrayLike, ...]) -> Array | float:
        """Return the times among the arguments of a quantity, where samples depend on them."""
        if not self._mechanism.signals or not QUANTITIES[name].loaded:
            return 0.0
        return np.asarray(arguments[-1], np.float64)[..., 0]

    def outside(
        self, name: str, wrenches: Mapping[str, ArrayLike] | None, base: BaseMotion | None,
        t: ArrayLike, parameters: Mapping[str, ArrayLike] | None,
        drives: Mapping[str, ArrayLike] | None = None,
    ) -> tuple[tuple[Outside, ...], list[Array]]:  # fmt: skip
        """Return what of the outside is given, and its numbers in the order of the inputs."""
        timed = self._mechanism.depends_on_time
        time = [checked_time(f"{name}: t", t)] if timed else []
        if not wrenches and base is None and not drives:
            return (), time
        extra = [] if base is None else [self._base_numbers(name, base, parameters)]
        given = wrenches or {}
        bodies = sorted((self._mechanism.index(body), body) for body in given)
        if bodies:
            loads = [(body, given[body], 6) for _, body in bodies]
            extra.append(checked_vectors(name, "wrench on body", loads))
        forces = drives or {}
        driven = sorted((*self.closure(name, loop), loop) for loop in forces)
        if driven:
            vectors = [(loop, forces[loop], nv) for _, nv, loop in driven]
            extra.append(checked_vectors(name, "drive of", vectors))
        acting = tuple(i for i, _ in bodies)
        sizes = tuple((k, nv) for k, nv, _ in driven)
        return (Outside(base is not None, acting, sizes),), extra + time

    def closure(self, name: str, loop: str) -> Driven:
        """Return the number of a loop or curve among the closures, and of its velocities."""
        known = {
            one.name: Driven(k, one.nv)
            for k, one in enumerate(self._mechanism.closures)
            if isinstance(one, AbstractClosure)
        }
        if loop not in known:
            hint = suggestion(str(loop), known) if known else "it has none at all"
            raise ModelError(
                f"{name}: mechanism {self._mechanism.name!r} has no loop or curve {loop!r} with "
                f"coordinates of its own; {hint}"
            )
        return known[loop]

    def tilted_gravity(
        self, name: str, base: BaseMotion, parameters: Mapping[str, ArrayLike] | None
    ) -> Array:
        """Return gravity in the axes of a base, shape (..., 3)."""
        return self._base_numbers(name, base, parameters)[..., :3]

    def _base_numbers(
        self, name: str, base: BaseMotion, parameters: Mapping[str, ArrayLike] | None
    ) -> Array:
        if not isinstance(base, BaseMotion):
            raise ModelError(f"{name}: base must be a BaseMotion, got {type(base).__name__}")
        values = self.parameters.numbers(name, parameters)
        return base.numbers(self.parameters.gravity(values))

    def over_time(self, name: str, q: ArrayLike, t: ArrayLike) -> ArrayLike:
        """Return q for every time, also where no force depends on the time."""
        if isinstance(t, float | int) or self._mechanism.depends_on_time:
            return q
        times = checked_time(f"{name}: t", t)
        shape = np.shape(q)
        if times.ndim == 1 or not shape:
            return q
        try:
            return np.broadcast_to(
                q, (*np.broadcast_shapes(shape[:-1], times.shape[:-1]), shape[-1])
            )
        except ValueError:
            raise ShapeError(
                f"{name}: leading dimensions do not broadcast to one another: q {shape}, "
                f"t {times.shape[:-1]}"
            ) from None

    def body_options(self, name: str, body: str, axes: str) -> tuple[int, str]:
        """Return the options of a quantity of one body."""
        if axes not in ("body", "world"):
            raise ModelError(f"{name}: axes must be 'body' or 'world', got {axes!r}")
        return self._mechanism.index(body), axes

    def _go_native(self, owner: object, name: str, evaluator: Evaluator, *, single: bool) -> None:
        """Put the machine code in the method's place."""
        if name not in self._natives:
            own, signals = self.parameters.own, dict(self._mechanism.signals)
            if not QUANTITIES[name].loaded:  # as it is at time zero
                own, signals = own | {key: one(0.0) for key, one in signals.items()}, {}
            if not is_native(evaluator, len(own)) or not hasattr(type(owner), name):
                return
            method = getattr(type(owner), name).__get__(owner)
            native = self._natives.setdefault(name, NativeMethod(evaluator, method, own, signals))
            owner.__dict__[name] = native.function
        if single:
            self._natives[name].add_single()
        else:
            self._natives[name].add_batch()
