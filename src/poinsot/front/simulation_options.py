"""The options of a simulation that are the same for one run and for many."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TypedDict

from numpy.typing import ArrayLike

from poinsot.impacts.contact import Contact
from poinsot.model import BaseMotion, Signal
from poinsot.simulation.laws.callback import Callback
from poinsot.simulation.laws.event import Event
from poinsot.simulation.laws.load_laws import BaseLaw, Law, LoopLaws, Wrenches

__all__ = ["Changes", "Options"]


class Settings(TypedDict, total=False):
    """Keywords of ``simulate`` that are the same for one run and for many, but for its start."""

    wrenches: Wrenches | None
    base: BaseMotion | BaseLaw | None
    drives: LoopLaws | None
    rtol: float | None
    atol: float | None
    integrator: str
    step: float | None
    max_step: float | None
    first_step: float | None
    max_steps: int
    save: float | ArrayLike | None
    events: Sequence[Event]
    contacts: Sequence[Contact]
    checkpoint: str | os.PathLike[str] | None
    checkpoint_every: float
    progress: bool | None


class Options(Settings, total=False):
    """Keywords of ``simulate`` that do not tell whether it returns a ``Run`` or ``Runs``."""

    start: float
    states: Mapping[str, ArrayLike] | None


class Changes(Settings, total=False):
    """Keywords of ``Run.continued``."""

    tau: ArrayLike | Law | Callback | Signal | None
    parameters: Mapping[str, float] | None
    states: Mapping[str, float] | None
