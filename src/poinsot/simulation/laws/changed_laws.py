"""Equations of motion with other laws, for events and continued runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from poinsot.model import LoadInputs
from poinsot.model.environment import BASE, WRENCHES
from poinsot.model.signal import SIGNAL
from poinsot.simulation.laws.equations import MotionEquations, equations, restored

LAWS: Final = ("tau", "base", "wrenches")
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
    new = [laws.get(name) for name in LAWS]
    fresh = equations(old.mechanism, new[0], new[1], parameters, new[2])
    tau, base, wrenches = (fresh if name in laws else old for name in LAWS)
    sources = ((BASE, base), ("tau", tau), (WRENCHES, wrenches))
    chosen = [use for name, law in sources for use in law.drives if use.writes == name]
    read = {name for use in chosen for name in use.reads}
    signals = {
        use.writes: use
        for law in (old, fresh)
        for use in law.drives
        if use.writes.startswith(SIGNAL) and use.writes in read
    }
    load_inputs = LoadInputs(base=base.moving, wrenches=wrenches.loaded)
    drives = (*signals.values(), *chosen)
    return restored(old.mechanism, drives, load_inputs, tau.tau, base.base, parameters)
