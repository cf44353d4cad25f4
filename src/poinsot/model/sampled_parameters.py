"""Parameters that are samples over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from poinsot.errors import ModelError
from poinsot.model.signal import Signal

__all__ = ["Signals", "check_signals", "separate"]

Signals: TypeAlias = tuple[tuple[str, Signal], ...]
"""Names with their samples."""


def separate(
    parameters: Mapping[str, float | Signal | None] | Iterable[tuple[str, float | Signal | None]],
    signals: Mapping[str, Signal] | Signals,
    where: str,
) -> tuple[dict[str, float | None], Signals]:
    """Return parameters with numbers, None for those that are samples, and the samples.

    Args:
        parameters: Numbers or samples by name.
        signals: Further samples by name.
        where: Opens the message of an error.
    """
    try:
        given = dict(parameters)
    except (TypeError, ValueError):
        raise ModelError(
            f"{where}: parameters must be numbers by name, e.g. {{'m': 1.0}}, got {parameters!r}"
        ) from None
    sampled = dict(signals)
    sampled |= {name: value for name, value in given.items() if isinstance(value, Signal)}
    for name, signal in sampled.items():
        if not isinstance(signal, Signal):
            raise ModelError(f"{where}: signal {name!r} must be a Signal, got {signal!r}")
        if signal.values.ndim != 1:
            raise ModelError(
                f"{where}: signal {name!r} must have one number at a time, values of shape (n,), "
                f"got {signal.values.shape}; give each column a name"
            )
    numbers: dict[str, float | None] = {}
    for name, value in given.items():
        if not isinstance(value, Signal) and name not in sampled:
            numbers[name] = value
    return numbers | dict.fromkeys(sampled), tuple(sampled.items())


def check_signals(names: Mapping[str, str], used: Iterable[str], where: str) -> None:
    """Reject what changes with time in numbers of the description: only forces may depend on it.

    Args:
        names: Names of samples and of further states, and what each is.
        used: Names of the symbols in the description, formulas of forces not counted.
        where: Opens the message of an error.
    """
    for name in used:
        if name in names:
            raise ModelError(
                f"{where}: {name!r} is {names[name]}, and only formulas of forces (JointForce, "
                "Motor, FormulaForce) may contain it; give it a number to use it elsewhere"
            )
