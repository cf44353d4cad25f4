"""Laws of motion of cam followers: lift over the angle of the cam, with period 2π.

A law consists of pieces, each a polynomial of the angle s from its start plus a sine,

    S(θ) = Σ c_i s^i + A sin(ω s + p),    s = θ - θ_k,

so that textbook laws are exact and tables are splines of the fifth degree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import Expr, cos, select, sin
from poinsot.expr.functions import floor
from poinsot.model.checks import finite_number
from poinsot.spatial import Array

Numbers: TypeAlias = Any
"""Arrays of floats, or one float or expression."""
TURN: Final = 2.0 * np.pi
DEGREE: Final = 7
FULL: Final = 1e-9
"""How far angles of all pieces may be from a turn [rad], and lifts from zero, relative."""
SAMPLES: Final = 360
"""Angles at which formulas and functions are sampled for a spline."""

UNIT_RISES: Final = {
    "dwell": ((0.0,), (0.0, 0.0, 0.0)),
    "linear": ((0.0, 1.0), (0.0, 0.0, 0.0)),
    "harmonic": ((0.5,), (0.5, np.pi, -np.pi / 2)),
    "cycloidal": ((0.0, 1.0), (-0.5 / np.pi, TURN, 0.0)),
    "3-4-5": ((0.0, 0.0, 0.0, 10.0, -15.0, 6.0), (0.0, 0.0, 0.0)),
    "4-5-6-7": ((0.0, 0.0, 0.0, 0.0, 35.0, -84.0, 70.0, -20.0), (0.0, 0.0, 0.0)),
}
"""Rises by one over an angle of one: polynomial, and (A, ω, p) of the sine [Norton2012, ch. 8]."""


@dataclass(frozen=True)
class CamLaw:
    """Lift over the angle of the cam.

    Attributes:
        starts: Angles at which pieces begin [rad], increasing from 0.
        coefficients: c_0, c_1, ... of each piece.
        waves: Amplitude, frequency and phase (A, ω, p) of each piece.
    """

    starts: tuple[float, ...]
    coefficients: tuple[tuple[float, ...], ...]
    waves: tuple[tuple[float, float, float], ...]

    def __call__(self, angle: Any) -> tuple[Any, Any, Any]:  # noqa: ANN401 (arrays of any scalar)
        """Return S, dS/dθ and d²S/dθ² at angles, arrays of floats or of expressions."""
        value, rate, bend, _ = self.derivatives(angle)
        return value, rate, bend

    def derivatives(self, angle: Any) -> tuple[Any, Any, Any, Any]:  # noqa: ANN401
        """Return the same and d³S/dθ³."""
        given = np.asarray(angle)
        if given.dtype == object:
            entries = [self._traced(entry) for entry in given.ravel()]
            columns = zip(*entries, strict=True)
            value, rate, bend, third = (np.array(c, object).reshape(given.shape) for c in columns)
            return value, rate, bend, third
        turned = np.mod(given, TURN)
        piece = np.searchsorted(np.array(self.starts), turned, side="right") - 1
        s = turned - np.array(self.starts)[piece]
        c = np.array([(*row, *(0.0,) * (DEGREE + 1 - len(row))) for row in self.coefficients])[
            piece
        ]
        A, w, p = np.moveaxis(np.array(self.waves)[piece], -1, 0)
        return _piece_values([c[..., i] for i in range(DEGREE + 1)], A, w, p, s, np.sin, np.cos)

    def _traced(self, angle: Expr | float) -> tuple[Any, Any, Any, Any]:
        turned = angle - TURN * floor(angle * (1.0 / TURN))
        rows = [
            (start, *c, *(0.0,) * (DEGREE + 1 - len(c)), *wave)
            for start, c, wave in zip(self.starts, self.coefficients, self.waves, strict=True)
        ]
        reached = [turned >= start for start in self.starts]
        chosen = [_chosen(column, reached, 0) for column in zip(*rows, strict=True)]
        start, *c = chosen[: DEGREE + 2]
        A, w, p = chosen[DEGREE + 2 :]
        return _piece_values(c, A, w, p, turned - start, sin, cos)

    @property
    def rise(self) -> float:
        """The greatest lift less the least."""
        lifts = self(np.linspace(0.0, TURN, 40 * SAMPLES))[0]
        return float(np.ptp(lifts))

    @staticmethod
    def from_segments(segments: Sequence[Sequence[Any]], where: str) -> CamLaw:
        """Return the law of segments (name, angle [rad], rise), one after the other."""
        starts, coefficients, waves = [], [], []
        start, lift = 0.0, 0.0
        for segment in segments:
            if not isinstance(segment, list | tuple) or len(segment) != 3:
                raise ModelError(
                    f"{where}: a segment must be (name, angle [rad], rise), e.g. "
                    f"('cycloidal', 1.57, 0.02), got {segment!r}"
                )
            name, over, rise = segment
            if name not in UNIT_RISES:
                known = ", ".join(UNIT_RISES)
                raise ModelError(f"{where}: there is no law {name!r}; choose one of {known}")
            over = finite_number(over, f"{where}: angle of {name!r}")
            rise = finite_number(rise, f"{where}: rise of {name!r}")
            if over <= 0.0 or (name == "dwell" and rise):
                problem = f"angle {over:g}" if over <= 0.0 else f"rise {rise:g} of a dwell"
                raise ModelError(f"{where}: segment {name!r} cannot have the {problem}")
            polynomial, (A, w, p) = UNIT_RISES[name]
            scaled = [rise * c / over**i for i, c in enumerate(polynomial)]
            starts.append(start)
            coefficients.append((lift + scaled[0], *scaled[1:]))
            waves.append((rise * A, w / over, p))
            start, lift = start + over, lift + rise
        size = max((abs(segment[2]) for segment in segments), default=1.0)
        if abs(start - TURN) > FULL or abs(lift) > FULL * size:
            raise ModelError(
                f"{where}: the segments must make one turn (2π = {TURN:.9g} rad) and return to lift"
                f" 0; they make {start:.9g} rad and end at {lift:.6g}"
            )
        return CamLaw(tuple(starts), tuple(coefficients), tuple(waves))

    @staticmethod
    def from_table(angles: Array, values: Array, where: str) -> CamLaw:
        """Return the periodic spline of the fifth degree through values at angles [rad].

        The angles increase within one turn; its end may be among them, with the value of its start.
        """
        x, y = np.array(angles, float), np.array(values, float)
        if x.ndim != 1 or x.shape != y.shape or len(x) < 6:
            raise ModelError(
                f"{where}: a table needs 6 or more angles and as many values, got {x.shape} and"
                f" {y.shape}"
            )
        if np.any(np.diff(x) <= 0.0) or x[-1] - x[0] > TURN + FULL:
            raise ModelError(f"{where}: angles of a table must increase within one turn [rad]")
        if abs(x[-1] - x[0] - TURN) <= FULL:
            if abs(y[-1] - y[0]) > FULL * max(1e-300, float(np.ptp(y))):
                raise ModelError(f"{where}: the table must end with the value with which it starts")
            x, y = x[:-1], y[:-1]
        from scipy.interpolate import PPoly, make_interp_spline

        # The turn begins at zero, in a node.
        order = np.argsort(np.mod(x, TURN), kind="stable")
        x, y = np.mod(x, TURN)[order], y[order]
        x[0] = 0.0 if x[0] <= FULL else x[0]
        nodes, ends = np.append(x, x[0] + TURN), np.append(y, y[0])
        spline = make_interp_spline(nodes, ends, k=5, bc_type="periodic")
        if x[0] > FULL:
            spline = make_interp_spline(
                np.concatenate([[0.0], x, [TURN]]),
                np.concatenate([[spline(TURN)], y, [spline(TURN)]]), k=5, bc_type="periodic",
            )  # fmt: skip
        pieces = PPoly.from_spline(spline.tck)
        kept = [k for k in range(len(pieces.x) - 1) if -FULL < pieces.x[k] < TURN - FULL
                and pieces.x[k + 1] > pieces.x[k]]  # fmt: skip
        starts = tuple(max(0.0, float(pieces.x[k])) for k in kept)
        coefficients = tuple(tuple(pieces.c[::-1, k].tolist()) for k in kept)
        return CamLaw(starts, coefficients, ((0.0, 0.0, 0.0),) * len(kept))

    @staticmethod
    def from_function(function: Callable[[Any], Any], where: str) -> CamLaw:
        """Return the spline of a function of the angle that is sampled at 360 angles."""
        angles = np.linspace(0.0, TURN, SAMPLES, endpoint=False)
        values = np.array([float(function(float(x))) for x in angles])
        if not np.all(np.isfinite(values)):
            raise ModelError(f"{where}: the function is not finite at every angle")
        if abs(float(function(TURN)) - values[0]) > 1e-6 * max(1e-300, float(np.ptp(values))):
            raise ModelError(f"{where}: the function must have the period 2π, so that it closes")
        return CamLaw.from_table(angles, values, where)


def _chosen(values: Sequence[float], reached: Sequence[Any], first: int) -> Any:  # noqa: ANN401
    """Return the value of the last piece that is reached, by halving."""
    if len(set(values)) == 1:
        return values[0]
    half = len(values) // 2
    left = _chosen(values[:half], reached, first)
    right = _chosen(values[half:], reached, first + half)
    return select(reached[first + half], right, left)


def _piece_values(
    c: Sequence[Numbers],
    A: Numbers,
    w: Numbers,
    p: Numbers,
    s: Numbers,
    sine: Callable[[Numbers], Numbers],
    cosine: Callable[[Numbers], Numbers],
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Return value, first, second and third derivative of one piece."""
    value, rate, bend, third = c[-1], 0.0, 0.0, 0.0
    for coefficient in reversed(c[:-1]):
        third = 3.0 * bend + s * third
        value, rate, bend = coefficient + s * value, value + s * rate, 2.0 * rate + s * bend
    wave, slope = sine(w * s + p), cosine(w * s + p)
    waves = A * wave, A * w * slope, A * w * w * wave, A * w * w * w * slope
    return value + waves[0], rate + waves[1], bend - waves[2], third - waves[3]
