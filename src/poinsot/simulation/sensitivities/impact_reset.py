"""Impacts in a run that is differentiated: which contacts push, and what their impact does."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from poinsot.expr import Program
from poinsot.spatial import Array

Acting: TypeAlias = tuple[tuple[str, bool], ...]
"""Names of contacts that push in an impact, and whether each was closing."""


class ImpactReset(NamedTuple):
    """An impact, which a run computes by a Python function, as programs.

    Attributes:
        acting: Which contacts push in the impact at a state (t, q, v).
        program: The velocities after the impact of such contacts.
    """

    acting: Callable[[float, Array, Array], Acting]
    program: Callable[[Acting], Program]
