"""Numbers over time that are given by samples."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from typing import Any, Final, NoReturn, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.expr import Expr, Op, symbol
from poinsot.model.checks import finite_array
from poinsot.model.interpolation import local_coefficients
from poinsot.spatial import Array

__all__ = ["SIGNAL", "Signal", "recorded_signals"]

KINDS: Final = ("linear", "hold", "cubic")
BEYOND: Final = ("hold", "error")
ROUGH: Final = 1e-10
"""Kink at a sample, as a fraction of the largest value, up to which a spline counts as smooth."""
SIGNAL: Final = "signal:"
"""Opens the names of the inputs of kernels that hold values of signals."""

_TIME: Final = re.compile(r"t\[0\]#\d+")
"""The symbol of time in a control law that is traced; no name that a user gives has such signs."""

_recorded: ContextVar[dict[str, Signal] | None] = ContextVar("recorded", default=None)


@final
class Signal:
    """Samples over time, for forces, control laws and moving bases; immutable, equal by value.

    In ``ps.simulate`` it is looked up by machine code, at a cost that grows with the logarithm of
    the number of samples, and steps end at samples where it jumps or bends.

    Args:
        times: Times of the samples [s], increasing, shape (n,), at least two.
        values: The samples, shape (n,) or (n, m).
        kind: Between the samples ``"linear"``, ``"hold"`` (the value of the last sample, so it
            jumps at each) or ``"cubic"`` (a spline, "not a knot").
        beyond: Before the first and after the last sample ``"hold"`` their values, or ``"error"``:
            a run that goes there is rejected.

    >>> u = Signal([0.0, 1.0, 3.0], [0.0, 2.0, 0.0])
    >>> u(0.5), u(2.0), u(7.0)
    (1.0, 1.0, 0.0)
    """

    times: Array
    values: Array
    kind: str
    beyond: str

    def __init__(
        self, times: ArrayLike, values: ArrayLike, kind: str = "linear", beyond: str = "hold"
    ) -> None:
        t, y = finite_array(times, "signal: times"), finite_array(values, "signal: values")
        if kind not in KINDS:
            raise ModelError(f"signal: kind must be one of {KINDS}, got {kind!r}")
        if beyond not in BEYOND:
            raise ModelError(f"signal: beyond must be one of {BEYOND}, got {beyond!r}")
        if t.ndim != 1 or t.size < 2:
            raise ModelError(
                f"signal: times must be a list of two times at least, got shape {t.shape}"
            )
        if y.ndim not in (1, 2) or y.shape[0] != t.size or y.size == 0:
            raise ModelError(
                f"signal: values must have shape ({t.size},) or ({t.size}, m) as there are "
                f"{t.size} times, got {y.shape}"
            )
        late = np.flatnonzero(np.diff(t) <= 0.0)
        if late.size:
            k = int(late[0])
            raise ModelError(
                f"signal: times must increase, got {t[k]:g} s and then {t[k + 1]:g} s at "
                f"number {k + 1}; for a jump give kind='hold'"
            )
        for array in (t, y):
            array.flags.writeable = False
        self.__dict__.update(times=t, values=y, kind=kind, beyond=beyond)

    @property
    def size(self) -> int:
        """How many numbers it gives at a time."""
        return 1 if self.values.ndim == 1 else int(self.values.shape[1])

    def __call__(self, t: Any) -> Any:  # noqa: ANN401 (times, or the symbol of a time)
        """Return its value at times [s], shape (...) or (..., m).

        In a control law, of the symbol of the time: symbols that the integrator fills in.
        """
        if isinstance(t, Expr):
            return self._symbols(t)
        times = np.asarray(t, np.float64)
        value = self.at(times)
        return float(value) if value.ndim == 0 else value

    def at(self, times: Array) -> Array:
        """Return its values at times [s], shape (...) or (..., m)."""
        x = np.clip(times, self.times[0], self.times[-1])
        k = np.searchsorted(self.times, x, side="right") - 1
        a, b, c, d = np.moveaxis(self.pieces[k], -1, 0)
        s = (x - self.times[k])[..., None]
        value: Array = a + s * (b + s * (c + s * d))
        return value[..., 0] if self.values.ndim == 1 else value

    def rates(self, times: Array) -> Array:
        """Return the rates of its values at times, to the right of them [1/s], shape (..., m)."""
        x = np.clip(times, self.times[0], self.times[-1])
        k = np.searchsorted(self.times, x, side="right") - 1
        _, b, c, d = np.moveaxis(self.pieces[k], -1, 0)
        s, inside = (x - self.times[k])[..., None], (x == times)[..., None]
        return np.where(inside, b + s * (2.0 * c + 3.0 * s * d), 0.0)

    @cached_property
    def pieces(self) -> Array:
        """Coefficients of cubic pieces, one from each sample on, shape (n, m, 4)."""
        y = self.values.reshape(self.times.size, -1)
        inner = np.moveaxis(local_coefficients(self.times, y, self.kind), 1, -1)
        last = np.zeros((1, y.shape[1], 4))
        last[0, :, 0] = y[-1]
        return np.ascontiguousarray(np.concatenate([inner, last]))

    @cached_property
    def breaks(self) -> Array:
        """Times at which it jumps or bends [s]: where steps are to end.

        Of a spline, samples at which its third derivative jumps by so much that it can be seen
        within one interval; of a smooth curve that is sampled finely there are none inside.
        """
        if self.kind != "cubic":
            return self.times
        h = np.diff(self.times)
        jumps = np.abs(np.diff(self.pieces[:-1, :, 3], axis=0)).max(axis=1, initial=0.0)
        seen = jumps * np.maximum(h[:-1], h[1:]) ** 3
        inside = self.times[1:-1][seen > ROUGH * np.abs(self.values).max()]
        return np.concatenate([self.times[:1], inside, self.times[-1:]])

    @cached_property
    def port(self) -> str:
        """Name of the input of kernels that holds its value."""
        digest = hashlib.sha256(repr((self.kind, self.beyond, self.values.shape)).encode())
        for array in (self.times, self.values):
            digest.update(np.ascontiguousarray(array).tobytes())
        return f"{SIGNAL}{digest.hexdigest()[:32]}"

    def _symbols(self, t: Expr) -> Any:  # noqa: ANN401
        if t.op is not Op.SYMBOL or not _TIME.fullmatch(str(t.value)):
            raise ModelError(
                f"signal: within a law it is a function of the time t itself, not of {t!r}; shift "
                "or stretch the times of its samples instead: Signal(times + 0.1, values)"
            )
        recorded = _recorded.get()
        if recorded is None:
            raise ModelError(
                "signal: only the laws that ps.simulate traces may ask for its value at a symbol; "
                "elsewhere give a time"
            )
        recorded[self.port] = self
        made = np.array([symbol(f"{self.port}[{k}]") for k in range(self.size)], dtype=object)
        return made[0] if self.values.ndim == 1 else made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Signal) and self.port == other.port

    def __hash__(self) -> int:
        return hash(self.port)

    def __reduce__(self) -> tuple[type[Signal], tuple[Any, ...]]:
        return Signal, (self.times, self.values, self.kind, self.beyond)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Signal is immutable; {name!r} cannot be set")

    def __repr__(self) -> str:
        ends = f"{self.times[0]:g} to {self.times[-1]:g} s"
        return f"Signal({self.times.size} samples of {self.size} from {ends}, {self.kind!r})"


@contextmanager
def recorded_signals() -> Iterator[dict[str, Signal]]:
    """Collect the signals that control laws evaluate while traced, by the names of their inputs."""
    recorded: dict[str, Signal] = {}
    token = _recorded.set(recorded)
    try:
        yield recorded
    finally:
        _recorded.reset(token)
