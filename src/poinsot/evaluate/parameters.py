"""Values of the free parameters, as users give them, turned into the input of kernels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.call_arrays import checked_scalars
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import build
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.model import Mechanism, is_symbolic, suggestion
from poinsot.spatial import Array


class ParameterValues:
    """The parameters of one mechanism and their default values."""

    def __init__(self, description: Mechanism) -> None:
        self._description = description
        self._free = description.parameter_inputs
        self._declared = {**dict(description.parameters), **description.state_values}

    @property
    def defaults(self) -> dict[str, float | None]:
        """The free parameters in the order of the kernels' input, with their default values."""
        return {key: self._declared[key] for key in self._free}

    def numbers(
        self, name: str, given: Mapping[str, ArrayLike] | None, t: Array | float = 0.0
    ) -> Array | None:
        """Return the values in the order of the kernels' input, shape (..., number of free ones).

        None where no parameter is free.

        Args:
            name: The quantity; opens the message of an error.
            given: Values by name: numbers, or arrays whose shapes broadcast.
            t: Times [s] for parameters that are samples, shape (...).
        """
        signals = dict(self._description.signals)
        if signals:
            samples = {key: signal.at(np.asarray(t, np.float64)) for key, signal in signals.items()}
            given = samples | dict(given or {})
        if not given:
            return self._defaults(name) if self._free else None
        self._check_names(name, given)
        plain = [given.get(key, self._declared[key]) for key in self._free]
        if all(value.__class__ is float for value in plain):
            return np.array(plain)
        values = [
            checked_scalars(f"{name}: parameter {key!r}", value)  # type: ignore[arg-type]
            for key, value in zip(self._free, plain, strict=True)
            if self._has_value(name, key, given)
        ]
        try:
            stacked = np.stack(np.broadcast_arrays(*values), axis=-1)
            return stacked if stacked.dtype == object else stacked.astype(np.float64)
        except ValueError:
            shapes = ", ".join(
                f"{key} {value.shape}" for key, value in zip(self._free, values, strict=True)
            )
            raise ShapeError(
                f"{name}: the shapes of the parameters do not broadcast to one another: {shapes}"
            ) from None

    def of_call(self, name: str, how: Mapping[str, Any]) -> Mapping[str, ArrayLike] | None:
        """Return the values of parameters and further states among the keywords of a call."""
        parameters: Mapping[str, ArrayLike] | None = how.get("parameters")
        if not how.get("states"):
            return parameters
        return self.with_states(name, parameters, how["states"])

    def with_states(
        self, name: str, given: Mapping[str, ArrayLike] | None, states: Mapping[str, ArrayLike]
    ) -> dict[str, ArrayLike]:
        """Return values of parameters and of further states in one mapping.

        Args:
            name: The quantity; opens the message of an error.
            given: Values of parameters by name.
            states: Values of states by name: numbers, or arrays whose shapes broadcast.
        """
        known = self._description.state_values
        if not isinstance(states, Mapping):
            raise ModelError(
                f"{name}: states must be values by name, e.g. {{'pressure': 1e5}}, got {states!r}"
            )
        for key in states:
            if key not in known:
                hint = suggestion(str(key), known) if known else "it has none at all"
                raise ModelError(f"{name}: {self._description.name!r} has no state {key!r}; {hint}")
        return {**(given or {}), **states}

    def gravity(self, values: Array | None) -> Array:
        """Return the acceleration of free fall [m/s²] at these values, shape (..., 3)."""
        gravity = self._description.bound.gravity
        if values is None or not is_symbolic(gravity):
            return np.array(gravity)
        result = np.empty((values[..., 0].size, 3))
        self._gravity_kernel.run([values.reshape(-1, len(self._free))], [result])
        return result.reshape(*values.shape[:-1], 3)

    def _defaults(self, name: str) -> Array:
        return np.array(
            [self._declared[key] for key in self._free if self._has_value(name, key, {})]
        )

    def _has_value(self, name: str, key: str, given: Mapping[str, ArrayLike]) -> bool:
        if key in given or self._declared[key] is not None:
            return True
        raise ModelError(
            f"{name}: parameter {key!r} of {self._description.name!r} has no value; give it: "
            f"parameters={{{key!r}: ...}}, or once for all: system.with_parameters({key}=...)"
        )

    def _check_names(self, name: str, given: Mapping[str, ArrayLike]) -> None:
        if not isinstance(given, Mapping):
            raise ModelError(
                f"{name}: parameters must be values by name, e.g. {{'m': 1.0}}, got {given!r}"
            )
        declared = self._declared
        for key in given:
            if key not in declared:
                hint = suggestion(str(key), declared) if declared else "the system has none"
                raise ModelError(f"{name}: unknown parameter {key!r}; {hint}")
            if key not in self._free:
                raise ModelError(
                    f"{name}: parameter {key!r} is folded in as the constant {declared[key]}; "
                    f"make it an input, system.with_free({key!r}), or change it, "
                    f"system.with_parameters({key}=...)"
                )

    @cached_property
    def _gravity_kernel(self) -> InterpreterKernel:
        bound = self._description.bound
        return InterpreterKernel(build(parameter_symbols(bound), {"gravity": bound.gravity}))
