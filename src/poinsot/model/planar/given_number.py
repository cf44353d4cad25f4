"""Numbers of a system that are given from outside its equations: samples over time, states.

Force elements read them behind their coordinates.  Samples are looked up at the time; a state is
held at a number, and in a run it is the symbol of what is integrated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import Expr, Scalar, select
from poinsot.model.signal import Signal
from poinsot.spatial import Array

MOST: Final = 5000
"""Samples of a signal: all are written out as a formula of the time where it is compiled."""


@dataclass(frozen=True)
class GivenNumber:
    """A number by its name.

    Attributes:
        name: Of the parameter or state.
        source: Samples over time, a number or an expression.
    """

    name: str
    source: Signal | Scalar

    def __post_init__(self) -> None:
        if isinstance(self.source, Signal) and len(self.source.times) > MOST:
            raise ModelError(
                f"parameter {self.name!r} has {len(self.source.times)} samples, more than the"
                f" {MOST} that planar mechanisms read; give fewer, Signal(times[::10],"
                " values[::10]), or keep the System"
            )

    def at(self, t: Array) -> Array:
        """Return its values at times, of any shape, floats or expressions."""
        if not isinstance(self.source, Signal):
            return np.full(t.shape, self.source)
        if t.dtype != object:
            return np.asarray(self.source.at(t))
        values = [written_out(self.source, x) for x in t.ravel()]
        return np.array(values, object).reshape(t.shape)


def written_out(signal: Signal, t: Scalar) -> Scalar:
    """Return samples as a formula of the time, piece by piece as ``Signal.at`` has them."""
    if not isinstance(t, Expr):
        return float(signal.at(np.asarray(t, np.float64)))
    times = signal.times.tolist()
    pieces = signal.pieces[:, 0].tolist()
    value: Scalar = pieces[-1][0]
    for k in reversed(range(len(times) - 1)):
        a, b, c, d = pieces[k]
        s = t - times[k]
        value = select(t < times[k + 1], a + s * (b + s * (c + s * d)), value)
    return select(t < times[0], pieces[0][0], value)
