"""Equations of motion with other laws, for events and continued runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from poinsot.model import LoadInputs
from poinsot.model.environment import BASE, DRIVES, WRENCHES
from poinsot.model.signal import SIGNAL
from poinsot.simulation.laws.equations import MotionEquations, equations, restored

LAWS: Final = ("tau", BASE, WRENCHES, DRIVES)
"""Laws that can be replaced, by their keywords in ``simulate``."""


def changed(old: MotionEquations, laws: Mapping[str, Any]) -> MotionEquations:
    """Return the same equations of motion with other laws; those that are not named stay.

    Args:
        old: The present equations.
        laws: New ones, as ``equations`` takes them, by name (``LAWS``), and values of the
            ``parameters``, shape (number of them,).
    """
    if not laws:
        return old
    parameters = laws.get("parameters", old.parameters)
    new = {name: laws.get(name) for name in LAWS}
    fresh = equations(old.mechanism, parameters=parameters, **new)
    source = {name: fresh if name in laws else old for name in LAWS}
    chosen = [use for name in LAWS for use in source[name].drives if use.writes == name]
    read = {name for use in chosen for name in use.reads}
    signals = {
        use.writes: use
        for law in (old, fresh)
        for use in law.drives
        if use.writes.startswith(SIGNAL) and use.writes in read
    }
    loads = (source[BASE].load_inputs.base, source[WRENCHES].load_inputs.wrenches)
    load_inputs = LoadInputs(*loads, source[DRIVES].load_inputs.drives)
    numbers = source["tau"].tau, source[BASE].base, parameters
    made = restored(old.mechanism, (*signals.values(), *chosen), load_inputs, *numbers)
    return replace(made, programmes=source["tau"].programmes)
