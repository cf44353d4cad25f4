"""Numbers of a system that are given from outside its equations: samples over time, states.

Force elements read them behind their coordinates.  Samples are looked up at the time; a state is
held at a number, and in a run it is the symbol of what is integrated.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import Expr, Scalar, select
from poinsot.model.signal import Signal
from poinsot.spatial import Array

MOST: Final = 5000
"""Samples of a signal up to which all are written out as a formula of the time where it is
compiled; longer ones are looked up before."""


@dataclass(frozen=True)
class GivenNumber:
    """A number by its name.

    Attributes:
        name: Of the parameter or state.
        source: Samples over time, a number or an expression; numbers of many states, (...).
    """

    name: str
    source: Signal | Scalar | Array

    @property
    def is_long(self) -> bool:
        """Whether it has too many samples for a formula."""
        return isinstance(self.source, Signal) and len(self.source.times) > MOST

    def at(self, t: Array) -> Array:
        """Return its values at times, of any shape, floats or expressions."""
        if isinstance(self.source, np.ndarray):
            return self.source
        if not isinstance(self.source, Signal):
            return np.full(t.shape, self.source)
        if t.dtype != object:
            return np.asarray(self.source.at(t))
        if self.is_long and not all(map(_is_number, t.ravel())):
            raise ModelError(
                f"parameter {self.name!r} has {len(self.source.times)} samples, more than the"
                f" {MOST} of which there is a formula of the time; give a time in numbers, or fewer"
                " samples: Signal(times[::10], values[::10])"
            )
        values = [written_out(self.source, x) for x in t.ravel()]
        return np.array(values, object).reshape(t.shape)


def written_out(signal: Signal, t: Scalar) -> Scalar:
    """Return samples as a formula of the time, piece by piece as ``Signal.at`` has them."""
    value: Scalar
    if not isinstance(t, Expr):
        value = looked_up(signal, t)
        return value
    times = signal.times.tolist()
    pieces = signal.pieces[:, 0].tolist()
    value = pieces[-1][0]
    for k in reversed(range(len(times) - 1)):
        a, b, c, d = pieces[k]
        s = t - times[k]
        value = select(t < times[k + 1], a + s * (b + s * (c + s * d)), value)
    return select(t < times[0], pieces[0][0], value)


def looked_up(signal: Signal, t: Any) -> Any:  # noqa: ANN401 (a number of any kind)
    """Return samples at a number in its digits, of the piece in which its nearest float is."""
    k = int(np.searchsorted(signal.times, _nearest(t), side="right")) - 1
    exact = Fraction if isinstance(t, Fraction) else float
    a, b, c, d = map(exact, signal.pieces[max(k, 0), 0].tolist())
    if k < 0:
        return a
    s = t - exact(signal.times[k])
    return a + s * (b + s * (c + s * d))


def _nearest(t: Any) -> float:  # noqa: ANN401
    return float(getattr(t, "real", t))


def _is_number(t: Any) -> bool:  # noqa: ANN401
    """Say whether a time is no symbol, of whatever kind."""
    try:
        _nearest(t)
    except TypeError:
        return False
    return not isinstance(t, Expr)
