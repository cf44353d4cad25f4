"""Parameters from measured motions: ``ps.fit``."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Unpack, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import ModelError, ModelWarning, ShapeError
from poinsot.front.run import Run
from poinsot.front.simulation_options import Settings
from poinsot.front.system import System
from poinsot.front.varied_run import bounds_of, free_numbers, start_names, varied_run
from poinsot.model import Signal, suggestion
from poinsot.model.checks import finite_number, real_array
from poinsot.simulation.laws.load_laws import Law
from poinsot.spatial import Array

__all__ = ["Fit", "Measurement", "fit"]

TOLD_APART: Final = 1e-7
"""Smallest singular value of the scaled Jacobian, relative to the largest: parameters that change
the residuals less than that in common are not identifiable."""


@final
@dataclass(frozen=True, eq=False, init=False)
class Measurement:
    """What was measured in one run.

    Args:
        t: Times of the samples [s], increasing, shape (n,).
        values: Samples by formula (docs/formulas.md), e.g. ``{"elbow": ..., "v.elbow": ...}``,
            shapes (n,); NaN where there is none.
        q: Configuration at the start, shape (nq,).
        v: Velocity at the start, shape (nv,).
        unknown: Which of "q" and "v" (or single ones, "v.elbow") are guesses, to be found too.
        deviation: Standard deviation of the noise by formula, in its unit; where none is given it
            is estimated from what the fit leaves, as the same for all formulas.
        start: Time at the start [s].
        options: Keywords of ``simulate`` for this run: ``tau``, ``base``, ...

    >>> import poinsot as ps
    >>> ps.Measurement([0.1, 0.2], {"bob": [0.29, 0.27]}, q=[0.3], v=[0.0], unknown=["v"]).size
    2
    """

    t: Array
    values: Mapping[str, Array]
    q: Array
    v: Array
    unknown: tuple[str, ...]
    deviation: Mapping[str, float]
    start: float
    options: Mapping[str, Any]

    def __init__(
        self, t: ArrayLike, values: Mapping[str, ArrayLike], *, q: ArrayLike, v: ArrayLike,
        unknown: Sequence[str] = (), deviation: Mapping[str, float] | None = None,
        start: float = 0.0, options: Mapping[str, Any] | None = None,
    ) -> None:  # fmt: skip
        times = real_array(t, "measurement: t")
        is_row = times.ndim == 1 and times.size > 0
        if not is_row or not (np.diff(times) > 0.0).all() or not times[0] >= start:
            raise ModelError(
                f"measurement: t must be times that increase, from start = {start:g} s on"
            )
        for what, given in (("values", values), ("deviation", deviation or {})):
            if not isinstance(given, Mapping):
                raise ModelError(
                    f"measurement: {what} must be by formula, e.g. {{'elbow': ...}}, got {given!r}"
                )
        samples = {name: real_array(x, f"measurement: {name!r}") for name, x in values.items()}
        for name, x in samples.items():
            if x.shape != times.shape:
                raise ShapeError(
                    f"measurement: {name!r} must have one sample for each of {times.size} times, "
                    f"got shape {x.shape}"
                )
        for name, noise in (deviation or {}).items():
            if name not in samples:
                hint = suggestion(name, samples)
                raise ModelError(f"measurement: deviation of {name!r}, not measured; {hint}")
            if not real_array(noise, f"measurement: deviation of {name!r}") > 0.0:
                raise ModelError(f"measurement: deviation of {name!r} must be positive: {noise}")
        state = real_array(q, "measurement: q"), real_array(v, "measurement: v")
        names = (unknown,) if isinstance(unknown, str) else tuple(unknown)
        numbers = times, samples, *state, names, dict(deviation or {}), start, dict(options or {})
        for item, value in zip(fields(self), numbers, strict=True):
            object.__setattr__(self, item.name, value)

    @property
    def size(self) -> int:
        """How many samples there are."""
        return sum(int(np.isfinite(x).sum()) for x in self.values.values())


@final
@dataclass(frozen=True, eq=False)
class Fit:
    """Parameters that explain measurements best, and how well they are known.

    Attributes:
        names: What was found: parameters; "v.elbow" of unknown starts, "v.elbow[1]" where there
            are several measurements.
        estimates: Values by name; of unknown starts the deviation from the guess.
        deviations: Standard deviations by name; infinite where data do not determine it.
        covariance: Of the estimates, shape (m, m).
        intervals: Confidence intervals by name, from Student's distribution where the noise is
            estimated.
        noise: Standard deviation of what is left, relative to the given deviations of the noise:
            1 where these are right; where none were given, in the unit of the samples.
        runs: The run of each measurement with these values.
        evaluations: How many times all runs were simulated.
    """

    names: tuple[str, ...]
    estimates: dict[str, float]
    deviations: dict[str, float]
    covariance: Array
    intervals: dict[str, tuple[float, float]]
    noise: float
    runs: tuple[Run, ...]
    evaluations: int

    def __str__(self) -> str:
        """Return a table of the estimates."""
        width = max(map(len, self.names))
        rows = [
            f"  {name:<{width}}  {self.estimates[name]:.6g} ± {self.deviations[name]:.2g}  "
            f"[{self.intervals[name][0]:.6g}, {self.intervals[name][1]:.6g}]"
            for name in self.names
        ]
        return "\n".join([f"fit of {len(self.runs)} run(s), noise {self.noise:.3g}", *rows])


def fit(
    system: System,
    data: Measurement | Sequence[Measurement],
    parameters: Sequence[str] | Mapping[str, float],
    *,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    confidence: float = 0.95,
    tau: ArrayLike | Law | Signal | None = None,
    **options: Unpack[Settings],
) -> Fit:
    """Return the free parameters, and unknown starts, that fit measured motions best.

    Nonlinear least squares on (measured - simulated) / deviation of all samples, by
    ``scipy.optimize.least_squares`` with exact derivatives of the runs (``run.sensitivity``).
    With J the Jacobian at the end, the covariance is s² (Jᵀ J)⁻¹.

    Args:
        system: The system.
        data: One measured run, or several.
        parameters: Free parameters to find; with first guesses, where those of the system will not
            do.
        bounds: Least and largest values of some of them, by name.
        confidence: Probability of the intervals.
        tau: Joint forces of all runs, as for ``simulate``; a measurement may have its own.
        options: Keywords of ``simulate`` for all runs: ``rtol``, ``integrator``, ``events``, ...

    Raises:
        ModelError: If a name is unknown, there are fewer samples than unknowns, or a run fails.

    >>> import poinsot as ps
    >>> length = ps.symbols("length")
    >>> bob = ps.Body("bob", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -length))
    >>> pendulum = ps.System("pendulum", [bob], parameters={"length": 0.7}, free=["length"])
    >>> t = np.linspace(0.1, 2.0, 20)
    >>> truth = ps.simulate(pendulum, [0.5], [0.0], 2.0, parameters={"length": 0.9})
    >>> data = ps.Measurement(t, {"bob": truth.at(t)[0][:, 0]}, q=[0.5], v=[0.0])
    >>> round(ps.fit(pendulum, data, ["length"]).estimates["length"], 7)
    0.9
    """
    from scipy.optimize import least_squares
    from scipy.special import ndtri, stdtrit

    if not 0.0 < finite_number(confidence, "fit: confidence") < 1.0:
        raise ModelError(f"fit: confidence must be between 0 and 1, got {confidence}")
    runs = (data,) if isinstance(data, Measurement) else data
    if not isinstance(runs, (tuple, list)) or not all(isinstance(x, Measurement) for x in runs):
        raise ModelError(
            "fit: data must be a ps.Measurement(t, {name: samples}, q=..., v=...), or a list of "
            f"them, got {type(data).__name__}"
        )
    runs = tuple(runs)
    problem = _Problem(system, runs, parameters, {"tau": tau, **options})
    low, high = bounds_of(problem.names, problem.guess, bounds or {}, "fit")
    solution = least_squares(
        problem.residuals, problem.guess, problem.jacobian, bounds=(low, high), x_scale="jac",
        xtol=1e-12, ftol=1e-12, gtol=1e-12,
    )  # fmt: skip
    J, count = problem.jacobian(solution.x), problem.residuals(solution.x).size
    rest = count - len(problem.names)
    estimated = not all(run.deviation for run in runs)
    noise = float(np.sqrt(2.0 * solution.cost / max(rest, 1)))
    covariance = _covariance(J, problem.names) * (noise**2 if estimated else 1.0)
    deviation = np.sqrt(np.diag(covariance))
    tail = 0.5 + 0.5 * confidence
    width = deviation * float(stdtrit(rest, tail) if estimated else ndtri(tail))
    ends = zip((solution.x - width).tolist(), (solution.x + width).tolist(), strict=True)
    return Fit(
        problem.names, dict(zip(problem.names, solution.x.tolist(), strict=True)),
        dict(zip(problem.names, deviation.tolist(), strict=True)), covariance,
        dict(zip(problem.names, ends, strict=True)), noise, problem.runs(solution.x), problem.count,
    )  # fmt: skip


class _Problem:
    """Residuals and their Jacobian at trial values."""

    def __init__(
        self, system: System, data: tuple[Measurement, ...],
        parameters: Sequence[str] | Mapping[str, float], options: Mapping[str, Any],
    ) -> None:  # fmt: skip
        self._system, self._data, self._options = system, data, options
        names = (parameters,) if isinstance(parameters, str) else tuple(parameters or ())
        self._parameters = free_numbers(system, names, "fit")
        guesses = parameters if isinstance(parameters, Mapping) else system.parameters
        given = [_guess(name, guesses[name]) for name in self._parameters]
        where = "fit: unknown of a measurement: "
        self._starts = [start_names(system, run.unknown, where) for run in data]
        several = len(data) > 1
        labels = [
            f"{name}[{k}]" if several else name
            for k, start in enumerate(self._starts)
            for name in start
        ]
        self.names = (*self._parameters, *labels)
        self.guess = np.array([*given, *(0.0 for _ in labels)])
        self.count = 0
        self._known: tuple[bytes, tuple[Run, ...]] = b"", ()
        if not self.names:
            raise ModelError("fit: nothing to find; name free parameters, or unknown= of the data")
        size = sum(run.size for run in data)
        if size <= len(self.names):
            raise ModelError(
                f"fit: {size} samples cannot determine {len(self.names)} unknowns and the noise; "
                "measure more"
            )

    def runs(self, x: Array) -> tuple[Run, ...]:
        """Return the runs with trial values; those of the last ones are kept."""
        key = x.tobytes()
        if self._known[0] != key:
            self.count += 1
            self._known = key, tuple(self._run(k, x) for k in range(len(self._data)))
        return self._known[1]

    def residuals(self, x: Array) -> Array:
        """Return (simulated - measured) / deviation of all samples."""
        rows = []
        for data, run in zip(self._data, self.runs(x), strict=True):
            for name, samples in data.values.items():
                off = (run.evaluate(name, data.t) - samples) / _deviation(data, name)
                rows.append(off[np.isfinite(samples)])
        return np.concatenate(rows)

    def jacobian(self, x: Array) -> Array:
        """Return the derivatives of the residuals, shape (samples, m)."""
        blocks, first = [], len(self._parameters)
        for data, run, start in zip(self._data, self.runs(x), self._starts, strict=True):
            change = run.sensitivity((*self._parameters, *start), data.t)
            for name, samples in data.values.items():
                block = change.of(name)[np.isfinite(samples)] / _deviation(data, name)
                whole = np.zeros((len(block), len(self.names)))
                whole[:, : len(self._parameters)] = block[:, : len(self._parameters)]
                whole[:, first : first + len(start)] = block[:, len(self._parameters) :]
                blocks.append(whole)
            first += len(start)
        return np.concatenate(blocks)

    def _run(self, number: int, x: Array) -> Run:
        data, system = self._data[number], self._system
        first = len(self._parameters) + sum(map(len, self._starts[:number]))
        return varied_run(
            system, data.q, data.v, float(data.t[-1]) - data.start,
            changes=dict(zip(self._starts[number], x[first:].tolist(), strict=False)),
            values=dict(zip(self._parameters, x.tolist(), strict=False)), start=data.start,
            options={**self._options, **data.options}, where="fit",
        )  # fmt: skip


def _deviation(data: Measurement, name: str) -> float:
    return data.deviation.get(name, 1.0)


def _guess(name: str, value: float | None) -> float:
    if value is None:
        raise ModelError(f"fit: give a first guess of {name!r}: parameters={{{name!r}: ...}}")
    return float(value)


def _covariance(J: Array, names: tuple[str, ...]) -> Array:
    """Return (Jᵀ J)⁻¹, infinite for what the samples do not determine."""
    scale = np.linalg.norm(J, axis=0)
    scale[scale == 0.0] = 1.0
    _, s, Vt = np.linalg.svd(J / scale, full_matrices=False)
    weak = s <= TOLD_APART * s[0]
    lost: NDArray[np.bool_] = np.any(np.abs(Vt[weak]) > TOLD_APART**0.5, axis=0)
    kept = Vt[~weak] / s[~weak, None]
    covariance: Array = kept.T @ kept / np.outer(scale, scale)
    if lost.any():
        covariance[lost, lost] = np.inf
        shown = ", ".join(name for name, bad in zip(names, lost, strict=True) if bad)
        warnings.warn(
            f"fit: the samples do not tell {shown} apart: they change the motion alike, or not at "
            "all; fix one of them, or measure something else",
            ModelWarning,
            stacklevel=3,
        )
    return covariance
