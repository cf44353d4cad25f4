"""Arrays as users give them, turned into what kernels take, and back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ArrayTypeError, ShapeError
from poinsot.expr import Expr, Port, as_expr
from poinsot.kernels.kernel import Signature
from poinsot.kernels.large_results import empty
from poinsot.spatial import Array
from poinsot.spatial.masked import refuse_masked


class Call:
    """One call; ``inputs`` and ``output`` are float64, contiguous, (B, size), not overlapping."""

    def __init__(
        self, name: str, signature: Signature, arguments: tuple[ArrayLike, ...], out: Array | None
    ) -> None:
        given, batch = checked_inputs(name, signature.inputs, arguments)
        n_states = math.prod(batch)
        self.inputs = [
            np.ascontiguousarray(_rows(array, batch, n_states), np.float64) for array in given
        ]
        port = signature.outputs[0]
        self._shape = (*batch, *port.shape)
        self._out = None if out is None else checked_out(name, out, self._shape)
        if self._out is not None and _usable(self._out, self.inputs):
            self.output = self._out.reshape(n_states, port.size)
        else:
            self.output = empty((n_states, port.size))

    def result(self) -> Any:  # noqa: ANN401 (an array, or a number for one state)
        """Return the output in the shape that belongs to the inputs."""
        if self._out is None:
            return self.output.reshape(self._shape)[()]
        if not np.shares_memory(self._out, self.output):
            self._out[...] = self.output.reshape(self._shape)
        return self._out


def checked_out(name: str, out: Array, shape: tuple[int, ...]) -> Array:
    """Return the array that a caller gave for a result; reject one that cannot hold it."""
    where = f"{name}: out"
    if not isinstance(out, np.ndarray):
        raise ArrayTypeError(f"{where} must be a NumPy array, got {type(out).__name__}")
    if out.dtype != np.float64:
        raise ArrayTypeError(f"{where} must have dtype float64, got {out.dtype}")
    if out.shape != shape:
        raise ShapeError(f"{where} must have shape {shape}, got {out.shape}")
    if not out.flags.writeable:
        raise ArrayTypeError(f"{where} is read-only; give an array that can be written")
    return out


def result_in(name: str, result: Array, out: Array | None) -> Array:
    """Return a result that was made of several, in the array that the caller gave, if any."""
    if out is None:
        return result
    checked_out(name, out, result.shape)[...] = result
    return out


def checked_inputs(
    name: str, ports: Sequence[Port], arguments: tuple[ArrayLike, ...]
) -> tuple[list[Array], tuple[int, ...]]:
    """Return arguments as arrays (..., size) of the ports, and their common leading shape."""
    given = [
        _checked(f"{name}: {port.name}", port, argument)
        for port, argument in zip(ports, arguments, strict=True)
    ]
    return given, _common_batch(name, ports, given)


def expression_rows(
    name: str, ports: Sequence[Port], arguments: tuple[ArrayLike, ...]
) -> tuple[list[Array], tuple[int, ...]]:
    """Return arguments, numbers and expressions, as rows (B, size), and their leading shape."""
    given, batch = checked_inputs(name, ports, arguments)
    return [_rows(array, batch, math.prod(batch)) for array in given], batch


def as_arrays(arguments: tuple[ArrayLike, ...]) -> tuple[ArrayLike, ...]:
    """Return lists as arrays, once for all that look at them; other arguments as they are."""
    for argument in arguments:
        if argument.__class__ is not np.ndarray:
            return tuple([_as_array(argument) for argument in arguments])
    return arguments


def _as_array(argument: ArrayLike) -> ArrayLike:
    if not isinstance(argument, list | tuple):
        return argument
    try:
        return np.asarray(argument)
    except (TypeError, ValueError):  # no array, which is reported elsewhere
        return argument


def holds_expressions(argument: object) -> bool:
    """Say whether an argument is an expression, or an array or list with some in it."""
    if isinstance(argument, np.ndarray):
        return argument.dtype.char == "O" and any(isinstance(x, Expr) for x in argument.flat)
    if isinstance(argument, list | tuple):
        array = _as_array(argument)
        return isinstance(array, np.ndarray) and holds_expressions(array)
    return isinstance(argument, Expr)


def checked_vectors(name: str, what: str, vectors: Sequence[tuple[str, ArrayLike, int]]) -> Array:
    """Return vectors side by side, shape (..., sum of sizes).

    Args:
        name: The quantity.
        what: What they are, e.g. "wrench on body".
        vectors: Whose each is, the argument, and its size.
    """
    given = [
        _checked(f"{name}: {what} {whose!r}", Port(what, (size,)), vector)
        for whose, vector, size in vectors
    ]
    try:
        batch = np.broadcast_shapes(*[vector.shape[:-1] for vector in given])
    except ValueError:
        shapes = ", ".join(
            f"{whose!r} {vector.shape}"
            for (whose, _, _), vector in zip(vectors, given, strict=True)
        )
        raise ShapeError(
            f"{name}: leading dimensions of each {what} do not broadcast to one another: {shapes}"
        ) from None
    return np.concatenate(
        [np.broadcast_to(vector, (*batch, vector.shape[-1])) for vector in given], axis=-1
    )


def checked_time(where: str, argument: ArrayLike) -> Array:
    """Return times as an array of real numbers, shape (..., 1), from shape (...)."""
    return checked_scalars(where, argument)[..., None]


def _checked(where: str, port: Port, argument: ArrayLike) -> Array:
    array: Array
    if type(argument) is np.ndarray and argument.dtype.char == "d":
        array = argument
    else:
        array = checked_scalars(where, argument)
    if array.ndim == 0 or array.shape[-1] != port.size:
        raise ShapeError(f"{where} must have shape (..., {port.size}), got {array.shape}")
    return array


def checked_scalars(where: str, argument: ArrayLike) -> Array:
    """Return an argument as an array of real numbers, or of numbers and expressions."""
    array = _array(where, argument)
    if array.dtype.char == "O" and holds_expressions(array):
        lifted = np.array([as_expr(x) for x in array.flat], dtype=object)
        return lifted.reshape(array.shape)
    return _real(where, array)


def checked_real(where: str, argument: ArrayLike) -> Array:
    """Return an argument as an array of real numbers, of any shape."""
    return _real(where, _array(where, argument))


def _array(where: str, argument: ArrayLike) -> Array:
    refuse_masked(argument, where)
    try:
        return np.asarray(argument)
    except (TypeError, ValueError) as error:
        raise ArrayTypeError(
            f"{where} must be an array of real numbers in this computer's memory, "
            f"got {type(argument).__name__} ({error})"
        ) from error


def _real(where: str, array: Array) -> Array:
    if array.dtype.kind not in "biuf":
        raise ArrayTypeError(f"{where} must hold real numbers, got dtype {array.dtype}")
    return array


def _rows(array: Array, batch: tuple[int, ...], n_states: int) -> Array:
    """Return an array broadcast to the batch as rows; no copy if it is that."""
    size = array.shape[-1]
    if array.shape != (*batch, size):
        array = np.broadcast_to(array, (*batch, size))
    return array.reshape(n_states, size)


def _common_batch(name: str, ports: Sequence[Port], given: list[Array]) -> tuple[int, ...]:
    if all(array.shape[:-1] == given[0].shape[:-1] for array in given):
        return given[0].shape[:-1]
    try:
        return np.broadcast_shapes(*[array.shape[:-1] for array in given])
    except ValueError:
        shapes = ", ".join(
            f"{port.name} {array.shape}" for port, array in zip(ports, given, strict=True)
        )
        raise ShapeError(
            f"{name}: leading dimensions do not broadcast to one another: {shapes}"
        ) from None


def _usable(out: Array, inputs: list[Array]) -> bool:
    """Say whether a kernel may write directly into ``out``."""
    straight = out.flags.c_contiguous and out.flags.aligned and out.dtype.isnative
    return straight and not any(np.may_share_memory(out, array) for array in inputs)
