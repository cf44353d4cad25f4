"""Callbacks: any Python function as a control law, for what cannot be traced; slow."""

from __future__ import annotations

import ctypes
import inspect
import math
import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import ArrayTypeError, PoinsotError, ShapeError
from poinsot.expr import Port, Program, Rolled
from poinsot.kernels.kernel import AbstractKernel, Signature
from poinsot.spatial import Array

_SINGLE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_POINTERS = ctypes.POINTER(ctypes.POINTER(ctypes.c_double))


@final
class Callback:
    """A control law that is called back on plain floats each time forces are needed.

    For what cannot be traced and compiled: branches on values, tables, other libraries, memory.
    It is slow: each call takes a few microseconds besides what the function itself does, and a step
    of the default integrator takes 12 calls; ``run.statistics`` says how many there were and how
    long they took.  The integrator also calls it in steps that it later rejects, so a function with
    memory (hysteresis) remembers these too; events and ``tau=`` of an ``Event`` do not have that.

    Args:
        function: ``(t, q, v) -> tau``: t a float [s], q (nq,) and v (nv,) arrays that may be kept,
            tau nv numbers (one number where nv is 1).  A function of four arguments gets the
            further states too, a dictionary of floats by name.

    >>> import math
    >>> import poinsot as ps
    >>> ps.Callback(lambda t, q, v: math.sin(t))(0.0, [0.0], [0.0])
    0.0
    """

    def __init__(self, function: Callable[..., ArrayLike]) -> None:
        if not callable(function):
            raise ArrayTypeError(
                f"Callback: must wrap a function of (t, q, v), got {type(function).__name__}"
            )
        self.function = function

    def __call__(self, t: float, q: Array, v: Array, *states: Mapping[str, float]) -> ArrayLike:
        """Return what the function returns."""
        return self.function(t, q, v, *states)

    @property
    def reads_states(self) -> bool:
        """Whether the function takes further states as its fourth argument."""
        try:
            inspect.signature(self.function).bind(None, None, None)
        except TypeError:
            return True
        except ValueError:  # a builtin that does not tell
            return False
        return False

    def __deepcopy__(self, memo: dict[int, Any]) -> Callback:
        return self

    def __reduce__(self) -> tuple[type[Callback], tuple[Callable[..., ArrayLike]]]:
        try:
            pickle.dumps(self.function)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise PoinsotError(
                f"the function {_named(self.function)!r} of a Callback cannot be pickled: {error}; "
                "define it at the top of a module, or write it so that it can be traced"
            ) from error
        return Callback, (self.function,)

    def __repr__(self) -> str:
        return f"Callback({_named(self.function)})"


@final
class CallbackKernel(AbstractKernel):
    """A callback as a kernel: native code that calls back into Python.

    Where the function raises or returns something else than forces, the forces are NaN from then
    on, so that the integrator stops, and ``error`` holds the exception.

    Args:
        callback: The function.
        nq: Number of coordinates.
        nv: Number of velocities.
        names: Names of the further states.
    """

    def __init__(self, callback: Callback, nq: int, nv: int, names: Sequence[str] = ()) -> None:
        self.callback = callback
        self._reads_states = callback.reads_states
        self._names = tuple(names) if self._reads_states else ()
        self.error: BaseException | None = None
        self.failed_at = 0.0
        self.not_finite: tuple[float, Array] | None = None
        self.calls, self.seconds = 0, 0.0
        self._sizes = nq, nv
        self._single = _SINGLE(self._called)

    def begin(self) -> None:
        """Reset errors and statistics for a new run."""
        self.error = self.not_finite = None
        self.calls, self.seconds = 0, 0.0

    @property
    def single_address(self) -> int:
        """Where ``void single(double **inputs, double **outputs)`` starts."""
        return ctypes.cast(self._single, ctypes.c_void_p).value or 0

    @property
    def program(self) -> Program:
        """There is none."""
        self._refuse()

    @property
    def signature(self) -> Signature:
        """t, q and v go in, tau comes out."""
        nq, nv = self._sizes
        inputs = (Port("t", (1,)), Port("q", (nq,)), Port("v", (nv,)))
        further = (Port("states", (len(self._names),)),) if self._names else ()
        return Signature((*inputs, *further), (Port("tau", (nv,)),), 0)

    def run(self, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
        """Evaluate a batch, state after state."""
        t, q, v, *further = inputs
        for number in range(t.shape[0]):
            states = [value for array in further for value in array[number].tolist()]
            outputs[0][number] = self._forces(
                t[number, 0].item(), q[number].copy(), v[number].copy(), states
            )

    def _refuse(self) -> NoReturn:
        raise PoinsotError(f"{self.callback!r} is a Python function and has no program")

    def _called(self, inputs: int, outputs: int) -> None:
        """Compute one state; nothing may be raised through native code."""
        nq, nv = self._sizes
        given, result = ctypes.cast(inputs, _POINTERS), ctypes.cast(outputs, _POINTERS)[0]
        forces = [math.nan] * nv
        begun, t = time.perf_counter(), given[0][0]
        try:
            if self.error is None:
                q, v = np.array(given[1][:nq]), np.array(given[2][:nv])
                states = given[3][: len(self._names)] if self._names else []
                forces = self._forces(t, q, v, states).tolist()
        except BaseException as error:  # KeyboardInterrupt too: the loop handles it
            self.error, self.failed_at = error, t
        for number, force in enumerate(forces):
            result[number] = force
        self.calls += 1
        self.seconds += time.perf_counter() - begun

    def _forces(self, t: float, q: Array, v: Array, states: Sequence[float]) -> Array:
        further = (dict(zip(self._names, states, strict=True)),) if self._reads_states else ()
        result, nv = self.callback(t, q, v, *further), self._sizes[1]
        forces = np.asarray(result)
        if forces.dtype.kind not in "biuf":
            raise ArrayTypeError(f"it returned {forces.dtype} in place of numbers: {result!r:.80}")
        if forces.shape != (nv,) and not (forces.shape == () and nv == 1):
            raise ShapeError(f"it returned shape {forces.shape} in place of ({nv},)")
        if not np.isfinite(forces).all():
            self.not_finite = t, forces
        return forces.astype(np.float64).reshape(nv)


def _named(function: Callable[..., Any]) -> str:
    return getattr(function, "__qualname__", type(function).__name__)


@final
class MissingLaw(AbstractKernel):
    """A callback that is not restorable; the file holds only the states of its run.

    Any use of it raises an error.

    Args:
        gives: Its output: "tau" or "base".
    """

    def __init__(self, gives: str) -> None:
        self.gives = gives

    @property
    def single_address(self) -> int:
        """There is no code."""
        self._refuse()

    @property
    def program(self) -> Program | Rolled:
        """There is none."""
        self._refuse()

    @property
    def signature(self) -> Signature:
        """It is not known."""
        self._refuse()

    def run(self, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
        """There is nothing to run."""
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise PoinsotError(
            f"{self.gives} of this run was a Python function, which files cannot hold: the stored "
            "states are there, but not what lies between or beyond them; simulate again with the "
            "function, or write it so that it can be traced"
        )
