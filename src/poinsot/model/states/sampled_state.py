"""Discrete states with a sampling time, for digital controllers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, final

from poinsot.errors import ModelError
from poinsot.model.fields import Name, Number, Stored, declared, field
from poinsot.model.states.base import AbstractState
from poinsot.model.states.law import Law, StateLaw

__all__ = ["SampledState"]


@final
@declared
class SampledState(AbstractState):
    """A state that is computed at sampling times and held between them.

        x(t) = update(t_k, q, v, states),      t_k + delay <= t < t_k + delay + every,

    with t_k = 0, every, 2 every, ...  All updates at one time read the states before any of them.
    Where there is a delay, what waits for it is a state too, called ``name_next``.

    Examples:
        >>> force = SampledState("force", update="-40*slide - 5*v.slide", every=0.01, unit="N")
        >>> force.inputs
        {'force': 0.0}
    """

    kind: ClassVar[str] = "sampled state"
    file_type: ClassVar[str] = "sampled"

    update: Stored[Law, float | str | Callable[..., Any]] = field(
        StateLaw(), "Its next value: a formula (docs/formulas.md), a function of t, q and v that "
        "is traced, or a number",
        default=None,
    )  # fmt: skip
    every: float = field(Number("positive"), "Sampling time", unit="s", default=None)
    delay: float = field(
        Number("not negative"), "Time from sampling to effect, at most the sampling time",
        unit="s", default=0.0,
    )  # fmt: skip
    initial: float = field(Number(), "Its value before the first update", default=0.0)
    unit: str = field(Name(), "Its unit, for tables and figures", default="1", in_digest=False)

    def _check_together(self, given: Mapping[str, Any]) -> None:
        self._require_law("update", "'-40 * elbow'")
        if self.every is None:
            raise ModelError(f"{self.label} has no sampling time; give every=, e.g. every=0.001")
        self._refuse_symbolic(self.initial, self.every, self.delay)
        if self.delay > self.every:
            raise ModelError(
                f"{self.label}: delay must be at most the sampling time {self.every:g} s, got "
                f"{self.delay:g}; delay it by further sampled states, each with the update of the "
                "one before"
            )

    @property
    def next_name(self) -> str:
        """Name of what is computed and waits for its delay."""
        return f"{self.name}_next"

    @property
    def inputs(self) -> dict[str, float]:
        """Names and initial values of what it adds to the state of a run."""
        waiting = {self.next_name: self.initial} if self.delay > 0.0 else {}
        return {self.name: self.initial, **waiting}

    @property
    def laws(self) -> dict[str, Law]:
        """What it is made of: fields that hold formulas."""
        return {"update": self.update}
