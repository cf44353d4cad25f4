"""How far something may be varied before other events happen in a run than those that did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from poinsot.simulation.running.status import Outcome
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.sensitivities.approaches import Approach, NearEvents
from poinsot.simulation.sensitivities.simultaneous import OrderChange
from poinsot.spatial import Array

SMALL: Final = 1e-5
"""Variation that is less than anyone would vary something by: of parameters relative to their
values, of entries of the start in their units."""
TINY: Final = 1e-300
"""In place of a usual value that is zero."""


class Margin(NamedTuple):
    """A variation that changes which events happen, and why.

    Attributes:
        size: In the unit of what is varied; infinite: none does.
        why: What happens then.
    """

    size: float
    why: str


NONE: Final = Margin(np.inf, "")


def event_margins(
    run: Trajectory, end: float, moments: Sequence[Array],
    nearby: Sequence[tuple[Approach, Array]],
) -> list[Margin]:  # fmt: skip
    """Return the least variation of each quantity that changes which events happen, or their order.

    To first order: an event leaves the run by its end or comes in there, two events change places,
    or a function whose extremum is near zero reaches it.

    Args:
        run: The run.
        end: When it ended [s].
        moments: Derivatives of the times of events by the m quantities, shapes (m,).
        nearby: Events that nearly happened, and the derivatives of their functions, shapes (m,).
    """
    count = len(moments[0]) if moments else len(nearby[0][1]) if nearby else 0
    every: list[list[Margin]] = [[NONE] for _ in range(count)]

    def note(sizes: Array, why: str) -> None:
        for listed, size in zip(every, sizes.tolist(), strict=True):
            listed.append(Margin(size, why))

    stopped = run.status.outcome is Outcome.STOPPED
    listed = run.occurrences
    for first, second, *slopes in zip(listed, listed[1:], moments, moments[1:], strict=False):
        if second.t > first.t:  # of simultaneous ones ``Instant`` knows more
            why = f"events {first.name!r} at t = {first.t:.9g} s and {second.name!r} change places"
            note(_ratio(second.t - first.t, slopes[1] - slopes[0]), why)
    last = [] if stopped and listed[-1].t == end else zip(listed, moments, strict=True)
    for occurrence, slope in last:
        if occurrence.t == listed[-1].t:
            why = f"event {occurrence.name!r} at t = {occurrence.t:.9g} s leaves the run, which"
            note(_ratio(end - occurrence.t, slope), f"{why} ends at {end:.9g} s")
    names = () if run.events is None else [action.name for action in run.events.actions]
    for near, change in nearby:
        moved = near.rate * moments[-1] if stopped and not near.is_extremum else 0.0
        note(_ratio(abs(near.value), change + moved), _reason(near, names[near.number]))
    return [min(margins) for margins in every]


def margin_notes(
    margins: Mapping[str, Margin], order_changes: Mapping[str, OrderChange],
    sizes: Mapping[str, float],
) -> tuple[str, ...]:  # fmt: skip
    """Return what to say where a variation that is next to nothing changes which events happen.

    Args:
        margins: By name, from ``event_margins``.
        order_changes: Simultaneous events whose order changes, by what is varied.
        sizes: Usual variations, by name: values of parameters, 1 for entries of the start.
    """
    texts = order_notes(order_changes)
    for name, margin in margins.items():
        if margin.size <= SMALL * sizes[name]:
            texts.append(
                f"a change of {name!r} by {margin.size:.1e} changes the number of events or their "
                f"order: {margin.why}; derivatives hold on one side only: end the run elsewhere, "
                "or separate the events"
            )
    return tuple(texts)


def near_notes(run: Trajectory, end: float, near_events: NearEvents) -> list[str]:
    """Return what to say about the event that next to nothing keeps out of the run, or in it.

    Seen without derivatives of the times of events, of which a gradient has none: the function is
    as small as that, or the time to the end is, compared with what they are in the run.

    Args:
        run: The run.
        end: When it ended [s].
        near_events: Events that nearly happened.
    """
    if run.events is None:
        return []
    names = [action.name for action in run.events.actions]
    stopped, (nearby, sizes, times) = run.status.outcome is Outcome.STOPPED, near_events
    reasons = [
        Margin(
            (end - x.t) / max(times[names.index(x.name)], TINY),
            f"event {x.name!r} at t = {x.t:.9g} s leaves the run, which ends at {end:.9g} s",
        )
        for x in run.occurrences
        if not stopped
    ]
    for near in nearby:
        apart = near.value if near.is_extremum else near.value / near.rate
        usual = (sizes if near.is_extremum else times)[near.number]
        reasons.append(Margin(abs(apart) / max(usual, TINY), _reason(near, names[near.number])))
    nearest = min(reasons, default=NONE)
    if not nearest.size <= SMALL:
        return []
    return [
        f"a small change may change the number of events: {nearest.why}; the gradient holds on one "
        "side only: event_margins of run.sensitivity() say by how much each may be varied"
    ]


def _reason(near: Approach, name: str) -> str:
    """Return how an event that nearly happened may come into the run."""
    if near.is_extremum:
        return (
            f"the function of event {name!r}, which comes as near to zero as {near.value:.2g} at "
            f"t = {near.t:.6g} s, just touches it"
        )
    return f"event {name!r} happens before the end of the run, t = {near.t:.9g} s"


def order_notes(order_changes: Mapping[str, OrderChange]) -> list[str]:
    """Return what to say about simultaneous events whose order changes.

    Args:
        order_changes: Which, by what is varied.
    """
    texts = []
    for change in dict.fromkeys(order_changes.values()):
        names = ", ".join(repr(name) for name, other in order_changes.items() if other == change)
        shown = ", ".join(map(repr, change.events))
        opening = f"events {shown} at t = {change.t:.6g} s change their order with {names}"
        if change.is_continuous:
            texts.append(f"{opening}: derivatives are one-sided, those of an increase")
            continue
        texts.append(
            f"{opening}, and the motion behind them jumps: it has no derivatives there, which are "
            "NaN; vary what keeps the events simultaneous, or start where they are not"
        )
    return texts


def _ratio(gap: float, rate: Array) -> Array:
    """Return gap / |rate|, infinite where nothing changes."""
    size = np.abs(rate)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(size > 0.0, gap / size, np.inf))
