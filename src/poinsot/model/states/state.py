"""Further states of a system: integrators, pressures, currents, temperatures, filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, final

from poinsot.model.fields import Name, Number, Stored, declared, field
from poinsot.model.states.base import AbstractState
from poinsot.model.states.law import Law, StateLaw

__all__ = ["State"]


@final
@declared
class State(AbstractState):
    """A state besides q and v, by its rate: dx/dt = rate(t, q, v, states).

    Formulas and functions read it as they read a parameter: by its name, in functions as
    ``ps.symbols(name)``.

    Examples:
        >>> error = State("error", rate="elbow - 0.3", unit="rad s")
        >>> error.rate, error.initial
        ('elbow - 0.3', 0.0)
    """

    kind: ClassVar[str] = "state"
    file_type: ClassVar[str] = "continuous"

    rate: Stored[Law, float | str | Callable[..., Any]] = field(
        StateLaw(), "Its rate, in its unit per second: a formula (docs/formulas.md), a function of "
        "t, q and v that is traced, or a number",
        default=None,
    )  # fmt: skip
    initial: float = field(Number(), "Its value at the start of a run", default=0.0)
    unit: str = field(Name(), "Its unit, for tables and figures", default="1", in_digest=False)

    def _check_together(self, given: Mapping[str, Any]) -> None:
        self._refuse_symbolic(self.initial)
        self._require_law("rate", "'0.5 - elbow'; for a value that only events change write rate=0")

    @property
    def inputs(self) -> dict[str, float]:
        """Names and initial values of what it adds to the state of a run."""
        return {self.name: self.initial}

    @property
    def laws(self) -> dict[str, Law]:
        """What it is made of: fields that hold formulas."""
        return {"rate": self.rate}
